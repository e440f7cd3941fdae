"""What can happen to the program and its disk, tried on a game that is played in a process of its own."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from assistant.record.database import FILE_NAME
from assistant.record.store import open_store
from tests.faults.inject import Tally
from tests.faults.process import Played

PATIENCE_S: Final = 240.0
"""Generous: a busy machine must not look like a broken program."""
DISK_MB: Final = 4
_PAGE: Final = 4096


@contextmanager
def judged(game: Played, tally: Tally) -> Iterator[None]:
    """Compares the record before and after a fault, and waits for the game to go on."""
    safe, accused = game.saved(), game.accusations()
    yield
    more = game.wait_for(lambda: len(game.saved()) > len(safe), PATIENCE_S)
    after = game.saved()
    tally.injected += 1
    tally.survived += int(more is not None and not tally.remarks)
    tally.lost += sum(old not in after for old in safe) if after[: len(safe)] != safe else 0
    tally.false_findings += max(0, game.accusations() - accused)
    if more is None:
        tally.remarks.append(f"did not go on: {''.join(game.said[-3:])}")


def killed(game: Played, luck: random.Random) -> Tally:
    """SIGKILL while something is being written, and a new start on the same record."""
    tally = Tally()
    game.wait_for(lambda: len(game.saved()) > 0, PATIENCE_S)
    time.sleep(luck.uniform(0.0, 3.0))
    with judged(game, tally):
        game.kill()
        safe = len(game.saved())
        begun = time.monotonic()
        game.start()
        shown = game.wait_for(lambda: game.snapshot()["moves"] >= safe, PATIENCE_S)
        tally.recovery_s.append(time.monotonic() - begun)
        if shown is None:
            tally.remarks.append(f"{safe} moves were safe, {game.snapshot()['moves']} are shown")
    return tally


def suspended(game: Played, luck: random.Random) -> Tally:
    """The laptop's lid is closed for a while."""
    tally = Tally()
    with judged(game, tally):
        game.signal(signal.SIGSTOP)
        time.sleep(luck.uniform(3.0, 8.0))
        number = None
        game.signal(signal.SIGCONT)
        begun = time.monotonic()
        number = game.snapshot()["number"]
        newer = game.wait_for(lambda: game.snapshot()["number"] > number, PATIENCE_S)
        tally.recovery_s.append(time.monotonic() - begun)
        if newer is None:
            tally.remarks.append("nothing new after waking up")
    return tally


def locked(game: Played, luck: random.Random) -> Tally:
    """A backup program keeps the database locked for longer than we are patient."""
    tally = Tally()
    with judged(game, tally):
        with closing(sqlite3.connect(game.folder / FILE_NAME, isolation_level=None, timeout=60)) as other:
            other.execute("BEGIN IMMEDIATE")
            _say(game, tally, "locked", lambda: "locked" in (game.snapshot()["trouble"] or ""))
            time.sleep(luck.uniform(0.0, 2.0))
            other.rollback()
        _recover(game, tally, lambda: game.snapshot()["trouble"] is None)
    return tally


def copied(game: Played, _luck: random.Random) -> Tally:
    """A second copy is started on the same table: it is refused in one sentence, and the first goes on."""
    tally = Tally()
    with judged(game, tally):
        begun = time.monotonic()
        other = game.launched()
        said, _ = other.communicate(timeout=PATIENCE_S)
        tally.recovery_s.append(time.monotonic() - begun)
        if other.returncode == 0 or "Another floodwatch is already watching table" not in said:
            tally.remarks.append(f"the second copy ended with {other.returncode}: {said[-300:]}")
    return tally


