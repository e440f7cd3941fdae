"""What cannot be seen is not told, and a reading that hangs or dies is begun again by itself."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from assistant.events import Event, Observed, Still
from assistant.games.yu import KIT
from assistant.run import TIDY_S, UNSEEN_S, Watch
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.snapshot import CameraState
from tests.assistant.observations import Eye as PlainEye
from tests.assistant.table import played, yu
from vision.feed import Closing, Health, SourceState
from vision.frame import Frame
from vision.observation import Observation
from vision.table import ZoneId

DEADLINE_S = 60.0


class OneTable(Closing):
    """A source with a clock that the test turns."""

    def __init__(self) -> None:
        self.now = 100.0
        self.health, self.key, self.repeats = Health.LIVE, None, False
        self.frames = 0
        self.given = threading.Semaphore(0)
        self.waits = False

    def clock(self) -> float:
        return self.now

    def read(self, timeout: float = 0.0) -> Frame | None:
        if self.waits and not self.given.acquire(timeout=timeout):
            return None
        self.frames += 1
        return Frame(index=self.frames, captured_at=self.now, image=np.zeros((9, 16, 3), np.uint8))

    def state(self) -> SourceState:
        return SourceState(health=self.health, key=self.key, frames=self.frames, repeats=self.repeats)

    def describe(self) -> str:
        return "one table"

    def close(self) -> None:
        pass


class PlainSight:
    """An eye that sees a position of a game without error, and does what a test asks for first."""

    pose = None
    registration = None

    def __init__(self, moves: int = 30, first: Callable[[], None] = lambda: None) -> None:
        game, self.state = yu(), yu().initial()
        for action in played("greedy", 1)[:moves]:
            self.state = game.apply(self.state, action)
        self.first = first
        self.looking = False
        self.eye = PlainEye(layout=game.layout, pack=game.pack, steady=True)

    def observe(self, frame: Frame) -> Observation:
        self.first()
        seen = self.eye.look(yu().view(self.state), frame.index, frame.captured_at)
        return replace(seen, looking=self.looking)

    def take_as_bare(self, zones: frozenset[ZoneId], against: frozenset[ZoneId]) -> None:
        """It never takes print for pieces."""

    def hands(self) -> tuple[Any, ...]:
        return ()

    def fresh(self) -> "PlainSight":
        return PlainSight()


class Table:
    def __init__(self, eye: PlainSight) -> None:
        self.source = OneTable()
        self.events: list[Event] = []
        session = Session(yu(), "test")
        session.listen(self.events.append)
        self.shared = SharedSession(KIT, session)
        clock = self.source.clock
        self.watch = Watch(self.shared, eye, self.source, clock=clock, hanging_s=30)  # type: ignore[arg-type]

    def look(self, seconds: float) -> None:
        self.source.now += seconds
        self.watch.look(0.0)

    @property
    def times(self) -> list[float]:
        return [
            event.observation.seen_at if isinstance(event, Observed) else event.at
            for event in self.events
            if isinstance(event, Observed | Still)
        ]


@pytest.mark.parametrize("health", [Health.STALE, Health.LOST])
def test_pictures_of_no_use_are_not_told_to_the_session(health: Health) -> None:
    table = Table(PlainSight())
    table.look(1.0)
    told = len(table.events)
    table.source.health, table.source.key = health, "source.frozen"  # type: ignore[assignment]
    for _ in range(20):
        table.look(1.0)
    assert len(table.events) == told
    camera = table.shared.snapshot().camera
    assert camera.state is not CameraState.LIVE
    assert camera.why is not None
    assert camera.why.key == "source.frozen"
    table.source.health, table.source.key = Health.LIVE, None
    table.look(1.0)
    assert len(table.events) > told


def test_a_picture_that_only_repeats_itself_is_no_news_of_the_table() -> None:
    """A camera that froze in the middle of a move once showed a calm table until that was noticed."""
    table = Table(PlainSight())
    table.look(1.0)
    told = len(table.events)
    table.source.repeats = True
    for _ in range(5):
        table.look(0.5)
    assert len(table.events) == told
    table.source.repeats = False
    table.look(0.5)
    assert len(table.events) > told


def test_that_a_table_was_looked_at_often_enough_is_told_though_it_looks_the_same() -> None:
    """Else what was told from its first look would never be thought over, and heaps not be counted from."""
    eye = PlainSight()
    eye.looking = True
    table = Table(eye)
    table.look(0.1)
    eye.looking = False
    table.look(0.1)
    table.look(0.1)
    assert [event.observation.looking for event in table.events if isinstance(event, Observed)] == [
        True,
        False,
    ]


def test_time_in_which_nobody_could_see_does_not_count_as_patience() -> None:
    table = Table(PlainSight())
    for seconds in (0.5, 0.5, 3600.0, 0.5):
        table.look(seconds)
    first, *rest = table.times
    assert rest == pytest.approx([first + 0.5, first + 0.5 + UNSEEN_S, first + 1.0 + UNSEEN_S])


def test_memory_is_given_back_now_and_then_and_not_with_every_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times: list[float] = []
    table = Table(PlainSight())
    monkeypatch.setattr("assistant.run.give_back", lambda: times.append(table.source.now))
    for _ in range(100):
        table.look(1.0)
    assert len(times) == 3
    assert min(after - before for before, after in pairwise(times)) > TIDY_S


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        threading.Event().wait(0.02)


@contextmanager
def started(table: Table) -> Iterator[None]:
    table.source.waits = True
    table.watch.start()
    try:
        yield
    finally:
        table.watch.stop()


def test_a_reading_that_hangs_is_begun_again_and_what_it_says_later_is_not_believed() -> None:
    begun, held = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        held.wait(DEADLINE_S)

    table = Table(PlainSight(first=hang))
    with started(table):
        table.source.given.release()
        assert begun.wait(DEADLINE_S)
        table.source.now += 31
        wait_for(lambda: _why(table) == "watch.again")
        table.source.given.release()
        wait_for(lambda: len(table.events) == 1)
        assert _why(table) is None
        held.set()
        wait_for(lambda: sum(thread.name == "watch" for thread in threading.enumerate()) == 1)
        assert len(table.events) == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_watch_that_dies_is_begun_again() -> None:
    def die() -> None:
        raise ZeroDivisionError("as a bug would")

    table = Table(PlainSight(first=die))
    with started(table):
        table.source.given.release()
        wait_for(lambda: _why(table) == "watch.again")
        table.source.given.release()
        wait_for(lambda: len(table.events) == 1)


def test_when_too_many_readings_hang_the_player_is_told_to_start_again() -> None:
    held = threading.Event()

    def hang() -> None:
        held.wait(DEADLINE_S)

    eye = PlainSight(first=hang)
    eye.fresh = lambda: eye  # type: ignore[method-assign]
    table = Table(eye)
    with started(table):
        for _ in range(3):
            before = table.source.frames
            table.source.given.release()
            wait_for(lambda before=before: table.source.frames > before)  # type: ignore[misc]
            wait_for(lambda: table.watch.busy)
            table.source.now += 31
            wait_for(lambda: not table.watch.busy or _why(table) == "watch.stuck")
        assert _why(table) == "watch.stuck"
        held.set()


def _why(table: Table) -> str | None:
    why = table.shared.snapshot().camera.why
    return None if why is None else why.key


def test_another_game_sees_its_table_though_that_lies_as_before() -> None:
    table = Table(PlainSight())
    table.look(1.0)
    table.shared.change(lambda: (Session(yu(), "another"), lambda: None))
    assert not table.shared.has_seen()
    table.look(1.0)
    assert table.shared.has_seen()


def test_time_goes_on_where_it_was_when_a_game_is_taken_up_again() -> None:
    """The machine's clock may have begun anew, or run on for days: neither is patience."""
    table = Table(PlainSight())
    table.shared.observe(
        PlainSight().observe(Frame(index=1, captured_at=5000.0, image=np.zeros((9, 16, 3), np.uint8)))
    )
    table.events.clear()
    for _ in range(3):
        table.look(1.0)
    assert table.times == [5000.0, 5001.0, 5002.0]
