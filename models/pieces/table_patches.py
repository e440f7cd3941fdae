"""Heaps cut out of whole virtual tables, through the same camera and the same flattening as in play.

    python -m models.pieces.table_patches FOLDER --parts 2000 2040

Parts are written as those of models.pieces.patches. Tables are of training styles that nothing else is drawn
from; most lie on grounds of no style.
"""

import argparse
import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.grounds import AnyMat, draw_veined
from models.pieces.data import pose_of, scattered, seen_pieces
from models.pieces.grounds import alike
from models.pieces.patches import GOODS, SIDE, Patch, behind, bleached, repainted, write_part
from models.pieces.prints import lying, of_one_red, varied
from vision.frame import BgrImage
from vision.pieces import PIXELS_PER_UNIT
from vision.rectify import Rectified, rectify, table_rect
from vision.table import PieceCount, PieceKind, Rect, TableLayout, TableView, Zone, ZoneId, ZoneKind, ZoneView
from vision.virtual.camera import put_up
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.mats import Mat
from vision.virtual.pieces import Colour, Shapes
from vision.virtual.placing import PieceAt, Placements
from vision.virtual.scene import Scene, table_extent
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import SceneState, at_rest

GAME = KIT.bind(KIT.demo_pack())
ART = load_table_art(KIT.folder)
_LAID = 6
"""So often other heaps are laid on one table: the table itself takes longest to draw."""
_FIRST_STYLE = 700_000
_BACKLIT = 0.25
_MARGIN = 0.05
_AWAY_PX = 22
"""A cut's middle is so far at most from the piece that it was cut for."""
_SCALES = (1.0, 1.12)
"""The eye looks at heaps at sizes between these."""
_CUTS: Mapping[str, int] = {"main": 3}
"""So many cuts of a heap; one of each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Veined(Mat):
    def tile(self) -> BgrImage:
        return draw_veined(random.Random(self.seed))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Alike(AnyMat):
    """Of nearly a piece's colour."""

    piece: Colour

    def tile(self) -> BgrImage:
        rng = random.Random(self.seed)
        plain = draw_veined(rng) if rng.random() < 0.3 else AnyMat.tile(self)
        return alike(plain, self.piece, rng)


def patches(seed: int) -> Iterator[Patch]:
    """The cuts of one table, once for each time that heaps were laid on it."""
    rng = random.Random(f"table patches/{seed}")
    shapes: Shapes = ART.shapes if rng.random() < 0.5 else varied(ART.shapes, rng)
    if rng.random() < 0.2:
        shapes = of_one_red(shapes, rng)
    if rng.random() < 0.2:
        shapes = lying(shapes)
    layout = with_heaps(GAME.layout, rng)
    is_backlit = rng.random() < _BACKLIT
    style = _style(_FIRST_STYLE + seed, layout, shapes, rng, is_backlit=is_backlit)
    scene = drawn_scene(layout, GAME.pack, replace(ART, shapes=dict(shapes)), style)
    bare = [replace(zone, pieces=()) for zone in scattered(GAME, rng).zones]
    cards = at_rest(scene.lay(TableView(tuple(bare)), rng.randrange(1 << 30))).cards
    for _ in range(_LAID):
        pieces = _heaps(layout, shapes, rng)
        pieces = bleached(pieces, rng) if is_backlit else repainted(pieces, rng)
        yield from _cuts(scene, SceneState(cards=cards, pieces=tuple(pieces)), rng)


def with_heaps(layout: TableLayout, rng: random.Random) -> TableLayout:
    """Heaps where the game has them and on any other part of the table, cards and board among them."""
    extent = table_rect(layout)
    goods = tuple(PieceKind(kind) for kind in GOODS)
    more = []
    for number in range(5):
        wide, high = rng.uniform(0.08, 0.3), rng.uniform(0.07, 0.2)
        x, y = rng.uniform(extent.x0, extent.x1 - wide), rng.uniform(extent.y0, extent.y1 - high)
        rect = Rect(x, y, x + wide, y + high)
        more.append(Zone(id=ZoneId(f"heap-{number}"), kind=ZoneKind.HEAP, rect=rect, pieces=goods))
    return replace(layout, zones=(*layout.zones, *more))


