"""Reads a card as a whole: one network names what stands in each place of each field.

For games whose cards print everything at fixed places, and large enough to be read from a small picture of
the card. The network comes with the game, and its answers say what it reads: `kind/field/place: words`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy
from vision.cards import CardKind, CardPack, ItemKind
from vision.evidence import NO_NUMBER, NUMBERS, CardEvidence, Floats, PlaceLook, SeenSymbol
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.networks import NetworkError, Networks
from vision.pack import PackRules
from vision.read import CardCut, CardReader, ReadCard, look_at, reading_of

NETWORK = "faces"
FACE_PX = (96, 136)
"""Width and height of the picture that the network sees."""
LONGEST = 3
"""So many items of a field are read; longer fields, such as tracks, not at all."""
MOST_NUMBER = 20
_LEAST = 0.35
"""An item less likely than this is not there."""
_COUNTS = 4
_NO_COUNTS: Floats = np.eye(_COUNTS)[0]


@dataclass(frozen=True, slots=True)
class Group:
    """One question that the network answers: which item stands in a place, or which number it carries."""

    kind: CardKind
    field: str
    place: int
    number: bool
    words: tuple[str, ...]
    """The first word means none."""

    def __str__(self) -> str:
        what = " number" if self.number else ""
        return f"{self.kind}/{self.field}/{self.place}{what}: {' '.join(self.words)}"


def groups_of(rules: PackRules) -> tuple[Group, ...]:
    """What can be asked about the cards of a game."""
    groups: list[Group] = []
    for kind, kind_rules in rules.kinds.items():
        for name, field in kind_rules.fields.items():
            if field.most > 2 * LONGEST:
                continue
            for place in range(min(field.most, LONGEST)):
                groups.append(Group(kind, name, place, False, ("-", *sorted(field.items))))
                if field.items & rules.numbered:
                    numbers = ("-", *map(str, range(MOST_NUMBER + 1)))
                    groups.append(Group(kind, name, place, True, numbers))
    return tuple(groups)


def parse_group(text: str) -> Group:
    try:
        name, words = text.split(": ")
        kind, field, place = name.removesuffix(" number").split("/")
        return Group(CardKind(kind), field, int(place), name.endswith(" number"), tuple(words.split()))
    except ValueError:
        raise NetworkError(
            f"expected an answer such as 'kind/field/0: words' of the network '{NETWORK}', found {text!r}: "
            "install Floodwatch again."
        ) from None


class WholeCardReader:
    """Reads upright cards; the same questions and answers as `vision.read.CardReader`."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._groups = tuple(parse_group(text) for text in networks.answers(NETWORK))
        ends = np.cumsum([len(group.words) for group in self._groups])
        self._parts = [slice(int(end) - len(g.words), int(end)) for g, end in zip(self._groups, ends, strict=True)]
        words = {word for group in self._groups if not group.number for word in group.words[1:]}
        self.item_kinds: tuple[ItemKind, ...] = tuple(ItemKind(word) for word in sorted(words))
        self._index: Mapping[str, int] = {kind: index for index, kind in enumerate(self.item_kinds)}

    def look(self, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]:
        return look_at(self._networks, places)

    def read(self, cards: Sequence[CardCut]) -> tuple[ReadCard, ...]:
        if not cards:
            return ()
        rows = self._networks.run(NETWORK, np.stack([face_of(card.image) for card in cards]))
        return tuple(self._read(card, row) for card, row in zip(cards, rows, strict=True))

    def _read(self, card: CardCut, row: NDArray[np.float32]) -> ReadCard:
        answers: dict[tuple[str, int, bool], tuple[Group, Floats]] = {}
        for group, part in zip(self._groups, self._parts, strict=True):
            if group.kind == card.kind:
                answers[group.field, group.place, group.number] = (group, _softmax(row[part]))
        fields: dict[str, list[SeenSymbol]] = {}
        for (name, place, number), (group, shares) in answers.items():
            symbols = fields.setdefault(name, [])
            if number or 1 - shares[0] < _LEAST:
                continue
            numbers = answers.get((name, place, True))
            symbols.append(self._symbol(group, shares, None if numbers is None else numbers[1]))
        evidence = CardEvidence(
            kind=card.kind,
            item_kinds=self.item_kinds,
            fields=tuple((name, tuple(symbols)) for name, symbols in fields.items()),
            stone=None,
        )
        return ReadCard(reading=reading_of(evidence, card.kind_p), evidence=evidence)

    def _symbol(self, group: Group, shares: Floats, numbers: Floats | None) -> SeenSymbol:
        kinds = np.zeros(len(self.item_kinds))
        for word, share in zip(group.words[1:], shares[1:], strict=True):
            kinds[self._index[word]] = share
        return SeenSymbol(
            field=group.field,
            there=float(1 - shares[0]),
            kinds=kinds / kinds.sum(),
            counts=_NO_COUNTS,
            numbers=None if numbers is None else _spread_out(numbers),
            x=0.0,
            y=0.0,
        )


def reader_of(
    anatomy: Anatomy, networks: Networks, rules: PackRules, pack: CardPack
) -> CardReader | WholeCardReader:
    """Cards are read as a whole where a game brings a network for that, else symbol by symbol."""
    if NETWORK in networks:
        return WholeCardReader(networks)
    return CardReader(anatomy, networks, limits=limits_of(rules), pack=pack)


def face_of(image: BgrImage) -> BgrImage:
    """The upright card as the network sees it."""
    return np.asarray(cv2.resize(image, FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)


def _spread_out(shares: Floats) -> Floats:
    """Over 0 to 199 and no number, as evidence has it."""
    numbers = np.zeros(NUMBERS + 1)
    numbers[: len(shares) - 1] = shares[1:]
    numbers[NO_NUMBER] = shares[0]
    return numbers


def _softmax(values: NDArray[np.float32]) -> Floats:
    shares = np.exp(values.astype(np.float64) - float(values.max()))
    return np.asarray(shares / shares.sum())
