"""Where what is printed on each kind of card: pure data that the drawer and the reader of cards share."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from vision.cards import CardFacts, CardKind, Item, parse_items
from vision.errors import VisionError

PAIR_STEP = 0.72
"""One item printed as several symbols (a pair of tablets): they stand this share of their width apart."""

_PRINTED_SIDE_BY_SIDE = frozenset({"destroy", "exhaust"})
"""Items whose count is printed as that many symbols; on all others it is a +n on one symbol."""


class AnatomyError(VisionError):
    """A description of cards that cannot be used; the message names the place in the file."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on a card: x as shares of its width, y as shares of its height."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if not (self.x0 < self.x1 and self.y0 < self.y1):
            raise ValueError(f"an area needs x0 < x1 and y0 < y1, found {self}")


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one symbol: its centre, and its size as a share of the card's width."""

    x: float
    y: float
    size: float
    extent: float = 1.0
    """How many sizes wide: more than 1 for a pair of tablets."""


class Along(Enum):
    RIGHT = "right"
    DOWN = "down"


class Align(Enum):
    START = "start"
    CENTRE = "centre"


class Material(Enum):
    """What a field looks printed on; also tells fields of one banner apart."""

    NONE = "none"
    WOOD = "wood"
    CLOTH = "cloth"
    PAPER = "paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row or column of symbols. `x, y` is the first centre, or the middle of the line if centred."""

    x: float
    y: float
    step: float
    size: float
    along: Along = Along.RIGHT
    align: Align = Align.START
    widest: float | None = None
    """A wider item (a pair of tablets) is printed smaller, so that it takes no more than this."""
    kinds: tuple[str, ...] = ()
    """Only these item kinds stand here; a line without kinds takes what no other line of its field took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAnatomy:
    name: str
    lines: tuple[Line, ...] = ()
    heights: tuple[float, ...] = ()
    """In a banner: the field's height for 0, 1, 2 … items. Empty for fields outside banners."""
    material: Material = Material.NONE
    size: float = 0.15
    """In a banner: the symbols' size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """Fields hanging one below the other; each begins where the one above ends."""

    x0: float
    x1: float
    y0: float
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A symbol printed on every card of the kind: arrows, the Harvest sign, a slash."""

    symbol: str
    x: float
    y: float
    size: float
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stone:
    x: float
    y: float
    radius: float
    """As a share of the card's width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """The back of a kind of card."""

    art: str
    items: tuple[tuple[Item, Slot], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAnatomy:
    kind: CardKind
    ground: str
    """Which sort of picture fills the card; the drawer knows what each name looks like."""
    picture: Area
    fields: tuple[FieldAnatomy, ...]
    banners: tuple[Banner, ...]
    strip: Area | None
    """The light strip of paper at the foot."""
    bar_y: float | None
    """The bamboo bar between picture and foot."""
    marks: tuple[Mark, ...]
    stone: Stone | None
    back: Back
    turn_deg: int = 0
    """How far the printed face is turned against the card's upright position."""

    def field(self, name: str) -> FieldAnatomy:
        for known in self.fields:
            if known.name == name:
                return known
        raise KeyError(f"cards of kind {self.kind!r} have no field {name!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedField:
    """A field on one particular card: its own ground (in a banner) and a slot for each item."""

    name: str
    material: Material
    area: Area | None
    slots: tuple[tuple[Item, Slot], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anatomy:
    """All kinds of card of a game."""

    ratio: float
    """Width of a card divided by its height."""
    corner: float
    """Radius of the rounded corners as a share of the width."""
    kinds: tuple[CardAnatomy, ...]

    def __getitem__(self, kind: CardKind) -> CardAnatomy:
        for known in self.kinds:
            if known.kind == kind:
                return known
        raise KeyError(f"no anatomy for cards of kind {kind!r}")

    def __contains__(self, kind: object) -> bool:
        return any(known.kind == kind for known in self.kinds)


def place_fields(anatomy: Anatomy, facts: CardFacts) -> tuple[PlacedField, ...]:
    """Where every printed item of this card stands. Unknown fields keep their place without items."""
    card = anatomy[facts.kind]
    items = {field.name: facts.items(field.name) or () for field in card.fields}
    return place_items(anatomy, facts.kind, items)


def place_items(
    anatomy: Anatomy, kind: CardKind, items: Mapping[str, tuple[Item, ...]]
) -> tuple[PlacedField, ...]:
    """Where the given items of each field stand; also for asking where n items of a field would be."""
    card = anatomy[kind]
    hanging: dict[str, PlacedField] = {}
    for banner in card.banners:
        y = banner.y0
        for name in banner.fields:
            placed = _hung(card.field(name), banner, y, items.get(name, ()))
            if placed is not None and placed.area is not None:
                hanging[name] = placed
                y = placed.area.y1
    return tuple(hanging.get(field.name) or _lined(field, items.get(field.name, ())) for field in card.fields)


def symbol_places(anatomy: Anatomy, facts: CardFacts) -> dict[str, tuple[Slot | None, ...]]:
    """Where every single symbol of this card stands, field by field in the order of its items.

    None for an item that has no place: packs are written by people.
    """
    return {
        field.name: _places(facts.items(field.name) or (), list(field.slots))
        for field in place_fields(anatomy, facts)
    }


def _places(items: tuple[Item, ...], slots: list[tuple[Item, Slot]]) -> tuple[Slot | None, ...]:
    """Lines of their own for some kinds of item put them in another order than they are listed in."""
    places: list[Slot | None] = []
    for item in items:
        many = symbols_of(item)
        mine = next((pair for pair in slots if pair[0] == item), None)
        if mine is None:
            places += [None] * many
            continue
        slots.remove(mine)
        slot = mine[1]
        asides = [(k - (many - 1) / 2) * PAIR_STEP * slot.size for k in range(many)]
        places += [Slot(slot.x + aside, slot.y, slot.size) for aside in asides]
    return tuple(places)


def extent_of(item: Item) -> float:
    """How many symbol sizes wide an item is printed."""
    return 1.0 + PAIR_STEP * (symbols_of(item) - 1)


def symbols_of(item: Item) -> int:
    """How many symbols an item is printed as."""
    return item.count if item.kind in _PRINTED_SIDE_BY_SIDE else 1


def _hung(field: FieldAnatomy, banner: Banner, y: float, items: tuple[Item, ...]) -> PlacedField | None:
    height = field.heights[min(len(items), len(field.heights) - 1)]
    if height <= 0:
        return None
    x = (banner.x0 + banner.x1) / 2
    step = height / max(1, len(items))
    slots = tuple((item, Slot(x, y + step * (i + 0.5), field.size)) for i, item in enumerate(items))
    area = Area(banner.x0, y, banner.x1, y + height)
    return PlacedField(name=field.name, material=field.material, area=area, slots=slots)


def _lined(field: FieldAnatomy, items: tuple[Item, ...]) -> PlacedField:
    claimed = {kind for line in field.lines for kind in line.kinds}
    slots: list[tuple[Item, Slot]] = []
    for line in field.lines:
        mine = tuple(
            item for item in items if (item.kind in line.kinds if line.kinds else item.kind not in claimed)
        )
        slots.extend(_on_line(line, mine))
    return PlacedField(name=field.name, material=field.material, area=None, slots=tuple(slots))


def _on_line(line: Line, items: tuple[Item, ...]) -> list[tuple[Item, Slot]]:
    sizes = [_fitting_size(line, item) for item in items]
    centres: list[float] = []
    at = 0.0
    for item, size in zip(items, sizes, strict=True):
        excess = extent_of(item) * size - line.size if line.along is Along.RIGHT else 0.0
        centres.append(at + excess / 2)
        at += line.step + excess
    shift = -(at - line.step) / 2 if line.align is Align.CENTRE and items else 0.0
    placed = []
    for item, centre, size in zip(items, centres, sizes, strict=True):
        dx, dy = (centre + shift, 0.0) if line.along is Along.RIGHT else (0.0, centre + shift)
        placed.append((item, Slot(line.x + dx, line.y + dy, size, extent_of(item))))
    return placed


def _fitting_size(line: Line, item: Item) -> float:
    return line.size if line.widest is None else min(line.size, line.widest / extent_of(item))


def load_anatomy(path: Path) -> Anatomy:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as problem:
        raise AnatomyError(f"expected a readable anatomy file {path}, found: {problem}") from problem
    return parse_anatomy(data, where=path.name)


def parse_anatomy(data: Mapping[str, Any], *, where: str = "anatomy") -> Anatomy:
    try:
        stone = _stone(data["stone"])
        kinds = tuple(_card(name, table, stone) for name, table in data["kind"].items())
        return Anatomy(ratio=float(data["ratio"]), corner=float(data["corner"]), kinds=kinds)
    except (KeyError, TypeError, ValueError) as problem:
        raise AnatomyError(
            f"{where}: expected a complete description of cards, found {problem!r}"
        ) from problem


def _card(name: str, table: Mapping[str, Any], stone: Stone) -> CardAnatomy:
    strip = table.get("strip")
    back = table["back"]
    return CardAnatomy(
        kind=CardKind(name),
        ground=str(table["ground"]),
        picture=Area(*table["picture"]),
        fields=tuple(_field(key, value) for key, value in table.get("field", {}).items()),
        banners=tuple(_banner(value) for value in table.get("banner", [])),
        strip=Area(*strip) if strip else None,
        bar_y=float(table["bar_y"]) if "bar_y" in table else None,
        marks=tuple(Mark(**value) for value in table.get("mark", [])),
        stone=stone if table.get("stone", True) else None,
        back=Back(
            art=str(back["art"]),
            items=tuple(
                (parse_items(item["item"])[0], Slot(item["x"], item["y"], item["size"]))
                for item in back.get("item", [])
            ),
        ),
        turn_deg=int(table.get("turn_deg", 0)),
    )


def _banner(table: Mapping[str, Any]) -> Banner:
    return Banner(x0=table["x0"], x1=table["x1"], y0=table["y0"], fields=tuple(table["fields"]))


def _field(name: str, table: Mapping[str, Any]) -> FieldAnatomy:
    return FieldAnatomy(
        name=name,
        lines=tuple(_line(value) for value in table.get("line", [])),
        heights=tuple(table.get("heights", ())),
        material=Material(table.get("material", "none")),
        size=float(table.get("size", 0.15)),
    )


def _line(table: Mapping[str, Any]) -> Line:
    return Line(
        x=table["x"],
        y=table["y"],
        step=table["step"],
        size=table["size"],
        along=Along(table.get("along", "right")),
        align=Align(table.get("align", "start")),
        widest=table.get("widest"),
        kinds=tuple(table.get("kinds", ())),
    )


def _stone(table: Mapping[str, Any]) -> Stone:
    return Stone(x=table["x"], y=table["y"], radius=table["radius"])
