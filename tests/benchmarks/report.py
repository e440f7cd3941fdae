"""One table per benchmark: printed, and kept with date and machine in docs/benchmarks/."""

import datetime
import os
import platform
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

DOCS = Path(__file__).parents[2] / "docs" / "benchmarks"


@dataclass(slots=True)
class Report:
    name: str
    """The file it is kept in."""
    title: str
    rows: list[tuple[str, float, float | None, bool]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def row(self, what: str, value: float, bar: float | None = None, *, at_most: bool = False) -> None:
        """One measured value, and the bar that it should reach (or, `at_most`, stay below)."""
        self.rows.append((what, value, bar, at_most))

    def note(self, text: str) -> None:
        self.notes.append(text)

    @property
    def missed(self) -> tuple[str, ...]:
        """What did not reach its bar."""
        return tuple(
            what for what, value, bar, at_most in self.rows if _verdict(value, bar, at_most) == "missed"
        )

    def write(self) -> None:
        self.show()
        DOCS.mkdir(parents=True, exist_ok=True)
        (DOCS / f"{self.name}.md").write_text(self._markdown(), encoding="utf-8")

    def _lines(self) -> list[tuple[str, str, str, str]]:
        return [
            (what, _number(value), "" if bar is None else _bar(bar, at_most), _verdict(value, bar, at_most))
            for what, value, bar, at_most in self.rows
        ]

    def show(self) -> None:
        table = Table(title=self.title, title_justify="left")
        for heading in ("what", "measured", "bar", ""):
            table.add_column(heading, justify="right" if heading in ("measured", "bar") else "left")
        for line in self._lines():
            table.add_row(*line)
        console = Console()
        console.print(table)
        for note in self.notes:
            console.print(note)

    def _markdown(self) -> str:
        today = datetime.datetime.now(tz=datetime.UTC).date()
        lines = [f"# {self.title}", "", f"Measured on {today}: {machine()}.", ""]
        lines += ["| what | measured | bar | |", "|---|---:|---:|---|"]
        lines += [f"| {' | '.join(line)} |" for line in self._lines()]
        lines += ["", *self.notes] if self.notes else []
        return "\n".join(lines) + "\n"


def machine() -> str:
    """What it was measured on, without any name of the machine itself, and who else wanted its cores."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    crowd = f" (shared by {load:.0f} processes)" if load > cores + 1 else ""
    python = platform.python_version()
    return f"{_processor()}, {cores} cores{crowd}, {platform.system()}, Python {python}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.4g}"


def _bar(bar: float, at_most: bool) -> str:
    return f"{'≤' if at_most else '≥'} {_number(bar)}"


def _verdict(value: float, bar: float | None, at_most: bool) -> str:
    if bar is None:
        return ""
    return "reached" if (value <= bar if at_most else value >= bar) else "missed"
