"""What a game is made of: everything that was seen or told, in order. A session is a fold over these."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from assistant.errors import FloodwatchError
from vision.cards import CardId, CardKind, ItemKind
from vision.observation import (
    CardReading,
    CardSighting,
    CountSighting,
    DoubtfulPiece,
    FieldReading,
    Guess,
    ItemReading,
    Look,
    Observation,
    Sight,
    ZoneSighting,
)
from vision.table import PieceKind, PlacedCard, Side, ZoneId, ZoneView, counted


class EventError(FloodwatchError):
    """A recorded event that cannot be read."""


class Word(Enum):
    """What a player can say besides which card lies where."""

    ACTION = "action"  # argument: the action's notation
    INSTEAD = "instead"  # argument: the number of a move, and the notation of what it really was, if anything
    UNDO = "undo"
    ADOPT = "adopt"  # take the table as it lies
    RESUME = "resume"  # a game met in the middle; argument: its round
    HEIGHT = "height"  # argument: zone and number of cards
    KEEP = "keep"  # argument: a zone that lies as the program thinks
    ACCEPT = "accept"  # argument: the number of a finding
    DISMISS = "dismiss"  # argument: the number of a finding
    REOPEN = "reopen"  # argument: the number of a finding that was accepted or dismissed


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    observation: Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """Time passed, and the table looks as in the last observation."""

    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What really lies in a zone, whatever was read."""

    at: float
    told: ZoneView
    after: int | None = None
    """After so many moves it lay there; None: now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    at: float
    word: Word
    argument: str = ""


Event: TypeAlias = Observed | Still | Corrected | Told


def encode_event(event: Event) -> dict[str, Any]:
    """Plain JSON values."""
    match event:
        case Observed(observation=observation):
            return {"event": "observed", **_write_observation(observation)}
        case Still():
            return {"event": "still", "at": event.at}
        case Corrected():
            when = {} if event.after is None else {"after": event.after}
            return {"event": "corrected", "at": event.at, **when, **_write_view(event.told)}
        case Told():
            return {"event": "told", "at": event.at, "word": event.word.value, "argument": event.argument}


def decode_event(data: Mapping[str, Any]) -> Event:
    kind = data.get("event") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _READERS:
        raise EventError(f"An event must be one of {', '.join(_READERS)}, found {kind!r}.")
    try:
        return _READERS[kind](data)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as problem:
        raise EventError(f"This {kind} event cannot be read: {problem!r}.") from None


def _write_view(view: ZoneView) -> dict[str, Any]:
    return {
        "zone": view.zone,
        "cards": [[placed.card, placed.side.value] for placed in view.cards],
        "pieces": view.counts(),
    }


def _read_view(data: Mapping[str, Any]) -> ZoneView:
    return ZoneView(
        zone=ZoneId(data["zone"]),
        cards=tuple(
            PlacedCard(None if card is None else CardId(card), Side(side)) for card, side in data["cards"]
        ),
        pieces=counted((PieceKind(kind), int(count)) for kind, count in data["pieces"].items()),
    )


def _write_observation(observation: Observation) -> dict[str, Any]:
    return {
        "index": observation.index,
        "seen_at": observation.seen_at,
        "registered": observation.registered,
        "calm": observation.calm,
        **({"looking": True} if observation.looking else {}),
        "zones": [write_zone(zone) for zone in observation.zones],
    }


def _read_observation(data: Mapping[str, Any]) -> Observation:
    return Observation(
        index=int(data["index"]),
        seen_at=float(data["seen_at"]),
        registered=bool(data["registered"]),
        calm=bool(data["calm"]),
        looking=bool(data.get("looking")),
        zones=tuple(read_zone(zone) for zone in data["zones"]),
    )


def write_zone(zone: ZoneSighting) -> dict[str, Any]:
    """What is empty is left out: most zones of most observations are."""
    data: dict[str, Any] = {"zone": zone.zone, "sight": zone.sight.value}
    if zone.cards:
        data["cards"] = [_write_card(card) for card in zone.cards]
    if zone.height:
        data["height"] = [list(entry) for entry in zone.height]
    if zone.pieces:
        data["pieces"] = {count.kind: [list(entry) for entry in count.counts] for count in zone.pieces}
    if zone.doubtful:
        data["doubtful"] = [dict(piece.kinds) for piece in zone.doubtful]
    if zone.why is not None:
        data["why"] = zone.why
    return data


def read_zone(data: Mapping[str, Any]) -> ZoneSighting:
    return ZoneSighting(
        zone=ZoneId(data["zone"]),
        sight=Sight(data["sight"]),
        cards=tuple(_read_card(card) for card in data.get("cards", ())),
        height=_read_counts(data.get("height", ())),
        pieces=tuple(
            CountSighting(PieceKind(kind), _read_counts(counts))
            for kind, counts in data.get("pieces", {}).items()
        ),
        doubtful=tuple(
            DoubtfulPiece(tuple((PieceKind(kind), float(p)) for kind, p in kinds.items()))
            for kinds in data.get("doubtful", ())
        ),
        why=data.get("why"),
    )


def _read_counts(entries: Any) -> tuple[tuple[int, float], ...]:
    return tuple((int(count), float(p)) for count, p in entries)


def _write_card(card: CardSighting) -> dict[str, Any]:
    data: dict[str, Any] = {"guesses": [[guess.look.value, guess.card, guess.p] for guess in card.guesses]}
    if card.reading is not None:
        data["reading"] = _write_reading(card.reading)
    if card.quad:
        data["quad"] = [list(corner) for corner in card.quad]
    return data


def _read_card(data: Mapping[str, Any]) -> CardSighting:
    return CardSighting(
        guesses=tuple(
            Guess(Look(look), None if card is None else CardId(card), float(p))
            for look, card, p in data["guesses"]
        ),
        reading=_read_reading(data["reading"]) if "reading" in data else None,
        quad=tuple((float(x), float(y)) for x, y in data.get("quad", ())),
    )


def _write_reading(reading: CardReading) -> dict[str, Any]:
    return {
        "kind": reading.kind,
        "kind_p": reading.kind_p,
        "stone": reading.stone,
        "stone_p": reading.stone_p,
        "fields": {
            field.name: [[item.kind, item.count, item.number, item.p] for item in field.items]
            for field in reading.fields
        },
    }


def _read_reading(data: Mapping[str, Any]) -> CardReading:
    return CardReading(
        kind=None if data["kind"] is None else CardKind(data["kind"]),
        kind_p=float(data["kind_p"]),
        stone=data["stone"],
        stone_p=float(data["stone_p"]),
        fields=tuple(
            FieldReading(
                name=name,
                items=tuple(
                    ItemReading(ItemKind(kind), int(count), number, float(p))
                    for kind, count, number, p in items
                ),
            )
            for name, items in data["fields"].items()
        ),
    )


_READERS: dict[str, Callable[[Mapping[str, Any]], Event]] = {
    "observed": lambda data: Observed(observation=_read_observation(data)),
    "still": lambda data: Still(at=float(data["at"])),
    "corrected": lambda data: Corrected(
        at=float(data["at"]),
        told=_read_view(data),
        after=int(data["after"]) if data.get("after") is not None else None,
    ),
    "told": lambda data: Told(at=float(data["at"]), word=Word(data["word"]), argument=str(data["argument"])),
}
