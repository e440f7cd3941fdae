"""The backs of cards: a portrait in a bamboo ring, crossed swords, woods, water, a seal."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from vision.frame import BgrImage
from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, filled, line, mix, ring, tone
from vision.virtual.people import draw_person
from vision.virtual.pictures import PictureStyle, print_shapes, tinted
from vision.virtual.scenery import hills, ripples, tree
from vision.virtual.sitter import Sitter

_Rng: TypeAlias = np.random.Generator
_Art: TypeAlias = tuple[tuple[Rgb, Rgb], list[Shape]]

_WATCHER = Sitter(
    robe=(98, 98, 106), trim=(178, 46, 52), tool="book", hat="bun", long_hair=True, pattern="flowers"
)
_RAIDER = Sitter(
    robe=(88, 66, 52), trim=(196, 40, 36), tool="axe", hat="topknot", stern=True, beard=True, broad=1.2
)


def draw_back(art: str, width_px: int, height_px: int, style: PictureStyle) -> BgrImage:
    """The named back art; an unknown name is an error in the game's anatomy."""
    if art not in _ARTS:
        raise ValueError(f"expected one of the back arts {', '.join(_ARTS)}, found {art!r}")
    return tinted(_printed_back(art, width_px, height_px), style)


@lru_cache(maxsize=32)
def _printed_back(art: str, width_px: int, height_px: int) -> BgrImage:
    sky, shapes = _ARTS[art](100.0 * height_px / width_px)
    return print_shapes(sky, shapes, width_px, height_px)


def _ring(height: float, colour: Rgb) -> list[Shape]:
    """A bent bamboo cane, with knots and crossed ends above and below."""
    cx, cy, rx, ry = 50.0, height / 2, 43.0, height / 2 - 9
    shapes = [
        ring(ellipse(cx, cy, rx, ry, steps=60), INK, 6.4),
        ring(ellipse(cx, cy, rx, ry, steps=60), colour, 4.2),
        ring(ellipse(cx + 0.6, cy + 0.8, rx, ry, steps=60), tone(colour, 0.74), 1.2),
    ]
    for angle in np.linspace(0, 2 * np.pi, 14, endpoint=False):
        out = np.array((np.cos(angle), np.sin(angle)))
        inner, outer = out * (rx - 3.4, ry - 3.4) + (cx, cy), out * (rx + 3.4, ry + 3.4) + (cx, cy)
        shapes.append(line(np.array([inner, outer], np.float32), tone(colour, 0.45), 1.1))
    for y in (9.0, height - 9.0):
        for lean in (-4, 4):
            shapes.append(line(points((36, y + lean), (64, y - lean)), INK, 4.6))
            shapes.append(line(points((36, y + lean), (64, y - lean)), colour, 2.8))
    return shapes


def _figure(sitter: Sitter, height: float, scale: float) -> list[Shape]:
    """A person inside the ring: scaled about the head's column, cut off by the ring's lower edge."""
    cx, cy, rx, ry = 50.0, height / 2, 42.0, height / 2 - 10
    moved: list[Shape] = []
    for shape in draw_person(sitter):
        contours = []
        for contour in shape.contours:
            placed = (contour - (58, 34)) * scale + (50, height * 0.34)
            away = (placed - (cx, cy)) / (rx, ry)
            distance = np.maximum(1.0, np.hypot(away[:, 0], away[:, 1]))[:, None]
            contours.append((away / distance * (rx, ry) + (cx, cy)).astype(np.float32))
        moved.append(
            Shape(
                contours=tuple(contours),
                fill=shape.fill,
                stroke=shape.stroke,
                stroke_width=shape.stroke_width,
                closed=shape.closed,
            )
        )
    return moved


def _clouds(height: float, colour: Rgb, line: Rgb) -> list[Shape]:
    """Rows of overlapping ring waves, the ground of the lighter backs."""
    shapes = []
    for row, y in enumerate(np.arange(-4, height + 14, 7.0)):
        for x in np.arange(-8 if row % 2 else 0, 112, 16.0):
            for r in (9.0, 6.0, 3.0):
                shapes.append(filled(ellipse(x, y, r, r, steps=18), colour, 0.6, line))
    return shapes


def _bamboo_ring(height: float) -> _Art:
    rng = np.random.default_rng(3)
    grey: Rgb = (226, 226, 224)
    shapes = _clouds(height, grey, (196, 198, 200))
    inside: Rgb = (176, 204, 210)
    shapes.append(filled(ellipse(50, height / 2, 42, height / 2 - 10, steps=60), inside))
    shapes += [
        _clipped(hills(rng, height * 0.5, 20, tone(inside, 0.8), bottom=height * 0.7), height),
        _clipped(hills(rng, height * 0.66, 12, (104, 142, 126), bottom=height), height),
    ]
    return (grey, grey), [*shapes, *_figure(_WATCHER, height, 1.12), *_ring(height, (226, 208, 156))]


