"""What the player should know: each finding appears once, and is withdrawn when the table is put right."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from assistant.kit import Finding, Game, Severity
from assistant.reconstruct import Line, StepKind
from assistant.snapshot import FindingFate, ShownFinding

Wanted = tuple[Hashable, Finding]
"""A finding that holds now, and what makes it the same one as before although its numbers change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    key: Hashable
    shown: ShownFinding


class Findings:
    """All findings of a game, and what became of each."""

    def __init__(self, quiet_s: float = 120.0, last: int = 0) -> None:
        """`last` is the number of the last finding of a game that is taken up again."""
        self._quiet_s = quiet_s
        self._last = last
        self._entries: list[Entry] = []

    @property
    def shown(self) -> tuple[ShownFinding, ...]:
        return tuple(entry.shown for entry in self._entries)

    def update(self, wanted: Iterable[Wanted], now: float) -> bool:
        """Raises what is new, withdraws what no longer holds; whether anything changed."""
        holding = dict(wanted)
        before = self.shown
        for index, entry in enumerate(self._entries):
            if entry.shown.fate is FindingFate.OPEN and entry.key not in holding:
                self._set(index, entry.key, fate=FindingFate.MENDED)
        for key, finding in holding.items():
            self._hold(key, finding, now)
        return self.shown != before

    def settle(self, finding_id: int, fate: FindingFate) -> bool:
        """The player accepts or dismisses a finding; whether there was such an open one."""
        for index, entry in enumerate(self._entries):
            if entry.shown.id == finding_id and entry.shown.fate is FindingFate.OPEN:
                self._set(index, entry.key, fate=fate)
                return True
        return False

    def reopen(self, finding_id: int) -> bool:
        """The player takes a decision back; whether there was one."""
        for index, entry in enumerate(self._entries):
            if entry.shown.id == finding_id and entry.shown.fate in (
                FindingFate.ACCEPTED,
                FindingFate.DISMISSED,
            ):
                self._set(index, entry.key, fate=FindingFate.OPEN)
                return True
        return False

    def _hold(self, key: Hashable, finding: Finding, now: float) -> None:
        for index in range(len(self._entries) - 1, -1, -1):
            entry = self._entries[index]
            same_text = entry.shown.finding == finding
            if entry.key == key and entry.shown.fate is not FindingFate.MENDED:
                if not same_text:
                    self._set(index, key, finding=finding)
                return
            if same_text and now - entry.shown.raised_at < self._quiet_s:
                # The same words within a short time are the same finding: it is open again, not new.
                if entry.shown.fate is FindingFate.MENDED:
                    self._set(index, key, fate=FindingFate.OPEN)
                return
        number = self._last + len(self._entries) + 1
        shown = ShownFinding(id=number, finding=finding, fate=FindingFate.OPEN, raised_at=now)
        self._entries.append(Entry(key=key, shown=shown))

    def _set(self, index: int, key: Hashable, **changes: Any) -> None:
        entry = self._entries[index]
        self._entries[index] = Entry(key=key, shown=replace(entry.shown, **changes))


def wanted_findings(game: Game[Any, Any], line: Line) -> Iterator[Wanted]:
    """Broken rules of this line, what is wrong with its position, and what is about to happen."""
    steps = [earlier.step for earlier in line.back() if earlier.step is not None]
    times: Counter[Hashable] = Counter()
    for step in reversed(steps):
        if step.kind is StepKind.MISTAKE:
            assert step.mistake is not None
            mistake = step.mistake
            finding = Finding(
                rule=mistake.rule, severity=mistake.severity, message=mistake.message, zones=mistake.zones
            )
            same = (mistake.rule, mistake.message)
            times[same] += 1  # not its place in the game: a word about an earlier move may shift it
            yield ("mistake", times[same], *same), finding
    if game.round(line.state):
        for finding in game.check(line.state):
            yield ("check", finding.rule, finding.message, finding.zones), finding
    for finding in game.watch.notes(line.state):
        yield ("note", finding.rule, finding.message), finding
    for gauge in game.forecast(line.state).gauges:
        if gauge.severity is not None:
            warning = Finding(rule=gauge.rule or gauge.name, severity=gauge.severity, message=gauge.message)
            yield ("gauge", gauge.name, gauge.message.key, gauge.severity), warning


def violations(findings: Iterable[ShownFinding]) -> list[ShownFinding]:
    return [shown for shown in findings if shown.finding.severity is Severity.VIOLATION]
