"""The wooden and cardboard pieces of Legacy of Yu, and how many of each the box holds (Y-C2, Y-C3)."""

from typing import TypeAlias

Pieces: TypeAlias = tuple[int, ...]
"""Counts in the order of `PIECES`: a player's supply, the Main Supply, or an amount to pay."""

Workers: TypeAlias = tuple[int, ...]
"""Counts of the five Worker colours, in the order of `WORKERS`."""

WORKERS = ("white", "red", "black", "blue", "yellow")
RESOURCES = ("clay", "wood", "provision", "cowrie")
PIECES = WORKERS + RESOURCES
WHITE, RED, BLACK, BLUE, YELLOW, CLAY, WOOD, PROVISION, COWRIE = range(9)

COLOURED = (RED, BLACK, BLUE, YELLOW)
ANY_WORKER = (WHITE, *COLOURED)
CLAY_OR_WOOD = (CLAY, WOOD)

TOTALS: Pieces = (10, 6, 6, 6, 6, 9, 9, 9, 12)
NONE: Pieces = (0,) * len(PIECES)
NO_WORKERS: Workers = (0,) * len(WORKERS)

INDEX = {name: index for index, name in enumerate(PIECES)}


def plus(pieces: Pieces, index: int, count: int = 1) -> Pieces:
    """The same pieces with `count` more (or, negative, fewer) of one kind."""
    return (*pieces[:index], pieces[index] + count, *pieces[index + 1 :])


def added(left: Pieces, right: Pieces) -> Pieces:
    return tuple([a + b for a, b in zip(left, right, strict=True)])


def taken(left: Pieces, right: Pieces) -> Pieces:
    return tuple([a - b for a, b in zip(left, right, strict=True)])


def covers(left: Pieces, right: Pieces) -> bool:
    """Whether `left` holds at least `right`, kind by kind."""
    return all([a >= b for a, b in zip(left, right, strict=True)])
