"""Injects one fault after the other into a game that goes on, and counts what came of each."""

import random
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tests.faults.camera_faults import CameraFault
from tests.faults.program import MOVING_S, Evening

RECOVERED_WITHIN_S: Final = 40.0
WATCHED_AFTER_S: Final = 6.0
"""Longer than the patience with a table that cannot be explained: a false accusation would come by then."""


class When(Enum):
    AT_REST = "at rest"
    IN_A_MOVE = "in the middle of a move"
    BEFORE_A_MOVE = "and a move is made meanwhile"


@dataclass(slots=True)
class Tally:
    """What came of all faults of one kind."""

    injected: int = 0
    survived: int = 0
    lost: int = 0
    """Committed moves that were in the record before and are not there after it."""
    on_lost_pages: int = 0
    """Moves that went with a destroyed part of the disk: no program can save those."""
    false_findings: int = 0
    invented: int = 0
    """Positions that were recorded and never lay on the table."""
    recovery_s: list[float] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What went wrong."""
    notes: list[str] = field(default_factory=list)
    """What was measured besides."""

    def add(self, other: "Tally") -> None:
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def injected(evening: Evening, fault: CameraFault, luck: random.Random) -> Tally:
    """One fault, from a calm table to a calm table with one more move understood."""
    tally = Tally(injected=1)
    safe, accused, invented = evening.on_disk(), len(evening.accused), evening.invented
    when = luck.choice(tuple(When))
    evening.whys.clear()
    went_on = _suffer(evening, fault, when, luck)
    recovered = evening.rest_until_understood(RECOVERED_WITHIN_S)
    evening.rest(WATCHED_AFTER_S)
    over = not evening.move()
    goes_on = over or evening.rest_until_understood(RECOVERED_WITHIN_S) is not None
    after = evening.on_disk()
    tally.lost = sum(old != new for old, new in zip(safe, after, strict=False)) + max(
        0, len(safe) - len(after)
    )
    tally.false_findings = len(evening.accused) - accused
    tally.invented = max(0, evening.invented - invented)
    told = went_on or bool(fault.says & evening.whys)
    tally.survived = int(recovered is not None and goes_on and told)
    tally.recovery_s = [recovered] if recovered is not None else []
    if not tally.survived or tally.lost or tally.false_findings or tally.invented:
        tally.remarks.append(_remark(fault, when, evening, recovered, goes_on, told))
    return tally


def _suffer(evening: Evening, fault: CameraFault, when: When, luck: random.Random) -> bool:
    """Whether the game went on all the same: then nothing needs to be said about it."""
    if when is When.IN_A_MOVE:
        evening.push_move()
        for _ in range(luck.randint(1, 4)):
            evening.tick(MOVING_S)
    fault.begin(evening, luck)
    if when is When.BEFORE_A_MOVE:
        evening.push_move()
    until = evening.camera.clock() + luck.uniform(*fault.lasts_s)
    while evening.camera.clock() < until or evening.table.waiting:
        evening.tick(fault.interval_s)
    went_on = evening.goes_on
    if fault.end is not None:
        fault.end(evening)
    else:
        evening.camera.spoil = None
    return went_on


def _remark(
    fault: CameraFault, when: When, evening: Evening, recovered: float | None, goes_on: bool, told: bool
) -> str:
    wrong = [
        "did not recover" if recovered is None else "",
        "did not go on" if not goes_on else "",
        f"said only {sorted(evening.whys)}" if not told else "",
        f"accused of {sorted(set(evening.accused.values()))}" if evening.accused else "",
        f"log ends {[entry.notation for entry in evening.snapshot.log[-3:]]}",
    ]
    return f"{fault.name}, {when.value}: " + "; ".join(part for part in wrong if part)
