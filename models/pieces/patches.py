"""Close views of pieces on any ground, drawn by the thousand: what the reader of pieces learns from.

    python -m models.pieces.patches FOLDER --parts 0 60

Heaps as hands push them together, houses in rows, Flood and Barge, and a lot of printed things that are no
pieces. Each part is a file of pictures and a file of rows (picture, kind, x, y, visible).
"""

import argparse
import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.grounds import draw_pattern, draw_veined, jointed
from models.pieces.data import FOOT
from models.pieces.grounds import alike, cut_ground, draw_cloth, draw_tables
from models.pieces.prints import HOUSES, WORKERS, lying, of_one_red, varied
from vision.pieces import PIXELS_PER_UNIT
from vision.table import PieceKind, Rect, TableLayout, Zone, ZoneId, ZoneKind
from vision.virtual.camera import Camera
from vision.virtual.drawn import load_table_art
from vision.virtual.light import Light, LightMaps
from vision.virtual.pieces import Colour, Pose, Shapes
from vision.virtual.placing import PieceAt, Placements, convex_overlap, outline, painting_order
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.sprite import Finish, Stage, Texture
from vision.virtual.things import ThingMaker

SIDE = 160
"""Pixels of a patch."""
CENTRE = (0.5, 0.25)
_HALF = SIDE / PIXELS_PER_UNIT / 2
_TOKENS = ("provision", "cowrie")
GOODS = (*WORKERS, "clay", "wood", *_TOKENS)
_ALIKE = ("red", "clay", "wood")
"""Wooden, of one size and reddish: the shape alone tells them apart."""
_TOUCHING = (("red", "clay"), ("clay", "cowrie"), ("red", "clay", "cowrie"), _TOKENS, (*_TOKENS, *_ALIKE))
"""What was miscounted most often where it lies close together."""
_GLARING = 0.15
"""Of what is laid so much is Red Workers and bricks, lying, where the light burns their red out."""
_BACKLIT = 0.35
"""Of what is laid so much is seen against the lamp: the sides towards the camera are dark, and White Workers
among Black ones, most of what lies there, are told by their tops."""
_ALIKE_GROUNDS = 0.4
"""So many views have nearly the colour of a piece all around; half of them of one that does not lie there."""
_VIEWS = 3
"""So many pictures are taken of what was laid, of other print runs, in other light, from elsewhere."""

Row = tuple[float, float, float, float]
"""Kind, x, y, and the share of it that can be seen."""
Patch = tuple[NDArray[np.uint8], list[Row]]
Pictures = Sequence[NDArray[np.uint8]]


