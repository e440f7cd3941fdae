"""Draws over a photograph what was found in it: outlines, names, and the items that were read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cards import Item
from vision.frame import BgrImage
from vision.image import ImageError
from vision.near import NearPiece
from vision.observation import CardReading
from vision.photo_cards import PhotoCard
from vision.pose import Points
from vision.virtual.drawing import blend
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.looks import GlyphLook

# The page's own palette, blue first.
_PAPER = (228, 241, 246)
_INK = (48, 42, 29)
_JADE = (115, 127, 47)
_GOLD = (27, 138, 201)
_RIVER = (165, 139, 31)

_LONGEST = 2600
"""Small photographs are drawn larger, so that words fit between the cards."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a label calls things, in the player's language."""

    unknown: str
    back: str


def draw_found(
    image: BgrImage, cards: Sequence[PhotoCard], words: Words, pieces: Sequence[NearPiece] = ()
) -> BgrImage:
    """The photograph with an outline and a label for every card, and a dot and its name for every piece."""
    step = float(np.clip(_LONGEST / max(image.shape[:2]), 1, 2.5))
    canvas = image.copy()
    if step > 1:
        canvas = np.asarray(
            cv2.resize(canvas, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC), np.uint8
        )
    drawn = [card.grown(step) for card in cards]
    for card in drawn:
        _outline(canvas, card)
    for card in drawn:
        _label(canvas, card, words)
    for piece in pieces:
        _name_piece(canvas, piece, step)
    return canvas


def save_picture(path: Path, image: BgrImage) -> None:
    """Writes a PNG or JPEG, as the name says."""
    suffix = path.suffix.lower()
    if suffix not in (".png", ".jpg", ".jpeg", ".webp"):
        raise ImageError(
            f"expected a name that ends in .png, .jpg or .webp for the picture, found {path.name}."
        )
    try:
        _, data = cv2.imencode(suffix, image)
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise ImageError(f"cannot write the picture {path}: {problem.strerror or problem}.") from problem


def _colour(card: PhotoCard) -> tuple[int, int, int]:
    if card.back:
        return _RIVER
    return _JADE if card.known else _GOLD


def _outline(canvas: BgrImage, card: PhotoCard) -> None:
    corners = np.array(card.quad.corners)
    thick = max(2, round(_width(corners) / 55))
    line = [np.round(corners * 16).astype(np.int32)]
    cv2.polylines(canvas, line, True, _INK, thick + 3, cv2.LINE_AA, shift=4)
    cv2.polylines(canvas, line, True, _colour(card), thick, cv2.LINE_AA, shift=4)
    # A dot where the card's own top left corner is tells how it lies.
    x, y = (corners[0] * 0.94 + corners.mean(axis=0) * 0.06).round().astype(int).tolist()
    cv2.circle(canvas, (x, y), thick + 3, _INK, -1, cv2.LINE_AA)
    cv2.circle(canvas, (x, y), thick + 1, _PAPER, -1, cv2.LINE_AA)


