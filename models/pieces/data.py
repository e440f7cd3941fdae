"""Pictures of pieces on the virtual table, flattened to the board plane, with where each piece stands."""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from assistant.games.yu.pieces import TOTALS, taken
from assistant.games.yu.state import State
from assistant.kit import Dice
from vision.pose import Lens, Pose
from vision.rectify import rectify, table_rect
from vision.register import fit_pose
from vision.table import TableView
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene import Shot
from vision.virtual.scene_style import SceneStyle, Split

PIXELS_PER_UNIT = 900
"""A Worker is about 26 pixels high: what a 1080p camera over the whole table sees."""

VIEWS_PER_STYLE = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--styles", type=int, default=150)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--split", choices=[split.value for split in Split], default="train")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.styles):
        for number, (image, pieces) in enumerate(pictures(seed, Split(options.split))):
            stem = options.out / f"{options.split}-{seed:05d}-{number}"
            cv2.imwrite(f"{stem}.jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])
            np.savez_compressed(f"{stem}.npz", pieces=pieces)
        print(seed, flush=True)


def pictures(seed: int, split: Split) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    """Some tables of one style: the flat picture, and a row (kind, x, y, length, height) for each piece."""
    game = KIT.bind(KIT.demo_pack())
    art = load_table_art(Path(KIT.messages).parent)
    scene = drawn_scene(game.layout, game.pack, art, SceneStyle.sample(seed, split))
    kinds = sorted(art.shapes)
    for number in range(VIEWS_PER_STYLE):
        rng = random.Random(f"pieces/{split.value}/{seed}/{number}")
        shot = scene.shoot_view(scattered(game, rng), rng.randrange(1 << 30))
        pose = pose_of(shot)
        flat = rectify(shot.image, pose, table_rect(game.layout, 0.02), PIXELS_PER_UNIT)
        rows = [
            (kinds.index(piece.kind), *flat.to_pixels(pose.unproject([_middle(piece)]))[0], *_size(piece))
            for piece in shot.pieces
        ]
        yield flat.image, np.array(rows, np.float32)


def _middle(piece: Any) -> tuple[float, float]:
    """The middle of what can be seen of it."""
    x0, y0, x1, y1 = piece.box
    return (x0 + x1) / 2, (y0 + y1) / 2


def _size(piece: Any) -> tuple[float, float]:
    x0, y0, x1, y1 = piece.box
    return x1 - x0, y1 - y0


def pose_of(shot: Shot) -> Pose:
    """The pose that registration would find for this camera."""
    grid = np.array([(x, y) for x in np.linspace(-0.2, 1.2, 8) for y in np.linspace(-0.2, 0.8, 6)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    return fit_pose(grid[inside], pixels[inside], Lens(width=width, height=height), fit_curve=True)


def scattered(game: Any, rng: random.Random) -> TableView:
    """A position with pieces in every kind of place, more varied than play would make it."""
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
    most = rng.choice([1, 2, 3, 4])
    supply = tuple(min(total - 2, rng.randint(0, most)) for total in TOTALS)
    built = rng.randrange(7)
    canal = tuple(None if n < built else card for n, card in enumerate(state.canal))
    return game.view(
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


if __name__ == "__main__":
    main()
