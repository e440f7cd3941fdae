"""Numbers on stones, turtles and tags, cut as a reader cuts them: most drawn alone, some from whole cards."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.alone import LOOKS, Grounds, carrier, put, seen, write_label, write_number
from models.photographs import Photograph, Rng, Symbol, any_number, photograph
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


def signs_of(number: int | None) -> list[int]:
    text = "" if number is None else str(number)
    return [int(digit) for digit in text] + [SIGNS - 1] * (PLACES - len(text))


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    """Mostly numbers drawn alone; some cut from photographs of whole cards, for what else stands around."""
    rng = np.random.default_rng((seed, 0x2B))
    pool = Pool(folder)
    grounds = Grounds(pool, rng)
    while True:
        yield gathered([number_alone(rng, grounds) for _ in range(24)])
        sheet, _ = pool.pick(rng, str(rng.choice(["numbers", "card", "collage"], p=[0.3, 0.5, 0.2])))
        yield cuts_of(rng, photograph(rng, sheet, gentle=rng.random() < 0.8))


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
    zoom = NUMBER_ZOOMS[kind]
    seen_px = float(np.exp(rng.uniform(np.log(12.5), np.log(34)))) / zoom
    patch, per_size = seen(rng, fine, seen_px)
    patch = _bounded(rng, patch, per_size) if kind == "stone" and rng.random() < 0.5 else patch
    middle = np.array(patch.shape[1::-1]) / 2 + rng.normal(0, 0.06 * per_size, 2)
    size = per_size * zoom * float(np.exp(rng.uniform(np.log(0.8), np.log(1.15))))
    return cut_number(patch, float(middle[0]), float(middle[1]), size), number


def _often_long(rng: Rng) -> int:
    """Three digits are the hardest to read, and are learnt more often than they are met."""
    return int(rng.integers(100, 200)) if rng.random() < 0.15 else any_number(rng)


def _bounded(rng: Rng, patch: BgrImage, per_size: float) -> BgrImage:
    """A stone stands at the card's corner: beyond the edge its last pixels go on."""
    middle = patch.shape[0] / 2
    right = round(middle + per_size * float(rng.uniform(0.5, 0.75)))
    foot = round(middle + per_size * float(rng.uniform(0.42, 0.62)))
    card = patch[:foot, :right]
    pad = (0, patch.shape[0] - card.shape[0], 0, patch.shape[1] - card.shape[1])
    return np.asarray(cv2.copyMakeBorder(card, *pad, cv2.BORDER_REPLICATE), np.uint8)


# --- numbers on photographed cards -------------------------------------------------------------------


def cuts_of(rng: Rng, shot: Photograph) -> Sample:
    carriers = [symbol for symbol in shot.symbols if symbol.kind in NUMBER_ZOOMS]
    made: list[tuple[BgrImage, int | None]] = []
    for _ in range(_PER_PHOTOGRAPH if len(carriers) > 4 else 3):
        if carriers and rng.random() < 0.9:
            symbol = carriers[int(rng.integers(len(carriers)))]
            number = symbol.number if symbol.kind in STONELIKE else symbol.count
            made.append((_cut(rng, shot, symbol), number))
            continue
        height, width = shot.card.shape[:2]
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if not any(np.hypot(s.x - x, s.y - y) < 0.8 * s.size for s in carriers):
            made.append((cut_number(shot.card, x, y, rng.uniform(16, 28)), None))
    return gathered(made)


def _cut(rng: Rng, shot: Photograph, symbol: Symbol) -> BgrImage:
    spread = 0.06 * symbol.size
    x, y = symbol.x + rng.normal(0, spread), symbol.y + rng.normal(0, spread)
    zoom = NUMBER_ZOOMS[symbol.kind] * float(np.exp(rng.uniform(np.log(0.8), np.log(1.15))))
    return cut_number(shot.card, x, y, symbol.size * zoom)
