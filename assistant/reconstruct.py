"""The most likely sequence of actions behind what was seen: a best-first search over legal actions.

Every line of play costs what its actions take to believe; what the table shows and the line does not explain
is added. The search follows the cheapest lines. It counts its steps and never looks at the clock, so that
the same observations always give the same game.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from heapq import heappop, heappush, nsmallest
from itertools import count
from typing import Any

from assistant.evidence import Evidence
from assistant.kit import Game, Mistake
from vision.cards import CardId
from vision.table import TableView

EASY = 4.5
"""What takes more than this to believe may have a far better explanation, of which the first step alone
explains nothing: all that can be looked at is looked at, and moves taken back are compared with it."""
NEXT = 6
"""So many lines that would have been looked at next count as partial explanations too."""


class StepKind(Enum):
    ACTION = "action"
    MISTAKE = "mistake"  # a rule was broken, and the table shows it
    ADOPTED = "adopted"  # nothing explained the table: it was taken as it lies


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened between two positions."""

    kind: StepKind
    action: Any = None
    mistake: Mistake[Any] | None = None
    told: bool = False
    """The player said so: it stays whatever is seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How hard to think: all of it counted in steps of the search."""

    expansions: int = 90
    beam: int = 6
    """How many different lines are kept from one observation to the next."""
    window: int = 8
    """How many of the last steps may still be revised."""
    slack: float = 5.0
    """Lines that are worse than the best one by more than this are forgotten."""
    mistake_cost: float = 4.0
    revision_cost: float = 2.5


class Line:
    """A line of play: the last position, and the lines before it. Compared by identity."""

    __slots__ = (
        "charge",
        "cost",
        "depth",
        "memory",
        "mistakes",
        "parent",
        "penalty",
        "state",
        "step",
        "view",
    )

    def __init__(
        self, parent: "Line | None", step: Step | None, state: Any, view: TableView, cost: float
    ) -> None:
        self.parent = parent
        self.step = step
        self.state = state
        self.view = view
        self.cost = cost
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.mistakes: int = 0 if parent is None else parent.mistakes
        self.memory: float = 0.0 if parent is None else parent.memory
        """What earlier sights said against this line, fading."""
        self.penalty = 0.0
        self.charge = 0.0
        """What of the cost of this step is for thinking over again, not for believing it."""
        if step is not None and step.kind is StepKind.MISTAKE:
            self.mistakes += 1

    @property
    def score(self) -> float:
        return self.cost + self.penalty + self.memory

    def back(self) -> Iterator["Line"]:
        """This line and all before it, the last one first."""
        line: Line | None = self
        while line is not None:
            yield line
            line = line.parent


Moves = Callable[[Line], Iterable[tuple[Step, Any, float]]]
"""From a line: what may come next, the position after it, and what it takes to believe it."""


def legal_moves(
    game: Game[Any, Any], in_sight: frozenset[CardId], banned: frozenset[tuple[Any, Any]]
) -> Moves:
    def moves(line: Line) -> Iterator[tuple[Step, Any, float]]:
        state = line.state
        for action, belief in candidates(game, state, in_sight):
            if banned and (state, action) in banned:
                continue
            yield Step(kind=StepKind.ACTION, action=action), game.apply(state, action), belief

    return moves


def candidates(game: Game[Any, Any], state: Any, in_sight: frozenset[CardId]) -> Sequence[tuple[Any, float]]:
    if game.watch.candidates is not None:
        return game.watch.candidates(state, in_sight)
    luck = {action for action, _ in game.chance(state)}
    return [(action, 0.8 if action in luck else 2.0) for action in game.legal_actions(state)]