def _style(
    seed: int, layout: TableLayout, shapes: Shapes, rng: random.Random, *, is_backlit: bool
) -> SceneStyle:
    style = SceneStyle.sample(seed, Split.TRAIN)
    mat = style.mat
    tile, number = rng.uniform(0.5, 1.5), rng.randrange(1 << 30)
    match rng.choices(("own", "any", "veined", "alike"), (0.25, 0.25, 0.2, 0.3))[0]:
        case "any":
            mat = AnyMat(tile_width=tile, gloss=mat.gloss, seed=number)
        case "veined":
            mat = _Veined(tile_width=tile, gloss=rng.uniform(0, 0.45), seed=number)
        case "alike":
            colour = shapes[PieceKind(rng.choice(GOODS))].colour
            mat = _Alike(tile_width=tile, gloss=mat.gloss, seed=number, piece=colour)
    light = style.light
    if is_backlit:
        camera = put_up(style.stand, table_extent(layout, whole=style.stand.whole))
        light = behind(light, camera, rng)
    return replace(style, mat=mat, light=light)


def _heaps(layout: TableLayout, shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """A few pieces of a few kinds in each heap; in the store some more."""
    placements = Placements(layout, shapes, seed=rng.randrange(1 << 30))
    views = []
    for zone in layout.zones:
        if zone.kind is ZoneKind.HEAP:
            kinds = rng.sample(GOODS, rng.choice((1, 2, 3, 5, len(GOODS))))
            most = rng.choice((12, 30, 60)) if zone.id == "main" else 12
            laid = [rng.choice(kinds) for _ in range(rng.randint(1, most))]
            counts = tuple(PieceCount(PieceKind(kind), laid.count(kind)) for kind in kinds if kind in laid)
            views.append(ZoneView(zone=zone.id, pieces=counts))
    placements.lay(TableView(tuple(views)))
    # Cards have keys of their own.
    return [replace(piece, key=piece.key + (1 << 16)) for piece in placements.resting_pieces()]


def _cuts(scene: Scene, state: SceneState, rng: random.Random) -> Iterator[Patch]:
    shot = scene.shoot(state, moment=rng.randrange(1 << 30))
    pose = pose_of(shot)
    scale = rng.uniform(*_SCALES)
    flat = rectify(shot.image, pose, table_rect(GAME.layout, _MARGIN), PIXELS_PER_UNIT)
    flat = flat.enlarged(scale)
    seen = list(seen_pieces(shot, pose))
    rows = _rows(seen, flat)
    for zone in [zone for zone in scene.layout.zones if zone.kind is ZoneKind.HEAP]:
        here = [row for row, piece in zip(rows, seen, strict=True) if piece[1] == zone.id]
        for _ in range(_CUTS.get(zone.id, 1)):
            patch = _cut(flat, rng.choice(here), rows, rng) if here else None
            if patch is not None:
                yield patch


def _rows(seen: Sequence[tuple[str, str, float, float, float]], flat: Rectified) -> NDArray[np.float64]:
    """Kind, x, y and visible share of each piece, in pixels of the flat picture."""
    kinds = sorted(ART.shapes)
    numbers = [kinds.index(PieceKind(kind)) for kind, *_ in seen]
    places = flat.to_pixels(np.array([(x, y) for _, _, x, y, _ in seen]).reshape(-1, 2))
    shares = [share for *_, share in seen]
    return np.column_stack([numbers, places, shares])


def _cut(
    flat: Rectified, piece: NDArray[np.float64], rows: NDArray[np.float64], rng: random.Random
) -> Patch | None:
    """A square around about this piece, if all of it is on the picture."""
    x0, y0 = (round(piece[axis] + rng.uniform(-_AWAY_PX, _AWAY_PX)) - SIDE // 2 for axis in (1, 2))
    height, width = flat.image.shape[:2]
    if x0 < 0 or y0 < 0 or x0 + SIDE > width or y0 + SIDE > height:
        return None
    image = flat.image[y0 : y0 + SIDE, x0 : x0 + SIDE]
    if not image.any(axis=2).all():
        return None
    moved = rows - (0, x0, y0, 0)
    inside = (moved[:, 1:3] > -8).all(axis=1) & (moved[:, 1:3] < SIDE + 8).all(axis=1)
    return image, [(float(k), float(x), float(y), float(share)) for k, x, y, share in moved[inside]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, nargs=2, default=(2000, 2040), help="first and last part")
    parser.add_argument("--size", type=int, default=256, help="patches in each part")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    for part in range(*options.parts):
        drawn = itertools.chain.from_iterable(patches(1000 * part + n) for n in itertools.count())
        write_part(options.folder, part, drawn, options.size)


if __name__ == "__main__":
    main()
