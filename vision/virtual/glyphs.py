"""One printed item as an image: the symbol in a given look, with its +n or its number on it."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import PAIR_STEP, symbols_of
from vision.cards import Item
from vision.virtual.drawing import BgraImage, Drawing, rasterise
from vision.virtual.looks import GlyphLook, finished, varied
from vision.virtual.numbering import number_on
from vision.virtual.svg import load_symbol
from vision.virtual.variants import variant_drawing

_MARGIN = 5.0
"""Room around the 64-unit box for turned drawings, halos and shadows."""

_MASTER_PX = 72

_PALE = frozenset({"white", "cowrie", "draw", "exhaust", "destroy"})
_PALE_LINE = 0.6
"""White symbols stand on white strips: without a line nobody could read them, nor does print leave it out."""
_COUNTED = ("draw", "draw-pile", "barbarian")


def item_glyph(item: Item, size_px: int, look: GlyphLook) -> BgraImage:
    """The item's symbol, `size_px` across without its margin. Do not write into the result."""
    if item.kind in _COUNTED:
        return symbol_glyph(item.kind, size_px, look, f"+{item.count}")
    if symbols_of(item) > 1:
        return _row_of_glyphs(item.kind, item.count, size_px, look)
    return symbol_glyph(item.kind, size_px, look, "" if item.number is None else str(item.number))


@lru_cache(maxsize=4000)
def symbol_glyph(kind: str, size_px: int, look: GlyphLook, text: str = "") -> BgraImage:
    """Any symbol of ours by name, with `text` (digits and +) where its number goes."""
    image = (
        _drawn(kind, size_px, look, text) if size_px > _MASTER_PX / 2 else _reduced(kind, size_px, look, text)
    )
    image.setflags(write=False)
    return image


def _drawn(kind: str, size_px: int, look: GlyphLook, text: str) -> BgraImage:
    drawing = symbol_drawing(kind, look, text)
    framed = Drawing(
        drawing.width + 2 * _MARGIN,
        drawing.height + 2 * _MARGIN,
        drawing.moved(lambda contour: (contour + _MARGIN).astype(np.float32)).shapes,
    )
    return finished(rasterise(framed, _whole(size_px)), look)


def _reduced(kind: str, size_px: int, look: GlyphLook, text: str) -> BgraImage:
    """Small symbols come from one larger drawing: a training run asks for each in many sizes."""
    small = cv2.resize(_master(kind, look, text), (_whole(size_px),) * 2, interpolation=cv2.INTER_AREA)
    colour = small[..., :3] * (255.0 / np.maximum(small[..., 3:], 1).astype(np.float32))
    return np.dstack([np.minimum(colour, 255).astype(np.uint8), small[..., 3].astype(np.uint8)])


@lru_cache(maxsize=5000)
def _master(kind: str, look: GlyphLook, text: str) -> NDArray[np.uint8]:
    """Colours multiplied by alpha, which makes averaging right at the edges."""
    image = _drawn(kind, _MASTER_PX, look, text)
    image[..., :3] = (image[..., :3].astype(np.uint16) * image[..., 3:] // 255).astype(np.uint8)
    return image


def _whole(size_px: int) -> int:
    """The image's size with its margin."""
    return max(4, round(size_px * (64 + 2 * _MARGIN) / 64))


def symbol_drawing(kind: str, look: GlyphLook, text: str = "") -> Drawing:
    """The symbol as ink, in a box of 64 units, numbers included."""
    drawing = (variant_drawing(kind, look.seed) if look.variant else None) or load_symbol(kind)
    if kind in _PALE and look.line < _PALE_LINE:
        look = replace(look, line=_PALE_LINE)
    drawing = varied(drawing, look)
    return drawing.with_shapes(number_on(kind, text, look)) if text else drawing


@lru_cache(maxsize=500)
def _row_of_glyphs(kind: str, count: int, size_px: int, look: GlyphLook) -> BgraImage:
    """One item printed as several symbols side by side, a little overlapping."""
    single = symbol_glyph(kind, size_px, look)
    step = round(size_px * PAIR_STEP)
    height, width = single.shape[:2]
    row = np.zeros((height, width + step * (count - 1), 4), np.uint8)
    for index in range(count):
        part = row[:, index * step : index * step + width]
        alpha = single[..., 3:].astype(np.float32) / 255
        part[..., :3] = np.where(
            part[..., 3:] > 0, single[..., :3] * alpha + part[..., :3] * (1 - alpha), single[..., :3]
        ).astype(np.uint8)
        np.maximum(part[..., 3], single[..., 3], out=part[..., 3])
    row.setflags(write=False)
    return row
