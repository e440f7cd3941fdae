"""Reads fanned cards in a photograph: found by their banners, told only what no other card covers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.common_area import common_area
from vision.frame import BgrImage
from vision.locate import CardQuad, Shapes, cut_card
from vision.locate_banner import BannerFind, find_banners, same_banner
from vision.locate_edges import Edges
from vision.locate_free import apart, free_quads, straight_lines
from vision.observation import CardReading
from vision.photo_cards import READ_PX, CardEyes, Named, PhotoCard
from vision.pose import Points

_LEAST, _LEAST_BOX = 0.6, 0.25
"""Boxes in which less can be read hang from no card."""
_IN_PICTURE = 0.6
_AGREED = 0.25
"""What other outlines of the same banner add to the worth of a reading that they confirm, by theirs."""
_TURNED = 0.5
"""What a banner is worth that lies the other way round than the one beside it: a fan is held one way."""
_FINER, _BESIDE = (1.5, 1.8), 0.8
"""How much larger, time and again, and how far around a banner as a share of its length, others are looked
for: at each size other edges are found."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FannedCard:
    card: PhotoCard
    banner: Points
    """The corners of its banner in the picture."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ReadBanner:
    find: BannerFind
    named: Named

    @property
    def clarity(self) -> float:
        """How surely something is printed in every box; 0 where one seems empty."""
        boxes = self._boxes()
        return float(np.prod(boxes) ** (1 / len(boxes))) if min(boxes) >= _LEAST_BOX else 0.0

    @property
    def worth(self) -> float:
        """Of outlines with the same banner, the one in which most can be read lies best."""
        items = [item.p for field in self.named.reading.fields for item in field.items]
        return self.clarity * self.find.support + 0.1 * sum(p - 0.5 for p in items)

    def agrees(self, other: "_ReadBanner") -> bool:
        """Whether another outline of the same banner shows the same print."""
        return (
            other is not self and self._printed() == other._printed() and same_banner(self.find, other.find)
        )

    def _printed(self) -> list[tuple[str, list[tuple[str, int]]]]:
        return [
            (field.name, [(item.kind, item.count) for item in field.items])
            for field in self.named.reading.fields
            if field.name in self.find.hanging.fields
        ]

    def _boxes(self) -> list[float]:
        fields = {field.name: field.items for field in self.named.reading.fields}
        return [
            float(np.mean([item.p for item in items])) if (items := fields.get(name, ())) else 0.0
            for name in self.find.hanging.fields
        ]


def find_fanned(image: BgrImage, shapes: Shapes, eyes: CardEyes) -> tuple[FannedCard, ...]:
    """Cards whose banner is in view, whatever lies over the rest of them."""
    if not eyes.hangings:
        return ()
    read = _read_banners(image, shapes, shapes.quads, eyes)
    kept = _clearest(read)
    for finer in _FINER if kept else ():
        beside = [_quads_beside(image, shapes, one.find.banner, finer) for one in kept]
        read += _read_banners(image, shapes, np.concatenate(beside), eyes)
        kept = _clearest(read)
    size = (shapes.work.shape[1], shapes.work.shape[0])
    return tuple(_told(one, kept, size, shapes.step) for one in kept)


def _read_banners(image: BgrImage, shapes: Shapes, quads: Points, eyes: CardEyes) -> list[_ReadBanner]:
    """What is printed on each card of which a quadrilateral may be one box of the banner."""
    size = (shapes.work.shape[1], shapes.work.shape[0])
    finds = [f for f in find_banners(shapes.work, quads, eyes.hangings) if _is_in(f.corners, size)]
    if not finds:
        return []
    corners = [(find.corners + 0.5) * shapes.step - 0.5 for find in finds]
    kinds = [find.hanging.kind for find in finds]
    named = eyes.read([cut_card(image, quad, READ_PX) for quad in corners], kinds, [{} for _ in finds])
    return [_ReadBanner(find=find, named=name) for find, name in zip(finds, named, strict=True)]


def _clearest(read: Sequence[_ReadBanner]) -> list[_ReadBanner]:
    """Of all readings of a banner the one with most worth, where it is clear at all."""
    clear = [one for one in read if one.clarity >= _LEAST]
    worth = {
        id(one): one.worth + _AGREED * sum(other.worth for other in clear if one.agrees(other))
        for one in clear
    }
    kept: list[_ReadBanner] = []
    while clear:
        best = max(clear, key=lambda one: worth[id(one)] * (_TURNED if _is_turned(one, kept) else 1.0))
        kept.append(best)
        clear = [one for one in clear if not same_banner(one.find, best.find)]
    return kept


def _is_turned(one: _ReadBanner, kept: Sequence[_ReadBanner]) -> bool:
    """Whether it lies the other way round than a surer one near it."""
    down = one.find.down
    length = float(np.hypot(*down))
    for other in kept:
        away = float(np.hypot(*(other.find.banner.mean(axis=0) - one.find.banner.mean(axis=0))))
        if away < length and float(down @ other.find.down) < 0.5 * length * float(np.hypot(*other.find.down)):
            return True
    return False


def _quads_beside(image: BgrImage, shapes: Shapes, banner: Points, finer: float) -> Points:
    """Quadrilaterals around a banner, looked for again in a larger picture: others may hang beside it."""
    reach = _BESIDE * float(np.ptp(banner, axis=0).max())
    height, width = shapes.work.shape[:2]
    x0, y0 = np.maximum(banner.min(axis=0) - reach, 0)
    x1, y1 = np.minimum(banner.max(axis=0) + reach, (width, height))
    (left, top), (right, low) = np.round(np.array([(x0, y0), (x1, y1)]) * shapes.step).astype(int)
    size = (round((x1 - x0) * finer), round((y1 - y0) * finer))
    crop = np.asarray(cv2.resize(image[top:low, left:right], size, interpolation=cv2.INTER_AREA), np.uint8)
    lines = straight_lines(np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8))
    quads, worth = free_quads(Edges.of(crop), lines)
    small = quads[apart(quads, worth, alike=0.82)]
    return np.asarray((small + 0.5) / finer - 0.5 + (x0, y0))


def _is_in(corners: Points, size: tuple[int, int]) -> bool:
    """Most of it is in the picture."""
    picture = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    return common_area(corners, picture) > _IN_PICTURE * abs(cv2.contourArea(corners.astype(np.float32)))


def _told(
    one: _ReadBanner, all_of_them: Sequence[_ReadBanner], size: tuple[int, int], step: float
) -> FannedCard:
    find, named = one.find, one.named
    covered = _foot_is_covered(one, all_of_them, size)
    quad = CardQuad(
        corners=tuple((float(x), float(y)) for x, y in (find.corners + 0.5) * step - 0.5),
        score=find.support,
        visible=0.5 if covered else 1.0,
    )
    card = PhotoCard(
        quad=quad,
        kind=find.hanging.kind,
        reading=_without_foot(named.reading, find.hanging.fields) if covered else named.reading,
        guesses=() if covered else named.guesses,
    )
    return FannedCard(card=card, banner=(find.banner + 0.5) * step - 0.5)


def _foot_is_covered(one: _ReadBanner, all_of_them: Sequence[_ReadBanner], size: tuple[int, int]) -> bool:
    """By a card that lies above: its banner can be seen although it lies on this card; or cut off."""
    if one.find.hanging.foot is None:
        return False
    shares = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(shares, one.find.corners.astype(np.float32))
    foot = cv2.perspectiveTransform(np.array([[one.find.hanging.foot]]), matrix)[0, 0]
    if not (0 <= foot[0] < size[0] and 0 <= foot[1] < size[1]):
        return True
    return any(
        _holds(other.find.corners, foot) and _holds(one.find.corners, other.find.banner.mean(axis=0))
        for other in all_of_them
        if other is not one
    )


def _holds(quad: Points, place: Points) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(place[0]), float(place[1])), False) > 0


def _without_foot(reading: CardReading, banner: Sequence[str]) -> CardReading:
    """Only what hangs from the banner."""
    fields = tuple(field for field in reading.fields if field.name in banner)
    return replace(reading, fields=fields, stone=None, stone_p=0.0)
