"""The card row above the board: attack Barbarians, recruit or dismiss Townsfolk (Y-A6 to Y-A8)."""

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.actions import action as made
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no, not_in_actions, too_dear, unpaid
from assistant.games.yu.payment import FREE, believed, ways_to_pay
from assistant.games.yu.pieces import NO_WORKERS, NONE, PROVISION, WORKERS, Workers, added, plus, taken
from assistant.games.yu.resolve import colour_group, push
from assistant.games.yu.state import ROW, State
from assistant.kit import Refusal

_RULE_OF = {Verb.RECRUIT: "Y-A7", Verb.DISMISS: "Y-A8"}


def options(copy: Copy, state: State) -> list[Action]:
    actions: list[Action] = []
    provisions = state.supply[PROVISION]
    group = None
    for space, card in enumerate(state.row, 1):
        if card is None or copy.board.row_costs[space - 1] > provisions:
            continue
        if copy.is_barbarian(card):
            group = group or colour_group(copy, state)
            workers = state.supply[: len(WORKERS)]
            pays = ways_to_pay(copy.barbarian_of(card).cost or FREE, workers, group)
            actions += [Action(Verb.ATTACK, at=space, pay=pay) for pay in pays]
        else:
            actions.append(made(Verb.RECRUIT, None, space))
            actions.append(made(Verb.DISMISS, None, space))
    return actions


def spent(state: State, workers: Workers = NO_WORKERS, resources: tuple[int, ...] = NONE) -> State:
    """The state after these pieces went back to the Main Supply."""
    paid = added((*workers, 0, 0, 0, 0), resources)
    return state.but(supply=taken(state.supply, paid), main=added(state.main, paid))


def refuse_attack(copy: Copy, state: State, action: Action) -> Refusal | None:
    """Y-A6: the Provisions of the space and the Workers of the card."""
    if refusal := not_in_actions(state, "Y-A6"):
        return refusal
    if not 1 <= action.at <= ROW:
        return no("Y-A6", "no-space", space=action.at)
    card = state.row[action.at - 1]
    if card is None or not copy.is_barbarian(card):
        return no("Y-A6", "no-barbarian", space=action.at)
    if refusal := _refuse_provisions(copy, state, action, "Y-A6"):
        return refusal
    cost = believed(copy.barbarian_of(card).cost, action.pay)
    return unpaid(state, cost, action.pay, colour_group(copy, state), "Y-A6")


def _refuse_provisions(copy: Copy, state: State, action: Action, rule: str) -> Refusal | None:
    cost = copy.board.row_costs[action.at - 1]
    if state.supply[PROVISION] < cost:
        return too_dear(rule, PROVISION, cost, state.supply[PROVISION])
    return None


def do_attack(copy: Copy, state: State, action: Action) -> State:
    card = state.row[action.at - 1]
    assert card is not None
    state = _row_cost_paid(copy, state, action.at, action.pay)
    state = _space_emptied(state, action.at).but(barbarian_discard=(*state.barbarian_discard, card))
    return push(state, copy.barbarian_of(card).reward)


def refuse_hire(copy: Copy, state: State, action: Action) -> Refusal | None:
    """Y-A7, Y-A8: a Townsfolk card lies there and its space can be paid; the left-most is free (Y-A14)."""
    rule = _RULE_OF[action.verb]
    if refusal := not_in_actions(state, rule):
        return refusal
    if not 1 <= action.at <= ROW:
        return no(rule, "no-space", space=action.at)
    card = state.row[action.at - 1]
    if card is None or copy.is_barbarian(card):
        return no(rule, "no-townsfolk", space=action.at)
    return _refuse_provisions(copy, state, action, rule)


def do_recruit(copy: Copy, state: State, action: Action) -> State:
    card = state.row[action.at - 1]
    assert card is not None
    state = _row_cost_paid(copy, state, action.at)
    return _space_emptied(state, action.at).but(exhausted=(*state.exhausted, card))


def do_dismiss(copy: Copy, state: State, action: Action) -> State:
    card = state.row[action.at - 1]
    assert card is not None
    state = _row_cost_paid(copy, state, action.at)
    state = _space_emptied(state, action.at).but(discard=(*state.discard, card))
    return push(state, copy.townsfolk_of(card).brown)


def _row_cost_paid(copy: Copy, state: State, space: int, workers: Workers = NO_WORKERS) -> State:
    return spent(state, workers, plus(NONE, PROVISION, copy.board.row_costs[space - 1]))


def _space_emptied(state: State, space: int) -> State:
    """Nothing slides before the Refresh (Y-A14)."""
    return state.but(row=(*state.row[: space - 1], None, *state.row[space:]))
