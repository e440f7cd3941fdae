"""Along which lines a card must be looked at to find every item that can be printed on it."""

from dataclasses import dataclass

from vision.anatomy import Align, Along, Anatomy, CardAnatomy, FieldAnatomy, Line, place_items
from vision.cards import CardKind, Item, ItemKind

WINDOW = 1.75
"""How much of a card is looked at to name one symbol, in sizes of the symbol."""
WINDOW_PX = 32
CELL_PX = 8
CELLS = 13
"""How many places of a line are looked at, each a quarter of a window from the next."""
CELL = WINDOW * CELL_PX / WINDOW_PX
"""The way from one place to the next, in sizes of the symbol."""

_SAME_HEIGHT = 0.03
_ANY = ItemKind("white")
_MOST_HUNG = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The share of a line that belongs to one field, in shares of the card along the line."""

    field: str
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hanging:
    """Where the items of a banner stand if each of its fields holds so many: (field, y) from above."""

    places: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanLine:
    """One row or column of symbols, looked at from its first place onwards."""

    along: Along
    x: float
    y: float
    """The first place, as shares of the card's width and height."""
    size: float
    """Of the symbols, as a share of the card's width."""
    parts: tuple[Part, ...]
    centre: float | None = None
    """The middle of a row that is centred on the card: as many symbols stand left of it as right."""
    hangings: tuple[Hanging, ...] = ()
    """For a banner: all the ways in which its fields can be filled. Its fields begin where others end."""

    def at(self, cells: float, ratio: float) -> tuple[float, float]:
        """The place so many cells along the line; `ratio` is the card's width by its height."""
        way = cells * CELL * self.size
        return (self.x + way, self.y) if self.along is Along.RIGHT else (self.x, self.y + way * ratio)

    def way(self, cells: float, ratio: float) -> float:
        """The share of the card's width or height that far along the line."""
        x, y = self.at(cells, ratio)
        return x if self.along is Along.RIGHT else y


def scan_lines(anatomy: Anatomy, kind: CardKind) -> tuple[ScanLine, ...]:
    """The lines of a kind of card; each field stands on one of them or more."""
    card = anatomy[kind]
    hung = {name for banner in card.banners for name in banner.fields}
    loose = [(field.name, line) for field in card.fields if field.name not in hung for line in field.lines]
    return (*_banners(anatomy, card), *_rows(anatomy, card, loose))


def _banners(anatomy: Anatomy, card: CardAnatomy) -> list[ScanLine]:
    lines = []
    for banner in card.banners:
        fields = [card.field(name) for name in banner.fields]
        fills: list[tuple[int, ...]] = [()]
        for field in fields:
            fills = [(*fill, n) for fill in fills for n in _counts(field)]
        hangings = tuple(
            _hanging(anatomy, card, tuple(zip(banner.fields, fill, strict=True)))
            for fill in fills
            if sum(fill) <= _MOST_HUNG + (len(fields) > 1)
        )
        size = max(field.size for field in fields)
        lowest = max(y for hanging in hangings for _, y in hanging.places)
        lines.append(
            ScanLine(
                along=Along.DOWN,
                x=(banner.x0 + banner.x1) / 2,
                y=banner.y0 + 0.40 * size * anatomy.ratio,
                size=size,
                parts=tuple(Part(field=name, start=0.0, end=lowest + size / 2) for name in banner.fields),
                hangings=hangings,
            )
        )
    return lines


def _counts(field: FieldAnatomy) -> range:
    """How many items a field of a banner can hold: none only where it then vanishes."""
    return range(1, len(field.heights)) if field.heights[0] else range(len(field.heights))


def _hanging(anatomy: Anatomy, card: CardAnatomy, fill: tuple[tuple[str, int], ...]) -> Hanging:
    items = {name: (Item(_ANY),) * count for name, count in fill}
    placed = {field.name: field for field in place_items(anatomy, card.kind, items)}
    return Hanging(places=tuple((name, slot.y) for name, _ in fill for _, slot in placed[name].slots))


def _rows(anatomy: Anatomy, card: CardAnatomy, loose: list[tuple[str, Line]]) -> list[ScanLine]:
    lines = []
    while loose:
        _, line = loose[0]
        mates = [(other, row) for other, row in loose if _is_same_row(line, row)]
        loose = [pair for pair in loose if pair not in mates]
        mates.sort(key=lambda pair: pair[1].x)
        size = max(row.size for _, row in mates)
        lines.append(_row(anatomy, card, mates, size))
    return lines


def _is_same_row(line: Line, other: Line) -> bool:
    return (line.along, line.align) == (other.along, other.align) and abs(line.y - other.y) < _SAME_HEIGHT


def _row(anatomy: Anatomy, card: CardAnatomy, mates: list[tuple[str, Line]], size: float) -> ScanLine:
    first = mates[0][1]
    if first.along is Along.DOWN:
        part = Part(field=mates[0][0], start=0.0, end=first.y + 3.6 * first.step)
        y = first.y - CELL * size * anatomy.ratio
        return ScanLine(along=Along.DOWN, x=first.x, y=max(y, 0.02), size=size, parts=(part,))
    if first.align is Align.CENTRE:
        reach = CELL * size * (CELLS - 1) / 2
        part = Part(field=mates[0][0], start=0.03, end=0.97)
        return ScanLine(
            along=Along.RIGHT, x=first.x - reach, y=first.y, size=size, parts=(part,), centre=first.x
        )
    end = card.strip.x1 if card.strip is not None else 0.9
    starts = [line.x - 0.55 * size for _, line in mates]
    parts = tuple(
        Part(field=name, start=start, end=until)
        for (name, _), start, until in zip(mates, starts, [*starts[1:], end], strict=True)
    )
    return ScanLine(along=Along.RIGHT, x=first.x - CELL * size, y=first.y, size=size, parts=parts)
