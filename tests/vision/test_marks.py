"""Marks on maps: of two pieces that touch, one may be only the side of the other's peak."""

import numpy as np
from numpy.typing import NDArray

from vision.marks import peaks, shoulders

UNIT = 225.0
"""Cells to a board unit: 900 pixels, four to a cell."""


def maps(*chances: tuple[int, int, float], kinds: int = 2) -> NDArray[np.float32]:
    """All of the second kind, each with a bell around it."""
    row, column = np.mgrid[0:24, 0:24]
    found = np.zeros((kinds, 24, 24), np.float32)
    for y, x, chance in chances:
        bell = chance * np.exp(-((row - y) ** 2 + (column - x) ** 2) / 2)
        found[1] = np.maximum(found[1], bell)
    return found


def test_a_piece_alone_has_no_shoulder() -> None:
    assert shoulders(maps((10, 10, 0.99)), UNIT) == []


def test_a_likely_cell_that_is_no_peak_is_a_shoulder() -> None:
    touching = maps((10, 10, 0.99))
    touching[1, 11, 11:13] = (0.95, 0.9)
    assert peaks(touching, 0.01) == [(1, 10, 10)]
    assert shoulders(touching, UNIT) == [(1, 11, 12)]


def test_a_cell_no_likelier_than_the_side_of_a_broad_peak_is_none() -> None:
    broad = maps((10, 10, 0.99))
    broad[1, 11, 11] = broad[1, 11, 12] = 0.6
    assert shoulders(broad, UNIT) == []


def test_beyond_the_bell_less_is_enough() -> None:
    ridge = maps((10, 10, 0.99))
    ridge[1, 10, 11:14] = (0.7, 0.5, 0.4)
    assert shoulders(ridge, UNIT) == [(1, 10, 13)]


def test_two_shoulders_are_as_far_apart_as_two_pieces() -> None:
    row = maps((10, 4, 0.99))
    row[1, 10, 5:13] = np.linspace(0.98, 0.8, 8)
    found = shoulders(row, UNIT)
    assert [at for _, _, at in found] == [7, 10]
