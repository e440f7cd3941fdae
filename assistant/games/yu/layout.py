"""The table of Legacy of Yu, read from layout.toml."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from vision.cards import CardKind
from vision.table import PieceKind, Rect, TableLayout, Zone, ZoneId, ZoneKind


@cache
def shipped_layout() -> TableLayout:
    data = tomllib.loads((resources.files(__package__) / "layout.toml").read_text("utf-8"))
    card_width, card_height = data["board"]["card"]
    return TableLayout(
        board=Rect(*data["board"]["rect"]),
        card_width=card_width,
        card_height=card_height,
        zones=tuple(zone for line in data["zones"] for zone in _zones(line)),
    )


def _zones(line: dict[str, Any]) -> list[Zone]:
    """One line of the file: a zone, or several side by side."""
    x0, y0, x1, y1 = line["rect"]
    return [
        Zone(
            id=ZoneId(line["id"].format(n=number)),
            kind=ZoneKind(line["kind"]),
            rect=Rect(x0 + shift, y0, x1 + shift, y1),
            cards=tuple(CardKind(kind) for kind in line.get("cards", ())),
            pieces=tuple(PieceKind(kind) for kind in line.get("pieces", ())),
            movable=line.get("movable", False),
            optional=line.get("optional", False),
            above=ZoneId(line["above"].format(n=number)) if "above" in line else None,
        )
        for number in range(1, line.get("count", 1) + 1)
        for shift in [line.get("step", 0.0) * (number - 1)]
    ]
