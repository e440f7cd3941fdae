"""Takes in a player's own cards: shown to the camera one after the other, or from a folder of scans."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardFacts, CardId, CardKind, CardPack, Source
from vision.enrolled_features import fitting
from vision.enrolled_print import PRINT_PX, difference_of_parts
from vision.frame import BgrImage, Frame
from vision.identify import Names
from vision.locate import cut_card, locate
from vision.observation import CardReading
from vision.pack import PackRules
from vision.pack_images import facts_of
from vision.rectify import shrink

if TYPE_CHECKING:
    from vision.reader import Reader  # onnxruntime is slow to load: only when asked

CAPTURE_PX = 420
"""The width at which a captured card is kept."""
_CALM_S = 0.3
_CALM_FRAMES = 3
_STILL = 2.5
"""Grey levels that a still picture may differ from frame to frame, on average."""
_MOST_BLUR = 2.2
_MOST_GLARE = 0.02
_LEAST_SHARE = 0.012
"""Of the picture: a smaller card cannot be read."""
_SURE = 0.7
_RATHER = 0.5
_SAME_PARTS = 0.04
"""Two cards that differ in fewer of their parts look the same."""

Outliner = Callable[[BgrImage], Sequence[tuple[tuple[tuple[float, float], ...], float]]]
"""Outlines of cards in a picture, each with how much it looks like one."""


class Wait(Enum):
    """Why no card was captured from a frame; also the ends of the keys of its sentences."""

    MOVING = "moving"
    NO_CARD = "no-card"
    SMALL = "small"
    BLUR = "blur"
    GLARE = "glare"
    TAKEN = "taken"
    """It is captured: show the next one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Capture:
    """One card as shown to the camera, upright as it was held."""

    picture: BgrImage
    corners: tuple[tuple[float, float], ...]


@dataclass(slots=True)
class CaptureWatch:
    """Feed it every frame; it takes a card by itself once the picture is calm, sharp and without glare."""

    outlines: Outliner | None = None
    _before: NDArray[np.uint8] | None = None
    _still_since: float = 0.0
    _still_frames: int = 0
    _taken: bool = False

    def look(self, frame: Frame) -> Capture | Wait:
        gray = shrink(frame.image, 320).gray
        moved = (
            self._before is None
            or self._before.shape != gray.shape
            or float(np.abs(gray.astype(np.int16) - self._before).mean()) > _STILL
        )
        self._before = gray
        if moved:
            self._still_since, self._still_frames, self._taken = frame.captured_at, 0, False
            return Wait.MOVING
        self._still_frames += 1
        if self._taken:
            return Wait.TAKEN
        if self._still_frames < _CALM_FRAMES or frame.captured_at - self._still_since < _CALM_S:
            return Wait.MOVING
        found = card_in(frame.image, self.outlines)
        self._taken = isinstance(found, Capture)
        return found


def card_in(image: BgrImage, outlines: Outliner | None = None) -> Capture | Wait:
    """The largest card of a picture, cut out."""
    quads = [corners for corners, score in (outlines or _located)(image) if score >= _SURE]
    if not quads:
        return Wait.NO_CARD
    corners = max(quads, key=_area)
    if _area(corners) < _LEAST_SHARE * image.shape[0] * image.shape[1]:
        return Wait.SMALL
    picture = cut_card(image, corners, CAPTURE_PX)
    if blur_of(picture) > _MOST_BLUR * max(1.0, CAPTURE_PX / _width(corners)):
        return Wait.BLUR
    if glare_of(picture) > _MOST_GLARE:
        return Wait.GLARE
    return Capture(picture=picture, corners=corners)


def faced(picture: BgrImage, reader: "Reader") -> tuple[BgrImage, CardKind | None]:
    """The card the right way up, and its kind; None: none of those that can be read, as of a story card."""
    (look,) = reader.look([picture])
    card = np.ascontiguousarray(picture[::-1, ::-1]) if look.upside_down > 0.5 else picture
    kind, p = look.front()
    return card, kind if p > _RATHER else None


