"""Can this be afforded this round, and how? Every way without luck is tried, equal positions once."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from assistant.kit import Advising, Game, Goal

MOST_POSITIONS: Final = 40_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Affordable:
    actions: tuple[Any, ...] | None
    """The shortest way, its last action being the goal itself; None where there is none."""
    certain: bool
    """False: the search stopped before it had seen everything, so "no" means "not found"."""
    positions: int


def afford(
    game: Game[Any, Any],
    advising: Advising[Any, Any],
    state: Any,
    goal: Goal[Any],
    *,
    most: int = MOST_POSITIONS,
    stopped: Callable[[], bool] = lambda: False,
) -> Affordable:
    """Breadth first, so that the first way found is a shortest one. Luck ends a way: it is not counted on."""
    ways: deque[tuple[Any, tuple[Any, ...]]] = deque([(state, ())])
    seen = {advising.same(state)}
    phase, round_number = game.phase(state), game.round(state)
    while ways:
        if len(seen) > most or stopped():
            return Affordable(actions=None, certain=False, positions=len(seen))
        here, actions = ways.popleft()
        if game.outcome(here) is not None or game.chance(here):
            continue
        for action in game.legal_actions(here):
            if goal.reached(action):
                return Affordable(actions=(*actions, action), certain=True, positions=len(seen))
            after = game.apply(here, action)
            key = advising.same(after)
            if key not in seen and game.round(after) == round_number and game.phase(after) == phase:
                seen.add(key)
                ways.append((after, (*actions, action)))
    return Affordable(actions=None, certain=True, positions=len(seen))
