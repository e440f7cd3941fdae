"""`make fuzz-guided`: damages are chosen by the code that they reach, with atheris where it can be installed.

Each reader is tried in a process of its own, because libFuzzer ends the one that it runs in.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HANG_SECONDS = 10
"""Instrumented code is slow, and the machine may be busy."""
OURS = (
    "assistant.games", "assistant.record", "assistant.events", "assistant.commands.own",
    "calibration.profile", "vision.pack", "vision.facts", "vision.cards", "vision.image", "tomllib",
)  # fmt: skip
_TRIED = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
_COVERED = re.compile(r"cov: (\d+)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="for each kind of input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", help="only this one, in this process")
    options = parser.parse_args()
    if options.target:
        _fuzz(options.target, options.seconds, options.seed)
    try:
        import atheris  # noqa: F401
    except ImportError:
        raise SystemExit(
            "atheris is not installed: try `make fuzz-guided`, or `make fuzz` without it."
        ) from None
    _all(options.seconds, options.seed)


def _all(seconds: int, seed: int) -> None:
    from tests.benchmarks.report import Report
    from tests.fuzz.targets import targets

    report = Report("fuzz-guided", "Damaged inputs, guided by the code that they reach")
    broken = []
    for target in targets():
        said, code = _tried(target.name, seconds, seed)
        tried, covered = _TRIED.findall(said), _COVERED.findall(said)
        report.row(f"{target.name}: inputs", int(tried[-1]) if tried else 0)
        report.row(f"{target.name}: places of our code reached", int(covered[-1]) if covered else 0)
        report.row(f"{target.name}: crashes and hangs", int(code != 0), 0, at_most=True)
        broken += [said[-4000:]] if code else []
    report.note(f"atheris, seed {seed}, {seconds} s each. Command: `make fuzz-guided`.")
    report.write()
    for said in broken:
        print(said, file=sys.stderr)
    raise SystemExit(1 if broken else 0)


def _tried(target: str, seconds: int, seed: int) -> tuple[str, int]:
    command = [sys.executable, "-m", "tests.fuzz.guided", "--target", target]
    done = subprocess.run(
        [*command, "--seconds", str(seconds), "--seed", str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=10 * seconds + 600,
    )
    return done.stderr, done.returncode


def _fuzz(name: str, seconds: int, seed: int) -> None:
    """Never comes back: libFuzzer ends the process when the time is over or something broke."""
    import logging

    import atheris

    logging.disable(logging.CRITICAL)
    with atheris.instrument_imports(include=list(OURS)):
        from tests.fuzz.targets import REFUSALS, targets
    target = next(target for target in targets() if target.name == name)

    def read(data: bytes) -> None:
        try:
            target.read(data)
        except REFUSALS:
            return

    def damaged(data: bytes, most: int, number: int) -> Any:
        luck = random.Random(number)
        if luck.random() < 0.5:
            return atheris.Mutate(data, most)
        return target.damaged(data, target.examples, luck)[:most]

    with tempfile.TemporaryDirectory() as folder:
        for number, example in enumerate(target.examples):
            (Path(folder) / str(number)).write_bytes(example)
        longest = 4 * max(map(len, target.examples))
        arguments = [
            sys.argv[0], folder, f"-seed={seed}", f"-max_total_time={seconds}", f"-timeout={HANG_SECONDS}",
            "-rss_limit_mb=3000", "-print_final_stats=1", f"-artifact_prefix={tempfile.gettempdir()}{os.sep}",
            f"-max_len={longest}", "-verbosity=1",
        ]  # fmt: skip
        atheris.Setup(arguments, read, custom_mutator=damaged)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
