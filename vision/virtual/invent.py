"""Makes up cards of any anatomy: every field filled at random, for training and for contact sheets."""

import numpy as np

from vision.anatomy import Align, Along, Anatomy, CardAnatomy, FieldAnatomy, symbols_of
from vision.cards import CardFacts, CardField, CardId, CardKind, Item, ItemKind, Source
from vision.virtual.people import SITTERS

ITEM_KINDS: tuple[ItemKind, ...] = tuple(
    ItemKind(kind)
    for kind in (
        "white", "red", "black", "blue", "yellow", "coloured", "any", "wood", "clay", "provision", "cowrie",
        "draw", "draw-pile", "barbarian", "exhaust", "destroy", "flood", "harvest", "turtle",
        "meat", "fish", "wheat", "milk",
    )
)  # fmt: skip
"""All symbols that can be an item on a card."""

_MOST_ON_A_LINE = 4


def invent_card(
    anatomy: Anatomy,
    kind: CardKind,
    seed: int,
    *,
    item_kinds: tuple[ItemKind, ...] = ITEM_KINDS,
    most_stone: int = 199,
) -> CardFacts:
    """A card that obeys no rule of any game: each field holds as many random items as fit into it."""
    rng = np.random.default_rng((seed, 0x1C4))
    card = anatomy[kind]
    fields = tuple(
        CardField(name=field.name, items=_items(rng, card, field, item_kinds), source=Source.INVENTED)
        for field in card.fields
    )
    return CardFacts(
        id=CardId(f"invented-{kind}-{seed}"),
        kind=kind,
        fields=fields,
        stone=int(rng.integers(most_stone + 1)) if card.stone is not None else None,
        picture=str(rng.choice(sorted(SITTERS))),
    )


def _items(
    rng: np.random.Generator, card: CardAnatomy, field: FieldAnatomy, kinds: tuple[ItemKind, ...]
) -> tuple[Item, ...]:
    hanging = any(field.name in banner.fields for banner in card.banners)
    most = len(field.heights) - 1 if hanging else _room(card, field)
    count = int(rng.integers(1, most + 1))
    items = [_item(rng, ItemKind(str(rng.choice(kinds)))) for _ in range(count)]
    while len(items) > 1 and sum(symbols_of(item) for item in items) > most:
        items.pop()
    return tuple(items)


def _room(card: CardAnatomy, field: FieldAnatomy) -> int:
    """How many single symbols fit on the field's first line before the next thing printed on its height."""
    first = field.lines[0]
    if first.along is Along.DOWN or first.align is Align.CENTRE:
        return _MOST_ON_A_LINE - 1
    ends = [card.strip.x1 if card.strip is not None else 0.9]
    ends += [mark.x - mark.size / 2 for mark in card.marks if abs(mark.y - first.y) < 0.05]
    ends += [
        line.x - line.size / 2
        for other in card.fields
        for line in other.lines
        if other is not field and abs(line.y - first.y) < 0.05
    ]
    end = min(end for end in ends if end > first.x)
    return max(1, min(_MOST_ON_A_LINE, 1 + int((end - first.x - first.size / 2) / first.step)))


def _item(rng: np.random.Generator, kind: ItemKind) -> Item:
    if kind == "turtle":
        return Item(kind, 1, int(rng.integers(200)))
    if kind in ("draw", "draw-pile", "barbarian"):
        return Item(kind, int(rng.choice((1, 1, 1, 2, 3, 4))))
    if kind == "destroy":
        return Item(kind, int(rng.choice((1, 1, 2))))
    return Item(kind)
