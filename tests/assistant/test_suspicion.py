"""When moves count as told otherwise than they were seen."""

from assistant.reconstruct import Line, Step, StepKind
from assistant.suspicion import tells_otherwise
from vision.table import TableView


def told(*actions: str) -> Line:
    """A line of these actions; the position is all that was done, in its order."""
    line = Line(None, None, (), TableView(()), 0.0)
    for action in actions:
        step = Step(kind=StepKind.ACTION, action=action)
        line = Line(line, step, (*line.state, action), TableView(()), line.cost + 1)
    return line


def test_a_step_put_in_between_tells_nothing_otherwise() -> None:
    """That the actions had ended before three trades came out by the bribe after them (11600/9)."""
    assert not tells_otherwise((told("trade", "trade"),), told("end", "trade", "trade", "bribe"))


def test_several_moves_that_are_other_ones_now_are_told_otherwise() -> None:
    assert tells_otherwise((told("trade", "trade"),), told("recruit", "trade"))
    assert tells_otherwise((told("trade", "recruit"),), told("end", "recruit", "trade"))


def test_the_last_move_alone_may_have_been_another_one() -> None:
    assert not tells_otherwise((told("trade", "recruit"),), told("trade", "dismiss"))
