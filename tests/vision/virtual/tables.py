"""A small table for the tests of the virtual table: a board, a row, piles, a tucked card, spots and heaps."""

from functools import cache
from pathlib import Path

from vision.cards import CardId, CardKind
from vision.table import (
    PieceKind,
    PlacedCard,
    Rect,
    Side,
    TableLayout,
    TableView,
    Zone,
    ZoneId,
    ZoneKind,
    ZoneView,
    counted,
)
from vision.virtual.pieces import PieceShape, load_shapes

FOLK = CardKind("folk")
FOE = CardKind("foe")
PIECES_FILE = Path(__file__).parents[3] / "assistant" / "games" / "yu" / "pieces.toml"


@cache
def shapes() -> dict[PieceKind, PieceShape]:
    return load_shapes(PIECES_FILE)


def zone(
    name: str, kind: ZoneKind, rect: tuple[float, float, float, float], above: str | None = None
) -> Zone:
    cards = () if kind in (ZoneKind.SPOT, ZoneKind.HEAP) else (FOLK,)
    return Zone(
        id=ZoneId(name),
        kind=kind,
        rect=Rect(*rect),
        cards=cards,
        above=None if above is None else ZoneId(above),
    )


def small_layout() -> TableLayout:
    rows = [
        zone(f"row.{k + 1}", ZoneKind.CARD, (0.028 + 0.1358 * k, -0.195, 0.153 + 0.1358 * k, 0.0))
        for k in range(7)
    ]
    huts = [
        zone(f"hut.{k + 1}", ZoneKind.CARD, (0.436 + 0.1365 * k, 0.29, 0.563 + 0.1365 * k, 0.487))
        for k in range(4)
    ]
    pieces = [
        zone(
            f"hut.{k + 1}.piece",
            ZoneKind.SPOT,
            (0.48 + 0.1365 * k, 0.335, 0.52 + 0.1365 * k, 0.375),
            f"hut.{k + 1}",
        )
        for k in range(4)
    ]
    others = [
        zone("draw", ZoneKind.PILE, (-0.13, -0.21, 0.0, 0.0)),
        zone("foes", ZoneKind.PILE, (1.02, -0.21, 1.15, 0.0)),
        zone("exhausted", ZoneKind.PILE, (0.025, 0.497, 0.150, 0.692)),
        zone("ready", ZoneKind.PILE, (0.161, 0.497, 0.287, 0.692)),
        zone("tuck.1", ZoneKind.STRIP, (0.297, 0.497, 0.424, 0.547)),
        zone("flood", ZoneKind.SPOT, (0.02, 0.1, 0.14, 0.19)),
        zone("barge", ZoneKind.SPOT, (0.17, 0.1, 0.29, 0.17)),
        zone("farm.1", ZoneKind.SPOT, (0.045, 0.28, 0.085, 0.32)),
        zone("outpost.1", ZoneKind.SPOT, (0.24, 0.28, 0.28, 0.32)),
        zone("supply", ZoneKind.HEAP, (0.46, 0.56, 0.72, 0.72)),
        zone("hand", ZoneKind.SPREAD, (0.76, 0.53, 1.15, 0.75)),
    ]
    return TableLayout(
        board=Rect(0, 0, 1, 0.497),
        card_width=0.125,
        card_height=0.195,
        zones=tuple(rows + huts + pieces + others),
    )


def up(*names: str) -> tuple[PlacedCard, ...]:
    return tuple(PlacedCard(CardId(name), Side.UP) for name in names)


def down(count: int) -> tuple[PlacedCard, ...]:
    return (PlacedCard(None, Side.DOWN),) * count


def zone_view(name: str, cards: tuple[PlacedCard, ...] = (), **pieces: int) -> ZoneView:
    return ZoneView(
        zone=ZoneId(name), cards=cards, pieces=counted({PieceKind(kind): n for kind, n in pieces.items()})
    )


def view(*zones: ZoneView) -> TableView:
    return TableView(zones)


def full_view() -> TableView:
    return view(
        *(zone_view(f"row.{k}", up(f"c{k}")) for k in range(1, 8)),
        *(zone_view(f"hut.{k}", down(1)) for k in range(1, 5)),
        *(zone_view(f"hut.{k}.piece", hut=1) for k in range(1, 5)),
        zone_view("draw", down(22)),
        zone_view("foes", down(14)),
        zone_view("ready", down(9)),
        zone_view("exhausted", up("e1", "e2")),
        zone_view("tuck.1", up("t1")),
        zone_view("flood", flood=1),
        zone_view("barge", barge=1),
        zone_view("farm.1", farm=1),
        zone_view("outpost.1", outpost=1),
        zone_view("supply", white=2, red=2, black=1, blue=2, yellow=1, clay=2, wood=2, provision=2, cowrie=3),
        zone_view("hand", up("h1", "h2", "h3")),
    )
