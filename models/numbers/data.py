"""Numbers on stones, turtles and tags, cut as a reader cuts them: most drawn alone, some from whole cards."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.alone import FINER, LOOKS, Grounds, carrier, cornered, put, seen, write_label, write_number
from models.photographs import CARD_PX, DRAWN_PX, Photograph, Rng, Sheet, Symbol, any_number, photograph
from models.pool import Pool
from models.stream import Sample
from vision.cuts import NUMBER_PX, NUMBER_ZOOMS, cut_number
from vision.frame import BgrImage
from vision.virtual.looks import GlyphLook

PLACES = 3
SIGNS = 11
"""Ten digits, and none: numbers stand at the left of their three places."""
STONELIKE = ("stone", "turtle")
"""Carriers of any number; the others are tags with +1 to +4."""
_SHARES = {"stone": 0.38, "turtle": 0.32, "draw": 0.14, "draw-pile": 0.08, "barbarian": 0.08}
_COUNTS = (0.36, 0.26, 0.2, 0.18)
_PER_PHOTOGRAPH = 10
_FROM_FRAME = 0.7
"""So many windows are cut as the eye cuts them, out of the camera's own picture; the others out of a card."""
_ASTRAY = (0.06, 0.11)
"""How far off windows are, in sizes: of symbols that were found, and of stones where a card has them."""


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
    if kind in STONELIKE:
        number = _often_long(rng) if rng.random() < 0.95 else None
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
        fine = cornered(rng, fine, grounds.any(rng))
    zoom = NUMBER_ZOOMS[kind]
    seen_px = float(np.exp(rng.uniform(np.log(10.5), np.log(32)))) / zoom
    patch, per_size = seen(rng, fine, seen_px, fine_cut=fine_cut)
    patch = _bounded(rng, patch, per_size) if at_corner and not fine_cut else patch
    middle = np.array(patch.shape[1::-1]) / 2 + rng.normal(0, _ASTRAY[kind == "stone"] * per_size, 2)
    size = per_size * zoom * float(np.exp(rng.uniform(np.log(0.88), np.log(1.24))))
    return cut_number(patch, float(middle[0]), float(middle[1]), size), number


def _often_long(rng: Rng) -> int:
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
    image, symbols, scale = shot.card, shot.symbols, 1.0
    if rng.random() < _FROM_FRAME:
        image, symbols, scale = *_as_in_frame(shot, sheet), FINER
    carriers = [symbol for symbol in symbols if symbol.kind in NUMBER_ZOOMS]
    made: list[tuple[BgrImage, int | None]] = []
    for _ in range(_PER_PHOTOGRAPH if len(carriers) > 6 else 4):
        if carriers and rng.random() < 0.9:
            symbol = carriers[int(rng.integers(len(carriers)))]
            number = symbol.number if symbol.kind in STONELIKE else symbol.count
            made.append((_cut(rng, image, symbol), number))
            continue
        height, width = image.shape[:2]
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if not any(np.hypot(s.x - x, s.y - y) < 0.8 * s.size for s in carriers):
            made.append((cut_number(image, x, y, scale * rng.uniform(16, 28)), None))
    return gathered(made)


def _as_in_frame(shot: Photograph, sheet: Sheet) -> tuple[BgrImage, tuple[Symbol, ...]]:
    """The camera's picture straightened once, with what lies around the card; and where symbols are."""
    rim, scale = 0.06 * CARD_PX * FINER, FINER * CARD_PX / DRAWN_PX
    high, wide = (scale * side for side in sheet.image.shape[:2])
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) + rim
    matrix = cv2.getPerspectiveTransform(shot.quad.astype(np.float32), corners.astype(np.float32))
    size = (round(wide + 2 * rim), round(high + 2 * rim))
    image = cv2.warpPerspective(
        shot.frame, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    symbols = tuple(
        replace(s, x=s.x * scale + rim, y=s.y * scale + rim, size=s.size * scale) for s in sheet.symbols
    )
    return np.asarray(image, np.uint8), symbols


def _cut(rng: Rng, image: BgrImage, symbol: Symbol) -> BgrImage:
    spread = _ASTRAY[symbol.kind == "stone"] * symbol.size
    x, y = symbol.x + rng.normal(0, spread), symbol.y + rng.normal(0, spread)
    zoom = NUMBER_ZOOMS[symbol.kind] * float(np.exp(rng.uniform(np.log(0.88), np.log(1.24))))
    return cut_number(image, x, y, symbol.size * zoom)
