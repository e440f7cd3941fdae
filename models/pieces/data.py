"""Whole virtual tables with pieces everywhere, flattened to the board plane: to calibrate and to test on.

python -m models.pieces.data FOLDER --styles 12 --split held_out
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from assistant.games.yu.pieces import TOTALS, taken
from assistant.games.yu.state import State
from assistant.kit import Dice
from vision.pieces import PIXELS_PER_UNIT
from vision.pose import Lens, Pose
from vision.rectify import Rectified, rectify, table_rect
from vision.register import fit_pose
from vision.table import TableLayout, TableView
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene import Shot
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import at_rest

VIEWS_PER_STYLE = 4
FOOT = 0.25
"""A piece is marked at this share of its height: low, so that a mark hardly leans away from its place."""
_MARGIN = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """A flat picture of a table, what lies in each zone, and where each piece can be seen."""

    picture: Rectified
    view: TableView
    pieces: tuple[tuple[str, str, float, float, float], ...]
    """Kind, zone, x and y in board units, and the share of it that nothing hides."""
    shot: Shot
    later: tuple[Rectified, ...] = ()
    """The same table in the camera's next frames."""


def tables(seed: int, split: Split, views: int = VIEWS_PER_STYLE, frames: int = 1) -> Iterator[DrawnTable]:
    """Some tables of one style, each in so many frames."""
    game = KIT.bind(KIT.demo_pack())
    scene = drawn_scene(game.layout, game.pack, load_table_art(KIT.folder), SceneStyle.sample(seed, split))
    for number in range(views):
        rng = random.Random(f"pieces/{split.value}/{seed}/{number}")
        view = scattered(game, rng)
        moment = rng.randrange(1 << 30)
        still = at_rest(scene.lay(view, moment))
        shot = scene.shoot(still, moment=moment)
        pose, rect = pose_of(shot), table_rect(game.layout, _MARGIN)
        next_images = [scene.render(still, moment=moment + number) for number in range(1, frames)]
        yield DrawnTable(
            picture=rectify(shot.image, pose, rect, PIXELS_PER_UNIT),
            later=tuple(rectify(image, pose, rect, PIXELS_PER_UNIT) for image in next_images),
            view=view,
            pieces=tuple(seen_pieces(shot, pose)),
            shot=shot,
        )


def seen_pieces(shot: Shot, pose: Pose) -> Iterator[tuple[str, str, float, float, float]]:
    for piece in shot.pieces:
        low = (1 - FOOT) * np.array(piece.base) + FOOT * np.array(piece.top)
        x, y = pose.unproject([low])[0]
        yield str(piece.kind), str(piece.zone), float(x), float(y), piece.visible


def pose_of(shot: Shot) -> Pose:
    """The pose that registration would find for this camera."""
    grid = np.array([(x, y) for x in np.linspace(-0.2, 1.2, 8) for y in np.linspace(-0.2, 0.8, 6)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    return fit_pose(grid[inside], pixels[inside], Lens(width=width, height=height), fit_curve=True)


def scattered(game: Any, rng: random.Random) -> TableView:
    """A position with pieces in every kind of place, and a supply of up to ten, more varied than in play."""
    state: State = game.initial()
    dice = Dice(rng.randrange(1 << 30))
    for _ in range(rng.choice([14, 25, 40, 80, 120])):
        actions = game.legal_actions(state)
        if not actions:
            break
        state = game.apply(state, dice.choice(actions))
    farms = tuple(rng.random() < 0.5 for _ in range(3))
    outposts = tuple(rng.random() < 0.5 for _ in range(4))
    huts = rng.randrange(5)
    names = [f"farm-{n}" for n, b in enumerate(farms, 1) if b]
    names += [f"outpost-{n}" for n, b in enumerate(outposts, 1) if b]
    names += [f"hut-{n}" for n in range(1, huts + 1)]
    rng.shuffle(names)
    sites: list[str | None] = [*names[:9], *[None] * (9 - len(names[:9]))]
    rng.shuffle(sites)
    circles = tuple(rng.randrange(5) if rng.random() < 0.5 and n <= huts else None for n in range(5))
    supply = _supply(rng)
    built = rng.randrange(7)
    canal = tuple(None if n < built else card for n, card in enumerate(state.canal))
    view: TableView = game.view(
        state.but(
            farms=farms,
            outposts=outposts,
            huts=huts,
            sites=tuple(sites),
            circles=circles,
            supply=supply,
            main=taken(TOTALS, supply),
            canal=canal,
            barge=rng.randrange(7),
            flood=rng.randrange(7),
        )
    )
    return view


def _supply(rng: random.Random) -> tuple[int, ...]:
    """Up to ten pieces, sometimes of few kinds, so that like lies beside like."""
    kinds = rng.sample(range(len(TOTALS)), rng.choice([2, 3, 5, len(TOTALS)]))
    counts = [0] * len(TOTALS)
    for _ in range(rng.randint(0, 10)):
        kind = rng.choice(kinds)
        counts[kind] = min(counts[kind] + 1, TOTALS[kind] - 2)
    return tuple(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--styles", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--split", choices=[split.value for split in Split], default="train")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.styles):
        for number, table in enumerate(tables(seed, Split(options.split))):
            stem = options.folder / f"{options.split}-{seed:05d}-{number}"
            cv2.imwrite(f"{stem}.png", table.picture.image)
            zones = {seen.zone: seen.counts() for seen in table.view.zones}
            text = json.dumps({"pieces": table.pieces, "zones": zones})
            stem.with_suffix(".json").write_text(text, encoding="utf-8")


def read_table(path: Path, layout: TableLayout) -> tuple[Rectified, dict[str, Any]]:
    """A table that `main` wrote: its picture and the truth about it."""
    image: NDArray[np.uint8] = np.asarray(cv2.imread(str(path)), np.uint8)
    picture = Rectified(image=image, rect=table_rect(layout, _MARGIN), pixels_per_unit=PIXELS_PER_UNIT)
    return picture, json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
