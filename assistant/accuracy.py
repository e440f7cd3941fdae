"""How much of a played game was recorded: actions are compared by what they do to the table, card by card.

Two actions are the same if they move the same cards and pieces between the same places. So a wrong card in
an action is a wrong action, while one card misread long ago does not make every later action wrong. What
nobody can see does not count: which of two equal Barbarians was paid first, or whether a Harvest was taken
at once or piece by piece.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from vision.table import PlacedCard, TableLayout, TableView, ZoneKind, ZoneView

Change: TypeAlias = tuple[tuple[Any, ...], ...]
"""Zone by zone: the cards that left and came, and how many pieces more or fewer there are."""

NOTHING: Change = ()
MOST_PARTS = 12
"""One action may be recorded as so many single steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """The best way to lay a played and a recorded game side by side."""

    right: tuple[bool, ...]
    """For each action played, whether it was recorded."""
    invented: int
    """Recorded steps that nobody played."""


def change(layout: TableLayout, before: TableView, after: TableView) -> Change:
    """What can be seen to be different; of a pile only its top and its height."""
    found: list[tuple[Any, ...]] = []
    for old, new in zip(before.zones, after.zones, strict=True):
        if old is new or old == new:
            continue
        pile = layout.zone(old.zone).kind is ZoneKind.PILE
        cards = _pile_change(old, new) if pile else _moved(old.cards, new.cards)
        pieces = _pieces_change(old, new)
        if cards or pieces:
            found.append((old.zone, cards, pieces))
    return tuple(found)


def _pile_change(old: ZoneView, new: ZoneView) -> tuple[Any, ...]:
    more = len(new.cards) - len(old.cards)
    if more > 0:
        return (more, new.cards[-1])
    if more < 0:
        return (more, old.cards[-1])
    return _moved(old.cards[-1:], new.cards[-1:])


def _moved(old: Iterable[PlacedCard], new: Iterable[PlacedCard]) -> tuple[Any, ...]:
    before, after = Counter(old), Counter(new)
    left, come = ((one - other).elements() for one, other in ((before, after), (after, before)))
    moved = (tuple(sorted(left, key=repr)), tuple(sorted(come, key=repr)))
    return moved if any(moved) else ()


def _pieces_change(old: ZoneView, new: ZoneView) -> tuple[Any, ...]:
    numbers = Counter({piece.kind: piece.count for piece in new.pieces})
    numbers.subtract({piece.kind: piece.count for piece in old.pieces})
    return tuple(sorted((kind, more) for kind, more in numbers.items() if more))


def align(layout: TableLayout, played: Sequence[Change], recorded: Sequence[TableView]) -> Aligned:
    """As many actions right as possible, then as few invented steps as possible.

    `recorded` are the positions of the recorded game, the first one before any action.
    """
    spans = _spans(layout, recorded)
    steps = len(recorded) - 1
    # best[i][j]: the score of the first i actions and the first j steps, and how it was reached.
    best: list[list[tuple[int, int]]] = [[(0, 0)] * (steps + 1) for _ in range(len(played) + 1)]
    way: list[list[int]] = [[0] * (steps + 1) for _ in range(len(played) + 1)]
    for i in range(len(played) + 1):
        for j in range(steps + 1):
            options: list[tuple[tuple[int, int], int]] = []
            if i:
                options.append((best[i - 1][j], -1))
            if j:
                right, strange = best[i][j - 1]
                options.append(((right, strange - (spans[j - 1].get(j, NOTHING) != NOTHING)), 0))
            if i:
                for k in range(max(0, j - MOST_PARTS), j):
                    if spans[k].get(j) == played[i - 1]:
                        right, strange = best[i - 1][k]
                        options.append(((right + 1, strange), j - k))
            if options:
                best[i][j], way[i][j] = max(options)
    return Aligned(right=_found(way, len(played), steps), invented=-best[-1][-1][1])


def _spans(layout: TableLayout, recorded: Sequence[TableView]) -> list[dict[int, Change]]:
    """For each position, what changed from there to the next few."""
    return [
        {
            end: change(layout, view, recorded[end])
            for end in range(start + 1, min(len(recorded), start + MOST_PARTS + 1))
        }
        for start, view in enumerate(recorded)
    ]


def _found(way: list[list[int]], i: int, j: int) -> tuple[bool, ...]:
    right = [False] * i
    while i or j:
        step = way[i][j]
        if step > 0:
            right[i - 1] = True
            i, j = i - 1, j - step
        elif step < 0:
            i -= 1
        else:
            j -= 1
    return tuple(right)


def wrong_cards(layout: TableLayout, true: TableView, recorded: TableView) -> int:
    """Zones in which other cards are recorded than lie there face up."""
    return sum(bool(cards) for _, cards, _ in change(layout, true, recorded))
