"""The notation: what a person types is understood exactly, and what is not an action says why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.notation import (
    SHAPES,
    TRADE_SHAPES,
    NotationError,
    format_action,
    is_complete,
    parse_action,
    usage,
)
from assistant.games.yu.pieces import BLACK, RED, plus
from vision.cards import CardId

LINES = [
    "draw elder", "draw ?", "draw-pile elder", "destroy elder", "reveal 7 archer", "deal 1 canal-a",
    "flip 1 hut-a", "shuffle", "take red", "collect", "return", "skip", "exhaust elder", "play elder",
    "discard elder", "tuck elder 1", "food elder", "canal with white white", "canal",
    "attack 5 with red red black", "attack 5", "recruit 1", "dismiss 1", "farm 1 on 2 with white",
    "outpost 4 on 9 with red", "hut 1 on 3 with white", "use 1 with blue", "trade 1 clay", "trade 2",
    "trade 3 elder", "trade 4 red with white", "trade 5", "trade 6", "trade 7 wood", "end", "barge",
    "bribe 7 with white", "bribe 7", "suffer 7", "story gain cowrie draw+2 turtle#12", "story lose cowrie",
    "story move elder story hand", "story play 31 stays", "story play 31 game", "story drop 31",
    "story food milk cowrie+2", "story end", "name row 3 elder",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_back_exactly(line: str) -> None:
    action = parse_action(line)
    assert format_action(action) == line
    assert is_complete(action)


def test_every_verb_and_every_trade_has_a_line() -> None:
    assert {parse_action(line).verb for line in LINES} == set(Verb) == set(SHAPES)
    assert {action.at for action in map(parse_action, LINES) if action.verb is Verb.TRADE} == set(
        TRADE_SHAPES
    )


def test_case_and_spacing_do_not_matter() -> None:
    assert parse_action("  Attack 5   WITH red Red black ") == Action(
        Verb.ATTACK, at=5, pay=plus(plus((0, 0, 0, 0, 0), RED, 2), BLACK)
    )


def test_workers_may_be_typed_in_any_order() -> None:
    assert parse_action("attack 5 with black red red") == parse_action("attack 5 with red red black")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("", "must begin with one of"),
        ("dance", "must begin with one of"),
        ("story", "must begin with one of"),
        ("attack", "attack NUMBER [with WORKERS]"),
        ("attack five", "expected a number, found 'five'"),
        ("attack -5", "expected a number"),
        ("attack 5 with", "expected 'with' and Workers"),
        ("attack 5 with gold", "expected Workers"),
        ("attack 5 red", "expected 'with' and Workers"),
        ("take gold", "expected one of white"),
        ("farm 1 2 with white", "expected 'on' and the number of a site"),
        ("farm 1 on", "expected 'on' and the number of a site"),
        ("trade 8", "1 to 7"),
        ("trade", "1 to 7"),
        ("trade " + "9" * 200, "1 to 7"),
        ("attack " + "9" * 5000, "at most 300 characters"),
        ("attack ٣", "expected a number"),
        ("end now", "nothing should follow"),
        ("story gain", "ends too early"),
        ("story gain 7", "expected an item"),
        ("story move elder nowhere hand", "expected one of hand"),
        ("story play 31 sometimes", "expected one of game, stays"),
        ("story food bread cowrie", "expected one of meat"),
        ("name floor 1 elder", "expected one of row"),
    ],
)
def test_what_is_not_an_action_says_what_was_expected(line: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(line)
    assert hint in str(caught.value)
    assert str(caught.value).endswith(".")


_WORDS = st.sampled_from(
    [*" ".join(LINES).split(), "with", "on", "?", "#", "+", "0", "999", "1000", "٣", "ſ", "İ"]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(_WORDS, max_size=7).map(" ".join) | st.text(max_size=30))
def test_any_text_is_an_action_or_a_notation_error(text: str) -> None:
    try:
        action = parse_action(text)
    except NotationError:
        return
    assert parse_action(format_action(action)) == action


def test_usage_tells_how_each_verb_is_written() -> None:
    assert usage(Verb.ATTACK) == "attack NUMBER [with WORKERS]"
    assert usage(Verb.FARM) == "farm NUMBER on SITE [with WORKERS]"
    assert usage(Verb.TRADE) == "trade NUMBER [PIECE or CARD]"


def test_an_action_with_a_field_too_many_is_not_complete() -> None:
    assert not is_complete(Action(Verb.END, card=CardId("elder")))
    assert not is_complete(Action(Verb.TAKE))
    assert not is_complete(Action(Verb.TRADE, at=1))
