"""Small pictures cut out of a rectified card, always in the size that a network was trained on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Along
from vision.frame import BgrImage
from vision.scan import CELL_PX, CELLS, WINDOW, WINDOW_PX

NUMBER_PX = 64
NUMBER_WINDOW = 1.3
"""How much is looked at to read a number, in sizes of the stone or turtle that carries it."""
NUMBER_ZOOMS = {"stone": 1.0, "turtle": 0.78, "draw": 0.85, "draw-pile": 0.85, "barbarian": 0.85}
"""What carries a number, and how much of it that fills against a stone: the window is that much smaller."""
_ASIDE = ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2))
NUMBER_LOOKS = len(_ASIDE)
THUMB_PX = (48, 72)
"""Width and height of the picture that tells the kind of a card."""
_UNIT_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)

Points: TypeAlias = NDArray[np.float64]
"""N × 2."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LooseCard:
    """A card that lies anyhow, perhaps below others; corners in pixels of the picture, its top left first."""

    corners: Points
    sure: bool
    """Whether it must be a card; else it must be read to be one."""
    covers: tuple[Points, ...] = ()
    """The corners of the cards that lie on it."""


def cut_line(card: BgrImage, x: float, y: float, size: float, along: Along, cells: int = CELLS) -> BgrImage:
    """A strip of windows: the first is centred on x, y; `size` is that of a symbol; all in pixels."""
    long = WINDOW_PX + CELL_PX * (cells - 1)
    shape = (long, WINDOW_PX) if along is Along.RIGHT else (WINDOW_PX, long)
    return _cut(card, x, y, WINDOW * size / WINDOW_PX, shape, WINDOW_PX / 2)


def cut_window(card: BgrImage, x: float, y: float, size: float) -> BgrImage:
    return cut_line(card, x, y, size, Along.RIGHT, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Original:
    """A card in the camera's own picture: small print is cut out there, for each warp on the way blurs it,
    and a card whose corners were found a little off ends in the middle of its stone."""

    image: BgrImage
    to_pixels: Callable[[Points], Points]
    """From pixels of the rectified card (centres at halves) to those of the picture (at whole numbers)."""

    def moved(self, size: float, x: float, y: float) -> "Original":
        """Of the card's picture that is made of this one's pixels at `size` times theirs and x, y more."""
        before = self.to_pixels
        return replace(self, to_pixels=lambda at: before(size * (at - 0.5) + (x + 0.5, y + 0.5)))

    def window(self, x: float, y: float, side: float, px: int) -> BgrImage:
        """A square of the card with so many pixels on a side."""
        pixels = self.to_pixels(np.array((x, y)) + side / 2 * _UNIT_SQUARE).astype(np.float32)
        # a camera much nearer than usual: the mean of several pixels instead of one here and there
        finer = max(1, round(float(np.hypot(*(pixels[2] - pixels[0]))) / (px * 2**0.5)))
        ends = ((_UNIT_SQUARE + 1) * finer * px / 2 - 0.5).astype(np.float32)
        cut = cv2.warpPerspective(
            self.image,
            cv2.getPerspectiveTransform(ends, pixels),
            (finer * px, finer * px),
            flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(cv2.resize(cut, (px, px), interpolation=cv2.INTER_AREA), np.uint8)


def cut_number(card: BgrImage | Original, x: float, y: float, size: float) -> BgrImage:
    if isinstance(card, Original):
        return card.window(x, y, NUMBER_WINDOW * size, NUMBER_PX)
    step = NUMBER_WINDOW * size / NUMBER_PX
    return _cut(card, x, y, step, (NUMBER_PX, NUMBER_PX), NUMBER_PX / 2)


def cut_number_looks(card: BgrImage | Original, x: float, y: float, size: float) -> list[BgrImage]:
    """The same number NUMBER_LOOKS times, each time two pixels aside: doubts differ then, digits do not."""
    step = NUMBER_WINDOW * size / NUMBER_PX
    return [cut_number(card, x + step * dx, y + step * dy, size) for dx, dy in _ASIDE]


def thumbnail(place: BgrImage) -> BgrImage:
    """All of a place for a card, very small."""
    return np.asarray(cv2.resize(place, THUMB_PX, interpolation=cv2.INTER_AREA), np.uint8)


def _cut(card: BgrImage, x: float, y: float, step: float, shape: tuple[int, int], half: float) -> BgrImage:
    """Pixels `step` apart; x, y is the middle of the first window, and pixel centres lie at halves."""
    offset = (0.5 - half) * step - 0.5
    matrix = np.array([(step, 0, x + offset), (0, step, y + offset)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(card, matrix, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
