"""Close views of pieces on any ground, drawn by the thousand: what the reader of pieces learns from.

    python -m models.pieces.patches FOLDER --parts 0 60

Heaps as hands push them together, houses in rows, Flood and Barge, and a lot of printed things that are no
pieces. Each part is a file of pictures and a file of rows (picture, kind, x, y, visible).
"""

import argparse
import colorsys
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.pieces.data import FOOT, scattered
from vision.pieces import PIXELS_PER_UNIT
from vision.table import PieceKind, Rect, TableLayout, TableView, Zone, ZoneId, ZoneKind
from vision.virtual.camera import Camera, Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.light import Light, LightMaps
from vision.virtual.mats import Mat
from vision.virtual.pieces import Colour, Mark, Outline, PieceShape, Pose, Shapes
from vision.virtual.placing import PieceAt, Placements, painting_order
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.sensor import Sensor
from vision.virtual.sprite import Finish, Stage, Texture
from vision.virtual.things import ThingMaker

SIDE = 160
"""Pixels of a patch."""
CENTRE = (0.5, 0.25)
_HALF = SIDE / PIXELS_PER_UNIT / 2
_GROUND_SCALE = 1300.0
_GOODS = ("white", "red", "black", "blue", "yellow", "clay", "wood", "provision", "cowrie")
_WORKERS = _GOODS[:5]
_HOUSES = ("farm", "outpost", "hut")
_EVEN_LIGHT = Light(position=(0.5, 0.25, 4.0), key=0.02, exposure=1.0, glare=0.0, vignetting=0.0)
_PERFECT = Sensor(blur_px=0.0, noise=0.0, drift=0.0, jpeg=None)


def draw_grounds(seed: int, views: int = 3) -> list[NDArray[np.uint8]]:
    """Tables of one training style without a piece on them, seen from straight above in even light."""
    rng = random.Random(f"grounds/{seed}")
    game = KIT.bind(KIT.demo_pack())
    art = load_table_art(KIT.folder)
    style = SceneStyle.sample(50_000 + seed, Split.TRAIN)
    mat = style.mat
    if rng.random() < 0.5:
        mat = _other_colours(mat, rng)
    stand = Stand(width=2400, height=1500, fov_deg=30, tilt_deg=0, k1=0, margin=0)
    style = replace(style, stand=stand, light=_EVEN_LIGHT, sensor=_PERFECT, mat=mat)
    scene = drawn_scene(game.layout, game.pack, art, style)
    pictures = []
    for _ in range(views):
        view = scattered(game, rng)
        bare = TableView(tuple(replace(zone, pieces=()) for zone in view.zones))
        pictures.append(scene.shoot_view(bare, rng.randrange(1 << 30)).image)
    return pictures


def _other_colours(mat: Mat, rng: random.Random) -> Mat:
    hue, value = rng.random(), rng.uniform(0.08, 0.95)
    saturation = rng.betavariate(1.2, 1.6)
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    shift = rng.uniform(-0.25, 0.3)
    accent = [min(1.0, max(0.0, part + shift)) for part in (blue, green, red)]
    return replace(mat, colour=(blue, green, red), accent=(accent[0], accent[1], accent[2]))


def varied(shapes: Shapes, rng: random.Random) -> dict[PieceKind, PieceShape]:
    """The pieces of another print run: a little larger, slimmer, paler, with more grain."""
    sizes = {kind: _size(rng) for kind in shapes}
    for kind in _WORKERS:
        sizes[PieceKind(kind)] = sizes[PieceKind("white")]
    return {kind: _variant(shape, sizes[kind], rng) for kind, shape in shapes.items()}


def _size(rng: random.Random) -> tuple[float, float, float]:
    whole = rng.uniform(0.86, 1.16)
    return whole * rng.gauss(1, 0.05), whole * rng.gauss(1, 0.05), whole * rng.uniform(0.85, 1.15)


