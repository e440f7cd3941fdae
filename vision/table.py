"""Where things can lie on a table, and what should lie there: layout and view, without any game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import NewType

from vision.cards import CardId, CardKind

ZoneId = NewType("ZoneId", str)
PieceKind = NewType("PieceKind", str)

OTHER_SIDE = "-over"
"""A piece that can be turned over looks like another kind then: `marker` and `marker-over` are one piece."""


class Side(Enum):
    """Which side of a card can be seen."""

    UP = "up"
    DOWN = "down"


class ZoneKind(Enum):
    """How things lie in a zone, and so how it must be read."""

    CARD = "card"  # one card, whole face in view
    PILE = "pile"  # cards on top of each other: only the top one is seen, and the height
    STRIP = "strip"  # a tucked card: only its foot strip sticks out
    SPREAD = "spread"  # cards anyhow, overlapping, turned
    SPOT = "spot"  # a place for one piece
    HEAP = "heap"  # pieces anyhow, touching each other


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in board units: the board's width is 1, x to the right, y down."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if not (self.x0 < self.x1 and self.y0 < self.y1):
            raise ValueError(f"a rectangle needs x0 < x1 and y0 < y1, found {self}")

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        return ((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    id: ZoneId
    kind: ZoneKind
    rect: Rect
    cards: tuple[CardKind, ...] = ()
    """The kinds of card that may lie here; empty where only pieces go."""
    pieces: tuple[PieceKind, ...] = ()
    """The kinds of piece that may stand here."""
    movable: bool = False
    """The player chooses where this zone lies on their table."""
    optional: bool = False
    """The game can be followed without this zone in view (Main Supply, hand)."""
    above: ZoneId | None = None
    """The zone on top of which this one lies: a piece on a card hides part of the card."""
    turn_deg: int = 0
    """How far its cards are turned clockwise, in quarters: those of a player at another side of the table."""
    flat: bool = False
    """Its pieces lie flat and are few, so that none stands before another: sure counts of them are right."""
    track: str = ""
    """The track of which this is a space: of each piece on it, whichever side it shows, there is one on all
    its spaces together."""
    held: bool = False
    """Cards that somebody holds: part of the game and of the page, on no table and in no camera's view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    board: Rect
    card_width: float
    card_height: float
    zones: tuple[Zone, ...]

    def __post_init__(self) -> None:
        ids = [zone.id for zone in self.zones]
        twice = sorted({zone for zone in ids if ids.count(zone) > 1})
        if twice:
            raise ValueError(f"zone ids must differ, found twice: {', '.join(twice)}")

    def zone(self, zone_id: ZoneId) -> Zone:
        for zone in self.zones:
            if zone.id == zone_id:
                return zone
        raise KeyError(f"no zone {zone_id!r} in this layout")

    def cards_only(self) -> "TableLayout":
        """The same layout with heaps that may be out of view left to whoever holds them."""

        def kept(zone: Zone) -> Zone:
            return replace(zone, held=True) if zone.kind is ZoneKind.HEAP and zone.optional else zone

        return replace(self, zones=tuple(kept(zone) for zone in self.zones))

    def on_table(self) -> "TableLayout":
        """The same layout with only what lies on the table: what an eye sees and a virtual table shows."""
        return replace(self, zones=tuple(zone for zone in self.zones if not zone.held))


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the table; `card` is None where nobody knows which one it is."""

    card: CardId | None
    side: Side = Side.UP


@dataclass(frozen=True, slots=True)
class PieceCount:
    kind: PieceKind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    zone: ZoneId
    cards: tuple[PlacedCard, ...] = ()
    """From the bottom of the pile to its top; in a spread, in any order."""
    pieces: tuple[PieceCount, ...] = ()
    """Sorted by kind, no zero counts."""

    def counts(self) -> dict[PieceKind, int]:
        """How many of each kind of piece; what is not there is not listed."""
        return {piece.kind: piece.count for piece in self.pieces}


@dataclass(frozen=True, slots=True)
class TableView:
    """What should lie on the table if a state were true. A zone not named here is not known."""

    zones: tuple[ZoneView, ...]

    def __getitem__(self, zone_id: ZoneId) -> ZoneView:
        for zone in self.zones:
            if zone.zone == zone_id:
                return zone
        raise KeyError(f"no zone {zone_id!r} in this view")

    def within(self, layout: TableLayout) -> "TableView":
        """What of it lies in zones of this layout."""
        known = {zone.id for zone in layout.zones}
        return TableView(tuple(zone for zone in self.zones if zone.zone in known))

    def by_zone(self) -> dict[ZoneId, ZoneView]:
        return {zone.zone: zone for zone in self.zones}


def body_of(kind: PieceKind) -> PieceKind:
    """The piece itself, whichever side it shows."""
    return PieceKind(kind.removesuffix(OTHER_SIDE))


def counted(pieces: Mapping[PieceKind, int] | Iterable[tuple[PieceKind, int]]) -> tuple[PieceCount, ...]:
    """The canonical form of piece counts in a view."""
    pairs = pieces.items() if isinstance(pieces, Mapping) else pieces
    return tuple(PieceCount(kind, count) for kind, count in sorted(pairs) if count)
