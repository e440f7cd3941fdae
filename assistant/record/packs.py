"""A pack of cards as plain JSON values: kept with each game, so that its record stands alone."""

from collections.abc import Mapping
from typing import Any

from assistant.record.errors import RecordError, Trouble
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Source, format_items, parse_items
from vision.pack import LARGEST_STONE, MOST_COPIES


def pack_to_json(pack: CardPack) -> dict[str, Any]:
    return {"game": pack.game, "name": pack.name, "cards": [_card_to_json(card) for card in pack.cards]}


def _card_to_json(card: CardFacts) -> dict[str, Any]:
    """Pictures stay in the player's own folder: they are not ours to keep."""
    return {
        "id": card.id,
        "kind": card.kind,
        "stone": card.stone,
        "picture": card.picture,
        "group": card.group,
        "copies": card.copies,
        "fields": [
            [part.name, None if part.items is None else format_items(part.items), part.source.value]
            for part in card.fields
        ],
    }


def pack_from_json(data: Mapping[str, Any]) -> CardPack:
    try:
        return CardPack(
            game=str(data["game"]),
            name=str(data["name"]),
            cards=tuple(_card_from_json(card) for card in data["cards"]),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise RecordError(f"Expected the cards of a game, found {problem!r}.", Trouble.DAMAGED) from None


def _card_from_json(data: Mapping[str, Any]) -> CardFacts:
    return CardFacts(
        id=CardId(str(data["id"])),
        kind=CardKind(str(data["kind"])),
        stone=None if data["stone"] is None else _number(data["stone"], 0, LARGEST_STONE),
        picture=_text(data["picture"]),
        group=_text(data["group"]),
        copies=_number(data["copies"], 1, MOST_COPIES),
        fields=tuple(
            CardField(
                name=str(name), items=None if items is None else parse_items(items), source=Source(source)
            )
            for name, items, source in data["fields"]
        ),
    )


def _number(value: Any, least: int, most: int) -> int:
    """A record may be a stranger's: what is drawn as a number must be one."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{str(value)[:80]!r} is no whole number from {least} to {most}")
    return value


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{str(value)[:80]!r} is no text")
    return value
