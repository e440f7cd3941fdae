"""Finds the nearest of very many features quickly: only those in the same neighbourhoods are compared."""

import numpy as np
from numpy.typing import NDArray

_NEIGHBOURHOODS = 192
_PROBED = 10
"""How many neighbourhoods are looked into for each feature."""
_SMALL = 6000
"""Up to so many features everything is compared with everything."""


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

    def nearest(
        self, seen: NDArray[np.float32], many: int, least: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
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

    def _pairs(
        self, seen: NDArray[np.float32], many: int, least: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        parts = []
        if self._centres is None:
            for start in range(0, len(seen), 1000):
                row, column, alike = _best(seen[start : start + 1000] @ self._blocks[0].T, many, least)
                parts.append((row + start, column, alike))
        else:
            near = np.argpartition(-(seen @ self._centres.T), _PROBED, axis=1)[:, :_PROBED].ravel()
            order = np.argsort(near, kind="stable")
            ends = np.searchsorted(near[order], np.arange(len(self._members) + 1))
            for k, members in enumerate(self._members):
                mine = order[ends[k] : ends[k + 1]] // _PROBED
                if not len(mine) or not len(members):
                    continue
                row, column, alike = _best(seen[mine] @ self._blocks[k].T, many, least)
                parts.append((mine[row], members[column], alike))
        rows, columns, likeness = zip(*parts, strict=True) if parts else ((), (), ())
        return (
            np.concatenate([np.empty(0, np.int64), *rows]),
            np.concatenate([np.empty(0, np.int64), *columns]),
            np.concatenate([np.empty(0, np.float32), *likeness]),
        )


def _best(
    alike: NDArray[np.float32], many: int, least: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Of each row at least so many, or all: a picture full of grass is a little like every other one."""
    likely = alike > least
    if alike.shape[1] <= many or np.count_nonzero(likely) < many * len(alike):
        row, column = np.nonzero(likely)
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
