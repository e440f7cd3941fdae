"""What is printed on cards: items, fields, and packs of cards, each fact with its source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NewType

CardId = NewType("CardId", str)
CardKind = NewType("CardKind", str)
ItemKind = NewType("ItemKind", str)


class Source(Enum):
    """How we know a fact. A player's own word outranks everything else."""

    RULEBOOK = "rulebook"
    PHOTOGRAPH = "photograph"
    ASSUMED = "assumed"
    INVENTED = "invented"
    READ = "read"
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class Item:
    """One printed symbol. `count` is a printed +n (or tablets in a pair), `number` a turtle's number."""

    kind: ItemKind
    count: int = 1
    number: int | None = None

    def __str__(self) -> str:
        count = f"+{self.count}" if self.count != 1 else ""
        number = f"#{self.number}" if self.number is not None else ""
        return f"{self.kind}{count}{number}"


_ITEM_TEXT = re.compile(r"([a-z][a-z-]*)(?:\+(\d{1,2}))?(?:#(\d{1,3}))?")


def parse_items(text: str) -> tuple[Item, ...]:
    """Items as written in packs: words divided by blanks, `draw+2`, `turtle#42`."""
    return tuple(_parse_item(word) for word in text.split())


def format_items(items: tuple[Item, ...]) -> str:
    return " ".join(str(item) for item in items)


def _parse_item(word: str) -> Item:
    match = _ITEM_TEXT.fullmatch(word)
    if match is None:
        raise ValueError(f"expected an item such as 'cowrie', 'draw+2' or 'turtle#42', found {word!r}")
    kind, count, number = match.groups()
    return Item(ItemKind(kind), int(count or 1), int(number) if number else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardField:
    """One printed part of a card, such as the brown field or the foot strip."""

    name: str
    items: tuple[Item, ...] | None
    """None: printed, but nobody has read it yet. Empty: nothing is printed there."""
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    id: CardId
    kind: CardKind
    fields: tuple[CardField, ...] = ()
    stone: int | None = None
    """The number on the grey stone; None where it is not known."""
    picture: str | None = None
    """Cards with the same picture share this name."""
    group: str | None = None
    """What sorts cards of one kind into piles (jade numbers of canals, blue and gold victories)."""
    copies: int = 1
    """How many cards look exactly like this."""
    image: str | None = None
    """File name of a picture of the whole card inside the pack's folder."""
    embedding: str | None = None
    """What its picture looks like in a few numbers, written by its owner (see `vision.embedding`)."""

    def items(self, name: str) -> tuple[Item, ...] | None:
        """The items of a field; None where the field is unknown or absent."""
        for card_field in self.fields:
            if card_field.name == name:
                return card_field.items
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPack:
    """The cards of one player's copy of a game. Incomplete packs are normal."""

    game: str
    name: str
    cards: tuple[CardFacts, ...]
    _by_id: dict[CardId, CardFacts] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id = {card.id: card for card in self.cards}
        if len(by_id) != len(self.cards):
            raise ValueError(f"card ids of pack {self.name!r} must differ")
        object.__setattr__(self, "_by_id", by_id)

    def __contains__(self, card: CardId) -> bool:
        return card in self._by_id

    def __getitem__(self, card: CardId) -> CardFacts:
        return self._by_id[card]

    def of_kind(self, kind: CardKind) -> Iterator[CardFacts]:
        return (card for card in self.cards if card.kind == kind)
