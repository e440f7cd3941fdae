"""Looks again: closer at a doubtful place, from a little aside at doubtful cards and those read for keeps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import cv2
import numpy as np

from vision.cards import CardId, CardKind
from vision.evidence import CardEvidence, PlaceLook
from vision.frame import BgrImage
from vision.identify import Identifier, Names
from vision.observation import CardReading, FieldReading
from vision.reader import CardCut, ReadCard, Reader

_DOUBT = 0.95
"""A look or a name less likely than this is looked at again."""
_RIM = 0.065, 0.045
"""How much closer: without these shares of a place's width and height at each side."""
_ASIDE = ((0.98, 0.0, 0.0), (1.0, 0.01, -0.01), (0.97, 0.0, 0.01), (1.0, -0.01, 0.0))
"""Size, and shift as shares of width and height: about how far off a card's corners are found."""
_BLUR = 0.0137
_CLEARER = 1.5
"""What a far camera blurs, as a share of a card's height, and how much of it is taken back before a card in
doubt is looked at again; chosen on the twelve softest of 200 training styles."""

_HEIGHT = 320
"""Pixels of a card that is read for keeps; of 190, 260, 320 and 650 the one with the fewest faults."""

_Answer = TypeVar("_Answer")


def closer_looks(reader: Reader, places: Sequence[BgrImage], looks: Sequence[PlaceLook]) -> list[PlaceLook]:
    """Where nothing may lie, or something unknown: seams of a table top around a bare place seem rims."""
    doubtful = [k for k, look in enumerate(looks) if look.unknown > 1 - _DOUBT and look.empty > 1 - _DOUBT]
    again = reader.look([_without_rim(places[k]) for k in doubtful])
    better = dict(zip(doubtful, again, strict=True))
    return [_mean(look, better[k]) if k in better else look for k, look in enumerate(looks)]


def wider_looks(reader: Reader, rimmed: Sequence[BgrImage], looks: Sequence[PlaceLook]) -> list[PlaceLook]:
    """Where a picture of no known kind fills a cut: only ground around it tells a card from a bare table."""
    doubtful = [k for k, look in enumerate(looks) if look.unknown + look.empty > 1 - _DOUBT]
    wider = dict(zip(doubtful, reader.look([rimmed[k] for k in doubtful]), strict=True))
    return [
        # where the card lies in its cut is told by the look at the cut
        replace(wider[k], corners=look.corners, upside_down=look.upside_down) if k in wider else look
        for k, look in enumerate(looks)
    ]


def _without_rim(place: BgrImage) -> BgrImage:
    height, width = place.shape[:2]
    across, down = round(_RIM[0] * width), round(_RIM[1] * height)
    return np.ascontiguousarray(place[down : height - down, across : width - across])


def _mean(one: PlaceLook, other: PlaceLook) -> PlaceLook:
    """Of both answers; where the card lies is told by the first, which shows all of it."""
    return replace(
        one,
        empty=(one.empty + other.empty) / 2,
        unknown=(one.unknown + other.unknown) / 2,
        fronts=tuple((kind, (p + dict(other.fronts).get(kind, 0.0)) / 2) for kind, p in one.fronts),
        backs=tuple((kind, (p + dict(other.backs).get(kind, 0.0)) / 2) for kind, p in one.backs),
    )


def named_with_care(
    reader: Reader,
    identifier: Identifier,
    cards: Sequence[CardCut],
    read: Sequence[ReadCard],
    also: Callable[[int, Names], Mapping[CardId, float]] = lambda _card, _named: {},
) -> list[Names]:
    """The names of cards, looked at again where they are in doubt.

    `also` is asked what else speaks for or against the names that one look gave to a card.
    """
    first = [identifier.name(card.evidence) for card in read]
    again = further_evidence(reader, cards, first)
    names: list[Names] = []
    for k, card in enumerate(read):
        words = also(k, first[k])
        more = again[k] or words
        names.append(identifier.name(card.evidence, again=again[k], also=words) if more else first[k])
    return names


