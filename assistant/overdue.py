"""What the rules owed and nobody saw being taken: told late, it was taken in time.

A piece that the eye overlooks in a heap shows only when somebody pays with it, or when the game could not go
on without it. If it is gone again, or looks as it did before, it lay there all the time: nobody leaves a gain
in the box for a whole round.
"""

from collections.abc import Iterator
from typing import Any

from assistant.evidence import Evidence
from assistant.kit import Game
from assistant.reconstruct import Line, StepKind
from assistant.retell import acted
from assistant.revise import followed, parting, steps_after
from vision.table import PieceKind, ZoneId

LATEST = 30
"""So many steps ago it may have been."""


def in_time(
    game: Game[Any, Any], old: Line, new: Line, seen: Evidence | None = None, now: Evidence | None = None
) -> Line:
    """The new line with its new steps where they were owed first, if all that was told since stands.

    `old` was believed before, `seen` is what showed where both part, and `now` what shows in the end. What a
    step took must be gone again, or look as it did before: else it is seen where it lies, and was taken just
    now.
    """
    shared = parting(old, new)
    if shared is None:
        return new
    for depth in range(shared.depth + 1, new.depth + 1):
        late = next(line for line in new.back() if line.depth == depth)
        taken = _when_owed(game, late, shared.depth)
        if taken is None:
            continue
        gone_again = depth == shared.depth + 1 and not _still_lies_there(late, new)
        if gone_again or _lay_there_before(taken, seen, now):
            new = _with(game, taken, late, new)
    return new


def _when_owed(game: Game[Any, Any], late: Line, told: int) -> Line | None:
    """This step where it was owed first; None where that is not before the depth `told`."""
    if late.parent is None or late.step is None or late.step.action is None:
        return None
    due = _owed_since(game, late.parent, late.step.action, told)
    if due is late.parent or due.depth >= told:
        return None
    return acted(game, due, late.step, late.cost - late.parent.cost)


def _with(game: Game[Any, Any], taken: Line, late: Line, new: Line) -> Line:
    """The new line with the late step where it was taken, if that leads to the same position."""
    assert taken.parent is not None
    assert late.parent is not None
    line = followed(game, taken, [*steps_after(late.parent, taken.parent), *steps_after(new, late)])
    if line.state != new.state:
        return new
    line.memory, line.penalty = new.memory, new.penalty
    return line


def _still_lies_there(taken: Line, new: Line) -> bool:
    """Whether a piece that a step brought to a place is there in the end."""
    left = new.view.by_zone()
    return any(left[zone].counts().get(kind, 0) > had for zone, kind, had in _brought(taken))


def _lay_there_before(taken: Line, seen: Evidence | None, now: Evidence | None) -> bool:
    """Whether all that a step brought looks now as it looked before that step was told."""
    brought = list(_brought(taken))
    if seen is None or now is None or not brought:
        return False
    return all(now.counts_alike(seen, zone, kind) for zone, kind, _ in brought)


def _brought(taken: Line) -> Iterator[tuple[ZoneId, PieceKind, int]]:
    """The pieces that a step brought to a place, and how many of their kind lay there before."""
    assert taken.parent is not None
    for before, after in zip(taken.parent.view.zones, taken.view.zones, strict=True):
        had = before.counts()
        for kind, number in after.counts().items():
            if number > had.get(kind, 0):
                yield after.zone, kind, had.get(kind, 0)


def _owed_since(game: Game[Any, Any], line: Line, action: Any, told: int) -> Line:
    """The earliest position since which the rules owed this all the time, but after what else was taken and
    told before."""
    is_owed = game.watch.is_owed
    for _ in range(LATEST):
        before, step = line.parent, line.step
        if before is None or step is None or step.told or step.kind is not StepKind.ACTION:
            break
        new = line.depth > told
        if not is_owed(before.state, action) or (not new and is_owed(before.state, step.action)):
            break
        line = before
    return line