class Patches:
    """Draws one patch after the other."""

    def __init__(
        self,
        tables: Sequence[NDArray[np.uint8]],
        cloths: Sequence[NDArray[np.uint8]],
        shapes: Shapes,
        seed: int,
    ) -> None:
        self._tables, self._cloths = tables, cloths
        self._house = shapes
        self._kinds = sorted(shapes)
        self._rng = random.Random(f"patches/{seed}")
        runs = [varied(shapes, self._rng) for _ in range(24)]
        self._runs = [run if number % 3 else of_one_red(run, self._rng) for number, run in enumerate(runs)]

    def draw(self) -> Iterator[Patch]:
        """Some views of the same pieces."""
        rng = self._rng
        shapes = self._house if rng.random() < 0.35 else rng.choice(self._runs)
        if rng.random() < _GLARING:
            laid = _lying_reds(lying(shapes), rng)
            for _ in range(_VIEWS):
                yield self._view(laid, shapes, any_light(rng, brighter=(1.1, 1.8)), _camera(rng))
            return
        is_backlit = rng.random() < _BACKLIT
        laid = lay_pieces(lying(shapes) if rng.random() < 0.2 else shapes, rng)
        for _ in range(_VIEWS):
            light = any_light(rng, brighter=(0.6, 1.5))
            if is_backlit:
                camera = _camera(rng, leaning=True)
                yield self._view(bleached(laid, rng), shapes, behind(light, camera, rng), camera)
            else:
                yield self._view(repainted(laid, rng), shapes, light, _camera(rng))

    def _view(self, laid: Sequence[PieceAt], shapes: Shapes, light: Light, camera: Camera) -> Patch:
        rng = self._rng
        stage = Stage(camera, LightMaps(light, camera))
        frame = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._lay_ground(stage, frame, shapes[ground_kind([piece.kind for piece in laid], rng)].colour)
        pieces = painting_order(laid, shapes, camera.foot)
        labels = _paint(stage, frame, pieces, shapes, rng)
        image = exposed(frame, rng)
        to_flat = _to_flat(camera)
        flat = cv2.warpPerspective(
            image, to_flat, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(flat, np.uint8), self._rows(pieces, shapes, camera, to_flat, labels)

    def _lay_ground(self, stage: Stage, frame: NDArray[np.uint8], colour: Colour) -> None:
        """Any ground, or one of nearly this colour."""
        rng = self._rng
        half = 1.35 * _HALF
        is_alike = rng.random() < _ALIKE_GROUNDS
        pictures = self._cloths if rng.random() < (0.8 if is_alike else 0.5) else self._tables
        crop = cut_ground(pictures, 2 * half, rng)
        if is_alike:
            crop = alike(crop, colour, rng)
        x, y = CENTRE
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        finish = Finish(gloss=rng.choice((0.0, 0.0, 0.2, 0.4)), roughness=rng.uniform(0.05, 0.3))
        sprite = stage.flat(Texture(crop), np.array([(*c, 0.0) for c in corners]), finish, fine=1)
        if sprite is not None:
            sprite.paint(frame)

    def _rows(
        self,
        pieces: Sequence[PieceAt],
        shapes: Shapes,
        camera: Camera,
        to_flat: NDArray[np.float64],
        shares: Mapping[int, float],
    ) -> list[Row]:
        rows = []
        for piece in pieces:
            low = piece.z + FOOT * shapes[piece.kind].height(piece.pose)
            pixel = camera.project([(piece.x, piece.y, low)])
            x, y = cv2.perspectiveTransform(pixel[None], to_flat)[0, 0]
            if -8 < x < SIDE + 8 and -8 < y < SIDE + 8:
                kind = float(self._kinds.index(piece.kind))
                rows.append((kind, float(x), float(y), shares.get(piece.key, 0.0)))
        return rows


def ground_kind(laid: Sequence[PieceKind], rng: random.Random) -> PieceKind:
    """Whose colour the ground may have: as often a piece's that lies there as one's that does not.

    Drawn only where the piece lies, such a ground speaks for it, and pieces are invented on bare ground.
    """
    others = [PieceKind(kind) for kind in GOODS if kind not in laid]
    return rng.choice(others if not laid or (others and rng.random() < 0.5) else laid)


def _camera(rng: random.Random, *, leaning: bool = False) -> Camera:
    near = rng.random() < 0.25
    share = rng.uniform(0.4, 0.9) if leaning else rng.betavariate(1.2, 1.7)
    tilt = math.radians((45 if near else 62) * share)
    azimuth = rng.uniform(0, 2 * math.pi)
    distance = math.exp(rng.uniform(math.log(0.15), math.log(0.9))) if near else rng.uniform(0.9, 2.8)
    scale = math.exp(rng.uniform(math.log(420), math.log(1600)))
    side = math.ceil(0.27 * scale)
    reach = distance * math.sin(tilt)
    return Camera(
        width=side,
        height=side,
        fov_deg=2 * math.degrees(math.atan(side / 2 / (scale * distance))),
        position=(
            CENTRE[0] + reach * math.sin(azimuth),
            CENTRE[1] + reach * math.cos(azimuth),
            distance * math.cos(tilt),
        ),
        target=CENTRE,
    )


def any_light(
    rng: random.Random, split: Split = Split.TRAIN, brighter: tuple[float, float] = (0.6, 1.2)
) -> Light:
    """Lamps of any style, here so much brighter than in the middle of a table: some spots are burnt out."""
    light = SceneStyle.sample(rng.randrange(1 << 20), split).light
    angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 2.0)
    x, y = CENTRE[0] + reach * math.sin(angle), CENTRE[1] + reach * math.cos(angle)
    return replace(
        light,
        position=(x, y, light.position[2]),
        exposure=light.exposure * rng.uniform(*brighter),
        glare=rng.choice((light.glare, rng.uniform(0.8, 2.2))),
    )


def behind(light: Light, camera: Camera, rng: random.Random) -> Light:
    """The same lamp beyond the pieces, and little light from anywhere else."""
    x, y = (camera.target[axis] - camera.position[axis] for axis in (0, 1))
    angle, reach = math.atan2(x, y) + rng.gauss(0, math.radians(35)), rng.uniform(0.7, 2.0)
    return replace(
        light,
        position=(
            CENTRE[0] + reach * math.sin(angle),
            CENTRE[1] + reach * math.cos(angle),
            light.position[2],
        ),
        key=rng.uniform(0.45, 0.8),
    )


