"""Draws a card from its facts: the same anatomy as the printed card, all ink our own."""

import zlib

import cv2
import numpy as np

from vision.anatomy import Anatomy, Area, CardAnatomy, Mark, Material, PlacedField, Slot, place_fields
from vision.cards import CardFacts, CardKind, Item
from vision.frame import BgrImage
from vision.virtual.backs import draw_back
from vision.virtual.drawing import BgraImage, Rgb, Shape, blend, paint, points
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.ink import INK, tone
from vision.virtual.pictures import picture, picture_by_seed
from vision.virtual.styles import HOUSE_STYLE, FaceStyle
from vision.virtual.surfaces import brushed, cut_out, draw_bamboo, lay_strip, linen_finished, textured


def card_face(
    facts: CardFacts, anatomy: Anatomy, *, height_px: int, style: FaceStyle = HOUSE_STYLE
) -> BgraImage:
    """The front of a card with rounded corners in alpha, upright as it is held."""
    card = anatomy[facts.kind]
    width_px = round(height_px * anatomy.ratio)
    # without a picture of their own, cards of a kind share one, as pieces of one river do
    canvas = _ground(card, facts.picture or facts.kind, width_px, height_px, style)
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
    over_rim = None
    if card.stone is not None:
        over_rim = pen.stone(card.stone.x, card.stone.y, card.stone.radius, facts.stone)
    face = cut_out(linen_finished(canvas, style), anatomy, style, over_rim=over_rim)
    turned: BgraImage = np.ascontiguousarray(np.rot90(face, -card.turn_deg // 90))
    return turned


def card_back(
    kind: CardKind, anatomy: Anatomy, *, height_px: int, style: FaceStyle = HOUSE_STYLE
) -> BgraImage:
    """The back of every card of a kind."""
    width_px = round(height_px * anatomy.ratio)
    back = anatomy[kind].back
    canvas = draw_back(back.art, width_px, height_px, style.picture).copy()
    pen = _Pen(canvas, style, zlib.crc32(back.art.encode()))
    for item, slot in back.items:
        pen.item(item, slot)
    return cut_out(linen_finished(canvas, style), anatomy, style)


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
        return max(6, 2 * round(share * float(self.width) * self.style.glyph_scale / 2))

    def _ink(self, shapes: list[Shape], origin: tuple[float, float], scale: float) -> None:
        """Inks straight onto the card, four times finer for smooth edges."""
        x, y = origin
        reach = 1.3 * scale
        x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
        x1, y1 = min(self.width, int(x + reach) + 1), min(self.height, int(y + reach) + 1)
        if x0 >= x1 or y0 >= y1:
            return
        part = self.canvas[y0:y1, x0:x1]
        fine = part.repeat(4, axis=0).repeat(4, axis=1)
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
        part[:] = textured(colour, part.shape[1], part.shape[0], self.style, field.material)
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
            draw_bamboo(
                self.canvas, (x0, y), (x1, y - 0.006 * self.height), 0.024 * self.width, self.style.bamboo, 3
            )

    def stone(self, x: float, y: float, radius: float, number: int | None) -> BgrImage:
        """Also where it stands, white on black: on printed cards it is whole, at the very edge too."""
        cx, cy = self.at(x, y)
        r = radius * self.width
        self._ink(stone_sticks(self.style.bamboo), (cx, cy), r)
        text = "" if number is None else str(number)
        size = max(6, 2 * round(radius * 2.25 * self.width / 2))
        glyph = symbol_glyph("stone", size, self.style.look("stone"), text)
        blend(self.canvas, glyph, (cx, cy))
        where = np.zeros_like(self.canvas)
        blend(where, np.dstack([np.full_like(glyph[..., :3], 255), glyph[..., 3]]), (cx, cy))
        return where


def stone_sticks(bamboo: Rgb) -> list[Shape]:
    """What stands behind a stone whose middle is the origin and whose radius is 1."""
    return [
        Shape(
            contours=(points((k - 0.16, 0.2), (k - 0.16, top), (k + 0.16, top - 0.05), (k + 0.16, 0.2)),),
            fill=bamboo,
            stroke=INK,
            stroke_width=0.09,
        )
        for k, top in ((-0.75, -1.15), (-0.3, -1.5), (0.2, -1.35), (0.65, -1.7))
    ]


# --- grounds -----------------------------------------------------------------------------------------


def _ground(card: CardAnatomy, name: str, width_px: int, height_px: int, style: FaceStyle) -> BgrImage:
    """Picture, foot and strip: everything below the facts, ready to be drawn on."""
    canvas = np.empty((height_px, width_px, 3), np.uint8)
    x0, y0, x1, y1 = _pixels(card.picture, width_px, height_px)
    for top, bottom in ((0, y0), (y1, height_px)):
        if top < bottom:
            canvas[top:bottom] = textured(style.wood, width_px, bottom - top, style, Material.WOOD)
    if style.strange_picture is None or card.ground == "river":
        art = picture(name, card.ground, x1 - x0, y1 - y0, style.picture)
    else:
        art = picture_by_seed(style.strange_picture, x1 - x0, y1 - y0, style.picture)
    canvas[y0:y1, x0:x1] = brushed(art, style)
    if card.bar_y is not None:
        y = (card.bar_y + style.field_shift[1]) * height_px
        draw_bamboo(canvas, (-4, y), (width_px + 4, y), 0.03 * width_px, style.bamboo, 6)
    if card.strip is not None:
        lay_strip(canvas, card.strip, style)
    return canvas


def _pixels(area: Area, width_px: int, height_px: int) -> tuple[int, int, int, int]:
    return (
        round(area.x0 * width_px),
        round(area.y0 * height_px),
        round(area.x1 * width_px),
        round(area.y1 * height_px),
    )
