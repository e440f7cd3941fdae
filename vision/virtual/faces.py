"""Draws a card from its facts: the same anatomy as the printed card, all ink our own."""

import zlib
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy, Area, CardAnatomy, Mark, Material, PlacedField, Slot, place_fields
from vision.cards import CardFacts, CardKind, Item
from vision.frame import BgrImage
from vision.virtual.backs import draw_back
from vision.virtual.drawing import BgraImage, Rgb, Shape, blend, paint, points
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.pictures import picture, picture_by_seed
from vision.virtual.scenery import tone
from vision.virtual.styles import FaceStyle

INK: Rgb = (42, 32, 26)


def card_face(
    facts: CardFacts, anatomy: Anatomy, *, height_px: int, style: FaceStyle = FaceStyle()
) -> BgraImage:
    """The front of a card with rounded corners in alpha, upright as it is held."""
    card = anatomy[facts.kind]
    width_px = round(height_px * anatomy.ratio)
    canvas = _ground(card, facts.picture or facts.id, width_px, height_px, style)
    placed = place_fields(anatomy, facts)
    pen = _Pen(canvas, style, zlib.crc32(facts.id.encode()))
    for field in placed:
        pen.field(field)
    pen.pole(card, placed)
    for mark in card.marks:
        pen.mark(mark)
    for field in placed:
        for item, slot in field.slots:
            pen.item(item, slot)
    if card.stone is not None:
        pen.stone(card.stone.x, card.stone.y, card.stone.radius, facts.stone)
    face = _cut_out(_finished(canvas, style), anatomy, style)
    turned: BgraImage = np.ascontiguousarray(np.rot90(face, -card.turn_deg // 90))
    return turned


def card_back(kind: CardKind, anatomy: Anatomy, *, height_px: int, style: FaceStyle = FaceStyle()) -> BgraImage:
    """The back of every card of a kind."""
    width_px = round(height_px * anatomy.ratio)
    back = anatomy[kind].back
    canvas = draw_back(back.art, width_px, height_px, style.picture).copy()
    pen = _Pen(canvas, style, zlib.crc32(back.art.encode()))
    for item, slot in back.items:
        pen.item(item, slot)
    return _cut_out(_finished(canvas, style), anatomy, style)


class _Pen:
    """Puts the printed parts onto one card."""

    def __init__(self, canvas: BgrImage, style: FaceStyle, salt: int) -> None:
        self.canvas = canvas
        self.style = style
        self.height, self.width = canvas.shape[:2]
        self.rng = np.random.default_rng((style.seed, salt))

    def at(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = self.style.field_shift
        return ((x + dx) * self.width, (y + dy) * self.height)

    def item(self, item: Item, slot: Slot) -> None:
        x, y = self.at(slot.x, slot.y)
        if self.style.slot_jitter:
            dx, dy = self.rng.normal(0, self.style.slot_jitter * self.width, 2)
            x, y = x + dx, y + dy
        blend(self.canvas, item_glyph(item, self._size(slot.size), self.style.look(item.kind)), (x, y))

    def mark(self, mark: Mark) -> None:
        x, y = self.at(mark.x, mark.y)
        image = symbol_glyph(mark.symbol, self._size(mark.size), self.style.look(mark.symbol))
        if mark.turn_deg:
            image = np.ascontiguousarray(np.rot90(image, -round(mark.turn_deg / 90)))
        blend(self.canvas, image, (x, y))

    def _size(self, share: float) -> int:
        # even sizes only: fewer different images, more found in the cache
        return max(6, 2 * round(share * self.width * self.style.glyph_scale / 2))

    def _ink(self, shapes: list[Shape], origin: tuple[float, float], scale: float) -> None:
        """Inks straight onto the card, four times finer for smooth edges."""
        x, y = origin
        reach = 1.3 * scale
        x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
        x1, y1 = min(self.width, int(x + reach) + 1), min(self.height, int(y + reach) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        part = self.canvas[y0:y1, x0:x1]
        fine = cv2.resize(part, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
        paint(fine, shapes, (scale * 4, scale * 4), ((x - x0) * 4, (y - y0) * 4))
        part[:] = cv2.resize(fine, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)

    def field(self, field: PlacedField) -> None:
        if field.area is None or field.material is Material.NONE:
            return
        colour = {Material.WOOD: self.style.wood, Material.CLOTH: self.style.cloth}.get(
            field.material, self.style.paper
        )
        x0, y0 = self.at(field.area.x0, field.area.y0)
        x1, y1 = self.at(field.area.x1, field.area.y1)
        left, top, right, bottom = round(x0), round(y0), round(x1), round(y1)
        part = self.canvas[max(0, top) : bottom, max(0, left) : right]
        if part.size == 0:
            return
        part[:] = _textured(colour, part.shape[1], part.shape[0], self.style, field.material)
        edge = tone(colour, 0.55)
        thin = max(1, self.width // 170)
        cv2.rectangle(self.canvas, (left, top), (right - 1, bottom - 1), edge[::-1], thin)

    def pole(self, card: CardAnatomy, placed: tuple[PlacedField, ...]) -> None:
        """The bamboo stick each banner hangs from."""
        hung = {field.name for field in placed if field.area is not None}
        for banner in card.banners:
            if not hung & set(banner.fields):
                continue
            x0, y = self.at(banner.x0 - 0.02, banner.y0)
            x1, _ = self.at(min(0.99, banner.x1 + 0.05), banner.y0)
            _bamboo(self.canvas, (x0, y), (x1, y - 0.006 * self.height), 0.024 * self.width, self.style.bamboo, 3)

    def stone(self, x: float, y: float, radius: float, number: int | None) -> None:
        cx, cy = self.at(x, y)
        r = radius * self.width
        sticks = [
            Shape(
                contours=(points((k - 0.16, 0.2), (k - 0.16, top), (k + 0.16, top - 0.05), (k + 0.16, 0.2)),),
                fill=self.style.bamboo,
                stroke=INK,
                stroke_width=0.09,
            )
            for k, top in ((-0.75, -1.15), (-0.3, -1.5), (0.2, -1.35), (0.65, -1.7))
        ]
        self._ink(sticks, (cx, cy), r)
        text = "" if number is None else str(number)
        size = max(6, 2 * round(radius * 2.25 * self.width / 2))
        blend(self.canvas, symbol_glyph("stone", size, self.style.look("stone"), text), (cx, cy))


# --- grounds -----------------------------------------------------------------------------------------


def _ground(card: CardAnatomy, name: str, width_px: int, height_px: int, style: FaceStyle) -> BgrImage:
    """Picture, foot and strip: everything below the facts, ready to be drawn on."""
    canvas = np.empty((height_px, width_px, 3), np.uint8)
    x0, y0, x1, y1 = _pixels(card.picture, width_px, height_px)
    for top, bottom in ((0, y0), (y1, height_px)):
        if top < bottom:
            canvas[top:bottom] = _textured(style.wood, width_px, bottom - top, style, Material.WOOD)
    if style.strange_picture is None or card.ground == "river":
        art = picture(name, card.ground, x1 - x0, y1 - y0, style.picture)
    else:
        art = picture_by_seed(style.strange_picture, x1 - x0, y1 - y0, style.picture)
    canvas[y0:y1, x0:x1] = art
    if card.bar_y is not None:
        y = (card.bar_y + style.field_shift[1]) * height_px
        _bamboo(canvas, (-4, y), (width_px + 4, y), 0.03 * width_px, style.bamboo, 6)
    if card.strip is not None:
        _strip(canvas, card.strip, style)
    return canvas


def _pixels(area: Area, width_px: int, height_px: int) -> tuple[int, int, int, int]:
    return (
        round(area.x0 * width_px), round(area.y0 * height_px),
        round(area.x1 * width_px), round(area.y1 * height_px),
    )  # fmt: skip


def _strip(canvas: BgrImage, area: Area, style: FaceStyle) -> None:
    """A strip of paper with torn edges and a soft shadow."""
    height, width = canvas.shape[:2]
    dx, dy = style.field_shift
    x0, x1 = (area.x0 + dx) * width, (area.x1 + dx) * width
    y0, y1 = (area.y0 + dy) * height, (area.y1 + dy) * height
    rng = np.random.default_rng((style.seed, 5))
    xs = np.linspace(x0, x1, 14)
    wobble = 0.006 * height
    top = np.stack([xs, y0 + rng.uniform(-wobble, wobble, 14)], axis=1)
    low = np.stack([xs[::-1], y1 + rng.uniform(-wobble, wobble, 14)], axis=1)
    outline = np.vstack([top, low]).astype(np.float32)
    left, upper = max(0, int(x0) - 4), max(0, int(y0) - 6)
    part = canvas[upper : min(height, int(y1) + 8), left : min(width, int(x1) + 6)]
    mask = np.zeros((part.shape[0] * 2, part.shape[1] * 2), np.uint8)
    cv2.fillPoly(mask, [np.rint((outline - (left, upper)) * 2 * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    alpha = cv2.resize(mask, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)
    shadow = cv2.GaussianBlur(np.roll(alpha, (1, 1), (0, 1)), (0, 0), max(0.6, width / 120)).astype(np.float32) / 255
    paper = _textured(style.paper, part.shape[1], part.shape[0], style, Material.PAPER)
    share = (alpha.astype(np.float32) / 255)[..., None]
    dark = part * (1 - 0.55 * shadow[..., None])
    part[:] = (dark * (1 - share) + paper * share).astype(np.uint8)


def _bamboo(
    canvas: BgrImage, start: tuple[float, float], end: tuple[float, float], thick: float, colour: Rgb, knots: int
) -> None:
    def fixed(point: tuple[float, float], dy: float = 0.0) -> tuple[int, int]:
        return (round(point[0] * 16), round((point[1] + dy) * 16))

    width = max(2, round(thick))
    cv2.line(canvas, fixed(start), fixed(end), tone(INK, 1.0)[::-1], width + 2, cv2.LINE_AA, 4)
    cv2.line(canvas, fixed(start), fixed(end), colour[::-1], width, cv2.LINE_AA, 4)
    cv2.line(canvas, fixed(start, thick * 0.28), fixed(end, thick * 0.28), tone(colour, 0.72)[::-1], max(1, width // 3), cv2.LINE_AA, 4)
    for k in range(1, knots):
        share = k / knots
        x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
        cv2.line(canvas, fixed((x, y), -thick * 0.55), fixed((x, y), thick * 0.55), tone(colour, 0.5)[::-1], max(1, width // 5), cv2.LINE_AA, 4)


# --- surfaces ----------------------------------------------------------------------------------------


def _textured(colour: Rgb, width: int, height: int, style: FaceStyle, material: Material) -> BgrImage:
    """A flat colour with grain: waves carved in wood, threads of cloth, fibres of paper."""
    strength = style.grain * {Material.WOOD: 0.16, Material.CLOTH: 0.07}.get(material, 0.04)
    tile = _tile(material, style.seed % 7)
    if tile.shape[0] < height or tile.shape[1] < width:
        tile = cv2.resize(tile, (width, height))
    # the tile holds light as 128 ± 64: one table look-up per channel paints it
    light = 1 + strength * (np.arange(256, dtype=np.float32) - 128) / 64
    table = np.clip(np.array(colour[::-1], np.float32) * light[:, None], 0, 255).astype(np.uint8)
    surface: BgrImage = table[tile[:height, :width]]
    return surface


@lru_cache(maxsize=32)
def _tile(material: Material, number: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng((number, len(material.value)))
    height, width = 640, 420
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    if material is Material.WOOD:  # rows of overlapping arcs, as carved
        step = 14.0 + 3 * number
        row = np.floor(y / (step * 0.5))
        shifted = (x + np.where(row % 2 == 0, 0, step / 2)) % step - step / 2
        rings = np.sin(np.hypot(shifted, (y % (step * 0.5)) - step * 0.5) * 1.6)
        return _as_light(rings * 0.8 + rng.normal(0, 0.3, rings.shape))
    soft = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 2.5) * 5
    fine = rng.normal(0, 0.6, (height, width)).astype(np.float32)
    return _as_light(soft + fine)


def _as_light(values: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    return np.clip(128 + 64 * values, 0, 255).astype(np.uint8)


def _finished(canvas: BgrImage, style: FaceStyle) -> BgrImage:
    if not style.linen:
        return canvas
    height, width = canvas.shape[:2]
    weave = _weave(width, height)
    woven: BgrImage = cv2.add(canvas, weave * style.linen, dtype=cv2.CV_8U).astype(np.uint8)
    return woven


@lru_cache(maxsize=16)
def _weave(width: int, height: int) -> NDArray[np.float32]:
    """A linen finish has about 90 threads across a card, whatever its size in pixels."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pace = 2 * np.pi * 90 / width
    weave = 9 * np.sin(x * pace) * np.sin(y * pace)
    return np.repeat(weave[..., None], 3, axis=2).astype(np.float32)


def _cut_out(canvas: BgrImage, anatomy: Anatomy, style: FaceStyle) -> BgraImage:
    height, width = canvas.shape[:2]
    alpha = _rounded(width, height, round(anatomy.corner * width))
    border = style.border_width * width
    if border >= 0.4:
        inner = _rounded(width, height, round(anatomy.corner * width), round(max(1.0, border)))
        share = np.repeat(inner[..., None], 3, axis=2)
        if border < 1:
            share = (255 - (255 - share.astype(np.float32)) * border).astype(np.uint8)
        rim = np.empty_like(canvas)
        rim[:] = style.border[::-1]
        canvas = cv2.add(
            cv2.multiply(canvas, share, scale=1 / 255), cv2.multiply(rim, cv2.bitwise_not(share), scale=1 / 255)
        ).astype(np.uint8)
    return np.dstack([canvas, alpha])


@lru_cache(maxsize=64)
def _rounded(width: int, height: int, radius: int, inset: int = 0) -> NDArray[np.uint8]:
    mask = np.zeros((height * 4, width * 4), np.uint8)
    r, i = max(1, radius - inset) * 4, inset * 4
    w, h = width * 4, height * 4
    cv2.rectangle(mask, (i + r, i), (w - i - r - 1, h - i - 1), 255, -1)
    cv2.rectangle(mask, (i, i + r), (w - i - 1, h - i - r - 1), 255, -1)
    for cx in (i + r, w - i - r - 1):
        for cy in (i + r, h - i - r - 1):
            cv2.circle(mask, (cx, cy), r, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
