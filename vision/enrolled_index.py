"""Finds the nearest of very many features quickly: only those in the same neighbourhoods are compared."""

import itertools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_NEIGHBOURHOODS = 192
_PROBED = 10
"""How many neighbourhoods are looked into for each feature."""
_ROUNDS = (0, 1, 3, _PROBED)
"""After so many of them it is asked again how near something must be to count."""
_SMALL = 6000
"""Up to so many features everything is compared with everything."""

_Pairs: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]
"""Which of the seen ones, which of the known ones, and how alike."""


class FeatureIndex:
    """Over unit vectors; the likeness of two is their dot product."""

    def __init__(self, descriptors: NDArray[np.float32]) -> None:
        self._members = [np.arange(len(descriptors))]
        self._centres: NDArray[np.float32] | None = None
        if len(descriptors) > _SMALL:
            self._centres = _centres(descriptors)
            home = (descriptors @ self._centres.T).argmax(axis=1)
            self._members = [np.flatnonzero(home == k) for k in range(len(self._centres))]
        self._blocks = [descriptors[members] for members in self._members]

    def nearest(self, seen: NDArray[np.float32], many: int, least: float) -> _Pairs:
        """Pairs of (seen, known) at least so alike, at most `many` for each seen one; and how alike."""
        if not len(seen) or not any(map(len, self._members)):
            none = np.empty(0, np.int64)
            return none, none, np.empty(0, np.float32)
        rows, columns, alike = self._pairs(seen, many, least)
        order = np.lexsort((-alike, rows))
        rows, columns, alike = rows[order], columns[order], alike[order]
        start = np.searchsorted(rows, rows, side="left")
        kept = np.arange(len(rows)) - start < many
        return rows[kept], columns[kept], alike[kept]

    def _pairs(self, seen: NDArray[np.float32], many: int, least: float) -> _Pairs:
        parts: list[_Pairs] = []
        if self._centres is None:
            for start in range(0, len(seen), 1000):
                row, column, alike = _best(seen[start : start + 1000] @ self._blocks[0].T, many, least)
                parts.append((row + start, column, alike))
        else:
            near = self._neighbourhoods(seen)
            # Whoever found many near by need not look at anything farther off than the last of them.
            for one, next_one in itertools.pairwise(_ROUNDS):
                bars = _bars(parts, len(seen), many, least)
                parts += self._in_blocks(seen, near[:, one:next_one], bars, many)
        rows, columns, likeness = zip(*parts, strict=True) if parts else ((), (), ())
        return (
            np.concatenate([np.empty(0, np.int64), *rows]),
            np.concatenate([np.empty(0, np.int64), *columns]),
            np.concatenate([np.empty(0, np.float32), *likeness]),
        )

    def _neighbourhoods(self, seen: NDArray[np.float32]) -> NDArray[np.int64]:
        """Those that each feature looks into, the nearest first."""
        assert self._centres is not None
        off = -(seen @ self._centres.T)
        near = np.argpartition(off, _PROBED, axis=1)[:, :_PROBED]
        order = np.take_along_axis(off, near, axis=1).argsort(axis=1)
        return np.take_along_axis(near, order, axis=1)

    def _in_blocks(
        self, seen: NDArray[np.float32], near: NDArray[np.int64], bars: NDArray[np.float32], many: int
    ) -> list[_Pairs]:
        """Compares each feature with everything in some neighbourhoods; only what passes its bar counts."""
        parts = []
        order = np.argsort(near.ravel(), kind="stable")
        ends = np.searchsorted(near.ravel()[order], np.arange(len(self._members) + 1))
        for k, members in enumerate(self._members):
            mine = order[ends[k] : ends[k + 1]] // near.shape[1]
            if len(mine) and len(members):
                row, column, alike = _best(seen[mine] @ self._blocks[k].T, many, bars[mine, None])
                parts.append((mine[row], members[column], alike))
        return parts


def _bars(found: Sequence[_Pairs], many_seen: int, many: int, least: float) -> NDArray[np.float32]:
    """How alike a pair must be to be among the best of its feature, after what was found so far."""
    bars = np.full(many_seen, least, np.float32)
    if found:
        rows, alike = (np.concatenate([part[k] for part in found]) for k in (0, 2))
        order = np.lexsort((-alike, rows))
        rows, alike = rows[order], alike[order]
        last = np.arange(len(rows)) - np.searchsorted(rows, rows) == many - 1
        bars[rows[last]] = alike[last]
    return bars


def _best(alike: NDArray[np.float32], many: int, least: float | NDArray[np.float32]) -> _Pairs:
    """Of each row at least so many, or all: a picture full of grass is a little like every other one."""
    likely = alike > least
    if alike.shape[1] <= many or np.count_nonzero(likely) < many * len(alike):
        row, column = np.divmod(np.flatnonzero(likely), alike.shape[1])
        return row, column, alike[row, column]
    columns = np.argpartition(alike, alike.shape[1] - many, axis=1)[:, -many:]
    values = np.take_along_axis(alike, columns, axis=1)
    row, place = np.nonzero(values > least)
    return row, columns[row, place], values[row, place]


def _centres(descriptors: NDArray[np.float32]) -> NDArray[np.float32]:
    """A few rounds of k-means on the sphere; always the same for the same features."""
    rng = np.random.default_rng(7)
    sample = descriptors[rng.permutation(len(descriptors))[:12000]]
    centres = sample[:_NEIGHBOURHOODS].copy()
    for _ in range(5):
        home = (sample @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, home, sample)
        filled = np.linalg.norm(sums, axis=1) > 0
        centres[filled] = sums[filled] / np.linalg.norm(sums[filled], axis=1, keepdims=True)
    return centres
