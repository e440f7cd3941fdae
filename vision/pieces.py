"""Counts pieces: where a network marks them on a flat picture, and how many of each kind that makes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.closer import CLOSER, CloserLook, one_point_each
from vision.frame import BgrImage
from vision.marks import (
    SAME_POINT,
    WEAK,
    WEAKEST_PEAK,
    Mark,
    distance,
    one_reading_each,
    peaks,
    shoulders,
)
from vision.networks import Networks
from vision.observation import CountSighting, DoubtfulPiece
from vision.rectify import Rectified, grown
from vision.table import PieceKind, Rect, Zone, ZoneKind

PIXELS_PER_UNIT = 900.0
"""The scale that the network was trained on."""

SINGLE, HEAPS, PLACES = "pieces", "heaps", "places"
"""The network that judges places for one piece, the one that judges heaps, and the one that is asked where
the first is in doubt: each errs on other tables."""
_STRIDE = 4
_SIZE = 32
"""Pictures must be multiples of this."""
AT_ITS_PLACE = 2.0
"""So much better are the odds of a mark at a place made for it; on training styles 2 to 5 are as good."""
_WEAKEST = 0.02
"""Marks less likely than this are nothing."""
_SCALES = (1.0, 1.1, 1.05)
"""How much larger a heap is seen at each look: a further look at the same size errs as the one before."""
_SURELY_NOT = 0.05
"""A piece at a place for one that is likelier than this, and less likely than nearly sure, is in doubt."""
_RARE = 1e-3
_LIKELY = 0.01
"""A kind less likely than this is no doubt about a piece. Doubts of 0.028 and 0.012 were left out when they
had to be 0.03 and 0.018: one misnamed piece was one too many and one too few then, and thus a broken rule."""
_MARGIN = 0.045
"""How far around a zone is looked at: standing pieces lean out of it."""
_REACH = 0.012
"""How far outside of its zone a piece may lie and still belong to it."""
_ONE_PIECE = 0.022
"""Two marks nearer to each other than this, in a place for one piece, are two readings of it."""
_SMALL = 0.06
"""In a place smaller than this all marks are readings of one piece; the river is wide enough for two."""


class PieceReader:
    """Reads zones on flat pictures of `PIXELS_PER_UNIT`; `recolour` gives them the light that is usual."""

    def __init__(self, networks: Networks, recolour: Callable[[BgrImage], BgrImage] | None = None) -> None:
        self._networks = networks
        self._recolour = recolour
        self._kinds = tuple(PieceKind(kind) for kind in networks.answers(SINGLE))
        # A game with pieces of its own brings one network for them, and that one counts heaps as well.
        has_own = _answers_alike(networks, HEAPS)
        self._of_heaps = HEAPS if has_own else SINGLE
        self._is_asked_in_doubt = _answers_alike(networks, PLACES)
        self._closer = CloserLook(networks) if has_own and CLOSER in networks else None

    @staticmethod
    def area(zone: Zone) -> Rect:
        """The part of the table that must be looked at to read this zone."""
        return grown(zone.rect, _MARGIN)

    def read(self, zone: Zone, picture: Rectified, rivals: Sequence[Zone] = ()) -> tuple[CountSighting, ...]:
        """How many pieces of each kind lie in a zone."""
        return counted(zone, self.standing(zone, picture, rivals))

    def standing(self, zone: Zone, picture: Rectified, rivals: Sequence[Zone] = ()) -> list[Mark]:
        """Where pieces of a zone stand, each with its chance to be one."""
        return pieces_of(zone, self.marks_in(zone, picture), rivals)

    def marks_in(self, zone: Zone, picture: Rectified, look: int = 0) -> list[Mark]:
        """Every piece that a zone may show; heaps are harder: one network marks them, one looks closer.

        `look` counts the looks at a zone that lies calm: each sees a heap at another size.
        """
        if zone.kind is not ZoneKind.HEAP:
            return self._marks_in_a_place(zone, self._lit(picture))
        scale = _SCALES[look % len(_SCALES)] if self._closer is not None else 1.0
        picture = picture if scale == 1 else picture.enlarged(scale)
        marks = [mark for mark in self.weak_marks(picture) if belongs(zone, mark)]
        if self._closer is not None:
            return self._closer.judged(marks, self._lit(picture))
        return [mark for mark in marks if mark.p > _WEAKEST and not mark.is_shoulder]

    def marks(self, picture: Rectified) -> list[Mark]:
        """Every piece that the picture may show."""
        picture = self._lit(picture)
        return self._marks_on(self._maps(_padded(picture.image), SINGLE), picture, _WEAKEST)

    def weak_marks(self, picture: Rectified) -> list[Mark]:
        """Every mark of a heap that is worth a closer look."""
        picture = self._lit(picture)
        maps = self._maps(_padded(picture.image), self._of_heaps)
        beside = self._placed(shoulders(maps, picture.pixels_per_unit / _STRIDE), maps, picture)
        return self._marks_on(maps, picture, WEAKEST_PEAK) + [
            replace(mark, is_shoulder=True) for mark in beside
        ]

    def _lit(self, picture: Rectified) -> Rectified:
        return picture if self._recolour is None else replace(picture, image=self._recolour(picture.image))

    def _marks_in_a_place(self, zone: Zone, picture: Rectified) -> list[Mark]:
        """As one network marks them; where it is in doubt, what either of two sees is seen.

        In glaring light one of them often misses what the other sees.
        """
        image = _padded(picture.image)
        maps = self._maps(image, SINGLE)
        marks = self._marks_on(maps, picture, _WEAKEST)
        if not self._is_asked_in_doubt or not is_in_doubt(zone, marks):
            return marks
        either = 1 - (1 - maps) * (1 - self._maps(image, PLACES))
        return self._marks_on(np.asarray(either, np.float32), picture, _WEAKEST)

    def _marks_on(self, maps: NDArray[np.float32], picture: Rectified, least: float) -> list[Mark]:
        return self._placed(peaks(maps, least), maps, picture)

    def _placed(
        self, found: Sequence[tuple[int, int, int]], maps: NDArray[np.float32], picture: Rectified
    ) -> list[Mark]:
        """Marks at these cells of the maps, as far as they lie on the picture."""
        height, width = picture.image.shape[:2]
        found = [peak for peak in found if peak[1] * _STRIDE < height and peak[2] * _STRIDE < width]
        points = np.array([((x + 0.5) * _STRIDE - 0.5, (y + 0.5) * _STRIDE - 0.5) for _, y, x in found])
        if not len(points):
            return []
        board = picture.to_board(points)
        return [
            Mark(self._kinds[kind], float(place[0]), float(place[1]), float(maps[kind, y, x]))
            for (kind, y, x), place in zip(found, board, strict=True)
        ]

    def _maps(self, image: BgrImage, judge: str) -> NDArray[np.float32]:
        """How likely each kind stands at each cell, straight and in a mirror."""
        straight, mirrored = self._networks.run(judge, np.stack([image, image[:, ::-1]]))
        return np.asarray((straight + mirrored[:, :, ::-1]) / 2, np.float32)

    @staticmethod
    def count(zone: Zone, marks: Sequence[Mark], rivals: Sequence[Zone] = ()) -> tuple[CountSighting, ...]:
        """How many pieces of each kind that may stand here; what stands nearer to a rival is the rival's."""
        return counted(zone, pieces_of(zone, marks, rivals))


