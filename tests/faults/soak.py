"""An evening of hours in minutes: memory must stay flat, and no thread or file may be left behind."""

import gc
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assistant.web.drawing import drawing_of
from assistant.web.naming import PageWording
from assistant.web.shown import show
from tests.benchmarks.report import Report
from tests.faults.camera_faults import FAULTS
from tests.faults.inject import injected
from tests.faults.load import MOST_GROWTH, memory_of
from tests.faults.program import Evening, Furniture, evening

REST_S: Final = 45.0
"""How long a player thinks about a move; looked at every few seconds only, to be done sooner."""
GLANCE_S: Final = 3.0
FAULT_EVERY: Final = 15
WARM: Final = 1 / 3
FEWEST_SAMPLES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    at_s: float
    memory_mb: float
    threads: int
    files: int


def soak(seconds: float, hours: float, seed: int, progress: Callable[[float], None]) -> Report:
    """Until so many hours have passed on the table, or so many seconds here."""
    report = Report("soak", "A long evening, compressed")
    samples: list[Sample] = []
    begun = time.monotonic()
    moves = faults = games = 0
    luck = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, evening(Furniture(), Path(folder), seed) as playing:
        playing.rest_until_understood(20)
        while playing.camera.clock() < hours * 3600 and time.monotonic() - begun < seconds:
            if not playing.move():
                playing.begin_anew()
                games += 1
            moves += 1
            _think(playing)
            if moves % FAULT_EVERY == 0:
                faults += injected(playing, luck.choice(FAULTS), luck).injected
                playing.camera.spoil = None
            samples.append(_sampled(playing))
            progress(max(playing.camera.clock() / (hours * 3600), (time.monotonic() - begun) / seconds))
    _tell(report, samples, moves, games, faults, seed)
    return report


def _think(playing: Evening) -> None:
    """Nobody touches the table, and a tablet shows each snapshot."""
    kit, game = playing.recorded.shared.kit, playing.recorded.shared.game
    wording = PageWording("en", kit, game.pack, drawing_of(kit.folder))
    until = playing.camera.clock() + REST_S
    playing.rest_until_understood(10)
    while playing.camera.clock() < until:
        playing.tick(GLANCE_S)
        show(playing.snapshot, wording).model_dump_json()


def _sampled(playing: Evening) -> Sample:
    gc.collect()
    return Sample(
        at_s=playing.camera.clock(),
        memory_mb=memory_of(),
        threads=threading.active_count(),
        files=len(list(Path("/proc/self/fd").iterdir())),
    )


def _tell(report: Report, samples: list[Sample], moves: int, games: int, faults: int, seed: int) -> None:
    warm = samples[int(len(samples) * WARM) :]
    part = max(1, len(warm) // 4)
    first, last = warm[:part], warm[-part:]
    memory = [statistics.median(sample.memory_mb for sample in some) for some in (first, last)]
    report.row("hours on the table", samples[-1].at_s / 3600)
    report.row("moves", moves)
    report.row("games ended", games)
    report.row("camera faults injected", faults)
    report.row("memory after warm-up, MB", memory[0])
    report.row("memory at the end, MB", memory[1])
    growth = 100 * (memory[1] / memory[0] - 1)
    report.row("growth of memory, %", growth, 100 * MOST_GROWTH, at_most=True)
    for name in ("threads", "files"):
        counts = [max(getattr(sample, name) for sample in some) for some in (first, last)]
        report.row(f"{name} after warm-up", counts[0])
        report.row(f"{name} at the end", counts[1], counts[0], at_most=True)
    report.note(f"Seed {seed}; the first third of the time is warm-up. Command: `make faults ARGS=--soak`.")
    report.note(
        "The virtual table runs in the same process and keeps the face of each card that it has drawn once: "
        "that memory is counted too, and grows until every card has been shown."
    )
    if len(samples) < FEWEST_SAMPLES:
        report.note("Too short to mean anything: give it more --seconds.")
