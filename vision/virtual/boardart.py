"""What is printed on a game's board, as data: woods, water, outlines, squares and rows of symbols."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.cards import Item, parse_items
from vision.errors import VisionError
from vision.table import Rect


class BoardArtError(VisionError):
    """A description of a board that cannot be drawn; the message names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wood:
    area: Rect
    trees: int
    shade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Symbols side by side; `x, y` is the centre of the first."""

    items: tuple[Item, ...]
    x: float
    y: float
    step: float
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """A place for a building, with the item it gives."""

    area: Rect
    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A side channel that leaves the river."""

    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardArt:
    """Board units: the board's width is 1."""

    height: float
    fold_x: float | None
    river: tuple[float, float] | None
    """Upper and lower shore."""
    woods: tuple[Wood, ...] = ()
    tabs: tuple[Rect, ...] = ()
    outlines: tuple[Rect, ...] = ()
    squares: tuple[Square, ...] = ()
    circles: tuple[Circle, ...] = ()
    clearings: tuple[Rect, ...] = ()
    channels: tuple[Channel, ...] = ()
    lines: tuple[tuple[tuple[float, float], ...], ...] = ()
    rows: tuple[Row, ...] = ()


def load_board_art(path: Path) -> BoardArt:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return parse_board_art(data)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as problem:
        raise BoardArtError(
            f"expected a complete board description in {path}, found: {problem!r}"
        ) from problem


def parse_board_art(data: Mapping[str, Any]) -> BoardArt:
    river = data.get("river")
    return BoardArt(
        height=float(data["height"]),
        fold_x=data.get("fold_x"),
        river=(river["top"], river["bottom"]) if river else None,
        woods=tuple(
            Wood(area=Rect(*w["area"]), trees=w["trees"], shade=w["shade"]) for w in data.get("wood", [])
        ),
        tabs=tuple(Rect(*tab["area"]) for tab in data.get("tab", [])),
        outlines=tuple(Rect(*outline["area"]) for outline in data.get("outline", [])),
        squares=tuple(
            Square(area=Rect(*square["area"]), item=parse_items(square["item"])[0])
            for square in data.get("square", [])
        ),
        circles=tuple(
            Circle(x=circle["centre"][0], y=circle["centre"][1], radius=circle["radius"])
            for circle in data.get("circle", [])
        ),
        clearings=tuple(Rect(*clearing["area"]) for clearing in data.get("clearing", [])),
        channels=tuple(
            Channel(start=tuple(channel["from"]), end=tuple(channel["to"]))
            for channel in data.get("channel", [])
        ),
        lines=tuple(tuple((p[0], p[1]) for p in line["points"]) for line in data.get("line", [])),
        rows=tuple(
            Row(items=parse_items(row["items"]), x=row["x"], y=row["y"], step=row["step"], size=row["size"])
            for row in data.get("row", [])
        ),
    )