def further_evidence(
    reader: Reader, cards: Sequence[CardCut], named: Sequence[Names]
) -> list[tuple[CardEvidence, ...]]:
    """For each card whose name is in doubt what is read of it from a little aside, its edges made clearer.

    A blur is read by luck; and a camera so far away that print melts together is what most doubts come from.
    """
    doubtful = [k for k, cut in enumerate(cards) if not cut.foot_only and _in_doubt(named[k])]
    again = reader.read([_clearer(_aside(cards[k], *way)) for k in doubtful for way in _ASIDE])
    found: list[tuple[CardEvidence, ...]] = [() for _ in cards]
    for place, k in enumerate(doubtful):
        part = again[place * len(_ASIDE) : (place + 1) * len(_ASIDE)]
        found[k] = tuple(card.evidence for card in part)
    return found


def read_with_care(reader: Reader, card: BgrImage, kind: CardKind | None = None) -> ReadCard:
    """One upright card for keeps: what most of several looks read in each field, at the size readers know.

    A picture much larger than on a table would be looked at here and there only, and read by luck.
    """
    p = 1.0
    if kind is None:
        kind, p = reader.look([card])[0].front()
    first = CardCut(image=_no_higher(card), kind=kind, kind_p=p)
    looks = reader.read([first, *(_aside(first, *way) for way in _ASIDE)])
    return replace(looks[0], reading=_voted([look.reading for look in looks]))


def readings_with_care(
    reader: Reader, cards: Sequence[CardCut], read: Sequence[ReadCard]
) -> list[CardReading]:
    """The same for cards in their places that were read once; of tucked ones only a foot is in view."""
    whole = [k for k, cut in enumerate(cards) if not cut.foot_only]
    again = reader.read([_aside(cards[k], *way) for k in whole for way in _ASIDE])
    readings = [card.reading for card in read]
    for place, k in enumerate(whole):
        part = again[place * len(_ASIDE) : (place + 1) * len(_ASIDE)]
        readings[k] = _voted([readings[k], *(look.reading for look in part)])
    return readings


def _voted(readings: Sequence[CardReading]) -> CardReading:
    """What most looks at one card say, field by field."""
    fields = tuple(_commonest(same, _printed) for same in zip(*(one.fields for one in readings), strict=True))
    stone = _commonest(readings, lambda one: one.stone)
    return replace(readings[0], fields=fields, stone=stone.stone, stone_p=stone.stone_p)


def _no_higher(card: BgrImage) -> BgrImage:
    height, width = card.shape[:2]
    if height <= _HEIGHT:
        return card
    size = (max(1, round(width * _HEIGHT / height)), _HEIGHT)
    return np.asarray(cv2.resize(card, size, interpolation=cv2.INTER_AREA), np.uint8)


def _printed(field: FieldReading) -> tuple[object, ...]:
    return tuple((item.kind, item.count, item.number) for item in field.items)


def _commonest(looks: Sequence[_Answer], answer: Callable[[_Answer], object]) -> _Answer:
    """The first of those that say what most say."""
    answers = [answer(look) for look in looks]
    return looks[max(range(len(looks)), key=lambda k: (answers.count(answers[k]), -k))]


def _in_doubt(named: Names) -> bool:
    card, p = named[0]
    return card is None or p < _DOUBT


def _aside(cut: CardCut, size: float, right: float, down: float) -> CardCut:
    height, width = cut.image.shape[:2]
    x = width * ((1 - size) / 2 + right)
    y = height * ((1 - size) / 2 + down)
    way = np.array([(size, 0.0, x), (0.0, size, y)])
    image = cv2.warpAffine(
        cut.image,
        way,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    original = None if cut.original is None else cut.original.moved(size, x, y)
    return replace(cut, image=np.asarray(image, np.uint8), original=original)


def _clearer(cut: CardCut) -> CardCut:
    soft = cv2.GaussianBlur(cut.image, (0, 0), _BLUR * cut.image.shape[0])
    return replace(
        cut, image=np.asarray(cv2.addWeighted(cut.image, 1 + _CLEARER, soft, -_CLEARER, 0), np.uint8)
    )
