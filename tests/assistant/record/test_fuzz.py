"""A record from a stranger, or from a dying disk: read, rescued or refused, but never a crash."""

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from assistant.record.database import FILE_NAME
from assistant.record.errors import RecordError
from assistant.record.store import open_store
from tests.assistant.record.recorded import action, finding, header

TRIES = 60
HOSTILE = (
    None,
    "",
    "x",
    "{}",
    "[1]",
    '{"key": 1}',
    b"",
    b"x\x9c\x00",
    -1,
    1e308,
    2**62,
    "9" * 400,
    "\x00",
    "[" * 5000,
)


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("record")
    with open_store(folder) as store:
        recorder = store.begin(header(), {"a": [1]})
        for number in range(1, 40):
            recorder.event("told", {"n": number})
            recorder.action(action(number, crop=b"x" * 300))
            recorder.finding(finding(number))
        recorder.leave()
    return folder / FILE_NAME


def read_all(folder: Path) -> None:
    """Everything that can be asked of a record; a refusal is an answer, any other exception is not."""
    with suppress(RecordError), open_store(folder) as store:
        store.unfinished("kitchen")
        for summary in store.games():
            with suppress(RecordError):
                store.load(summary.id)


def test_bytes_overwritten_anywhere_never_crash_the_reader(healthy: Path, tmp_path: Path) -> None:
    luck = random.Random(11)
    for number in range(TRIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        data = bytearray(healthy.read_bytes())
        for _ in range(luck.choice((1, 4, 40))):
            data[luck.randrange(len(data))] = luck.randrange(256)
        (folder / FILE_NAME).write_bytes(
            data[: luck.choice((len(data), len(data), luck.randrange(len(data))))]
        )
        read_all(folder)


def test_hostile_values_in_any_column_are_refused_in_one_sentence(healthy: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(healthy)) as connection:
        columns = [
            (table, row[1])
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall()
            for row in connection.execute(f'PRAGMA table_info("{table}")')
        ]
    tried = 0
    for table, column in columns:
        for value in HOSTILE[:: 1 if column in ("payload", "words", "state", "message", "start") else 4]:
            shutil.copyfile(healthy, tmp_path / FILE_NAME)
            with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
                try:
                    connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = 1', (value,))
                    connection.commit()
                except sqlite3.IntegrityError:
                    continue
            tried += 1
            read_all(tmp_path)
    assert tried > 100


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("actions", "crop", ""),
        ("actions", "at", "2026-13-45"),
        ("actions", "at", float("inf")),
        ("games", "started_at", 1e308),
        ("actions", "round", 1.5),
        ("findings", "after", "x"),
        ("findings", "rule", b"x"),
        ("games", "started_at", "never"),
        ("games", "program", b"0.1.0"),
        ("games", "model_hashes", "7"),
        ("games", "model_hashes", '{"items": []}'),
        ("findings", "zones", '"row-1"'),
    ],
)
def test_a_value_of_another_kind_than_its_column_is_refused_when_it_is_read(
    healthy: Path, tmp_path: Path, table: str, column: str, value: object
) -> None:
    """SQLite keeps it; five of these once broke the exports instead of the reader."""
    shutil.copyfile(healthy, tmp_path / FILE_NAME)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
        connection.commit()
    with open_store(tmp_path) as store, pytest.raises(RecordError, match="cannot be understood: expected"):
        store.load(store.find("last"))
