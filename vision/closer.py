"""A closer look at heaps: which piece, if any, has its foot at each point where one was marked."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.marks import SAME_POINT, Mark, distance
from vision.networks import Join, MixUp, Networks
from vision.rectify import Rectified
from vision.table import PieceKind

CLOSER = "closer"
_SIDE = 80
"""Pixels of what is looked at: a piece and those around it."""
_UNMARKED = 0.01
"""The chance of a kind that was not marked at a point."""
_SUREST = 0.998
_FARTHEST = 8.0
"""Log-odds beyond this say no more than this."""
_STORE = 40
"""Where more pieces than these are likely lies a store, which nobody counts exactly: each of its points is
looked at once. How many points are marked tells nothing: in pale marble there were 53 around seven pieces."""
_SURELY_NOTHING, _SURELY = 0.02, 0.97
"""Between these a point is in doubt: one of twelve. To look at all of them from every side tells no more."""
_LEAST = 0.01
"""Answers less likely than this are none."""

Floats: TypeAlias = NDArray[np.floating[Any]]
Point: TypeAlias = Sequence[Mark]
"""Marks nearer to each other than two pieces can lie, the likeliest first."""


class CloserLook:
    """Looks at every marked point again, pixel by pixel, and divides the chance of its one piece."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        *kinds, _nothing = networks.answers(CLOSER)
        self.kinds = tuple(PieceKind(kind) for kind in kinds)
        self._join, self._store_join = networks.join(CLOSER), networks.join(CLOSER, store=True)
        self._mix_ups = networks.mix_ups(CLOSER)

    def judged(self, marks: Sequence[Mark], picture: Rectified) -> list[Mark]:
        """The same points with other chances: those at one point are shares of one piece."""
        points = one_point_each([mark for mark in marks if mark.kind in self.kinds])
        others = [mark for mark in marks if mark.kind not in self.kinds and not mark.is_shoulder]
        if not points:
            return others
        if is_store(points):
            sure = shares(self.glance(points, picture), marked(points, self.kinds), self._store_join)
        else:
            sure = shares(self.scores(points, picture), marked(points, self.kinds), self._join)
        chances = doubted(sure, self.kinds, self._mix_ups)
        return others + [
            Mark(kind, at[0].x, at[0].y, float(p), is_share=True)
            for at, row in zip(points, chances, strict=True)
            for kind, p in zip(self.kinds, row, strict=True)
            if p > _LEAST
        ]

    def scores(self, points: Sequence[Point], picture: Rectified) -> Floats:
        """One row for each point: how much speaks for each kind, and last for nothing at all.

        A point is looked at straight and in a mirror, and if that leaves it in doubt from every side.
        """
        straight = _patches(points, picture)
        found = self._mean_of(both_ways(straight))
        unsure = is_in_doubt(shares(found, marked(points, self.kinds), self._join))
        if unsure.any():
            found[unsure] = self._mean_of(every_way(straight[unsure]))
        return found

    def glance(self, points: Sequence[Point], picture: Rectified) -> Floats:
        """The same of one look each: a store has a hundred points, and a doubt is nothing new there."""
        return self._mean_of([_patches(points, picture)])

    def _mean_of(self, ways: Sequence[NDArray[np.uint8]]) -> Floats:
        """What the network says about the same patches in all these ways."""
        looks = self._networks.run(CLOSER, np.concatenate(ways))
        return np.asarray(looks.reshape(len(ways), len(ways[0]), -1).mean(axis=0), np.float32)


def is_store(points: Sequence[Point]) -> bool:
    """Whether so many pieces lie here that nobody counts them exactly."""
    return sum(at[0].p for at in points if not at[0].is_shoulder) > _STORE


def _patches(points: Sequence[Point], picture: Rectified) -> NDArray[np.uint8]:
    """What lies around each point."""
    feet = picture.to_pixels(np.array([(at[0].x, at[0].y) for at in points]))
    image = np.ascontiguousarray(picture.image)
    cuts = [cv2.getRectSubPix(image, (_SIDE, _SIDE), (float(x), float(y))) for x, y in feet]
    return np.stack([np.asarray(patch, np.uint8) for patch in cuts])


def both_ways(patches: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Straight and in a mirror."""
    return [patches, patches[:, :, ::-1]]


def every_way(patches: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Turned by quarters, and in a mirror."""
    sides = [*both_ways(patches), *both_ways(patches[:, ::-1])]
    return [*sides, *(side.transpose(0, 2, 1, 3) for side in sides)]


def is_in_doubt(chances: Floats) -> NDArray[np.bool_]:
    """Whether a point is neither surely nothing nor surely of one kind."""
    return np.asarray((chances.sum(axis=1) > _SURELY_NOTHING) & (chances.max(axis=1) < _SURELY), np.bool_)


def one_point_each(marks: Sequence[Mark], near: float = SAME_POINT) -> list[list[Mark]]:
    """Marks of any kinds, put together where they can only be one piece."""
    points: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda mark: -mark.p):
        here = [at for at in points if distance(mark, (at[0].x, at[0].y)) < near]
        if here:
            min(here, key=lambda at: distance(mark, (at[0].x, at[0].y))).append(mark)
        else:
            points.append([mark])
    return points


def marked(points: Sequence[Point], kinds: Sequence[PieceKind]) -> Floats:
    """The chance of each kind at each point, as it was marked."""
    found = np.zeros((len(points), len(kinds)), np.float32)
    for row, at in zip(found, points, strict=True):
        for mark in at:
            column = kinds.index(mark.kind)
            row[column] = max(row[column], mark.p)
    return found


def shares(scores: Floats, marks: Floats, join: Join) -> Floats:
    """How likely each kind lies at each point.

    The marks see all around and know best whether something lies there; the closer look sees its shape and
    knows best what it is.
    """
    kinds = join.kind_look * scores[:, :-1] + join.kind_marks * kinds_marked(marks)
    kinds = np.exp(kinds - kinds.max(axis=1, keepdims=True))
    there = join.there_marks * something_marked(marks) + join.there_look * something_seen(scores)
    return np.asarray(kinds / (kinds.sum(axis=1) * (1 + np.exp(-there - join.there_offset)))[:, None])


def doubted(chances: Floats, kinds: Sequence[PieceKind], mix_ups: Sequence[MixUp]) -> Floats:
    """The same chances, none of them surer than the mistakes that are known to be made with confidence."""
    found = np.array(chances)
    for mixed in mix_ups:
        called, other = kinds.index(PieceKind(mixed.called)), kinds.index(PieceKind(mixed.other))
        both = found[:, called] + found[:, other]
        found[:, other] = np.maximum(found[:, other], mixed.share * both)
        found[:, called] = both - found[:, other]
    return found


def kinds_marked(marks: Floats) -> Floats:
    """The log-odds of each kind's mark."""
    p = np.maximum(marks, _UNMARKED)
    return np.asarray(np.log(p / (1 - p + 1e-6)))


def something_marked(marks: Floats) -> Floats:
    """The log-odds that any of the marks at a point is right."""
    p = np.clip(1 - np.prod(1 - marks, axis=1), 1 - _SUREST, _SUREST)
    return np.asarray(np.log(p / (1 - p)), np.float32)


def something_seen(scores: Floats) -> Floats:
    """By how much the kinds together outweigh nothing."""
    most = scores[:, :-1].max(axis=1)
    kinds = most + np.log(np.exp(scores[:, :-1] - most[:, None]).sum(axis=1))
    return np.asarray(np.clip(kinds - scores[:, -1], -_FARTHEST, _FARTHEST), np.float32)