def _to_flat(camera: Camera) -> NDArray[np.float64]:
    """From the picture's pixels to those of the patch."""
    unit = PIXELS_PER_UNIT
    x0, y0 = CENTRE[0] - _HALF, CENTRE[1] - _HALF
    to_board = np.array([[1 / unit, 0, x0 + 0.5 / unit], [0, 1 / unit, y0 + 0.5 / unit], [0, 0, 1]])
    return np.asarray(np.linalg.inv(camera.homography() @ to_board))


def lay_pieces(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """What lies there: a heap, a line of goods, houses, big pieces, all sorts, or nothing."""
    sorts = ("heap", "line", "houses", "river", "mixed", "nothing")
    match rng.choices(sorts, (0.54, 0.10, 0.11, 0.09, 0.08, 0.08))[0]:
        case "heap":
            count = rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15))
            side = rng.uniform(0.024, 0.055) * math.sqrt(count) + 0.02
            palette = _palette(rng)
            heap = _heap([rng.choice(palette) for _ in range(count)], side, shapes, rng)
            return _dropped_on(heap, shapes, rng) if rng.random() < 0.2 else heap
        case "line":
            return _line(shapes, rng)
        case "houses":
            return _row([rng.choice(HOUSES) for _ in range(rng.choice((1, 2, 2, 3, 4)))], rng)
        case "river":
            big = rng.sample(("flood", "barge"), rng.choice((1, 1, 1, 2)))
            return [*_heap(big, 0.13, shapes, rng, straight=True), *_some_goods(shapes, rng)]
        case "mixed":
            kinds = [rng.choice((*GOODS, *HOUSES)) for _ in range(rng.choice((2, 4, 6)))]
            return _heap(kinds, 0.17, shapes, rng)
    return []


