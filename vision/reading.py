"""The likeliest reading of what was seen on a card, item by item."""

from collections.abc import Collection

from vision.anatomy import symbols_of
from vision.cards import Item, ItemKind
from vision.evidence import NO_NUMBER, CardEvidence, SeenSymbol
from vision.observation import CardReading, FieldReading, ItemReading

NUMBERED = frozenset({ItemKind("turtle")})
COUNTED = frozenset({"draw", "draw-pile", "barbarian"})
"""Items that carry a printed +n."""


def reading_of(evidence: CardEvidence, kind_p: float, numbered: Collection[ItemKind]) -> CardReading:
    """The likeliest reading of what was seen; `numbered` items carry a number."""
    stone = None if evidence.stone is None else int(evidence.stone.argmax())
    return CardReading(
        kind=evidence.kind,
        kind_p=kind_p,
        fields=tuple(
            FieldReading(name=name, items=_items(symbols, evidence.item_kinds, numbered))
            for name, symbols in evidence.fields
        ),
        stone=None if stone == NO_NUMBER else stone,
        stone_p=0.0 if evidence.stone is None or stone is None else float(evidence.stone[stone]),
    )


def _items(
    symbols: tuple[SeenSymbol, ...], item_kinds: tuple[ItemKind, ...], numbered: Collection[ItemKind]
) -> tuple[ItemReading, ...]:
    items: list[ItemReading] = []
    for symbol in symbols:
        item = _item(symbol, item_kinds, numbered)
        before = items[-1] if items else None
        if before is not None and before.kind == item.kind and symbols_of(Item(item.kind, 2)) > 1:
            # one item printed as several symbols
            items[-1] = ItemReading(item.kind, before.count + 1, None, min(before.p, item.p))
        else:
            items.append(item)
    return tuple(items)


def _item(
    symbol: SeenSymbol, item_kinds: tuple[ItemKind, ...], numbered: Collection[ItemKind]
) -> ItemReading:
    best = int(symbol.kinds.argmax())
    kind, p = item_kinds[best], float(symbol.kinds[best]) * symbol.there
    if kind in numbered and symbol.numbers is not None:
        number = int(symbol.numbers[:NO_NUMBER].argmax())
        return ItemReading(kind, 1, number, p * float(symbol.numbers[number]))
    if kind in COUNTED:
        count = int(symbol.counts.argmax())
        return ItemReading(kind, count + 1, None, p * float(symbol.counts[count]))
    return ItemReading(kind, 1, None, p)
