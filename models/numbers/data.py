"""Numbers on stones, turtles and tags, cut as a reader cuts them: most drawn alone, some from whole cards."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.alone import (
    FINE_PX,
    LOOKS,
    Grounds,
    carrier,
    cornered,
    put,
    put_sticks,
    seen,
    seen_in_frame,
    write_label,
    write_number,
)
from models.photographs import ITEM_KINDS, Photograph, Rng, Sheet, Symbol, any_number, photograph
from models.pool import Pool
from models.stream import Sample
from vision.cuts import NUMBER_PX, NUMBER_ZOOMS, Original, Points, cut_number
from vision.frame import BgrImage
from vision.virtual.looks import GlyphLook

PLACES = 3
SIGNS = 11
"""Ten digits, and none: numbers stand at the left of their three places."""
STONELIKE = ("stone", "turtle")
"""Carriers of any number; the others are tags with +1 to +4."""
_OTHER = "other"
_SHARES = {"stone": 0.42, "turtle": 0.34, "draw": 0.09, "draw-pile": 0.04, "barbarian": 0.04, _OTHER: 0.07}
_PLAIN = tuple(kind for kind in ITEM_KINDS if kind not in NUMBER_ZOOMS)
"""Symbols without a number: that there is none tells them from turtles."""
_COUNTS = (0.36, 0.26, 0.2, 0.18)
_PER_PHOTOGRAPH = 10
_FROM_FRAME = 0.7
"""So many windows are cut as the eye cuts them, out of the camera's own picture; the others out of a card."""
_ASTRAY = (0.07, 0.13)
"""How far off windows are, in sizes: of symbols that were found, and of stones where a card has them."""
_SIZES = (0.85, 1.22)
"""How much more or less is looked at than the carrier's own size asks for."""
_SEEN_PX = (11.0, 44.0)
"""How wide stones are in the camera's picture: digits are half as high."""
_WITH_STICKS = 0.75
"""Of stones; the others stand alone."""
_READABLE_PX = (16.0, 44.0)
_OF_ANY_SIZE = 0.45
"""The others are large enough for three digits to be told: from smaller ones little is learnt."""


def signs_of(number: int | None) -> list[int]:
    text = "" if number is None else str(number)
    return [int(digit) for digit in text] + [SIGNS - 1] * (PLACES - len(text))


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    """Mostly numbers drawn alone; some cut from photographs of whole cards, for what else stands around."""
    rng = np.random.default_rng((seed, 0x2B))
    pool = Pool(folder)
    grounds = Grounds(pool, rng)
    while True:
        yield gathered([number_alone(rng, grounds) for _ in range(16)])
        sheet, _ = pool.pick(rng, str(rng.choice(["numbers", "card", "collage"], p=[0.3, 0.5, 0.2])))
        yield cuts_of(rng, photograph(rng, sheet, gentle=rng.random() < 0.8), sheet)


def gathered(made: list[tuple[BgrImage, int | None]]) -> Sample:
    images = [image for image, _ in made]
    return {
        "image": np.stack(images) if images else np.empty((0, NUMBER_PX, NUMBER_PX, 3), np.uint8),
        "signs": np.array([signs_of(number) for _, number in made], np.int64).reshape(-1, PLACES),
    }


# --- numbers alone -----------------------------------------------------------------------------------


