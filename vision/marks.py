"""Marks: pieces that may stand at a point, and what two of them at one point say about each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.networks import Contest
from vision.table import PieceKind

WEAK = 0.1
"""Marks less likely than this support no other mark."""
SAME_POINT = 0.009
"""Nearer than any two pieces of a heap can lie."""


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


def settled(marks: Sequence[Mark], contests: Sequence[Contest]) -> list[Mark]:
    """Where two kinds are marked at one point, their chances divide as was measured: it is one piece."""
    chances = {mark: mark.p for mark in marks}
    for contest in contests:
        ones = [mark for mark in marks if mark.kind == contest.one and mark.p > WEAK]
        others = [mark for mark in marks if mark.kind == contest.other and mark.p > WEAK]
        for one in ones:
            near = [other for other in others if distance(one, (other.x, other.y)) < SAME_POINT]
            if near:
                other = max(near, key=lambda mark: mark.p)
                score = contest.slope * (_log_odds(one.p) - _log_odds(other.p)) + contest.offset
                anything = 1 - (1 - one.p) * (1 - other.p)
                chances[one] = anything / (1 + math.exp(-score))
                chances[other] = anything - chances[one]
    return [replace(mark, p=p) for mark, p in chances.items()]


def one_reading_each(marks: Sequence[Mark], near: float) -> list[Mark]:
    """Of marks at the same point the likeliest stays; another is right only if those before it are not."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.p):
        others = [other.p for other in kept if distance(mark, (other.x, other.y)) < near]
        kept.append(mark if mark.is_share else replace(mark, p=mark.p * math.prod(1 - p for p in others)))
    return kept


def distance(mark: Mark, point: tuple[float, float]) -> float:
    return math.hypot(mark.x - point[0], mark.y - point[1])


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p + 1e-6))


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
