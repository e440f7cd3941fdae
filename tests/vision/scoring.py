"""How much of a card was read right, item by item."""

from collections.abc import Mapping

from vision.cards import Item
from vision.observation import CardReading


def items_of(reading: CardReading, field: str) -> tuple[Item, ...]:
    for part in reading.fields:
        if part.name == field:
            return tuple(Item(item.kind, item.count, item.number) for item in part.items)
    return ()


def items_right(reading: CardReading, truth: Mapping[str, tuple[Item, ...]]) -> tuple[int, int]:
    """How many printed items were read in their order, and how many of printed or wrongly seen there are."""
    right = total = 0
    for field, printed in truth.items():
        seen = items_of(reading, field)
        common = _longest_common(seen, printed)
        right += common
        total += max(len(printed), len(seen))
    return right, total


def _longest_common(one: tuple[Item, ...], other: tuple[Item, ...]) -> int:
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one, 1):
        for j, right in enumerate(other, 1):
            best[i][j] = best[i - 1][j - 1] + 1 if left == right else max(best[i - 1][j], best[i][j - 1])
    return best[-1][-1]
