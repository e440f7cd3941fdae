"""The lines along which a card is read pass through every symbol that can be printed on it."""

from pathlib import Path

import numpy as np
import pytest

from vision.anatomy import Along, Anatomy, load_anatomy, place_fields
from vision.cards import CardFacts, CardField, CardId, CardKind, ItemKind, Source, parse_items
from vision.fields import FieldLimits, assigned
from vision.scan import CELL, CELLS, scan_lines

ANATOMY = load_anatomy(Path(__file__).parents[2] / "assistant" / "games" / "yu" / "anatomy.toml")


def facts(kind: str, **fields: str) -> CardFacts:
    made = tuple(
        CardField(name=name, items=parse_items(text), source=Source.INVENTED) for name, text in fields.items()
    )
    return CardFacts(id=CardId("any"), kind=CardKind(kind), fields=made)


CARDS = (
    facts("townsfolk", brown="red", red="wood", food="milk", harvest="wood cowrie"),
    facts("townsfolk", brown="wood wood", red="wood", food="fish", harvest="draw"),
    facts(
        "barbarian",
        cost="blue blue red",
        reward="cowrie cowrie wood",
        damage="destroy",
        bribe="cowrie cowrie",
    ),
    facts("barbarian", cost="red red red", reward="turtle#12", damage="destroy", bribe="white"),
    facts("canal", cost="white white cowrie cowrie", effects="clay wood turtle#3"),
    facts("canal", cost="red yellow white white cowrie cowrie cowrie", effects="destroy+2 turtle#5"),
)


def offset(anatomy: Anatomy, kind: CardKind, x: float, y: float) -> float:
    """How far the nearest place of any line is from a point, in sizes of a symbol."""
    best = 9.0
    for line in scan_lines(anatomy, kind):
        for cell in range(CELLS):
            at = line.at(cell, anatomy.ratio)
            dx, dy = abs(at[0] - x), abs(at[1] - y) / anatomy.ratio
            best = min(best, max(dx, dy) / line.size)
    return best


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.kind)
def test_every_printed_item_is_near_a_place_that_is_looked_at(card: CardFacts) -> None:
    for field in place_fields(ANATOMY, card):
        for item, slot in field.slots:
            reach = CELL / 2 + (slot.extent - 1) / 2
            assert offset(ANATOMY, card.kind, slot.x, slot.y) <= reach + 0.05, (field.name, item)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.kind)
def test_symbols_in_their_places_go_to_their_fields(card: CardFacts) -> None:
    placed = {field.name: [slot for _, slot in field.slots] for field in place_fields(ANATOMY, card)}
    for line in scan_lines(ANATOMY, card.kind):
        names = {part.field for part in line.parts}
        mine = []
        for name, slots in placed.items():
            for slot in slots:
                on_row = (
                    abs(slot.y - line.y) < 0.05 if line.along is Along.RIGHT else abs(slot.x - line.x) < 0.05
                )
                if name in names and on_row:
                    mine.append((slot.y if line.along is Along.DOWN else slot.x, slot.x, slot.y, name))
        mine.sort()
        places = [(x, y) for _, x, y, _ in mine]
        found = assigned(line, places, [np.ones(0)] * len(mine), [0.9] * len(mine), dict.fromkeys(names), ())
        assert list(found) == [name for *_, name in mine]


def test_a_banner_that_lies_a_little_too_low_keeps_its_fields() -> None:
    line = next(line for line in scan_lines(ANATOMY, CardKind("townsfolk")) if line.hangings)
    hanging = next(
        h for h in line.hangings if [name for name, _ in h.places] == ["brown", "brown", "red", "food"]
    )
    for shift in (-0.03, 0.0, 0.03):
        places = [(line.x, y + shift) for _, y in hanging.places]
        assert assigned(line, places, [np.ones(0)] * 4, [0.9] * 4, {}, ()) == (
            "brown",
            "brown",
            "red",
            "food",
        )


def test_a_dark_tree_beside_a_centred_row_is_not_an_item() -> None:
    line = next(line for line in scan_lines(ANATOMY, CardKind("canal")) if line.centre is not None)
    assert line.centre is not None
    places = [(line.centre + offset, line.y) for offset in (-0.26, -0.09, 0.08)]
    found = assigned(line, places, [np.ones(0)] * 3, [0.8, 0.99, 0.99], {}, ())
    assert found == (None, "cost", "cost")


def test_a_field_keeps_the_surest_symbols_if_it_cannot_hold_all() -> None:
    line = next(line for line in scan_lines(ANATOMY, CardKind("barbarian")) if line.parts[0].field == "cost")
    places = [(line.x, y) for y in (0.085, 0.21, 0.335, 0.46)]
    limits = {"cost": FieldLimits(items=frozenset({ItemKind("red")}), fewest=3, most=3)}
    found = assigned(line, places, [np.ones(1)] * 4, [0.99, 0.98, 0.99, 0.6], limits, (ItemKind("red"),))
    assert found == ("cost", "cost", "cost", None)


def test_a_sleeve_below_a_banner_is_not_an_item() -> None:
    line = next(line for line in scan_lines(ANATOMY, CardKind("townsfolk")) if line.hangings)
    hanging = next(h for h in line.hangings if [name for name, _ in h.places] == ["brown", "red", "food"])
    places = [(line.x, y) for _, y in hanging.places] + [(line.x, hanging.places[-1][1] + 0.09)]
    any_item = ItemKind("any")
    limits = {
        name: FieldLimits(items=frozenset({any_item}), fewest=1, most=most)
        for name, most in (("brown", 2), ("red", 1), ("food", 1))
    }
    found = assigned(line, places, [np.ones(1)] * 4, [0.99, 0.99, 0.99, 0.8], limits, (any_item,))
    assert found == ("brown", "red", "food", None)
