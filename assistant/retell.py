"""The same game told with another card: one that was misread, or one that nobody could read at first.

Works on the notation, where every card is a word of its own and an unread card begins with `?`.
"""

from typing import Any

from assistant.kit import Game
from assistant.reconstruct import Line, Step, StepKind
from vision.cards import CardId
from vision.table import Side, TableView

MOST_MADE_UP = 8
"""So many of the last steps may turn out to have been made up to fit a misread card."""
MADE_UP = 0.25
"""What each of them costs to give up, beside the first."""
GIVEN_UP = 0.5
LATEST_SAID = 3
"""From one of so many last times on at which a name was said, another may have been meant."""
UNREAD = "?"
LATEST = 12
"""A name is looked for in so many of the last steps, and given to one of so many unread cards."""

Taken = tuple[Line, list[str]]
"""One line of a path and the words of its step: none where it is no action."""


def renamed(game: Game[Any, Any], path: list[Taken], old: CardId, new: CardId, cost: float) -> Line | None:
    """The line of this path with two cards exchanged wherever they are named; None where the rules forbid it.

    Where several cards have one name, it may have been another one that was named at first: then they are
    exchanged from a later time on, if more steps can follow then. Steps at the end that cannot follow any
    more are left out: they have to be found anew.
    """
    named = [at for at, (_, words) in enumerate(path) if old in words or new in words]
    tried = dict.fromkeys((*named[:1], *named[-LATEST_SAID:]))
    lines = [_renamed_from(game, path, at, {old: new, new: old}, cost) for at in tried]
    return max((line for line in lines if line is not None), key=lambda line: line.depth, default=None)


def _renamed_from(
    game: Game[Any, Any], path: list[Taken], first: int, exchange: dict[CardId, CardId], cost: float
) -> Line | None:
    line = _before(path[first][0], cost)
    for at in range(first, len(path)):
        taken, words = path[at]
        following = _retaken(game, line, taken, [exchange.get(CardId(word), word) for word in words], words)
        if following is None:
            made_up = at > first and len(path) - at <= MOST_MADE_UP and not _told(path[at:])
            line.cost += GIVEN_UP + MADE_UP * (len(path) - at)
            return line if made_up else None
        line = following
    return line


def filled_in(game: Game[Any, Any], best: Line) -> Line:
    """The line with the cards that nobody could read at first under the names that they got later."""
    path = told_path(game, best)
    nameless = [at for at, (_, words) in enumerate(path) if unread(words)]
    if not nameless:
        return best
    # Where a name is said, and where it was said before: in between it belonged to no card in sight.
    named: list[tuple[int, int, str]] = []
    last: dict[str, int] = {}
    for at, (_, words) in enumerate(path):
        cards = [word for word in words if CardId(word) in game.pack]
        named += [(at, last.get(word, -1), word) for word in cards if at >= len(path) - LATEST]
        last.update(dict.fromkeys(cards, at))
    for at, before, name in reversed(named):
        for start in reversed([place for place in nameless if before < place < at][-LATEST:]):
            line = _with_name(game, path, start, name)
            # Given to the wrong card, the name would still be somewhere that nobody can see.
            if line is not None and line.state == best.state:
                return line
    return best


def _with_name(game: Game[Any, Any], path: list[Taken], start: int, name: str) -> Line | None:
    """The line if the unread card of one step was this one; what only gave it its name is left out."""
    line = _before(path[start][0], 0.0)
    for at in range(start, len(path)):
        taken, words = path[at]
        read = [name if word.startswith(UNREAD) else word for word in words]
        following = None if at == start else _retaken(game, line, taken, words, words)
        if following is None and unread(words):
            following = _retaken(game, line, taken, read, words)
        if following is None and not only_names(taken):
            return None
        line = following or line
    return line


def path_of(best: Line) -> list[Line]:
    """The lines that a step led to, the first one first."""
    return [line for line in best.back() if line.step is not None][::-1]


def acted(game: Game[Any, Any], line: Line, step: Step, belief: float) -> Line | None:
    """The line with an action added that costs so much to believe; None where the rules forbid it."""
    if game.refusal(line.state, step.action) is not None:
        return None
    state = game.apply(line.state, step.action)
    return Line(line, step, state, game.view(state), line.cost + belief)


def only_names(line: Line) -> bool:
    """Whether the step only gave a name to a card that lay there unread."""
    if line.parent is None or line.step is None or line.step.kind is not StepKind.ACTION:
        return False
    before, after = line.parent.view, line.view
    return before != after and _without_names(before, after)


def _without_names(before: TableView, after: TableView) -> bool:
    for old, new in zip(before.zones, after.zones, strict=True):
        if old is new:
            continue
        if old.pieces != new.pieces or len(old.cards) != len(new.cards):
            return False
        left = [card for card in old.cards if card not in new.cards]
        if any(card.card is not None or card.side is Side.DOWN for card in left):
            return False
    return True


def told_path(game: Game[Any, Any], best: Line) -> list[Taken]:
    """The lines that a step led to, the first one first, with the words of the step."""
    return [
        (line, game.format(line.step.action).split())
        if line.step is not None and line.step.kind is StepKind.ACTION
        else (line, [])
        for line in path_of(best)
    ]


def unread(words: list[str]) -> bool:
    """Whether a step in these words has a card that nobody could read."""
    return any(word.startswith(UNREAD) for word in words)


def _told(path: list[Taken]) -> bool:
    return any(line.step is not None and line.step.told for line, _ in path)


def _before(taken: Line, cost: float) -> Line:
    """The position before a step, as a line of its own that costs more."""
    assert taken.parent is not None
    parent = taken.parent
    line = Line(parent.parent, parent.step, parent.state, parent.view, parent.cost + cost)
    line.depth, line.charge = parent.depth, parent.charge + cost
    return line


def _retaken(
    game: Game[Any, Any], line: Line, taken: Line, words: list[str], before: list[str]
) -> Line | None:
    """The line with the step done again in these words; None where the rules forbid it."""
    step = taken.step
    assert step is not None
    assert taken.parent is not None
    if step.kind is not StepKind.ACTION or (step.told and words != before):
        return None
    action = step.action if words == before else game.parse(" ".join(words))
    again = Step(kind=StepKind.ACTION, action=action, told=step.told)
    return acted(game, line, again, taken.cost - taken.parent.cost)
