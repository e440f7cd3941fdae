"""Many tablets, a hostile one among them, and a camera that sends more than can be looked at."""

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import httpx
import numpy as np
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from assistant.run import Watch
from assistant.session import Session
from assistant.shared import SharedSession
from tests.faults.inject import Tally
from tests.faults.process import Played
from tests.faults.process_faults import PATIENCE_S, judged
from tests.faults.program import Furniture
from vision.feed import SourceOptions
from vision.frame import BgrImage
from vision.live import LiveSource
from vision.virtual.source import VirtualSource

TABLETS: Final = 8
SOCKETS: Final = 200
LINES_OF_ONE: Final = 8
WARM_MOVES: Final = 5
"""By then everything is loaded that a game needs."""
GLANCE_S: Final = 0.2
STEADY_FOR_S: Final = 6.0
LONGEST_WARM_UP_S: Final = 60.0
WATCHED_S: Final = 12.0
FOUR_K: Final = (3840, 2160)
FRAMES_PER_S: Final = 30.0
MOST_GROWTH: Final = 0.05


def memory_of(pid: int | str = "self") -> float:
    """Resident, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


@dataclass(slots=True)
class Tablet:
    address: str
    cookie: str
    heard: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def line(self, *, slow: bool = False) -> ClientConnection:
        host = self.address.partition("://")[2].rstrip("/")
        return connect(
            f"ws://{host}/api/live",
            origin=Origin(f"http://{host}"),
            additional_headers={"Cookie": self.cookie},
            open_timeout=60,
            max_queue=1 if slow else 16,
        )

    def listen(self) -> None:
        with contextlib.suppress(WebSocketException, OSError), self.line() as line:
            while not self.ended.is_set():
                with contextlib.suppress(TimeoutError):
                    line.recv(timeout=1.0)
                    self.heard += 1


def steady_memory(pid: int | str = "self") -> float:
    """The most MB of a process that has what it needs: one that has just begun still loads new things."""
    end = time.monotonic() + LONGEST_WARM_UP_S
    most, newest = 0.0, highest_memory(STEADY_FOR_S, pid)
    while newest > 1.005 * most and time.monotonic() < end:
        most, newest = max(most, newest), highest_memory(STEADY_FOR_S, pid)
    return max(most, newest)


def highest_memory(seconds: float, pid: int | str = "self") -> float:
    """The most MB within so many seconds: pictures come and go."""
    until = time.monotonic() + seconds
    most = memory_of(pid)
    while time.monotonic() < until:
        time.sleep(GLANCE_S)
        most = max(most, memory_of(pid))
    return most


def tablets(game: Played, luck: random.Random) -> Tally:
    """Eight tablets: six good ones, one that takes nothing, one that opens 200 lines."""
    tally = Tally()
    paired = [_paired(game) for _ in range(TABLETS)]
    played = len(game.saved())
    game.wait_for(lambda: len(game.saved()) >= played + WARM_MOVES, PATIENCE_S)
    with judged(game, tally):
        before = steady_memory(game.pid)
        with _listening(paired[:-2]), _silent(paired[-2]):
            refused = _flood(paired[-1])
            time.sleep(WATCHED_S + luck.random())
        grown = highest_memory(STEADY_FOR_S, game.pid) / before - 1
        begun = time.monotonic()
        game.snapshot()
        tally.recovery_s.append(time.monotonic() - begun)
    heard = [tablet.heard for tablet in paired[:-2]]
    tally.notes.append(
        f"{TABLETS} tablets: good ones heard {min(heard)} to {max(heard)} times in {WATCHED_S:.0f} s, "
        f"{refused} of {SOCKETS} lines of one were refused, memory {grown:+.1%}"
    )
    if min(heard) < 2 or refused < SOCKETS - LINES_OF_ONE or grown > 2 * MOST_GROWTH:
        tally.survived = 0
        tally.remarks.append(tally.notes[-1])
    return tally


def _paired(game: Played) -> Tablet:
    with httpx.Client(base_url=game.address, timeout=60) as client:
        answer = client.post("/api/pair", json={"code": game.code})
        assert answer.status_code == 204, answer.text
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return Tablet(game.address, cookie)


@contextlib.contextmanager
def _listening(tablets: list[Tablet]) -> Iterator[None]:
    threads = [threading.Thread(target=tablet.listen, daemon=True) for tablet in tablets]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for tablet in tablets:
            tablet.ended.set()
        for thread in threads:
            thread.join(10)


@contextlib.contextmanager
def _silent(tablet: Tablet) -> Iterator[None]:
    """A tablet whose network has stopped taking anything."""
    with contextlib.suppress(WebSocketException, OSError), tablet.line(slow=True):
        yield


def _flood(tablet: Tablet) -> int:
    """How many of its lines were refused; those that were not stay open to the end."""
    refused = 0
    with contextlib.ExitStack() as held:
        for _ in range(SOCKETS):
            try:
                line = held.enter_context(tablet.line())
                line.recv(timeout=60)
            except (InvalidStatus, WebSocketException):
                refused += 1
    return refused


class FourK:
    """A camera of 4K at 30 frames/s over one picture of a table, each with a grain of its own."""

    def __init__(self, picture: BgrImage) -> None:
        self._picture = np.asarray(cv2.resize(picture, FOUR_K, interpolation=cv2.INTER_LINEAR), np.uint8)
        self._number = 0
        self._due_at = time.monotonic()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, BgrImage]:
        self._due_at = max(self._due_at + 1 / FRAMES_PER_S, time.monotonic() - 0.5)
        time.sleep(max(0.0, self._due_at - time.monotonic()))
        self._number += 1
        image = self._picture.copy()
        image[:: 16 + self._number % 3, ::16] ^= 1
        return True, image

    def release(self) -> None:
        """There is nothing to let go of."""


def four_k(furniture: Furniture, seconds: float) -> Tally:
    """More pictures than can be read: the newest is looked at, the others are dropped, and memory stays."""
    tally = Tally(injected=1)
    view = furniture.game.view(furniture.game.initial())
    picture = VirtualSource(furniture.scene, view, live=False).look(0.1).image
    source = LiveSource("4K", SourceOptions(), opened=lambda *_: FourK(picture))
    shared = SharedSession(furniture.kit, Session(furniture.game, furniture.kit.name))
    watch = Watch(shared, furniture.eye(), source)
    watch.start()
    try:
        _wait_for_pictures(watch, 6)
        warm = steady_memory()
        most = highest_memory(seconds)
        state = source.state()
        looked = watch.pictures
    finally:
        watch.stop()
    grown = most / warm - 1
    tally.notes.append(
        f"4K: {state.frames} frames came, {looked} were looked at, {state.dropped} dropped, "
        f"memory {grown:+.1%} at most"
    )
    tally.survived = int(state.dropped > 0 and looked > 0 and grown < MOST_GROWTH)
    if not tally.survived:
        tally.remarks.append(tally.notes[-1])
    return tally


def _wait_for_pictures(watch: Watch, number: int) -> None:
    end = time.monotonic() + 120
    while watch.pictures < number and time.monotonic() < end:
        time.sleep(0.1)
