"""The player's word on a zone: read from a request, and checked against the table and the pack."""

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.kit import Game
from assistant.web.problem import WebProblemError
from vision.cards import CardId
from vision.table import (
    PieceKind,
    PlacedCard,
    Side,
    TableView,
    Zone,
    ZoneId,
    ZoneKind,
    ZoneView,
    counted,
)

MOST_PIECES = 99


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ToldCard(Told):
    card: str | None = Field(None, max_length=100, description="Its id; null: which one is not known.")
    side: Literal["up", "down"] = "up"


class Correction(Told):
    """What really lies in a zone. Leave out what should stay as it is."""

    cards: tuple[ToldCard, ...] | None = Field(None, max_length=200, description="The last one is on top.")
    pieces: dict[str, Annotated[int, Field(ge=0, le=MOST_PIECES)]] | None = Field(None, max_length=40)


def told_zone(game: Game[Any, Any], zone_id: str, told: Correction, now: TableView) -> ZoneView:
    """`now` is what is thought to lie there: what the player leaves out stays so."""
    layout = {zone.id: zone for zone in game.layout.zones}
    zone = layout.get(ZoneId(zone_id))
    if zone is None:
        raise WebProblemError(404, "no-zone", zone=zone_id)
    known = now.by_zone().get(zone.id, ZoneView(zone=zone.id))
    return ZoneView(
        zone=zone.id,
        cards=known.cards if told.cards is None else _told_cards(game, zone, told.cards),
        pieces=known.pieces if told.pieces is None else counted(_told_pieces(zone, told.pieces)),
    )


def _told_cards(game: Game[Any, Any], zone: Zone, cards: tuple[ToldCard, ...]) -> tuple[PlacedCard, ...]:
    pack = game.pack
    for card, number in Counter(told.card for told in cards if told.card is not None).items():
        if CardId(card) not in pack or pack[CardId(card)].kind not in zone.cards:
            raise WebProblemError(422, "wrong-card", card=card, zone=zone.id)
        if number > pack[CardId(card)].copies:
            raise WebProblemError(422, "card-twice", card=card)
    if (cards and not zone.cards) or (zone.kind in (ZoneKind.CARD, ZoneKind.STRIP) and len(cards) > 1):
        raise WebProblemError(422, "too-many-cards", zone=zone.id)
    return tuple(PlacedCard(CardId(told.card) if told.card else None, Side(told.side)) for told in cards)


def _told_pieces(zone: Zone, pieces: dict[str, int]) -> dict[PieceKind, int]:
    for kind in pieces:
        if kind not in zone.pieces:
            raise WebProblemError(422, "wrong-piece", piece=kind, zone=zone.id)
    return {PieceKind(kind): number for kind, number in pieces.items()}
