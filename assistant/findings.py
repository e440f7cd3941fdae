"""What the player should know: each finding appears once, and is withdrawn when the table is put right."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
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
    held_at: float
    """When it held last."""
    over: bool = False
    """It held no longer once: should it hold again after a while, that is another finding."""


class Findings:
    """All findings of a game, and what became of each."""

    def __init__(self, quiet_s: float = 120.0) -> None:
        self._quiet_s = quiet_s
        self._entries: list[Entry] = []

    @property
    def shown(self) -> tuple[ShownFinding, ...]:
        return tuple(entry.shown for entry in self._entries)

    def remember(self, shown: Iterable[ShownFinding], now: float) -> None:
        """The findings of a game that is taken up again; which of them hold is told by the next update."""
        self._entries = [Entry(key=_REMEMBERED, shown=one, held_at=now) for one in shown]

    def update(self, wanted: Iterable[Wanted], now: float) -> bool:
        """Raises what is new, withdraws what no longer holds; whether anything changed."""
        holding = dict(wanted)
        before = self.shown
        self._recognise(holding)
        for index, entry in enumerate(self._entries):
            if entry.key in holding or entry.over:
                continue
            self._set(index, over=True, held_at=now)
            if entry.shown.fate is FindingFate.OPEN:
                self._show(index, fate=FindingFate.MENDED)
        for key, finding in holding.items():
            self._hold(key, finding, now)
        return self.shown != before

    def settle(self, finding_id: int, fate: FindingFate) -> bool:
        """The player accepts or dismisses a finding; whether there was such an open one."""
        for index, entry in enumerate(self._entries):
            if entry.shown.id == finding_id and entry.shown.fate is FindingFate.OPEN:
                self._show(index, fate=fate)
                return True
        return False

    def reopen(self, finding_id: int) -> bool:
        """The player takes a decision back; whether there was one."""
        for index, entry in enumerate(self._entries):
            if entry.shown.id == finding_id and entry.shown.fate in (
                FindingFate.ACCEPTED,
                FindingFate.DISMISSED,
            ):
                self._show(index, fate=FindingFate.OPEN)
                return True
        return False

    def _recognise(self, holding: Mapping[Hashable, Finding]) -> None:
        """A remembered finding that still holds is known by its words, or by all of them but the numbers."""
        unknown = dict(holding)
        for alike in (_same, _same_but_for_numbers):
            for index in range(len(self._entries) - 1, -1, -1):
                entry = self._entries[index]
                if entry.key is not _REMEMBERED or entry.shown.fate is FindingFate.MENDED:
                    continue
                key = next((key for key in unknown if alike(unknown[key], entry.shown.finding)), None)
                if key is not None:
                    del unknown[key]
                    self._set(index, key=key)

    def _hold(self, key: Hashable, finding: Finding, now: float) -> None:
        for index in range(len(self._entries) - 1, -1, -1):
            entry = self._entries[index]
            mended = entry.shown.fate is FindingFate.MENDED
            same_text = entry.shown.finding == finding
            # The same words within a short time are the same finding: it is open again, not new. What the
            # player decided about it stands that long though its numbers have changed.
            again = now - entry.held_at < self._quiet_s and (same_text or (entry.key == key and not mended))
            if again or (entry.key == key and not entry.over):
                self._set(index, key=key, held_at=now, over=False)
                self._show(index, finding=finding, **({"fate": FindingFate.OPEN} if mended else {}))
                return
        number = max((entry.shown.id for entry in self._entries), default=0) + 1
        shown = ShownFinding(id=number, finding=finding, fate=FindingFate.OPEN, raised_at=now)
        self._entries.append(Entry(key=key, shown=shown, held_at=now))

    def _show(self, index: int, **changes: Any) -> None:
        self._set(index, shown=replace(self._entries[index].shown, **changes))

    def _set(self, index: int, **changes: Any) -> None:
        self._entries[index] = replace(self._entries[index], **changes)


_REMEMBERED = object()


def _same(one: Finding, other: Finding) -> bool:
    return one == other


def _same_but_for_numbers(one: Finding, other: Finding) -> bool:
    return (one.rule, one.severity, one.message.key) == (other.rule, other.severity, other.message.key)


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
