"""Finds cards that were enrolled from one picture each, of any game, anywhere in a photograph."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardPack
from vision.enrolled_decide import Find, PictureSighting, Prints, matrix_onto
from vision.enrolled_features import LEVELS, Features, find_many_features, thumbnail
from vision.enrolled_index import FeatureIndex
from vision.enrolled_kept import Learnt, learn_all
from vision.enrolled_place import Places, grouped
from vision.frame import BgrImage
from vision.pose import Points
from vision.shrink import shrunk

_WORK_PIXELS = 1_400_000
ENOUGH_PX = 1184
"""A picture with no side shorter than this has as many pixels as are looked at."""
_MOST_FEATURES = 6000
_NEIGHBOURS = 12
"""A picture may be shared by that many cards, less those that look like it by chance."""
_ALIKE = 0.80
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


class Seen(NamedTuple):
    """The features of a picture."""

    small: Smaller
    features: Features
    descriptors: NDArray[np.float32]


class Gallery:
    """The pictures of a pack, ready to be found."""

    def __init__(self, learnt: Learnt) -> None:
        self.cards = learnt.cards
        self._owner = np.repeat(np.arange(len(self.cards)), [len(card.features) for card in self.cards])
        self._index = FeatureIndex(learnt.descriptors, learnt.near, unit=LEVELS)
        self._heights = np.array([card.height for card in self.cards])
        self._places = Places(_joined([card.features for card in self.cards]), self._heights)
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

    @staticmethod
    def seen_in(small: Smaller) -> Seen:
        """The features of a picture: they can be looked for before a gallery is open."""
        gray = np.asarray(cv2.cvtColor(small.work, cv2.COLOR_BGR2GRAY), np.uint8)
        return Seen(small, *find_many_features(gray, _MOST_FEATURES))

    def find(self, image: BgrImage | Smaller | Seen) -> tuple[PictureSighting, ...]:
        """Every enrolled card that can be seen, copies included; the surest first."""
        if not self.cards:
            return ()
        if not isinstance(image, Seen):
            image = self.seen_in(image if isinstance(image, Smaller) else self.smaller(image))
        (work, step), seen, descriptors = image
        finds = self._places.of(seen, *self._pairs(seen, descriptors))
        with ThreadPoolExecutor(2) as pool:  # each place by itself, and hardly any of it is Python's
            decided = pool.map(lambda rivals: self._prints.decide(work, rivals), grouped(finds))
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

    def _pairs(
        self, seen: Features, descriptors: NDArray[np.float32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The pairs of features that are alike, card by card: the card, the seen one, the known one."""
        rows, columns, alike = self._index.nearest(descriptors, _NEIGHBOURS, _ALIKE)
        owners = self._owner[columns]
        order = np.lexsort((-alike, rows, owners))
        rows, columns, owners = rows[order], columns[order], owners[order]
        # Patterns repeat within a picture: of one card only the two features most alike count.
        pair = owners * (len(seen) + 1) + rows
        kept = np.arange(len(pair)) - np.searchsorted(pair, pair) < 2
        return owners[kept], rows[kept], columns[kept]


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
