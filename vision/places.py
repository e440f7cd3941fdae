"""Reads the places where cards lie: what lies there, which card it is, and with what doubt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardKind
from vision.cover import Cover
from vision.cuts import LooseCard, Original
from vision.evidence import NO_NUMBER, CardEvidence, Floats, PlaceLook
from vision.frame import BgrImage
from vision.identify import Identifier, Names
from vision.observation import CardSighting, Guess, Look
from vision.pose import Points, Pose
from vision.reader import CardCut, Reader
from vision.rectify import Rectified, grown
from vision.second_look import closer_looks, named_with_care, readings_with_care, wider_looks
from vision.table import Rect, TableLayout, Zone, ZoneKind
from vision.witness import Witness

CARD_PX = 256
"""Height of a card when it is read."""

_MARGIN = 0.012
"""How far beside its place a card may be laid, in board units."""
_SUREST = 0.995
_EVEN_MARK = 0.22
"""A mark seen this surely speaks as much for a tucked card as against one: the mat shows none at all."""
_GROUND = 0.07
"""How much ground is shown around a card that lies anyhow, as a share of its sides."""
_READ = 0.9
"""A name at least so likely is that of a card that lies there."""
_LEAST_FRONT = 0.02
"""Places that show a front less likely than this are not read."""

Label = Callable[[BgrImage], CardId | None]
"""Reads the label on a card's sleeve, if there is one."""
Spread = Callable[[Rectified, tuple[float, float]], Sequence[LooseCard]]
"""Finds cards that lie anyhow, the surest first, given a card's size there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacePicture:
    zone: Zone
    picture: Rectified
    fine: BgrImage | None = None
    """The same at twice the size, for labels on sleeves."""
    shades: tuple[Points, ...] = ()
    """What pieces that stand there hide of the table: outlines in board units."""
    frame: BgrImage | None = None
    """The camera's picture that this was taken from: small print is clearest there."""


