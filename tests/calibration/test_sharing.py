"""Packs shared without pictures, and merged so that nothing confirmed is lost."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from assistant.cli import app
from assistant.discover import default_game, kit_named
from calibration.errors import CalibrationError
from calibration.sharing import Conflict, facts_only, merge
from tests.vision.scenes import card_picture
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Source, parse_items
from vision.embedding import as_text, embed
from vision.pack import format_pack, load_pack, parse_pack, save_pack

FOLK = CardKind("townsfolk")
PICTURES = {name: card_picture(np.random.default_rng(seed)) for seed, name in enumerate("ab")}


def looks(name: str) -> str:
    return as_text(embed(PICTURES[name]))


def card(name: str, red: str | None, source: Source = Source.READ, **more: object) -> CardFacts:
    items = None if red is None else parse_items(red)
    fields = (CardField(name="red", items=items, source=source),)
    return CardFacts(id=CardId(name), kind=FOLK, fields=fields, **more)  # type: ignore[arg-type]


def pack(*cards: CardFacts, game: str = "yu") -> CardPack:
    return CardPack(game=game, name="p", cards=cards)


def test_no_picture_is_shared_but_what_it_is_known_by() -> None:
    mine = pack(card("a", "wood", image="a.png", stone=3), card("b", "clay"))
    shared = facts_only(mine, {CardId("a"): PICTURES["a"]})
    assert "image" not in format_pack(shared)
    assert shared.cards[0].stone == 3
    assert shared.cards[0].embedding == looks("a")
    assert shared.cards[1].embedding is None
    assert parse_pack(format_pack(shared), kit_named(default_game()).pack_rules) == shared


def test_new_cards_are_added_and_unread_facts_filled_in() -> None:
    merged = merge(pack(card("a", None)), pack(card("a", "wood", stone=4), card("b", "clay")))
    assert merged.added == ("b",)
    assert merged.filled == 2
    assert merged.pack[CardId("a")].items("red") == parse_items("wood")
    assert merged.pack[CardId("a")].stone == 4
    assert not merged.conflicts


@pytest.mark.parametrize(
    ("ours", "theirs", "kept"),
    [
        (Source.CONFIRMED, Source.CONFIRMED, True),
        (Source.READ, Source.CONFIRMED, True),
        (Source.READ, Source.RULEBOOK, False),
        (Source.ASSUMED, Source.CONFIRMED, False),
        (Source.INVENTED, Source.READ, False),
    ],
)
def test_a_conflict_is_shown_and_the_surer_word_stays(ours: Source, theirs: Source, kept: bool) -> None:
    merged = merge(pack(card("a", "wood", ours)), pack(card("a", "clay", theirs)))
    assert merged.conflicts == (
        Conflict(card=CardId("a"), fact="red", ours="wood", theirs="clay", kept_ours=kept),
    )
    assert merged.pack[CardId("a")].items("red") == parse_items("wood" if kept else "clay")


def test_another_players_word_is_never_taken_for_ones_own() -> None:
    merged = merge(pack(), pack(card("a", "wood", Source.CONFIRMED)))
    assert merged.pack.cards[0].fields[0].source is Source.READ


def test_stones_and_kinds_that_differ_are_shown_and_ours_stay() -> None:
    other = CardFacts(id=CardId("a"), kind=CardKind("barbarian"))
    assert merge(pack(card("a", "wood")), pack(other)).conflicts[0].fact == "kind"
    merged = merge(pack(card("a", "wood", stone=1)), pack(card("a", "wood", stone=2)))
    assert merged.pack.cards[0].stone == 1
    assert merged.conflicts[0].fact == "stone"


def test_what_a_card_looks_like_is_taken_from_those_who_have_its_picture() -> None:
    merged = merge(pack(card("a", "wood")), pack(card("a", "wood", embedding=looks("a"))))
    assert merged.pack.cards[0].embedding == looks("a")
    assert not merged.conflicts


def test_our_own_picture_needs_no_embedding_beside_it() -> None:
    ours = pack(card("a", "wood", image="a.png", embedding=looks("a")))
    merged = merge(ours, pack(card("a", "wood", embedding=looks("a"))))
    assert merged.pack.cards[0].embedding is None


def test_a_card_that_goes_by_the_name_of_another_is_shown() -> None:
    ours = pack(card("a", "wood", embedding=looks("a")), card("b", "wood", embedding=looks("b")))
    theirs = pack(card("a", "wood", embedding=looks("b")), card("b", "wood", embedding=looks("a")))
    found = {(conflict.card, conflict.fact, conflict.theirs) for conflict in merge(ours, theirs).conflicts}
    assert found == {("a", "embedding", "b"), ("b", "embedding", "a")}
    assert merge(ours, theirs).pack.cards == ours.cards


def test_packs_of_two_games_are_not_merged() -> None:
    with pytest.raises(CalibrationError, match="cannot be merged"):
        merge(pack(), pack(game="other"))


def test_an_exported_pack_is_imported_on_another_machine(tmp_path: Path) -> None:
    kit = kit_named(default_game())
    first, *others = kit.demo_pack().cards
    (tmp_path / "mine").mkdir()
    cv2.imwrite(str(tmp_path / "mine" / "a.png"), PICTURES["a"])
    mine = replace(kit.demo_pack(), cards=(replace(first, image="a.png"), *others))
    save_pack(mine, tmp_path / "mine")
    run = CliRunner()
    made = run.invoke(
        app, ["pack", "export", str(tmp_path / "mine"), "--facts-only", "--out", str(tmp_path / "shared")]
    )
    assert made.exit_code == 0, made.output
    assert run.invoke(app, ["pack", "export", str(tmp_path / "mine"), "--out", str(tmp_path / "x")]).exit_code
    taken = run.invoke(app, ["pack", "import", str(tmp_path / "other"), "--from", str(tmp_path / "shared")])
    assert taken.exit_code == 0, taken.output
    got = load_pack(tmp_path / "other", kit.pack_rules)
    assert {one.id for one in got.cards} == {one.id for one in kit.demo_pack().cards}
    assert got[first.id].embedding == looks("a")
    assert got[first.id].image is None
    assert [path.name for path in (tmp_path / "shared").iterdir()] == ["pack.toml"]
