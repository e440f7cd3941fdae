"""Lines of play that end with a broken rule, and lines in which one was put right again."""

from collections.abc import Sequence
from typing import Any

from assistant.evidence import Evidence
from assistant.kit import Game
from assistant.reconstruct import Line, Step, StepKind, grown, mistaken_moves, weighed
from assistant.revise import earlier, followed

MOST_MISTAKEN = 60
NOT_WORSE = 1.0
"""A mistake that makes the table less likely than before is none that was made."""
PUT_RIGHT = 0.5
"""What it takes to believe that a broken rule was put right: it is what players do when they are told."""
WORSE_AT_FIRST = 2.0
"""A game with the rule put right may explain so much less: with the next move it may explain all."""


def mistaken(
    game: Game[Any, Any], cost: float, sources: Sequence[Line], evidence: Evidence
) -> tuple[list[Line], list[Line]]:
    """Lines that end with a broken rule: those that do not show by themselves, and those that do.

    What does not show is told by what came after it, so it gets a search of its own.
    """
    wrong = mistaken_moves(game, cost)
    unseen: list[Line] = []
    seen: list[Line] = []
    for line in sources:
        for child in grown(game, line, evidence, wrong):
            if child.view == line.view:
                unseen.append(child)
            elif child.penalty < line.penalty + NOT_WORSE:
                seen.append(child)
    seen.sort(key=lambda line: line.score)
    return unseen, seen[:MOST_MISTAKEN]


def put_right(
    game: Game[Any, Any], best: Line, committed: int, evidence: Evidence, before: Sequence[Line] = ()
) -> list[Line]:
    """The game without the rules that were broken last, where that explains what is seen now, or nearly so:
    together with a move that was just done a piece may be two off. Moves done since stand. The rules were
    broken all the same, so that what it took to believe that is nothing to be saved.

    `before` are the lines of before the broken rule and a step that was believed only because something was
    thought misread: who puts the one right may have done nothing of the other.
    """
    back: list[Line] = []
    if best.step is not None and best.step.kind is StepKind.MISTAKE:
        back = [back_to(line, PUT_RIGHT) for line in earlier(best, committed) if line in before]
    since: list[tuple[Step, float]] = []
    after = best
    for line in earlier(best, committed):
        assert after.step is not None
        if after.step.kind is StepKind.MISTAKE:
            righted = followed(game, back_to(line, PUT_RIGHT), since)
            back += [righted] if righted.depth == line.depth + len(since) else []
        elif after.step.kind is StepKind.ACTION:
            since.insert(0, (after.step, after.cost - line.cost))
        else:
            break
        after = line
    return [line for line in weighed(back, evidence) if line.penalty < best.penalty + WORSE_AT_FIRST]


def back_to(line: Line, cost: float) -> Line:
    """An earlier line as what is believed now, which costs so much."""
    back = Line(line.parent, line.step, line.state, line.view, line.cost + cost)
    back.charge = line.charge + cost
    return back
