"""Writes one game: events, committed actions, findings and the ending, each told as soon as it is known."""

import json
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Connection, insert

from assistant.record import schema
from assistant.record.errors import RecordError
from assistant.record.lock import TableLock
from assistant.record.packed import message_to_json, pack
from assistant.record.packs import pack_to_json
from assistant.record.values import CommittedAction, Ending, Header, RecordedFinding, RecordedId
from assistant.record.writer import Writer
from vision.cards import CardPack

LARGEST_CROP: Final = 200_000
"""Bytes. A crop is a keepsake, not an archive."""


class Recorder:
    """Nothing here waits for the disk: each call gives a future that is done when its row is safe."""

    def __init__(
        self,
        writer: Writer,
        lock: TableLock,
        *,
        id: RecordedId | None = None,
        sequence: int = 0,
        actions: int = 0,
        findings: int = 0,
    ) -> None:
        self._writer = writer
        self._lock = lock
        self._id = id
        self.sequence = sequence
        """The number of the last event."""
        self._actions = actions
        self._findings = findings

    @property
    def trouble(self) -> RecordError | None:
        """Why the last moves are not saved yet: the game goes on, and the player should be warned."""
        return self._writer.trouble

    @property
    def id(self) -> RecordedId | None:
        """None until the header is saved."""
        return self._id

    @property
    def findings_told(self) -> int:
        return self._findings

    def begin(
        self, header: Header, start: Mapping[str, Any], cards: CardPack | None = None
    ) -> "Future[RecordedId]":
        values = asdict(header)
        values["table_name"] = values.pop("table")
        values["model_hashes"] = json.dumps(dict(header.model_hashes), sort_keys=True)
        values["start"] = pack(start)
        packed = None if cards is None else pack(pack_to_json(cards))

        def write(connection: Connection) -> RecordedId:
            key = connection.execute(insert(schema.games).values(values)).inserted_primary_key
            assert key is not None
            self._id = RecordedId(key[0])
            if packed is not None:
                connection.execute(insert(schema.game_packs).values(game_id=key[0], pack=packed))
            return self._id

        return self._writer.submit(write, len(values["start"]))

    def event(self, kind: str, payload: Any, at: float | None = None) -> "Future[int]":
        """The future's result is the event's sequence number, also known at once as `sequence`."""
        self.sequence += 1
        values = {
            "sequence": self.sequence,
            "at": time.time() if at is None else at,
            "kind": kind,
            "payload": pack(payload),
        }
        return self._insert(schema.events, values, self.sequence)

    def action(self, action: CommittedAction) -> "Future[int]":
        if action.crop is not None and len(action.crop) > LARGEST_CROP:
            raise ValueError(f"a crop may have {LARGEST_CROP} bytes, found {len(action.crop)}")
        self._actions += 1
        values = {
            "entry": self._actions,
            "number": action.number,
            "event": action.event,
            "at": action.at,
            "round": action.round,
            "notation": action.notation,
            "words": json.dumps(message_to_json(action.words), ensure_ascii=False),
            "state": pack(action.state),
            "crop": action.crop,
        }
        return self._insert(schema.actions, values, self._actions)

    def take_back(self, number: int, round: int, at: float | None = None) -> "Future[int]":
        """The action of this number and all later ones no longer stand."""
        self._actions += 1
        values = {
            "entry": self._actions,
            "number": number,
            "event": self.sequence,
            "at": time.time() if at is None else at,
            "round": round,
        }
        return self._insert(schema.actions, values, self._actions)

    def finding(self, told: RecordedFinding) -> "Future[int]":
        """A finding, or the new fate of one that was told before."""
        self._findings += 1
        values = {
            "entry": self._findings,
            "finding": told.id,
            "after": told.after,
            "at": told.at,
            "rule": told.finding.rule,
            "severity": told.finding.severity.value,
            "message": json.dumps(message_to_json(told.finding.message), ensure_ascii=False),
            "zones": json.dumps(told.finding.zones),
            "fate": told.fate.value,
        }
        return self._insert(schema.findings, values, self._findings)

    def end(self, ending: Ending) -> "Future[int]":
        values = {
            "at": ending.at,
            "end": ending.end.value,
            "won": ending.won,
            "cause": ending.cause,
            "rounds": ending.rounds,
        }
        return self._insert(schema.endings, values, 0)

    def flush(self, timeout_s: float = 10.0) -> bool:
        return self._writer.flush(timeout_s)

    def leave(self) -> None:
        """The table is free for another copy of the program; the game stays as it is."""
        self._writer.flush(10.0)
        self._lock.release()

    def _insert(self, table: Any, values: dict[str, Any], result: int) -> "Future[int]":
        def write(connection: Connection) -> int:
            # Only the thread that wrote the header asks, after it: the number is known by then.
            connection.execute(insert(table).values(game_id=self._id, **values))
            return result

        weight = sum(len(value) for value in values.values() if isinstance(value, bytes | str))
        return self._writer.submit(write, weight)
