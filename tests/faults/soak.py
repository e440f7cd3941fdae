"""An evening of hours in minutes: memory must stay flat, and no thread or file may be left behind.

Most of an evening nobody moves: such a table is looked at every few seconds of its own clock. Moves, faults,
tablets and the ends of games are as they are. The robot plays sensibly, as a person would, and as it does for
the other faults. The table is drawn by another process, whose memory is its own.
"""

import gc
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.benchmarks.report import Report
from tests.faults.camera_faults import FAULTS, CameraFault
from tests.faults.inject import RECOVERED_WITHIN_S, Tally, injected
from tests.faults.load import MOST_GROWTH, memory_of
from tests.faults.program import Evening, Furniture, evening
from tests.faults.table import TableProcess
from tests.faults.visits import visited

REST_S: Final = 80.0
"""How long a player thinks about a move, or fetches tea."""
GLANCE_S: Final = 13.0
PACE: Final = 4.0
MOST_MOVES: Final = 70
"""Of one game: then the players give up, and clear the table for another one."""
FAULT_EVERY: Final = 5
"""So that each kind has happened once when the warm-up is over."""
VISIT_EVERY: Final = 5
SAMPLE_EVERY: Final = 3
TOLD_EVERY: Final = 15
"""Moves."""
WARM: Final = 1 / 3
FEWEST_SAMPLES: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    at_s: float
    memory_mb: float
    threads: int
    files: int


@dataclass(slots=True)
class Soaked:
    """What came of it."""

    moves: int = 0
    ended: int = 0
    given_up: int = 0
    unclear: int = 0
    """Moves after which the table was not understood when the next one began."""
    put_off: int = 0
    """Of these, how often a fault was due: it waits, because what came of it could not be told."""
    due_at: int = FAULT_EVERY
    visits: int = 0
    faults: Tally = field(default_factory=Tally)
    samples: list[Sample] = field(default_factory=list)
    cpu_s: float = 0.0
    seconds: float = 0.0
    pictures: int = 0
    hours: float = 0.0


def soak(
    seconds: float, hours: float, seed: int, progress: Callable[[str], None], *, faults: bool = True
) -> Report:
    """Until so many hours have passed on the table, or so many seconds here."""
    begun, cpu = time.monotonic(), time.process_time()
    done = Soaked()
    luck = random.Random(seed) if faults else None
    kinds = _kinds(random.Random(f"{seed}/kinds"))
    with (
        tempfile.TemporaryDirectory() as folder,
        evening(Furniture(), Path(folder), seed, pace=PACE, apart=True) as playing,
        visited(playing, playing.store) as visits,
    ):
        playing.rest_until_understood(20)
        while playing.camera.clock() < hours * 3600 and time.monotonic() - begun < seconds:
            _one_move(playing, done)
            if done.moves % VISIT_EVERY == 0:
                visits.one()
            if luck is not None and done.moves >= done.due_at:
                _go_wrong(playing, done, kinds, luck, progress)
            if done.moves % TOLD_EVERY == 0:
                newest = done.samples[-1]
                progress(
                    f"{newest.at_s / 3600:.2f} h, {done.moves} moves, {done.ended} games ended, "
                    f"{done.given_up} given up, {newest.memory_mb:.1f} MB, {newest.threads} threads, "
                    f"{newest.files} files"
                )
        done.visits, done.pictures = visits.number, playing.watch.pictures
        done.hours = playing.camera.clock() / 3600
        drawn = playing.table.cpu_s if isinstance(playing.table, TableProcess) else 0.0
    done.seconds = time.monotonic() - begun
    done.cpu_s = time.process_time() - cpu + drawn
    return told(done, hours, seed)


def _kinds(luck: random.Random) -> Iterator[CameraFault]:
    """Every kind once in an order of its own, again and again."""
    while True:
        yield from luck.sample(FAULTS, len(FAULTS))


def _one_move(playing: Evening, done: Soaked) -> None:
    given_up = len(playing.truth) > MOST_MOVES
    if given_up or not playing.move():
        playing.begin_anew()
        done.given_up += given_up
        done.ended += not given_up
    done.moves += 1
    _think(playing)
    done.unclear += not playing.understood
    if done.moves % SAMPLE_EVERY == 0:
        done.samples.append(_sampled(playing))


def _go_wrong(
    playing: Evening,
    done: Soaked,
    kinds: Iterator[CameraFault],
    luck: random.Random,
    progress: Callable[[str], None],
) -> None:
    if not playing.understood:
        done.put_off += 1
        return
    done.due_at = done.moves + FAULT_EVERY
    fault, before = next(kinds), memory_of()
    tally = injected(playing, fault, luck)
    playing.camera.spoil = None
    playing.rest_until_understood(RECOVERED_WITHIN_S)
    done.faults.add(tally)
    progress(f"{fault.name}: {memory_of() - before:+.1f} MB, survived {tally.survived}")
    for remark in tally.remarks:
        progress(remark)


def _think(playing: Evening) -> None:
    """Nobody touches the table."""
    until = playing.camera.clock() + REST_S
    playing.rest_until_understood(10)
    while playing.camera.clock() < until:
        playing.tick(GLANCE_S)


def _sampled(playing: Evening) -> Sample:
    gc.collect()
    return Sample(
        at_s=playing.camera.clock(),
        memory_mb=memory_of(),
        threads=threading.active_count(),
        files=len(list(Path("/proc/self/fd").iterdir())),
    )


def told(done: Soaked, hours: float, seed: int) -> Report:
    report = Report("soak", "A long evening, compressed")
    warm = done.samples[int(len(done.samples) * WARM) :]
    part = max(1, len(warm) // 4)
    first, last = warm[:part], warm[-part:]
    memory = [statistics.median(sample.memory_mb for sample in some) for some in (first, last)]
    report.row("hours on the table", done.hours, hours)
    report.row("seconds of one core, program and table", done.cpu_s)
    report.row("seconds on this machine, busy as it was", done.seconds)
    report.row("moves", done.moves)
    report.row("moves after which the table was not understood", done.unclear)
    report.row("games ended", done.ended)
    report.row("games given up", done.given_up)
    report.row("pictures looked at", done.pictures)
    report.row("visits of tablets, three lines each", done.visits)
    report.row("camera faults injected", done.faults.injected)
    report.row("moves by which a fault waited for an understood table", done.put_off)
    report.row("camera faults survived", done.faults.survived, done.faults.injected)
    report.row("moves lost", done.faults.lost, 0, at_most=True)
    report.row("false moves caused by faults", done.faults.invented, 0, at_most=True)
    report.row("false findings caused by faults", done.faults.false_findings, 0, at_most=True)
    report.row("memory after warm-up, MB", memory[0])
    report.row("memory at the end, MB", memory[1])
    growth = 100 * (memory[1] / memory[0] - 1)
    report.row("growth of memory, %", growth, 100 * MOST_GROWTH, at_most=True)
    for name in ("threads", "files"):
        counts = [max(getattr(sample, name) for sample in some) for some in (first, last)]
        report.row(f"{name} after warm-up", counts[0])
        report.row(f"{name} at the end", counts[1], counts[0], at_most=True)
    report.note(
        f"Seed {seed}; command: `make faults ARGS=--soak`. The first third of the time is warm-up; what "
        "follows is compared by the medians (threads and files: the most) of its first and its last quarter."
    )
    if len(done.samples) < FEWEST_SAMPLES:
        report.note("Too short to mean anything: give it more --seconds.")
    return report
