"""Finds cards that were enrolled from one picture each, of any game, anywhere in a photograph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardPack
from vision.enrolled_features import Features, LearntCard, find_features, fitting, learn_all
from vision.enrolled_index import FeatureIndex
from vision.enrolled_print import (
    PRINT_PX,
    agreement,
    difference_of_parts,
    halfway,
    likeness_of_parts,
    margin,
)
from vision.frame import BgrImage
from vision.image import load_image
from vision.locate_edges import Edges
from vision.locate_free import sharpened, side_support
from vision.pose import Points

_WORK_PIXELS = 1_400_000
_MOST_FEATURES = 6000
_NEIGHBOURS = 12
"""A picture may be shared by that many cards, less those that look like it by chance."""
_ALIKE = 0.80
_FEWEST = 7
"""So many features must agree on where a card lies."""
_HOPE = 6
"""So many pairs must fall into one bin, or the card is not looked for any further."""
_MOST_COPIES = 12
_RIVAL = 0.4
_MOST_RIVALS = 5
"""So many cards at one place are compared with what is seen: those with most features."""
_KNOWN = 0.30
"""At least this share of the print must be seen as enrolled."""
_CLOSE = 0.12
"""Cards that share their picture differ by no more than this share of the print."""
_HALFWAY = 0.37
"""Where more of what is in view fits only halfway, it is another card that shares some of the print."""


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
class _Find:
    """One card at one place, before anything is compared."""

    card: int
    matrix: NDArray[np.float64]
    """From card widths to work pixels."""
    quad: Points
    support: int


_Fit = tuple[_Find, NDArray[np.float32]]
"""A find, and how alike the parts of its print are."""


class Gallery:
    """The pictures of a pack, ready to be found."""

    def __init__(self, cards: Sequence[LearntCard]) -> None:
        self.cards = tuple(cards)
        self._owner = np.repeat(np.arange(len(self.cards)), [len(card.features) for card in self.cards])
        self._known = _joined([card.features for card in self.cards])
        self._index = FeatureIndex(self._known.descriptors)
        self._heights = np.array([card.height for card in self.cards])
        self._pictures: dict[int, BgrImage] = {}

    @classmethod
    def open(cls, folder: Path, pack: CardPack) -> "Gallery":
        """All cards of a pack that have a picture; features are kept beside it for the next time."""
        return cls.of_images(folder, {card.id: card.image for card in pack.cards if card.image is not None})

    @classmethod
    def of_images(cls, folder: Path, images: Mapping[CardId, str]) -> "Gallery":
        return cls(learn_all(folder, images))

    def find(self, image: BgrImage) -> tuple[PictureSighting, ...]:
        """Every enrolled card that can be seen, copies included; the surest first."""
        if not self.cards:
            return ()
        work, step = _work_size(image)
        gray = np.asarray(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), np.uint8)
        seen = find_features(gray, _MOST_FEATURES)
        finds = [find for votes in self._votes(seen) for find in self._placed(seen, *votes)]
        sightings = []
        for rivals in _grouped(finds):
            sighting = self._decided(work, rivals)
            if sighting is not None:
                sightings.append(_scaled(_snapped(work, sighting), step))
        return tuple(sorted(sightings, key=lambda sighting: -sighting.support))

    # --- where -----------------------------------------------------------------------------------------

    def _votes(self, seen: Features) -> list[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
        """For each card the pairs of features (seen, known) that speak for it."""
        rows, columns, alike = self._index.nearest(seen.descriptors, _NEIGHBOURS, _ALIKE)
        owners = self._owner[columns]
        order = np.lexsort((-alike, rows, owners))
        rows, columns, owners = rows[order], columns[order], owners[order]
        # Patterns repeat within a picture: of one card only the two features most alike count.
        pair = owners * (len(seen) + 1) + rows
        kept = np.arange(len(pair)) - np.searchsorted(pair, pair) < 2
        rows, columns, owners = rows[kept], columns[kept], owners[kept]
        hopeful = self._hopeful(seen, owners, rows, columns)
        rows, columns, owners = rows[hopeful], columns[hopeful], owners[hopeful]
        cards, starts = np.unique(owners, return_index=True)
        ends = [*starts[1:], len(owners)]
        return [
            (int(card), rows[start:end], columns[start:end])
            for card, start, end in zip(cards, starts, ends, strict=True)
            if end - start >= _FEWEST
        ]

    def _hopeful(
        self,
        seen: Features,
        owners: NDArray[np.int64],
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """The pairs of cards for which some agree on a place at all: most cards are not in a picture."""
        many = np.zeros(len(self.cards), np.int64)
        for half in (0.0, 0.5):
            bins = _bins(*self._predicted(seen, owners, rows, columns), half)
            _, first, counts = np.unique(
                np.stack([owners, bins]), axis=1, return_index=True, return_counts=True
            )
            np.maximum.at(many, owners[first], counts)
        return np.asarray(many[owners] >= _HOPE)

    def _placed(
        self, seen: Features, card: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> list[_Find]:
        """Where the card lies, once for each copy: features that agree on a place are taken away in turn."""
        finds: list[_Find] = []
        centres, scales, turns = self._predicted(seen, card, rows, columns)
        left = np.ones(len(rows), bool)
        for _ in range(_MOST_COPIES + 4):
            cluster = _largest_cluster(centres, scales, turns, left)
            if len(np.unique(columns[cluster])) < _FEWEST:
                break
            find, used = self._fitted(seen, card, rows, columns, cluster)
            left[cluster] &= used if used is not None else False
            if find is not None:
                finds.append(find)
                inside = _inside(find.quad, seen.places[rows])
                left &= ~inside
        return finds

    def _predicted(
        self,
        seen: Features,
        card: int | NDArray[np.int64],
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
    ) -> tuple[Points, NDArray[np.float64], NDArray[np.float64]]:
        """Where each pair alone puts the card's centre, how large and how turned."""
        known = self._known
        scales = (seen.sizes[rows] / np.maximum(known.sizes[columns], 1e-6)).astype(np.float64)
        turns = (seen.turns[rows] - known.turns[columns]).astype(np.float64)
        heights = np.broadcast_to(self._heights[card], len(columns))
        middle = np.stack([np.full(len(columns), 0.5), heights / 2], axis=1) - known.places[columns]
        cos, sin = np.cos(turns) * scales, np.sin(turns) * scales
        shift = np.stack(
            [middle[:, 0] * cos - middle[:, 1] * sin, middle[:, 0] * sin + middle[:, 1] * cos], 1
        )
        return seen.places[rows] + shift, scales, turns

    def _fitted(
        self,
        seen: Features,
        card: int,
        rows: NDArray[np.int64],
        columns: NDArray[np.int64],
        cluster: NDArray[np.int64],
    ) -> tuple[_Find | None, NDArray[np.bool_] | None]:
        source, target = self._known.places[columns[cluster]], seen.places[rows[cluster]]
        scale = float(np.sqrt(np.ptp(target[:, 0]) ** 2 + np.ptp(target[:, 1]) ** 2))
        matrix, inliers = cv2.findHomography(
            source, target, cv2.USAC_MAGSAC, max(2.0, 0.01 * scale), None, 2000, 0.995
        )
        if matrix is None or inliers is None:
            return None, None
        kept = inliers.ravel().astype(bool)
        if len(np.unique(columns[cluster][kept])) < _FEWEST:
            return None, None
        height = self.cards[card].height
        corners = np.array([(0, 0), (1, 0), (1, height), (0, height)])
        quad = cv2.perspectiveTransform(corners[None], matrix)[0]
        if not _is_card_like(quad, height):
            return None, None
        find = _Find(
            card=card, matrix=np.asarray(matrix, np.float64), quad=np.asarray(quad), support=int(kept.sum())
        )
        return find, ~kept

    # --- which -----------------------------------------------------------------------------------------

    def _decided(self, work: BgrImage, rivals: Sequence[_Find]) -> PictureSighting | None:
        """By what is printed: of cards that share a picture, the parts where they differ decide."""
        fits = self._fits(work, _keenest(rivals))
        shares = [agreement(alike) for _, alike in fits]
        best = max(range(len(fits)), key=lambda k: shares[k])
        if shares[best] < _KNOWN:
            return None
        close = [k for k in range(len(fits)) if shares[k] > shares[best] - _CLOSE]
        worth = {k: self._worth(work, k, close, fits) for k in close}
        ranked = sorted(close, key=lambda k: -worth[k])
        powers = np.exp(np.clip([14 * (worth[k] - worth[ranked[0]]) for k in ranked], -40, 0))
        winner, alike = fits[ranked[0]]
        known = _sigmoid(14 * (shares[ranked[0]] - _KNOWN)) * _sigmoid(30 * (_HALFWAY - halfway(alike)))
        guesses = tuple(
            (self.cards[fits[k][0].card].id, float(p))
            for k, p in zip(ranked, powers / powers.sum() * known, strict=True)
        )
        return PictureSighting(
            corners=tuple((float(x), float(y)) for x, y in winner.quad),
            guesses=guesses,
            agreement=shares[ranked[0]],
            support=winner.support,
        )

    def _fits(self, work: BgrImage, finds: Sequence[_Find]) -> list[_Fit]:
        """How each looks where its own features put it, or better where those of the first put that one."""
        fits = []
        for find in finds:
            places = [find]
            if find is not finds[0] and self._heights[find.card] == self._heights[finds[0].card]:
                places.append(replace(find, matrix=finds[0].matrix, quad=finds[0].quad))
            tried = [(at, likeness_of_parts(self._cut(work, at), self._picture(at.card))) for at in places]
            fits.append(max(tried, key=lambda fit: agreement(fit[1])))
        return fits

    def _worth(self, work: BgrImage, one: int, close: Sequence[int], fits: Sequence[_Fit]) -> float:
        """How well a card does against its keenest rival."""
        find, alike = fits[one]
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
            differ = difference_of_parts(self._picture(find.card), rival)
            margins.append(margin(alike, likeness_of_parts(self._cut(work, find), rival), differ))
        return min(margins, default=0.0)

    def _cut(self, work: BgrImage, find: _Find) -> BgrImage:
        size = (PRINT_PX, self._picture(find.card).shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(work, _to_print(find.matrix), size, flags=flags), np.uint8)

    def _picture(self, card: int) -> BgrImage:
        if card not in self._pictures:
            self._pictures[card] = fitting(load_image(self.cards[card].path), PRINT_PX)
        return self._pictures[card]