def is_sharp(picture: BgrImage) -> bool:
    """Whether a card's picture is good enough to know it by."""
    return blur_of(picture) <= _MOST_BLUR and glare_of(picture) <= _MOST_GLARE


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What was read off a card, filled in for the player to confirm or correct."""

    facts: CardFacts
    unsure: tuple[str, ...]
    """Fields that nobody could read well."""

    def confirmed(self) -> CardFacts:
        fields = tuple(
            replace(part, source=Source.CONFIRMED) if part.items is not None else part
            for part in self.facts.fields
        )
        return replace(self.facts, fields=fields)


@dataclass(slots=True)
class Enrolment:
    """The cards taken in so far, beside those that the pack knows already."""

    rules: PackRules
    pack: CardPack
    later: frozenset[CardKind] = frozenset()
    """Kinds that are taken in only when they come into play, so that nobody sees them before."""
    coming: frozenset[CardId] = frozenset()
    """Cards that will be shown, known before they are: the names of scans."""
    taken: dict[CardId, CardFacts] = field(default_factory=dict)

    def form(self, reading: CardReading, card: CardId | None = None) -> Form | None:
        """None for a card that must wait until it comes into play.

        What a pack knows of the card stays as it is; the reading fills in what nobody has read yet.
        """
        kind = reading.kind
        if kind is not None and kind in self.later:
            return None
        read = facts_of(card or self._free_id(kind), reading, self.rules)
        known = self.result()
        facts = _filled(known[read.id], read) if read.id in known else read
        doubtful = {
            part.name
            for part in reading.fields
            if any(item.p < _SURE for item in part.items) and _source(facts, part.name) is Source.READ
        }
        unread = {part.name for part in facts.fields if part.items is None}
        return Form(facts=facts, unsure=tuple(sorted(doubtful | unread)))

    def blank(self, kind: CardKind, card: CardId | None = None) -> Form:
        """For a card of which nothing can be read: it is known by its picture."""
        return Form(facts=CardFacts(id=card or self._free_id(kind), kind=kind), unsure=())

    def met(self, named: Names) -> CardId | None:
        """Which of the cards so far was shown, if it rather is one of them than a new one."""
        card, p = named[0] if named else (None, 0.0)
        return card if p > _RATHER else None

    def has_picture(self, card: CardId) -> bool:
        pack = self.result()
        return card in pack and pack[card].image is not None

    def take(self, facts: CardFacts, image: str | None = None) -> None:
        self.taken[facts.id] = replace(facts, image=image)

    def result(self) -> CardPack:
        kept = tuple(self.taken.get(card.id, card) for card in self.pack.cards)
        known = {card.id for card in kept}
        new = tuple(card for card in self.taken.values() if card.id not in known)
        return replace(self.pack, cards=(*kept, *new))

    def missing(self) -> tuple[CardId, ...]:
        """Cards of the pack that were not shown yet; those that come later are not missed."""
        return tuple(
            card.id
            for card in self.pack.cards
            if card.id not in self.taken and card.image is None and card.kind not in self.later
        )

    def progress(self) -> tuple[int, int]:
        """How many are taken in, of how many."""
        done = len(self.taken) + sum(
            card.image is not None for card in self.pack.cards if card.id not in self.taken
        )
        known = {card.id for card in self.pack.cards} | set(self.taken)
        return done, done + len(self.missing()) + len(self.coming - known)

    def _free_id(self, kind: CardKind | None) -> CardId:
        used = {card.id for card in self.pack.cards} | set(self.taken)
        name = kind or "card"
        number = next(number for number in range(1, 10_000) if f"{name}-{number}" not in used)
        return CardId(f"{name}-{number}")


def _filled(known: CardFacts, read: CardFacts) -> CardFacts:
    """What is known of a card, with what was read where nobody knew, or where it was only read before."""
    if known.kind != read.kind:
        return known
    new = {part.name: part for part in read.fields}
    fields = [
        new.pop(part.name, part) if part.items is None or part.source is Source.READ else part
        for part in known.fields
    ]
    names = {part.name for part in fields}
    more = [part for name, part in new.items() if name not in names]
    stone = known.stone if known.stone is not None else read.stone
    return replace(known, fields=(*fields, *more), stone=stone)


def _source(facts: CardFacts, name: str) -> Source | None:
    return next((part.source for part in facts.fields if part.name == name), None)


def twins(pack: CardPack, pictures: Mapping[CardId, BgrImage]) -> tuple[tuple[CardId, CardId], ...]:
    """Pairs that no camera can tell apart: the same print, and the same picture where both have one."""
    small = {card: fitting(picture, PRINT_PX) for card, picture in pictures.items()}
    pairs = []
    for index, one in enumerate(pack.cards):
        for other in pack.cards[index + 1 :]:
            if one.kind != other.kind or _printed(one) != _printed(other):
                continue
            if one.id in small and other.id in small and not _look_alike(small[one.id], small[other.id]):
                continue
            if None not in (one.picture, other.picture) and one.picture != other.picture:
                continue
            pairs.append((one.id, other.id))
    return tuple(pairs)


def blur_of(picture: BgrImage) -> float:
    """How wide the sharpest edges are, in pixels of the picture."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = cv2.magnitude(*(cv2.Sobel(gray, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1))))
    around = np.ones((13, 13), np.uint8)
    step = cv2.dilate(gray, around) - cv2.erode(gray, around)
    edges = (step > 40) & (steep >= np.quantile(steep, 0.97))
    if not edges.any():
        return float("inf")
    return float(np.quantile(step[edges] / np.maximum(steep[edges], 1e-3), 0.2) / np.sqrt(2 * np.pi))


def glare_of(picture: BgrImage) -> float:
    """The share of the card that is burnt out in one piece."""
    burnt = (picture.min(axis=2) >= 250).astype(np.uint8)
    burnt = np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)
    return float(burnt.mean())


def _located(image: BgrImage) -> list[tuple[tuple[tuple[float, float], ...], float]]:
    return [(quad.corners, quad.score) for quad in locate(image)]


def _printed(card: CardFacts) -> tuple[object, ...]:
    fields = tuple(sorted((part.name, part.items) for part in card.fields if part.items is not None))
    return fields, card.stone


def _look_alike(one: BgrImage, other: BgrImage) -> bool:
    if one.shape != other.shape:
        other = np.asarray(cv2.resize(other, one.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    return float(difference_of_parts(one, other).mean()) < _SAME_PARTS


def _area(corners: tuple[tuple[float, float], ...]) -> float:
    return float(cv2.contourArea(np.array(corners, np.float32)))


def _width(corners: tuple[tuple[float, float], ...]) -> float:
    return float(np.hypot(*(np.array(corners[1]) - corners[0])))
