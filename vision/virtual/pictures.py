"""The cards' pictures: portraits by name, river and village scenes, and endless others by seed."""

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np

from vision.frame import BgrImage
from vision.virtual.drawing import Rgb, Shape, ellipse, paint, points, smooth
from vision.virtual.ink import filled, line, mix, moved, ring, thinned, tone
from vision.virtual.people import SITTERS, draw_person, random_sitter
from vision.virtual.scenery import (
    boat,
    cloud,
    grass,
    hills,
    peaks,
    ripples,
    roof_house,
    tent,
    tree,
    willow,
)
from vision.virtual.sitter import Sitter

_Rng: TypeAlias = np.random.Generator
_STAGE = 100.0
"""Pictures are drawn on a stage 100 wide; its height follows the image's proportions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureStyle:
    """How a picture may differ between prints, without becoming another picture."""

    hue: float = 0.0
    """Degrees."""
    saturation: float = 1.0
    brightness: float = 1.0
    contrast: float = 1.0
    weight: float = 1.0

    @classmethod
    def sample(cls, rng: _Rng) -> "PictureStyle":
        return cls(
            hue=float(rng.normal(0, 6)),
            saturation=float(rng.uniform(0.6, 1.25)),
            brightness=float(rng.uniform(0.85, 1.12)),
            contrast=float(rng.uniform(0.75, 1.15)),
            weight=float(rng.uniform(0.5, 1.6)),
        )


AS_DRAWN = PictureStyle()


def picture(
    name: str, ground: str, width_px: int, height_px: int, style: PictureStyle = AS_DRAWN
) -> BgrImage:
    """The picture `name` on a kind of ground; an unknown name gets a picture of its own, always the same."""
    return tinted(_named(name, ground, width_px, height_px, _coarse(style.weight)), style)


def picture_by_seed(seed: int, width_px: int, height_px: int, style: PictureStyle = AS_DRAWN) -> BgrImage:
    """Any picture at all: people, landscapes or patterns, for learning what makes pictures the same."""
    return tinted(_seeded(seed, width_px, height_px, _coarse(style.weight)), style)


def print_shapes(
    sky: tuple[Rgb, Rgb], shapes: list[Shape], width_px: int, height_px: int, weight: float = 1.0
) -> BgrImage:
    """Shapes on a stage 100 wide over a ground that runs from the first colour down to the second."""
    finer = 2 if width_px < 700 else 1
    down = np.linspace(0, 1, height_px * finer, dtype=np.float32)[:, None]
    top, low = (np.array(colour[::-1], np.float32) for colour in sky)
    column = (top * (1 - down) + low * down).astype(np.uint8)
    canvas = np.repeat(column[:, None, :], width_px * finer, axis=1)
    scale = width_px * finer / _STAGE
    paint(canvas, (thinned(shape, weight) for shape in shapes), (scale, scale))
    small: BgrImage = cv2.resize(canvas, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.uint8)
    small.setflags(write=False)
    return small


def _coarse(weight: float) -> float:
    """Few different line widths, so that drawn pictures are found again in the cache."""
    return round(weight * 2) / 2


@lru_cache(maxsize=128)
def _named(name: str, ground: str, width_px: int, height_px: int, weight: float) -> BgrImage:
    rng = np.random.default_rng(zlib.crc32(f"{ground}/{name}".encode()))
    height = _STAGE * height_px / width_px
    if ground == "river":
        sky, shapes = _river(rng, height)
    elif ground in ("village", "wooded"):
        sky, shapes = _village(rng, height)
    elif ground == "scroll":
        sky, shapes = _scroll(rng, height)
    else:
        sitter = SITTERS.get(name) or random_sitter(rng)
        sky, shapes = _portrait(rng, height, sitter, warlike=ground == "warrior")
    return print_shapes(sky, shapes, width_px, height_px, weight)


@lru_cache(maxsize=400)
def _seeded(seed: int, width_px: int, height_px: int, weight: float) -> BgrImage:
    rng = np.random.default_rng((seed, 0x91C))
    height = _STAGE * height_px / width_px
    pick = rng.random()
    if pick < 0.4:
        sky, shapes = _portrait(rng, height, random_sitter(rng), warlike=bool(rng.random() < 0.4))
    elif pick < 0.7:
        sky, shapes = _landscape(rng, height)
    elif pick < 0.8:
        sky, shapes = _scroll(rng, height)
    else:
        sky, shapes = _pattern(rng, height)
    return print_shapes(sky, shapes, width_px, height_px, weight)


def tinted(image: BgrImage, style: PictureStyle) -> BgrImage:
    if (style.hue, style.saturation, style.brightness, style.contrast) == (0.0, 1.0, 1.0, 1.0):
        return image
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    levels = np.arange(256, dtype=np.float32)
    table = np.empty((1, 256, 3), np.uint8)
    table[0, :, 0] = (levels + round(style.hue / 2)) % 180
    table[0, :, 1] = np.clip(levels * style.saturation, 0, 255)
    table[0, :, 2] = np.clip(((levels - 128) * style.contrast + 128) * style.brightness, 0, 255)
    result: BgrImage = cv2.cvtColor(cv2.LUT(hsv, table), cv2.COLOR_HSV2BGR).astype(np.uint8)
    return result


def _portrait(
    rng: _Rng, height: float, sitter: Sitter, *, warlike: bool
) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    if warlike:
        sky = ((146, 130, 128), (222, 178, 138))
        shapes = [
            hills(rng, 62, 22, (150, 116, 96), bottom=height),
            hills(rng, 80, 14, (176, 130, 92), bottom=height),
        ]
        for x in rng.uniform(6, 96, 4):
            shapes += tent(
                x,
                84 + rng.uniform(-4, 4),
                rng.uniform(6, 10),
                tone((150, 66, 50), float(rng.uniform(0.7, 1.2))),
            )
        shapes.append(hills(rng, 98, 8, (190, 142, 96), bottom=height))
        for x in rng.uniform(0, 100, 3):
            shapes += cloud(x, rng.uniform(6, 26), rng.uniform(5, 9), mix((90, 80, 84), sky[0], 0.5))
    else:
        sky = ((206, 226, 230), (238, 236, 220))
        far = mix((96, 128, 132), (150, 130, 120), float(rng.random()))
        shapes = peaks(rng, 56, mix(far, sky[0], 0.55), bottom=76) if rng.random() < 0.6 else []
        shapes += [
            hills(rng, 64, 20, mix(far, sky[0], 0.35), bottom=height),
            hills(rng, 72, 10, far, bottom=height),
        ]
        shapes.append(filled(points((-2, 76), (102, 74), (102, 98), (-2, 98)), (96, 152, 168)))
        shapes += ripples(rng, 77, 96, (110, 166, 182), 16)
        shapes.append(hills(rng, 100, 6, (206, 186, 120), bottom=height))
        shapes += grass(rng, 112, (104, 150, 72), 30)
        if rng.random() < 0.5:
            shapes += willow(rng, rng.uniform(6, 24), 98, rng.uniform(18, 26), (110, 146, 84))
        else:
            shapes += roof_house(rng.uniform(10, 30), 84, rng.uniform(6, 9), (226, 214, 190), (120, 70, 52))
    stretch = height / 118.6
    figure = draw_person(sitter)
    if abs(stretch - 1) > 0.02:
        figure = moved(figure, 0.0, height - 118.6)
    return sky, shapes + figure


def _landscape(rng: _Rng, height: float) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    def colour() -> Rgb:
        red, green, blue = (int(value) for value in rng.integers(50, 240, 3))
        return (red, green, blue)

    sky = (colour(), mix(colour(), (255, 255, 255), 0.5))
    shapes: list[Shape] = []
    if rng.random() < 0.6:
        shapes.append(
            filled(
                ellipse(rng.uniform(10, 90), rng.uniform(8, height * 0.4), *(rng.uniform(5, 14),) * 2),
                colour(),
            )
        )
    level = height * rng.uniform(0.35, 0.6)
    if rng.random() < 0.6:
        shapes += peaks(rng, level, mix(colour(), sky[0], 0.4), bottom=level + 20)
    for k in range(int(rng.integers(1, 4))):
        shapes.append(
            hills(
                rng,
                level + 12 * k,
                rng.uniform(8, 24),
                colour(),
                bottom=height,
                rough=int(rng.integers(5, 10)),
            )
        )
    if rng.random() < 0.6:
        water = colour()
        shapes.append(filled(points((-2, level + 14), (102, level + 10), (102, height), (-2, height)), water))
        shapes += ripples(rng, level + 14, height, water, 20)
        for _ in range(int(rng.integers(0, 4))):
            shapes += boat(
                rng.uniform(8, 90),
                rng.uniform(level + 16, height - 4),
                rng.uniform(4, 10),
                colour(),
                colour(),
            )
    for _ in range(int(rng.integers(0, 8))):
        shapes += tree(rng, rng.uniform(0, 100), rng.uniform(level, height), rng.uniform(4, 13), colour())
    for _ in range(int(rng.integers(0, 5))):
        shapes += roof_house(
            rng.uniform(5, 95), rng.uniform(level, height - 5), rng.uniform(4, 12), colour(), colour()
        )
    return sky, shapes


def _pattern(rng: _Rng, height: float) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    palette: list[Rgb] = [(int(r), int(g), int(b)) for r, g, b in rng.integers(20, 250, (4, 3))]
    step = rng.uniform(9, 26)
    sort = int(rng.integers(4))
    shapes: list[Shape] = []
    for row, y in enumerate(np.arange(0, height + step, step * 0.8)):
        for column, x in enumerate(np.arange(0, 100 + step, step)):
            cx = x + (step / 2 if row % 2 else 0)
            fill = palette[int(rng.integers(3)) if sort == 3 else (row + column) % 3]
            if sort == 0:
                for k in (1.0, 0.7, 0.4):
                    shapes.append(
                        filled(
                            ellipse(cx, y, step * 0.5 * k, step * 0.5 * k),
                            fill if k != 0.7 else palette[3],
                            0.8,
                            palette[3],
                        )
                    )
            elif sort == 1:
                shapes.append(
                    filled(
                        points(
                            (cx, y - step * 0.5),
                            (cx + step * 0.5, y),
                            (cx, y + step * 0.5),
                            (cx - step * 0.5, y),
                        ),
                        fill,
                        1.0,
                        palette[3],
                    )
                )
            elif sort == 2:
                shapes.append(
                    line(
                        smooth(
                            points((cx - step / 2, y), (cx, y - step * 0.4), (cx + step / 2, y)),
                            closed=False,
                        ),
                        fill,
                        step * 0.2,
                    )
                )
            else:
                size = rng.uniform(0.2, 0.7) * step
                shapes.append(
                    filled(
                        smooth(rng.uniform(-size, size, (5, 2)).astype(np.float32) + points((cx, y))), fill
                    )
                )
    return (palette[3], mix(palette[3], palette[0], 0.4)), shapes


def _scroll(rng: _Rng, height: float) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    """Old paper with a landscape in one ink and a red seal."""
    paper: Rgb = (236, 222, 190)
    ink = mix((60, 70, 74), paper, 0.25)
    shapes = peaks(rng, height * 0.55, mix(ink, paper, 0.45), bottom=height * 0.75)
    shapes += [
        hills(rng, height * 0.7, 16, mix(ink, paper, 0.3), bottom=height * 0.86),
        *ripples(rng, height * 0.84, height * 0.97, ink, 12),
    ]
    shapes += willow(rng, rng.uniform(14, 40), height * 0.86, 24, ink)
    shapes += boat(rng.uniform(50, 80), height * 0.9, 6, ink, mix(ink, paper, 0.5))
    x, y = rng.uniform(74, 84), rng.uniform(8, 16)
    shapes.append(
        filled(points((x, y), (x + 11, y + 0.6), (x + 10.6, y + 12), (x - 0.4, y + 11.6)), (185, 58, 38))
    )
    shapes.append(ring(points((x + 3, y + 3), (x + 8, y + 3), (x + 5.5, y + 9)), paper, 1.2))
    return (paper, tone(paper, 0.94)), shapes


def river_bands(height: float) -> tuple[float, float, float]:
    """Where woods end, water begins and water ends: river cards lie on the board by them."""
    return height * 0.30, height * 0.345, height * 0.71


def _river(rng: _Rng, height: float) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    woods, upper, lower = river_bands(height)
    green: Rgb = (124, 172, 66)
    water: Rgb = (88, 198, 208)
    shapes = [filled(points((-2, upper), (102, upper), (102, lower), (-2, lower)), water)]
    shapes.append(
        filled(points((-2, lower - 6), (102, lower - 6), (102, lower), (-2, lower)), (176, 226, 226))
    )
    shapes += ripples(rng, upper + 2, lower - 4, water, 46, width=0.9)
    shapes.append(
        line(
            smooth(points((-2, upper), (30, upper - 0.9), (66, upper + 0.9), (102, upper)), closed=False),
            (214, 178, 84),
            2.0,
        )
    )
    shapes.append(filled(points((-2, lower), (102, lower), (102, lower + 5), (-2, lower + 5)), (128, 94, 52)))
    for x in rng.uniform(0, 100, 12):
        shapes.append(filled(ellipse(x, lower + rng.uniform(1, 4), 1.6, 0.8), (176, 142, 92)))
    for x in rng.uniform(-4, 104, 34):
        shapes += tree(
            rng,
            x,
            rng.uniform(-6, woods - 8),
            rng.uniform(7, 11),
            mix((44, 88, 62), (96, 158, 70), float(rng.random())),
        )
    shapes.append(
        line(
            smooth(
                points((-2, lower + 10), (40, lower + 7), (70, lower + 12), (102, lower + 8)),
                closed=False,
            ),
            tone(green, 1.2),
            2.0,
        )
    )
    return (green, tone(green, 0.95)), shapes


def _village(rng: _Rng, height: float) -> tuple[tuple[Rgb, Rgb], list[Shape]]:
    ground: Rgb = (206, 190, 118)
    shapes = [
        filled(
            smooth(
                points(
                    (-4, height * 0.5),
                    (30, height * 0.3),
                    (70, height * 0.36),
                    (104, height * 0.3),
                    (104, height * 0.8),
                    (60, height * 0.7),
                    (20, height * 0.8),
                )
            ),
            (226, 206, 142),
        )
    ]
    for x, y in ((26, 0.42), (58, 0.36), (78, 0.5), (40, 0.62)):
        shapes += roof_house(
            x + rng.uniform(-4, 4), height * y, rng.uniform(8, 11), (232, 216, 184), (126, 74, 54)
        )
    for x in rng.uniform(-2, 102, 16):
        shapes += tree(
            rng,
            x,
            height * float(rng.choice([rng.uniform(0, 0.2), rng.uniform(0.82, 1.0)])),
            rng.uniform(7, 12),
            (118, 156, 70),
        )
    return (ground, tone(ground, 0.92)), shapes
