"""Which pieces an earlier step took or paid: thought over again, however long ago that was.

A Worker taken in one colour and believed in another shows nowhere until somebody pays with it. Then the game
cannot go on as it is believed, though all that was done since stands.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from assistant.evidence import Evidence
from assistant.kit import Game
from assistant.reconstruct import Line, Moves, Step, StepKind
from assistant.revise import followed
from vision.table import TableView, ZoneId, ZoneKind

LATEST = 40
"""So many of the last steps are thought over."""
EACH = 0.02
"""What it takes more for each step since: the latest is doubted first."""


def other_pieces(
    game: Game[Any, Any], best: Line, evidence: Evidence, moves: Moves, cost: float
) -> list[Line]:
    """The same game with other pieces in one step, with their penalties, the likeliest first."""
    heaps = frozenset(zone.id for zone in game.layout.zones if zone.kind is ZoneKind.HEAP)
    found: list[Line] = []
    since: list[tuple[Step, float]] = []
    for taken in islice(best.back(), LATEST):
        if taken.step is None or taken.step.told or taken.step.kind is not StepKind.ACTION:
            break
        assert taken.parent is not None
        charge = cost + EACH * len(since)
        for other in _otherwise(game, taken, moves, heaps):
            other.cost, other.charge = other.cost + charge, charge
            line = followed(game, other, since)
            if line.depth == best.depth:
                line.penalty = evidence.total(line.view)
                found.append(line)
        since.insert(0, (taken.step, taken.cost - taken.parent.cost))
    return sorted(found, key=lambda line: line.score)


def _otherwise(game: Game[Any, Any], taken: Line, moves: Moves, heaps: frozenset[ZoneId]) -> Iterator[Line]:
    """The same step with another piece: one word of its notation differs, and only heaps show it."""
    base, step = taken.parent, taken.step
    assert base is not None
    assert step is not None
    words = game.format(step.action).split()
    for other, state, belief in moves(base):
        if not _one_differs(words, game.format(other.action).split()):
            continue
        view = game.view(state)
        if view != taken.view and _same_but(heaps, taken.view, view):
            yield Line(base, other, state, view, base.cost + belief)


def _one_differs(words: list[str], others: list[str]) -> bool:
    return len(words) == len(others) and sum(map(str.__ne__, words, others)) == 1


def _same_but(zones: frozenset[ZoneId], one: TableView, other: TableView) -> bool:
    return all(
        before == after or before.zone in zones for before, after in zip(one.zones, other.zones, strict=True)
    )
