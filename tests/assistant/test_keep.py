"""A watched game is recorded as it goes on; ended anyhow, it is taken up again, and what is settled stays."""

import json
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.games.yu import KIT
from assistant.keep import RecordedTable, watched_again
from assistant.kit import Dice, Severity
from assistant.record.database import FILE_NAME
from assistant.record.sights import SightReader, SightWriter, slim
from assistant.record.store import Store, open_store
from assistant.session import Session
from assistant.snapshot import FindingFate, ShownFinding
from tests.assistant import watch_until_killed
from tests.assistant.killed import told_until_killed, told_until_started_program_killed
from tests.assistant.observations import Eye
from tests.assistant.table import played, yu
from vision.observation import Observation
from vision.table import ZoneId

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
        believed = log(table)
        assert len(before) < len(believed)
    with open_store(tmp_path) as store:
        again = RecordedTable(store, KIT, yu(), TABLE, {})
        assert again.resumed is not None
        assert log(again) == believed, "moves that could still be revised are there too, in their order"
        watch(again, 40, 60)
        again.close()
        assert notations(store)[: len(before)] == before
        assert len(notations(store)) > len(before)
        assert len(store.games()) == 1


def log(table: RecordedTable) -> list[str]:
    return [entry.notation for entry in table.shared.snapshot().log]


def test_a_finding_keeps_its_number_and_the_players_decision_when_a_game_is_taken_up_again(
    tmp_path: Path,
) -> None:
    """Also where the broken rule is settled long since: nobody is told the same twice."""
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 24)
        state = table.shared.state_after(24)
        mistake = next(m for m in yu().watch.mistakes(state) if m.message.key == "yu.mistake.piece-too-many")
        for second in range(8):
            table.shared.observe(sight(mistake.state, 25, 25.0 + second))
        (found,) = violations(table)
        table.shared.decide(found.id, FindingFate.ACCEPTED)
        found_at = len(log(table))
        go_on(table, mistake.state, at=40.0, moves=20)
        (found,) = violations(table)
        everything = table.shared.snapshot().findings
        table.close()
        recorded = store.load(store.find("last"))
        (told,) = [told for told in recorded.findings if told.id == found.id]
        assert recorded.actions[told.after - 1].notation == f"! {found.finding.rule}"
        assert told.after == found_at, "where it was found, not where the record was by then"
    with open_store(tmp_path) as store:
        again = RecordedTable(store, KIT, yu(), TABLE, {})
        assert violations(again) == [replace(found, raised_at=violations(again)[0].raised_at)]
        assert found.fate is FindingFate.ACCEPTED
        assert [(f.id, f.fate) for f in again.shared.snapshot().findings] == [
            (f.id, f.fate) for f in everything
        ]
        again.close()


def sight(state: Any, index: int, at: float) -> Observation:
    return Eye(layout=yu().layout, pack=yu().pack).look(yu().view(state), index, at)


def go_on(table: RecordedTable, state: Any, *, at: float, moves: int) -> None:
    dice = Dice("on")
    for number in range(moves):
        state = yu().apply(state, yu().policies["greedy"](state, dice))
        table.shared.observe(sight(state, 100 + number, at + number))


def violations(table: RecordedTable) -> list[ShownFinding]:
    shown = table.shared.snapshot().findings
    return [one for one in shown if one.finding.severity is Severity.VIOLATION]


def test_every_step_that_shows_has_a_picture_of_the_moment_in_which_it_was_seen(tmp_path: Path) -> None:
    """Not of the moment in which it is settled: by then something else may lie there."""
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        camera = Clockwork(table)
        table.shared.camera = camera
        watch(table, 0, 40)
        table.close()
        recorded = store.load(store.find("last"))
    state = yu().initial()
    for number, action in enumerate(played("greedy", 1)[: len(recorded.actions)], 1):
        before, state = state, yu().apply(state, action)
        shows = yu().view(before) != yu().view(state)
        zone, _, seen_at = (recorded.actions[number - 1].crop or b"").decode().partition(" ")
        assert bool(zone) is shows, action
        assert not shows or float(seen_at) == number, "it shows the table just after this move"


class Clockwork:
    """A camera whose pictures say of which place and when they were taken."""

    def __init__(self, table: RecordedTable) -> None:
        self._table = table

    def picture(self) -> None:
        return None

    def crop(self, zone: ZoneId) -> bytes | None:
        return f"{zone} {self._table.shared.now():g}".encode()


def test_times_in_a_record_are_those_of_the_world(tmp_path: Path) -> None:
    """The clock of what was seen begins with the machine, or with the game."""
    begun = time.time()
    with open_store(tmp_path) as store:
        table = RecordedTable(store, KIT, yu(), TABLE, {})
        watch(table, 0, 60)
        table.close()
        recorded = store.load(store.find("last"))
    assert recorded.findings
    assert all(begun <= told.at <= time.time() for told in recorded.findings)


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


def test_a_record_keeps_whether_a_table_was_still_looked_at() -> None:
    """What was told from a first look is thought over with the last: a replay must know which was which."""
    for looking in (False, True):
        observation = replace(sight(yu().initial(), 1, 1.0), looking=looking)
        assert SightReader().read(SightWriter().write(observation)).looking is looking


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
    kill_often(tmp_path, kills=4, fresh=True)


@pytest.mark.slow
def test_a_watched_game_killed_fifty_times_loses_nothing_settled(tmp_path: Path) -> None:
    kill_often(tmp_path, kills=50, fresh=False)


def kill_often(folder: Path, *, kills: int, fresh: bool) -> None:
    """The table lies as it did when the program was killed: what was done is not done again."""
    luck = random.Random(7)
    safe: list[str] = []
    laid, seen = 0, 0
    for _ in range(kills):
        lines = _run_and_kill(
            folder, laid, fresh=fresh, lines=luck.randint(0, 12), delay_s=luck.uniform(0.0, 0.3)
        )
        for kind, number, said in lines:
            if kind == "resumed":
                # Trades work in every phase: before or after the end of one is the same to the eye.
                may_be = [sorted(believed()[n]) for n in (seen, seen + 1)]
                assert sorted(said) in may_be, "all that was seen is known again, settled or not"
                assert said[: len(safe)] == safe
            elif kind == "laid":
                laid = number
            elif kind == "seen":
                seen = number
            elif kind == "safe":
                safe = said
        with open_store(folder) as store:
            assert notations(store)[: len(safe)] == safe, "what was safe before the kill is there after it"
    assert laid > kills, "the game went on"


@cache
def believed() -> list[list[str]]:
    """What a program that nobody kills believes after so many moves."""
    game, state = yu(), yu().initial()
    session, eye = Session(game, "yu"), Eye(layout=game.layout, pack=game.pack)
    logs: list[list[str]] = [[]]
    for number, action in enumerate(played("greedy", 1), 1):
        state = game.apply(state, action)
        session.observe(eye.look(game.view(state), number, float(number)))
        logs.append([entry.notation for entry in session.snapshot().log])
    return logs


def _run_and_kill(
    folder: Path, laid: int, *, fresh: bool, lines: int, delay_s: float
) -> list[tuple[str, int, list[str]]]:
    """Starts the program at a table with so many moves done, waits a little, kills it; what it had told."""
    if fresh:
        told = told_until_started_program_killed(
            watch_until_killed.__file__, folder, laid, lines=lines, delay_s=delay_s
        )
    else:
        told = told_until_killed(watch_until_killed.main, folder, laid, lines=lines, delay_s=delay_s)
    return [
        (kind, int(number), json.loads(said)) for kind, number, said in (line.split(" ", 2) for line in told)
    ]