def _keenest(rivals: Sequence[_Find]) -> list[_Find]:
    """Cards that share a picture also share its features: a rival with few is there by chance."""
    most = max(find.support for find in rivals)
    keen = [find for find in rivals if find.support > _RIVAL * most]
    return sorted(keen, key=lambda find: -find.support)[:_MOST_RIVALS]


def _sigmoid(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def _to_print(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """From pixels of a picture that is PRINT_PX wide to work pixels."""
    pixel = 1 / PRINT_PX
    return np.asarray(matrix @ np.array([(pixel, 0, pixel / 2), (0, pixel, pixel / 2), (0, 0, 1)]))


def _work_size(image: BgrImage) -> tuple[BgrImage, float]:
    height, width = image.shape[:2]
    step = max(1.0, float(np.sqrt(width * height / _WORK_PIXELS)))
    if step == 1.0:
        return image, 1.0
    size = (round(width / step), round(height / step))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), width / size[0]


def _scaled(sighting: PictureSighting, step: float) -> PictureSighting:
    corners = tuple(((x + 0.5) * step - 0.5, (y + 0.5) * step - 0.5) for x, y in sighting.corners)
    return PictureSighting(
        corners=corners, guesses=sighting.guesses, agreement=sighting.agreement, support=sighting.support
    )


def _snapped(work: BgrImage, sighting: PictureSighting) -> PictureSighting:
    """Features in one half of a card say little about the other: where its outline is seen, that decides."""
    quad = np.array(sighting.corners)
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
        return sighting
    return replace(sighting, corners=tuple((float(x), float(y)) for x, y in moved[0] + origin))


def _joined(parts: Sequence[Features]) -> Features:
    if not parts:
        none = np.empty(0, np.float32)
        return Features(
            places=np.empty((0, 2)), sizes=none, turns=none, descriptors=np.empty((0, 128), np.float32)
        )
    return Features(
        places=np.concatenate([part.places for part in parts]),
        sizes=np.concatenate([part.sizes for part in parts]),
        turns=np.concatenate([part.turns for part in parts]),
        descriptors=np.concatenate([part.descriptors for part in parts]),
    )


def _bins(
    centres: Points, scales: NDArray[np.float64], turns: NDArray[np.float64], half: float
) -> NDArray[np.int64]:
    """The same number for places, sizes and turns that are about the same."""
    level = np.floor(np.log2(scales) / 0.8 + half).astype(np.int64)
    around = np.floor((turns % (2 * np.pi)) / (np.pi / 5) + half).astype(np.int64) % 10
    place = np.floor(centres / (0.6 * 2.0 ** (level * 0.8))[:, None] + half).astype(np.int64)
    return np.asarray(((level * 10 + around) * 8192 + place[:, 0]) * 8192 + place[:, 1])


def _largest_cluster(
    centres: Points, scales: NDArray[np.float64], turns: NDArray[np.float64], left: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The pairs that agree on centre, size and turn with the fullest bin; bins lie half a step apart."""
    index = np.flatnonzero(left)
    if not len(index):
        return index
    fullest = index[:0]
    for half in (0.0, 0.5):
        bins = _bins(centres[index], scales[index], turns[index], half)
        _, which, many = np.unique(bins, return_inverse=True, return_counts=True)
        mine = index[which == int(many.argmax())]
        if len(mine) > len(fullest):
            fullest = mine
    centre, scale = np.median(centres[fullest], axis=0), float(np.median(scales[fullest]))
    turn = float(np.angle(np.exp(1j * turns[fullest]).mean()))
    agree = np.abs(centres[index] - centre).max(axis=1) < 0.4 * scale
    agree &= np.abs(np.log(scales[index] / scale)) < 0.5
    agree &= np.abs((turns[index] - turn + np.pi) % (2 * np.pi) - np.pi) < 0.5
    return index[agree] if agree.sum() >= len(fullest) else fullest


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


def _grouped(finds: Sequence[_Find]) -> list[list[_Find]]:
    """Finds at the same place are rivals."""
    groups: list[list[_Find]] = []
    for find in sorted(finds, key=lambda find: -find.support):
        centre, size = find.quad.mean(axis=0), np.sqrt(cv2.contourArea(find.quad.astype(np.float32)))
        for group in groups:
            first = group[0].quad
            if np.hypot(*(first.mean(axis=0) - centre)) < 0.4 * min(
                size, np.sqrt(cv2.contourArea(first.astype(np.float32)))
            ):
                if all(find.card != other.card for other in group):
                    group.append(find)
                break
        else:
            groups.append([find])
    return groups
