"""One copy of the program per table: a lock that ends with its process, however that one ends."""

import re
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Protocol, Self

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import DBAPIError

from assistant.record.database import Place
from assistant.record.errors import RecordError, Trouble, problem_with, problem_with_file

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class TableLock(Protocol):
    def release(self) -> None: ...


def lock_table(place: Place, engine: Engine, table: str) -> TableLock:
    """Refuses at once, in one sentence, where another copy watches this table."""
    if not _NAME.fullmatch(table):
        raise RecordError(
            f"Expected a table's name in lowercase letters, digits and hyphens, found {table!r}."
        )
    if place.folder is not None:
        return FileLock(place.folder / f"table-{table}.lock", table)
    return ServerLock(engine, place, table)


def _in_use(table: str) -> RecordError:
    return RecordError(
        f"Another floodwatch is already watching table {table!r}: end it, or give this one its own --table.",
        Trouble.IN_USE,
    )


class FileLock:
    """The file stays, the lock on it does not: nothing is left to clean up after a crash."""

    def __init__(self, path: Path, table: str) -> None:
        try:
            self._file: IO[bytes] | None = path.open("ab")
        except OSError as problem:
            raise problem_with_file(path, problem) from problem
        try:
            _lock(self._file)
        except OSError:
            self.release()
            raise _in_use(table) from None

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ServerLock:
    """An advisory lock of PostgreSQL, kept by a connection of its own."""

    def __init__(self, engine: Engine, place: Place, table: str) -> None:
        self._key = zlib.crc32(f"floodwatch table {table}".encode())
        self._connection: Connection | None = None
        try:
            self._connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            free = self._connection.execute(select(func.pg_try_advisory_lock(self._key))).scalar()
        except DBAPIError as problem:
            self.release()
            raise problem_with(str(place), problem) from problem
        if not free:
            self._connection.close()
            self._connection = None
            raise _in_use(table)

    def release(self) -> None:
        if self._connection is None:
            return
        # A server that is gone has let go of the lock already.
        with suppress(DBAPIError):
            self._connection.execute(select(func.pg_advisory_unlock(self._key)))
        self._connection.close()
        self._connection = None
