"""A recorded game thought over in a process of its own, so that whoever watches the table is never slowed."""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assistant.kit import Game, GameKit
from vision.pack import format_pack

WORKER: Final = (sys.executable, "-m", "assistant.advise.review_worker")
SECONDS: Final = 0.3
"""How long each decision is thought over: a game of forty takes a quarter of a minute."""
LONGEST_S: Final = 900.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """One decision that cost much, in notation."""

    number: int
    """Which step of the game this was, from 0."""
    round: int
    played: tuple[str, ...]
    better: tuple[str, ...]
    win_played: float
    win_better: float


def request_of(
    kit: GameKit,
    game: Game[Any, Any],
    steps: Sequence[tuple[Mapping[str, Any], str]],
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """What the process must know: the game, and each position with the notation of what was done there."""
    confirmed = steps[0][0].get("settings", {}) if steps else {}
    return {
        "game": kit.name,
        "pack": format_pack(game.pack),
        "confirmed": dict(confirmed),
        "seconds": seconds,
        "steps": [[dict(state), notation] for state, notation in steps],
    }


class Reviewer:
    """Thinks about one game at a time; what it found is remembered."""

    def __init__(self, *, command: tuple[str, ...] = WORKER) -> None:
        self._command = command
        self._lock = threading.Condition()
        self._one_at_a_time = threading.Lock()
        self._found: dict[Hashable, tuple[Reviewed, ...] | None] = {}
        self._process: subprocess.Popen[str] | None = None
        self._closed = False

    def ask(self, key: Hashable, request: Callable[[], dict[str, Any]]) -> tuple[Reviewed, ...] | None:
        """The costly decisions, the worst first; None while they are thought about. Never waits."""
        with self._lock:
            if key not in self._found:
                thinking = (key, request())
                self._found[key] = None
                threading.Thread(target=self._think, args=thinking, name="review", daemon=True).start()
            return self._found[key]

    def wait(self, key: Hashable, timeout: float) -> bool:
        """Waits until this game was thought over; False if that took too long."""
        with self._lock:
            return self._lock.wait_for(lambda: self._found.get(key) is not None, timeout)

    def close(self) -> None:
        """What is being thought over is given up."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _think(self, key: Hashable, request: dict[str, Any]) -> None:
        with self._one_at_a_time:
            found = self._asked(request)
        with self._lock:
            if found is None:
                del self._found[key]
            else:
                self._found[key] = found
            self._lock.notify_all()

    def _asked(self, request: dict[str, Any]) -> tuple[Reviewed, ...] | None:
        """None where the process failed: asking again tries again."""
        with self._lock:
            if self._closed:
                return None
            pipe = subprocess.PIPE
            process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
            self._process = process
        try:
            answer, _ = process.communicate(json.dumps(request), timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            answer = ""
        if process.returncode != 0:
            log.warning("A game could not be thought over; the process ended with %d.", process.returncode)
            return None
        return tuple(
            Reviewed(**{**one, "played": tuple(one["played"]), "better": tuple(one["better"])})
            for one in json.loads(answer)
        )
