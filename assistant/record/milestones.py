"""When the things to keep an eye on moved: read off the gauges, so that no game need be known here."""

from collections.abc import Sequence
from typing import Any

from assistant.kit import Game


def moved_gauges(game: Game[Any, Any], states: Sequence[Any]) -> list[tuple[str, ...]]:
    """For each state, the gauges that stand elsewhere than before.

    A gauge has a position where one of its values bears its own name, as `flood` has in the gauge `flood`.
    """
    moves: list[tuple[str, ...]] = []
    before: dict[str, Any] = {}
    for state in states:
        now = {
            gauge.name: gauge.values[gauge.name]
            for gauge in game.forecast(state).gauges
            if gauge.name in gauge.values
        }
        moves.append(tuple(name for name in now if name in before and before[name] != now[name]))
        before |= now
    return moves
