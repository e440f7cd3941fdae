"""A watched game as a process of its own that can be killed, stopped and asked, with its record."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from assistant.kit import Severity
from assistant.record.database import FILE_NAME
from assistant.record.errors import RecordError
from assistant.record.store import open_store
from assistant.record.values import RecordedGame

ROOT: Final = Path(__file__).parents[2]
STARTED_WITHIN_S: Final = 120.0
GLANCE_S: Final = 0.1
_ADDRESS: Final = re.compile(r"http://localhost:(\d+)/\S*#code=([0-9A-Z]{10})")


class Played:
    """One folder of records, and at most one program at a time that plays on it."""

    def __init__(self, folder: Path, *, seed: int = 3, inside: Sequence[str] = ()) -> None:
        """`inside` is put before the command, to run it in a world of its own."""
        self.folder = folder
        self._home = folder.parent / f"{folder.name}-home"
        self._inside = tuple(inside)
        self._seed = seed
        self.process: subprocess.Popen[str] | None = None
        self.said: list[str] = []
        self.address = self.code = ""
        self.tablet: httpx.Client | None = None
        self._record = folder

    def look_into(self, folder: Path) -> None:
        """Where the record is for us, when the program runs in a world of its own."""
        self._record = folder

    def start(self) -> float:
        """Seconds until a tablet is let in."""
        begun = time.monotonic()
        self.process = self.launched()
        port, self.code = self._way_in()
        self.address = f"http://localhost:{port}"
        self.tablet = httpx.Client(base_url=self.address, timeout=60)
        assert self.tablet.post("/api/pair", json={"code": self.code}).status_code == 204
        return time.monotonic() - begun

    def launched(self, program: Sequence[str] = ()) -> "subprocess.Popen[str]":
        """A game on the virtual table or another program, started on this record; it may refuse to run."""
        program = program or ("tests.faults.played", str(self._seed))
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(self._home),
            "FLOODWATCH_DATA": str(self.folder),
            "COLUMNS": "200",
            "OMP_NUM_THREADS": "1",
        }
        command = (sys.executable, "-u", "-m", *program)
        return subprocess.Popen(
            [*self._inside, *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _way_in(self) -> tuple[str, str]:
        found: list[re.Match[str]] = []
        ready = threading.Event()

        def read() -> None:
            assert self.process is not None
            assert self.process.stdout is not None
            for line in self.process.stdout:
                self.said.append(line)
                if match := _ADDRESS.search(line):
                    found.append(match)
                    ready.set()
            ready.set()

        threading.Thread(target=read, name="terminal", daemon=True).start()
        if not ready.wait(STARTED_WITHIN_S) or not found:
            raise RuntimeError(f"the program did not start: {''.join(self.said[-20:])}")
        return found[0].group(1), found[0].group(2)

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def snapshot(self) -> dict[str, Any]:
        assert self.tablet is not None
        answer: dict[str, Any] = self.tablet.get("/api/snapshot").json()
        return answer

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """As a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        if self.tablet is not None:
            self.tablet.close()
            self.tablet = None

    def wait_for(self, condition: Callable[[], bool], most_s: float) -> float | None:
        """Seconds until something is so; None if it never was."""
        begun = time.monotonic()
        while time.monotonic() - begun < most_s:
            if condition():
                return time.monotonic() - begun
            time.sleep(GLANCE_S)
        return None

    # The record as anybody else may read it

    def saved(self) -> list[str]:
        """The committed moves of all games, in their order."""
        return [action.notation for game in self._games() for action in game.actions]

    def accusations(self) -> int:
        """Broken rules that were recorded; the robot breaks none here."""
        findings = [told.finding for game in self._games() for told in game.findings]
        return sum(finding.severity is Severity.VIOLATION for finding in findings)

    def _games(self) -> list[RecordedGame]:
        """Of a copy: what runs in a world of its own has a disk that SQLite cannot reach from here."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                for name in (FILE_NAME, f"{FILE_NAME}-wal"):
                    if (self._record / name).exists():
                        shutil.copyfile(self._record / name, Path(folder) / name)
                with open_store(folder) as store:
                    return [store.load(summary.id) for summary in reversed(store.games())]
            except (OSError, RecordError):
                return []  # copied in the middle of something; whoever waits asks again