def damaged(game: Played, luck: random.Random) -> Tally:
    """A page of the database is destroyed while the program is off: noticed, kept aside, the rest saved."""
    tally = Tally(injected=1)
    game.wait_for(lambda: len(game.saved()) > 3, PATIENCE_S)
    game.kill()
    safe = game.saved()
    open_store(game.folder).close()  # moves all of it into the one file
    file = game.folder / FILE_NAME
    data = bytearray(file.read_bytes())
    # Not the first page: it names the tables, and without it there is nothing to save.
    page = luck.randrange(1, len(data) // _PAGE) * _PAGE
    data[page : page + _PAGE] = b"\x5a" * _PAGE
    file.write_bytes(data)
    begun = time.monotonic()
    game.start()
    tally.recovery_s.append(time.monotonic() - begun)
    before = len(game.saved())
    more = game.wait_for(lambda: len(game.saved()) > before, PATIENCE_S)
    kept = list(game.folder.glob("*-damaged-*.sqlite3"))
    after = game.saved()
    gone = [notation for notation in safe if notation not in after]
    noticed = bool(kept)
    tally.survived = int(more is not None and (noticed or not gone))
    tally.on_lost_pages = len(gone)
    if not tally.survived:
        tally.remarks.append(f"kept aside: {[path.name for path in kept]}, goes on: {more is not None}")
    return tally


def full(folder: Path, seed: int, _luck: random.Random) -> Tally:
    """The disk fills up while a game is played, and is emptied again."""
    tally = Tally()
    mount = f'mount -t tmpfs -o size={DISK_MB}m tmpfs {folder} && exec "$@"'
    game = Played(folder, seed=seed, inside=("unshare", "-rm", "sh", "-c", mount, "sh"))
    game.start()
    try:
        disk = Path(f"/proc/{game.pid}/root{folder}")
        game.look_into(disk)
        game.wait_for(lambda: len(game.saved()) > 0, PATIENCE_S)
        with judged(game, tally):
            _fill(disk / "ballast")
            _say(game, tally, "full", lambda: "disk is full" in (game.snapshot()["trouble"] or ""))
            (disk / "ballast").unlink()
            _recover(game, tally, lambda: game.snapshot()["trouble"] is None)
    finally:
        game.kill()
    return tally


def read_only(folder: Path, seed: int, _luck: random.Random) -> Tally:
    """`floodwatch demo` on a disk that cannot be written to says so and ends; writable again, it starts."""
    tally = Tally(injected=1)
    mount = f'mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && exec "$@"'
    barred = Played(folder, seed=seed, inside=("unshare", "-rm", "sh", "-c", mount, "sh"))
    said, _ = (process := barred.launched(DEMO)).communicate(timeout=PATIENCE_S)
    if process.returncode in (0, None) or "cannot be written to" not in said or "Traceback" in said:
        tally.remarks.append(f"ended with {process.returncode}: {said[-300:]}")
    game = Played(folder, seed=seed)
    try:
        tally.recovery_s.append(game.start())
    finally:
        game.kill()
    tally.survived = int(not tally.remarks)
    return tally


DEMO: Final = ("assistant.cli", "demo", "--no-browser", "--language", "en")


def can_mount() -> bool:
    """Whether we may mount small disks here, in a name space of our own."""
    if shutil.which("unshare") is None or not sys.platform.startswith("linux"):
        return False
    tried = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False
    )
    return tried.returncode == 0


def _say(game: Played, tally: Tally, what: str, condition: Callable[[], bool]) -> None:
    if game.wait_for(condition, PATIENCE_S) is None:
        tally.remarks.append(f"the page never said that the record is {what}")


def _recover(game: Played, tally: Tally, condition: Callable[[], bool]) -> None:
    seconds = game.wait_for(condition, PATIENCE_S)
    if seconds is None:
        tally.remarks.append("the page still complains")
    else:
        tally.recovery_s.append(seconds)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(bytes(16_384))
        except OSError:
            os.fsync(ballast.fileno())


RUNNING: Final = {
    "killed at any moment": killed,
    "suspended and resumed": suspended,
    "database locked": locked,
    "a second copy on the same table": copied,
    "database damaged": damaged,
}
DISKS: Final = {"disk full": full, "read-only disk": read_only}
