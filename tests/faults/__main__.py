"""`make faults`: plays games while faults are injected by seed, and prints what came of each kind."""

import argparse
import datetime
import itertools
import logging
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.benchmarks.report import DOCS, machine
from tests.faults.camera_faults import FAULTS, CameraFault
from tests.faults.inject import Tally, injected
from tests.faults.inner_faults import INNER
from tests.faults.load import four_k, tablets
from tests.faults.process import Played
from tests.faults.process_faults import DISKS, RUNNING, can_mount
from tests.faults.program import Furniture, evening
from tests.faults.soak import soak

SECONDS: Final = 300.0
SOAK_SECONDS: Final = 3600.0
"""At most: a quiet machine needs ten minutes."""
PER_GAME: Final = 12
"""Camera faults in one game; then another one begins on another table."""
HEADINGS: Final = (
    "fault",
    "injected",
    "survived",
    "moves lost",
    "false findings",
    "false moves",
    "recovered in, s",
)


class Run:
    """All faults of one run: every kind once, then, until the time is over, once more and again by seed."""

    def __init__(self, seed: int, seconds: float, only: str, folder: Path, console: Console) -> None:
        self.tallies: dict[str, Tally] = {}
        self._seed = seed
        self._ends_at = time.monotonic() + seconds
        self._bounded = False
        self._only = only
        self._folder = folder
        self._console = console
        self._luck = random.Random(seed)
        self._furniture = Furniture()
        self.reference = 0
        self.unclear = 0
        """Tables that were not understood before a fault: what came of it could not have been told."""

    def all(self) -> None:
        self._every_kind()
        self._bounded = True
        if not self._is_over:
            self._every_kind()
        while not self._is_over and self._wants_camera():
            kinds = [fault for fault in FAULTS if self._only in fault.name]
            self._camera(self._luck.choices(kinds, k=PER_GAME))

    @property
    def _is_over(self) -> bool:
        return self._bounded and time.monotonic() > self._ends_at

    def _every_kind(self) -> None:
        self._camera(self._luck.sample(FAULTS, len(FAULTS)) if self._bounded else list(FAULTS))
        self._inner()
        self._processes()

    def _wants_camera(self) -> bool:
        return any(self._only in fault.name for fault in FAULTS)

    def _fresh(self) -> Path:
        return self._folder / f"{sum(1 for _ in self._folder.iterdir())}"

    def _camera(self, faults: list[CameraFault]) -> None:
        wanted = [fault for fault in faults if self._only in fault.name]
        if not wanted or self._is_over:
            return
        seed = self._luck.randrange(1000)
        with evening(self._furniture, self._fresh(), seed) as playing:
            playing.rest_until_understood(20)
            for fault in wanted:
                if self._is_over:
                    break
                over = playing.game.outcome(playing.state) is not None
                if over or not playing.understood:
                    self.unclear += not over
                    playing.begin_anew()
                    playing.rest_until_understood(20)
                self._count(fault.name, partial(injected, playing, fault, self._luck))
            moves = len(playing.truth) - 1
        self.reference += self._without_faults(seed, moves)

    def _without_faults(self, seed: int, moves: int) -> int:
        """Findings of the same game when nothing goes wrong: what is not the faults' doing."""
        with evening(self._furniture, self._fresh(), seed) as playing:
            playing.rest_until_understood(20)
            for _ in range(moves):
                if not playing.move():
                    break
                playing.rest_until_understood(10)
            return len(playing.accused)

    def _inner(self) -> None:
        for name, inject in INNER.items():
            if self._only in name:
                self._count(name, partial(inject, self._furniture, self._fresh(), self._luck))
        if self._only in "4K at 30 frames/s":
            self._count("4K at 30 frames/s", lambda: four_k(self._furniture, 10.0))

    def _processes(self) -> None:
        running = {**RUNNING, "8 tablets, one slow, one with 200 lines": tablets}
        wanted = {name: inject for name, inject in running.items() if self._only in name}
        if wanted and not self._is_over:
            game = Played(self._fresh(), seed=self._seed + self._bounded)
            try:
                game.start()
                for name, inject in wanted.items():
                    self._count(name, partial(inject, game, self._luck))
            finally:
                game.kill()
        for name, try_disk in DISKS.items():
            if self._only in name and can_mount():
                folder = self._fresh()
                folder.mkdir()
                self._count(name, partial(try_disk, folder, self._seed, self._luck))

    def _count(self, name: str, inject: Callable[[], Tally]) -> None:
        if self._is_over:
            return
        self._console.print(f"[dim]{name} …[/]", end="\r")
        tally = inject()
        self.tallies.setdefault(name, Tally()).add(tally)
        for remark in tally.remarks:
            self._console.print(f"{name}: {remark}", style="yellow", markup=False)