def mistaken_moves(game: Game[Any, Any], cost: float) -> Moves:
    def moves(line: Line) -> Iterator[tuple[Step, Any, float]]:
        for mistake in game.watch.mistakes(line.state):
            yield Step(kind=StepKind.MISTAKE, mistake=mistake), mistake.state, cost + mistake.doubt

    return moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a search found: whole explanations first, and the most promising lines that were looked at."""

    whole: tuple[Line, ...]
    partial: tuple[Line, ...]

    def beside(self, other: "Explanation") -> "Explanation":
        """What both searches found, the likeliest first."""
        return Explanation(
            whole=_ranked((*self.whole, *other.whole)), partial=_ranked((*self.partial, *other.partial))
        )


def search(
    game: Game[Any, Any],
    roots: Sequence[Line],
    evidence: Evidence,
    moves: Moves,
    limits: Limits,
    expansions: int | None = None,
) -> Explanation:
    """Best-first from the roots, which must have been weighed by this evidence."""
    expansions = expansions or limits.expansions
    frontier = _Frontier(roots)
    base = min([line.cost + line.memory for line in roots], default=0.0)
    ceiling = min([line.score for line in roots], default=0.0) + 8.0
    goals: list[Line] = [line for line in frontier.lines() if evidence.explained(line.view)]
    if goals:
        ceiling = min(line.score for line in goals) + 1.0
    # Every line of the beam is thought on, however little it explains by itself: it may be the one that a
    # single step more makes the cheapest.
    beam = [line for _ in range(limits.beam) if (line := frontier.next(float("inf"))) is not None]
    looked: list[Line] = []
    while len(looked) < expansions:
        line = beam.pop(0) if beam else frontier.next(ceiling)
        if line is None:
            break
        looked.append(line)
        for child in grown(game, line, evidence, moves):
            if child.score > ceiling or not frontier.add(child):
                continue
            if evidence.explained(child.view):
                goals.append(child)
                if child.cost + child.memory - base <= EASY:
                    ceiling = min(ceiling, child.score + 1.0)
    return Explanation(
        whole=_ranked(goals), partial=_ranked(dict.fromkeys([*looked, *frontier.cheapest(NEXT)]))
    )


def _ranked(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: line.score))


class _Frontier:
    """Lines still to be looked at. The cheapest first; but every third time the shortest, because a wrong
    line can look promising for long, and the right one may begin with a step that does not show."""

    def __init__(self, roots: Iterable[Line]) -> None:
        self._order = count()
        self._cheap: list[tuple[float, int, Line]] = []
        self._short: list[tuple[int, float, int, Line]] = []
        self._costs: dict[Any, float] = {}
        self._done: set[int] = set()
        self._turn = 0
        self._base = 0
        roots = list(roots)
        self._base = max([line.depth for line in roots], default=0)
        for line in roots:
            self.add(line)

    def lines(self) -> Iterator[Line]:
        return (line for _, _, line in self._cheap)

    def cheapest(self, number: int) -> Iterator[Line]:
        """The best of those that nobody has looked at yet."""
        return (line for _, _, line in nsmallest(number, self._cheap))

    def add(self, line: Line) -> bool:
        """Whether the line is new: each position is reached once, by the cheapest way."""
        if self._costs.get(line.state, 1e9) <= line.cost:
            return False
        self._costs[line.state] = line.cost
        number = next(self._order)
        heappush(self._cheap, (line.score, number, line))
        heappush(self._short, (max(0, line.depth - self._base), line.score, number, line))
        return True

    def next(self, ceiling: float) -> Line | None:
        self._turn += 1
        by_length = self._turn % 3 == 0
        while self._short if by_length else self._cheap:
            if by_length:
                _, score, number, line = heappop(self._short)
            else:
                score, number, line = heappop(self._cheap)
            if score <= ceiling and number not in self._done and self._costs[line.state] >= line.cost:
                self._done.add(number)
                return line
            if not by_length and score > ceiling:
                return None
        return None


def grown(game: Game[Any, Any], line: Line, evidence: Evidence, moves: Moves) -> Iterator[Line]:
    """The lines one step longer, each with its penalty; only zones that changed are judged anew."""
    old = line.view.zones
    penalty_of = evidence.penalty
    for step, state, belief in moves(line):
        child = Line(line, step, state, game.view(state), line.cost + belief)
        new = child.view.zones
        penalty = line.penalty
        for before, after in zip(old, new, strict=True):
            if before is not after:
                penalty += penalty_of(after) - penalty_of(before)
        child.penalty = penalty
        yield child


def weighed(lines: Iterable[Line], evidence: Evidence) -> list[Line]:
    """The lines judged by new evidence, the best first."""
    judged = list(lines)
    for line in judged:
        line.penalty = evidence.total(line.view)
    return sorted(judged, key=lambda line: line.score)
