"""A piece believed in the wrong colour long ago is told otherwise as soon as somebody pays with it."""

from typing import Any

from assistant.choices import other_pieces
from assistant.evidence import Evidence, zones_of
from assistant.reconstruct import Line, Step, StepKind, legal_moves
from assistant.tracker import Tracker
from tests.assistant.observations import Eye
from tests.assistant.table import played, yu

LONG_AGO = 10
"""More steps than a tracker would revise otherwise."""


def grown(line: Line, action: Any, *, told: bool = False) -> Line:
    state = yu().apply(line.state, action)
    step = Step(kind=StepKind.ACTION, action=action, told=told)
    return Line(line, step, state, yu().view(state), line.cost + 2.0)


def start() -> Line:
    state = yu().initial()
    return Line(None, None, state, yu().view(state), 0.0)


def paid_with_a_misread_worker() -> tuple[Line, Line, Line]:
    """A game up to a payment, the same as it is believed before that, and what was believed right until then:
    one Worker was taken in another colour than the one that is paid with long after."""
    game = yu()
    for seed in range(40):
        line = start()
        believed: list[tuple[Line, int]] = []
        for action in played("greedy", seed):
            new = []
            for other, since in believed:
                if game.refusal(other.state, action) is None:
                    new.append((grown(other, action), since))
                elif line.depth - since >= LONG_AGO and "with" in game.format(action):
                    before = next(past for past in line.back() if past.depth == since)
                    return grown(line, action), other, before
            believed = new
            if game.format(action).startswith("take "):
                others = [each for each in game.legal_actions(line.state) if each != action]
                believed += [(grown(line, other), line.depth) for other in others]
            line = grown(line, action)
    raise AssertionError("no such game: other seeds are needed")


def seen(line: Line) -> Evidence:
    eye = Eye(layout=yu().layout, pack=yu().pack)
    return Evidence(eye.look(line.view, 1, 1.0), zones_of(yu().layout))


def test_a_worker_paid_that_was_believed_in_another_colour_changes_when_it_was_taken() -> None:
    true, believed, _ = paid_with_a_misread_worker()
    tracker = Tracker(yu(), yu().initial())
    tracker.restore((believed,), believed.depth)
    evidence = seen(true)
    tracker.weigh(evidence)
    assert tracker.explain(evidence)
    assert [line.step.action for line in tracker.steps() if line.step] == [
        line.step.action for line in list(true.back())[::-1] if line.step
    ]


def test_what_the_player_said_is_not_thought_over() -> None:
    true, believed, before = paid_with_a_misread_worker()
    assert true.parent is not None
    line = before
    for step in [line.step for line in list(believed.back())[::-1] if line.depth > before.depth]:
        assert step is not None
        line = grown(line, step.action, told=line is before)
    evidence = seen(true.parent)
    moves = legal_moves(yu(), evidence.cards_in_sight(), frozenset())
    assert other_pieces(yu(), line, evidence, moves, 2.5) == []
