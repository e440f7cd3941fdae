"""Campaigns in the record: where each stands, which games counted, and the player's notes of the story."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, insert, select

from assistant.record import schema
from assistant.record.errors import RecordError
from assistant.record.packed import pack, unpack
from assistant.record.store import Store
from assistant.record.values import RecordedId

LONGEST_NOTE: Final = 4_000
PATIENCE_S: Final = 10.0


class Entry(Enum):
    BEGUN = "begun"
    GAME = "game"
    TURNED = "turned"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    story_entry: int
    words: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCampaign:
    number: int
    state: Mapping[str, Any]
    """The game's own encoding of where the campaign stands."""
    entries: int
    games: tuple[RecordedId, ...]
    notes: tuple[Note, ...]


def current_campaign(store: Store, game: str) -> StoredCampaign | None:
    """The newest campaign of a game."""
    table = schema.campaign_entries
    chosen = select(table).where(table.c.game == game).order_by(table.c.campaign, table.c.entry)
    with store.reading() as connection:
        rows = connection.execute(chosen).all()
    if not rows:
        return None
    mine = [row for row in rows if row.campaign == rows[-1].campaign]
    return StoredCampaign(
        number=mine[-1].campaign,
        state=unpack(next(row.state for row in reversed(mine) if row.state is not None)),
        entries=mine[-1].entry,
        games=tuple(RecordedId(row.game_id) for row in mine if row.game_id is not None),
        notes=tuple(
            Note(story_entry=row.story_entry, words=row.words, at=row.at)
            for row in mine
            if row.kind == Entry.NOTE.value
        ),
    )


def begin_campaign(store: Store, game: str, state: Mapping[str, Any]) -> StoredCampaign:
    before = current_campaign(store, game)
    number = before.number + 1 if before else 1
    fresh = StoredCampaign(number=number, state=state, entries=0, games=(), notes=())
    return go_on(store, game, fresh, Entry.BEGUN, state)


def go_on(
    store: Store,
    game: str,
    campaign: StoredCampaign,
    kind: Entry,
    state: Mapping[str, Any],
    *,
    played: RecordedId | None = None,
    story_entry: int | None = None,
) -> StoredCampaign:
    """The campaign stands elsewhere now: after a game, or after a card was turned over."""
    if played is not None and played in campaign.games:
        raise RecordError(f"Game {played} counts in this campaign already.")
    return _added(store, game, campaign, kind, state=pack(state), game_id=played, story_entry=story_entry)


def note(store: Store, game: str, campaign: StoredCampaign, story_entry: int, words: str) -> StoredCampaign:
    if not words.strip() or len(words) > LONGEST_NOTE:
        raise RecordError(f"Expected a note of 1 to {LONGEST_NOTE} characters, found {len(words.strip())}.")
    return _added(store, game, campaign, Entry.NOTE, story_entry=story_entry, words=words.strip())


def _added(store: Store, game: str, campaign: StoredCampaign, kind: Entry, **values: Any) -> StoredCampaign:
    row = {
        "game": game,
        "campaign": campaign.number,
        "entry": campaign.entries + 1,
        "at": time.time(),
        "kind": kind.value,
    } | values

    def write(connection: Connection) -> None:
        connection.execute(insert(schema.campaign_entries).values(row))

    saved = store.writer.submit(write)
    try:
        saved.result(PATIENCE_S)
    except TimeoutError:
        raise store.writer.trouble or RecordError(f"The record {store.place} does not answer.") from None
    after = current_campaign(store, game)
    assert after is not None
    return after
