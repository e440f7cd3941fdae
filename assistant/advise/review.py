"""After the game: the decisions that cost most, and what the advisor would have done."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from assistant.advise.advisor import Advisor
from assistant.advise.lines import Line
from assistant.kit import Game

MOST: Final = 3
NOISE: Final = 0.02
"""A smaller difference is chance, not a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costly:
    """A point at which another way would have been better."""

    number: int
    """Which step of the game this was, from 0."""
    round: int
    played: tuple[Any, ...]
    better: tuple[Any, ...]
    chance_played: float
    chance_better: float

    @property
    def cost(self) -> float:
        return self.chance_better - self.chance_played


def costly_decisions(
    game: Game[Any, Any],
    steps: Iterable[tuple[Any, Any]],
    *,
    seconds: float = 0.3,
    most: int = MOST,
    progress: Callable[[], None] = lambda: None,
) -> tuple[Costly, ...]:
    """`steps` are the positions of a game, each with the action that followed; the worst decision first.

    What was done between two strokes of luck is one decision: what matters is where it led.
    """
    assert game.advising is not None
    told = game.advising.told
    advisor = Advisor(game)
    found: list[Costly] = []
    for number, segment in _segments(game, list(steps)):
        progress()
        state = segment[0][0]
        if len(game.legal_actions(state)) < 2:
            continue
        actions = tuple(action for _, action in segment)
        end = game.apply(*segment[-1])
        done = Line(actions, end, 0.0)
        thought = advisor.think(state, seconds, also=(done,))
        played = next(weighed for weighed in thought.weighed if weighed.line.actions == actions)
        best = max(thought.weighed, key=lambda weighed: weighed.mean)
        if best.mean - played.mean > NOISE:
            found.append(
                Costly(
                    number=number,
                    round=game.round(state),
                    played=actions,
                    better=best.line.actions,
                    chance_played=told(played.mean),
                    chance_better=told(best.mean),
                )
            )
    return tuple(sorted(found, key=lambda costly: -costly.cost)[:most])


def _segments(
    game: Game[Any, Any], steps: list[tuple[Any, Any]]
) -> Iterable[tuple[int, list[tuple[Any, Any]]]]:
    """Decisions that follow each other without luck in between."""
    segment: list[tuple[Any, Any]] = []
    start = 0
    for number, (state, action) in enumerate(steps):
        if game.chance(state):
            if segment:
                yield start, segment
            segment = []
        else:
            start = start if segment else number
            segment.append((state, action))
    if segment:
        yield start, segment
