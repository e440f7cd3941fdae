"""Opens the database of a record: SQLite in a folder, or PostgreSQL by its address."""

import errno
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import platformdirs
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from assistant import __version__
from assistant.record import schema
from assistant.record.errors import RecordError, Trouble, problem_with, problem_with_file
from assistant.record.rescue import Rescue, is_damaged, rescue

FILE_NAME: Final = "games.sqlite3"
PATIENCE_S: Final = 5.0
"""How long another program may keep the database locked before that is called a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where records are: a folder on this machine or a database server."""

    folder: Path | None
    url: str | None = None

    @property
    def file(self) -> Path | None:
        return self.folder / FILE_NAME if self.folder else None

    def __str__(self) -> str:
        if self.url is not None:
            return make_url(self.url).render_as_string(hide_password=True)
        return str(self.file)


def place_of(data: str | Path | None) -> Place:
    """What `--data` or FLOODWATCH_DATA means: a folder, or an address such as postgresql://club/games."""
    wish = str(data) if data is not None else os.environ.get("FLOODWATCH_DATA", "")
    if "://" in wish:
        return Place(folder=None, url=_with_driver(wish))
    return Place(folder=Path(wish) if wish else platformdirs.user_data_path("floodwatch"))


def _with_driver(url: str) -> str:
    """The driver that we ship with is meant where an address names none."""
    scheme, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}" if scheme in ("postgres", "postgresql") else url


def open_database(place: Place) -> tuple[Engine, Rescue | None]:
    """A ready engine; a damaged file is kept aside first, and what could be read of it is told."""
    saved = None
    if place.file is not None:
        _make_folder(place.file.parent)
        if is_damaged(place.file):
            saved = rescue(place.file)
    engine = _engine(place)
    try:
        with engine.connect() as connection:
            ready = schema.format_of(connection) == schema.FORMAT
        if not ready:
            with engine.execution_options(writes=True).begin() as connection:
                schema.prepare(connection, __version__)
    except DBAPIError as problem:
        engine.dispose()
        if place.file is not None and not os.access(place.file.parent, os.W_OK):
            # SQLite only says that it cannot open the file.
            raise problem_with_file(place.file, OSError(errno.EROFS, "read-only")) from problem
        raise problem_with(str(place), problem) from problem
    return engine, saved


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise problem_with_file(folder, problem) from problem


def _engine(place: Place) -> Engine:
    try:
        if place.file is None:
            assert place.url is not None
            return create_engine(place.url, pool_pre_ping=True, connect_args={"connect_timeout": 5})
        engine = create_engine(f"sqlite:///{place.file}", connect_args={"timeout": PATIENCE_S})
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as problem:
        raise RecordError(
            f"Expected a folder or an address such as postgresql://host/games, found {place}: {problem}.",
            Trouble.UNREACHABLE,
        ) from problem
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_at_once)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    """WAL lets the tablet read while a game is written. FULL syncs the log at every commit: with NORMAL a
    power cut could lose moves that were told to be saved; a commit a few times a second affords it."""
    connection.isolation_level = None  # we begin ourselves: the driver's own way reads before it locks
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_at_once(connection: Any) -> None:
    immediate = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
