"""The page about YRO tells every action, option and assumed table of facts."""

from pathlib import Path

import pytest

from assistant.games.yro.actions import Verb
from assistant.games.yro.board import shipped_board
from assistant.games.yro.copy import OPTIONS
from assistant.games.yro.notation import usage

PAGE = (Path(__file__).parents[4] / "docs" / "yro.md").read_text("utf-8")


@pytest.mark.parametrize("verb", Verb)
def test_every_action_is_written_down(verb: Verb) -> None:
    assert f"| `{usage(verb)}` |" in PAGE


def test_every_option_is_written_down_with_its_values() -> None:
    for name, values in OPTIONS.items():
        assert f"| `{name}` | {', '.join(values)} |" in PAGE


def test_every_table_with_an_assumed_fact_is_named() -> None:
    for key in shipped_board().assumed():
        table = key.partition(".")[0]
        assert f"`{table}." in PAGE, key
