"""Which card it is: decided by what is printed, and "none of them" is an answer."""

from dataclasses import replace

import numpy as np
import pytest

from assistant.games.yu import KIT
from vision.anatomy import symbol_places
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Item, ItemKind, Source, parse_items
from vision.evidence import NO_NUMBER, NUMBERS, CardEvidence, PlaceLook, SeenSymbol
from vision.identify import Identifier
from vision.observation import Look
from vision.virtual.drawn import load_table_art

FOLK = CardKind("townsfolk")
CANAL = CardKind("canal")
KINDS = tuple(
    ItemKind(kind) for kind in ("white", "red", "wood", "clay", "cowrie", "draw", "destroy", "turtle", "milk")
)


def card(
    name: str, kind: CardKind = FOLK, stone: int | None = 0, copies: int = 1, **fields: str
) -> CardFacts:
    return CardFacts(
        id=CardId(name),
        kind=kind,
        fields=tuple(
            CardField(name=key, items=None if text == "?" else parse_items(text), source=Source.INVENTED)
            for key, text in fields.items()
        ),
        stone=stone,
        copies=copies,
    )


PACK = CardPack(
    game="any",
    name="test",
    cards=(
        card("red-wood", brown="red", red="wood", harvest="wood cowrie"),
        card("red-clay", brown="red", red="clay", harvest="wood cowrie"),
        card("draw-two", brown="draw+2", red="wood", harvest="white"),
        card("half-known", brown="white white", red="white", harvest="?"),
        card("far", brown="red", red="wood", harvest="wood cowrie", stone=7),
        card("canal-42", CANAL, cost="white cowrie", effects="destroy+2 turtle#42"),
        card("canal-44", CANAL, cost="white cowrie", effects="destroy+2 turtle#44"),
    ),
)


def number(value: int | None, p: float = 0.97) -> np.ndarray:
    shares = np.full(NUMBERS + 1, (1 - p) / NUMBERS)
    shares[NO_NUMBER if value is None else value] = p
    return shares


def seen(
    field: str, item: Item, p: float = 0.97, there: float = 0.99, among: tuple[ItemKind, ...] = KINDS
) -> list[SeenSymbol]:
    kinds = np.full(len(among), (1 - p) / (len(among) - 1))
    kinds[among.index(item.kind)] = p
    counts = np.full(4, 0.01)
    counts[item.count - 1 if item.kind == "draw" else 0] = 0.97
    many = item.count if item.kind == "destroy" else 1
    return [
        SeenSymbol(
            field=field,
            there=there,
            kinds=kinds,
            counts=counts,
            numbers=number(item.number) if item.kind == "turtle" else None,
            x=0.5,
            y=0.5,
        )
    ] * many


def evidence(
    fields: dict[str, str], *, kind: CardKind = FOLK, stone: int | None = 0, p: float = 0.97
) -> CardEvidence:
    return CardEvidence(
        kind=kind,
        item_kinds=KINDS,
        fields=tuple(
            (name, tuple(symbol for item in parse_items(text) for symbol in seen(name, item, p)))
            for name, text in fields.items()
        ),
        stone=number(stone),
    )


def look(front: float = 0.97, back: float = 0.01, empty: float = 0.01) -> PlaceLook:
    return PlaceLook(
        empty=empty,
        backs=((FOLK, back),),
        fronts=((FOLK, front), (CANAL, 0.0)),
        unknown=1 - front - back - empty,
        upside_down=0.01,
        corners=np.zeros((4, 2)),
    )


IDENTIFIER = Identifier(PACK, KINDS)


def test_a_card_read_as_printed_is_named() -> None:
    best, p = IDENTIFIER.name(evidence({"brown": "red", "red": "clay", "harvest": "wood cowrie"}))[0]
    assert best == "red-clay"
    assert p > 0.95


def test_the_stone_tells_cards_apart_that_are_alike_in_all_else() -> None:
    fields = {"brown": "red", "red": "wood", "harvest": "wood cowrie"}
    assert IDENTIFIER.name(evidence(fields, stone=0))[0][0] == "red-wood"
    assert IDENTIFIER.name(evidence(fields, stone=7))[0][0] == "far"


def test_a_turtle_number_tells_canals_apart() -> None:
    named = IDENTIFIER.name(evidence({"cost": "white cowrie", "effects": "destroy+2 turtle#44"}, kind=CANAL))
    assert named[0][0] == "canal-44"
    assert named[0][1] > 0.9


def test_a_symbol_counted_to_the_field_beside_its_own_does_not_make_a_stranger() -> None:
    shifted = {"brown": "red clay", "red": "", "harvest": "wood cowrie"}
    assert IDENTIFIER.name(evidence(shifted, p=0.6))[0][0] == "red-clay"


