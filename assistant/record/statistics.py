"""What many recorded games say together: how long, how they ended, when the gauges moved, which rules."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from assistant.errors import FloodwatchError
from assistant.kit import Game
from assistant.record.milestones import moved_gauges
from assistant.record.values import RecordedGame


@dataclass(frozen=True, slots=True, kw_only=True)
class GaugeMoves:
    """When one gauge moved, such as the Flood."""

    per_game: float
    """In the mean."""
    first_round: float
    """The round of the first move, in the mean of those games in which it moved."""
    by_round: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    games: int
    won: int
    lost: int
    """Games of several against each other are neither: the cause says who won."""
    rounds_mean: float
    rounds_least: int
    rounds_most: int
    causes: Mapping[str, int] = field(default_factory=dict)
    """How many games ended for each cause, most frequent first."""
    wins: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    """Which of the causes are a win and a loss; who won against others is neither."""
    moves: Mapping[str, GaugeMoves] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    """How often each rule was told, most frequent first."""


def statistics(
    recorded: Iterable[RecordedGame], game: Callable[[RecordedGame], Game[Any, Any]]
) -> Statistics:
    """Over finished games of one kind, each bound to its own cards by `game`.

    A game that has not ended, or that was cleared away, says little and is left out.
    """
    ended = [one for one in recorded if one.ending is not None and one.ending.cause is not None]
    rounds = [one.rounds for one in ended]
    causes = Counter(one.ending.cause for one in ended if one.ending and one.ending.cause)
    findings = Counter(told.finding.rule for one in ended for told in one.findings)
    return Statistics(
        games=len(ended),
        won=sum(one.ending.won is True for one in ended if one.ending),
        lost=sum(one.ending.won is False for one in ended if one.ending),
        rounds_mean=fmean(rounds) if rounds else 0.0,
        rounds_least=min(rounds, default=0),
        rounds_most=max(rounds, default=0),
        causes=dict(causes.most_common()),
        wins=_causes(ended, won=True),
        losses=_causes(ended, won=False),
        moves=_moves(ended, game),
        findings=dict(findings.most_common()),
    )


def _causes(ended: list[RecordedGame], *, won: bool) -> tuple[str, ...]:
    causes = {one.ending.cause for one in ended if one.ending and one.ending.cause and one.ending.won is won}
    return tuple(sorted(causes))


def _moves(
    ended: list[RecordedGame], game: Callable[[RecordedGame], Game[Any, Any]]
) -> dict[str, GaugeMoves]:
    rounds: dict[str, list[list[int]]] = {}
    for one in ended:
        for name, moved in _rounds_of_moves(one, game(one)).items():
            rounds.setdefault(name, []).append(moved)
    return {
        name: GaugeMoves(
            per_game=sum(len(moved) for moved in lists) / len(ended),
            first_round=fmean(moved[0] for moved in lists),
            by_round=dict(sorted(Counter(number for moved in lists for number in moved).items())),
        )
        for name, lists in rounds.items()
    }


def _rounds_of_moves(one: RecordedGame, game: Game[Any, Any]) -> dict[str, list[int]]:
    """The rounds in which each gauge moved; a state that today's program cannot read is passed over."""
    found: dict[str, list[int]] = {}
    try:
        states = [game.decode(one.start), *(game.decode(action.state) for action in one.actions)]
    except FloodwatchError:
        return found
    for state, names in zip(states, moved_gauges(game, states), strict=True):
        for name in names:
            found.setdefault(name, []).append(game.round(state))
    return found
