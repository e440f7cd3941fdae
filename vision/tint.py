"""Whether a picture still has the colours of the table: a camera may come back with another idea of red."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_GRID: Final = (54, 30)
_SAME_TABLE: Final = 0.7
"""How well light and dark must agree: where they do not, it is another picture and not another colour."""
_MOST_TINT: Final = 0.45
"""Of the logarithm: one colour against the others by more than half as much again is no evening light."""
_COLOURED: Final = 0.12
"""A place has a colour if its shares of blue, green and red are this far from a third each."""
_FEWEST_COLOURED: Final = 40
_MOST_ASTRAY: Final = 0.6
"""Of a place's own colour: how far it may have gone when the tint of the light is taken away."""


def has_true_colours(then: NDArray[np.float32], now: NDArray[np.uint8]) -> bool:
    """Compares a picture with the remembered table. Medians only: a hand or a card changes no median."""
    old, new = (_samples(picture) for picture in (then, now))
    change = np.median(np.log(new / old), axis=0)
    if float(np.abs(change - change.mean()).max()) <= _MOST_TINT and _agree(old, new / np.exp(change)):
        return True
    bright = np.log(np.stack([old.sum(axis=1), new.sum(axis=1)]))
    return float(np.corrcoef(bright)[0, 1]) < _SAME_TABLE


def _samples(picture: NDArray[np.float32] | NDArray[np.uint8]) -> NDArray[np.float64]:
    small = cv2.resize(picture, _GRID, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float64).reshape(-1, 3) + 1


def _agree(old: NDArray[np.float64], new: NDArray[np.float64]) -> bool:
    """Whether places that had a colour of their own still have it."""
    was, is_now = (picture / picture.sum(axis=1, keepdims=True) for picture in (old, new))
    own = np.abs(was - 1 / 3).sum(axis=1)
    coloured = own > _COLOURED
    if np.count_nonzero(coloured) < _FEWEST_COLOURED:
        return True
    astray = np.abs(is_now - was).sum(axis=1)[coloured] / own[coloured]
    return float(np.median(astray)) < _MOST_ASTRAY
