"""Draws a board from its art data: land, woods and river, and on them everything that is printed."""

from typing import TypeAlias

import cv2
import numpy as np

from vision.cards import Item
from vision.frame import BgrImage
from vision.table import Rect
from vision.virtual.boardart import BoardArt, Channel, Wood
from vision.virtual.drawing import Points, Rgb, Shape, blend, ellipse, paint, points, smooth
from vision.virtual.glyphs import item_glyph
from vision.virtual.ink import filled, line, mix, tone
from vision.virtual.pictures import tinted
from vision.virtual.scenery import ripples, roof_house, tree
from vision.virtual.styles import HOUSE_STYLE, FaceStyle

_Rng: TypeAlias = np.random.Generator
_STAGE = 800.0
"""Units across the board, so that trees are as large on the board as on the cards that lie on it."""

_LAND: Rgb = (126, 150, 66)
_WATER: Rgb = (88, 198, 208)
_SHORE: Rgb = (128, 94, 52)
_SAND: Rgb = (218, 198, 130)
_WHITE: Rgb = (242, 242, 232)


def board_face(art: BoardArt, width_px: int, style: FaceStyle = HOUSE_STYLE) -> BgrImage:
    """The printed board, cards and pieces taken away."""
    height_px = round(width_px * art.height)
    land = tinted(_land(art, width_px, height_px, style), style.picture).copy()
    _printed_lines(land, art)
    for square in art.squares:
        x, y = square.area.centre
        _put(land, square.item, x, y, min(square.area.width, square.area.height) * 0.78, style)
    for row in art.rows:
        for index, item in enumerate(row.items):
            _put(land, item, row.x + row.step * index, row.y, row.size, style)
    return land


def _put(land: BgrImage, item: Item, x: float, y: float, size: float, style: FaceStyle) -> None:
    width = land.shape[1]
    size_px = max(6, 2 * round(size * width * style.glyph_scale / 2))
    blend(land, item_glyph(item, size_px, style.look(item.kind)), (x * width, y * width))


