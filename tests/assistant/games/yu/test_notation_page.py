"""The page on the notation is true: every verb is on it, and every line on it can be read."""

import re
from pathlib import Path

import pytest

from assistant.games.yu.actions import Verb
from assistant.games.yu.notation import format_action, parse_action

PAGE = Path(__file__).parents[4] / "docs" / "notation.md"
LINES = re.findall(r"^\| `([^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_page_is_an_action_and_is_written_as_it_is_read(line: str) -> None:
    assert format_action(parse_action(line)) == line


def test_every_verb_and_every_trade_is_on_the_page() -> None:
    actions = [parse_action(line) for line in LINES]
    assert {action.verb for action in actions} == set(Verb)
    assert {action.at for action in actions if action.verb is Verb.TRADE} == set(range(1, 8))
