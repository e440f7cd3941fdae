"""Marks: pieces that may stand at a point, and what two of them at one point say about each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import PieceKind

WEAK = 0.1
"""Marks less likely than this support no other mark."""
WEAKEST_PEAK = 0.01
"""Where a heap is looked at closer, marks less likely than this are nothing."""
SAME_POINT = 0.009
"""Nearer than any two pieces of a heap can lie."""
_BELL = 0.011
"""As far as the bell around a peak reaches, in board units."""
_LEAST_NEAR, _LEAST_FAR = 0.75, 0.3
"""What is likelier than this within a bell, or beyond it, may be another piece: on development heaps the
likeliest are, while of those in a bell that are as likely as 0.5 half are the same piece again."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece that may stand here: the network's answer is calibrated, so it is a probability."""

    kind: PieceKind
    x: float
    y: float
    """In board units, near the foot of the piece."""
    p: float
    is_share: bool = False
    """Whether this chance is what a closer look left to this kind, of the one piece at its point."""
    is_shoulder: bool = False
    """Whether this is no peak of its own but the side of one: worth a closer look, and nothing without it."""


def one_reading_each(marks: Sequence[Mark], near: float) -> list[Mark]:
    """Of marks at the same point the likeliest stays; another is right only if those before it are not."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.p):
        others = [other.p for other in kept if distance(mark, (other.x, other.y)) < near]
        kept.append(mark if mark.is_share else replace(mark, p=mark.p * math.prod(1 - p for p in others)))
    return kept


def distance(mark: Mark, point: tuple[float, float]) -> float:
    return math.hypot(mark.x - point[0], mark.y - point[1])


def peaks(maps: NDArray[np.float32], least: float) -> list[tuple[int, int, int]]:
    """Kind, row and column of each local maximum of each map."""
    window = np.ones((3, 3), np.uint8)
    found: list[tuple[int, int, int]] = []
    for kind, chances in enumerate(maps):
        chances = np.ascontiguousarray(chances)
        top = np.asarray(cv2.dilate(chances, window), np.float32)
        rows, columns = np.nonzero((chances >= top) & (chances > least))
        found += [(kind, int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
    return found


def shoulders(maps: NDArray[np.float32], unit: float) -> list[tuple[int, int, int]]:
    """Kind, row and column of each cell that is likelier than the side of a peak can be, the likeliest first.

    Of two pieces that touch, one is often only the side of the other's peak. `unit` is in cells.
    """
    best = maps.max(axis=0)
    tops = np.array([(row, column) for _, row, column in peaks(maps, WEAKEST_PEAK)], int).reshape(-1, 2)
    cells = np.argwhere(best > _LEAST_FAR)
    cells = cells[np.argsort(-best[cells[:, 0], cells[:, 1]])]
    away = _to_nearest(cells, tops) / unit
    least = np.where(away < _BELL, _LEAST_NEAR, _LEAST_FAR)
    cells = cells[(away >= SAME_POINT) & (best[cells[:, 0], cells[:, 1]] > least)]
    found: list[tuple[int, int, int]] = []
    while len(cells):
        row, column = cells[0]
        found.append((int(maps[:, row, column].argmax()), int(row), int(column)))
        cells = cells[_to_nearest(cells, cells[:1]) / unit >= SAME_POINT]
    return found


def _to_nearest(cells: NDArray[np.int_], others: NDArray[np.int_]) -> NDArray[np.float64]:
    """How far each cell is from the nearest of some others."""
    apart = cells[:, None] - others[None]
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1, initial=math.inf), np.float64)
