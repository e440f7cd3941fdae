"""A card's picture in 96 small numbers: enough to know it again, far too little to draw it anew."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardPack
from vision.errors import VisionError
from vision.frame import BgrImage

VERSION: Final = "e1"
"""Another way of describing pictures gets another name: numbers of two ways cannot be compared."""
NUMBERS: Final = 96
_GRID: Final = (12, 18)
"""Dots across and down that are looked at; whatever is finer is gone before anything is written."""
_FINE: Final = 4
_HUES: Final = np.float32(0.7)
"""How much the two colours count beside brightness: lamps tint them."""
_LEVELS: Final = 127

Embedding = NDArray[np.float32]
"""A vector of length 1; the likeness of two pictures is their dot product."""


class EmbeddingError(VisionError):
    """A text that is no embedding; the message says what was expected."""


def embed(picture: BgrImage) -> Embedding:
    """What a whole card looks like at a glance, whatever the light."""
    mixed = _mixture() @ _glance(picture)
    return np.asarray(mixed / (np.linalg.norm(mixed) + 1e-6), np.float32)


def as_text(embedding: Embedding) -> str:
    """For a pack: one word of plain letters."""
    largest = float(np.abs(embedding).max()) or 1.0
    levels = np.round(embedding / largest * _LEVELS).astype(np.int8)
    return f"{VERSION}:{base64.b64encode(levels.tobytes()).decode('ascii')}"


def from_text(text: str) -> Embedding:
    """Raises EmbeddingError where a text is none, or of another version."""
    version, _, letters = text.partition(":")
    if version != VERSION:
        raise EmbeddingError(f"expected an embedding of version {VERSION}, found {version[:20]!r}")
    try:
        raw = base64.b64decode(letters, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != NUMBERS:
        raise EmbeddingError(f"expected {NUMBERS} numbers in base 64, found {letters[:20]!r}")
    numbers = np.frombuffer(raw, np.int8).astype(np.float32)
    return np.asarray(numbers / max(float(np.linalg.norm(numbers)), 1.0), np.float32)


def embeddings_of(pack: CardPack, pictures: Mapping[CardId, BgrImage]) -> dict[CardId, Embedding]:
    """Of every card that has a picture, or of whose picture another owner told this much."""
    known = {card.id: from_text(card.embedding) for card in pack.cards if card.embedding is not None}
    return known | {card: embed(picture) for card, picture in pictures.items()}


def _glance(picture: BgrImage) -> NDArray[np.float32]:
    """Coarse brightness and colours, each without its level and its contrast: those are the light's."""
    small = cv2.resize(picture, (_GRID[0] * _FINE, _GRID[1] * _FINE), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small.astype(np.float32), (0, 0), _FINE / 2)
    dots = cv2.resize(soft, _GRID, interpolation=cv2.INTER_AREA)
    blue, green, red = (np.asarray(np.log(dots[..., k] + 24), np.float32) for k in range(3))
    light = np.asarray((blue + green + red) / 3, np.float32)
    warm = np.asarray(blue - (red + green) / 2, np.float32)
    planes = [_even(light), _HUES * _even(red - green), _HUES * _even(warm)]
    return np.concatenate([plane.ravel() for plane in planes])


def _even(plane: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shade that falls slowly across a card is taken out with its mean."""
    slow = cv2.GaussianBlur(plane, (0, 0), 4.0, borderType=cv2.BORDER_REPLICATE)
    off = plane - slow
    return np.asarray(np.clip(off / (float(off.std()) + 0.03), -2.5, 2.5), np.float32)


@lru_cache(maxsize=1)
def _mixture() -> NDArray[np.float32]:
    """Each number mixes all dots with signs that are always the same and belong to no place."""
    dots = 3 * _GRID[0] * _GRID[1]
    raw = np.frombuffer(hashlib.shake_256(VERSION.encode()).digest(NUMBERS * dots // 8), np.uint8)
    return np.asarray(2.0 * np.unpackbits(raw).reshape(NUMBERS, dots) - 1.0, np.float32)
