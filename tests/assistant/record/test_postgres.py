"""A club with many tables: the same record on a PostgreSQL server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.record.errors import RecordError, Trouble
from assistant.record.store import open_store
from tests.assistant.record.recorded import action, ending, header, record_simulated
from tests.assistant.record.server import postgresql


@pytest.fixture(scope="module")
def club() -> Iterator[str]:
    with postgresql() as address:
        yield address


def test_a_game_on_the_server_is_the_same_as_in_a_file(club: str, tmp_path: Path) -> None:
    with open_store(club) as server, open_store(tmp_path) as file:
        there = server.load(record_simulated(server, 2))
        here = file.load(record_simulated(file, 2))
    assert (there.header, there.start, there.events) == (here.header, here.start, here.events)
    assert (there.actions, there.findings, there.ending) == (here.actions, here.findings, here.ending)


def test_a_game_on_the_server_can_be_resumed(club: str) -> None:
    with open_store(club) as store:
        recorder = store.begin(header(table="window"), {})
        assert recorder.action(action(1, crop=b"\x00\xff")).result(20) == 1
        recorder.leave()
    with open_store(club) as store:
        unfinished = store.unfinished("window")
        assert unfinished is not None
        recorder = store.resume(unfinished)
        recorder.action(action(2))
        recorder.end(ending())
        recorder.leave()
        assert [a.number for a in store.load(unfinished).actions] == [1, 2]
        assert next(game for game in store.games() if game.id == unfinished).ending == ending()


def test_two_copies_on_one_table_of_the_club_are_refused(club: str) -> None:
    with open_store(club) as store, open_store(club) as other:
        recorder = store.begin(header(table="door"), {})
        with pytest.raises(RecordError, match="already watching table 'door'"):
            other.begin(header(table="door"), {})
        other.begin(header(table="bar"), {}).leave()
        recorder.leave()
        other.begin(header(table="door"), {}).leave()


def test_a_server_that_is_not_there_is_told_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be reached") as refused:
        open_store(f"postgresql://me:secret@/games?host={tmp_path}")
    assert refused.value.trouble is Trouble.UNREACHABLE
    assert "secret" not in str(refused.value)