def _label(canvas: BgrImage, card: PhotoCard, words: Words) -> None:
    corners = np.array(card.quad.corners)
    across = float(np.clip(_width(corners), 90, 520))
    size = max(13, round(across / 9))
    text = _name(card, words)
    while size > 11 and _text_width(text, size) > 1.02 * across:
        size -= 1
    rows = _items(card.reading) if card.reading is not None else []
    icon = max(14, round(across / 8.5))
    wide = max(_text_width(text, size), max((_row_width(row, icon) for row in rows), default=0)) + size
    high = round(size * 1.5) + (icon + 4) * len(rows) + (4 if rows else 0)
    centre_x, centre_y = corners.mean(axis=0)
    # On the card's lower half, so that labels of neighbours do not meet.
    y = float(corners[:, 1].max()) * 0.45 + centre_y * 0.55
    x0 = int(np.clip(centre_x - wide / 2, 2, max(2, canvas.shape[1] - wide - 2)))
    y0 = int(np.clip(y - high / 2, 2, max(2, canvas.shape[0] - high - 2)))
    _plate(canvas, (x0, y0, x0 + wide, y0 + high), _colour(card))
    _write(canvas, text, (x0 + (wide - _text_width(text, size)) // 2, y0 + round(size * 1.12)), size)
    top = y0 + round(size * 1.5)
    for row in rows:
        _draw_row(canvas, row, (x0 + (wide - _row_width(row, icon)) / 2, top + icon / 2), icon)
        top += icon + 4


def _name_piece(canvas: BgrImage, piece: NearPiece, step: float) -> None:
    """Its kind alone: pieces stand in rows, and longer words would cover each other."""
    x, y = round((piece.x + 0.5) * step - 0.5), round((piece.y + 0.5) * step - 0.5)
    size = int(np.clip(3.0 * piece.size * step, 13, 40))
    cv2.circle(canvas, (x, y), size // 3 + 2, _INK, -1, cv2.LINE_AA)
    cv2.circle(canvas, (x, y), size // 3, _JADE, -1, cv2.LINE_AA)
    text = str(piece.kind)
    wide, high = _text_width(text, size) + size // 2, round(size * 1.5)
    x0 = int(np.clip(x - wide // 2, 2, max(2, canvas.shape[1] - wide - 2)))
    y0 = int(np.clip(y + size // 2, 2, max(2, canvas.shape[0] - high - 2)))
    _plate(canvas, (x0, y0, x0 + wide, y0 + high), _JADE)
    _write(canvas, text, (x0 + size // 4, y0 + round(size * 1.12)), size)


def _name(card: PhotoCard, words: Words) -> str:
    if card.back:
        return f"{card.kind}: {words.back}" if card.kind else words.back
    if card.known:
        name, p = card.guesses[0]
        return f"{name}  {p:.0%}"
    return f"{card.kind}: {words.unknown}" if card.kind and card.reading else words.unknown


def _items(reading: CardReading) -> list[list[Item | None]]:
    """Rows of items; None is a gap between fields. The stone is drawn as an item of its own."""
    row: list[Item | None] = []
    for field in reading.fields:
        if row and field.items:
            row.append(None)
        row += [Item(item.kind, item.count, item.number) for item in field.items]
    if reading.stone is not None:
        row += [None, Item(_STONE, 1, reading.stone)]
    half = 9
    return [row[start : start + half] for start in range(0, len(row), half)]


_STONE: Any = "stone"


def _row_width(row: Sequence[Item | None], icon: int) -> int:
    return round(sum(icon * (1.0 if item is not None else 0.35) for item in row))


def _draw_row(canvas: BgrImage, row: Sequence[Item | None], start: tuple[float, float], icon: int) -> None:
    x, y = start
    for item in row:
        if item is None:
            x += 0.35 * icon
            continue
        if item.kind == "stone":
            glyph = symbol_glyph("stone", icon, GlyphLook(), str(item.number))
        else:
            glyph = item_glyph(Item(item.kind, min(item.count, 3), item.number), icon, GlyphLook())
        if glyph.shape[1] > 1.3 * icon:
            size = (icon, max(6, round(glyph.shape[0] * icon / glyph.shape[1])))
            glyph = np.asarray(cv2.resize(glyph, size, interpolation=cv2.INTER_AREA), np.uint8)
        blend(canvas, glyph, (x + icon / 2, y))
        x += icon


def _plate(canvas: BgrImage, box: tuple[int, int, int, int], colour: tuple[int, int, int]) -> None:
    """A slip of paper with rounded corners and a coloured edge."""
    x0, y0, x1, y1 = box
    height, width = canvas.shape[:2]
    if x1 > width or y1 > height:
        return
    radius = max(3, min(x1 - x0, y1 - y0) // 5)
    slip = canvas[y0:y1, x0:x1].copy()
    mask = np.zeros(slip.shape[:2], np.uint8)
    wide, high = x1 - x0, y1 - y0
    cv2.rectangle(mask, (radius, 0), (wide - radius, high), 255, -1)
    cv2.rectangle(mask, (0, radius), (wide, high - radius), 255, -1)
    for x in (radius, wide - radius - 1):
        for y in (radius, high - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    share = (mask[..., None] / 255 * 0.9).astype(np.float32)
    slip = (slip * (1 - share) + np.array(_PAPER, np.float32) * share).astype(np.uint8)
    canvas[y0:y1, x0:x1] = slip
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(canvas[y0:y1, x0:x1], contours, -1, colour, 2, cv2.LINE_AA)


def _width(corners: Points) -> float:
    return float(np.hypot(*(corners[1] - corners[0])))


# OpenCV 5 brings a real typeface; before, there are only stroked letters.
_FACE: Any = getattr(cv2, "FontFace", lambda _: None)("sans")
_PUT_TEXT: Any = cv2.putText
_TEXT_SIZE: Any = cv2.getTextSize


def _text_width(text: str, size: int) -> int:
    if _FACE is None:
        return int(_TEXT_SIZE(text, cv2.FONT_HERSHEY_DUPLEX, size / 26, 1)[0][0])
    return int(_TEXT_SIZE((4000, 200), text, (0, 100), _FACE, size, 600)[2])


def _write(canvas: BgrImage, text: str, at: tuple[int, int], size: int) -> None:
    if _FACE is None:
        _PUT_TEXT(canvas, text, at, cv2.FONT_HERSHEY_DUPLEX, size / 26, _INK, 1, cv2.LINE_AA)
    else:
        _PUT_TEXT(canvas, text, at, _INK, _FACE, size, 600)
