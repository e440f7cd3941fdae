"""Taking what is owed: a piece of choice, the Harvest in any order, or nothing where the box is empty."""

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.actions import action as made
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import amount, no
from assistant.games.yu.pieces import plus
from assistant.games.yu.resolve import available
from assistant.games.yu.state import Phase, State, Step, StepKind
from assistant.kit import Message, Refusal

_PIECE_STEPS = (StepKind.GAIN, StepKind.CHOOSE)
_COLLECTED = (StepKind.GAIN, StepKind.RETURN)


def _owed(state: State) -> tuple[Step, ...]:
    """What may be taken now: the step in hand, or everything the Harvest still owes."""
    if state.pending:
        return state.pending[:1]
    return state.harvest if state.phase is Phase.HARVEST else ()


def options(state: State) -> list[Action]:
    """What may be taken or, if the box has nothing of it, left."""
    if not state.pending:
        return _harvest_options(state) if state.phase is Phase.HARVEST else []
    step = state.pending[0]
    if step.kind is StepKind.GAIN:
        pieces: tuple[int, ...] = (step.argument,)
    elif step.kind is StepKind.CHOOSE:
        pieces = step.argument
    else:
        return []
    return [made(Verb.TAKE, None, 0, piece) for piece in pieces if state.main[piece]] or [Action(Verb.SKIP)]


def _harvest_options(state: State) -> list[Action]:
    main = state.main
    pieces: set[int] = set()
    collectable = returning = other = False
    for kind, argument in state.harvest:
        if kind is StepKind.GAIN:
            if main[argument]:
                pieces.add(argument)
                collectable = True
        elif kind is StepKind.CHOOSE:
            pieces.update([piece for piece in argument if main[piece]])
        else:
            other = True
            returning = returning or kind is StepKind.RETURN
    actions = [made(Verb.TAKE, None, 0, piece) for piece in sorted(pieces)]
    if state.harvest and not pieces and not other:
        actions.append(Action(Verb.SKIP))
    if collectable or returning:
        actions.append(Action(Verb.COLLECT))
    if returning:
        actions.append(Action(Verb.RETURN))
    return actions


def _only_short(state: State, owed: tuple[Step, ...]) -> bool:
    """Nothing is left but gains that the Main Supply cannot pay."""
    return all([step.kind in _PIECE_STEPS and not available(state, step) for step in owed])


def _collectable(state: State) -> bool:
    return any([step.kind in _COLLECTED and available(state, step) for step in state.harvest])


def is_owed(_copy: Copy, state: State, action: Action) -> bool:
    """Whether a piece is to be taken, at the latest after what is in hand just now. In the Harvest what needs
    no choice is collected first."""
    if action.verb is not Verb.TAKE:
        return False
    assert action.piece is not None
    if state.phase is Phase.HARVEST and not _collectable(state) and _step_for(state.harvest, action.piece):
        return True
    return _step_for(state.pending[:1], action.piece) is not None


def refuse_take(_copy: Copy, state: State, action: Action) -> Refusal | None:
    assert action.piece is not None
    owed = _owed(state)
    if _step_for(owed, action.piece) is None:
        return no(_rule_of(state, owed), "not-owed", piece=amount(action.piece, 1))
    if not state.main[action.piece]:
        return no("Y-G9", "box-empty", piece=amount(action.piece, 1))
    return None


def _rule_of(state: State, owed: tuple[Step, ...]) -> str:
    """The rule that forbids a piece: a choice offers others, the Harvest owes others, or nothing is owed."""
    if any(step.kind is StepKind.CHOOSE for step in owed):
        return "Y-C6"
    return "Y-H1" if state.phase is Phase.HARVEST and not state.pending else "Y-C4"


def _step_for(owed: tuple[Step, ...], piece: int) -> Step | None:
    """The gain that a piece settles: one that names it, before one that leaves the choice."""
    for step in owed:
        if step.kind is StepKind.GAIN and step.argument == piece:
            return step
    return next((step for step in owed if step.kind is StepKind.CHOOSE and piece in step.argument), None)


def do_take(_copy: Copy, state: State, action: Action) -> State:
    assert action.piece is not None
    step = _step_for(_owed(state), action.piece)
    assert step is not None
    return _settled(state, step).but(
        supply=plus(state.supply, action.piece), main=plus(state.main, action.piece, -1)
    )


def _settled(state: State, step: Step) -> State:
    if state.pending:
        return state.but(pending=state.pending[1:])
    place = state.harvest.index(step)
    return state.but(harvest=state.harvest[:place] + state.harvest[place + 1 :])


def refuse_collect(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    if not state.pending and state.phase is Phase.HARVEST and _collectable(state):
        return None
    return no("Y-H1", "nothing-to-collect")


def do_collect(_copy: Copy, state: State, _action: Action) -> State:
    """Y-H1: everything that needs no choice, as far as the Main Supply reaches."""
    left: list[Step] = []
    for step in state.harvest:
        if step.kind is StepKind.GAIN and state.main[step.argument]:
            state = state.but(
                supply=plus(state.supply, step.argument), main=plus(state.main, step.argument, -1)
            )
        elif step.kind is StepKind.RETURN:
            state = _workers_back(state)
        else:
            left.append(step)
    return state.but(harvest=tuple(left))


def refuse_return(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    if not state.pending and state.phase is Phase.HARVEST and Step(StepKind.RETURN) in state.harvest:
        return None
    return no("Y-H2", "nothing-to-return")


def do_return(_copy: Copy, state: State, _action: Action) -> State:
    return _workers_back(_settled(state, Step(StepKind.RETURN)))


def _workers_back(state: State) -> State:
    """Y-H2: Workers on Hut spaces come back to the player's supply, not to the Main Supply."""
    supply = state.supply
    for worker in state.circles:
        if worker is not None:
            supply = plus(supply, worker)
    return state.but(supply=supply, circles=(None,) * len(state.circles))


def refuse_skip(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    """Y-G9: a gain is left only when its piece is not there; a draw never is (Y-G4)."""
    owed = _owed(state)
    if owed and _only_short(state, owed):
        return None
    if any(step.kind in (StepKind.DRAW, StepKind.DESTROY) for step in owed):
        return no("Y-G4", "draw-not-optional")
    return no("Y-G9", "nothing-to-skip", step=Message.of("yu.step.gain"))


def do_skip(_copy: Copy, state: State, _action: Action) -> State:
    return state.but(pending=state.pending[1:]) if state.pending else state.but(harvest=())
