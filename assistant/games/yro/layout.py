"""The table of YRO for so many players, read from layout.toml."""

import math
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from assistant.errors import FloodwatchError
from assistant.games.yro.copy import Settings
from assistant.games.yro.pack import COLOURS
from vision.cards import CardKind
from vision.table import OTHER_SIDE, PieceKind, Rect, TableLayout, Zone, ZoneId, ZoneKind

Line = dict[str, Any]

SEATS = tuple(f"seat.{number}" for number in range(1, 6))
"""What a player may say of their own table: where a seat lies, and how it is turned."""
_FAR = 10.0


class SeatError(FloodwatchError):
    """A seat that is not where any table is; the message shows how one is written."""


class Seat(NamedTuple):
    """Where a player's place lies: its upper left corner on the table, and its turn clockwise in degrees."""

    x: float
    y: float
    turn_deg: int


@cache
def layout_for(
    settings: Settings, moved: tuple[tuple[int, str], ...] = (), arranged: str = "seats"
) -> TableLayout:
    """The table; `moved` says which seats a player has elsewhere, as `X Y TURN`."""
    data = tomllib.loads((resources.files(__package__) / "layout.toml").read_text("utf-8"))
    card_width, card_height = data["board"]["card"]
    wanted = {"quests": settings.quests, "solo": settings.players == 1}
    zones = [
        zone
        for line in data["zones"]
        if wanted.get(line.get("needs", ""), True)
        for zone in _zones(line, settings.players)
    ]
    seats = [Seat(*seat) for seat in data[arranged][str(settings.players)]]
    for player, text in moved:
        if player <= len(seats):
            seats[player - 1] = seat_of(text)
    for player, seat in enumerate(seats, 1):
        for line in data["seat"]:
            for zone in _zones(line, settings.players, player):
                zones.append(_seated(zone, seat, data["board"]["seat"]))
    return TableLayout(
        board=Rect(*data["board"]["rect"]),
        card_width=card_width,
        card_height=card_height,
        zones=tuple(zones),
    )


def seat_of(text: str) -> Seat:
    """A seat as a player writes it: `1.06 -0.11 270`."""
    try:
        x, y, turn = text.split()
        seat = Seat(float(x), float(y), int(turn) % 360)
    except ValueError:
        seat = Seat(math.nan, math.nan, 0)
    if not (abs(seat.x) < _FAR and abs(seat.y) < _FAR) or seat.turn_deg % 90:
        raise SeatError(
            f"A seat must be written as X Y TURN in board widths and quarters, "
            f"such as '1.06 -0.11 270', found {text!r}."
        )
    return seat


def _zones(line: Line, players: int, player: int = 0) -> Iterator[Zone]:
    """One line of the file: a zone, or several in rows."""
    x0, y0, x1, y1 = line["rect"]
    first = line.get("first", 1)
    for index in range(line.get("count", 1)):
        down, along = divmod(index, line.get("columns", 1000))
        dx, dy = along * line.get("step", 0.0), down * line.get("row", 0.0)
        above = line.get("above")
        yield Zone(
            id=ZoneId(line["id"].format(p=player, n=first + index)),
            kind=ZoneKind(line["kind"]),
            rect=Rect(x0 + dx, y0 + dy, x1 + dx, y1 + dy),
            cards=tuple(CardKind(kind) for kind in line.get("cards", ())),
            pieces=tuple(_kinds(line.get("pieces", ()), players)),
            movable=line.get("movable", False),
            optional=line.get("optional", False),
            flat=line.get("flat", False),
            track=line.get("track", "").format(p=player),
            held=line.get("held", False),
            above=ZoneId(above.format(p=player)) if above else None,
        )


def _seated(zone: Zone, seat: Seat, size: tuple[float, float]) -> Zone:
    """A zone of a seat, brought to where the seat lies and turned with it."""
    (width, height), rect = size, zone.rect
    corners = {
        0: (rect.x0, rect.y0, rect.x1, rect.y1),
        90: (height - rect.y1, rect.x0, height - rect.y0, rect.x1),
        180: (width - rect.x1, height - rect.y1, width - rect.x0, height - rect.y0),
        270: (rect.y0, width - rect.x1, rect.y1, width - rect.x0),
    }
    x0, y0, x1, y1 = corners[seat.turn_deg]
    laid = Rect(seat.x + x0, seat.y + y0, seat.x + x1, seat.y + y1)
    return replace(zone, rect=laid, turn_deg=seat.turn_deg)


def _kinds(kinds: list[str], players: int) -> Iterator[PieceKind]:
    """Guild markers come in the players' colours, and have two sides."""
    for kind in kinds:
        if kind != "guild":
            yield PieceKind(kind)
            continue
        for colour in COLOURS[:players]:
            yield PieceKind(f"guild-{colour}")
            yield PieceKind(f"guild-{colour}{OTHER_SIDE}")
