"""What calibration must know of a game, as plain values: its layout, facts to confirm, printed icons."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import CalibrationError
from vision.cards import ItemKind
from vision.table import PieceKind, Rect, TableLayout, ZoneId
from vision.virtual.boardart import load_board_art

CALIBRATION_FILE = "calibration.toml"
BOARD_ART_FILE = "boardart.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPlace:
    """A fact about the board that nobody has confirmed; the first option is what is assumed."""

    key: str
    place: Rect
    options: tuple[str, ...]
    zone: ZoneId | None = None
    """The zone whose name tells the player which spot is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """An item printed on the board at a known place."""

    kind: ItemKind
    x: float
    y: float
    size: float

    @property
    def rect(self) -> Rect:
        half = self.size / 2
        return Rect(self.x - half, self.y - half, self.x + half, self.y + half)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTable:
    game: str
    layout: TableLayout
    facts: tuple[FactPlace, ...] = ()
    icons: tuple[Icon, ...] = ()
    taps: tuple[PieceKind, ...] = ()
    """Pieces whose colour is learnt by a tap on one of them."""


def load_game_table(folder: Path, game: str, layout: TableLayout) -> GameTable:
    """From a game's folder; a game without such files asks nothing."""
    data = _toml(folder / CALIBRATION_FILE)
    try:
        facts = tuple(
            FactPlace(
                key=str(fact["key"]),
                place=Rect(*fact["place"]),
                options=tuple(map(str, fact["options"])),
                zone=ZoneId(str(fact["zone"])) if "zone" in fact else None,
            )
            for fact in data.get("fact", ())
        )
        taps = tuple(PieceKind(str(kind)) for kind in data.get("colours", {}).get("taps", ()))
    except (KeyError, TypeError, ValueError) as problem:
        raise CalibrationError(f"{folder / CALIBRATION_FILE} cannot be used: {problem!r}.") from None
    art = folder / BOARD_ART_FILE
    icons = tuple(_icons(art)) if art.is_file() else ()
    return GameTable(game=game, layout=layout, facts=facts, icons=icons, taps=taps)


def _icons(path: Path) -> list[Icon]:
    art = load_board_art(path)
    icons = [
        Icon(kind=square.item.kind, x=x, y=y, size=min(square.area.width, square.area.height) * 0.78)
        for square in art.squares
        for x, y in [square.area.centre]
    ]
    icons += [
        Icon(kind=item.kind, x=row.x + row.step * index, y=row.y, size=row.size)
        for row in art.rows
        for index, item in enumerate(row.items)
    ]
    return icons


def _toml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise CalibrationError(f"{path} cannot be read: {problem}.") from None
