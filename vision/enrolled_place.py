"""Where enrolled cards lie: each pair of features votes for a place, and votes that agree are fitted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.enrolled_decide import RIVAL, Find
from vision.enrolled_features import Features
from vision.middle import median
from vision.pose import Points

_FEWEST = 7
"""So many features must agree on where a card lies."""
_HOPE = 6
"""So many pairs must fall into one bin, or the card is not looked for any further."""
_HALVES = (0.0, 0.5)
"""Votes are binned twice, half a step apart: no cluster lies on the border of both."""
_MOST_COPIES = 12
_SAME_PLACE = 0.4
"""Cards whose centres are no farther apart than this share of their size are rivals for one place."""
_ENOUGH = 8
"""Where so many cards were fitted, those with fewer votes are not: no more than five are compared there."""
_ABOUT_THERE = 0.6
"""What is counted before a rival is given up: a single pair is not exact about the centre."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Votes:
    """Pairs of features (seen, known), card after card, and where each alone puts its card."""

    rows: NDArray[np.int64]
    """Of the seen features."""
    columns: NDArray[np.int64]
    """Of the known features."""
    centres: Points
    scales: NDArray[np.float64]
    turns: NDArray[np.float64]
    bins: tuple[NDArray[np.int64], ...]
    """The same number for those that agree, roughly; within a card without gaps. Twice, half a step aside."""

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, mine: slice) -> "Votes":
        """The votes for one card, their bins numbered from 0."""
        return Votes(
            rows=self.rows[mine],
            columns=self.columns[mine],
            centres=self.centres[mine],
            scales=self.scales[mine],
            turns=self.turns[mine],
            bins=tuple(bins[mine] - bins[mine].min() for bins in self.bins),
        )

    def most_agreeing(self, left: NDArray[np.bool_]) -> int:
        """How many of those left are in the fullest bin."""
        return max(int(np.bincount(bins[left]).max(initial=0)) for bins in self.bins)

    def largest_cluster(self, left: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Those left over that agree on centre, size and turn with the fullest bin."""
        index = np.flatnonzero(left)
        if not len(index):
            return index
        fullest = index[:0]
        for bins in self.bins:
            mine = bins[index]
            counts = np.bincount(mine)
            commonest = int(counts.argmax())
            if counts[commonest] > len(fullest):
                fullest = index[mine == commonest]
        centre, scale = median(self.centres[fullest]), float(median(self.scales[fullest]))
        turn = float(np.angle(np.exp(1j * self.turns[fullest]).mean()))
        agree = (np.abs(self.centres[index] - centre) < 0.4 * scale).all(axis=1)
        agree &= np.abs(np.log(self.scales[index] / scale)) < 0.5
        agree &= np.abs((self.turns[index] - turn + np.pi) % (2 * np.pi) - np.pi) < 0.5
        return index[agree] if np.count_nonzero(agree) >= len(fullest) else fullest


class Places:
    """Known cards, to be placed in a picture by pairs of features."""

    def __init__(self, known: Features, heights: NDArray[np.float64]) -> None:
        self._known = known
        self._heights = heights

    def of(
        self,
        seen: Features,
        owners: NDArray[np.int64],
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
    ) -> list[Find]:
        """Every card of which enough features agree; pairs come sorted by the card that owns the known one.

        The cards with most agreement come first: whoever has far less at the same place is not fitted, for
        it would not be compared with what is printed there either.
        """
        if not len(owners):
            return []
        votes = self._votes(seen, owners, rows, columns)
        many = _most_agreeing(owners, votes.bins)
        starts = np.searchsorted(owners, np.arange(len(many) + 1))
        finds: list[Find] = []
        firsts: list[_First] = []
        for card in np.argsort(-many, kind="stable").tolist():
            if many[card] < _HOPE:
                break
            if starts[card + 1] - starts[card] >= _FEWEST:
                mine = votes.part(slice(int(starts[card]), int(starts[card + 1])))
                for find in self._copies(seen, card, mine, _Firsts.of(firsts)):
                    finds.append(find)
                    beside = [first for first in firsts if _are_rivals(find, first.find)]
                    for first in beside:
                        first.fitted += 1
                    if all(find.support > first.find.support for first in beside):
                        firsts.append(_First(find, 1 + len(beside)))
        return finds

    def _votes(
        self,
        seen: Features,
        owners: NDArray[np.int64],
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
    ) -> Votes:
        """Where each pair alone puts its card's centre, how large and how turned."""
        known = self._known
        scales = (seen.sizes[rows] / np.maximum(known.sizes[columns], 1e-6)).astype(np.float64)
        turns = (seen.turns[rows] - known.turns[columns]).astype(np.float64)
        middle = np.stack([np.full(len(columns), 0.5), self._heights[owners] / 2], axis=1)
        middle -= known.places[columns]
        cos, sin = np.cos(turns) * scales, np.sin(turns) * scales
        shift = np.stack(
            [middle[:, 0] * cos - middle[:, 1] * sin, middle[:, 0] * sin + middle[:, 1] * cos], 1
        )
        centres = seen.places[rows] + shift
        bins = tuple(_numbered(owners, _bins(centres, scales, turns, half)) for half in _HALVES)
        return Votes(rows=rows, columns=columns, centres=centres, scales=scales, turns=turns, bins=bins)

    def _copies(self, seen: Features, card: int, votes: Votes, firsts: "_Firsts") -> list[Find]:
        """Where the card lies, once for each copy: features that agree on a place are taken away in turn."""
        finds: list[Find] = []
        left = ~self._outdone(card, votes, firsts)
        if votes.most_agreeing(left) < _HOPE:
            return finds
        for _ in range(_MOST_COPIES + 4):
            cluster = votes.largest_cluster(left)
            if len(set(votes.columns[cluster].tolist())) < _FEWEST:
                break
            find, used = self._fitted(seen, card, votes.rows[cluster], votes.columns[cluster])
            left[cluster] &= used if used is not None else False
            if find is not None:
                finds.append(find)
                left &= ~_inside(find.quad, seen.places[votes.rows])
        return finds

    def _outdone(self, card: int, votes: Votes, firsts: "_Firsts") -> NDArray[np.bool_]:
        """The votes for places where so few agree on this card that another there has no rival in it."""
        sizes = votes.scales * np.sqrt(self._heights[card])
        off = np.hypot(*(votes.centres[:, None] - firsts.centres).transpose(2, 0, 1))
        off /= np.minimum(sizes[:, None], firsts.sizes)
        few = np.count_nonzero(off < _ABOUT_THERE, axis=0) < RIVAL * firsts.support
        few |= firsts.fitted >= _ENOUGH
        return np.asarray((few & (off < _SAME_PLACE)).any(axis=1))

    def _fitted(
        self, seen: Features, card: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> tuple[Find | None, NDArray[np.bool_] | None]:
        source, target = self._known.places[columns], seen.places[rows]
        scale = float(np.sqrt(np.ptp(target[:, 0]) ** 2 + np.ptp(target[:, 1]) ** 2))
        matrix, inliers = cv2.findHomography(
            source, target, cv2.USAC_MAGSAC, max(2.0, 0.01 * scale), None, 2000, 0.995
        )
        if matrix is None or inliers is None:
            return None, None
        kept = inliers.ravel().astype(bool)
        if len(set(columns[kept].tolist())) < _FEWEST:
            return None, None
        height = float(self._heights[card])
        corners = np.array([(0, 0), (1, 0), (1, height), (0, height)])
        quad = cv2.perspectiveTransform(corners[None], matrix)[0]
        if not _is_card_like(quad, height):
            return None, None
        find = Find(
            card=card, matrix=np.asarray(matrix, np.float64), quad=np.asarray(quad), support=int(kept.sum())
        )
        return find, ~kept


@dataclass(slots=True, eq=False)
class _First:
    """A find with most features at its place, and how many cards were fitted there."""

    find: Find
    fitted: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Firsts:
    """The finds with most features at each place."""

    centres: Points
    sizes: NDArray[np.float64]
    support: NDArray[np.int64]
    fitted: NDArray[np.int64]

    @classmethod
    def of(cls, firsts: Sequence[_First]) -> "_Firsts":
        return cls(
            centres=np.array([first.find.centre for first in firsts], np.float64).reshape(-1, 2),
            sizes=np.array([first.find.size for first in firsts], np.float64),
            support=np.array([first.find.support for first in firsts], np.int64),
            fitted=np.array([first.fitted for first in firsts], np.int64),
        )


def grouped(finds: Sequence[Find]) -> list[list[Find]]:
    """Finds at the same place are rivals."""
    groups: list[list[Find]] = []
    for find in sorted(finds, key=lambda find: -find.support):
        for group in groups:
            first = group[0]
            if _are_rivals(find, first):
                if all(find.card != other.card for other in group):
                    group.append(find)
                break
        else:
            groups.append([find])
    return groups


def _are_rivals(one: Find, other: Find) -> bool:
    off = math.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return off < _SAME_PLACE * min(one.size, other.size)


def _bins(
    centres: Points, scales: NDArray[np.float64], turns: NDArray[np.float64], half: float
) -> NDArray[np.int64]:
    """The same number for places, sizes and turns that are about the same."""
    level = np.floor(np.log2(scales) / 0.8 + half).astype(np.int64)
    around = np.floor((turns % (2 * np.pi)) / (np.pi / 5) + half).astype(np.int64) % 10
    place = np.floor(centres / (0.6 * 2.0 ** (level * 0.8))[:, None] + half).astype(np.int64)
    return np.asarray(((level * 10 + around) * 8192 + place[:, 0]) * 8192 + place[:, 1])


def _numbered(owners: NDArray[np.int64], bins: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bins of all cards counted through, those of a card one after the other."""
    order = np.lexsort((bins, owners))
    other = (np.diff(bins[order]) != 0) | (np.diff(owners[order]) != 0)
    numbers = np.empty(len(bins), np.int64)
    numbers[order] = np.concatenate([[0], np.cumsum(other)])
    return numbers


def _most_agreeing(owners: NDArray[np.int64], bins: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """How many pairs of each card are in its fullest bin: most cards are not in a picture at all."""
    many = np.zeros(int(owners[-1]) + 1, np.int64)
    for numbers in bins:
        counts = np.bincount(numbers)
        np.maximum.at(many, owners, counts[numbers])
    return many


def _is_card_like(quad: Points, height: float) -> bool:
    """Convex, not mirrored, not a sliver, and foreshortened no more than a table can be."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    area = float(cv2.contourArea(quad.astype(np.float32), True))
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if area < 600 or sides.min() < 16:
        return False
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > 1.8:
        return False
    seen = (sides[1] + sides[3]) / (sides[0] + sides[2])
    return bool(0.33 < seen / height < 3)


def _inside(quad: Points, places: Points) -> NDArray[np.bool_]:
    edges = np.roll(quad, -1, axis=0) - quad
    off = places[:, None, :] - quad[None]
    return np.asarray((edges[:, 0] * off[..., 1] - edges[:, 1] * off[..., 0] > 0).all(axis=1))
