"""A command as a person starts it: in a process of its own, from the interpreter's start to its end."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_EVERY_S = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    seconds: float
    most_mb: float
    """The most memory it had at any time; 0 where the system does not tell."""


def run_command(arguments: Sequence[str], out: Path, compiled: Path) -> Cost:
    """Runs `floodwatch` with these arguments; what it prints goes to a file.

    An installed program is compiled already: `compiled` is the folder where that is kept from run to run.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with out.open("wb") as file:
        begun = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "assistant.cli", *arguments],
            cwd=ROOT,
            env={**kept, "PYTHONPYCACHEPREFIX": str(compiled)},
            stdout=file,
        )
        most = 0.0
        while process.poll() is None:
            most = max(most, _most_mb(process.pid))
            time.sleep(_EVERY_S)
        seconds = time.monotonic() - begun
    if process.returncode:
        raise RuntimeError(f"floodwatch {' '.join(arguments)} ended with {process.returncode}")
    return Cost(seconds=seconds, most_mb=most)


def _most_mb(process: int) -> float:
    """The system's own count of it. What a parent is told at the end would begin with the parent's memory."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)
