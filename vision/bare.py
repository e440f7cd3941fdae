"""How places for cards look while nothing lies there: on grained planks a bare one may look like a card."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import CardSighting, Guess, Look
from vision.pose import Points, Pose
from vision.rectify import Rectified, grown
from vision.table import Rect, ZoneId

Patch = NDArray[np.float32]
"""A place made so small that noise and a slight tremor of the camera are gone."""

_SIZE = (16, 22)
_LIGHT = (0.7, 1.4)
"""By how much the light may have changed since the place was seen bare."""
_TINT = 1.1
"""And by how much more in one colour than in another."""
_SAME = 0.06
"""Parts of a place that differ by no more than this share of their brightness look the same."""
_DARKEST = 50.0
"""Below this brightness noise grows with the share."""
_MOST_CHANGED = 0.2
"""Of a bare place a neighbour's card may cover so much: up to 0.11 on 12 tables. A card that is laid there
changes 0.36 of it or more; on 11 other tables all 99 bare places and 99 cards were told."""
_AROUND = 0.23
"""How far beside a place the ground is looked at, as a share of its shorter side."""
_EDGE = 0.08
"""So near its border nothing is looked at: cards are laid by hand."""
_STEP = 0.12
"""The most by which the ground differs across a side. On 11 tables of held-out styles, on which it was not
chosen, 194 of 198 bare places stay below on three sides, and 1 of 99 cards does."""
_BLACK = 5.0
"""Added before taking logarithms: in the dark a small difference is noise."""
_SURE = 0.9
"""A name or a back that is read so surely is a card, whatever the place looks like."""
_NAMED = 0.5
"""What is read as surely as this is not taken for bare ground, whatever the game says."""
_FINER = 4
"""A patch that lies askew in a picture is cut out so many times finer first."""
_BARE = 0.97
"""How likely a place is bare that looks as it did when it was."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glance:
    """How a place looked, beside what was read there."""

    patch: Patch
    card: CardSighting
    goes_on: bool = False
    """The ground seems to continue across its sides; looked for only where a card seems to lie."""

    @property
    def seems_bare(self) -> bool:
        return self.card.seems_none


class BarePlaces:
    """Patches of places that held nothing, one for each, and pictures of spreads that did."""

    def __init__(self) -> None:
        self._known: dict[ZoneId, Patch] = {}
        self._grounds: dict[ZoneId, Rectified] = {}

    def knows(self, zone: ZoneId) -> bool:
        """Whether the place has been seen bare."""
        return zone in self._known

    def learn(self, zone: ZoneId, glance: Glance, *, doubted: bool) -> bool:
        """Nothing lies in this place, as the game says; whether it is read otherwise from now on.

        Where that is `doubted`, because something seems to lie there, it is believed only once, of a place
        where nothing is read and no card ends.
        """
        if doubted and (zone in self._known or not glance.goes_on):
            return False
        if _is_read(glance.card, _NAMED):
            return False
        self._known[zone] = glance.patch
        return not glance.seems_bare

    def looks_bare(self, zone: ZoneId, patch: Patch) -> bool:
        """Whether the place still looks as it did when nothing lay there, in whatever light."""
        known = self._known.get(zone)
        return known is not None and _alike(known, patch)

    def told(self, zone: ZoneId, patch: Patch, card: CardSighting) -> CardSighting:
        """What was read in the place, or that it is bare where it looks so."""
        if _is_read(card, _SURE) or not self.looks_bare(zone, patch):
            return card
        return CardSighting(guesses=_mostly_bare(card.guesses), quad=card.quad)

    def learn_ground(self, zone: ZoneId, picture: Rectified) -> None:
        """No card lies in this spread."""
        self._grounds[zone] = picture

    def cards_on(
        self, zone: ZoneId, picture: Rectified, cards: Sequence[CardSighting], pose: Pose
    ) -> tuple[CardSighting, ...]:
        """The cards of a spread, without those that are the table top between them: two seams of planks and
        the edge of a card are three sides of one."""
        ground = self._grounds.get(zone)
        if ground is None:
            return tuple(cards)
        return tuple(
            card for card in cards if _is_read(card, _SURE) or not _same_ground(ground, picture, card, pose)
        )


