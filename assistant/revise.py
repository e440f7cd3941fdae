"""Second thoughts: an earlier step was another one, and all the rest happened as we thought."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations
from math import log
from typing import Any

from assistant.counting import CAP
from assistant.doubts import MAY_BE, Doubts, may_show
from assistant.evidence import Evidence
from assistant.kit import Game
from assistant.reconstruct import Line, Moves, Step, StepKind
from assistant.retell import acted, renamed, told_path, unread
from vision.cards import CardId
from vision.table import ZoneId

MOST_NAMES = 48
IN_SIGHT = 1.5
"""So much rather a name is tried that is seen and belongs to no card that should lie there,"""
UNEXPECTED = 4.0
"""or that is read where something else should lie."""
MOST_AGAINST = 4.5
"""Names that earlier sights speak against more than this are not tried."""
MOST_REORDERED = 5
"""More steps than these at once are left in the order in which they were found."""
MOST = 500
"""How many other steps are tried."""


def earlier(best: Line, committed: int) -> Iterator[Line]:
    """Positions before the last one that may be revised, the latest first; a told step is never undone."""
    for line in best.back():
        if line is not best:
            yield line
        if line.depth <= committed or (line.step is not None and line.step.told):
            return


def second_thoughts(
    game: Game[Any, Any], best: Line, committed: int, evidence: Evidence, moves: Moves, cost: float
) -> list[Line]:
    """Lines that differ from the best one in one step, with their penalties, the likeliest first."""
    tail: list[Line] = [best]
    found: list[Line] = []
    budget = iter(range(MOST))
    for base in earlier(best, committed):
        taken = tail[0]
        assert taken.step is not None
        words = [] if taken.step.action is None else game.format(taken.step.action).split()
        read = bool(words) and not unread(words)
        names_none = not any(CardId(word) in game.pack for word in words)
        steps = [(line.step, line.cost - line.parent.cost) for line in tail[1:] if line.parent and line.step]
        for step, state, belief in moves(base):
            if next(budget, None) is None:
                break
            # A card that was read stays read; that it was another one is thought of elsewhere. But where none
            # was seen, such as one face down that was overlooked, the same may be done with one.
            other = game.format(step.action).split() if read else []
            if unread(other) and not (names_none and other[0] == words[0]):
                continue
            if step.action != taken.step.action:
                # Another step does not save what it took to come back to the one that was believed.
                charge = taken.charge + cost
                first = Line(base, step, state, game.view(state), base.cost + belief + charge)
                first.charge = charge
                found.append(followed(game, first, steps))
        tail.insert(0, base)
    for line in found:
        line.penalty = evidence.total(line.view)
    return sorted(found, key=lambda line: line.score)


def renamings(
    game: Game[Any, Any], best: Line, evidence: Evidence, doubts: Doubts, cost: float
) -> list[Line]:
    """The same game with one card read otherwise from the first moment on, however long ago that was.

    What was done stands; only which card it was is thought over again, where its readings allow it.
    """
    found: list[Line] = []
    path = told_path(game, best)
    said = {word for _, words in path for word in words}
    others = [entry for entry in _other_names(best, evidence, doubts) if not said.isdisjoint(entry[0])]
    for (old, new), against in others[:MOST_NAMES]:
        line = renamed(game, path, old, new, cost + against)
        if line is not None:
            line.cost += doubts.against(old, new, line.view) - against
            line.penalty = evidence.total(line.view)
            found.append(line)
    return sorted(found, key=lambda line: line.score)


def _other_names(best: Line, evidence: Evidence, doubts: Doubts) -> list[tuple[tuple[CardId, CardId], float]]:
    """Cards that lie in view or lay there, and what else each may be: the likeliest names first."""
    now = dict(_names_in_view(best, evidence))
    lying = {placed.card for zone in best.view.zones for placed in zone.cards}
    new = sorted(evidence.cards_in_sight() - lying)
    strange = ((old, name) for old in doubts.strange() for name in new)
    pairs = dict.fromkeys((*now, *doubts.pairs(), *strange))
    worth = {pair: min(now.get(pair, CAP), doubts.against(*pair)) for pair in pairs}
    unexpected = set(_read_first(evidence, evidence.contradicted(best.view)))
    for old, name in pairs:
        if name in new:
            worth[old, name] -= UNEXPECTED if name in unexpected else IN_SIGHT
    against: dict[tuple[CardId, CardId], float] = {}
    for old, name in sorted(pairs, key=worth.__getitem__):
        if (name, old) not in against:  # two cards are exchanged, whichever of them is named first
            against[old, name] = doubts.against(old, name, best.view)
    return [(pair, nats) for pair, nats in against.items() if nats <= MOST_AGAINST]


def _read_first(evidence: Evidence, zones: Iterable[ZoneId]) -> Iterator[CardId | None]:
    """The likeliest name of each card that is seen in these zones."""
    for sighting in filter(None, map(evidence.sighting, zones)):
        yield from (seen.guesses[0].card for seen in sighting.cards if seen.guesses)


def _names_in_view(best: Line, evidence: Evidence) -> Iterator[tuple[tuple[CardId, CardId], float]]:
    """Cards that lie in view, what else each of them may be, and how much less likely that is read."""
    for zone in best.view.zones:
        sighting = evidence.sighting(zone.zone)
        if sighting is None:
            continue
        believed = {placed.card for placed in may_show(zone, sighting) if placed.card is not None}
        for seen in sighting.cards:
            names = {guess.card: guess.p for guess in seen.guesses if guess.card and guess.p >= MAY_BE}
            olds = believed & names.keys() if len(names) > 1 else believed
            if len(names) == 1 and len(sighting.cards) > 1:
                continue
            top = max(names.values(), default=1.0)
            for old in sorted(olds):
                yield from (((old, new), log(top / p)) for new, p in names.items() if new != old)


def followed(game: Game[Any, Any], line: Line, steps: Iterable[tuple[Step, float]]) -> Line:
    """The line with these steps added, as far as they are possible."""
    for step, belief in steps:
        following = acted(game, line, step, belief) if step.kind is StepKind.ACTION else None
        if following is None:
            return line
        line = following
    return line


def parting(old: Line, new: Line) -> Line | None:
    """The last line up to which both tell the same."""
    before = {line.depth: line for line in old.back()}
    return next((line for line in new.back() if _is_same(line, before.get(line.depth))), None)


def _is_same(line: Line, other: Line | None) -> bool:
    """Whether two lines tell the same up to here; one may be a copy that costs more."""
    if other is None or line is other:
        return other is not None
    return line.parent is other.parent and line.state == other.state


def actions_after(line: Line, start: Line) -> list[Any]:
    steps = [earlier.step for earlier in line.back() if earlier.step and earlier.depth > start.depth]
    return [step.action for step in steps if step.action is not None][::-1]


def in_order_told(game: Game[Any, Any], old: Line, new: Line) -> Line:
    """The new line with the steps that the old one has too in the order in which they were seen to happen:
    where it makes no difference, a search that starts farther back finds them in any order."""
    shared = parting(old, new)
    if shared is None or shared.depth >= old.depth - 1:
        return new
    seen = actions_after(old, shared)
    steps = steps_after(new, shared)
    # By the place of a step in the new line its place in the old one; the same may be done several times.
    when: dict[int, int] = {}
    left = list(range(len(seen)))
    for at, (step, _) in enumerate(steps):
        place = next((place for place in left if seen[place] == step.action), None)
        if place is not None:
            when[at] = place
            left.remove(place)
    ordered = list(steps)
    for at, taken in zip(when, sorted(when, key=when.__getitem__), strict=True):
        ordered[at] = steps[taken]
    if ordered == steps:
        return new
    line = followed(game, shared, ordered)
    line.memory = new.memory
    return line if line.state == new.state else new


def in_order_seen(game: Game[Any, Any], old: Line, new: Line, sights: Sequence[Evidence]) -> Line:
    """The new line with the steps since the old one in the order that explains best what was seen meanwhile
    and not understood: a search finds steps that do not depend on each other in any order."""
    shared = parting(old, new)
    steps = steps_after(new, shared) if shared is not None else []
    if shared is None or not sights or not 2 <= len(steps) <= MOST_REORDERED:
        return new
    ordered = (followed(game, shared, order) for order in permutations(steps))
    lines = (new, *(line for line in ordered if line.state == new.state))
    best = min(lines, key=lambda line: _unlike(line, shared, sights))
    best.memory, best.penalty = new.memory, new.penalty
    return best


def _unlike(line: Line, start: Line, sights: Sequence[Evidence]) -> float:
    """How badly the positions since fit what was seen, one after the other."""
    views = [later.view for later in line.back() if later.depth >= start.depth][::-1]
    total = 0.0
    for evidence in sights:
        fits = [evidence.total(view) for view in views]
        total += min(fits)
        views = views[fits.index(min(fits)) :]
    return total


def alongside(game: Game[Any, Any], lines: Iterable[Line], best: Line, evidence: Evidence) -> list[Line]:
    """What the other lines look like if the same steps were done in them that made the best one.

    A broken rule is not done in them: it was found likelier than what they tell.
    """
    lines = list(lines)
    for grown in islice(best.back(), 12):
        if grown in lines and best.mistakes > grown.mistakes:
            return []
        if grown in lines:
            steps = steps_after(best, grown)
            others = [followed(game, line, steps) for line in lines if line is not grown]
            for line in others:
                line.penalty = evidence.total(line.view)
            return [line for line in others if evidence.explained(line.view)]
    return []


def steps_after(best: Line, start: Line) -> list[tuple[Step, float]]:
    """The steps from one line to a later one, each with what it takes to believe."""
    steps: list[tuple[Step, float]] = []
    for line in best.back():
        if line is start:
            break
        if line.step is not None and line.parent is not None:
            steps.insert(0, (line.step, line.cost - line.parent.cost))
    return steps