def _answers_alike(networks: Networks, name: str) -> bool:
    """Whether there is such a network, and for the pieces of this game."""
    return name in networks and networks.answers(name) == networks.answers(SINGLE)


def is_in_doubt(zone: Zone, marks: Sequence[Mark]) -> bool:
    """Whether something that may stand in a place is neither surely there nor surely not."""
    return any(_SURELY_NOT < mark.p < 1 - _SURELY_NOT for mark in pieces_of(zone, marks, ()))


def counted(zone: Zone, here: Sequence[Mark]) -> tuple[CountSighting, ...]:
    """How many of each kind these marks make, if all of them belong to the zone."""
    return tuple(
        CountSighting(kind, _counts([mark.p for mark in here if mark.kind == kind])) for kind in zone.pieces
    )


def doubtful(zone: Zone, looks: Sequence[Sequence[Mark]]) -> tuple[DoubtfulPiece, ...]:
    """The pieces of which several kinds are likely, in the mean of several looks at the same ones."""
    marks = [replace(mark, p=mark.p / len(looks)) for look in looks for mark in look]
    found = []
    for point in one_point_each(marks, _apart(zone)):
        chances: dict[PieceKind, float] = {}
        for mark in point:
            chances[mark.kind] = chances.get(mark.kind, 0.0) + mark.p
        likely = [(kind, min(1.0, p)) for kind, p in chances.items() if p >= _LIKELY]
        if len(likely) > 1:
            found.append(DoubtfulPiece(tuple(sorted(likely, key=lambda entry: -entry[1]))))
    return tuple(found)