def patch_of(picture: Rectified, place: Rect) -> Patch:
    """The place alone, without the margin that it is read with."""
    part = picture.crop(place).image
    return np.asarray(cv2.resize(part, _SIZE, interpolation=cv2.INTER_AREA), np.float32)


def coarse(picture: Rectified, times: int) -> Rectified:
    """The picture in so many times fewer pixels."""
    height, width = picture.image.shape[:2]
    size = (max(1, width // times), max(1, height // times))
    image = np.asarray(cv2.resize(picture.image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return replace(picture, image=image, pixels_per_unit=picture.pixels_per_unit * size[0] / width)


def around(place: Rect) -> Rect:
    """So much of the table must be seen to tell whether the ground goes on."""
    return grown(place, _AROUND * min(place.width, place.height))


def ground_goes_on(picture: Rectified, place: Rect) -> bool:
    """Whether the table top continues across three sides of a place, as it does where no card ends."""
    steps = sorted(_step(picture, outside, inside) for outside, inside in _strips(place))
    return steps[2] <= _STEP


def _strips(place: Rect) -> Iterator[tuple[Rect, Rect]]:
    """Along each side one strip beside the place and one within; a card's edge lies between them."""
    side = min(place.width, place.height)
    near, far = _EDGE * side, _AROUND * side
    for edge, out in ((place.x0, -1), (place.x1, 1)):
        beside, within = (sorted((edge + way * near, edge + way * far)) for way in (out, -out))
        yield Rect(beside[0], place.y0, beside[1], place.y1), Rect(within[0], place.y0, within[1], place.y1)
    for edge, out in ((place.y0, -1), (place.y1, 1)):
        beside, within = (sorted((edge + way * near, edge + way * far)) for way in (out, -out))
        yield Rect(place.x0, beside[0], place.x1, beside[1]), Rect(place.x0, within[0], place.x1, within[1])


def _step(picture: Rectified, one: Rect, other: Rect) -> float:
    """By how much two strips differ in any colour, in logarithms."""
    colours = [picture.crop(strip).image.mean(axis=(0, 1)) + _BLACK for strip in (one, other)]
    return float(np.abs(np.log(colours[0] / colours[1])).max())


def _same_ground(ground: Rectified, picture: Rectified, card: CardSighting, pose: Pose) -> bool:
    """Whether the table top looks the same where a card seems to lie."""
    on_board = pose.unproject(np.array(card.quad))
    return _alike(*(_askew(each, each.to_pixels(on_board)) for each in (ground, picture)))


def _askew(picture: Rectified, corners: Points) -> Patch:
    width, height = (_FINER * side for side in _SIZE)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    patch = cv2.warpPerspective(picture.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(patch, _SIZE, interpolation=cv2.INTER_AREA), np.float32)


def _alike(known: Patch, patch: Patch) -> bool:
    light = np.median((patch + 1) / (known + 1), axis=(0, 1))
    low, high = _LIGHT
    if light.min() < low or light.max() > high or light.max() > _TINT * light.min():
        return False
    expected = known * light
    off = np.abs(patch - expected).max(axis=2)
    limit = _SAME * np.maximum(expected.max(axis=2), _DARKEST)
    return float((off > limit).mean()) <= _MOST_CHANGED


def _is_read(card: CardSighting, p: float) -> bool:
    """Whether one card, or a back, was read so surely."""
    best = card.guesses[0] if card.guesses else None
    return best is not None and best.p >= p and (best.card is not None or best.look is Look.BACK)


def _mostly_bare(guesses: tuple[Guess, ...]) -> tuple[Guess, ...]:
    others = [guess for guess in guesses if guess.look is not Look.EMPTY]
    total = sum(guess.p for guess in others)
    rest = tuple(Guess(guess.look, guess.card, (1 - _BARE) * guess.p / total) for guess in others)
    return (Guess(Look.EMPTY, None, _BARE if rest else 1.0), *rest)