def test_a_symbol_two_fields_away_is_another_card() -> None:
    named = IDENTIFIER.name(evidence({"brown": "red", "red": "", "harvest": "wood cowrie clay clay"}))
    assert named[0][0] is None


def test_one_unsure_symbol_does_not_hide_a_card() -> None:
    named = IDENTIFIER.name(evidence({"brown": "red", "red": "wood", "harvest": "wood cowrie"}, p=0.5))
    assert named[0][0] == "red-wood"


def test_what_one_look_misreads_further_looks_put_right() -> None:
    fields = {"brown": "red", "red": "wood", "harvest": "wood cowrie"}
    misread = evidence({**fields, "brown": "milk", "harvest": "clay white"})
    assert IDENTIFIER.name(misread)[0][0] is None
    assert IDENTIFIER.name(misread, again=(evidence(fields), evidence(fields)))[0][0] == "red-wood"


def test_a_symbol_that_was_not_seen_does_not_hide_a_card() -> None:
    assert IDENTIFIER.name(evidence({"brown": "red", "red": "wood", "harvest": "wood"}))[0][0] == "red-wood"


@pytest.mark.parametrize(
    "fields",
    [
        {"brown": "cowrie", "red": "milk", "harvest": "red"},
        {"brown": "clay", "red": "clay", "harvest": "clay"},
        {"brown": "draw+1", "red": "white", "harvest": "turtle#12"},
    ],
)
def test_a_card_that_is_not_in_the_pack_is_called_unknown(fields: dict[str, str]) -> None:
    best, p = IDENTIFIER.name(evidence(fields))[0]
    assert best is None
    assert p > 0.8


def test_a_printed_plus_n_counts() -> None:
    fields = {"red": "wood", "harvest": "white"}
    as_printed = dict(IDENTIFIER.name(evidence({"brown": "draw+2", **fields})))
    otherwise = dict(IDENTIFIER.name(evidence({"brown": "draw+1", **fields})))
    assert otherwise[None] > 20 * as_printed[None]


def test_a_field_that_nobody_knows_speaks_neither_for_nor_against() -> None:
    for harvest in ("red", "cowrie cowrie", "milk"):
        assert (
            IDENTIFIER.name(evidence({"brown": "white white", "red": "white", "harvest": harvest}))[0][0]
            == "half-known"
        )


def test_other_evidence_decides_between_equals() -> None:
    alike = CardPack(game="any", name="twins", cards=(card("a", brown="red"), card("b", brown="red")))
    named = Identifier(alike, KINDS).name(evidence({"brown": "red"}), also={CardId("b"): 3.0})
    assert [name for name, _ in named[:2]] == ["b", "a"]


def test_guesses_hold_emptiness_backs_and_fronts_and_sum_to_one() -> None:
    read = evidence({"brown": "red", "red": "wood", "harvest": "wood cowrie"})
    front = IDENTIFIER.guesses(look(), read)
    assert (front[0].look, front[0].card) == (Look.FRONT, "red-wood")
    for place, expected in ((look(0.01, 0.97, 0.01), Look.BACK), (look(0.01, 0.01, 0.97), Look.EMPTY)):
        guesses = IDENTIFIER.guesses(place, read)
        assert guesses[0].look is expected
        assert sum(guess.p for guess in guesses) == pytest.approx(1)
    strange = IDENTIFIER.guesses(look(0.02, 0.01, 0.01), None)
    assert (strange[0].look, strange[0].card) == (Look.FRONT, None)


@pytest.mark.parametrize(("off", "known"), [((0.0, 0.0), True), ((0.05, 0.03), True), ((0.0, 0.13), False)])
def test_symbols_far_from_where_they_are_printed_do_not_name_a_card(
    off: tuple[float, float], known: bool
) -> None:
    """Of a card half below another one grass and a skirt were read as the symbols of its banner, at 0.99."""
    pack, anatomy = KIT.demo_pack(), load_table_art(KIT.folder).anatomy
    elder = next(facts for facts in pack.cards if facts.id == "elder-yellow-yellow")
    printed = {item.kind for facts in pack.cards for field in facts.fields for item in field.items or ()}
    among, places = tuple(sorted(printed)), symbol_places(anatomy, elder)

    def symbols(field: CardField) -> tuple[SeenSymbol, ...]:
        right, down = off if field.name in ("brown", "red", "food") else (0.0, 0.0)
        read = [symbol for item in field.items or () for symbol in seen(field.name, item, among=among)]
        at = [place for place in places[field.name] if place is not None]
        return tuple(
            replace(one, x=slot.x + right, y=slot.y + down) for one, slot in zip(read, at, strict=True)
        )

    fields = tuple((field.name, symbols(field)) for field in elder.fields)
    found = CardEvidence(kind=elder.kind, item_kinds=among, fields=fields, stone=None)
    named = Identifier(pack, among, anatomy=anatomy).name(found)[0]
    assert named[0] == (elder.id if known else None)
