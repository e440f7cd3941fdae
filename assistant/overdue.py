"""What the rules owed and nobody saw being taken: told only because it is gone again, it was taken in time.

A piece that the eye overlooks in a heap shows only when somebody pays with it. That it lay there is known
then, and nobody leaves a gain in the box for a whole round.
"""

from typing import Any

from assistant.kit import Game
from assistant.reconstruct import Line, StepKind
from assistant.retell import acted
from assistant.revise import followed, parting, steps_after

LATEST = 30
"""So many steps ago it may have been."""


def in_time(game: Game[Any, Any], old: Line, new: Line) -> Line:
    """The new line with its first new step where it was owed first, if all that was told since stands.

    `old` was believed before. What it took must be gone again: else it is seen where it lies, and was taken
    just now.
    """
    shared = parting(old, new)
    late = None if shared is None else _first_after(shared, new)
    if late is None or late.parent is None or late.step is None or late.step.action is None:
        return new
    if _still_lies_there(late, new):
        return new
    due = _owed_since(game, late.parent, late.step.action)
    if due is late.parent:
        return new
    taken = acted(game, due, late.step, late.cost - late.parent.cost)
    if taken is None:
        return new
    line = followed(game, taken, [*steps_after(late.parent, due), *steps_after(new, late)])
    if line.state != new.state:
        return new
    line.memory, line.penalty = new.memory, new.penalty
    return line


def _still_lies_there(taken: Line, new: Line) -> bool:
    """Whether a piece that a step brought to a place is there in the end."""
    assert taken.parent is not None
    for before, after, end in zip(taken.parent.view.zones, taken.view.zones, new.view.zones, strict=True):
        had, left = before.counts(), end.counts()
        come = [kind for kind, number in after.counts().items() if number > had.get(kind, 0)]
        if any(left.get(kind, 0) > had.get(kind, 0) for kind in come):
            return True
    return False


def _first_after(start: Line, line: Line) -> Line | None:
    return next((later for later in line.back() if later.parent is start), None)


def _owed_since(game: Game[Any, Any], line: Line, action: Any) -> Line:
    """The earliest position since which the rules owed this all the time, but after what else was taken."""
    is_owed = game.watch.is_owed
    for _ in range(LATEST):
        before, step = line.parent, line.step
        if before is None or step is None or step.told or step.kind is not StepKind.ACTION:
            break
        if not is_owed(before.state, action) or is_owed(before.state, step.action):
            break
        line = before
    return line