def lines(tallies: dict[str, Tally]) -> Iterator[tuple[str, ...]]:
    total = Tally()
    for name, tally in tallies.items():
        total.add(tally)
        yield _line(name, tally)
    yield _line("all", total)


def _line(name: str, tally: Tally) -> tuple[str, ...]:
    times = sorted(tally.recovery_s)
    took = f"{statistics.median(times):.1f} (≤ {times[-1]:.1f})" if times else ""
    counts = (tally.injected, tally.survived, tally.lost, tally.false_findings, tally.invented)
    return (name, *(str(count) for count in counts), took)


def markdown(run: Run, command: str) -> str:
    today = datetime.datetime.now(tz=datetime.UTC).date()
    out = ["# Faults", "", f"Measured on {today}: {machine()}. Command: `{command}`.", ""]
    out += [f"| {' | '.join(HEADINGS)} |", "|---|" + "---:|" * (len(HEADINGS) - 1)]
    out += [f"| {' | '.join(line)} |" for line in lines(run.tallies)]
    return "\n".join([*out, "", *(f"- {note}" for note in notes(run))]) + "\n"


def notes(run: Run) -> Iterator[str]:
    yield (
        "Moves lost: committed moves that were in the record before the fault and not after it. "
        "False findings: broken rules shown although the robot breaks none; "
        f"the same games without faults show {run.reference}. "
        "False moves: recorded positions that never lay on the table."
    )
    yield (
        "Times of camera faults and clock jumps are seconds on the table's own clock from the end of the "
        "fault until the program believes what lies there; the others are seconds of this machine, busy as "
        "it was, with the start of the program in them."
    )
    if run.unclear:
        yield f"{run.unclear} times a new game was begun before a fault: the table was not understood."
    if lost := sum(tally.on_lost_pages for tally in run.tallies.values()):
        yield f"Database damaged: {lost} moves lay on the destroyed page itself and are gone with it."
    yield from itertools.chain.from_iterable(tally.notes for tally in run.tallies.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="every kind happens once, however long that takes"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only faults with these words in their name")
    parser.add_argument(
        "--soak", action="store_true", help="no faults of processes: a long evening, compressed"
    )
    parser.add_argument("--hours", type=float, default=6.0, help="of the soak, on the table's clock")
    parser.add_argument("--calm", action="store_true", help="a soak in which nothing goes wrong")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    console = Console()
    if options.soak:
        seconds = options.seconds if options.seconds != SECONDS else SOAK_SECONDS
        report = soak(seconds, options.hours, options.seed, console.print, faults=not options.calm)
        report.write()
        raise SystemExit(1 if report.missed else 0)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options.seed, options.seconds, options.only, Path(folder), console)
        run.all()
    table = Table(*HEADINGS, title="Faults", title_justify="left")
    for line in lines(run.tallies):
        table.add_row(*line)
    console.print(table)
    for note in notes(run):
        console.print(note, markup=False)
    if not options.only:
        command = f"python -m tests.faults --seconds {options.seconds:g} --seed {options.seed}"
        (DOCS / "faults.md").write_text(markdown(run, command), encoding="utf-8")
    bad = any(t.lost or t.invented or t.survived < t.injected for t in run.tallies.values())
    false = sum(tally.false_findings for tally in run.tallies.values())
    raise SystemExit(1 if bad or false > run.reference else 0)


if __name__ == "__main__":
    main()