class PlaceReader:
    """Reads many places at once: networks run on batches."""

    def __init__(
        self,
        layout: TableLayout,
        reader: Reader,
        identifier: Identifier,
        spread: Spread | None = None,
        witness: Witness | None = None,
        label: Label | None = None,
        *,
        once: bool = False,
    ) -> None:
        """`once`: the table is seen in one picture only, so that what is printed is read with more care."""
        self._witness = witness
        self._once = once
        self.label = label
        self.reader = reader
        self.identifier = identifier
        self._spread = spread
        self._card = (layout.card_width, layout.card_height)
        self.pixels_per_unit = CARD_PX / layout.card_height

    def area(self, zone: Zone) -> Rect:
        """The part of the table that must be looked at to read this zone."""
        if zone.kind is ZoneKind.STRIP:
            # a tucked card: as much as there would be of a whole one, its foot at the zone's lower edge
            return Rect(zone.rect.x0, zone.rect.y1 - self._card[1], zone.rect.x1, zone.rect.y1)
        return grown(zone.rect, _MARGIN)

    def can_read(self, zone: Zone) -> bool:
        return zone.kind is not ZoneKind.SPREAD or self._spread is not None

    def read(self, places: Sequence[PlacePicture], pose: Pose) -> tuple[tuple[CardSighting, ...], ...]:
        """For each place its sightings: one for a place, pile or strip, any number for a spread."""
        places = [_upright_place(place) for place in places]
        cuts, looks = self._looked_at(places)
        fronts = _fronts(places, cuts, looks)
        cards = self._cards(places, fronts, pose)
        read = self.reader.read(cards)
        names = named_with_care(
            self.reader, self.identifier, cards, read, lambda k, named: self._other_print(cards[k], named)
        )
        if self._once:
            told = readings_with_care(self.reader, cards, read)
            read = tuple(replace(card, reading=reading) for card, reading in zip(read, told, strict=True))
        readings = {
            id(cut): two for (cut, _, _), two in zip(fronts, zip(read, names, strict=True), strict=True)
        }
        sightings: list[list[CardSighting]] = [[] for _ in places]
        for cut, look in zip(cuts, looks, strict=True):
            card, named = readings.get(id(cut), (None, None))
            shown = _strip_look(look, card.evidence) if cut.foot_only and card is not None else look
            evidence = card.evidence if card is not None else None
            guesses = self.identifier.guesses(shown, evidence, named)
            guesses = self._labelled(places[cut.place]) or guesses
            if not cut.sure and not _is_another(guesses, sightings[cut.place]):
                continue
            sightings[cut.place].append(
                CardSighting(
                    guesses=guesses,
                    reading=card.reading if card is not None else None,
                    quad=_frame_quad(places[cut.place].picture, cut, look, pose),
                )
            )
        return tuple(tuple(found) for found in sightings)

    def cards(self, places: Sequence[PlacePicture], pose: Pose) -> list[CardCut]:
        """The cards that may show a front, just as their reader gets them: nothing is read yet."""
        places = [_upright_place(place) for place in places]
        return self._cards(places, _fronts(places, *self._looked_at(places)), pose)

    def _looked_at(self, places: Sequence[PlacePicture]) -> tuple[list["_Cut"], list[PlaceLook]]:
        cuts: list[_Cut] = []
        for index, place in enumerate(places):
            cuts += self._cuts_of(index, place)
        return cuts, self._looks(cuts)

    def _cards(self, places: Sequence[PlacePicture], fronts: "_Fronts", pose: Pose) -> list[CardCut]:
        return [
            CardCut(
                image=self._upright(cut, look),
                kind=kind,
                kind_p=p,
                foot_only=cut.foot_only,
                cover=_cover(places[cut.place], cut, look),
                original=self._original(places[cut.place], cut, look, pose),
            )
            for cut, look, (kind, p) in fronts
        ]

    def _labelled(self, place: PlacePicture) -> tuple[Guess, ...]:
        """A label on the sleeve is the last resort for cards that look the same, and is believed."""
        if self.label is None or place.fine is None or place.zone.kind is ZoneKind.SPREAD:
            return ()
        card = self.label(place.fine)
        return (
            () if card is None else (Guess(Look.FRONT, card, _SUREST), Guess(Look.FRONT, None, 1 - _SUREST))
        )

    def _other_print(self, seen: CardCut, named: Names) -> dict[CardId, float]:
        if self._witness is None or seen.foot_only:
            return {}
        return self._witness.speak(seen.image, named, seen.cover)

    def _cuts_of(self, index: int, place: PlacePicture) -> list["_Cut"]:
        image = place.picture.image
        if place.zone.kind is not ZoneKind.SPREAD:
            return [_Cut(index, image, None, foot_only=place.zone.kind is ZoneKind.STRIP)]
        assert self._spread is not None
        width, height = (size * place.picture.pixels_per_unit for size in self._card)
        found = self._spread(place.picture, (width, height))
        return [
            _Cut(
                index,
                self._warped(image, card.corners),
                card.corners,
                foot_only=False,
                rimmed=self._warped(image, _enlarged(card.corners)),
                sure=card.sure,
                covers=self._in_cut(card),
            )
            for card in found
        ]

    def _in_cut(self, card: LooseCard) -> tuple[Points, ...]:
        """The outlines of the cards that lie on one, in the pixels of its cut."""
        matrix = cv2.getPerspectiveTransform(np.asarray(card.corners, np.float32), self._target())
        return tuple(cv2.perspectiveTransform(corners[None], matrix)[0] for corners in card.covers)

    def _looks(self, cuts: Sequence["_Cut"]) -> list[PlaceLook]:
        looks = list(self.reader.look([cut.image for cut in cuts]))
        # A place is shown with some ground around it, what was cut out of a spread without any.
        whole = [k for k, cut in enumerate(cuts) if cut.rimmed is None]
        closer = closer_looks(self.reader, [cuts[k].image for k in whole], [looks[k] for k in whole])
        loose = {k: cut.rimmed for k, cut in enumerate(cuts) if cut.rimmed is not None}
        wider = wider_looks(self.reader, list(loose.values()), [looks[k] for k in loose])
        for k, look in zip((*whole, *loose), (*closer, *wider), strict=True):
            looks[k] = look
        return looks

    def _upright(self, cut: "_Cut", look: PlaceLook) -> BgrImage:
        """The card alone, the right way up."""
        return cut.image if cut.foot_only else self._warped(cut.image, _upright_corners(cut, look))

    def _original(self, place: PlacePicture, cut: "_Cut", look: PlaceLook, pose: Pose) -> Original | None:
        """The card in the camera's own picture, if that is at hand."""
        if place.frame is None:
            return None
        if cut.foot_only:
            matrix = np.array([(1, 0, -0.5), (0, 1, -0.5), (0, 0, 1)], np.float64)
        else:
            corners = _upright_corners(cut, look).astype(np.float32)
            matrix = np.asarray(cv2.getPerspectiveTransform(self._target() + np.float32(0.5), corners))
        if cut.corners is not None:
            to_zone = cv2.getPerspectiveTransform(self._target(), cut.corners.astype(np.float32))
            matrix = np.asarray(to_zone @ matrix)

        def to_pixels(points: Points) -> Points:
            return pose.project(place.picture.to_board(cv2.perspectiveTransform(points[None], matrix)[0]))

        return Original(place.frame, to_pixels)

    def _target(self) -> NDArray[np.float32]:
        """The corners of a card that fills its picture."""
        width = round(CARD_PX * self._card[0] / self._card[1])
        return np.array([(0, 0), (width, 0), (width, CARD_PX), (0, CARD_PX)], np.float32) - np.float32(0.5)

    def _warped(self, image: BgrImage, corners: Floats) -> BgrImage:
        width = round(CARD_PX * self._card[0] / self._card[1])
        target = self._target()
        matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
        warped = cv2.warpPerspective(image, matrix, (width, CARD_PX), flags=cv2.INTER_LINEAR)
        return np.asarray(warped, np.uint8)


