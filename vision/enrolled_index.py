"""Finds the nearest of very many features quickly: only those in the same neighbourhoods are compared."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
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
_AT_ONCE = 8192
"""So many at once are given their neighbourhood: as numbers that can be multiplied they need much memory."""

_Pairs: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]
"""Which of the seen ones, which of the known ones, and how alike."""

_Vectors: TypeAlias = NDArray[np.float32] | NDArray[np.uint8]
"""All of one length. As bytes they need a quarter of the memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbourhoods:
    """Which features are near to each other: it takes a while to find out, and little to keep."""

    centres: NDArray[np.float32]
    """No rows where there are few features."""
    homes: NDArray[np.uint8]
    """The neighbourhood of each feature."""

    @classmethod
    def of(cls, descriptors: _Vectors) -> "Neighbourhoods":
        if len(descriptors) <= _SMALL:
            return cls(centres=np.empty((0, 128), np.float32), homes=np.zeros(len(descriptors), np.uint8))
        centres = _centres(descriptors)
        homes = [
            (descriptors[start : start + _AT_ONCE].astype(np.float32) @ centres.T).argmax(axis=1)
            for start in range(0, len(descriptors), _AT_ONCE)
        ]
        return cls(centres=centres, homes=np.concatenate(homes).astype(np.uint8))

    def fits(self, many: int) -> bool:
        """Whether they may be those of so many features: they may come from a stranger."""
        centres = _NEIGHBOURHOODS if many > _SMALL else 0
        return (
            self.centres.shape == (centres, 128)
            and self.homes.shape == (many,)
            and bool(np.isfinite(self.centres).all())
            and bool((self.homes < max(1, centres)).all())
        )


class FeatureIndex:
    """Over unit vectors; the likeness of two is their dot product."""

    def __init__(
        self, descriptors: _Vectors, near: Neighbourhoods | None = None, *, unit: float = 1.0
    ) -> None:
        """`unit` is the length of the known ones; what is asked for has length 1."""
        near = near or Neighbourhoods.of(descriptors)
        self._unit = np.float32(unit)
        self._centres = near.centres
        order = np.argsort(near.homes, kind="stable")
        ends = np.searchsorted(near.homes[order], np.arange(max(1, len(near.centres))), side="right")
        self._members = np.split(order, ends[:-1])
        self._blocks = np.split(descriptors[order], ends[:-1])

    def nearest(self, seen: NDArray[np.float32], many: int, least: float) -> _Pairs:
        """Pairs of (seen, known) at least so alike, at most `many` for each seen one; and how alike."""
        if not len(seen) or not any(map(len, self._members)):
            none = np.empty(0, np.int64)
            return none, none, np.empty(0, np.float32)
        rows, columns, alike = self._pairs(seen / self._unit, many, least)
        order = np.lexsort((-alike, rows))
        rows, columns, alike = rows[order], columns[order], alike[order]
        start = np.searchsorted(rows, rows, side="left")
        kept = np.arange(len(rows)) - start < many
        return rows[kept], columns[kept], alike[kept]

    def _pairs(self, seen: NDArray[np.float32], many: int, least: float) -> _Pairs:
        parts: list[_Pairs] = []
        if not len(self._centres):
            known = self._blocks[0].astype(np.float32).T
            for start in range(0, len(seen), 1000):
                row, column, alike = _best(seen[start : start + 1000] @ known, many, least)
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
                known = self._blocks[k].astype(np.float32).T
                row, column, alike = _best(seen[mine] @ known, many, bars[mine, None])
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


def _centres(descriptors: _Vectors) -> NDArray[np.float32]:
    """A few rounds of k-means on the sphere; always the same for the same features."""
    rng = np.random.default_rng(7)
    sample = descriptors[rng.permutation(len(descriptors))[:12000]].astype(np.float32)
    centres = sample[:_NEIGHBOURHOODS].copy()
    for _ in range(5):
        home = (sample @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, home, sample)
        filled = np.linalg.norm(sums, axis=1) > 0
        centres[filled] = sums[filled] / np.linalg.norm(sums[filled], axis=1, keepdims=True)
    return centres
