"""A record of the first version opens in today's program, with everything in it, and is gone on with."""

import sqlite3
from pathlib import Path

from assistant.record import schema
from assistant.record.campaigns import begin_campaign, current_campaign
from assistant.record.database import FILE_NAME
from assistant.record.replay import replay
from assistant.record.store import open_store
from tests.assistant.record.recorded import bound_game, finding


def old_record(folder: Path) -> Path:
    script = Path(__file__).with_name("format-1.sql").read_text(encoding="utf-8")
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.executescript(script)
    connection.close()
    return folder


def test_a_record_of_format_1_is_read_and_resumed(tmp_path: Path) -> None:
    with open_store(old_record(tmp_path)) as store:
        unfinished = store.unfinished("kitchen")
        assert unfinished is not None
        game = store.load(unfinished)
        assert len(game.actions) == len(game.events) == 16
        assert game.findings[-1] == finding(9)
        assert replay(game, bound_game()).same
        recorder = store.resume(unfinished)
        recorder.event("told", {})
        recorder.leave()
        assert len(store.load(unfinished).events) == 17


def test_an_old_record_gets_what_newer_formats_added_once(tmp_path: Path) -> None:
    open_store(old_record(tmp_path)).close()
    with open_store(tmp_path) as store:
        begin_campaign(store, "yu", {"wins": 0})
        stored = current_campaign(store, "yu")
    assert stored is not None
    assert stored.state == {"wins": 0}
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    versions = [row[0] for row in connection.execute("SELECT version FROM migrations ORDER BY version")]
    connection.close()
    assert versions == list(range(1, schema.FORMAT + 1))


def test_a_new_record_has_the_same_tables_as_a_migrated_one(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    open_store(old_record(tmp_path / "old")).close()
    open_store(tmp_path / "new").close()
    assert tables(tmp_path / "old") == tables(tmp_path / "new")


def tables(folder: Path) -> set[str]:
    connection = sqlite3.connect(folder / FILE_NAME)
    found = {
        " ".join(row[0].split())
        for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql != ''")
    }
    connection.close()
    return found