def pieces_of(zone: Zone, marks: Sequence[Mark], rivals: Sequence[Zone]) -> list[Mark]:
    """Of all marks around a zone those that are pieces of it."""
    here = [mark for mark in marks if mark.kind in zone.pieces and belongs(zone, mark)]
    if zone.kind is ZoneKind.SPOT:
        here = [mark for mark in here if not any(_is_nearer(rival, zone, mark) for rival in rivals)]
        return one_reading_each(_one_of_each_kind(here), _apart(zone))
    here = [mark for mark in here if not any(_lies_in(rival, zone, mark) for rival in rivals)]
    return one_reading_each(here, _apart(zone))


def _apart(zone: Zone) -> float:
    """Two marks nearer to each other than this are two readings of one piece."""
    if zone.kind is not ZoneKind.SPOT:
        return SAME_POINT
    size = max(zone.rect.width, zone.rect.height)
    return size if size < _SMALL else _ONE_PIECE


def _padded(image: BgrImage) -> BgrImage:
    height, width = image.shape[:2]
    down, right = -height % _SIZE, -width % _SIZE
    return np.asarray(cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)


def belongs(zone: Zone, mark: Mark) -> bool:
    """Whether a piece lies in a zone, or so near that it can be of no other."""
    return _is_inside(grown(zone.rect, _REACH), mark)


def _is_nearer(rival: Zone, zone: Zone, mark: Mark) -> bool:
    """Whether a piece that both places would take stands nearer to the middle of the other one."""
    if rival.id == zone.id or mark.kind not in rival.pieces or not belongs(rival, mark):
        return False
    return distance(mark, rival.rect.centre) < distance(mark, zone.rect.centre)


def _lies_in(rival: Zone, zone: Zone, mark: Mark) -> bool:
    """Whether a piece that lies only near a heap lies in the middle of another one that would take it."""
    if rival.id == zone.id or mark.kind not in rival.pieces or _is_inside(zone.rect, mark):
        return False
    return _is_inside(rival.rect, mark)


def _is_inside(rect: Rect, mark: Mark) -> bool:
    return rect.x0 <= mark.x <= rect.x1 and rect.y0 <= mark.y <= rect.y1


def _one_of_each_kind(marks: Sequence[Mark]) -> list[Mark]:
    """A place takes one piece of a kind: a large one may leave several weak marks, and each speaks for it."""
    kinds: dict[PieceKind, list[Mark]] = {}
    for mark in sorted(marks, key=lambda mark: -mark.p):
        kinds.setdefault(mark.kind, []).append(mark)
    kept = []
    for own in kinds.values():
        none = (1 - own[0].p) * math.prod(1 - mark.p for mark in own[1:] if mark.p > WEAK)
        kept.append(replace(own[0], p=(1 - none) * AT_ITS_PLACE / ((1 - none) * AT_ITS_PLACE + none)))
    return kept


def _counts(chances: Sequence[float]) -> tuple[tuple[int, float], ...]:
    """The distribution of how many of these marks are pieces, likeliest first."""
    shares = np.array([1.0])
    for chance in chances:
        shares = np.convolve(shares, (1 - chance, chance))
    ranked = sorted(enumerate(shares.tolist()), key=lambda pair: -pair[1])
    kept = [(number, share) for number, share in ranked if share >= _RARE] or ranked[:1]
    total = sum(share for _, share in kept)
    return tuple((number, share / total) for number, share in kept)
