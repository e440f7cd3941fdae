"""What is printed on cards and board, as pictures that the virtual table lays out."""

import zlib
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardKind
from vision.table import Side
from vision.virtual.drawing import BgraImage


class Textures(Protocol):
    def card(self, card: CardId | None, kind: CardKind | None, side: Side) -> BgraImage:
        """The side that is seen; a card without a name and face up is a card that nobody knows."""
        ...

    def board(self) -> BgraImage: ...

    def kind(self, card: CardId) -> CardKind | None:
        """What kind of card it is; None where that is not known."""
        ...


class PlainTextures:
    """Coloured sheets with bars, different for each card: enough to test where things are drawn."""

    def __init__(self, *, height_px: int = 480, board_ratio: float = 0.497) -> None:
        self._height_px = height_px
        self._board_ratio = board_ratio

    def card(self, card: CardId | None, kind: CardKind | None, side: Side) -> BgraImage:
        name = f"{kind}/back" if side is Side.DOWN else f"{kind}/{card}"
        height, width = self._height_px, round(self._height_px * 0.645)
        picture = _bars(name, width, height)
        return np.dstack([picture, rounded(width, height, 0.05 * width)])

    def kind(self, card: CardId) -> CardKind | None:  # noqa: ARG002
        return None

    def board(self) -> BgraImage:
        width, height = 2000, round(2000 * self._board_ratio)
        rng = np.random.default_rng(5)
        low = rng.integers(60, 150, (12, 24, 3)).astype(np.uint8)
        picture = cv2.resize(low, (width, height), interpolation=cv2.INTER_CUBIC)
        return np.dstack([picture, np.full((height, width), 255, np.uint8)])


def _bars(name: str, width: int, height: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    picture = np.full((height, width, 3), rng.integers(70, 230, 3), np.uint8)
    for _ in range(6):
        x, y = (int(v) for v in rng.integers(0, (width, height)))
        size = (int(rng.integers(width // 8, width // 2)), int(rng.integers(height // 16, height // 5)))
        colour = tuple(int(c) for c in rng.integers(30, 250, 3))
        cv2.rectangle(picture, (x, y), (x + size[0], y + size[1]), colour, -1)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (235, 240, 240), max(2, width // 40))
    return picture


def rounded(width: int, height: int, radius: float) -> NDArray[np.uint8]:
    """Opacity of a sheet with round corners."""
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius)
    away = np.hypot(np.clip(x, 0, None)[None, :], np.clip(y, 0, None)[:, None])
    return np.asarray(np.clip(radius - away + 0.5, 0, 1) * 255, np.uint8)
