"""Whole sequences of this round: a beam over everything that needs no luck, equal positions met only once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from assistant.kit import Advising, Game

WIDTHS: Final = (2, 6, 16, 40)
LONGEST: Final = 40
"""More actions than a round has; a line that is longer goes in circles."""
TIDY: Final = 0.002
"""What one more action must bring at least: of two ways to the same, the shorter one is told."""


@dataclass(frozen=True, slots=True)
class Line:
    """Actions up to where luck, or the end of the game, takes over."""

    actions: tuple[Any, ...]
    end: Any
    worth: float


class LineSearch:
    """Lines from one position, sought wider and wider until somebody says stop."""

    def __init__(self, game: Game[Any, Any], advising: Advising[Any, Any], root: Any) -> None:
        self._game = game
        self._advising = advising
        self._root = root
        self._found: dict[Any, Line] = {}

    def widen(self, width: int, stopped: Callable[[], bool]) -> bool:
        """One pass of the beam; what it finds is added to what was found before. True: it has seen all."""
        game, worth, same = self._game, self._advising.worth, self._advising.same
        seen = {same(self._root)}
        front: list[Line] = [Line((), self._root, 0.0)]
        all_seen = True
        for _ in range(LONGEST):
            grown: list[Line] = []
            for line in front:
                if stopped():
                    return False
                mine = [action for action in game.legal_actions(line.end) if self._advising.mine(action)]
                if not mine:
                    # Others decide here.
                    self._found.setdefault(same(line.end), line)
                for action in mine:
                    after = game.apply(line.end, action)
                    key = same(after)
                    if key in seen:
                        continue
                    seen.add(key)
                    actions = (*line.actions, action)
                    longer = Line(actions, after, worth(after) - TIDY * len(actions))
                    if game.outcome(after) is not None or game.chance(after):
                        self._found.setdefault(key, longer)
                    else:
                        grown.append(longer)
            if not grown:
                return all_seen
            all_seen = all_seen and len(grown) <= width
            grown.sort(key=_by_worth)
            front = grown[:width]
        return False

    def best(self, most: int) -> list[Line]:
        """The most promising lines, some of each kind of end: what feels best need not be best."""
        by_round_and_phase: dict[Any, list[Line]] = {}
        for line in sorted(self._found.values(), key=_by_worth):
            where = (self._game.round(line.end), self._game.phase(line.end))
            by_round_and_phase.setdefault(where, []).append(line)
        chosen: list[Line] = []
        groups = list(by_round_and_phase.values())
        while groups and len(chosen) < most:
            for group in groups:
                chosen.append(group.pop(0))
            groups = [group for group in groups if group]
        return sorted(chosen, key=_by_worth)[:most]


def _by_worth(line: Line) -> float:
    return -line.worth
