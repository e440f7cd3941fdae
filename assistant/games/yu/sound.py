"""Whether a position holds together at all: numbers in range, piles and tokens that add up."""

from collections import Counter
from collections.abc import Iterator

from assistant.games.yu import mixes
from assistant.games.yu.pieces import WORKERS
from assistant.games.yu.state import ROW, SECTIONS, State, Step, StepKind
from vision.cards import CardId

HUTS = 4

_SPACES = {
    StepKind.REVEAL_TOWNSFOLK: ROW,
    StepKind.REVEAL_BARBARIAN: ROW,
    StepKind.DEAL_CANAL: SECTIONS,
    StepKind.FLIP_HUT: HUTS,
}
"""The steps that name a numbered place, and how many such places there are."""

_OWED = (StepKind.GAIN, StepKind.CHOOSE, StepKind.RETURN, StepKind.DRAW)


def problems(state: State) -> Iterator[str]:
    """What is impossible about a state, one sentence each; the rules rely on there being none."""
    yield from _board_problems(state)
    for step in (*state.pending, *state.harvest):
        if not _step_holds(step):
            yield f"the step {step.kind.value} cannot be about {step.argument!r}"
    if any(step.kind not in _OWED for step in state.harvest):
        yield "the Harvest owes something that no Harvest gives"
    yield from _pile_problems(state)


def _board_problems(state: State) -> Iterator[str]:
    if state.barge > SECTIONS:
        yield f"the Barge cannot be on section {state.barge}"
    if state.flood > SECTIONS + 1:
        yield f"the Flood cannot be on space {state.flood}"
    if state.huts > HUTS:
        yield f"there cannot be {state.huts} Huts"
    if any(worker is not None and worker >= len(WORKERS) for worker in state.circles):
        yield "only Workers sit on Hut spaces"
    for space in state.attackers:
        if not 1 <= space <= ROW or state.row[space - 1] is None:
            yield f"no Barbarian attacks from row space {space}"


def _step_holds(step: Step) -> bool:
    kind, argument = step
    if kind in (StepKind.GAIN, StepKind.STORY):
        return argument is not None
    if kind is StepKind.CHOOSE:
        return bool(argument)
    if kind in _SPACES and argument is not None:
        return bool(1 <= argument <= _SPACES[kind])
    return argument is None and (kind is StepKind.REVEAL_BARBARIAN or kind not in _SPACES)


def _pile_problems(state: State) -> Iterator[str]:
    """For each mix: as many cards as places in piles and unread cards on the table (see `mixes`)."""
    places: Counter[int] = Counter()
    for name in ("ready", "draw", "barbarian_draw"):
        pile = getattr(state, name)
        if len(dict(pile)) < len(pile) or any(number < 1 for _, number in pile):
            yield f"the pile {name} counts {list(pile)}, where each mix must come once and not empty"
        for mix, number in pile:
            places[mix] += number
    for card in _face_up(state):
        mix = mixes.mix_of(card)
        if mix is not None and card[1] in (mixes.TOWNSFOLK, mixes.BARBARIAN):
            places[mix] += 1
    for mix in sorted({*places, *range(len(state.mixes))}):
        cards = len(state.mixes[mix]) if mix < len(state.mixes) else 0
        if cards != places[mix]:
            yield f"mix {mix} has {cards} cards but {places[mix]} places"


def _face_up(state: State) -> Iterator[CardId]:
    for cards in (
        state.hand, state.exhausted, state.discard, state.barbarian_discard, state.row, state.tucked,
        state.box, state.history,
    ):  # fmt: skip
        yield from (card for card in cards if card is not None)
