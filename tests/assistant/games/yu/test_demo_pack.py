"""The demo pack and its book hold what the rulebook counts, and what we know of real cards unaltered."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.yu.book import (
    LANGUAGES,
    Book,
    BookError,
    Entry,
    demo_book,
    effect_problem,
    load_book,
    parse_book,
    turtle_numbers,
)
from assistant.games.yu.pack import (
    BARBARIAN,
    CANAL,
    DEFEAT,
    DEMO_FOLDER,
    HUT,
    PACK_RULES,
    STORY,
    TOWNSFOLK,
    VICTORY,
    demo_pack,
)
from vision.cards import CardFacts, CardKind, Source, format_items
from vision.errors import PackError
from vision.pack import find_gaps, format_pack, parse_pack

PACK = demo_pack()
BOOK = demo_book()
STARTING = [card for card in PACK.cards if card.stone == 0]
STORY_DECK = [card for card in PACK.cards if card.stone != 0]


def printed(card: CardFacts) -> dict[str, str]:
    return {part.name: format_items(part.items or ()) for part in card.fields}


def known(card: CardFacts) -> tuple[str, ...]:
    """The facts of a real card, `?` in place of what we invented."""
    return tuple(
        "?" if part.source is Source.INVENTED else format_items(part.items or ()) for part in card.fields
    )


def known_cards(kind: CardKind, source: Source) -> set[tuple[str, ...]]:
    return {known(card) for card in PACK.of_kind(kind) if source in {part.source for part in card.fields}}


def test_y_c1_the_starting_decks_have_the_counts_of_the_rulebook() -> None:
    counts = Counter(card.kind for card in STARTING for _ in range(card.copies))
    assert counts == {TOWNSFOLK: 30, BARBARIAN: 16, CANAL: 10, HUT: 6, VICTORY: 7, DEFEAT: 7}


def test_y_c1_the_story_deck_has_the_stones_1_to_71() -> None:
    assert [card.stone for card in STORY_DECK] == list(range(1, 72))
    assert {card.kind for card in STORY_DECK} == {TOWNSFOLK, BARBARIAN, CANAL, HUT, STORY}
    assert all(card.copies == 1 for card in PACK.cards)


def test_nothing_is_missing_and_it_is_written_as_it_is_read() -> None:
    assert find_gaps(PACK, PACK_RULES) == ()
    assert parse_pack(format_pack(PACK), PACK_RULES) == PACK


def test_the_known_townsfolk_are_those_of_the_photographs_and_the_rulebook() -> None:
    assert known_cards(TOWNSFOLK, Source.PHOTOGRAPH) == {
        ("red", "wood", "milk", "wood cowrie"),
        ("yellow", "draw", "meat", "red"),
        ("wood", "black", "wheat", "provision cowrie"),
        ("black", "black", "meat", "white"),
        ("provision provision", "white", "wheat", "draw cowrie"),
        ("black", "draw", "milk", "red"),
        ("wood", "white", "milk", "?"),
        ("white", "white", "milk", "?"),
        ("provision provision", "provision", "wheat", "?"),
    }
    assert known_cards(TOWNSFOLK, Source.RULEBOOK) == {("clay", "provision", "?", "?")}


def test_the_known_barbarians_are_those_of_the_photographs_and_the_rulebook() -> None:
    assert known_cards(BARBARIAN, Source.PHOTOGRAPH) == {
        ("blue blue yellow", "cowrie draw", "destroy", "wood"),
        ("blue blue red", "cowrie cowrie wood", "destroy", "cowrie cowrie"),
        ("red red black", "turtle#12", "destroy", "white"),
    }
    assert known_cards(BARBARIAN, Source.RULEBOOK) == {
        ("black black yellow", "cowrie cowrie clay", "?", "?"),
        ("yellow yellow red", "cowrie cowrie cowrie", "?", "?"),
    }


def test_the_known_canals_are_those_of_the_photographs() -> None:
    assert known_cards(CANAL, Source.PHOTOGRAPH) == {
        ("white white cowrie cowrie", "clay wood turtle#42"),
        ("white white cowrie cowrie", "clay wood turtle#3"),
        ("white white white cowrie cowrie", "clay wood destroy+2"),
        ("black blue white white cowrie cowrie cowrie", "destroy+2 turtle#44"),
        ("red yellow white white cowrie cowrie cowrie", "destroy+2 turtle#5"),
    }
    assert not known_cards(CANAL, Source.RULEBOOK)


def test_all_that_is_not_known_is_marked_as_invented() -> None:
    known_kinds = {
        card.kind for card in PACK.cards for part in card.fields if part.source is not Source.INVENTED
    }
    assert known_kinds == {TOWNSFOLK, BARBARIAN, CANAL}
    assert {part.source for card in STORY_DECK for part in card.fields} == {Source.INVENTED}


@pytest.mark.parametrize("kind", [TOWNSFOLK, BARBARIAN, CANAL, HUT])
def test_every_card_can_be_told_from_all_others_by_its_printed_items(kind: CardKind) -> None:
    seen = Counter(
        tuple((part.name, *sorted(map(str, part.items or ()))) for part in card.fields)
        for card in PACK.of_kind(kind)
    )
    assert max(seen.values()) == 1


def test_townsfolk_share_eight_pictures_and_barbarians_five() -> None:
    townsfolk = Counter(card.picture for card in STARTING if card.kind == TOWNSFOLK)
    assert len(townsfolk) == 8
    assert None not in townsfolk
    assert min(townsfolk.values()) >= 3
    assert {card.picture for card in PACK.of_kind(TOWNSFOLK)} == set(townsfolk)
    assert len({card.picture for card in PACK.of_kind(BARBARIAN)}) == 5


@pytest.mark.parametrize("deck", [STARTING, STORY_DECK], ids=["starting", "story"])
def test_barbarians_cost_all_four_colours_evenly(deck: list[CardFacts]) -> None:
    costs = Counter(item.kind for card in deck if card.kind == BARBARIAN for item in card.items("cost") or ())
    assert set(costs) == {"red", "black", "blue", "yellow"}
    assert len(set(costs.values())) == 1


def test_y_s5_each_group_of_canals_has_more_than_the_two_that_are_dealt() -> None:
    groups = Counter(card.group for card in STARTING if card.kind == CANAL)
    assert groups == {"1-2": 4, "3-4": 3, "5-6": 3}


@pytest.mark.parametrize("card", list(PACK.of_kind(CANAL)), ids=lambda card: card.id)
def test_a_canal_costs_workers_and_then_cowries_as_its_group_does(card: CardFacts) -> None:
    cost = printed(card)["cost"].split()
    workers = [word for word in cost if word != "cowrie"]
    assert cost == workers + ["cowrie"] * (len(cost) - len(workers))
    assert len(workers) == {"1-2": 2, "3-4": 3, "5-6": 4}[card.group or ""]
    assert ("destroy+2" in printed(card)["effects"]) or card.group != "5-6"


def test_y_s1_one_victory_and_one_defeat_are_gold() -> None:
    assert Counter(card.group for card in PACK.of_kind(VICTORY)) == {"blue": 6, "gold": 1}
    assert Counter(card.group for card in PACK.of_kind(DEFEAT)) == {"black": 6, "gold": 1}


def test_y_p4_most_barbarians_take_a_bribe_and_some_do_not() -> None:
    bribes = [card.items("bribe") for card in STARTING if card.kind == BARBARIAN]
    assert bribes.count(()) == 1


def test_every_turtle_has_its_entry_and_every_entry_its_turtle() -> None:
    assert {entry.number for entry in BOOK.entries} == turtle_numbers(PACK)


def test_no_number_is_printed_on_two_cards() -> None:
    numbers = [
        item.number for card in PACK.cards for part in card.fields for item in part.items or () if item.number
    ]
    assert len(numbers) == len(set(numbers))


def test_the_book_speaks_both_languages_in_one_to_three_sentences() -> None:
    for entry in BOOK.entries:
        assert tuple(language for language, _ in entry.texts) == LANGUAGES
        english, french = entry.text("en"), entry.text("fr")
        assert english != french
        assert max(len(english), len(french)) <= 240, entry.number


def test_every_story_card_comes_into_the_game_by_exactly_one_entry() -> None:
    arrivals = Counter(
        words[1]
        for entry in BOOK.entries
        for effect in entry.effects
        if (words := effect.split())[0] == "play" or words[2:3] == ["story"]
    )
    named = [str(card.stone) if card.kind == STORY else card.id for card in STORY_DECK]
    assert arrivals == dict.fromkeys(named, 1)


def test_entries_are_mild() -> None:
    for entry in BOOK.entries:
        assert len(entry.effects) <= 4, entry.number
        assert not {"gain flood", "gain destroy"} & set(entry.effects), entry.number
    assert sum(effect.startswith("gain barbarian") for e in BOOK.entries for effect in e.effects) <= 1


def turtles_of(entry: Entry) -> list[str]:
    return re.findall(r"turtle#(\d+)", " ".join(entry.effects))


def test_what_is_read_after_the_game_gives_no_pieces() -> None:
    """Y-Z3: nothing carries over, so a Victory or Defeat entry may only change cards and rules."""
    last = {
        item.number
        for kind in (VICTORY, DEFEAT)
        for card in PACK.of_kind(kind)
        for part in card.fields
        for item in part.items or ()
    }
    last |= {int(opened) for entry in BOOK.entries if entry.number in last for opened in turtles_of(entry)}
    effects = [effect for entry in BOOK.entries if entry.number in last for effect in entry.effects]
    verbs = {effect.split()[0] for effect in effects if not effect.startswith("gain turtle#")}
    assert verbs <= {"move", "play", "food"}


GOOD_EFFECTS = [
    "gain cowrie+2",
    "gain draw-pile",
    "gain turtle#73",
    "lose wood",
    "move elder-any-any story draw",
    "play 2 stays",
    "drop 2",
    "food fish cowrie provision+2",
]
BAD_EFFECTS = [
    "",
    "give cowrie",
    "gain",
    "gain cowri",
    "gain turtle",
    "gain turtle+2#3",
    "gain cowrie#3",
    "lose turtle#3",
    "gain cowrie  wood",
    "gain cowrie+0",
    "lose draw",
    "lose coloured",
    "move nobody story draw",
    "move elder-any-any draw draw",
    "move elder-any-any story pocket",
    "play 1 stays",
    "play 2 forever",
    "play two game",
    "drop 999",
    "food cheese cowrie",
    "food fish",
    "food fish fish",
]


@pytest.mark.parametrize("effect", GOOD_EFFECTS)
def test_an_effect_of_the_notation_is_accepted(effect: str) -> None:
    assert effect_problem(effect, PACK) is None


@pytest.mark.parametrize("effect", BAD_EFFECTS)
def test_any_other_effect_is_refused(effect: str) -> None:
    assert effect_problem(effect, PACK) is not None


def test_all_problems_of_a_book_are_told_at_once() -> None:
    text = (
        'format = 2\ngame = "yu"\nname = "x"\ntitle = "y"\n'
        '[entries.0]\n[entries.5]\nen = ""\nfr = "a"\neffects = ["gain cowri", 3]\n[entries.6]\nfr = "a"\n'
    )
    with pytest.raises(BookError) as caught:
        parse_book(text, PACK)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [
        f"book.toml, line {line}" for line in (1, 4, 5, 7, 9, 9, 10, 10)
    ]
    assert "Did you mean 'cowrie'?" in caught.value.problems[4]


def test_an_entry_may_not_open_one_that_is_missing_nor_itself_again() -> None:
    entry = "[entries.{}]\nen = 'a'\nfr = 'b'\neffects = ['gain turtle#{}']\n".format
    head = 'format = 1\ngame = "yu"\nname = "x"\n'
    with pytest.raises(BookError) as caught:
        parse_book(head + entry(1, 2) + entry(2, 1) + entry(3, 1) + entry(4, 9), PACK)
    assert caught.value.problems == (
        "book.toml, line 7: entry 1, effects: expected turtles that end somewhere, "
        "found a way back to this entry",
        "book.toml, line 11: entry 2, effects: expected turtles that end somewhere, "
        "found a way back to this entry",
        "book.toml, line 19: entry 4, effects: expected an entry of this book, found 'turtle#9'",
    )


def test_whoever_plays_a_story_card_reads_its_turtle_at_once() -> None:
    """Y-G11: the Gold Turtle on a story card that comes into play."""
    turtles = {card.stone: printed(card)["entry"] for card in PACK.of_kind(STORY)}
    for entry in BOOK.entries:
        for effect, following in pairwise((*entry.effects, "")):
            if effect.startswith("play"):
                assert following == f"gain {turtles[int(effect.split()[1])]}"


def test_a_missing_book_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="expected a readable file"):
        load_book(tmp_path / "book.toml", PACK)


PACK_TEXT = (DEMO_FOLDER / "pack.toml").read_text(encoding="utf-8")


@settings(derandomize=True, deadline=None)
@given(start=st.integers(0, len(PACK_TEXT)), length=st.integers(0, 40), patch=st.text(max_size=8))
def test_a_damaged_demo_pack_is_still_a_pack_or_a_pack_error(start: int, length: int, patch: str) -> None:
    damaged = PACK_TEXT[:start] + patch + PACK_TEXT[start + length :]
    try:
        cards: tuple[object, ...] = parse_pack(damaged, PACK_RULES).cards
    except PackError as error:
        cards = error.problems
    assert cards


def book_or_problems(text: str) -> Book | tuple[str, ...]:
    try:
        return parse_book(text, PACK)
    except BookError as error:
        return error.problems


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_book_or_a_book_error(text: str) -> None:
    head = 'format = 1\ngame = "yu"\nname = "x"\n'
    assert book_or_problems(text)
    assert book_or_problems(f"{head}[entries.1]\nen = 'a'\nfr = 'b'\neffects = ['{text}']")


DOCS = Path(__file__).parents[4] / "docs" / "packs.md"


def test_the_packs_shown_in_the_documentation_can_be_loaded() -> None:
    examples = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) >= 2
    for example in examples:
        assert parse_pack(example, PACK_RULES).cards


def test_the_documentation_names_every_kind_field_item_and_source() -> None:
    words = set(re.findall(r"`([a-z0-9-]+)`", DOCS.read_text(encoding="utf-8")))
    fields = {name for rules in PACK_RULES.kinds.values() for name in rules.fields}
    groups = {group for rules in PACK_RULES.kinds.values() for group in rules.groups}
    items = {
        item for rules in PACK_RULES.kinds.values() for field in rules.fields.values() for item in field.items
    }
    sources = {source.value for source in Source}
    assert (set(PACK_RULES.kinds) | fields | groups | items | sources) - words <= {"turtle"}
