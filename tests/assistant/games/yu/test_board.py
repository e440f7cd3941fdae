"""The board's facts: each with its source, and the player's own word above all."""

import pytest

from assistant.games.yu import KIT
from assistant.games.yu.board import Board, shipped_board
from assistant.printed import BoardError
from vision.cards import Source
from vision.table import ZoneId


def test_the_shipped_board_prints_what_the_photographs_show() -> None:
    board = shipped_board()
    assert board.row_costs == (0, 1, 1, 2, 2, 3, 3)
    assert [sum(board.barbarian_tags[: built + 1]) for built in range(7)] == [1, 1, 2, 2, 3, 3, 4]
    assert len(board.sites) == 9


def test_the_facts_without_a_source_are_listed_for_the_player_to_confirm() -> None:
    assert shipped_board().assumed() == (
        "farm.1", "farm.2", "outpost.1", "outpost.2", "outpost.3", "circle.2", "circle.3", "circle.4",
    )  # fmt: skip


def test_a_confirmed_fact_replaces_ours_and_is_no_longer_assumed() -> None:
    board = shipped_board().confirmed({"farm.1": "white", "row.2": "2"})
    assert board.farms[0][0].kind == "white"
    assert board.row_costs[1] == 2
    assert board.facts["farm.1"].source is Source.CONFIRMED
    assert "farm.1" not in board.assumed()
    assert shipped_board().farms[0][0].kind == "provision"


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("row.9", "1", "no fact 'row.9'"),
        ("row.2", "-1", "row.2 must be a number"),
        ("row.2", "many", "found 'many'"),
        ("outpost.1", "green", "a Worker's colour, found 'green'"),
        ("outpost.1", "clay", "a Worker's colour, found 'clay'"),
        ("farm.1", "<b>", "expected an item"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_was_expected(key: str, value: str, told: str) -> None:
    with pytest.raises(BoardError, match=told.replace("(", r"\(")):
        shipped_board().confirmed({key: value})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[row\n1 = 2", "not valid TOML"),
        ("[row]\n1 = 2", "row.1 needs a value and a source"),
        ('[row]\n1 = { value = 1, source = "hearsay" }', "row.1 needs a value and a source"),
    ],
)
def test_a_broken_board_file_says_where(text: str, told: str) -> None:
    with pytest.raises(BoardError, match=told):
        Board.read(text, "mine.toml")


def test_six_story_cards_can_lie_beside_each_other() -> None:
    """Where there was room for four, the fifth of a game lay on the others, and nobody could see it."""
    layout = KIT.bind(KIT.demo_pack()).layout
    rect = layout.zone(ZoneId("story")).rect
    assert rect.width >= 2 * layout.card_width - 1e-9
    assert rect.height >= 3 * layout.card_height
