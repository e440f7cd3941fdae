"""Shares and forecasts: how sure a share is, and how true told chances are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10
Z = 1.96


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts that said about the same."""

    said: float
    came_true: float
    number: int


def wilson(won: int, games: int) -> tuple[float, float]:
    """Between which shares the true one lies, nineteen times of twenty."""
    if not games:
        return 0.0, 1.0
    p = won / games
    middle = (p + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = Z / (1 + Z * Z / games) * math.sqrt(p * (1 - p) / games + Z * Z / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def brier(told: Sequence[tuple[float, bool]]) -> float:
    return sum((p - won) ** 2 for p, won in told) / len(told)


def reliability(told: Sequence[tuple[float, bool]], bins: int = BINS) -> list[Bin]:
    """Forecasts by what they said; empty bins are left out."""
    parts: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for p, won in told:
        parts[min(bins - 1, int(p * bins))].append((p, won))
    return [
        Bin(sum(p for p, _ in part) / len(part), sum(won for _, won in part) / len(part), len(part))
        for part in parts
        if part
    ]
