"""The writer keeps order, waits out a locked database, and never lets memory grow without end."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, text

from assistant.record.database import FILE_NAME, open_database, place_of
from assistant.record.errors import RecordError, Trouble
from assistant.record.writer import OVERHEAD, Work, Writer


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine, _ = open_database(place_of(tmp_path))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (word TEXT NOT NULL)")
    yield engine
    engine.dispose()


def note(word: str | None) -> Work:
    def write(connection: Connection) -> str | None:
        connection.execute(text("INSERT INTO notes VALUES (:word)"), {"word": word})
        return word

    return write


def words(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return [row[0] for row in connection.execute(text("SELECT word FROM notes ORDER BY rowid"))]


def locked(folder: Path) -> sqlite3.Connection:
    """Another program that keeps the database locked until it is closed."""
    other = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.fixture
def impatient(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """A lock counts as a problem after a moment, so that no test waits."""
    monkeypatch.setattr("assistant.record.database.PATIENCE_S", 0.01)
    engine.dispose()
    hasty, _ = open_database(place_of(Path(str(engine.url.database)).parent))
    yield hasty
    hasty.dispose()


def test_jobs_are_written_in_order_from_many_threads(engine: Engine) -> None:
    writer = Writer(engine, "here")

    def fill(lane: int) -> None:
        for n in range(100):
            writer.submit(note(f"{lane}-{n:03}"))

    lanes = [threading.Thread(target=fill, args=(lane,)) for lane in range(4)]
    for thread in lanes:
        thread.start()
    for thread in lanes:
        thread.join()
    writer.close()
    found = words(engine)
    assert len(found) == 400
    for lane in range(4):
        mine = [word for word in found if word.startswith(f"{lane}-")]
        assert mine == sorted(mine)


def test_a_future_is_done_only_when_another_connection_can_read_the_row(engine: Engine) -> None:
    writer = Writer(engine, "here")
    assert writer.submit(note("first")).result(10) == "first"
    assert words(engine) == ["first"]
    writer.close()


def test_while_the_database_is_locked_nothing_waits_and_nothing_is_lost(
    impatient: Engine, tmp_path: Path
) -> None:
    writer = Writer(impatient, "here", retry_s=0.01)
    other = locked(tmp_path)
    saved = [writer.submit(note(str(n))) for n in range(5)]
    until(lambda: writer.trouble is not None)
    assert writer.trouble is not None
    assert writer.trouble.trouble is Trouble.LOCKED
    assert not any(future.done() for future in saved)
    other.close()
    assert [future.result(10) for future in saved] == ["0", "1", "2", "3", "4"]
    assert writer.trouble is None
    writer.close()
    assert words(impatient) == ["0", "1", "2", "3", "4"]


def test_when_memory_is_full_the_rest_is_refused_without_a_gap(impatient: Engine, tmp_path: Path) -> None:
    writer = Writer(impatient, "here", capacity=5 * OVERHEAD, retry_s=0.01)
    other = locked(tmp_path)
    saved = [writer.submit(note(str(n))) for n in range(8)]
    assert [future.done() for future in saved] == [False] * 5 + [True] * 3
    with pytest.raises(RecordError, match="the rest of this game is lost") as refused:
        saved[5].result()
    assert refused.value.trouble is Trouble.GIVEN_UP
    other.close()
    assert [future.result(10) for future in saved[:5]] == ["0", "1", "2", "3", "4"]
    with pytest.raises(RecordError):
        writer.submit(note("after the gap")).result()
    writer.close()
    assert words(impatient) == ["0", "1", "2", "3", "4"]


def test_one_refused_row_does_not_stop_the_others(engine: Engine) -> None:
    writer = Writer(engine, "here")
    saved = [writer.submit(note(word)) for word in ("a", None, "b")]
    assert saved[0].result(10) == "a"
    assert saved[2].result(10) == "b"
    with pytest.raises(RecordError, match="NOT NULL"):
        saved[1].result(10)
    writer.close()
    assert words(engine) == ["a", "b"]


def test_closing_with_a_locked_database_fails_what_is_left_with_the_reason(
    impatient: Engine, tmp_path: Path
) -> None:
    writer = Writer(impatient, "here", retry_s=0.01)
    other = locked(tmp_path)
    left = writer.submit(note("left"))
    until(lambda: writer.trouble is not None)
    writer.close(timeout_s=0.2)
    with pytest.raises(RecordError, match="another program keeps it locked"):
        left.result(0)
    with pytest.raises(RecordError, match="is closed"):
        writer.submit(note("more"))
    other.close()


def until(condition: Callable[[], bool]) -> None:
    """Asks again and again, with a short rest in between, for ten seconds at the most."""
    for _ in range(1000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never happened")
