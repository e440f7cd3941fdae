"""A watched game is recorded as it goes on; ended anyhow, it is taken up again, and what is settled stays."""

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.games.yu import KIT
from assistant.keep import RecordedTable, watched_again
from assistant.record.database import FILE_NAME
from assistant.record.sights import SightReader, SightWriter, slim
from assistant.record.store import Store, open_store
from tests.assistant.observations import Eye
from tests.assistant.table import played, yu

TABLE = "kitchen"


def watch(table: RecordedTable, first: int, last: int, *, seed: int = 1) -> None:
    """Shows the positions after these actions of a game to the table's session, twice each."""
    game, state = yu(), yu().initial()
    eye = Eye(layout=game.layout, pack=game.pack)
    for number, action in enumerate(played("greedy", seed)[:last], 1):
        state = game.apply(state, action)
        if number > first:
            table.shared.observe(eye.look(game.view(state), number, float(number)))
            table.shared.wait(number + 0.5)


def notations(store: Store) -> list[str]:
    return [action.notation for action in store.load(store.find("last")).actions]


def test_settled_steps_are_recorded_while_the_game_goes_on(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 40)
        table.close()
        told = [entry.notation for entry in table.shared.snapshot().log if entry.committed]
        assert len(told) > 20
        assert notations(store) == told


def test_a_game_without_an_end_is_taken_up_again_where_it_was(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 40)
        table.close()
        before = notations(store)
    with open_store(tmp_path) as store:
        again = RecordedTable(store, KIT, yu(), TABLE, {})
        assert again.resumed is not None
        assert [entry.notation for entry in again.shared.snapshot().log] == before
        watch(again, 40, 60)
        again.close()
        assert notations(store)[: len(before)] == before
        assert len(notations(store)) > len(before)
        assert len(store.games()) == 1


def test_a_cleared_table_begins_another_game_and_pages_go_on_counting(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 20)
        number = table.shared.snapshot().number
        table.begin_anew(yu().initial())
        assert table.shared.snapshot().number > number
        assert table.shared.snapshot().log == ()
        table.close()
        assert len(store.games()) == 2


def test_a_locked_record_is_told_on_the_page_and_the_game_is_complete_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.record.database.PATIENCE_S", 0.01)
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        table.flush()
        other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        watch(table, 0, 20)
        assert told(table, lambda trouble: trouble == "record.trouble.locked")
        other.rollback()
        other.close()
        assert told(table, lambda trouble: trouble is None)
        table.close()
        assert notations(store) == [
            entry.notation for entry in table.shared.snapshot().log if entry.committed
        ]


def told(table: RecordedTable, wanted: Callable[[str | None], bool]) -> bool:
    """Waits until the page would say so."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        table.shared.wait(100.0)
        trouble = table.shared.snapshot().trouble
        if wanted(None if trouble is None else trouble.key):
            return True
        threading.Event().wait(0.02)
    return False


def test_what_was_seen_is_understood_the_same_when_it_is_replayed(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 30)
        table.close()
        recorded = store.load(store.find("last"))
    assert watched_again(recorded, yu()) == ()


def test_a_replay_says_where_it_goes_another_way(tmp_path: Path) -> None:
    """As if an older program had taken one recruited card for a dismissed one."""
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 30)
        table.close()
        recorded = store.load(store.find("last"))
    third = recorded.actions[2]
    object.__setattr__(third, "notation", "reveal 3 ?")
    deviations = watched_again(recorded, yu())
    assert [deviation.number for deviation in deviations] == [3]


def test_observations_survive_the_record_without_what_nobody_asks_for() -> None:
    game, state = yu(), yu().initial()
    eye = Eye(layout=game.layout, pack=game.pack, steady=True)
    writer, reader = SightWriter(), SightReader()
    sizes = []
    for number, action in enumerate(played("greedy", 2)[:20]):
        state = game.apply(state, action)
        observation = eye.look(game.view(state), number, float(number))
        data = writer.write(observation)
        sizes.append(len(data.get("zones", ())))
        assert {zone.zone: zone for zone in reader.read(data).zones} == {
            zone.zone: slim(zone) for zone in observation.zones
        }
    assert max(sizes[1:]) <= 6, "only what changed is written again"


def test_a_watched_game_killed_at_random_moments_goes_on_by_itself(tmp_path: Path) -> None:
    kill_often(tmp_path, kills=4)


@pytest.mark.slow
def test_a_watched_game_killed_fifty_times_loses_nothing_settled(tmp_path: Path) -> None:
    kill_often(tmp_path, kills=50)


def kill_often(folder: Path, *, kills: int) -> None:
    luck = random.Random(7)
    safe: list[str] = []
    for _ in range(kills):
        safe = _run_and_kill(folder, after=luck.randint(1, 12), safe=safe)
        with open_store(folder) as store:
            assert notations(store)[: len(safe)] == safe, "what was safe before the kill is there after it"


def _run_and_kill(folder: Path, *, after: int, safe: list[str]) -> list[str]:
    """Starts the program, waits for some lines, kills it; all notations that it had told to be safe."""
    program = Path(__file__).with_name("watch_until_killed.py")
    with subprocess.Popen(
        [sys.executable, str(program), str(folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(after)]
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().split("\n")[:-1]
    told = [line.partition(" ")[2] for line in lines if line.startswith("safe ")]
    begun = [line.partition(" ")[2] for line in lines if line.startswith("resumed ")]
    # It may have been killed while it was still telling what it had resumed.
    both = min(len(begun), len(safe))
    assert begun[:both] == safe[:both]
    return max(begun, safe, key=len) + told
