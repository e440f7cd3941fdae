"""What does not change during a game: the table, its cards, and how the page draws this game."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.errors import FloodwatchError
from assistant.kit import Game, GameKit, Message
from assistant.web.fit import fitted
from assistant.web.symbols import symbols_in
from assistant.wording import Wording
from vision.cards import CardFacts, Item
from vision.table import Rect, Zone

Box = tuple[float, float, float, float]
"""x, y, width, height; on cards in thousandths of the board's width."""

MOST_SAID = 10
"""Phrases with a number are said for 0..10; the page takes the last one beyond."""


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


class SceneZone(BaseModel):
    id: str
    name: str
    short: str = Field(description="For the label of a pile, where there is little room.")
    kind: str
    box: Box
    cards: tuple[str, ...]
    pieces: tuple[str, ...]
    above: str | None


class SceneCard(BaseModel):
    id: str
    name: str
    kind: str
    picture: str | None
    stone: int | None
    fields: dict[str, tuple[tuple[str, int, int | None], ...] | None] = Field(
        description="Items as kind, count, number; null: nobody has read this field yet."
    )


class Scene(BaseModel):
    game: str
    title: str
    language: str
    board: Box
    card: tuple[float, float]
    zones: tuple[SceneZone, ...]
    cards: tuple[SceneCard, ...]
    items: dict[str, str] = Field(description="The name of each item and piece.")
    words: dict[str, str]
    phrases: dict[str, tuple[str, ...]] = Field(description="Phrases with a number, said for 0, 1, 2, …")
    drawing: Drawing
    pictures: str = Field(description="The game's own drawings: the board and its symbols, as SVG.")


def scene_of(kit: GameKit, game: Game[Any, Any], wording: Wording) -> Scene:
    layout = game.layout
    kinds = sorted(
        {item.kind for card in game.pack.cards for field in card.fields for item in field.items or ()}
    )
    pieces = sorted({piece for zone in layout.zones for piece in zone.pieces})
    return Scene(
        game=kit.name,
        title=wording.say(kit.title),
        language=wording.language,
        board=_box(layout.board),
        card=(layout.card_width, layout.card_height),
        zones=tuple(_zone(kit, zone, wording) for zone in layout.zones),
        cards=tuple(_card(card) for card in game.pack.cards),
        items={kind: _name(kit, kind, wording) for kind in sorted({*kinds, *pieces})},
        words=_words(wording, f"{kit.name}.page."),
        phrases={
            name: tuple(
                wording.say(Message.of(f"{kit.name}.count.{name}", n=n)) for n in range(MOST_SAID + 1)
            )
            for name in _names(wording, f"{kit.name}.count.")
        },
        drawing=fitted(drawing_of(kit.messages.parent), game.layout),
        pictures=pictures_of(kit.messages.parent),
    )


def page_words(wording: Wording) -> dict[str, str]:
    """The page's own words, those that belong to no game."""
    return _words(wording, "web.page.")


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


def _words(wording: Wording, prefix: str) -> dict[str, str]:
    return {name: wording.say(Message.of(prefix + name)) for name in _names(wording, prefix)}


def _names(wording: Wording, prefix: str) -> list[str]:
    return sorted(key.removeprefix(prefix) for key in wording.keys if key.startswith(prefix))


def _box(rect: Rect) -> Box:
    return (rect.x0, rect.y0, round(rect.width, 6), round(rect.height, 6))


def _zone(kit: GameKit, zone: Zone, wording: Wording) -> SceneZone:
    family, _, number = zone.id.rpartition("-")
    if number.isdigit():
        name = wording.say(Message.of(f"{kit.name}.place.{family}", n=int(number)))
    else:
        name = wording.say(Message.of(f"{kit.name}.place.{zone.id}"))
    short = f"{kit.name}.short.{zone.id}"
    return SceneZone(
        id=zone.id,
        name=name,
        short=wording.say(Message.of(short)) if short in wording.keys else name,
        kind=zone.kind.value,
        box=_box(zone.rect),
        cards=zone.cards,
        pieces=zone.pieces,
        above=zone.above,
    )


def _card(card: CardFacts) -> SceneCard:
    return SceneCard(
        id=card.id,
        name=card.id,
        kind=card.kind,
        picture=card.picture,
        stone=card.stone,
        fields={
            field.name: None if field.items is None else tuple(_item(item) for item in field.items)
            for field in card.fields
        },
    )


def _item(item: Item) -> tuple[str, int, int | None]:
    return (item.kind, item.count, item.number)


def _name(kit: GameKit, kind: str, wording: Wording) -> str:
    key = f"{kit.name}.item.{kind}"
    return wording.say(Message.of(key)) if key in wording.keys else kind
