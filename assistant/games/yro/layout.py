"""The table of YRO for so many players, read from layout.toml."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

from assistant.games.yro.copy import Settings
from assistant.games.yro.pack import COLOURS
from vision.cards import CardKind
from vision.table import OTHER_SIDE, PieceKind, Rect, TableLayout, Zone, ZoneId, ZoneKind

Line = dict[str, Any]


@cache
def layout_for(settings: Settings) -> TableLayout:
    data = tomllib.loads((resources.files(__package__) / "layout.toml").read_text("utf-8"))
    card_width, card_height = data["board"]["card"]
    wanted = {"quests": settings.quests, "solo": settings.players == 1}
    zones = [
        zone
        for line in data["zones"]
        if wanted.get(line.get("needs", ""), True)
        for zone in _zones(line, settings.players)
    ]
    for player, corner in enumerate(data["seats"][str(settings.players)], 1):
        for line in data["seat"]:
            zones += _zones(line, settings.players, player, corner)
    return TableLayout(
        board=Rect(*data["board"]["rect"]),
        card_width=card_width,
        card_height=card_height,
        zones=tuple(zones),
    )


def _zones(line: Line, players: int, player: int = 0, corner: tuple[float, float] = (0, 0)) -> Iterator[Zone]:
    """One line of the file: a zone, or several in rows."""
    x0, y0, x1, y1 = line["rect"]
    first = line.get("first", 1)
    for index in range(line.get("count", 1)):
        down, along = divmod(index, line.get("columns", 1000))
        dx = corner[0] + along * line.get("step", 0.0)
        dy = corner[1] + down * line.get("row", 0.0)
        above = line.get("above")
        yield Zone(
            id=ZoneId(line["id"].format(p=player, n=first + index)),
            kind=ZoneKind(line["kind"]),
            rect=Rect(x0 + dx, y0 + dy, x1 + dx, y1 + dy),
            cards=tuple(CardKind(kind) for kind in line.get("cards", ())),
            pieces=tuple(_kinds(line.get("pieces", ()), players)),
            movable=line.get("movable", False),
            optional=line.get("optional", False),
            above=ZoneId(above.format(p=player)) if above else None,
        )


def _kinds(kinds: list[str], players: int) -> Iterator[PieceKind]:
    """Guild markers come in the players' colours, and have two sides."""
    for kind in kinds:
        if kind != "guild":
            yield PieceKind(kind)
            continue
        for colour in COLOURS[:players]:
            yield PieceKind(f"guild-{colour}")
            yield PieceKind(f"guild-{colour}{OTHER_SIDE}")
