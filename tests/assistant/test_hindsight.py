"""Moves that were seen one by one are not told otherwise for the sake of one table: no images, no clock."""

import pytest

from assistant.evidence import Evidence, zones_of
from assistant.hindsight import Hindsight
from assistant.reconstruct import Explanation, Line
from assistant.tracker import Tracker
from tests.assistant.observations import Eye
from tests.assistant.table import SCRIPT, Table, yu
from tests.assistant.test_revise import line_of
from vision.table import TableView

MOVES = ("recruit 1", "tuck fan-bearer-blue-draw 1", "play drummer-red-red")


def seen(view: TableView) -> Evidence:
    eye = Eye(layout=yu().layout, pack=yu().pack)
    return Evidence(eye.look(view, 1, 1.0), zones_of(yu().layout))


@pytest.fixture(scope="module")
def start() -> Line:
    state = Table.after(23).state
    return Line(None, None, state, yu().view(state), 0.0)


@pytest.fixture(scope="module")
def hindsight(start: Line) -> Hindsight:
    """The moves were seen one by one."""
    sights = Hindsight()
    for done in range(len(MOVES) + 1):
        line = line_of(start, *MOVES[:done])
        sights.take_in(line.depth, seen(line.view))
    return sights


def test_a_move_that_was_seen_is_not_left_out_easily(start: Line, hindsight: Hindsight) -> None:
    told, without = line_of(start, *MOVES), line_of(start, *MOVES[1:])
    assert hindsight.charge(told, without) > 4.0
    assert hindsight.charge(told, line_of(start, MOVES[1], MOVES[0], MOVES[2])) > 4.0, "nor told earlier"


def test_what_was_seen_before_two_lines_part_speaks_against_neither() -> None:
    """A line that tells the last moves in three steps more had lost sight of its own beginning."""
    rounds = Table.after(0)
    sights, line = Hindsight(), Line(None, None, rounds.state, rounds.view, 0.0)
    for number, notation in enumerate(SCRIPT[:34]):
        line = line_of(line, notation)
        if number in (4, 9, 33):
            sights.take_in(line.depth, seen(line.view))
    before = next(earlier for earlier in line.back() if earlier.depth == line.depth - 2)
    longer = line_of(before, *SCRIPT[32:37])
    shorter = next(earlier for earlier in line.back() if earlier.depth == line.depth - 1)
    assert sights.charge(line, longer) == 0.0
    assert sights.charge(line, line_of(shorter, *SCRIPT[33:36])) == 0.0


def test_going_on_costs_nothing(start: Line, hindsight: Hindsight) -> None:
    told = line_of(start, *MOVES)
    assert hindsight.charge(told, line_of(told, "play flute-player-clay-red")) == 0.0
    assert hindsight.charge(told, told) == 0.0


def test_a_move_that_was_taken_back_was_seen_all_the_same(start: Line, hindsight: Hindsight) -> None:
    back = line_of(start, *MOVES[:2])
    told = line_of(back, MOVES[2])
    assert hindsight.charge(told, back) == 0.0
    assert hindsight.charge(told, line_of(back, "play flute-player-clay-red")) == 0.0


def test_nobody_takes_many_moves_back_and_does_others_in_the_same_breath(start: Line) -> None:
    moves = (*MOVES, "recruit 2")
    sights = Hindsight()
    for done in range(len(moves) + 1):
        line = line_of(start, *moves[:done])
        sights.take_in(line.depth, seen(line.view))
    assert sights.charge(line, line_of(start, "recruit 3")) > 4.0
    assert sights.charge(line, start) == 0.0, "to take them back and do nothing is another thing"


@pytest.mark.parametrize(("cost", "misread"), [(11.0, True), (5.0, False)])
def test_many_moves_are_believed_only_if_they_are_likelier_than_one_thing_misread(
    start: Line, cost: float, misread: bool
) -> None:
    table = Table.after(24)
    assert table.state == line_of(start, SCRIPT[23]).state
    evidence = seen(table.with_pieces("supply", white=1))
    simple, dear = line_of(start, SCRIPT[23]), line_of(start, SCRIPT[23])
    simple.penalty, dear.cost = evidence.total(simple.view), cost
    assert len(evidence.contradicted(simple.view)) == 1
    found = Explanation(whole=(dear,), partial=(simple,))
    tracker = Tracker(table.game, start.state)
    tracker.lines = (start,)
    assert tracker._may_be_misread(found, evidence) is misread
