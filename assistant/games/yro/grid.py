"""R-R2: where a card may be laid. Only how cards lie to each other counts, so a grid may be pushed along.

Cells are named by row and column, 1 to 3, row 1 being the front. Row or column 0 and 4 lie just outside:
a card goes there where the whole layout still fits three by three, and then everything is pushed back in.
"""

from functools import lru_cache

from assistant.games.yro.state import CELLS, SIDE, Grid
from vision.cards import CardId

EVERYWHERE = tuple(10 * row + column for row in range(SIDE + 2) for column in range(SIDE + 2))


def cell_of(at: int) -> int:
    """The index of a cell inside, named by row and column."""
    return (at // 10 - 1) * SIDE + at % 10 - 1


def name_of(cell: int) -> int:
    return 10 * (cell // SIDE + 1) + cell % SIDE + 1


def mask_of(grid: Grid) -> int:
    mask = 0
    for cell, card in enumerate(grid):
        if card is not None:
            mask |= 1 << cell
    return mask


def spaces(grid: Grid) -> tuple[int, ...]:
    """Where the next card may be laid."""
    return _spaces(mask_of(grid))


@lru_cache(maxsize=1 << CELLS)
def _spaces(mask: int) -> tuple[int, ...]:
    if not mask:
        return tuple(name_of(cell) for cell in range(CELLS))
    return tuple(at for at in EVERYWHERE if is_adjacent(mask, at) and shift_of(mask, at) is not None)


def is_adjacent(mask: int, at: int) -> bool:
    """Next to a card, across or up and down, and free."""
    row, column = divmod(at, 10)
    return not _filled(mask, row, column) and any(
        [_filled(mask, row + dr, column + dc) for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    )


def _filled(mask: int, row: int, column: int) -> bool:
    inside = 1 <= row <= SIDE and 1 <= column <= SIDE
    return inside and bool(mask >> cell_of(10 * row + column) & 1)


@lru_cache(maxsize=25 << CELLS)
def shift_of(mask: int, at: int) -> tuple[int, int] | None:
    """How far everything must be pushed so that a card fits there; None where it cannot."""
    row, column = divmod(at, 10)
    if not (0 <= row <= SIDE + 1 and 0 <= column <= SIDE + 1):
        return None
    down = 1 if row == 0 else -1 if row == SIDE + 1 else 0
    right = 1 if column == 0 else -1 if column == SIDE + 1 else 0
    for cell in range(CELLS):
        fits = 0 <= cell // SIDE + down < SIDE and 0 <= cell % SIDE + right < SIDE
        if mask >> cell & 1 and not fits:
            return None
    return down, right


@lru_cache(maxsize=1 << CELLS)
def may_stick_out(mask: int) -> bool:
    """Whether a card beside another one can be laid so that the whole no longer fits three by three."""
    return any(is_adjacent(mask, at) and shift_of(mask, at) is None for at in EVERYWHERE)


def laid(grid: Grid, at: int, card: CardId) -> tuple[Grid, int]:
    """The grid with the card, and the cell where it lies now."""
    shift = shift_of(mask_of(grid), at)
    assert shift is not None
    down, right = shift
    cells: list[CardId | None] = list(grid)
    if down or right:
        cells = [None] * CELLS
        for cell, old in enumerate(grid):
            if old is not None:
                cells[cell + SIDE * down + right] = old
    target = cell_of(at + 10 * down + right)
    cells[target] = card
    return tuple(cells), target