def number_alone(rng: Rng, grounds: Grounds) -> tuple[BgrImage, int | None]:
    """One carrier on some ground through a camera, and the number on it."""
    kind = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    fine = grounds.any(rng)
    look = int(rng.integers(LOOKS if kind in STONELIKE else LOOKS // 3))
    number: int | None
    if kind == _OTHER:
        number, kind = None, "turtle"
        put(fine, carrier(str(rng.choice(_PLAIN)), look // 2))
    elif kind in STONELIKE:
        number = often_long(rng) if rng.random() < 0.95 else None
        if kind == "stone" and rng.random() < _WITH_STICKS:
            put_sticks(rng, fine)
        put(fine, carrier(kind, look))
        if number is not None:
            write_number(rng, fine, str(number), kind)
    else:
        number = int(rng.choice([1, 2, 3, 4], p=_COUNTS))
        own = rng.random() < 0.3
        put(fine, carrier(kind, look, f"+{number}" if own else ""))
        if not own:
            write_label(rng, fine, f"+{number}", kind, GlyphLook.sample(look))
    fine_cut = rng.random() < _FROM_FRAME
    at_corner = kind == "stone" and rng.random() < 0.7
    if at_corner and fine_cut:
        fine = cornered(rng, fine, grounds.any(rng), carrier(kind, look))
    zoom = NUMBER_ZOOMS[kind]
    seen_px = _any_within(rng, _SEEN_PX if rng.random() < _OF_ANY_SIZE else _READABLE_PX) / zoom
    size = zoom * _any_within(rng, _SIZES)
    astray = rng.normal(0, _ASTRAY[kind == "stone"], 2)
    if fine_cut:
        x, y = (fine.shape[0] / 2 + FINE_PX * astray).tolist()
        return cut_number(seen_in_frame(rng, fine, seen_px), x, y, FINE_PX * size), number
    patch, per_size = seen(rng, fine, seen_px)
    patch = _bounded(rng, patch, per_size) if at_corner else patch
    x, y = (patch.shape[0] / 2 + per_size * astray).tolist()
    return cut_number(patch, x, y, per_size * size), number


def _any_within(rng: Rng, ends: tuple[float, float]) -> float:
    """Evenly by ratio."""
    return float(np.exp(rng.uniform(*np.log(ends))))


def often_long(rng: Rng) -> int:
    """Three digits are the hardest to read, and are learnt more often than they are met."""
    if rng.random() < 0.4:
        return any_number(rng)
    return int(rng.integers(100 if rng.random() < 0.35 else 0, 200))


def _bounded(rng: Rng, patch: BgrImage, per_size: float) -> BgrImage:
    """A stone stands at the card's corner: beyond the edge its last pixels go on."""
    middle = patch.shape[0] / 2
    right = round(middle + per_size * float(rng.uniform(0.5, 0.75)))
    foot = round(middle + per_size * float(rng.uniform(0.42, 0.62)))
    card = patch[:foot, :right]
    pad = (0, patch.shape[0] - card.shape[0], 0, patch.shape[1] - card.shape[1])
    return np.asarray(cv2.copyMakeBorder(card, *pad, cv2.BORDER_REPLICATE), np.uint8)


# --- numbers on photographed cards -------------------------------------------------------------------


def cuts_of(rng: Rng, shot: Photograph, sheet: Sheet) -> Sample:
    image: BgrImage | Original = shot.card
    symbols, scale, (height, width) = shot.symbols, 1.0, shot.card.shape[:2]
    if rng.random() < _FROM_FRAME:
        image, symbols, (height, width) = _in_frame(shot, sheet), sheet.symbols, sheet.image.shape[:2]
        scale = height / shot.card.shape[0]
    carriers = [symbol for symbol in symbols if symbol.kind in NUMBER_ZOOMS]
    others = [symbol for symbol in symbols if symbol.kind not in NUMBER_ZOOMS]
    made: list[tuple[BgrImage, int | None]] = []
    for _ in range(_PER_PHOTOGRAPH if len(carriers) > 6 else 4):
        chance = rng.random()
        if carriers and chance < 0.78:
            symbol = carriers[int(rng.integers(len(carriers)))]
            number = symbol.number if symbol.kind in STONELIKE else symbol.count
            made.append((_cut(rng, image, symbol), number))
            continue
        if others and chance < 0.93:
            other = replace(others[int(rng.integers(len(others)))], kind="turtle")
            made.append((_cut(rng, image, other), None))
            continue
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if not any(np.hypot(s.x - x, s.y - y) < 0.8 * s.size for s in carriers):
            made.append((cut_number(image, x, y, scale * rng.uniform(16, 28)), None))
    return gathered(made)


def _in_frame(shot: Photograph, sheet: Sheet) -> Original:
    """The camera's picture, to be cut in pixels of the sheet."""
    high, wide = sheet.image.shape[:2]
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, shot.quad.astype(np.float32))

    def to_pixels(points: Points) -> Points:
        return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[None], matrix)[0])

    return Original(shot.frame, to_pixels)


def _cut(rng: Rng, image: BgrImage | Original, symbol: Symbol) -> BgrImage:
    spread = _ASTRAY[symbol.kind == "stone"] * symbol.size
    x, y = symbol.x + rng.normal(0, spread), symbol.y + rng.normal(0, spread)
    return cut_number(image, x, y, symbol.size * NUMBER_ZOOMS[symbol.kind] * _any_within(rng, _SIZES))