def _variant(shape: PieceShape, size: tuple[float, float, float], rng: random.Random) -> PieceShape:
    across, high, deep = size
    uneven = 0.0004 * rng.random()

    def moved(outline: Outline) -> Outline:
        return tuple((x * across + rng.gauss(0, uneven), y * high + rng.gauss(0, uneven)) for x, y in outline)

    poses = shape.poses
    if len(poses) > 1:
        share = rng.betavariate(1.2, 1.2)
        poses = ((poses[0][0], share), (poses[1][0], 1 - share))
    without = shape.kind in _HOUSES and rng.random() < 0.6
    marks = () if without else tuple(Mark(moved(m.shape), _recoloured(m.colour, rng)) for m in shape.marks)
    return replace(
        shape,
        silhouette=moved(shape.silhouette),
        thickness=shape.thickness * deep,
        colour=_recoloured(shape.colour, rng),
        poses=poses,
        marks=marks,
        grain=shape.grain * rng.choice((0.5, 1.0, 1.5, 3.0)),
    )


def _recoloured(colour: Colour, rng: random.Random) -> Colour:
    hue, saturation, value = colorsys.rgb_to_hsv(colour[2], colour[1], colour[0])
    hue = (hue + rng.gauss(0, 0.02)) % 1
    saturation = min(1.0, saturation * rng.uniform(0.62, 1.18))
    value = min(1.0, value * rng.uniform(0.8, 1.4) + rng.uniform(0, 0.03))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return blue, green, red


class Patches:
    """Draws one patch after the other."""

    def __init__(self, grounds: Sequence[NDArray[np.uint8]], shapes: Shapes, seed: int) -> None:
        self.grounds = list(grounds)
        self._house = shapes
        self._kinds = sorted(shapes)
        self._rng = random.Random(f"patches/{seed}")
        self._runs = [varied(shapes, self._rng) for _ in range(40)]

    def draw(self) -> tuple[NDArray[np.uint8], list[tuple[float, float, float, float]]]:
        rng = self._rng
        shapes = self._house if rng.random() < 0.2 else rng.choice(self._runs)
        camera, light = _camera(rng), _light(rng)
        stage = Stage(camera, LightMaps(light, camera))
        frame = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._lay_ground(stage, frame)
        pieces = painting_order(_laid(shapes, rng), shapes, camera.foot)
        labels = _paint(stage, frame, pieces, shapes, rng)
        image = _exposed(frame, rng)
        to_flat = _to_flat(camera)
        flat = cv2.warpPerspective(image, to_flat, (SIDE, SIDE), flags=cv2.INTER_LINEAR)
        return np.asarray(flat, np.uint8), self._rows(pieces, shapes, camera, to_flat, labels)

    def _lay_ground(self, stage: Stage, frame: NDArray[np.uint8]) -> None:
        rng = self._rng
        picture = rng.choice(self.grounds)
        height, width = picture.shape[:2]
        half = 1.35 * _HALF
        cut = round(2 * half * _GROUND_SCALE)
        reach = cut * 0.72
        middle = rng.uniform(reach, width - reach), rng.uniform(reach, height - reach)
        turn = cv2.getRotationMatrix2D(middle, rng.uniform(0, 360), rng.uniform(0.85, 1.2))
        turn[:, 2] += cut / 2 - np.array(middle)
        crop = np.asarray(cv2.warpAffine(picture, turn, (cut, cut), flags=cv2.INTER_LINEAR), np.uint8)
        if rng.random() < 0.3:
            _clutter(crop, rng)
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
    ) -> list[tuple[float, float, float, float]]:
        rows = []
        for piece in pieces:
            low = piece.z + FOOT * shapes[piece.kind].height(piece.pose)
            pixel = camera.project([(piece.x, piece.y, low)])
            x, y = cv2.perspectiveTransform(pixel[None], to_flat)[0, 0]
            if -8 < x < SIDE + 8 and -8 < y < SIDE + 8:
                kind = float(self._kinds.index(piece.kind))
                rows.append((kind, float(x), float(y), shares.get(piece.key, 0.0)))
        return rows


