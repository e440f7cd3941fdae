"""Small words in which the rules refuse an action."""

from assistant.games.yu.payment import Cost, Group, missing_workers, satisfies
from assistant.games.yu.pieces import PIECES, WORKERS, Workers
from assistant.games.yu.state import Phase, State
from assistant.kit import Message, Refusal, Value


def no(rule: str, key: str, **values: Value) -> Refusal:
    return Refusal(rule=rule, message=Message.of(f"yu.refuse.{key}", **values))


def amount(piece: int, number: int) -> Message:
    """A number of pieces in words, such as "3 Provisions"."""
    return Message.of(f"yu.amount.{PIECES[piece]}", n=number)


def what(rule: str) -> Message:
    """What the rule is about, such as "This attack"."""
    return Message.of(f"yu.what.{rule}")


def too_dear(rule: str, piece: int, need: int, have: int) -> Refusal:
    return no(rule, "cost", what=what(rule), cost=amount(piece, need), have=have)


def phase_name(phase: Phase) -> Message:
    return Message.of(f"yu.phase.{phase.value}")


def not_in_phase(state: State, phase: Phase, rule: str) -> Refusal | None:
    """Actions wait for their phase, and for whatever is still to be resolved."""
    if state.phase is not phase:
        return no(rule, "phase", phase=phase_name(state.phase), needed=phase_name(phase))
    if state.pending:
        return no(rule, "pending", step=Message.of(f"yu.step.{state.pending[0].kind.value}"))
    return None


def not_in_actions(state: State, rule: str) -> Refusal | None:
    return not_in_phase(state, Phase.ACTIONS, rule)


def unpaid(state: State, cost: Cost, pay: Workers, group: Group, rule: str) -> Refusal | None:
    """Whether these Workers, and the resources of the cost, can be paid from the supply."""
    for piece, need in enumerate(cost.resources):
        if state.supply[piece] < need:
            return too_dear(rule, piece, need, state.supply[piece])
    workers = state.supply[: len(WORKERS)]
    for piece, need in enumerate(pay):
        if workers[piece] < need:
            return too_dear(rule, piece, need, workers[piece])
    if satisfies(cost, pay, group):
        return None
    for piece, short in enumerate(missing_workers(cost.named, workers, group)):
        if short:
            return no("Y-G1", "workers-missing", what=what(rule), missing=amount(piece, short))
    if short := sum(missing_workers(cost, workers, group)):
        free = Message.of(f"yu.amount.{'coloured' if cost.coloured else 'any'}", n=short)
        return no("Y-G1", "workers-missing", what=what(rule), missing=free)
    return no("Y-G1", "wrong-workers", what=what(rule))
