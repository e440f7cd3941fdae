"""Follows a game from sight to sight: several lines of play are kept, and the last steps stay revisable."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from assistant.choices import other_pieces
from assistant.doubts import Doubts
from assistant.evidence import Evidence
from assistant.hindsight import Hindsight
from assistant.kit import Game
from assistant.mistaken import NOT_WORSE, PUT_RIGHT, back_to, mistaken, put_right
from assistant.overdue import in_time
from assistant.progress import half_done
from assistant.reconstruct import (
    EASY,
    Explanation,
    Limits,
    Line,
    Moves,
    Step,
    StepKind,
    legal_moves,
    search,
    weighed,
)
from assistant.retell import filled_in
from assistant.revise import (
    alongside,
    earlier,
    in_order_seen,
    in_order_told,
    parting,
    renamings,
    second_thoughts,
)
from assistant.snapshot import Progress
from vision.table import TableView, ZoneId, ZoneView

DOUBTS = 1.0
"""Several small doubts, each no contradiction, may still have a better explanation."""
GLANCE = 12
"""How many lines are looked at for the sake of doubts."""
ADOPTION_COST = 12.0
MOST_SECOND_THOUGHTS = 12
MOST_OTHER_PIECES = 12
MOVED = 5.0
"""How much harder it is to believe in misreadings that look like something moved from place to place, or in
moves that were other ones than those that were seen."""
MOST_PUZZLING = 6
"""So many sights that were not understood are kept."""
EXPLAINED_AT_ONCE = 2
"""A broken rule that explains so many zones is believed though another one is misread beside it,"""
MUCH = 6.0
"""if that is so much likelier than that all of them are misread."""
MOST_RETOLD = 6
"""So many lines that tell it otherwise and leave something unexplained are kept in mind."""
STAYS = 1.0
"""What was told stays unless another line of play is so much likelier: two that are about as likely would
take turns, and each turn would take moves back that the player has read."""


class _Unsettled(NamedTuple):
    """Lines that leave something of a calm table unexplained: none is believed yet."""

    found: tuple[Line, ...]
    """All that the search ended with, the likeliest first."""
    retold: tuple[Line, ...]
    """Those that tell what was believed otherwise, charged for what they deny."""


_NOTHING = _Unsettled((), ())


class Tracker:
    """The lines of play that are still possible, the best one first."""

    def __init__(self, game: Game[Any, Any], state: Any, limits: Limits | None = None) -> None:
        self._game = game
        self._limits = limits or Limits()
        self._banned: frozenset[tuple[Any, Any]] = frozenset()
        self._unsettled = _NOTHING
        self._righted: tuple[Line, ...] = ()
        """Where the game stands if the rules that were broken last were put right meanwhile."""
        self._before_mistake: tuple[Line, ...] = ()
        """What was believed before the last broken rule, and before a step that was told together with it."""
        self._doubts = Doubts()
        self._hindsight = Hindsight()
        self._usual = 0.0
        """What the table that was understood last left unexplained."""
        self._puzzling: list[Evidence] = []
        """What was seen since and not understood: it tells in which order several steps were done."""
        self.lines: tuple[Line, ...] = (Line(None, None, state, game.view(state), 0.0),)
        self.committed = 0
        """Steps up to this depth are never revised again."""

    @property
    def best(self) -> Line:
        return self.lines[0]

    def weigh(self, evidence: Evidence) -> bool:
        """Judges the lines by a new sight; whether the best one explains all of it without doubts.

        A line that explains what the believed one does not is not believed at once: what was seen before may
        speak against it, and one step more in the believed one may be likelier. Nor is one that comes nearer
        to a table that none explains: an unread card fits whatever lies on it half-way.
        """
        believed, ahead = self.best, self.best.penalty
        for line in self.lines:
            line.memory = min(4.0, max(-4.0, 0.5 * (line.memory + line.penalty - ahead)))
        lines = weighed(self.lines, evidence)
        whole = [line for line in lines if evidence.explained(line.view)]
        if believed in whole:
            whole = _staying(whole, believed)
            self.lines = tuple(whole + [line for line in lines if line not in whole])
            return self.best.penalty - evidence.unreadable() <= DOUBTS
        self._charge(whole)
        others = sorted((line for line in lines if line is not believed), key=lambda line: line.score)
        self.lines = (believed, *others)
        return False

    def remember(self, evidence: Evidence) -> None:
        """A calm table that is understood: how its cards were read is kept for second thoughts."""
        self._usual = self.best.penalty
        self._doubts.take_in(self.best.view, evidence)
        self._hindsight.take_in(self.best.depth, evidence)
        self._puzzling.clear()

    def explain(self, evidence: Evidence) -> bool:
        """Looks for legal actions, and if these are hard to believe, for a revision or a move taken back."""
        moves = legal_moves(self._game, evidence.cards_in_sight(), self._banned)
        self._righted = tuple(
            put_right(self._game, self.best, self.committed, evidence, self._before_mistake)
        )
        roots = (*self.lines, *self._righted)
        if evidence.explained(self.best.view):
            found = search(self._game, roots, evidence, moves, self._limits, GLANCE)
            return self._accepted(found.whole, evidence)
        found = search(self._game, roots, evidence, moves, self._limits)
        base = min(line.cost + line.memory for line in self.lines)
        retold: list[Line] = []
        if not found.whole or found.whole[0].cost - base + self._new_doubts(found.whole[0]) > EASY:
            for revised in self._revised(evidence, moves):
                retold += [self._charged(line) for line in revised.partial[:MOST_RETOLD]]
                self._charge(revised.whole)
                found = found.beside(revised)
        self._unsettled = _Unsettled(found.partial, tuple(retold))
        misread = found.whole and found.whole[0].cost - base > EASY and self._may_be_misread(found, evidence)
        if not misread and self._accepted(found.whole, evidence):
            return True
        self._keep_in_mind(evidence)
        return False

    def explain_rather(self, evidence: Evidence, before: Sequence[Line]) -> bool:
        """Whether something likelier was done since these lines than what is believed now.

        Only where what is believed goes on from them by steps that were seen: a player's word stands.
        """
        since = list(takewhile(lambda line: line not in before, self.best.back()))
        if not since or any(line.step is None or line.step.told for line in since):
            return False
        moves = legal_moves(self._game, evidence.cards_in_sight(), self._banned)
        found = search(self._game, weighed(before, evidence), evidence, moves, self._limits)
        likelier = [line for line in found.whole if line.score + STAYS < self.best.score]
        return self._accepted(likelier, evidence)

    def _new_doubts(self, line: Line) -> float:
        """What a line leaves unexplained beside what was so before."""
        return max(0.0, line.penalty - self._usual)

    def glimpse(self, evidence: Evidence) -> None:
        """What can be seen while hands move is too little to tell moves by, but it may tell which one of
        several was done first."""
        wrong = evidence.contradicted(self.best.view)
        last = self._puzzling[-1].contradicted(self.best.view) if self._puzzling else ()
        if wrong and wrong != last:
            self._keep_in_mind(evidence)

    def _keep_in_mind(self, evidence: Evidence) -> None:
        self._puzzling = [*self._puzzling, evidence][-MOST_PUZZLING:]

    def _may_be_misread(self, found: Explanation, evidence: Evidence) -> bool:
        """Whether fewer moves and one thing misread are likelier than moves that explain everything."""
        simpler = [
            line for line in self._going_on(found.partial) if len(evidence.contradicted(line.view)) == 1
        ]
        return any(line.score < found.whole[0].score for line in simpler)

    def explain_mistake(self, evidence: Evidence, before: Sequence[Line] = (), retold: bool = False) -> bool:
        """Nothing legal explains a calm table: which broken rule does, better than a misreading?

        `before` are the lines of before a step that was believed only because something was thought misread;
        `retold` says that moves were told otherwise since, though they had been seen.
        """
        evidence = evidence.forgiving()
        moves = legal_moves(self._game, evidence.cards_in_sight(), self._banned)
        weighed(self.lines, evidence)
        misread = self.likeliest.score
        moved = evidence.moved(self.likeliest.view)
        here = (*self.lines, *weighed(before, evidence))
        for sources in (here, (*self._earlier(evidence)[:4], *self._unsettled.found[:8])):
            whole: list[Line] = []
            for roots in mistaken(self._game, self._limits.mistake_cost, sources, evidence):
                whole += search(self._game, roots, evidence, moves, self._limits).whole
            self._charge(whole)
            # What does not show explains nothing by itself, only together with what came after it.
            whole = [line for line in whole if line.parent is None or line.view != line.parent.view]
            whole = [
                line
                for line in sorted(whole, key=lambda line: line.score)
                if line.score < misread
                or (line.score < misread + MOVED and (retold or (moved and not evidence.moved(line.view))))
            ]
            # A broken rule that explains less is none of those that may have been broken as well.
            whole = [line for line in whole if line.penalty <= whole[0].penalty + NOT_WORSE]
            if self._accepted(whole, evidence):
                break
        else:
            if not self._accepted(self._nearly_explained(here, evidence, misread), evidence):
                return False
        self._before_mistake = tuple(before)
        return True

    def _nearly_explained(self, sources: Sequence[Line], evidence: Evidence, misread: float) -> list[Line]:
        """A broken rule that explains several zones at once though one more is misread beside it."""
        if len(evidence.contradicted(self.likeliest.view)) <= EXPLAINED_AT_ONCE:
            return []
        _, seen = mistaken(self._game, self._limits.mistake_cost, sources, evidence)
        return [
            line
            for line in seen[:1]
            if line.score + MUCH < misread and len(evidence.contradicted(line.view)) == 1
        ]

    def explain_taking_back(self, evidence: Evidence) -> bool:
        """Whether an earlier position explains a table on which something seems to have moved."""
        most = DOUBTS + evidence.unreadable()
        whole = [line for line in self._earlier(evidence) if line.penalty <= most]
        likelier = [line for line in whole if line.score < self.best.score + MOVED]
        return self._accepted(likelier, evidence)

    def half_done(self, evidence: Evidence) -> tuple[Progress | None, bool]:
        """What is being done, and whether whole moves that are not believed yet must have come before it."""
        moves = legal_moves(self._game, evidence.cards_in_sight(), self._banned)
        lines = dict.fromkeys((self.best, *self._unsettled.found))
        found = half_done(self._game, tuple(lines), evidence, moves)
        if found is None:
            return None, False
        return found[1], found[0].parent not in self.lines

    @property
    def likeliest(self) -> Line:
        """The line that explains most, though something does not fit; nothing that was believed before is
        told otherwise for the sake of a table that is not understood, unless that explains much more."""
        onward = min((*self.lines, *self._going_on(self._unsettled.found)), key=lambda line: line.score)
        other = min(self._unsettled.retold, key=lambda line: line.score, default=onward)
        return other if other.score + MUCH < onward.score else onward

    def _going_on(self, lines: Iterable[Line]) -> list[Line]:
        """Those of the lines that go on from what was believed before."""
        known = (*self.lines, *self._righted)
        return [line for line in lines if any(earlier in known for earlier in line.back())]

    def accept_best(self) -> bool:
        """Takes the line that explains most, though something does not fit; whether that is a new one."""
        best = self.likeliest
        if best in self.lines:
            ranked = sorted(self.lines, key=lambda line: line.score)
            self.lines = tuple(_staying(ranked, self.best))
            return False
        self.lines = (self._in_order(best),)
        self._commit()
        return True

    def adopt(self, evidence: Evidence, *, told: bool = False) -> tuple[ZoneId, ...]:
        """Takes the table at its word where it contradicts the best line; the zones concerned."""
        self.accept_best()
        zones = evidence.contradicted(self.best.view)
        seen = tuple(evidence.read(zone) if zone.zone in zones else zone for zone in self.best.view.zones)
        self.adopt_view(TableView(seen), told=told)
        return zones

    def adopt_view(self, view: TableView, *, told: bool = False) -> None:
        self.replace_state(self._game.adopt(self.best.state, view), told=told)

    def replace_state(self, state: Any, *, told: bool) -> None:
        step = Step(kind=StepKind.ADOPTED, told=told)
        self._only(Line(self.best, step, state, self._game.view(state), self.best.cost + ADOPTION_COST))

    def tell(self, action: Any) -> None:
        """The player says what was done; the caller has asked whether it is legal."""
        state = self._game.apply(self.best.state, action)
        step = Step(kind=StepKind.ACTION, action=action, told=True)
        self._only(Line(self.best, step, state, self._game.view(state), self.best.cost))

    def undo(self) -> Step | None:
        """Takes the last step back and never believes it again from the same position."""
        line = self.best
        if line.parent is None or line.step is None:
            return None
        if line.step.action is not None:
            self.forbid(line.parent.state, line.step.action)
        self.committed = min(self.committed, line.parent.depth)
        self.lines = (line.parent,)
        return line.step

    def retell(self, line: Line) -> None:
        """The player said how the game went: this line, and no other."""
        self.committed = min(self.committed, line.depth)
        self._only(line)

    def forbid(self, state: Any, action: Any) -> None:
        """This was not done, whatever it looked like."""
        self._banned |= {(state, action)}

    def restore(self, lines: tuple[Line, ...], committed: int) -> None:
        self.lines, self.committed, self._unsettled = lines, committed, _NOTHING
        self._puzzling.clear()

    def steps(self) -> list[Line]:
        """The best line from its first step to its last."""
        return [line for line in self.best.back() if line.step is not None][::-1]

    def _only(self, line: Line) -> None:
        self.lines, self._unsettled = (line,), _NOTHING
        self._commit()

    def _earlier(self, evidence: Evidence) -> list[Line]:
        """Earlier positions of the best line, as far back as it may be revised: moves taken back."""
        lines = earlier(self.best, self.committed)
        return weighed([back_to(line, self._revision_cost(line)) for line in lines], evidence)

    def _only_mistakes_since(self, line: Line) -> bool:
        return self.best.mistakes - line.mistakes == self.best.depth - line.depth

    def _revised(self, evidence: Evidence, moves: Moves) -> Iterator[Explanation]:
        """What explains the table if something that was believed was otherwise. A card with another name
        explains little before the next step is done with it, so each of them is thought on."""
        cost = self._limits.revision_cost
        others = second_thoughts(self._game, self.best, self.committed, evidence, moves, cost)
        pieces = other_pieces(self._game, self.best, evidence, moves, cost)
        roots = [*self._earlier(evidence), *others[:MOST_SECOND_THOUGHTS], *pieces[:MOST_OTHER_PIECES]]
        yield search(self._game, roots, evidence, moves, self._limits)
        names = renamings(self._game, self.best, evidence, self._doubts, cost)
        each = replace(self._limits, beam=max(self._limits.beam, len(names)))
        yield search(self._game, names, evidence, moves, each)

    def _charge(self, lines: Iterable[Line]) -> None:
        """What was seen before speaks against telling it otherwise."""
        for line in lines:
            against = self._hindsight.charge(self.best, line)
            line.cost += against
            line.charge += against

    def _charged(self, line: Line) -> Line:
        """The same as a line of its own, with its charge: what goes on from the other one is not charged."""
        charged = back_to(line, self._hindsight.charge(self.best, line))
        charged.penalty, charged.memory = line.penalty, line.memory
        return charged

    def _revision_cost(self, line: Line) -> float:
        if self._only_mistakes_since(line):
            return PUT_RIGHT
        return self._limits.revision_cost + 0.25 * (self.best.depth - line.depth)

    def _accepted(self, whole: Sequence[Line], evidence: Evidence) -> bool:
        if not whole:
            return False
        others = alongside(self._game, self.lines, whole[0], evidence)
        limit = whole[0].score + self._limits.slack
        ranked = sorted((*whole, *others), key=lambda line: line.score)
        onward = next((line for line in ranked if self.best in line.back()), ranked[0])
        states: dict[Any, Line] = {}
        for line in _staying(ranked, onward):
            if line.score <= limit:
                states.setdefault(line.state, line)
        kept = list(states.values())[: self._limits.beam]
        kept = [in_order_told(self._game, self.best, line) for line in kept]
        kept = [self._in_time(self._in_order(line), evidence) for line in kept]
        told = [filled_in(self._game, self._settled(line, evidence)) for line in kept]
        self.lines = tuple(_staying(weighed(told, evidence), told[0]))
        self._unsettled = _NOTHING
        self._commit()
        return True

    def _in_order(self, line: Line) -> Line:
        """The line with its new steps in the order that explains best what was seen meanwhile."""
        shared = parting(self.best, line)
        seen = [] if shared is None else self._hindsight.since(shared.depth)
        return in_order_seen(self._game, self.best, line, [*seen, *self._puzzling])

    def _in_time(self, line: Line, evidence: Evidence) -> Line:
        """The line with what nobody saw being taken where the rules owed it."""
        shared = parting(self.best, line)
        seen = None if shared is None else self._hindsight.at(shared.depth)
        return in_time(self._game, self.best, line, seen, evidence)

    def _settled(self, line: Line, evidence: Evidence) -> Line:
        """What is bound to happen next, as long as the table does not speak against it."""
        for action in self._bound(line):
            state = self._game.apply(line.state, action)
            step = Step(kind=StepKind.ACTION, action=action)
            following = Line(line, step, state, self._game.view(state), line.cost)
            following.penalty = evidence.total(following.view)
            if following.penalty > line.penalty + 0.1 or _seen_to_change(line, following, evidence):
                return line
            return self._settled(following, evidence)
        return line

    def _bound(self, line: Line) -> Iterator[Any]:
        luck = self._game.chance(line.state)
        if len(luck) == 1 and luck[0][1] == 1.0:
            yield luck[0][0]

    def _commit(self) -> None:
        self.committed = max(self.committed, self.best.depth - self._limits.window)
        kept = _state_at(self.best, self.committed)
        self.lines = tuple(line for line in self.lines if _state_at(line, self.committed) == kept)


def _staying(lines: list[Line], believed: Line) -> list[Line]:
    """The lines, the likeliest first, except that the believed one stays before those about as likely."""
    if believed.score - lines[0].score > STAYS:
        return lines
    return [believed, *(line for line in lines if line is not believed)]


def _seen_to_change(line: Line, following: Line, evidence: Evidence) -> bool:
    """Whether the step would show in a zone that can be seen now."""
    pairs = zip(line.view.zones, following.view.zones, strict=True)
    return any(before is not after and evidence.sees(after.zone) for before, after in pairs)


def _state_at(line: Line, depth: int) -> Any:
    return next(earlier.state for earlier in line.back() if earlier.depth <= depth)


def placed(view: TableView, zone: ZoneView) -> TableView:
    """The view with one zone replaced."""
    return TableView(tuple(zone if old.zone == zone.zone else old for old in view.zones))
