"""A table that is explained, but not so that it is easy to believe: after a while a broken rule is likelier.

Either a legal explanation takes much to believe, or it tells moves otherwise that were seen before, or every
place may well be misread by itself, and yet something seems to have moved from one to another.
"""

from dataclasses import dataclass

from assistant.reconstruct import Line, Step

HARD_TO_BELIEVE = 4.0
"""A legal explanation that takes more than this to believe is compared with a broken rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    since: float
    before: tuple[Line, ...]
    """What was believed before the table looked like this: a rule may have been broken from there."""
    told: Line
    """What is believed now."""
    judged: bool = False
    """No broken rule explains it better: not thought of again until the table looks as it should."""

    @property
    def hard(self) -> bool:
        return hard_to_believe(self.before, self.told)

    @property
    def retold(self) -> bool:
        return tells_otherwise(self.before, self.told)


def suspicion(
    old: Suspicion | None, before: tuple[Line, ...], best: Line, moved: bool, now: float
) -> Suspicion | None:
    """What to suspect of a table that is understood now; `moved` says whether something seems to have."""
    if hard_to_believe(before, best) or tells_otherwise(before, best):
        return Suspicion(since=now, before=before, told=best)
    if moved:
        return old or Suspicion(since=now, before=before, told=best)
    if old is not None and (old.hard or old.retold) and old.told.depth == best.depth:
        return old
    return None


def hard_to_believe(before: tuple[Line, ...], told: Line) -> bool:
    return bool(before) and told.cost - before[0].cost > HARD_TO_BELIEVE


def tells_otherwise(before: tuple[Line, ...], told: Line) -> bool:
    """Whether several of the moves that were believed are other ones now; a broken rule put right is none,
    nor a step put in between that shows nothing, such as the end of a phase."""
    if not before or before[0].mistakes > told.mistakes:
        return False
    believed = {line.depth: line.state for line in before[0].back()}
    kept = next((line.depth for line in told.back() if believed.get(line.depth) == line.state), 0)
    if before[0].depth - kept <= 1:
        return False
    now = iter(_steps_since(told, kept))
    return not all(step in now for step in _steps_since(before[0], kept))


def _steps_since(line: Line, depth: int) -> list[Step | None]:
    return [earlier.step for earlier in line.back() if earlier.depth > depth][::-1]
