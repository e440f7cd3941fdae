"""Decides by its print which enrolled card lies at a place, or that it is none of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId
from vision.enrolled_features import LearntCard, fitting
from vision.enrolled_print import (
    PRINT_PX,
    Comparison,
    Print,
    Seen,
    agreement,
    compared,
    difference_of_parts,
    glance,
    halfway,
    likeness_of_parts,
    margin,
)
from vision.frame import BgrImage
from vision.image import load_image
from vision.locate_edges import Edges
from vision.locate_free import sharpened, side_support
from vision.pose import Points

RIVAL = 0.4
"""A card with less than this share of the features of another at its place is there by chance."""
_MOST_RIVALS = 5
"""So many cards at one place are compared with what is seen: those with most features."""
_KNOWN = 0.30
"""At least this share of the print must be seen as enrolled."""
_CLOSE = 0.12
"""Cards that share their picture differ by no more than this share of the print."""
_HOPELESS = 0.25
"""Whatever looks so much less like its card than another one at a glance is not compared any further."""
_AS_GOOD = 0.04
_HALFWAY = 0.27
"""Where more of what is in view fits only halfway, it is another card that shares some of the print. Of cards
that no benchmark shows, 38 of 40 own ones have up to 0.2, 44 of 45 strangers that fit at all 0.4 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSighting:
    """A place where the picture of an enrolled card was seen."""

    corners: tuple[tuple[float, float], ...]
    """Top left, top right, bottom right, bottom left of the card as enrolled, in pixels."""
    guesses: tuple[tuple[CardId, float], ...]
    """Cards that share the picture, likeliest first; what is missing to 1 is a card not enrolled."""
    agreement: float
    """The share of its print that was seen as enrolled: the rest is covered, glares or differs."""
    support: int
    """How many features agree."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Find:
    """One card at one place, before anything is compared."""

    card: int
    matrix: NDArray[np.float64]
    """From card widths to pixels."""
    quad: Points
    support: int
    centre: tuple[float, float] = field(init=False)
    size: float = field(init=False)
    """The side of a square as large."""

    def __post_init__(self) -> None:
        # Asked for again and again: every find is compared with all the others.
        x, y = self.quad.mean(axis=0)
        object.__setattr__(self, "centre", (float(x), float(y)))
        object.__setattr__(self, "size", float(np.sqrt(cv2.contourArea(self.quad.astype(np.float32)))))


_Fit = tuple[Find, Comparison]
"""A find, and how its print agrees with what is seen there."""


class Prints:
    """The pictures of enrolled cards, to be compared with what is seen."""

    def __init__(self, cards: Sequence[LearntCard]) -> None:
        self._cards = cards
        self._pictures: dict[int, BgrImage] = {}
        self._prints: dict[int, Print] = {}

    def decide(self, work: BgrImage, rivals: Sequence[Find]) -> PictureSighting | None:
        """By what is printed: of cards that share a picture, the parts where they differ decide."""
        fits = self._fits(work, _keenest(rivals))
        shares = [agreement(print_.alike) for _, print_ in fits]
        best = max(range(len(fits)), key=lambda k: shares[k])
        if shares[best] < _KNOWN:
            return None
        close = [k for k in range(len(fits)) if shares[k] > shares[best] - _CLOSE]
        worth = {k: self._worth(work, k, close, fits) for k in close}
        ranked = sorted(close, key=lambda k: -worth[k])
        powers = np.exp(np.clip([14 * (worth[k] - worth[ranked[0]]) for k in ranked], -40, 0))
        winner, print_ = fits[ranked[0]]
        known = _sigmoid(14 * (shares[ranked[0]] - _KNOWN))
        known *= _sigmoid(30 * (_HALFWAY - halfway(print_.alike, print_.recoloured)))
        return PictureSighting(
            corners=tuple((float(x), float(y)) for x, y in self._snapped(work, winner, print_.alike)),
            guesses=tuple(
                (self._cards[fits[k][0].card].id, float(p))
                for k, p in zip(ranked, powers / powers.sum() * known, strict=True)
            ),
            agreement=shares[ranked[0]],
            support=winner.support,
        )

    def _fits(self, work: BgrImage, finds: Sequence[Find]) -> list[_Fit]:
        """How each looks where its own features put it, or where those of the first put that one.

        Which of both, and whether it may be the card at all, a glance tells.
        """
        first = finds[0]
        there = Seen.of(self._cut(work, first))
        tries = [max(self._tried(work, find, first, there), key=lambda one: one[0]) for find in finds]
        hope = max(likeness for likeness, _, _ in tries) - _HOPELESS
        return [
            (find, compared(seen, self._print(find.card)))
            for likeness, find, seen in tries
            if likeness >= hope
        ]

    def _tried(self, work: BgrImage, find: Find, first: Find, there: Seen) -> list[tuple[float, Find, Seen]]:
        """The card at its own place and at that of the first, which is `there`, with how each looks."""
        known = self._print(find.card)
        tries = []
        if self._cards[find.card].height == self._cards[first.card].height:
            tries.append((glance(there, known), replace(find, matrix=first.matrix, quad=first.quad), there))
        if find is not first:
            seen = Seen.of(self._cut(work, find))
            tries.append((glance(seen, known), find, seen))
        return tries

    def _fit(self, work: BgrImage, find: Find) -> _Fit:
        return find, compared(self._cut(work, find), self._print(find.card))

    def _worth(self, work: BgrImage, one: int, close: Sequence[int], fits: Sequence[_Fit]) -> float:
        """How well a card does against its keenest rival."""
        find, print_ = fits[one]
        margins = []
        for other in close:
            if other == one:
                continue
            # The rival's picture, laid where it would lie, as this card's own picture would show it.
            across = np.linalg.inv(_to_print(find.matrix)) @ _to_print(fits[other][0].matrix)
            size = (PRINT_PX, self._picture(find.card).shape[0])
            rival = np.asarray(
                cv2.warpPerspective(
                    self._picture(fits[other][0].card), across, size, borderMode=cv2.BORDER_REPLICATE
                ),
                np.uint8,
            )
            other_print = Print.of(rival)
            differ = difference_of_parts(self._picture(find.card), other_print)
            as_rival = likeness_of_parts(self._cut(work, find), other_print)
            margins.append(margin(print_.alike, as_rival, differ))
        return min(margins, default=0.0)

    def _snapped(self, work: BgrImage, find: Find, alike: NDArray[np.float32]) -> Points:
        """Features in one half of a card say little about the other: an outline in view knows better.

        Unless it is that of another card on it: then the print fits less well there.
        """
        moved = _onto_outline(work, find.quad)
        if moved is None:
            return find.quad
        matrix = matrix_onto(moved, self._cards[find.card].height)
        _, there = self._fit(work, replace(find, matrix=matrix, quad=moved))
        return moved if agreement(there.alike) > agreement(alike) - _AS_GOOD else find.quad

    def _cut(self, work: BgrImage, find: Find) -> BgrImage:
        size = (PRINT_PX, self._picture(find.card).shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(work, _to_print(find.matrix), size, flags=flags), np.uint8)

    def _picture(self, card: int) -> BgrImage:
        if card not in self._pictures:
            self._pictures[card] = fitting(load_image(self._cards[card].path), PRINT_PX)
        return self._pictures[card]

    def _print(self, card: int) -> Print:
        if card not in self._prints:
            self._prints[card] = Print.of(self._picture(card))
        return self._prints[card]


def matrix_onto(quad: Points, height: float) -> NDArray[np.float64]:
    """From card widths to pixels, for a card of so many widths with these corners."""
    corners = np.array([(0, 0), (1, 0), (1, height), (0, height)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, quad.astype(np.float32)), np.float64)


def _keenest(rivals: Sequence[Find]) -> list[Find]:
    """Cards that share a picture also share its features: a rival with few is there by chance."""
    most = max(find.support for find in rivals)
    keen = [find for find in rivals if find.support >= RIVAL * most]
    return sorted(keen, key=lambda find: -find.support)[:_MOST_RIVALS]


def _sigmoid(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def _to_print(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """From pixels of a picture that is PRINT_PX wide to work pixels."""
    pixel = 1 / PRINT_PX
    return np.asarray(matrix @ np.array([(pixel, 0, pixel / 2), (0, pixel, pixel / 2), (0, 0, 1)]))


def _onto_outline(work: BgrImage, quad: Points) -> Points | None:
    """The same card with its sides on the edges beside them, if there are any."""
    width = float(np.hypot(*(quad[1] - quad[0])))
    x0, y0 = np.maximum(np.floor(quad.min(axis=0) - 0.2 * width), 0).astype(int)
    x1, y1 = np.ceil(quad.max(axis=0) + 0.2 * width).astype(int)
    edges = Edges.of(work[y0:y1, x0:x1])
    origin = np.array([x0, y0], np.float64)
    reaches = (max(4.0, 0.12 * width), max(3.0, 0.05 * width), 3.0)
    moved = sharpened(edges, (quad - origin)[None], reaches)
    sides = side_support(edges, moved, reach=1.5)[0]
    before = side_support(edges, (quad - origin)[None], reach=1.5)[0]
    off = float(np.abs(moved[0] + origin - quad).max())
    if sides.min() < 0.55 or sides.sum() < before.sum() or off > 0.25 * width:
        return None
    return np.asarray(moved[0] + origin)
