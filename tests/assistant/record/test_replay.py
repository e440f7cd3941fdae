"""A recorded game is a regression test: what today's rules see differently is told, with the rule."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.kit import Game
from assistant.record.replay import Difference, replay
from assistant.record.statistics import statistics
from assistant.record.store import open_store
from assistant.record.values import RecordedGame
from tests.assistant.record.recorded import action, bound_game, record_simulated, simulated


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> RecordedGame:
    with open_store(tmp_path_factory.mktemp("record")) as store:
        return store.load(record_simulated(store, 3))


def with_action(recorded: RecordedGame, number: int, **changes: Any) -> RecordedGame:
    actions = tuple(replace(a, **changes) if a.number == number else a for a in recorded.actions)
    return replace(recorded, actions=actions)


def test_a_game_of_today_is_played_the_same_today(recorded: RecordedGame) -> None:
    done = replay(recorded, bound_game())
    assert done.same
    assert done.actions == len(simulated(3).actions)


def test_an_action_that_today_is_refused_is_told_with_its_rule(recorded: RecordedGame) -> None:
    done = replay(with_action(recorded, 20, notation="barge"), bound_game())
    (found,) = done.deviations
    assert (found.kind, found.number) == (Difference.REFUSED, 20)
    assert found.rule is not None
    assert found.rule.startswith("Y-")


def test_a_notation_that_nobody_reads_any_more_is_told_and_the_rest_goes_on(recorded: RecordedGame) -> None:
    done = replay(with_action(recorded, 20, notation="juggle 7"), bound_game())
    assert [(found.kind, found.number) for found in done.deviations] == [(Difference.UNREADABLE, 20)]


def test_a_state_that_came_out_otherwise_is_told_by_its_fields(recorded: RecordedGame) -> None:
    state = dict(recorded.actions[-1].state) | {"flood": 0}
    last = recorded.actions[-1].number
    done = replay(with_action(recorded, last, state=state), bound_game())
    assert done.deviations[0].kind is Difference.DIFFERS
    assert dict(done.deviations[0].message.values)["fields"] == "flood"


@pytest.mark.parametrize("notation", ["! Y-A6", "= table"])
def test_a_step_that_no_rule_explains_is_counted_and_not_judged(
    recorded: RecordedGame, notation: str
) -> None:
    done = replay(with_action(recorded, 20, notation=notation), bound_game())
    assert (done.same, done.adopted) == (True, 1)


def test_another_ending_is_told(recorded: RecordedGame) -> None:
    assert recorded.ending is not None
    other = "flood" if recorded.ending.cause == "win" else "win"
    ending = replace(recorded.ending, cause=other, won=other == "win")
    done = replay(replace(recorded, ending=ending), bound_game())
    assert [found.kind for found in done.deviations] == [Difference.OUTCOME]


def test_statistics_count_rounds_causes_moves_and_rules(tmp_path: Path) -> None:
    game: Game[Any, Any] = bound_game()
    with open_store(tmp_path) as store:
        loaded = [store.load(record_simulated(store, seed, "random")) for seed in range(5)]
        recorder = store.begin(loaded[0].header, loaded[0].start)
        recorder.action(action(1, state=loaded[0].start))
        recorder.leave()
        assert recorder.id is not None
        loaded.append(store.load(recorder.id))
    told = statistics(loaded, lambda _: game)
    games = [simulated(seed, "random") for seed in range(5)]
    rounds = [game.round(played.last) for played in games]
    assert (told.games, told.won) == (5, 0), "the unfinished one does not count"
    assert (told.rounds_least, told.rounds_most) == (min(rounds), max(rounds))
    assert told.rounds_mean == pytest.approx(sum(rounds) / 5)
    assert sum(told.causes.values()) == 5
    assert told.causes["flood"] == sum(played.cause == "flood" for played in games)
    moves = told.moves["flood"]
    assert sum(moves.by_round.values()) == round(moves.per_game * 5)
    assert told.findings["Y-G5"] > 0, "by rules, as in a game that was watched"


def test_no_games_make_empty_statistics() -> None:
    told = statistics([], lambda _: bound_game())
    assert (told.games, told.rounds_mean, told.causes, told.moves) == (0, 0.0, {}, {})
