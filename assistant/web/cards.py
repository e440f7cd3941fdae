"""The pack as a gallery: what is known of each card and how, and facts confirmed by the player."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import Field

from assistant.kit import Game, GameKit
from assistant.web.correction import Told
from assistant.web.problem import WebProblemError
from assistant.web.shown import Shown
from vision.cards import CardFacts, CardField, CardId, CardPack, Item, ItemKind, Source
from vision.errors import PackError
from vision.pack import (
    LARGEST_STONE,
    FieldRules,
    PackRules,
    find_gaps,
    format_pack,
    load_pack,
    parse_pack,
    save_pack,
)

MOST_ITEMS = 12


class ToldItem(Told):
    kind: str = Field(max_length=40)
    count: int = Field(1, ge=1, le=99)
    number: int | None = Field(None, ge=0, le=999)


class ToldFacts(Told):
    """What is printed on a card. What is left out stays as it is, and is confirmed where it is known."""

    fields: dict[str, tuple[ToldItem, ...]] = Field(default_factory=dict, max_length=20)
    stone: int | None = Field(None, ge=0, le=LARGEST_STONE)


class ShownField(Shown):
    name: str
    source: str = Field(description="How we know it.", examples=["read", "confirmed", "invented"])
    items: tuple[tuple[str, int, int | None], ...] | None = Field(description="null: not read yet.")


class ShownFacts(Shown):
    id: str
    kind: str
    state: str = Field(
        description="confirmed, known, or gaps where something printed is not known.",
        examples=["confirmed", "known", "gaps"],
    )
    enrolled: bool = Field(description="The camera has a picture of this very card.")
    fields: tuple[ShownField, ...]
    stone: int | None
    gaps: tuple[str, ...]
    copies: int


class AllowedField(Shown):
    name: str
    items: tuple[str, ...]
    fewest: int
    most: int


class Gallery(Shown):
    name: str
    mine: bool = Field(description="The player's own pack, which can be written to; else the demo's.")
    cards: tuple[ShownFacts, ...]
    fields: dict[str, tuple[AllowedField, ...]] = Field(description="What may be printed, by kind of card.")
    numbered: tuple[str, ...] = Field(description="Items that always carry a number.")
    stones: tuple[str, ...] = Field(description="Kinds of cards with a grey stone and its number.")


def card_routes(kit: GameKit, game: Game[Any, Any], folder: Path | None) -> APIRouter:
    """`folder` is that of the player's own pack; without one the demo's cards are shown, never written."""
    router = APIRouter(prefix="/api/cards", tags=["cards"])
    writing = threading.Lock()

    def pack() -> CardPack:
        """As it is on disk now: another tablet or `floodwatch pack` may have written to it."""
        return game.pack if folder is None else load_pack(folder, kit.pack_rules)

    @router.get("", summary="The pack: every card, what is known of it, and how")
    def gallery() -> Gallery:
        return _gallery(pack(), kit.pack_rules, mine=folder is not None)

    @router.post("/{card}/facts", summary="Confirm or put right what is printed on a card")
    def confirm(card: Annotated[str, InPath(max_length=100)], told: ToldFacts) -> ShownFacts:
        if folder is None:
            raise WebProblemError(409, "demo-pack")
        with writing:
            known = pack()
            if CardId(card) not in known:
                raise WebProblemError(404, "no-card", card=card)
            after = confirmed(known, CardId(card), told, kit.pack_rules)
            save_pack(after, folder)
        return show_facts(after[CardId(card)], gaps_of(after, kit.pack_rules))

    return router


def told_facts(old: CardFacts, told: ToldFacts, rules: PackRules) -> CardFacts:
    """The card as the player says that it is printed."""
    allowed = rules.kinds[old.kind].fields
    for name in told.fields:
        if name not in allowed:
            raise WebProblemError(422, "no-field", field=name, card=old.id)
    names = [name for name in allowed if name in told.fields or old.items(name) is not None]
    fields = tuple(_field(name, old, told) for name in names)
    unread = tuple(part for part in old.fields if part.name not in names)
    stone = old.stone if told.stone is None else told.stone
    return replace(old, fields=(*fields, *unread), stone=stone)


def confirmed(pack: CardPack, card: CardId, told: ToldFacts, rules: PackRules) -> CardPack:
    """The pack in which this card is as the player says; refused where the game's rules do not allow it."""
    new = told_facts(pack[card], told, rules)
    after = replace(pack, cards=tuple(new if one.id == card else one for one in pack.cards))
    try:
        parse_pack(format_pack(after), rules)
    except PackError as problem:
        raise WebProblemError(422, "wrong-facts", reason=str(problem)) from None
    return after


def _field(name: str, old: CardFacts, told: ToldFacts) -> CardField:
    items = old.items(name)
    if name in told.fields:
        items = tuple(Item(ItemKind(item.kind), item.count, item.number) for item in told.fields[name])
    return CardField(name=name, items=items, source=Source.CONFIRMED)


def _gallery(pack: CardPack, rules: PackRules, *, mine: bool) -> Gallery:
    gaps = gaps_of(pack, rules)
    return Gallery(
        name=pack.name,
        mine=mine,
        cards=tuple(show_facts(card, gaps) for card in pack.cards),
        fields={
            kind: tuple(_allowed(name, field) for name, field in about.fields.items())
            for kind, about in rules.kinds.items()
        },
        numbered=tuple(sorted(rules.numbered)),
        stones=tuple(kind for kind, about in rules.kinds.items() if about.stone),
    )


def _allowed(name: str, rules: FieldRules) -> AllowedField:
    return AllowedField(name=name, items=tuple(sorted(rules.items)), fewest=rules.fewest, most=rules.most)


def gaps_of(pack: CardPack, rules: PackRules) -> dict[CardId, tuple[str, ...]]:
    found: dict[CardId, list[str]] = {}
    for gap in find_gaps(pack, rules):
        found.setdefault(gap.card, []).append(gap.fact)
    return {card: tuple(facts) for card, facts in found.items()}


def show_facts(card: CardFacts, gaps: dict[CardId, tuple[str, ...]]) -> ShownFacts:
    missing = gaps.get(card.id, ())
    sure = all(part.source is Source.CONFIRMED for part in card.fields) and bool(card.fields)
    return ShownFacts(
        id=card.id,
        kind=card.kind,
        state="gaps" if missing else "confirmed" if sure else "known",
        enrolled=card.image is not None,
        fields=tuple(
            ShownField(
                name=part.name,
                source=part.source.value,
                items=None
                if part.items is None
                else tuple((item.kind, item.count, item.number) for item in part.items),
            )
            for part in card.fields
        ),
        stone=card.stone,
        gaps=missing,
        copies=card.copies,
    )
