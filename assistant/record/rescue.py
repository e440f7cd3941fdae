"""A damaged SQLite file: noticed, kept aside, and all that can be read of it saved into a new one."""

import logging
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, Table, create_engine, insert
from sqlalchemy.exc import StatementError

from assistant.record import schema
from assistant.record.errors import RecordError, Trouble, problem_with_file

_BESIDE: Final = ("-wal", "-shm")
"""What SQLite keeps beside its file; the last moves may still be in there."""
_HEAD: Final = 100
_MOST_MISSING: Final = 1 << 30
"""Bytes: a head that asks for more is damaged itself."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescue:
    """What became of a damaged record."""

    kept: Path
    """The damaged file under its new name."""
    rows: int
    games: int


def is_damaged(file: Path) -> bool:
    """Whether SQLite itself finds fault with the file. A file that is not there is a new one."""
    if not file.exists() or file.stat().st_size == 0:
        return False
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=5)
        ) as connection:
            answers = connection.execute("PRAGMA quick_check(1)").fetchall()
    except UnicodeDecodeError:  # SQLite's own complaint quotes the damaged bytes
        return True
    except sqlite3.DatabaseError as problem:
        return _means_damage(problem)
    return answers != [("ok",)]


def _means_damage(problem: sqlite3.DatabaseError) -> bool:
    """A locked or unreadable file is not a damaged one."""
    return getattr(problem, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def rescue(file: Path) -> Rescue:
    kept = _kept_aside(file)
    copy = _readable_copy(kept)
    engine = create_engine(f"sqlite:///{file}")
    rows = games = 0
    try:
        with engine.begin() as connection:
            schema.prepare(connection, "rescue")
        for table in schema.CONTENT:
            saved = _saved(engine, table, copy)
            rows += saved
            games += saved if table is schema.games else 0
    finally:
        engine.dispose()
        if copy != kept:
            for path in (copy, *(copy.with_name(copy.name + beside) for beside in _BESIDE)):
                path.unlink(missing_ok=True)
    log.warning("record %s was damaged: kept as %s, %d rows saved", file, kept, rows)
    return Rescue(kept=kept, rows=rows, games=games)


def _kept_aside(file: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    kept = file.with_name(f"{file.stem}-damaged-{stamp}{file.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = file.with_name(f"{file.stem}-damaged-{stamp}-{number}{file.suffix}")
    try:
        for beside in _BESIDE:
            if (log_file := file.with_name(file.name + beside)).exists():
                log_file.rename(kept.with_name(kept.name + beside))
        file.rename(kept)
    except OSError as problem:
        raise problem_with_file(file, problem) from problem
    if file.exists():
        raise RecordError(f"The damaged record {file} cannot be moved away.", Trouble.DAMAGED)
    return kept


def _readable_copy(kept: Path) -> Path:
    """A copy to work on, filled up with zeros: a file that was cut off would be refused as a whole."""
    copy = kept.with_suffix(".copy")
    try:
        shutil.copyfile(kept, copy)
        if (log_file := kept.with_name(f"{kept.name}-wal")).exists():
            shutil.copyfile(log_file, copy.with_name(f"{copy.name}-wal"))
        with copy.open("r+b") as out:
            head = out.read(_HEAD)
            page_size = int.from_bytes(head[16:18]) or 4096
            missing = int.from_bytes(head[28:32]) * page_size - copy.stat().st_size
            if len(head) == _HEAD and 0 < missing < _MOST_MISSING:
                out.seek(0, 2)
                out.write(bytes(missing))
    except OSError as problem:
        log.warning("no copy of %s could be made, read as it is: %s", kept, problem)
        copy.unlink(missing_ok=True)
        return kept
    return copy


def _saved(engine: Engine, table: Table, copy: Path) -> int:
    """How many rows of one table were saved; a row that refers to a lost one is lost too."""
    saved = 0
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = ON")
        for row in _readable_rows(table, copy):
            try:
                connection.execute(insert(table).values(row))
            except StatementError:  # a statement that fails leaves no trace in SQLite
                continue
            saved += 1
    return saved


def _readable_rows(table: Table, copy: Path) -> Iterator[dict[str, Any]]:
    """From both ends, so that one bad page in the middle costs no more than what is on it."""
    seen = set[Any]()
    for order in ("ASC", "DESC"):
        for row in _read(table, copy, order):
            key = tuple(row[column.name] for column in table.primary_key)
            if key in seen:
                break
            seen.add(key)
            yield row


def _read(table: Table, copy: Path, order: str) -> Iterator[dict[str, Any]]:
    wanted = {column.name for column in table.columns}
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            connection.execute("PRAGMA writable_schema = ON")  # one unreadable table is no reason to stop
            connection.row_factory = sqlite3.Row
            # By rowid and nothing else: an index may be what is damaged.
            for row in connection.execute(f'SELECT * FROM "{table.name}" NOT INDEXED ORDER BY rowid {order}'):
                yield {name: row[name] for name in wanted & set(row.keys())}
    except (sqlite3.DatabaseError, UnicodeDecodeError) as problem:
        log.info("rescue of %s stopped: %s", table.name, problem)