def _lying_reds(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """Red Workers among bricks, with little else: from above both are red and as large as each other."""
    count = rng.randint(2, 8)
    others = rng.sample(("wood", "white", "cowrie", "yellow"), rng.choice((0, 0, 1, 2)))
    kinds = rng.choices(("red", "clay", *others), (3, 2, *(1 for _ in others)), k=count)
    return _heap(kinds, rng.uniform(0.024, 0.055) * math.sqrt(count) + 0.02, shapes, rng)


def _palette(rng: random.Random) -> Sequence[str]:
    chance = rng.random()
    if chance < 0.25:
        return rng.choice((_ALIKE, (*_ALIKE, *WORKERS)))
    if chance < 0.5:
        return rng.choice(_TOUCHING)
    return rng.sample(GOODS, rng.choice((1, 2, 3, 4, 6, 9)))


def _dropped_on(heap: Sequence[PieceAt], shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """The same heap with something wooden on some of its tokens: they still count, though half hidden."""
    pieces = list(heap)
    for token in heap:
        if not shapes[token.kind].flat or rng.random() < 0.5:
            continue
        shape = shapes[PieceKind(rng.choice((*WORKERS, "clay", "wood")))]
        way, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0.004, 0.016)
        piece = PieceAt(
            key=len(pieces) + 1, kind=shape.kind, zone=None, x=token.x + reach * math.cos(way),
            y=token.y + reach * math.sin(way), angle_deg=rng.uniform(0, 360), pose=Pose.LYING,
        )  # fmt: skip
        ground = outline(piece, shapes)
        below = [other for other in pieces if convex_overlap(ground, outline(other, shapes))]
        if all(shapes[other.kind].flat for other in below):
            top = max(other.z + shapes[other.kind].thickness for other in below)
            pieces.append(replace(piece, z=top))
    return pieces


def repainted(pieces: Sequence[PieceAt], rng: random.Random) -> list[PieceAt]:
    """Workers have one shape, so each may have any colour; often all of a heap are of few."""
    palette = rng.sample(WORKERS, rng.choice((1, 2, 3, 5)))
    if rng.random() < 0.5:
        return list(pieces)
    return [
        replace(piece, kind=PieceKind(rng.choice(palette))) if piece.kind in WORKERS else piece
        for piece in pieces
    ]


def bleached(pieces: Sequence[PieceAt], rng: random.Random) -> list[PieceAt]:
    """Workers made White or Black, most of them."""
    white = rng.random()
    return [
        replace(piece, kind=PieceKind("white" if rng.random() < white else "black"))
        if piece.kind in WORKERS and rng.random() < 0.8
        else piece
        for piece in pieces
    ]


def _line(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """Goods put in order by a tidy player: side by side, or tokens fanned one over the other."""
    fanned = rng.random() < 0.35
    kinds = [rng.choice(_TOKENS if fanned else (*WORKERS, *_ALIKE)) for _ in range(rng.randint(2, 6))]
    if rng.random() < 0.5:
        kinds = [kinds[0]] * len(kinds)
    pose = Pose.LYING if fanned else rng.choice((Pose.LYING, Pose.STANDING))
    way, lean = rng.uniform(0, 2 * math.pi), rng.choice((0.0, 90.0))
    at, z = 0.0, 0.0
    pieces = []
    for number, kind in enumerate(kinds, 1):
        shape = shapes[PieceKind(kind)]
        own = pose if any(pose is possible for possible, _ in shape.poses) else Pose.LYING
        ground = shape.footprint(own)
        reach = float(np.ptp(ground[:, 0 if lean == 0 else 1])) / 2
        at += 0.0 if number == 1 else reach
        turn = math.degrees(way) + lean + rng.gauss(0, 12 if fanned else 3)
        pieces.append(
            PieceAt(
                key=number, kind=shape.kind, zone=None, x=at * math.cos(way), y=at * math.sin(way),
                angle_deg=turn, pose=own, z=z,
            )
        )  # fmt: skip
        at += reach * rng.uniform(-0.3, 0.6) if fanned else reach + rng.choice((0.0003, 0.001, 0.005))
        z += shape.thickness if fanned else 0.0
    x = CENTRE[0] + rng.uniform(-0.03, 0.03) - at / 2 * math.cos(way)
    y = CENTRE[1] + rng.uniform(-0.03, 0.03) - at / 2 * math.sin(way)
    return [replace(piece, x=piece.x + x, y=piece.y + y) for piece in pieces]


def _some_goods(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    if rng.random() < 0.6:
        return []
    x, y = (rng.choice((-0.075, 0.075)) + rng.uniform(-0.01, 0.01) for _ in range(2))
    kinds = [rng.choice(GOODS) for _ in range(rng.choice((1, 2)))]
    return _heap(kinds, 0.03, shapes, rng, at=(CENTRE[0] + x, CENTRE[1] + y), key=100)


def _heap(
    kinds: Sequence[str],
    side: float,
    shapes: Shapes,
    rng: random.Random,
    *,
    straight: bool = False,
    at: tuple[float, float] | None = None,
    key: int = 0,
) -> list[PieceAt]:
    x, y = at or (CENTRE[0] + rng.uniform(-0.04, 0.04), CENTRE[1] + rng.uniform(-0.04, 0.04))
    wide = side * rng.uniform(0.8, 1.25)
    rect = Rect(x - wide / 2, y - side / 2, x + wide / 2, y + side / 2)
    zone = Zone(id=ZoneId("heap"), kind=ZoneKind.HEAP, rect=rect, pieces=tuple(shapes))
    board = Rect(-9.0, -9.0, 9.0, 9.0)
    layout = TableLayout(board=board, card_width=0.125, card_height=0.195, zones=(zone,))
    placements = Placements(layout, shapes, seed=rng.randrange(1 << 30))
    for kind in kinds:
        placements.put_piece(placements.new_piece(PieceKind(kind)), zone.id)
    turn = rng.choice((0, 90, 180, 270)) + rng.gauss(0, 15)
    return [
        replace(piece, key=piece.key + key, angle_deg=turn if straight else piece.angle_deg)
        for piece in placements.resting_pieces()
    ]


def _row(kinds: Sequence[str], rng: random.Random) -> list[PieceAt]:
    """Side by side in some direction, as houses stand at home."""
    way, step = rng.uniform(0, 2 * math.pi), rng.uniform(0.040, 0.062)
    x, y = CENTRE[0] + rng.uniform(-0.04, 0.04), CENTRE[1] + rng.uniform(-0.04, 0.04)
    turn = rng.choice((0.0, math.degrees(way), rng.uniform(0, 360)))
    return [
        PieceAt(
            key=number + 1,
            kind=PieceKind(kind),
            zone=None,
            x=x + (number - (len(kinds) - 1) / 2) * step * math.cos(way) + rng.gauss(0, 0.002),
            y=y + (number - (len(kinds) - 1) / 2) * step * math.sin(way) + rng.gauss(0, 0.002),
            angle_deg=turn + rng.gauss(0, 8),
            pose=Pose.STANDING,
        )
        for number, kind in enumerate(kinds)
    ]


def _paint(
    stage: Stage,
    frame: NDArray[np.uint8],
    pieces: Sequence[PieceAt],
    shapes: Shapes,
    rng: random.Random,
) -> dict[int, float]:
    """Shadows first, then the pieces; what share of each is left to be seen."""
    layout = TableLayout(board=Rect(0, 0, 1, 1), card_width=0.125, card_height=0.195, zones=())
    maker = ThingMaker(
        stage, layout, _NO_CARDS, shapes, piece_tone=rng.uniform(0.02, 0.15), seed=rng.randrange(1 << 30)
    )
    made = [(piece.key, maker.piece(piece, piece.z)) for piece in pieces]
    things = [(key, thing) for key, thing in made if thing is not None]
    for _, thing in things:
        if thing.shade is not None:
            thing.shade.paint(frame)
    labels = np.zeros(frame.shape[:2], np.int32)
    whole: dict[int, int] = {}
    for key, thing in things:
        (sprite,) = thing.sprites
        sprite.paint(frame)
        x0, y0, x1, y1 = sprite.window
        inside = sprite.alpha > 127
        labels[y0:y1, x0:x1][inside] = key
        whole[key] = int(inside.sum())
    seen = np.bincount(labels.ravel(), minlength=1 + max(whole, default=0))
    return {key: float(seen[key]) / max(1, area) for key, area in whole.items()}


class _NoCards:
    """Here lie pieces only."""

    def kind(self, card: object) -> None:
        raise AssertionError(f"no card lies here, least of all {card}")

    def card(self, *card: object) -> NDArray[np.uint8]:
        raise AssertionError(f"no card lies here, least of all {card}")

    def board(self) -> NDArray[np.uint8]:
        raise AssertionError("the ground was laid from a picture")


_NO_CARDS = _NoCards()


def exposed(frame: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """What lens, chip and compression make of it."""
    image = cv2.GaussianBlur(frame, (0, 0), rng.uniform(0.25, 1.2))
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(frame.shape, dtype=np.float32)
    image = np.clip(image + noise * rng.uniform(0.3, 4.5), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(70, 97)])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, nargs=2, default=(0, 60), help="first and last part")
    parser.add_argument("--size", type=int, default=256, help="patches in each part")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    shapes = load_table_art(KIT.folder).shapes
    tables: list[NDArray[np.uint8]] = []
    cloths: list[NDArray[np.uint8]] = []
    for part in range(*options.parts):
        rng = random.Random(f"cloths/{part}")
        first = part == options.parts[0]
        for seed in range(100 * part, 100 * part + (3 if first else 1)):
            tables = [*tables[-45:], *draw_tables(seed)]
        cloths = [*cloths[-48:], *new_cloths(rng)]
        patches = Patches(tables, cloths, shapes, part)
        endless = itertools.chain.from_iterable(patches.draw() for _ in itertools.count())
        write_part(options.folder, part, endless, options.size)


def new_cloths(rng: random.Random) -> list[NDArray[np.uint8]]:
    """Cloths, prints and, most of all, veined stone, on which pieces were invented; some have joints."""
    new = [draw(rng) for draw in (draw_cloth, draw_pattern, draw_veined, draw_veined) for _ in range(4)]
    return [jointed(cloth, rng) if rng.random() < 0.25 else cloth for cloth in new]


def write_part(folder: Path, part: int, patches: Iterator[Patch], size: int) -> None:
    images = np.empty((size, SIDE, SIDE, 3), np.uint8)
    rows: list[tuple[float, ...]] = []
    for index, (picture, pieces) in enumerate(itertools.islice(patches, size)):
        images[index] = picture
        rows += [(index, *piece) for piece in pieces]
    np.save(folder / f"rows-{part:03}.npy", np.array(rows, np.float32))
    unfinished = folder / f"unfinished-{part:03}.npy"
    np.save(unfinished, images)
    unfinished.rename(folder / f"part-{part:03}.npy")


if __name__ == "__main__":
    main()
