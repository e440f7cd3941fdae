"""Cards that lie on a table but not in the pack: whether another card's name is given to them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.photographs import anatomy
from vision.anatomy import Slot, symbol_places, symbols_of
from vision.cards import CardFacts, CardId, CardPack
from vision.cover import Cover
from vision.identify import Identifier
from vision.places import PlacePicture, PlaceReader
from vision.pose import Points, Pose
from vision.read import CardReader
from vision.table import TableLayout
from vision.witness import Witness

_SEEN = 0.5
"""A symbol of which less than this is hidden is in plain sight."""
_SAME_PLACE = 0.04
"""Of a card's width and height."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lying:
    """One card on a table as the camera shows it."""

    card: CardId
    picture: PlacePicture
    quad: Points
    """Its true corners in board units."""
    covered: bool


def left_out(
    layout: TableLayout,
    reader: CardReader,
    enrolled: CardPack,
    printed: CardPack,
    scans: Mapping[CardId, np.ndarray],
    lying: Sequence[Lying],
    pose: Pose,
) -> Counter[str]:
    """Each card of a table against the pack without it: how many get another's name, and of what kind."""
    counts: Counter[str] = Counter()
    for one in lying:
        others = replace(enrolled, cards=tuple(card for card in enrolled.cards if card.id != one.card))
        identifier = Identifier(others, reader.item_kinds, anatomy=anatomy())
        witness = Witness({card: scan for card, scan in scans.items() if card != one.card})
        places = PlaceReader(layout, reader, identifier, None, witness)
        group = "covered" if one.covered else "open"
        counts[group] += 1
        looks = {"": one.picture, " blind": replace(one.picture, shades=())}
        for way, picture in looks.items():
            called = places.read([picture], pose)[0][0].guesses[0].card
            if called is not None:
                counts[f"{group} named{way}"] += 1
                apart = differ_in_sight(printed[one.card], printed[called], _cover(one))
                counts[f"{group} in sight{way}"] += apart
    return counts


def differ_in_sight(card: CardFacts, other: CardFacts, cover: Cover | None) -> bool:
    """Whether anything that can be seen tells two cards apart."""
    stone = anatomy()[card.kind].stone
    if card.stone != other.stone and stone is not None:
        size = 2 * stone.radius
        if _in_sight(cover, Slot(stone.x, stone.y, size)):
            return True
    mine, theirs = _symbols(card), _symbols(other)
    return any(_in_sight(cover, place) for place in (*_missing(mine, theirs), *_missing(theirs, mine)))


_Symbol = tuple[str, object, Slot]


def _symbols(card: CardFacts) -> list[_Symbol]:
    places = symbol_places(anatomy(), card)
    found: list[_Symbol] = []
    for field in card.fields:
        looks = [
            (item.kind, None if symbols_of(item) > 1 else item.count, item.number)
            for item in field.items or ()
            for _ in range(symbols_of(item))
        ]
        for look, place in zip(looks, places[field.name], strict=True):
            if place is not None:
                found.append((field.name, look, place))
    return found


def _missing(these: Sequence[_Symbol], those: Sequence[_Symbol]) -> list[Slot]:
    """Places of symbols that the other card does not print there."""
    return [
        place
        for name, look, place in these
        if not any(
            (name, look) == (other_name, other_look)
            and max(abs(place.x - there.x), abs(place.y - there.y)) < _SAME_PLACE
            for other_name, other_look, there in those
        )
    ]


def _in_sight(cover: Cover | None, place: Slot) -> bool:
    if cover is None:
        return True
    return cover.share(place.x, place.y, place.size, place.size * anatomy().ratio) < _SEEN


def _cover(one: Lying) -> Cover | None:
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(one.quad.astype(np.float32), unit)
    return Cover.of([cv2.perspectiveTransform(shade[None], matrix)[0] for shade in one.picture.shades])
