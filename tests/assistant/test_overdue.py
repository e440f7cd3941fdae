"""A gain that nobody saw: told because it was paid, it is told when it was owed; no images, no clock."""

from typing import Any

from assistant.evidence import Evidence, zones_of
from assistant.games.yu.state import Phase, State, Step, StepKind
from assistant.overdue import in_time
from assistant.reconstruct import Line
from tests.assistant.observations import Eye
from tests.assistant.table import yu
from tests.assistant.test_revise import in_the_first_round, line_of, written


def choosing(*more: Step) -> Line:
    """The Harvest still owes a Worker of choice: trades may be done before it is taken."""
    state: State = in_the_first_round().state
    game = yu()
    rich = state.but(supply=(2,) * len(state.supply), canal=(None,) * len(state.canal))
    choice = Step(StepKind.CHOOSE, (0, 1, 2, 3, 4))
    owed = rich.but(phase=Phase.HARVEST, harvest=(choice, *more, Step(StepKind.DRAW)))
    assert game.watch.is_owed(owed, game.parse("take white"))
    return Line(None, None, owed, game.view(owed), 0.0)


def a_trade(line: Line) -> str:
    """A trade that leaves the choice open and does not pay with what is chosen."""
    game = yu()
    for action in game.legal_actions(line.state):
        notation = game.format(action)
        if notation.startswith("trade") and "white" not in notation:
            after: Any = game.apply(line.state, action)
            if after.harvest == line.state.harvest and not after.pending:
                return notation
    raise AssertionError("no trade is possible while something is owed")


def test_a_worker_that_was_paid_and_never_seen_was_taken_when_it_was_owed() -> None:
    start = choosing()
    trade = a_trade(start)
    told = line_of(start, trade)
    late = line_of(told, "take white", "trade 4 red with white")
    moved = in_time(yu(), told, late)
    assert written(moved, start) == ["take white", trade, "trade 4 red with white"]
    assert moved.state == late.state
    assert moved.depth == late.depth


def test_a_worker_that_lies_there_now_was_taken_just_now() -> None:
    start = choosing()
    told = line_of(start, a_trade(start))
    late = line_of(told, "take white")
    assert in_time(yu(), told, late) is late


def seen(line: Line) -> Evidence:
    eye = Eye(layout=yu().layout, pack=yu().pack, sure=1.0)
    return Evidence(eye.look(line.view, 1, 1.0), zones_of(yu().layout))


def test_a_worker_that_looks_as_before_was_taken_when_it_was_owed() -> None:
    """It is half seen since then, and told only because the game could not go on without it (12000/1)."""
    start = choosing(Step(StepKind.CHOOSE, (0, 1, 2, 3, 4)))
    trade = a_trade(start)
    told = line_of(start, trade)
    late = line_of(told, "take black", "take white")
    overlooked = line_of(told, "take white")
    moved = in_time(yu(), told, late, seen(overlooked), seen(late))
    assert written(moved, start) == ["take white", trade, "take black"]
    assert moved.state == late.state


def test_a_worker_that_came_into_sight_just_now_was_taken_just_now() -> None:
    start = choosing()
    told = line_of(start, a_trade(start))
    late = line_of(told, "take white")
    assert in_time(yu(), told, late, seen(told), seen(late)) is late


def test_what_is_told_together_keeps_its_order() -> None:
    """Where nothing was told since, the order of several steps is that in which they were seen."""
    start = choosing()
    both = line_of(start, "take white", "trade 4 red with white")
    assert in_time(yu(), start, both) is both


def test_what_nobody_owes_stays_where_it_was_seen() -> None:
    start = in_the_first_round()
    game = yu()
    assert not any(game.watch.is_owed(start.state, action) for action in game.legal_actions(start.state))
