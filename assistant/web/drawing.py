"""How the page draws one game: its page.toml and page.svg."""

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.errors import FloodwatchError
from assistant.web.symbols import symbols_in

Box = tuple[float, float, float, float]
"""x, y, width, height; on cards in thousandths of the board's width."""


class SceneError(FloodwatchError):
    """A game's page.toml that cannot be used."""


class Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Hero(Data):
    """The one gauge that is always on screen, and the names of its values."""

    gauge: str
    symbol: str
    at: str
    next: str
    left: str
    full: int = Field(ge=1, description="How many are left at the beginning.")
    rounds: str
    deadly: str
    critical: str
    places: tuple[str, ...] = Field(description="Zones along the way, first to last.")
    closed_by: tuple[str, ...] = Field(description="A place is closed while its zone holds a card.")


class Meter(Data):
    """A second gauge: now, and after what is bound to come."""

    gauge: str
    symbol: str
    now: str
    after: str
    of: int = Field(ge=1)
    deadly: str


class Supply(Data):
    zone: str
    groups: tuple[tuple[str, ...], ...]


class Arrangement(Data):
    """How the zones are laid out on a page of one shape; zones not named here lie as on the table."""

    view: Box | None = None
    """None: as large as the board and the zones of this layout need."""
    zones: dict[str, Box] = {}
    hidden: tuple[str, ...] = ()


class Banner(Data):
    x: float
    y: float
    width: float
    fields: tuple[tuple[str, str, float], ...] = Field(description="Field, colour, height per item.")
    size: float


class Line(Data):
    field: str
    x: float
    y: float
    step: float
    size: float
    centred: bool = False
    kinds: tuple[str, ...] = ()
    """Only these items; a line without kinds takes what the lines before it left."""


class Panel(Data):
    box: Box
    fill: str
    radius: float = 0


class Mark(Data):
    symbol: str
    x: float
    y: float
    size: float
    turn: float = 0


class Face(Data):
    ground: str
    art: str | None = None
    named_by: tuple[str, ...] = ()
    """What tells one card from another: names of fields, `group` or `stone`."""
    panels: tuple[Panel, ...] = ()
    banners: tuple[Banner, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    stone: tuple[float, float, float] | None = Field(None, description="x, y, size of the stone.")


class Back(Data):
    ground: str
    art: str | None = None
    marks: tuple[Mark, ...] = ()


class Drawing(Data):
    """A game's page.toml."""

    hero: Hero | None = None
    """None where no single thing threatens: then the table gets its room."""
    meter: Meter | None = None
    supply: Supply | None = None
    wide: Arrangement
    tall: Arrangement
    faces: dict[str, Face]
    backs: dict[str, Back]
    rulebook: dict[str, tuple[str, ...]] = Field({}, description="Rules by the section that tells them.")


@cache
def drawing_of(folder: Path) -> Drawing:
    path = folder / "page.toml"
    try:
        return Drawing.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as problem:
        raise SceneError(f"expected the drawing of a game in {path}, found: {problem}") from problem


@cache
def pictures_of(folder: Path) -> str:
    """The game's drawings, and the symbols of its own."""
    drawn = (folder / "page.svg").read_text(encoding="utf-8")
    return drawn.replace("</svg>", f"{symbols_in(folder / 'symbols')}</svg>")
