"""Carries the game on by itself until a choice or a card is needed; the losses and the win live here."""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from assistant.facedown import Cards
from assistant.games.yu import mixes
from assistant.games.yu.copy import Copy
from assistant.games.yu.payment import ONLY_WHITE, Group
from assistant.games.yu.pieces import PROVISION, WHITE
from assistant.games.yu.state import OFF_BOARD, ROW, SECTIONS, Phase, Result, State, Step, StepKind
from vision.cards import CardId

Row: TypeAlias = tuple[CardId | None, ...]


def settle(copy: Copy, state: State) -> State:
    """Everything that follows without a choice and without luck."""
    while state.result is None:
        before = state
        state = _settle_step(copy, state) if state.pending else _settle_phase(copy, state)
        if state is before:
            break
    return state


def sections_built(state: State) -> int:
    return state.canal.count(None)


def left_most(state: State) -> int | None:
    """The space, from 1, of the Canal card that comes next; none once all are built."""
    return next((space for space, card in enumerate(state.canal, 1) if card is not None), None)


def colour_group(copy: Copy, state: State) -> Group:
    """Y-G2: White and the colours of the built Outposts count as one colour."""
    return group_of(copy.board.outpost_colours, state.outposts)


@cache
def group_of(colours: tuple[int, ...], outposts: tuple[bool, ...]) -> Group:
    if True not in outposts:
        return ONLY_WHITE
    built = zip(colours, outposts, strict=True)
    return frozenset([WHITE, *(colour for colour, is_built in built if is_built)])


def barbarians_in_row(copy: Copy, row: Iterable[CardId | None]) -> list[int]:
    """The row spaces, from 1, where Barbarians lie."""
    return [space for space, card in enumerate(row, 1) if copy.is_barbarian(card)]


def barbarians_to_add(copy: Copy, state: State) -> int:
    """Y-R2: the sum of the tags that can be seen on the upper shore now."""
    return sum(copy.board.barbarian_tags[: sections_built(state) + 1])


def available(state: State, step: Step) -> bool:
    """Whether the Main Supply has a piece for this gain (Y-G9)."""
    if step.kind is StepKind.GAIN:
        return bool(state.main[step.argument])
    if step.kind is StepKind.CHOOSE:
        return any([state.main[piece] for piece in step.argument])
    return True


def advance_flood(state: State) -> State:
    """Y-G6: a built section is safe; a Canal card or the right edge is the end."""
    flood = state.flood + 1
    lost = flood > SECTIONS or state.canal[flood - 1] is not None
    return state.but(flood=flood, result=Result.FLOOD if lost else None)


def push(state: State, steps: tuple[Step, ...]) -> State:
    return state.but(pending=steps + state.pending) if steps else state


def can_trade(copy: Copy, state: State) -> bool:
    """Whether any trade could be made right now (Y-G10)."""
    built = sections_built(state)
    *_, clay, wood, _, cowrie = state.supply
    return (
        cowrie >= 3
        or (built >= 1 and cowrie >= 2)
        or (built >= 2 and bool(state.hand))
        or (built >= 3 and _can_train(copy, state))
        or (built >= 6 and clay + wood >= 1)
    )


def _can_train(copy: Copy, state: State) -> bool:
    """Trade 4: a Provision, and a White Worker or one that an Outpost makes count as White."""
    if not state.supply[PROVISION]:
        return False
    return any([state.supply[colour] for colour in colour_group(copy, state)])


def _settle_step(copy: Copy, state: State) -> State:
    step = state.pending[0]
    kind = step.kind
    if kind is StepKind.GAIN:
        return _gain_pieces(copy, state)
    if kind is StepKind.CHOOSE:
        return state if available(state, step) or can_trade(copy, state) else _dropped(state)
    if kind is StepKind.DRAW or kind is StepKind.DESTROY:
        return state if state.ready or state.exhausted else state.but(result=Result.DAMAGE)
    if kind is StepKind.FLOOD:
        return advance_flood(_dropped(state))
    if kind is StepKind.EXHAUST:
        return state if state.hand else _dropped(state)
    if kind is StepKind.DRAW_PILE or kind is StepKind.REVEAL_TOWNSFOLK:
        return _with_townsfolk_draw(state)
    if kind is StepKind.REVEAL_BARBARIAN:
        return _with_barbarian_draw(copy, state)
    return state


def _dropped(state: State) -> State:
    return state.but(pending=state.pending[1:])


def _gain_pieces(copy: Copy, state: State) -> State:
    """Takes the pieces due before anything else, as far as the Main Supply has them (Y-G9).

    Those it lacks wait at the end, because what came in with them may pay a trade that frees them (Y-G10).
    """
    supply, main = list(state.supply), list(state.main)
    short: list[Step] = []
    due = 0
    for step in state.pending:
        if step.kind is not StepKind.GAIN:
            break
        due += 1
        if main[step.argument]:
            main[step.argument] -= 1
            supply[step.argument] += 1
        else:
            short.append(step)
    if len(short) == due:
        return state if can_trade(copy, state) else state.but(pending=state.pending[due:])
    return state.but(supply=tuple(supply), main=tuple(main), pending=(*short, *state.pending[due:]))


def _with_townsfolk_draw(state: State) -> State:
    """Y-G8: an empty Draw Pile is made anew from its Discard, and the Flood stays where it is."""
    if state.draw:
        return state
    if not state.discard:
        return _dropped(state)
    new_mixes, draw = mixes.shuffled(state.mixes, state.discard)
    return state.but(mixes=new_mixes, draw=draw, discard=())


