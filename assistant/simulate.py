"""Plays whole games without a table: for trying the rules, measuring policies and making test data."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.errors import FloodwatchError
from assistant.kit import Dice, Game, Policy

LONGEST_GAME = 20_000
"""More actions than any real game has; a game that goes on longer is a mistake of ours."""


class SimulationError(FloodwatchError):
    """A simulation that cannot be run as asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    actions: tuple[Any, ...]
    last: Any
    """The state in which the game ended."""
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    games: int
    results: dict[str, int]
    rounds_mean: float
    steps: int
    seconds: float

    @property
    def steps_per_second(self) -> float:
        return self.steps / self.seconds if self.seconds else 0.0


def policy_named(game: Game[Any, Any], name: str) -> Policy:
    if name not in game.policies:
        raise SimulationError(f"There is no policy {name!r}; choose one of {', '.join(game.policies)}.")
    return game.policies[name]


def play_game(game: Game[Any, Any], policy: Policy, seed: int | str) -> PlayedGame:
    """One game from the first card to its end; the same seed plays the same game."""
    dice = Dice(seed)
    state = game.initial()
    actions: list[Any] = []
    while (outcome := game.outcome(state)) is None:
        if len(actions) == LONGEST_GAME:
            raise SimulationError(f"Game {seed} did not end within {LONGEST_GAME} actions.")
        action = policy(state, dice)
        actions.append(action)
        state = game.apply(state, action)
    return PlayedGame(actions=tuple(actions), last=state, cause=outcome.cause)


def played(game: Game[Any, Any], policy: Policy, games: int, seed: int) -> Iterator[PlayedGame]:
    return (play_game(game, policy, f"{seed}/{number}") for number in range(games))


def simulate(
    game: Game[Any, Any], policy: Policy, games: int, seed: int, progress: Callable[[], None]
) -> Tally:
    """Many games, one after the other; `progress` is called after each."""
    begun = time.perf_counter()
    results = Counter(dict.fromkeys(game.causes, 0))
    steps = rounds = 0
    for ended in played(game, policy, games, seed):
        results[ended.cause] += 1
        steps += len(ended.actions)
        rounds += game.round(ended.last)
        progress()
    return Tally(
        games=games,
        results=dict(results),
        rounds_mean=rounds / games if games else 0.0,
        steps=steps,
        seconds=time.perf_counter() - begun,
    )