def _clutter(ground: NDArray[np.uint8], rng: random.Random) -> None:
    """Leaves, stones, ornaments: for our own drawings are tidier than print."""
    colours = [[rng.randrange(256) for _ in range(3)] for _ in range(rng.choice((1, 2, 3)))]
    most, side = rng.uniform(3, 14), ground.shape[0]
    over = ground.copy()
    for _ in range(rng.choice((20, 80, 250))):
        blue, green, red = (min(255, max(0, part + rng.gauss(0, 25))) for part in rng.choice(colours))
        middle = rng.randrange(side), rng.randrange(side)
        axes = round(rng.uniform(1.5, most)), round(rng.uniform(1.5, most))
        cv2.ellipse(over, middle, axes, rng.uniform(0, 180), 0, 360, (blue, green, red), -1, cv2.LINE_AA)
    share = rng.uniform(0.4, 1.0)
    cv2.addWeighted(over, share, ground, 1 - share, 0, dst=ground)


def _camera(rng: random.Random) -> Camera:
    tilt = math.radians(62 * rng.betavariate(1.2, 1.7))
    azimuth = rng.uniform(0, 2 * math.pi)
    distance = rng.uniform(0.9, 2.8)
    scale = math.exp(rng.uniform(math.log(560), math.log(1700)))
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


def _light(rng: random.Random) -> Light:
    light = SceneStyle.sample(rng.randrange(1 << 20), Split.TRAIN).light
    angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 2.0)
    x, y = CENTRE[0] + reach * math.sin(angle), CENTRE[1] + reach * math.cos(angle)
    return replace(light, position=(x, y, light.position[2]), exposure=light.exposure * rng.uniform(0.6, 1.2))


def _to_flat(camera: Camera) -> NDArray[np.float64]:
    """From the picture's pixels to those of the patch."""
    unit = PIXELS_PER_UNIT
    x0, y0 = CENTRE[0] - _HALF, CENTRE[1] - _HALF
    to_board = np.array([[1 / unit, 0, x0 + 0.5 / unit], [0, 1 / unit, y0 + 0.5 / unit], [0, 0, 1]])
    return np.asarray(np.linalg.inv(camera.homography() @ to_board))


def _laid(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    """What lies there: a heap, houses, big pieces, all sorts, or nothing."""
    sort = rng.choices(("heap", "houses", "river", "mixed", "nothing"), (0.46, 0.22, 0.17, 0.08, 0.07))[0]
    match sort:
        case "heap":
            palette = rng.sample(_GOODS, rng.choice((1, 2, 3, 4, 6, 9)))
            count = rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15))
            side = rng.uniform(0.03, 0.055) * math.sqrt(count) + 0.02
            return _heap([rng.choice(palette) for _ in range(count)], side, shapes, rng)
        case "houses":
            return _row([rng.choice(_HOUSES) for _ in range(rng.choice((1, 2, 2, 3, 4)))], rng)
        case "river":
            big = rng.sample(("flood", "barge"), rng.choice((1, 1, 1, 2)))
            return [*_heap(big, 0.13, shapes, rng, straight=True), *_some_goods(shapes, rng)]
        case "mixed":
            kinds = [rng.choice((*_GOODS, *_HOUSES)) for _ in range(rng.choice((2, 4, 6)))]
            return _heap(kinds, 0.17, shapes, rng)
    return []


def _some_goods(shapes: Shapes, rng: random.Random) -> list[PieceAt]:
    if rng.random() < 0.6:
        return []
    x, y = (rng.choice((-0.075, 0.075)) + rng.uniform(-0.01, 0.01) for _ in range(2))
    kinds = [rng.choice(_GOODS) for _ in range(rng.choice((1, 2)))]
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


def _exposed(frame: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
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
    grounds: list[NDArray[np.uint8]] = []
    for part in range(*options.parts):
        first = part == options.parts[0]
        for seed in range(100 * part, 100 * part + (3 if first else 1)):
            grounds = [*grounds[-45:], *draw_grounds(seed)]
        write_part(options.folder, part, Patches(grounds, shapes, part), options.size)


def write_part(folder: Path, part: int, patches: Patches, size: int) -> None:
    images = np.empty((size, SIDE, SIDE, 3), np.uint8)
    rows: list[tuple[float, ...]] = []
    for index in range(size):
        images[index], pieces = patches.draw()
        rows += [(index, *piece) for piece in pieces]
    np.save(folder / f"rows-{part:03}.npy", np.array(rows, np.float32))
    unfinished = folder / f"unfinished-{part:03}.npy"
    np.save(unfinished, images)
    unfinished.rename(folder / f"part-{part:03}.npy")


if __name__ == "__main__":
    main()