def _upright_place(place: PlacePicture) -> PlacePicture:
    """The place as it is seen from where its cards are upright."""
    quarters = place.zone.turn_deg // 90 % 4
    return place if not quarters else replace(place, picture=place.picture.turned(quarters))


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    place: int
    image: BgrImage
    corners: Points | None
    """Where in the zone's picture it was cut out; None: it is the whole picture."""
    foot_only: bool
    rimmed: BgrImage | None = None
    """The same with some ground around it."""
    sure: bool = True
    """Whether something lies there at all; else it must be read to be believed."""
    covers: tuple[Points, ...] = ()
    """What lies on it: outlines in its own pixels."""


def _is_another(guesses: tuple[Guess, ...], others: Sequence[CardSighting]) -> bool:
    """Whether a card is read here without a doubt, and not one that was found beside it."""
    names = [other.guesses[0].card for other in others if other.guesses]
    best = guesses[0] if guesses else None
    return best is not None and best.card is not None and best.p >= _READ and best.card not in names


def _enlarged(corners: Points) -> Points:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * (1 + 2 * _GROUND))


_Fronts: TypeAlias = list[tuple[_Cut, PlaceLook, tuple[CardKind, float]]]


def _fronts(places: Sequence[PlacePicture], cuts: Sequence[_Cut], looks: Sequence[PlaceLook]) -> _Fronts:
    return [
        (cut, look, kind)
        for cut, look in zip(cuts, looks, strict=True)
        if (kind := _front_kind(cut, look, places[cut.place].zone)) is not None
    ]


def _front_kind(cut: _Cut, look: PlaceLook, zone: Zone) -> tuple[CardKind, float] | None:
    """The kind of card to read here, if a front may be seen at all."""
    allowed = [(kind, p) for kind, p in look.fronts if kind in zone.cards]
    if cut.foot_only:
        return (zone.cards[0], 1.0) if zone.cards else None
    if not allowed:
        return None
    kind, p = max(allowed, key=lambda pair: pair[1])
    return (kind, p) if p >= _LEAST_FRONT else None


def _upright_corners(cut: _Cut, look: PlaceLook) -> Floats:
    """Of the card in pixels of its cut, beginning at its own top left."""
    height, width = cut.image.shape[:2]
    corners = look.corners * (width, height)
    return np.roll(corners, 2, axis=0) if look.upside_down > 0.5 else corners


def _cover(place: PlacePicture, cut: _Cut, look: PlaceLook) -> Cover | None:
    """What hides parts of the card: other cards of a spread or else pieces; not where only a foot shows."""
    pixels = cut.covers
    if cut.corners is None and not cut.foot_only:
        pixels = tuple(place.picture.to_pixels(shade) + 0.5 for shade in place.shades)
    if not pixels:
        return None
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(_upright_corners(cut, look).astype(np.float32), unit)
    return Cover.of([cv2.perspectiveTransform(outline[None], matrix)[0] for outline in pixels])


def _strip_look(look: PlaceLook, evidence: CardEvidence) -> PlaceLook:
    """Whether a card is tucked there: by what is printed on its foot, for no more of it can be seen."""
    if evidence.marked is not None:
        present = evidence.marked / (evidence.marked + _EVEN_MARK * (1 - evidence.marked))
    else:
        printed = [symbol.there for _, symbols in evidence.fields for symbol in symbols]
        if evidence.stone is not None:
            printed.append(1.0 - float(evidence.stone[NO_NUMBER]))
        present = max(printed, default=0.0)
    present = min(_SUREST, present)
    return replace(look, empty=1.0 - present, backs=(), fronts=((evidence.kind, present),), unknown=0.0)


def _frame_quad(
    picture: Rectified, cut: _Cut, look: PlaceLook, pose: Pose
) -> tuple[tuple[float, float], ...]:
    """Where the card lies in the camera's frame."""
    height, width = cut.image.shape[:2]
    corners = look.corners * (width, height) if cut.corners is None else cut.corners
    pixels = pose.project(picture.to_board(np.asarray(corners, np.float64)))
    return tuple((float(x), float(y)) for x, y in pixels)
