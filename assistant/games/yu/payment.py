"""Costs, and every way in which Workers can pay them (Y-G1, Y-G2)."""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from assistant.games.yu.pieces import INDEX, NO_WORKERS, NONE, RED, WHITE, Pieces, Workers, plus
from vision.cards import Item

Group = frozenset[int]
"""The Worker colours that count as one: White and the colours of the built Outposts."""

ONLY_WHITE: Group = frozenset({WHITE})


class Cost(NamedTuple):
    workers: Workers = NO_WORKERS
    coloured: int = 0
    """Workers of any colour but White."""
    any: int = 0
    """Workers of any colour at all."""
    resources: Pieces = NONE

    @property
    def total_workers(self) -> int:
        return sum(self.workers) + self.coloured + self.any

    @property
    def named(self) -> "Cost":
        """Only the Workers whose colour is named."""
        return Cost(self.workers)


FREE = Cost()


def believed(cost: Cost | None, pay: Workers) -> Cost:
    """The cost as printed; where nobody has read it, whatever was paid."""
    return Cost(any=sum(pay)) if cost is None else cost


def cost_of(items: tuple[Item, ...]) -> Cost:
    """What printed items ask for. Items that cannot be paid (a turtle) are no part of a cost."""
    workers, resources = NO_WORKERS, NONE
    coloured = any_worker = 0
    for item in items:
        index = INDEX.get(item.kind)
        if item.kind == "coloured":
            coloured += item.count
        elif item.kind == "any":
            any_worker += item.count
        elif index is not None and index < len(workers):
            workers = plus(workers, index, item.count)
        elif index is not None:
            resources = plus(resources, index, item.count)
    return Cost(workers, coloured, any_worker, resources)


def satisfies(cost: Cost, pay: Workers, group: Group) -> bool:
    """Whether exactly these Workers pay the cost.

    A colour of the group may be paid with any colour of the group; all others only with themselves.
    """
    if sum(pay) != cost.total_workers:
        return False
    group_spare = 0
    single_spare = 0
    for colour, (paid, asked) in enumerate(zip(pay, cost.workers, strict=True)):
        if colour in group:
            group_spare += paid - asked
        elif paid < asked:
            return False
        else:
            single_spare += paid - asked
    if group_spare < 0:
        return False
    fit_for_coloured = single_spare + (group_spare if len(group) > 1 else 0)
    return fit_for_coloured >= cost.coloured


@lru_cache(maxsize=65536)
def ways_to_pay(cost: Cost, workers: Workers, group: Group) -> tuple[Workers, ...]:
    """All distinct sets of Workers that pay the cost out of those at hand."""
    if not cost.coloured and not cost.any and len(group) == 1:
        exact = cost.workers
        return (exact,) if all([have >= need for have, need in zip(workers, exact, strict=True)]) else ()
    limit = cost.total_workers
    ranges = [
        range(0 if colour in group else asked, min(have, limit) + 1)
        for colour, (have, asked) in enumerate(zip(workers, cost.workers, strict=True))
    ]
    return tuple([pay for pay in product(*ranges) if sum(pay) == limit and satisfies(cost, pay, group)])


@lru_cache(maxsize=65536)
def missing_workers(cost: Cost, workers: Workers, group: Group) -> Workers:
    """How many Workers of each colour are still to be found; the group counts as its first colour asked."""
    missing = list(NO_WORKERS)
    group_asked = sum(cost.workers[colour] for colour in group)
    group_have = sum(workers[colour] for colour in group)
    spare_singles = 0
    for colour, asked in enumerate(cost.workers):
        if colour not in group:
            missing[colour] = max(0, asked - workers[colour])
            spare_singles += max(0, workers[colour] - asked)
    short_group = max(0, group_asked - group_have)
    if short_group:
        missing[next(colour for colour in sorted(group) if cost.workers[colour])] += short_group
    if any(missing):
        return tuple(missing)
    spare_group = group_have - group_asked
    fit_for_coloured = spare_singles + (spare_group if len(group) > 1 else 0)
    short_coloured = max(0, cost.coloured - fit_for_coloured)
    short_free = max(short_coloured, cost.coloured + cost.any - spare_singles - spare_group)
    missing[RED if cost.coloured else WHITE] += short_free
    return tuple(missing)
