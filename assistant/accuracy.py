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
"""One action may be recorded as so many single steps, or so many as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """The best way to lay a played and a recorded game side by side."""

    right: tuple[bool, ...]
    """For each action played, whether it was recorded."""
    invented: int
    """Recorded steps that nobody played."""


def change(layout: TableLayout, before: TableView, after: TableView) -> Change:
    """What can be seen to be different; of a pile only its top, of what somebody holds nothing."""
    found: list[tuple[Any, ...]] = []
    for old, new in zip(before.zones, after.zones, strict=True):
        if old is new or old == new:
            continue
        zone = layout.zone(old.zone)
        if zone.held:
            continue
        pile = zone.kind is ZoneKind.PILE
        cards = _pile_change(old, new) if pile else _moved(old.cards, new.cards)
        pieces = _pieces_change(old, new)
        if cards or pieces:
            found.append((old.zone, cards, pieces))
    return tuple(found)


def _pile_change(old: ZoneView, new: ZoneView) -> tuple[Any, ...]:
    """No eye tells how many cards lie in a pile: under the same top nothing has changed."""
    if old.cards[-1:] == new.cards[-1:]:
        return ()
    more = len(new.cards) - len(old.cards)
    if more > 0:
        return ("on", new.cards[-1])
    if more < 0:
        return ("off", old.cards[-1])
    return _moved(old.cards[-1:], new.cards[-1:])


def _moved(old: Iterable[PlacedCard], new: Iterable[PlacedCard]) -> tuple[Any, ...]:
    before, after = Counter(old), Counter(new)
    left, come = ((one - other).elements() for one, other in ((before, after), (after, before)))
    moved = (tuple(sorted(left, key=repr)), tuple(sorted(come, key=repr)))
    return moved if any(moved) else ()


def _pieces_change(old: ZoneView, new: ZoneView) -> tuple[Any, ...]:
    numbers = Counter(new.counts())
    numbers.subtract(old.counts())
    return tuple(sorted((kind, more) for kind, more in numbers.items() if more))


def align(layout: TableLayout, played: Sequence[TableView], recorded: Sequence[TableView]) -> Aligned:
    """As many actions right as possible, then as few invented steps as possible.

    Both are the positions of a game, the first one before any action; each action played can be seen. One
    action may be recorded as several steps, and several as one, if together they do the same.
    """
    done, told = _spans(layout, played), _spans(layout, recorded)
    actions, steps = len(played) - 1, len(recorded) - 1
    # best[i][j]: the score of the first i actions and the first j steps; way: how many of each came last.
    best: list[list[tuple[int, int]]] = [[(0, 0)] * (steps + 1) for _ in range(actions + 1)]
    way: list[list[tuple[int, int]]] = [[(0, 0)] * (steps + 1) for _ in range(actions + 1)]
    for i in range(actions + 1):
        for j in range(steps + 1):
            options: list[tuple[tuple[int, int], tuple[int, int]]] = []
            if i:
                options.append((best[i - 1][j], (1, 0)))
            if j:
                right, strange = best[i][j - 1]
                options.append(((right, strange - (told[j - 1][j] != NOTHING)), (0, 1)))
            pairs = [(1, parts) for parts in range(1, min(j, MOST_PARTS) + 1)]
            pairs += [(parts, 1) for parts in range(2, min(i, MOST_PARTS) + 1)]
            for many, few in pairs if i and j else ():
                if done[i - many][i] == told[j - few][j]:
                    right, strange = best[i - many][j - few]
                    options.append(((right + many, strange), (many, few)))
            if options:
                best[i][j], way[i][j] = max(options)
    return Aligned(right=_found(way, actions, steps), invented=-best[-1][-1][1])


def _spans(layout: TableLayout, positions: Sequence[TableView]) -> list[dict[int, Change]]:
    """For each position, what changed from there to the next few."""
    return [
        {
            end: change(layout, view, positions[end])
            for end in range(start + 1, min(len(positions), start + MOST_PARTS + 1))
        }
        for start, view in enumerate(positions)
    ]


def _found(way: list[list[tuple[int, int]]], i: int, j: int) -> tuple[bool, ...]:
    right = [False] * i
    while i or j:
        many, few = way[i][j]
        if many and few:
            right[i - many : i] = [True] * many
        i, j = i - many, j - few
    return tuple(right)


def wrong_cards(layout: TableLayout, true: TableView, recorded: TableView) -> int:
    """Zones in which other cards are recorded than lie there face up."""
    return sum(bool(cards) for _, cards, _ in change(layout, true, recorded))
