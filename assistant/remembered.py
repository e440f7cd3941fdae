"""The last calm sights, and what was thought before each: for a correction they are thought over again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.amend import Retold
from assistant.evidence import appearance
from assistant.reconstruct import Line
from vision.observation import Observation, ZoneSighting
from vision.table import ZoneId

MOST = 60
"""So many sights are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A calm sight, and what was thought before it."""

    observation: Observation
    lines: tuple[Line, ...]
    committed: int


class Sights:
    """Sights in the order in which they were seen."""

    def __init__(self) -> None:
        self._sights: list[Remembered] = []

    def __len__(self) -> int:
        return len(self._sights)

    def __getitem__(self, at: int) -> Remembered:
        return self._sights[at]

    def take_in(self, observation: Observation, lines: tuple[Line, ...], committed: int) -> None:
        self._sights.append(Remembered(observation=observation, lines=lines, committed=committed))
        del self._sights[:-MOST]

    def since(self, zone: ZoneId, sighting: ZoneSighting) -> int:
        """The sight from which on the zone looked as it does in this one; their number where it never did."""
        first = len(self._sights)
        while first and _looks_like(self._sights[first - 1].observation, zone, sighting):
            first -= 1
        return first

    def retell(self, retold: Retold) -> int:
        """Puts the sights on the line as it is told now; the first one that it does not reach."""
        first = min(retold.after)
        for at, sight in enumerate(self._sights):
            depth = sight.lines[0].depth
            if depth >= first:
                line = retold.after.get(depth)
                if line is None:
                    return at
                committed = min(sight.committed, line.depth)
                self._sights[at] = replace(sight, lines=(line,), committed=committed)
        return len(self._sights)

    def forget_from(self, first: int) -> Sequence[Remembered]:
        """Takes the sights from there on out of memory: they are looked at again."""
        again = self._sights[first:]
        del self._sights[first:]
        return again


def _looks_like(observation: Observation, zone: ZoneId, sighting: ZoneSighting) -> bool:
    for other in observation.zones:
        if other.zone == zone:
            return appearance(other) in (None, appearance(sighting))
    return True
