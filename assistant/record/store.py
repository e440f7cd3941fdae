"""All recorded games of one place: begin or resume one, list them, read one."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Row, Select, and_, func, select
from sqlalchemy.exc import DBAPIError

from assistant.kit import Finding, Severity
from assistant.record import schema
from assistant.record.database import Place, open_database, place_of
from assistant.record.errors import NoSuchGameError, RecordError, Trouble, problem_with
from assistant.record.lock import TableLock, lock_table
from assistant.record.packed import message_from_json, unpack
from assistant.record.packs import pack_from_json
from assistant.record.recorder import Recorder
from assistant.record.values import (
    CommittedAction,
    End,
    Ending,
    GameSummary,
    Header,
    RecordedEvent,
    RecordedFinding,
    RecordedGame,
    RecordedId,
)
from assistant.record.writer import Writer
from assistant.snapshot import FindingFate
from vision.cards import CardPack
from vision.table import ZoneId

LAST = "last"
"""What a player may type for the newest game."""
LARGEST_ID = 2**63
"""A database asked for a larger number breaks instead of finding nothing."""


def open_store(data: str | Path | None = None) -> "Store":
    """`data` is a folder or the address of a database; None means the player's usual place."""
    return Store(place_of(data))


class Store:
    """Reading opens connections of its own, so it never waits for the writer."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._engine, self.rescue = open_database(place)
        self._writer: Writer | None = None
        self._locks: list[TableLock] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        while self._locks:
            self._locks.pop().release()
        self._engine.dispose()

    @property
    def writer(self) -> Writer:
        """Started by the first one who writes."""
        if self._writer is None:
            self._writer = Writer(self._engine, str(self.place))
        return self._writer

    def begin(self, header: Header, start: Mapping[str, Any], cards: CardPack | None = None) -> Recorder:
        """A new game. Refused while another copy of the program watches the same table."""
        recorder = Recorder(self.writer, self._locked(header.table))
        recorder.begin(header, start, cards)
        return recorder

    def resume(self, game: RecordedId) -> Recorder:
        """Goes on with a game that has no ending; new rows follow after the old ones."""
        with self.reading() as connection:
            header, ending = self._head(connection, game)
            if ending is not None:
                raise RecordError(f"Game {game} has ended and cannot be resumed; begin a new one.")
            lock = self._locked(header.table)
            last = {
                table: connection.execute(
                    select(func.coalesce(func.max(column), 0)).where(table.c.game_id == game)
                ).scalar_one()
                for table, column in (
                    (schema.events, schema.events.c.sequence),
                    (schema.actions, schema.actions.c.entry),
                    (schema.findings, schema.findings.c.entry),
                )
            }
        return Recorder(
            self.writer,
            lock,
            id=game,
            sequence=last[schema.events],
            actions=last[schema.actions],
            findings=last[schema.findings],
        )

    def unfinished(self, table: str) -> RecordedId | None:
        """The game that was being played on this table when the program last ended."""
        newest = (
            select(schema.games.c.id, schema.endings.c.game_id)
            .outerjoin(schema.endings)
            .where(schema.games.c.table_name == table)
            .order_by(schema.games.c.id.desc())
            .limit(1)
        )
        with self.reading() as connection:
            row = connection.execute(newest).first()
        return None if row is None or row[1] is not None else RecordedId(row[0])

    def find(self, text: str) -> RecordedId:
        """A game by what a player types: its number, or `last`."""
        with self.reading() as connection:
            known = [
                row[0] for row in connection.execute(select(schema.games.c.id).order_by(schema.games.c.id))
            ]
        if text == LAST and known:
            return RecordedId(known[-1])
        if text.isdecimal() and len(text) < 19 and int(text) in known:
            return RecordedId(int(text))
        found = f"{known[0]} to {known[-1]}" if known else "no game yet"
        raise NoSuchGameError(
            f"Expected the number of a recorded game or `last`, found {text!r}; there is {found}."
        )

    def games(self) -> tuple[GameSummary, ...]:
        """Every game, the newest first."""
        with self.reading() as connection:
            endings = {row.game_id: _ending(row) for row in connection.execute(select(schema.endings))}
            last = {row.game_id: row for row in connection.execute(_last_actions())}
            findings: dict[int, Counter[Severity]] = {}
            for game, severity, number in connection.execute(_findings_by_severity()):
                findings.setdefault(game, Counter())[Severity(severity)] += number
            rows = connection.execute(select(schema.games).order_by(schema.games.c.id.desc())).all()
            return tuple(
                GameSummary(
                    id=RecordedId(row.id),
                    header=_header(row),
                    ending=endings.get(row.id),
                    rounds=_rounds(endings.get(row.id), last.get(row.id)),
                    actions=_standing(last.get(row.id)),
                    findings=dict(findings.get(row.id, {})),
                )
                for row in rows
            )

    def load(self, game: RecordedId) -> RecordedGame:
        with self.reading() as connection:
            header, ending = self._head(connection, game)
            start = connection.execute(
                select(schema.games.c.start).where(schema.games.c.id == game)
            ).scalar_one()
            cards = connection.execute(
                select(schema.game_packs.c.pack).where(schema.game_packs.c.game_id == game)
            ).scalar()
            return RecordedGame(
                id=game,
                header=header,
                start=unpack(start),
                pack=None if cards is None else pack_from_json(unpack(cards)),
                events=tuple(_event(row) for row in connection.execute(_of(schema.events, game, "sequence"))),
                actions=_standing_actions(connection.execute(_of(schema.actions, game, "entry")).all()),
                findings=_last_fates(connection.execute(_of(schema.findings, game, "entry")).all()),
                ending=ending,
            )

    def _locked(self, table: str) -> TableLock:
        lock = lock_table(self.place, self._engine, table)
        self._locks.append(lock)
        return lock

    def _head(self, connection: Connection, game: RecordedId) -> tuple[Header, Ending | None]:
        found = select(schema.games).where(schema.games.c.id == game)
        row = connection.execute(found).first() if 0 < game < LARGEST_ID else None
        if row is None:
            raise NoSuchGameError(f"The record {self.place} has no game {game}.")
        end = connection.execute(select(schema.endings).where(schema.endings.c.game_id == game)).first()
        return _header(row), _ending(end) if end else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except DBAPIError as problem:
            raise problem_with(str(self.place), problem) from problem
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
            # A row that SQLite can read, but that no program of ours has written so.
            raise RecordError(
                f"The record {self.place} has a row that cannot be understood: {problem}.", Trouble.DAMAGED
            ) from problem


def _of(table: Any, game: RecordedId, order: str) -> Select[Any]:
    return select(table).where(table.c.game_id == game).order_by(table.c[order])


def _last_actions() -> Select[Any]:
    actions = schema.actions
    newest = select(actions.c.game_id, func.max(actions.c.entry).label("entry")).group_by(actions.c.game_id)
    last = newest.subquery()
    return select(actions.c.game_id, actions.c.number, actions.c.round, actions.c.notation).join(
        last, and_(actions.c.game_id == last.c.game_id, actions.c.entry == last.c.entry)
    )


def _findings_by_severity() -> Select[Any]:
    table = schema.findings
    return select(table.c.game_id, table.c.severity, func.count(table.c.finding.distinct())).group_by(
        table.c.game_id, table.c.severity
    )


def _standing(last: Row[Any] | None) -> int:
    if last is None:
        return 0
    return int(last.number) - (last.notation is None)


def _rounds(ending: Ending | None, last: Row[Any] | None) -> int:
    if ending is not None:
        return ending.rounds
    return int(last.round) if last is not None else 0


def _header(row: Row[Any]) -> Header:
    return Header(
        game=row.game,
        table=row.table_name,
        pack_name=row.pack_name,
        pack_hash=row.pack_hash,
        board_hash=row.board_hash,
        model_hashes=_hashes(json.loads(row.model_hashes)),
        profile_hash=row.profile_hash,
        program=row.program,
        started_at=row.started_at,
        seed=row.seed,
    )


def _hashes(found: Any) -> dict[str, str]:
    match found:
        case dict() if all(isinstance(sha256, str) for sha256 in found.values()):
            return found
    raise TypeError(f"expected a hash for each network, found {str(found)[:40]!r}")


def _zones(found: Any) -> tuple[ZoneId, ...]:
    match found:
        case list() if all(isinstance(zone, str) for zone in found):
            return tuple(ZoneId(zone) for zone in found)
    raise TypeError(f"expected a list of zones, found {str(found)[:40]!r}")


def _ending(row: Row[Any]) -> Ending:
    return Ending(end=End(row.end), won=row.won, cause=row.cause, rounds=row.rounds, at=row.at)


def _event(row: Row[Any]) -> RecordedEvent:
    return RecordedEvent(sequence=row.sequence, at=row.at, kind=row.kind, payload=unpack(row.payload))


def _standing_actions(rows: Any) -> tuple[CommittedAction, ...]:
    """A row takes back what has its number or a higher one, then adds its own action, if it has one."""
    standing: list[Row[Any]] = []
    for row in rows:
        while standing and standing[-1].number >= row.number:
            standing.pop()
        if row.notation is not None:
            standing.append(row)
    return tuple(
        CommittedAction(
            number=row.number,
            round=row.round,
            notation=row.notation,
            words=message_from_json(json.loads(row.words)),
            state=unpack(row.state),
            at=row.at,
            event=row.event,
            crop=row.crop,
        )
        for row in standing
    )


def _last_fates(rows: Any) -> tuple[RecordedFinding, ...]:
    """Each finding once, where and when it was first told, with the fate that it had last."""
    first: dict[int, Row[Any]] = {}
    fates: dict[int, str] = {}
    for row in rows:
        first.setdefault(row.finding, row)
        fates[row.finding] = row.fate
    return tuple(
        RecordedFinding(
            id=number,
            after=row.after,
            finding=Finding(
                rule=row.rule,
                severity=Severity(row.severity),
                message=message_from_json(json.loads(row.message)),
                zones=_zones(json.loads(row.zones)),
            ),
            fate=FindingFate(fates[number]),
            at=row.at,
        )
        for number, row in first.items()
    )
