"""Advice from a process of its own: asking never waits, and a process that hangs or dies is started again."""

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from assistant.advice import Advice, Strength
from assistant.advise.letter import advice_from_json
from assistant.advise.say import first_words, trimmed
from assistant.kit import Game, GameKit
from vision.pack import format_pack

HANGING_S: Final = 60.0
"""A process that owes an answer for longer is started again; on a busy machine starting alone takes 20 s."""
WORKER: Final = (sys.executable, "-m", "assistant.advise.worker")

log = logging.getLogger(__name__)


class ProcessAdviser:
    """An `Adviser` (see assistant.advice) for the position that `state` tells."""

    def __init__(
        self,
        kit: GameKit,
        game: Game[Any, Any],
        state: Callable[[], Any],
        *,
        confirmed: Mapping[str, str] = MappingProxyType({}),
        command: tuple[str, ...] = WORKER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game = game
        self._state = state
        self._command = command
        self._clock = clock
        self._first = {"game": kit.name, "pack": format_pack(game.pack), "confirmed": dict(confirmed)}
        self._lock = threading.Condition()
        self._process: subprocess.Popen[str] | None = None
        self._asked: Any = None
        self._id = 0
        self._waiting_since: float | None = None
        self._advice: Advice | None = None

    def ask(self, strength: Strength) -> Advice:
        """The best answer so far, at once; asking again gets the better one."""
        state = self._state()
        said = first_words(self._game, state, strength)
        if said.plain is not None or strength is Strength.OFF or self._game.advising is None:
            return said
        with self._lock:
            if self._asked != state:
                self._asked, self._advice = state, None
                self._send()
            elif self._has_failed():
                log.warning("The advisor gave no answer; it is started again.")
                self._kill()
                self._send()
            advice = self._advice
        return said if advice is None else trimmed(advice, strength)

    def wait(self, timeout: float) -> bool:
        """Waits until there is an answer to what was asked last; False if none came in time."""
        with self._lock:
            return self._lock.wait_for(lambda: self._advice is not None, timeout)

    def close(self) -> None:
        with self._lock:
            self._kill()

    def _has_failed(self) -> bool:
        if self._waiting_since is None:
            return False
        died = self._process is None or self._process.poll() is not None
        return died or self._clock() - self._waiting_since > HANGING_S

    def _send(self) -> None:
        self._id += 1
        self._waiting_since = self._clock()
        request = {"id": self._id, "state": self._game.encode(self._asked)}
        try:
            self._write(request)
        except OSError:
            # It died since the last question; a new one gets this question.
            self._kill()
            self._write(request)

    def _write(self, request: Mapping[str, Any]) -> None:
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()

    def _start(self) -> None:
        process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(self._first) + "\n")
        self._process = process
        threading.Thread(target=self._listen, args=(process,), name="advice", daemon=True).start()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                answer = json.loads(line)
                advice = advice_from_json(answer["advice"])
                with self._lock:
                    if answer["id"] == self._id:
                        self._advice = advice
                        self._waiting_since = self._clock() if advice.thinking else None
                        self._lock.notify_all()

    def _kill(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            # What was not read yet goes with the process.
            try:
                self._process.stdin.close()
            except OSError:
                log.debug("The advisor's input was already closed.")
        self._process = None
