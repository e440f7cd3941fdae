"""The player's word on an earlier move: the same game again from there, as far as it can be the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.kit import Game
from assistant.reconstruct import Line, Step, StepKind
from assistant.retell import acted, path_of
from vision.cards import CardId
from vision.table import PlacedCard, TableView, ZoneView

Names = Mapping[CardId, CardId]
"""Cards that were taken for each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """The game with one thing otherwise, and which of its old moves still stand."""

    after: Mapping[int, Line]
    """The new line for each depth of the old one, from the first that changed to the last that stands."""
    names: Names
    whole: bool
    """Every later move stands; else the rest must be thought over again."""

    @property
    def line(self) -> Line:
        return self.after[max(self.after)]


def with_zone(game: Game[Any, Any], best: Line, move: int, told: ZoneView) -> Retold:
    """After this move something else lay in a zone.

    A card of another name is renamed from the first moment on; anything else is taken from here on.
    """
    base = line_at(best, move)
    names = _exchanged(base.view[told.zone], told)
    if names:
        renamed = _renamed(game, best, names)
        if renamed is not None and move in renamed.after and renamed.after[move].view[told.zone] == told:
            return renamed
    zones = tuple(told if zone.zone == told.zone else zone for zone in base.view.zones)
    state = game.adopt(base.state, TableView(zones))
    step = Step(kind=StepKind.ADOPTED, told=True)
    return _followed(game, best, move, Line(base, step, state, game.view(state), base.cost), names)


def with_move(game: Game[Any, Any], best: Line, move: int, action: Any) -> Retold:
    """This move was another one, or (None) there was none. The caller has asked whether it is legal."""
    base = line_at(best, move - 1)
    if action is None:
        return _followed(game, best, move, base, {})
    state = game.apply(base.state, action)
    step = Step(kind=StepKind.ACTION, action=action, told=True)
    return _followed(game, best, move, Line(base, step, state, game.view(state), base.cost), {})


def line_at(best: Line, depth: int) -> Line:
    return next(line for line in best.back() if line.depth == depth)


def _renamed(game: Game[Any, Any], best: Line, names: Names) -> Retold | None:
    for taken in path_of(best):
        step = taken.step
        if step is not None and step.kind is StepKind.ACTION and _notation(game, step, names)[1]:
            assert taken.parent is not None
            return _followed(game, best, taken.depth - 1, taken.parent, names)
    return None


def _followed(game: Game[Any, Any], best: Line, depth: int, line: Line, names: Names) -> Retold:
    """All that was done after this depth, done after `line`."""
    after = {depth: line}
    for taken in path_of(best)[depth:]:
        following = _again(game, line, taken, names)
        if following is None:
            return Retold(after=after, names=names, whole=False)
        after[taken.depth] = line = following
    return Retold(after=after, names=names, whole=True)


def _again(game: Game[Any, Any], line: Line, taken: Line, names: Names) -> Line | None:
    """One old step in the new game; None where it is not possible there."""
    step, parent = taken.step, taken.parent
    assert step is not None
    assert parent is not None
    belief = taken.cost - parent.cost
    if step.kind is StepKind.ACTION:
        action = game.parse(_notation(game, step, names)[0])
        return acted(game, line, Step(kind=StepKind.ACTION, action=action, told=step.told), belief)
    if step.kind is StepKind.MISTAKE:
        assert step.mistake is not None
        same = (step.mistake.rule, step.mistake.message)
        mistakes = game.watch.mistakes(line.state)
        again = next((one for one in mistakes if (one.rule, one.message) == same), None)
        if again is None:
            return None
        state, step = again.state, Step(kind=StepKind.MISTAKE, mistake=again, told=step.told)
    else:
        changed = dict(_changed(parent.view, taken.view, names))
        zones = tuple(changed.get(zone.zone, zone) for zone in line.view.zones)
        state = game.adopt(line.state, TableView(zones))
    return Line(line, step, state, game.view(state), line.cost + belief)


def _notation(game: Game[Any, Any], step: Step, names: Names) -> tuple[str, bool]:
    """The action with its cards renamed, and whether it names one of them."""
    words = game.format(step.action).split()
    named = [names.get(CardId(word), word) for word in words]
    return " ".join(named), named != words


def _changed(before: TableView, after: TableView, names: Names) -> Iterator[tuple[str, ZoneView]]:
    for old, new in zip(before.zones, after.zones, strict=True):
        if old != new:
            cards = tuple(
                PlacedCard(None if card.card is None else names.get(card.card, card.card), card.side)
                for card in new.cards
            )
            yield new.zone, ZoneView(zone=new.zone, cards=cards, pieces=new.pieces)


def _exchanged(known: ZoneView, told: ZoneView) -> Names:
    """The two names, where the zones differ in nothing but the name of one card."""
    differing = [(old, new) for old, new in zip(known.cards, told.cards, strict=False) if old != new]
    if len(known.cards) != len(told.cards) or known.pieces != told.pieces or len(differing) != 1:
        return {}
    ((old, new),) = differing
    if old.card is None or new.card is None or old.side is not new.side:
        return {}
    return {old.card: new.card, new.card: old.card}


def likest(game: Game[Any, Any], before: Any, after: Any, actions: Sequence[Any]) -> list[Any]:
    """Other actions from a position, those first whose table looks most like the one that was believed."""
    believed = game.view(after).zones

    def unlike(action: Any) -> int:
        view = game.view(game.apply(before, action))
        return sum(one != other for one, other in zip(view.zones, believed, strict=True))

    return sorted((action for action in actions if game.apply(before, action) != after), key=unlike)
