"""What can happen inside the program: readings and advisors that hang or die, and clocks that jump."""

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any, Final
from unittest import mock

from assistant.advice import Strength
from assistant.advise.process import HANGING_S, ProcessAdviser
from assistant.advise.say import first_words
from assistant.kit import Dice
from assistant.run import HANGING_S as READING_HANGS_S
from tests.faults.inject import RECOVERED_WITHIN_S, Tally
from tests.faults.program import MOVING_S, Evening, Furniture, evening, wait_until

PATIENCE_S: Final = 240.0
_DAY_S: Final = 86_400.0


class Failing:
    """The reader of cards, as it is when it never comes back or breaks, once."""

    def __init__(self, reader: Any, *, dies: bool) -> None:
        self._reader = reader
        self._dies = dies
        self.failed = threading.Event()
        self.back = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def read(self, *arguments: Any) -> Any:
        if not self.failed.is_set():
            self.failed.set()
            if self._dies:
                raise ArithmeticError("as a bug would")
            self.back.wait(PATIENCE_S)
        return self._reader.read(*arguments)


def reading_fails(furniture: Furniture, folder: Path, luck: random.Random, *, dies: bool) -> Tally:
    """While a move is read; the watchdog begins again, and the game goes on."""
    tally = Tally(injected=1)
    with evening(furniture, folder, luck.randrange(1000)) as playing:
        playing.start_threads()
        playing.rest_until_understood(RECOVERED_WITHIN_S)
        playing.move()
        playing.rest_until_understood(RECOVERED_WITHIN_S)
        safe = playing.on_disk()
        reader = Failing(playing.eye.places, dies=dies)
        playing.eye.places = reader  # type: ignore[assignment]
        with mock.patch("threading.excepthook"):
            playing.hung = True
            playing.push_move()
            while not reader.failed.is_set():
                playing.camera.tick(MOVING_S)
                wait_until(lambda: not playing.watch.busy or reader.failed.is_set(), PATIENCE_S)
            if not dies:
                playing.camera.pass_time(READING_HANGS_S + 1)
            begun = time.monotonic()
            told = wait_until(lambda: _said(playing) == "watch.again", PATIENCE_S)
        tally.recovery_s = [time.monotonic() - begun]
        playing.hung = False
        while playing.table.waiting:
            playing.tick(MOVING_S)
        recovered = playing.rest_until_understood(RECOVERED_WITHIN_S)
        reader.back.set()
        goes_on = playing.move() and playing.rest_until_understood(RECOVERED_WITHIN_S) is not None
        tally.lost = int(playing.on_disk()[: len(safe)] != safe)
        tally.false_findings = len(playing.accused)
        tally.survived = int(told and recovered is not None and goes_on)
        if not tally.survived:
            tally.remarks.append(f"told {told}, recovered {recovered}, goes on {goes_on}")
    return tally


def _said(playing: Evening) -> str | None:
    why = playing.snapshot.camera.why
    return None if why is None else why.key


def advisor_hangs(furniture: Furniture, _folder: Path, luck: random.Random) -> Tally:
    """Its process is stopped while it thinks: asked again after a while, another one answers."""
    tally = Tally(injected=1)
    game = furniture.game
    now = [0.0]
    state = _position(furniture, luck)
    adviser = ProcessAdviser(furniture.kit, game, lambda: state, clock=lambda: now[0])
    try:
        before = _children()
        adviser.ask(Strength.BEST)
        for pid in _children() - before:
            os.kill(pid, signal.SIGSTOP)
        now[0] += HANGING_S + 1
        begun = time.monotonic()
        adviser.ask(Strength.BEST)
        tally.survived = int(adviser.wait(PATIENCE_S))
        tally.recovery_s = [time.monotonic() - begun]
    finally:
        adviser.close()
    if not tally.survived:
        tally.remarks.append("no advice came")
    return tally


def _position(furniture: Furniture, luck: random.Random) -> Any:
    game, dice = furniture.game, Dice(luck.randrange(1000))
    state = game.initial()
    for _ in range(40):
        state = game.apply(state, game.policies["greedy"](state, dice))
    while first_words(game, state, Strength.BEST).plain is not None:  # where there is nothing to think about
        state = game.apply(state, game.policies["greedy"](state, dice))
    return state


def _children() -> set[int]:
    found = set[int]()
    for path in Path("/proc/self/task").glob("*/children"):
        found |= {int(pid) for pid in path.read_text().split()}
    return found


def clock_jumps(furniture: Furniture, folder: Path, luck: random.Random) -> Tally:
    """The machine learns what time it is: hours or days, to either side, in the middle of a game."""
    tally = Tally(injected=1)
    true = time.time
    with evening(furniture, folder, luck.randrange(1000)) as playing:
        playing.rest_until_understood(RECOVERED_WITHIN_S)
        playing.move()
        playing.rest_until_understood(RECOVERED_WITHIN_S)
        safe = playing.on_disk()
        recovered: float | None = None
        for jump in (luck.uniform(0.1, 400) * _DAY_S, -luck.uniform(0.1, 400) * _DAY_S):
            with mock.patch("time.time", lambda jump=jump: true() + jump):
                playing.move()
                recovered = playing.rest_until_understood(RECOVERED_WITHIN_S)
        after = playing.on_disk()
        tally.lost = int(after[: len(safe)] != safe)
        tally.false_findings = len(playing.accused)
        tally.recovery_s = [] if recovered is None else [recovered]
        tally.survived = int(recovered is not None and len(after) > len(safe))
        if not tally.survived:
            tally.remarks.append(f"recovered {recovered}, {len(safe)} moves before, {len(after)} after")
    return tally


INNER: Final = {
    "reading of pictures hangs": lambda *given: reading_fails(*given, dies=False),
    "reading of pictures dies": lambda *given: reading_fails(*given, dies=True),
    "advisor hangs": advisor_hangs,
    "clock jumps": clock_jumps,
}
