"""Coins of 1, 3 and 6: paying with what one holds, and change from the bank."""

from functools import lru_cache

from assistant.games.yro.state import Coins

VALUES = (1, 3, 6)


def worth(coins: Coins) -> int:
    return coins[0] + 3 * coins[1] + 6 * coins[2]


@lru_cache(maxsize=65536)
def moved(purse: Coins, bank: Coins, gain: int) -> tuple[Coins, Coins]:
    """Purse and bank after so many coins came in (or, negative, went out).

    Whole coins where they fit, as people do; otherwise the purse is counted anew with the bank's help.
    """
    source, target = (bank, purse) if gain >= 0 else (purse, bank)
    parts = _exact(source, abs(gain))
    if parts is not None:
        left, right = _minus(source, parts), _plus(target, parts)
        return (right, left) if gain >= 0 else (left, right)
    both = _plus(purse, bank)
    wanted = worth(purse) + gain
    new = _exact(both, wanted, small=True) or _exact(both, wanted) or _plus(purse, (gain, 0, 0))
    return new, _minus(both, new)


@lru_cache(maxsize=4096)
def _exact(coins: Coins, value: int, small: bool = False) -> Coins | None:
    """The fewest of these coins that make up a value; with `small`, two coins of 1 are kept at hand."""
    for sixes in range(min(coins[2], value // 6), -1, -1):
        rest = value - 6 * sixes
        for threes in range(min(coins[1], rest // 3), -1, -1):
            ones = rest - 3 * threes
            if ones <= coins[0] and not (small and ones < min(2, value)):
                return (ones, threes, sixes)
    return None


def ways(value: int) -> list[Coins]:
    """Every set of coins of this value."""
    return [
        (value - 6 * sixes - 3 * threes, threes, sixes)
        for sixes in range(value // 6 + 1)
        for threes in range((value - 6 * sixes) // 3 + 1)
    ]


def _plus(one: Coins, other: Coins) -> Coins:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def _minus(one: Coins, other: Coins) -> Coins:
    return (one[0] - other[0], one[1] - other[1], one[2] - other[2])