def _with_barbarian_draw(copy: Copy, state: State) -> State:
    if not state.barbarian_draw:
        if not state.barbarian_discard:
            return _dropped(state)
        new_mixes, draw = mixes.shuffled(state.mixes, state.barbarian_discard)
        return state.but(mixes=new_mixes, barbarian_draw=draw, barbarian_discard=())
    if state.pending[0].argument is None:
        return _room_for_a_barbarian(copy, state)
    return state


def _room_for_a_barbarian(copy: Copy, state: State) -> State:
    """A Barbarian revealed outside the Refresh takes the right-most free space, or chases someone off."""
    if None in state.row:
        space = ROW - state.row[::-1].index(None)
        return state.but(pending=(Step(StepKind.REVEAL_BARBARIAN, space), *state.pending[1:]))
    row, gone = row_with_room(copy, state.row, 1)
    return state.but(
        row=row,
        discard=state.discard + gone,
        pending=(Step(StepKind.REVEAL_BARBARIAN, ROW), *state.pending[1:]),
    )


def _settle_phase(copy: Copy, state: State) -> State:
    phase = state.phase
    if phase is Phase.ACTIONS:
        return state
    if phase is Phase.HARVEST:
        return _settle_harvest(copy, state)
    if phase is Phase.RETURN_BARGE:
        return _settle_barge(copy, state)
    if phase is Phase.ATTACKS:
        return state if state.attackers else _begin_refresh(copy, state)
    if phase is Phase.REFRESH and sections_built(state) == SECTIONS:
        return state.but(result=Result.WIN)
    return _begin_harvest(copy, state)


def next_harvest(copy: Copy, state: State) -> list[Step]:
    """Y-H1: all that a Harvest gives as the table lies: the printed line, Outposts, Farms, tucked cards."""
    steps = [*copy.harvest, *copy.harvest_per_outpost * state.outposts.count(True)]
    for farm, built in zip(copy.farms, state.farms, strict=True):
        steps += farm if built else ()
    for card in state.tucked:
        steps += copy.townsfolk_of(card).harvest if card else ()
    return steps


def _begin_harvest(copy: Copy, state: State) -> State:
    """Y-H1, Y-H2: all that this Harvest will give; the player takes it in any order (Y-H4)."""
    steps = next_harvest(copy, state)
    if any(worker is not None for worker in state.circles):
        steps.append(Step(StepKind.RETURN))
    takeable = (StepKind.GAIN, StepKind.CHOOSE, StepKind.DRAW, StepKind.RETURN)
    return state.but(
        round=state.round + 1,
        phase=Phase.HARVEST,
        harvest=tuple(step for step in steps if step.kind in takeable),
        pending=tuple(step for step in steps if step.kind not in takeable),
        built_this_round=False,
        attackers=(),
    )


def _settle_harvest(copy: Copy, state: State) -> State:
    """The Harvest goes on while it owes something that can be had; a draw that cannot is the end (Y-G5)."""
    left = state.harvest
    if not left:
        return state.but(phase=Phase.ACTIONS)
    others = [step for step in left if step.kind is not StepKind.DRAW]
    draws = len(others) < len(left)
    if draws and (state.ready or state.exhausted):
        return state
    if any([available(state, step) for step in others]) or (others and can_trade(copy, state)):
        return state
    return state.but(result=Result.DAMAGE) if draws else state.but(harvest=(), phase=Phase.ACTIONS)


def _settle_barge(copy: Copy, state: State) -> State:
    """Y-B1: the Barge comes back only after a section was built and while Canal cards remain."""
    if state.barge == OFF_BOARD and sections_built(state) < SECTIONS:
        return state
    return state.but(phase=Phase.ATTACKS, attackers=tuple(barbarians_in_row(copy, state.row)))


def _begin_refresh(copy: Copy, state: State) -> State:
    """Y-R1: slide, chase off, and list the spaces that new cards will fill, in their order."""
    new = min(barbarians_to_add(copy, state), ROW - len(barbarians_in_row(copy, state.row)))
    row, gone = row_with_room(copy, state.row, new)
    return state.but(
        phase=Phase.REFRESH,
        row=row,
        discard=state.discard + gone,
        pending=steps_of_refresh(row, new),
    )


def steps_of_refresh(row: Row, new: int) -> tuple[Step, ...]:
    """The spaces that new cards fill: Barbarians from the right, then Townsfolk from the left."""
    barbarians = [Step(StepKind.REVEAL_BARBARIAN, space) for space in range(ROW, ROW - new, -1)]
    gaps = [space for space, card in enumerate(row[: ROW - new], 1) if card is None]
    return (*barbarians, *(Step(StepKind.REVEAL_TOWNSFOLK, space) for space in gaps))


def row_with_room(copy: Copy, cards: Row, new: int) -> tuple[Row, Cards]:
    """The row with Townsfolk to the left, Barbarians to the right and `new` free spaces at the right end."""
    old = [card for card in cards if copy.is_barbarian(card)]
    people = [card for card in cards if card is not None and not copy.is_barbarian(card)]
    excess = min(len(people), max(0, len(people) + len(old) + new - ROW))
    gone, people = people[:excess], people[excess:]
    gap: list[CardId | None] = [None] * (ROW - new - len(people) - len(old))
    return (*people, *gap, *old, *([None] * new)), tuple(gone)
