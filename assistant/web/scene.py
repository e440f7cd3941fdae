"""What does not change during a game: the table, its cards, and how the page draws this game."""

from typing import Any

from pydantic import BaseModel, Field

from assistant.kit import Dice, Game, GameKit, Message
from assistant.web.drawing import Box, Drawing, drawing_of, pictures_of
from assistant.web.fit import fitted
from assistant.web.naming import PageWording
from assistant.wording import Wording
from vision.cards import CardFacts, Item
from vision.table import Rect, TableView, Zone

MOST_SAID = 10
"""Phrases with a number are said for 0..10; the page takes the last one beyond."""


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


class SetupItem(BaseModel):
    """One thing to lay out before the first round, and where it belongs."""

    text: str
    zones: tuple[str, ...]


class Scene(BaseModel):
    game: str
    title: str
    language: str
    board: Box
    card: tuple[float, float]
    zones: tuple[SceneZone, ...]
    cards: tuple[SceneCard, ...]
    items: dict[str, str] = Field(description="The name of each item and piece.")
    kinds: dict[str, str] = Field(description="The name of each kind of card.")
    fields: dict[str, str] = Field(description="The name of each part of a card.")
    words: dict[str, str]
    phrases: dict[str, tuple[str, ...]] = Field(description="Phrases with a number, said for 0, 1, 2, …")
    setup: tuple[SetupItem, ...]
    offers: tuple[str, ...] = Field(
        description="What this server has beside the game: camera, phone, hints, games, cards, calibration."
    )
    drawing: Drawing
    pictures: str = Field(description="The game's own drawings: the board and its symbols, as SVG.")


def scene_of(kit: GameKit, game: Game[Any, Any], wording: PageWording, offers: tuple[str, ...] = ()) -> Scene:
    layout = game.on_page or game.layout
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
        cards=tuple(_card(card, wording.names[card.id]) for card in game.pack.cards),
        items={kind: _name(kit, kind, wording) for kind in sorted({*kinds, *pieces})},
        kinds=words_of(wording, f"{kit.name}.kind."),
        fields=words_of(wording, f"{kit.name}.field."),
        words=words_of(wording, f"{kit.name}.page."),
        phrases={
            name: tuple(
                wording.say(Message.of(f"{kit.name}.count.{name}", n=n)) for n in range(MOST_SAID + 1)
            )
            for name in _names(wording, f"{kit.name}.count.")
        },
        setup=tuple(SetupItem(text=wording.say(text), zones=zones) for text, zones in game.watch.setup),
        offers=offers,
        drawing=fitted(drawing_of(kit.folder), layout),
        pictures=pictures_of(kit.folder),
    )


def example_setup(game: Game[Any, Any]) -> TableView:
    """A table before the first round, as luck might have laid it."""
    dice, state = Dice("an example"), game.initial()
    while game.round(state) == 0 and (luck := game.chance(state)):
        state = game.apply(state, dice.weighted(luck))
    return game.view(state)


def page_words(wording: Wording) -> dict[str, str]:
    """The page's own words, those that belong to no game."""
    return words_of(wording, "web.page.")


def words_of(wording: Wording, prefix: str) -> dict[str, str]:
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


def _card(card: CardFacts, name: str) -> SceneCard:
    return SceneCard(
        id=card.id,
        name=name,
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
