"""Finds cards that were enrolled from one picture each, of any game, anywhere in a photograph."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardPack
from vision.enrolled_decide import Find, PictureSighting, Prints, matrix_onto
from vision.enrolled_features import LEVELS, Features, find_features, thumbnail
from vision.enrolled_index import FeatureIndex
from vision.enrolled_kept import Learnt, learn_all
from vision.frame import BgrImage
from vision.middle import median
from vision.pose import Points
from vision.shrink import shrunk

_WORK_PIXELS = 1_400_000
_MOST_FEATURES = 6000
_NEIGHBOURS = 12
"""A picture may be shared by that many cards, less those that look like it by chance."""
_ALIKE = 0.80
_FEWEST = 7
"""So many features must agree on where a card lies."""
_HOPE = 6
"""So many pairs must fall into one bin, or the card is not looked for any further."""
_HALVES = (0.0, 0.5)
"""Votes are binned twice, half a step apart: no cluster lies on the border of both."""
_MOST_COPIES = 12
_LOOKALIKES = 3
"""So many enrolled cards are compared with what an outline holds."""
_LEAST_ALIKE = 0.5
"""What is less like a card at a glance is not compared with it."""
_LEANING = 1.7
"""So much shorter or longer than enrolled may a card look that lies far away or aside."""


class Smaller(NamedTuple):
    """A picture as large as cards are looked for in."""

    work: BgrImage
    step: float
    """How many pixels of the whole picture one of it is."""


class Gallery:
    """The pictures of a pack, ready to be found."""

    def __init__(self, learnt: Learnt) -> None:
        self.cards = learnt.cards
        self._owner = np.repeat(np.arange(len(self.cards)), [len(card.features) for card in self.cards])
        self._known = _joined([card.features for card in self.cards])
        self._index = FeatureIndex(learnt.descriptors, learnt.near, unit=LEVELS)
        self._heights = np.array([card.height for card in self.cards])
        self._thumbnails = _unit_vectors([card.thumbnail for card in self.cards])
        self._prints = Prints(self.cards)

    @classmethod
    def open(cls, folder: Path, pack: CardPack) -> "Gallery":
        """All cards of a pack that have a picture; features are kept beside it for the next time."""
        return cls.of_images(folder, {card.id: card.image for card in pack.cards if card.image is not None})

    @classmethod
    def of_images(cls, folder: Path, images: Mapping[CardId, str]) -> "Gallery":
        return cls(learn_all(folder, images))

    @staticmethod
    def smaller(image: BgrImage) -> Smaller:
        """A copy of the size at which cards are looked for: made once for whatever is asked of it."""
        height, width = image.shape[:2]
        return Smaller(*shrunk(image, float(np.sqrt(width * height / _WORK_PIXELS))))

    def find(self, image: BgrImage | Smaller) -> tuple[PictureSighting, ...]:
        """Every enrolled card that can be seen, copies included; the surest first."""
        if not self.cards:
            return ()
        work, step = image if isinstance(image, Smaller) else self.smaller(image)
        gray = np.asarray(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), np.uint8)
        seen, descriptors = find_features(gray, _MOST_FEATURES)
        finds = [find for votes in self._votes(seen, descriptors) for find in self._placed(seen, *votes)]
        with ThreadPoolExecutor(2) as pool:  # each place by itself, and hardly any of it is Python's
            decided = pool.map(lambda rivals: self._prints.decide(work, rivals), _grouped(finds))
            sightings = [_scaled(sighting, step) for sighting in decided if sighting is not None]
        return tuple(sorted(sightings, key=lambda sighting: -sighting.support))

    def name(
        self, image: BgrImage | Smaller, outlines: Sequence[tuple[tuple[float, float], ...]]
    ) -> list[PictureSighting | None]:
        """The card that fills each outline: for pictures with too few features to be found by them."""
        work, step = image if isinstance(image, Smaller) else self.smaller(image)
        sightings = []
        for outline in outlines:
            finds = self._lookalikes(work, (np.array(outline) + 0.5) / step - 0.5) if self.cards else []
            sighting = self._prints.decide(work, finds) if finds else None
            sightings.append(None if sighting is None else _scaled(sighting, step))
        return sightings

    def _lookalikes(self, work: BgrImage, outline: Points) -> list[Find]:
        """The cards that look most like it at a glance, any way up."""
        ranked: list[tuple[float, Find]] = []
        for turn in range(4):
            quad = np.roll(outline, turn, axis=0)
            sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
            seen = (sides[1] + sides[3]) / (sides[0] + sides[2])
            alike = self._thumbnails @ _unit_vectors([_glance(work, quad)])[0]
            alike[np.abs(np.log(seen / self._heights)) > np.log(_LEANING)] = -1.0
            for card in np.argsort(-alike)[:_LOOKALIKES]:
                if alike[card] > _LEAST_ALIKE:
                    matrix = matrix_onto(quad, float(self._heights[card]))
                    find = Find(card=int(card), matrix=matrix, quad=quad, support=0)
                    ranked.append((float(alike[card]), find))
        return [find for _, find in sorted(ranked, key=lambda pair: -pair[0])[:_LOOKALIKES]]

    # --- where -----------------------------------------------------------------------------------------

    def _votes(
        self, seen: Features, descriptors: NDArray[np.float32]
    ) -> list[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
        """For each card the pairs of features (seen, known) that speak for it."""
        rows, columns, alike = self._index.nearest(descriptors, _NEIGHBOURS, _ALIKE)
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
        ends = np.append(starts, len(owners))[1:]
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
        predicted = self._predicted(seen, owners, rows, columns)
        for half in _HALVES:
            bins = _bins(*predicted, half)
            order = np.lexsort((bins, owners))
            sorted_bins, sorted_owners = bins[order], owners[order]
            other = (sorted_bins[1:] != sorted_bins[:-1]) | (sorted_owners[1:] != sorted_owners[:-1])
            starts = np.flatnonzero(np.concatenate([[True], other])) if len(order) else order
            np.maximum.at(many, sorted_owners[starts], np.diff(starts, append=len(order)))
        return np.asarray(many[owners] >= _HOPE)

    def _placed(
        self, seen: Features, card: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> list[Find]:
        """Where the card lies, once for each copy: features that agree on a place are taken away in turn."""
        finds: list[Find] = []
        votes = _Votes.of(*self._predicted(seen, card, rows, columns))
        left = np.ones(len(rows), bool)
        for _ in range(_MOST_COPIES + 4):
            cluster = votes.largest_cluster(left)
            if len(set(columns[cluster].tolist())) < _FEWEST:
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
    ) -> tuple[Find | None, NDArray[np.bool_] | None]:
        source, target = self._known.places[columns[cluster]], seen.places[rows[cluster]]
        scale = float(np.sqrt(np.ptp(target[:, 0]) ** 2 + np.ptp(target[:, 1]) ** 2))
        matrix, inliers = cv2.findHomography(
            source, target, cv2.USAC_MAGSAC, max(2.0, 0.01 * scale), None, 2000, 0.995
        )
        if matrix is None or inliers is None:
            return None, None
        kept = inliers.ravel().astype(bool)
        if len(set(columns[cluster][kept].tolist())) < _FEWEST:
            return None, None
        height = self.cards[card].height
        corners = np.array([(0, 0), (1, 0), (1, height), (0, height)])
        quad = cv2.perspectiveTransform(corners[None], matrix)[0]
        if not _is_card_like(quad, height):
            return None, None
        find = Find(
            card=card, matrix=np.asarray(matrix, np.float64), quad=np.asarray(quad), support=int(kept.sum())
        )
        return find, ~kept


def _scaled(sighting: PictureSighting, step: float) -> PictureSighting:
    corners = tuple(((x + 0.5) * step - 0.5, (y + 0.5) * step - 0.5) for x, y in sighting.corners)
    return PictureSighting(
        corners=corners, guesses=sighting.guesses, agreement=sighting.agreement, support=sighting.support
    )


def _glance(work: BgrImage, quad: Points) -> BgrImage:
    """What an outline holds, at the size of a print, then of a thumbnail: so nothing is skipped."""
    size = 96
    matrix = matrix_onto(quad, 1.0) @ np.diag([1 / size, 1 / size, 1.0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return thumbnail(np.asarray(cv2.warpPerspective(work, matrix, (size, size), flags=flags), np.uint8))


def _unit_vectors(thumbnails: Sequence[BgrImage]) -> NDArray[np.float32]:
    """Without the level of each colour and the contrast: what light and camera change."""
    if not thumbnails:
        return np.empty((0, 0), np.float32)
    colours = np.array(thumbnails, np.float32)
    rows = (colours - colours.mean(axis=(1, 2), keepdims=True)).reshape(len(thumbnails), -1)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), np.float32)


def _joined(parts: Sequence[Features]) -> Features:
    if not parts:
        none = np.empty(0, np.float32)
        return Features(places=np.empty((0, 2)), sizes=none, turns=none)
    return Features(
        places=np.concatenate([part.places for part in parts]),
        sizes=np.concatenate([part.sizes for part in parts]),
        turns=np.concatenate([part.turns for part in parts]),
    )


def _bins(
    centres: Points, scales: NDArray[np.float64], turns: NDArray[np.float64], half: float
) -> NDArray[np.int64]:
    """The same number for places, sizes and turns that are about the same."""
    level = np.floor(np.log2(scales) / 0.8 + half).astype(np.int64)
    around = np.floor((turns % (2 * np.pi)) / (np.pi / 5) + half).astype(np.int64) % 10
    place = np.floor(centres / (0.6 * 2.0 ** (level * 0.8))[:, None] + half).astype(np.int64)
    return np.asarray(((level * 10 + around) * 8192 + place[:, 0]) * 8192 + place[:, 1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Votes:
    """Where pairs of features put one card; those in one bin agree, roughly."""

    centres: Points
    scales: NDArray[np.float64]
    turns: NDArray[np.float64]
    bins: tuple[NDArray[np.int64], ...]
    """Numbered from 0, twice: the second bins lie half a step aside."""

    @classmethod
    def of(cls, centres: Points, scales: NDArray[np.float64], turns: NDArray[np.float64]) -> "_Votes":
        bins = (_bins(centres, scales, turns, half) for half in _HALVES)
        numbered = tuple(np.unique(one, return_inverse=True)[1] for one in bins)
        return cls(centres=centres, scales=scales, turns=turns, bins=numbered)

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


def _grouped(finds: Sequence[Find]) -> list[list[Find]]:
    """Finds at the same place are rivals."""
    groups: list[list[Find]] = []
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
