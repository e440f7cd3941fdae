"""Leaving the actions, bringing the Barge back, and suffering attacks (phases 3 and 4)."""

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.copy import Barbarian, Copy
from assistant.games.yu.judge import no, not_in_actions, not_in_phase, unpaid
from assistant.games.yu.payment import FREE, believed, ways_to_pay
from assistant.games.yu.pieces import WORKERS, covers
from assistant.games.yu.resolve import colour_group, left_most, push
from assistant.games.yu.row import spent
from assistant.games.yu.state import OFF_BOARD, Phase, State, Step, StepKind
from assistant.kit import Message, Refusal


def end_options(state: State) -> list[Action]:
    return [] if state.hand else [Action(Verb.END)]


def refuse_end(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    """The phase can be left only with an empty hand (EN L219)."""
    if refusal := not_in_actions(state, "Y-A1"):
        return refusal
    if state.hand:
        return no("Y-A1", "hand-not-empty", cards=Message.of("yu.amount.card", n=len(state.hand)))
    return None


def do_end(_copy: Copy, state: State, _action: Action) -> State:
    return state.but(phase=Phase.RETURN_BARGE)


def refuse_barge(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    return not_in_phase(state, Phase.RETURN_BARGE, "Y-B1")


def do_barge(_copy: Copy, state: State, _action: Action) -> State:
    """Y-B1: the Barge goes to the left-most Canal card that is still there."""
    return state.but(barge=left_most(state) or OFF_BOARD)


def attack_options(copy: Copy, state: State) -> list[Action]:
    """Y-P1, Y-P3: each Barbarian that has not attacked yet, in any order: take the Damage, or bribe it."""
    actions: list[Action] = []
    for space in state.attackers:
        actions.append(Action(Verb.SUFFER, at=space))
        attacker = _attacker_at(copy, state, space)
        bribe = attacker.bribe
        if bribe is not None and attacker.bribable and covers(state.supply, bribe.resources):
            pays = ways_to_pay(bribe, state.supply[: len(WORKERS)], colour_group(copy, state))
            actions += [Action(Verb.BRIBE, at=space, pay=pay) for pay in pays]
    return actions


def _attacker_at(copy: Copy, state: State, space: int) -> Barbarian:
    card = state.row[space - 1]
    assert card is not None
    return copy.barbarian_of(card)


def _refuse_attacker(state: State, action: Action) -> Refusal | None:
    if refusal := not_in_phase(state, Phase.ATTACKS, "Y-P1"):
        return refusal
    if action.at not in state.attackers:
        return no("Y-P1", "no-attacker", space=action.at)
    return None


def refuse_suffer(_copy: Copy, state: State, action: Action) -> Refusal | None:
    return _refuse_attacker(state, action)


def do_suffer(copy: Copy, state: State, action: Action) -> State:
    """Y-P1: each Damage destroys one card; the Barbarian stays where it is (Y-P2)."""
    damage = _attacker_at(copy, state, action.at).damage
    return push(_attacked(state, action.at), (Step(StepKind.DESTROY),) * damage)


def refuse_bribe(copy: Copy, state: State, action: Action) -> Refusal | None:
    if refusal := _refuse_attacker(state, action):
        return refusal
    attacker = _attacker_at(copy, state, action.at)
    if not attacker.bribable:
        return no("Y-P4", "no-bribe", space=action.at)
    return unpaid(state, believed(attacker.bribe, action.pay), action.pay, colour_group(copy, state), "Y-P1")


def do_bribe(copy: Copy, state: State, action: Action) -> State:
    """Y-P2: a bribed Barbarian stays in the row."""
    bribe = _attacker_at(copy, state, action.at).bribe or FREE
    return _attacked(spent(state, action.pay, bribe.resources), action.at)


def _attacked(state: State, space: int) -> State:
    return state.but(attackers=tuple(other for other in state.attackers if other != space))
