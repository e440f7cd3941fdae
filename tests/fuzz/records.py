"""Records from strangers: a damaged file, or one that SQLite likes with a row that none of us wrote."""

import json
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from assistant.discover import kits
from assistant.errors import FloodwatchError
from assistant.record.database import FILE_NAME
from assistant.record.export import as_csv, as_json, as_text
from assistant.record.feed import header_of, record_actions
from assistant.record.pageview import as_page
from assistant.record.store import Store, open_store
from assistant.record.telling import game_of
from assistant.record.values import RecordedId
from assistant.wording import Wording
from tests.assistant.record.recorded import bound_game, ending, finding, simulated
from tests.fuzz.mutation import mutated_json
from vision.errors import VisionError

MOVES = 6
_TABLES = ("games", "events", "actions", "findings", "endings", "game_packs")
_QUICK = Path("/dev/shm")
"""Files that no disk has to write: a damaged record costs twenty syncs."""


_NO_VALUE = (sqlite3.Error, OverflowError, UnicodeError)
"""What SQLite itself says of a value that it cannot hold."""


@contextmanager
def quick_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=_QUICK if _QUICK.is_dir() else None) as folder:
        yield Path(folder)


def recorded_game() -> bytes:
    """The file of a game that was begun, with all that a game can have."""
    game = bound_game()
    with quick_folder() as folder:
        with open_store(folder) as store:
            actions = simulated(3).actions[:MOVES]
            recorder = record_actions(store, game, actions, header_of(game, table="kitchen", started_at=0.0))
            recorder.event("told", {"n": 1})
            recorder.finding(finding(1))
            recorder.end(ending())
            recorder.leave()
        path = folder / FILE_NAME
        with closing(sqlite3.connect(path)) as database:  # everything into the one file
            database.execute("pragma wal_checkpoint(truncate)")
        return path.read_bytes()


def rows_of(example: bytes) -> tuple[bytes, ...]:
    """Every value of every table as JSON that says where it stands."""
    found = []
    with quick_folder() as folder, closing(_opened(folder, example)) as database:
        for table in _TABLES:
            rows = database.execute(f"select * from {table} limit 2")
            columns = [column[0] for column in rows.description]
            for row in rows:
                found += [_place(table, column, value) for column, value in zip(columns, row, strict=True)]
    return tuple(json.dumps(place).encode() for place in found)


def _place(table: str, column: str, value: Any) -> dict[str, Any]:
    if isinstance(value, bytes):
        with suppress(zlib.error, ValueError):
            return {"table": table, "column": column, "packed": json.loads(zlib.decompress(value))}
        value = value.decode("latin-1")
    return {"table": table, "column": column, "value": value}


def damaged_row(seed: bytes, _others: tuple[bytes, ...], luck: random.Random) -> bytes:
    """Another value in the same place: a damaged name of a column would only be no column."""
    try:
        place = json.loads(seed)
    except (ValueError, RecursionError):  # a fuzzer that has ideas of its own was here before
        return seed
    if not isinstance(place, dict):
        return seed
    named = {key: place.pop(key) for key in ("table", "column") if key in place}
    return json.dumps(named | json.loads(mutated_json(json.dumps(place).encode(), luck) or b"{}")).encode()


def with_row(example: bytes, place: Any) -> bytes:
    """The example in which one column of a table holds another value; as it was where that is nonsense."""
    if not isinstance(place, dict):
        return example
    value = place.get("value")
    if "packed" in place:
        value = zlib.compress(json.dumps(place["packed"]).encode("utf-8", "replace"))
    with quick_folder() as folder:
        with (
            closing(_opened(folder, example)) as database,
            suppress(*_NO_VALUE),
        ):
            database.execute("pragma foreign_keys = off")
            named = {column[1] for column in database.execute(f"pragma table_info({_named(place, 'table')})")}
            if place.get("column") in named:
                database.execute(f'update {place["table"]} set "{place["column"]}" = ?', (value,))
                database.commit()
        return (folder / FILE_NAME).read_bytes()


def _named(place: dict[str, Any], key: str) -> str:
    return place[key] if place.get(key) in _TABLES else _TABLES[0]


def _opened(folder: Path, example: bytes) -> sqlite3.Connection:
    (folder / FILE_NAME).write_bytes(example)
    database = sqlite3.connect(folder / FILE_NAME)
    database.execute("pragma journal_mode = delete")
    return database


def read_record(data: bytes, *, export: bool = False) -> object:
    """All that a page or a command does with a record: list, load, and `export` in every form."""
    with quick_folder() as folder:
        (folder / FILE_NAME).write_bytes(data)
        with open_store(folder) as store:
            return [_told(store, summary.id, export) for summary in store.games()]


def _told(store: Store, number: RecordedId, export: bool) -> object:
    with suppress(FloodwatchError, VisionError):
        game = store.load(number)
        kit = kits().get(game.header.game)
        if export:
            as_json(game)
        if export and kit is not None:
            wording = Wording("en", [kit.messages])
            as_text(game, kit, wording)
            as_csv(game, kit, wording)
            return as_page(game, kit, game_of(game, kit), "en")
    return None