def _land(art: BoardArt, width_px: int, height_px: int, style: FaceStyle) -> BgrImage:
    rng = np.random.default_rng((style.seed, 0xB0A))
    finer = 2 if width_px <= 2200 else 1
    height = _STAGE * art.height
    canvas = np.empty((height_px * finer, width_px * finer, 3), np.uint8)
    canvas[:] = _LAND[::-1]
    shapes = _fields(rng, art, height)
    if art.river is not None:
        # sand first, then the river, then the channels' water: so their mouths run into each other
        courses = [_course(channel) for channel in art.channels]
        shapes += [_bed(course, (214, 178, 84), 15.0) for course in courses]
        shapes += _river(rng, art.river)
        shapes += [_bed(course, _WATER, 11.5) for course in courses]
        shapes += [_bed(course[8:], tone(_WATER, 1.15), 1.0) for course in courses]
    for clearing in art.clearings:
        shapes += _clearing(rng, clearing)
    for wood in art.woods:
        shapes += _wood(rng, wood, art)
    for tab in art.tabs:
        shapes += _tab(tab, style)
    scale = width_px * finer / _STAGE
    paint(canvas, shapes, (scale, scale))
    small: BgrImage = cv2.resize(canvas, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return small


def _fields(rng: _Rng, art: BoardArt, height: float) -> list[Shape]:
    """Soft patches, paths and tufts, so that the land is not one flat green."""
    shapes: list[Shape] = []
    for _ in range(46):
        x, y = rng.uniform(0, _STAGE), rng.uniform(0.2 * _STAGE, height)
        rx, ry = rng.uniform(30, 90), rng.uniform(6, 18)
        shapes.append(filled(ellipse(x, y, rx, ry), tone(_LAND, float(rng.uniform(0.9, 1.12)))))
    for _ in range(7):
        level = rng.uniform(0.27 * _STAGE, height)
        bends = np.stack([np.linspace(0, _STAGE, 9), level + rng.uniform(-14, 14, 9)], axis=1)
        path = smooth(bends.astype(np.float32), closed=False)
        shapes.append(line(path, tone(_LAND, 0.78), 1.6))
        shapes.append(line(path + points((0, 2)), mix(_LAND, _SAND, 0.35), 1.0))
    for _ in range(260):
        x, y = rng.uniform(0, _STAGE), rng.uniform(0.2 * _STAGE, height)
        blade = points((x, y), (x + rng.uniform(-2, 2), y - rng.uniform(3, 6)))
        shapes.append(line(blade, tone(_LAND, float(rng.uniform(0.6, 1.3))), 0.7))
    if art.river is not None:
        upper = art.river[0] * _STAGE
        shapes.append(filled(points((0, 0), (_STAGE, 0), (_STAGE, upper), (0, upper)), (96, 140, 60)))
    return shapes


def _river(rng: _Rng, river: tuple[float, float]) -> list[Shape]:
    top, bottom = river[0] * _STAGE, river[1] * _STAGE
    x = np.linspace(-10, _STAGE + 10, 24)
    upper = np.stack([x, top + rng.uniform(-1.5, 1.5, 24)], 1).astype(np.float32)
    lower = np.stack([x, bottom + rng.uniform(-1.5, 1.5, 24)], 1).astype(np.float32)
    bank = np.vstack([smooth(lower, closed=False), (lower + points((0, 6)))[::-1]])
    water = np.vstack([smooth(upper, closed=False), smooth(lower, closed=False)[::-1]])
    shapes = [
        filled(bank, _SHORE),
        filled(water, _WATER),
        filled(np.vstack([(lower - (0, 6)).astype(np.float32), lower[::-1]]), (176, 226, 226)),
        line(smooth(upper, closed=False), (214, 178, 84), 2.4),
    ]
    for px in rng.uniform(0, _STAGE, 90):
        shapes.append(filled(ellipse(px, bottom + rng.uniform(1, 5), 1.8, 0.9), (176, 142, 92)))
    return shapes + ripples(rng, top + 4, bottom - 8, _WATER, 260, x1=_STAGE, width=0.9)


def _course(channel: Channel) -> Points:
    x0, y0 = channel.start[0] * _STAGE, channel.start[1] * _STAGE
    x1, y1 = channel.end[0] * _STAGE, channel.end[1] * _STAGE
    bends = points(
        (x0, y0 + 4), (x0 + (x1 - x0) * 0.35, y0 - 6), (x0 + (x1 - x0) * 0.6, (y0 + y1) / 2), (x1, y1)
    )
    return smooth(bends, closed=False)


def _bed(course: Points, colour: Rgb, width: float) -> Shape:
    return line(course, colour, width)


def _clearing(rng: _Rng, area: Rect) -> list[Shape]:
    """Trodden sand with small houses and trees around: a village seen from far above."""
    x0, y0, x1, y1 = (value * _STAGE for value in (area.x0, area.y0, area.x1, area.y1))
    cx, cy, rx, ry = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2
    angles = np.linspace(0, 2 * np.pi, 11, endpoint=False)
    reach = rng.uniform(0.82, 1.0, 11)
    blob = np.stack([cx + rx * reach * np.cos(angles), cy + ry * reach * np.sin(angles)], 1).astype(
        np.float32
    )
    shapes = [filled(smooth(blob), _SAND, 1.0, tone(_SAND, 0.8))]
    if rx < 40:
        return shapes
    for x, y in ((0.24, 0.34), (0.28, 0.60), (0.52, 0.68), (0.74, 0.62), (0.48, 0.24)):
        shapes += roof_house(
            x0 + x * (x1 - x0),
            y0 + y * (y1 - y0),
            6.5 + rng.uniform(-0.8, 0.8),
            (232, 216, 184),
            (126, 74, 54),
        )
    spots = [(rng.uniform(x0 + 4, x1 - 4), y) for y in (y0 + 4, y1 - 12, y1 - 4) for _ in range(6)]
    for x, y in sorted(spots, key=lambda spot: spot[1]):
        shapes += tree(rng, x, y, rng.uniform(6, 9), mix((88, 118, 52), (158, 184, 84), float(rng.random())))
    return shapes


def _wood(rng: _Rng, wood: Wood, art: BoardArt) -> list[Shape]:
    """Trees from back to front; none stands in the water or on a channel."""
    dark = wood.shade == "dark"
    low, high = ((36, 74, 52), (86, 140, 66)) if dark else ((96, 126, 56), (166, 190, 90))
    x = rng.uniform(wood.area.x0, wood.area.x1, wood.trees) * _STAGE
    y = np.sort(rng.uniform(wood.area.y0, wood.area.y1, wood.trees)) * _STAGE
    shapes: list[Shape] = []
    for tx, ty in zip(x, y, strict=True):
        if not any(_on_channel(channel, tx, ty) for channel in art.channels):
            share = float(rng.random()) if not dark else min(1.0, float(rng.random()) * 0.5 + ty / 140)
            shapes += tree(rng, tx, ty, rng.uniform(7, 11), mix(low, high, share), outline=0.8)
    return shapes


def _on_channel(channel: Channel, x: float, y: float) -> bool:
    (x0, y0), (x1, y1) = channel.start, channel.end
    share = np.clip((y / _STAGE - y0) / (y1 - y0), 0, 1)
    return bool(abs(x / _STAGE - (x0 + (x1 - x0) * share)) < 0.016)


def _tab(area: Rect, style: FaceStyle) -> list[Shape]:
    x0, y0, x1, y1 = (value * _STAGE for value in (area.x0, area.y0, area.x1, area.y1))
    shape = _rounded(x0, y0, x1, y1, 6.0)
    waves = []
    for row, y in enumerate(np.arange(y0 + 4, y1 - 1, 5.0)):
        for x in np.arange(x0 + 8 + (4 if row % 2 else 0), x1 - 6, 8.0):
            waves.append(line(ellipse(x, y + 2, 4, 4)[15:27], tone(style.wood, 0.78), 0.7))
    return [
        filled(shape, style.wood, 1.0, mix(style.wood, _WHITE, 0.5)),
        *waves,
    ]


def _rounded(x0: float, y0: float, x1: float, y1: float, r: float) -> Points:
    quarter = np.linspace(0, np.pi / 2, 5)
    corners = (
        (x1 - r, y1 - r, 0.0),
        (x0 + r, y1 - r, np.pi / 2),
        (x0 + r, y0 + r, np.pi),
        (x1 - r, y0 + r, 1.5 * np.pi),
    )
    return np.vstack(
        [np.stack([cx + r * np.cos(quarter + a), cy + r * np.sin(quarter + a)], 1) for cx, cy, a in corners]
    ).astype(np.float32)


def _printed_lines(land: BgrImage, art: BoardArt) -> None:
    """Thin white lines, drawn last and smooth: outlines, squares, circles, chains; and the fold."""
    width = land.shape[1]
    thin = max(1, round(width / 900))

    def line(contour: Points, *, closed: bool) -> None:
        fixed = np.rint(contour / _STAGE * width * 16).astype(np.int32)
        cv2.polylines(land, [fixed], closed, _WHITE[::-1], thin, cv2.LINE_AA, 4)

    def scaled(area: Rect) -> tuple[float, float, float, float]:
        return (area.x0 * _STAGE, area.y0 * _STAGE, area.x1 * _STAGE, area.y1 * _STAGE)

    for outline in art.outlines:
        line(_rounded(*scaled(outline), min(7.0, outline.height * _STAGE * 0.3)), closed=True)
    for square in art.squares:
        _dimmed(land, square.area)
        line(_rounded(*scaled(square.area), 0.6), closed=True)
    for circle in art.circles:
        line(
            ellipse(circle.x * _STAGE, circle.y * _STAGE, *(circle.radius * _STAGE,) * 2, steps=48),
            closed=True,
        )
    for chain in art.lines:
        line((np.array(chain) * _STAGE).astype(np.float32), closed=False)
    if art.fold_x is not None:
        x = round(art.fold_x * width)
        land[:, x : x + thin] = (land[:, x : x + thin] * 0.72).astype(np.uint8)


def _dimmed(land: BgrImage, area: Rect) -> None:
    """Earth inside building squares, so that their item stands out."""
    width = land.shape[1]
    x0, y0, x1, y1 = (round(value * width) for value in (area.x0, area.y0, area.x1, area.y1))
    part = land[max(0, y0) : y1, max(0, x0) : x1]
    part[:] = (part * 0.45 + np.array((66, 84, 96), np.float32) * 0.55).astype(np.uint8)
