"""Kept games: a run that was stopped goes on, and another player's games are not taken for this one's."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.advisor_games import Ledger, PlayedOnce, print_of
from tests.benchmarks.shares import brier, reliability, wilson

GAME = PlayedOnce(
    player="advisor-100",
    print=print_of("advisor-100"),
    number=3,
    cause="win",
    rounds=7,
    seconds=2.5,
    told=(0.5, 0.9),
)


def test_a_kept_game_is_there_when_the_run_goes_on(tmp_path: Path) -> None:
    Ledger(tmp_path / "games.jsonl").add(GAME)
    again = Ledger(tmp_path / "games.jsonl")
    assert again.has("advisor-100", 3)
    assert not again.has("advisor-100", 4)
    assert again.games["advisor-100"][3] == GAME


def test_games_of_a_player_that_was_changed_since_do_not_count(tmp_path: Path) -> None:
    Ledger(tmp_path / "games.jsonl").add(replace(GAME, print="another"))
    assert not Ledger(tmp_path / "games.jsonl").has("advisor-100", 3)


def test_forecasts_are_sorted_by_what_they_said() -> None:
    told = [(0.05, False), (0.05, True), (0.95, True)]
    low, high = reliability(told)
    assert (low.came_true, low.number) == (0.5, 2)
    assert (high.came_true, high.number) == (1.0, 1)
    assert brier(told) == pytest.approx((0.05**2 + 0.95**2 + 0.05**2) / 3)


def test_a_share_of_few_games_is_not_sure() -> None:
    low, high = wilson(8, 8)
    assert high == pytest.approx(1.0)
    assert 0.6 < low < 0.7