def _clipped(shape: Shape, height: float) -> Shape:
    cx, cy, rx, ry = 50.0, height / 2, 42.0, height / 2 - 10
    contours = []
    for contour in shape.contours:
        away = (contour - (cx, cy)) / (rx, ry)
        distance = np.maximum(1.0, np.hypot(away[:, 0], away[:, 1]))[:, None]
        contours.append((away / distance * (rx, ry) + (cx, cy)).astype(np.float32))
    return Shape(contours=tuple(contours), fill=shape.fill)


def _crossed_swords(height: float) -> _Art:
    red: Rgb = (176, 32, 34)
    shapes = _clouds(height, red, (140, 22, 26))
    shapes.append(filled(ellipse(50, height / 2, 42, height / 2 - 10, steps=60), (196, 164, 136)))
    shapes += [*_figure(_RAIDER, height, 1.15), *_ring(height, (226, 208, 156))]
    for side in (-1, 1):
        blade = points(
            (50 + side * 44, height * 0.5),
            (50 + side * 38, height * 0.5 - 5),
            (50 - side * 22, height * 0.8),
            (50 - side * 18, height * 0.8 + 6),
        )
        hilt = points(
            (50 - side * 16, height * 0.8 + 8),
            (50 - side * 24, height * 0.8 - 3),
            (50 - side * 27, height * 0.8),
            (50 - side * 19, height * 0.8 + 11),
        )
        grip = points(
            (50 - side * 22, height * 0.8 + 1),
            (50 - side * 36, height * 0.87),
            (50 - side * 33, height * 0.87 + 5),
            (50 - side * 19, height * 0.8 + 7),
        )
        shapes.append(filled(blade, (186, 180, 170), 1.3))
        shapes.append(filled(grip, (120, 74, 40), 1.2))
        shapes.append(filled(hilt, (206, 160, 70), 1.2))
    return (red, tone(red, 0.8)), shapes


def _wooded(height: float) -> _Art:
    """The ground around huts: trees around a clearing, so that the card nearly vanishes in the board."""
    rng = np.random.default_rng(11)
    ground: Rgb = (136, 152, 74)
    clearing = smooth(
        points(
            (-4, height * 0.42),
            (24, height * 0.27),
            (50, height * 0.24),
            (80, height * 0.3),
            (104, height * 0.4),
            (104, height * 0.62),
            (70, height * 0.76),
            (40, height * 0.77),
            (-4, height * 0.6),
        )
    )
    shapes = [filled(clearing, (214, 196, 128))]
    for _ in range(90):
        x, y = rng.uniform(0, 100), rng.uniform(0.27, 0.75) * height
        shapes.append(line(points((x, y), (x + rng.uniform(2, 6), y + 0.4)), (188, 168, 98), 0.7))
    spots = [(float(x), float(y)) for y in (3, 14, 25) for x in rng.uniform(4, 96, 5)]
    spots += [(float(x), height * f) for f in (0.79, 0.86, 0.93, 0.99) for x in rng.uniform(0, 100, 8)]
    spots += [(86.0, height * 0.34), (92.0, height * 0.42), (8.0, height * 0.36), (12.0, height * 0.5)]
    for x, y in sorted(spots, key=lambda spot: spot[1]):
        shapes += tree(
            rng,
            x,
            y,
            rng.uniform(8, 11.5),
            mix((88, 118, 52), (158, 184, 84), float(rng.random())),
            outline=0.9,
        )
    return (ground, tone(ground, 0.94)), shapes


def _river_stones(height: float) -> _Art:
    rng = np.random.default_rng(17)
    water: Rgb = (72, 166, 182)
    shapes = ripples(rng, 0, height, water, 90, width=1.0)
    for _ in range(26):
        x, y, r = rng.uniform(0, 100), rng.uniform(0, height), rng.uniform(3, 9)
        grey = int(rng.uniform(120, 190))
        shapes.append(filled(ellipse(x, y, r * 1.2, r), (grey, grey, grey), 1.0))
        shapes.append(line(ellipse(x, y, r * 0.9, r * 0.7)[15:24], (230, 230, 230), 0.9))
    return (water, tone(water, 0.85)), shapes


def _seal(height: float) -> _Art:
    paper: Rgb = (226, 210, 176)
    red: Rgb = (180, 54, 40)
    y = height / 2
    shapes = _clouds(height, paper, tone(paper, 0.9))
    shapes.append(
        filled(
            smooth(
                points(
                    (26, y - 26),
                    (50, y - 27),
                    (75, y - 25),
                    (76, y),
                    (74, y + 26),
                    (50, y + 27),
                    (25, y + 25),
                    (24, y),
                )
            ),
            red,
        )
    )
    for x in (36, 50, 64):
        shapes.append(
            line(
                smooth(
                    points((x - 5, y - 16), (x + 4, y - 8), (x - 4, y), (x + 4, y + 8), (x - 4, y + 17)),
                    closed=False,
                ),
                paper,
                3.4,
            )
        )
    return (paper, tone(paper, 0.9)), shapes


_ARTS = {
    "bamboo-ring": _bamboo_ring,
    "crossed-swords": _crossed_swords,
    "wooded": _wooded,
    "river-stones": _river_stones,
    "seal": _seal,
}
