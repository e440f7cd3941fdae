"""`make fuzz`: hands damaged inputs to every reader for some seconds each, and counts what happens."""

import argparse
import logging
import os
import random
import signal
import time
import traceback
from dataclasses import dataclass
from types import FrameType

from rich.console import Console
from rich.progress import Progress

from tests.benchmarks.report import Report
from tests.fuzz.targets import REFUSALS, Target, targets

HANG_SECONDS = 5


@dataclass(slots=True)
class Tally:
    tried: int = 0
    refused: int = 0
    crashed: int = 0
    slowest: float = 0.0
    first_crash: str = ""


class HangError(Exception):
    """An input that kept a reader busy for too long."""


def tried(target: Target, *, seed: int, seconds: float = 0.0, inputs: int = 0) -> Tally:
    """Until so many seconds of a core are spent and the number is reached, whichever is later."""
    signal.signal(signal.SIGALRM, _hang)
    luck = random.Random(f"{seed}/{target.name}")
    tally = Tally()
    begun = time.process_time()
    while tally.tried < inputs or time.process_time() - begun < seconds:
        data = target.damaged(luck.choice(target.examples), target.examples, luck)
        _try(target, data, tally)
    return tally


def _try(target: Target, data: bytes, tally: Tally) -> None:
    begun = time.monotonic()
    signal.alarm(HANG_SECONDS)
    try:
        target.read(data)
    except REFUSALS:
        tally.refused += 1
    except Exception:  # whatever it is, it is what we are looking for
        tally.crashed += 1
        tally.first_crash = tally.first_crash or f"{data[:2000]!r}\n{traceback.format_exc()}"
    finally:
        signal.alarm(0)
    tally.tried += 1
    tally.slowest = max(tally.slowest, time.monotonic() - begun)


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise HangError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of a core, for each kind of input")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    errors = Console(file=os.fdopen(os.dup(2), "w"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # image libraries complain about every damaged picture
    report = Report("fuzz", "Damaged inputs")
    crashes = []
    with Progress(transient=True) as progress:
        for target in progress.track(targets(), description="fuzzing"):
            tally = tried(target, seed=options.seed, seconds=options.seconds * target.share)
            report.row(f"{target.name}: inputs", tally.tried)
            report.row(f"{target.name}: refused with a sentence", tally.refused)
            report.row(f"{target.name}: crashes and hangs", tally.crashed, 0, at_most=True)
            report.row(f"{target.name}: slowest input, s", tally.slowest, HANG_SECONDS, at_most=True)
            crashes += [f"{target.name}: {tally.first_crash}"] if tally.crashed else []
    report.note(
        f"Seed {options.seed}, {options.seconds:g} s of one core each, records five times as long. "
        f"Command: `make fuzz ARGS='--seconds {options.seconds:g} --seed {options.seed}'`."
    )
    report.write()
    for crash in crashes:
        errors.print(crash, markup=False, highlight=False)
    raise SystemExit(1 if crashes else 0)


if __name__ == "__main__":
    main()
