"""What the last sights say against telling the moves since otherwise.

Each of them was seen when it was done. A line that tells them otherwise must explain those sights too, and
not only the table as it lies now.
"""

from itertools import takewhile

from assistant.evidence import Evidence
from assistant.reconstruct import Line
from assistant.revise import actions_after, parting
from vision.table import ZoneId

MOST_SIGHTS = 10
"""A few more than there are steps that may still be revised."""
MOST_STEPS = 24
"""So far back sights are compared with positions,"""
MOST_SHORTER = 8
"""which lie so many steps earlier at most in a line that tells it shorter."""
MOST_TAKEN_BACK = 3
"""So many steps are taken back at once, and others done instead."""
MOST_AGAINST = 8.0
"""Anything can be misread, and so can several things together."""


class Hindsight:
    """The last sights that were understood, one for each position that was believed."""

    __slots__ = ("_sights",)

    def __init__(self) -> None:
        self._sights: list[tuple[int, Evidence]] = []

    def take_in(self, depth: int, evidence: Evidence) -> None:
        if self._sights and self._sights[-1][0] == depth:
            self._sights.pop()
        self._sights.append((depth, evidence))
        del self._sights[:-MOST_SIGHTS]

    def since(self, depth: int) -> list[Evidence]:
        """What was seen after so many steps."""
        return [evidence for at, evidence in self._sights if at > depth]

    def at(self, depth: int) -> Evidence | None:
        """What was seen last after so many steps or fewer."""
        return next((evidence for at, evidence in reversed(self._sights) if at <= depth), None)

    def charge(self, old: Line, new: Line) -> float:
        """How much worse the new line explains what was seen while the old one was believed.

        Nothing where the last moves were taken back: then they were seen, and are none all the same. But
        nobody takes many back and does others before anything is seen of it.
        """
        shared = parting(old, new)
        if shared is None or shared.depth >= old.depth:
            return 0.0
        undone, done = actions_after(old, shared), actions_after(new, shared)
        if not done or (len(undone) <= MOST_TAKEN_BACK and not any(action in undone for action in done)):
            return 0.0
        since = max(shared.depth, old.depth - MOST_STEPS)
        return max(0.0, min(MOST_AGAINST, self._against(new, since) - self._against(old, since)))

    def _against(self, line: Line, depth: int) -> float:
        """The worst that was seen of each zone since both lines part, at the position of the line that fits
        each sight best. What was seen before speaks for both alike."""
        recent = takewhile(lambda earlier: earlier.depth >= depth - MOST_SHORTER, line.back())
        views = [earlier.view for earlier in recent][::-1]
        worst: dict[ZoneId, float] = {}
        at = 0
        for evidence in self.since(depth):
            totals = [evidence.total(view) for view in views[at:]]
            at += totals.index(min(totals))
            for zone in views[at].zones:
                worst[zone.zone] = max(worst.get(zone.zone, 0.0), evidence.penalty(zone))
        return sum(worst.values())
