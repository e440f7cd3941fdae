"""The seven trades along the river, usable at any point of the game once they are visible (Y-G10, Y-A13)."""

from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.hand import taken_from_hand
from assistant.games.yu.judge import amount, no, too_dear, unpaid
from assistant.games.yu.payment import Cost, cost_of, ways_to_pay
from assistant.games.yu.pieces import CLAY_OR_WOOD, COLOURED, COWRIE, PROVISION, WHITE, WORKERS
from assistant.games.yu.resolve import colour_group, push, sections_built
from assistant.games.yu.row import spent
from assistant.games.yu.state import Phase, State, Step, StepKind
from assistant.kit import Refusal
from vision.cards import parse_items

TRADES = 7
SPENDS: dict[int, Cost] = {
    1: cost_of(parse_items("cowrie+3")),
    2: cost_of(parse_items("cowrie+2")),
    3: cost_of(()),
    4: cost_of(parse_items("white provision")),
    5: cost_of(parse_items("cowrie+4")),
    6: cost_of(parse_items("provision+2 cowrie+2")),
}


def options(copy: Copy, state: State) -> list[Action]:
    """All trades that can be made now; empty during set-up."""
    if state.phase is Phase.SETUP:
        return []
    built = sections_built(state)
    cowries, provisions = state.supply[COWRIE], state.supply[PROVISION]
    actions: list[Action] = []
    if cowries >= 3:
        actions += [Action(Verb.TRADE, at=1, piece=piece) for piece in CLAY_OR_WOOD]
    if built >= 1 and cowries >= 2:
        actions.append(Action(Verb.TRADE, at=2))
    if built >= 2:
        actions += [Action(Verb.TRADE, card, 3) for card in dict.fromkeys(state.hand)]
    if built >= 3 and provisions:
        pays = ways_to_pay(SPENDS[4], state.supply[: len(WORKERS)], colour_group(copy, state))
        actions += [Action(Verb.TRADE, at=4, pay=pay, piece=piece) for pay in pays for piece in COLOURED]
    if built >= 4 and cowries >= 4:
        actions.append(Action(Verb.TRADE, at=5))
    if built >= 5 and cowries >= 2 and provisions >= 2:
        actions.append(Action(Verb.TRADE, at=6))
    if built >= 6:
        actions += [Action(Verb.TRADE, at=7, piece=piece) for piece in CLAY_OR_WOOD if state.supply[piece]]
    return actions


def in_circles(action: Action) -> bool:
    """Whether the trade gives back the Worker that it took: legal, and worth less than nothing."""
    return action.verb is Verb.TRADE and action.piece in COLOURED and action.pay[action.piece] > 0


def refuse(copy: Copy, state: State, action: Action) -> Refusal | None:
    if not 1 <= action.at <= TRADES:
        return no("Y-A13", "no-trade", trade=action.at)
    if state.phase is Phase.SETUP:
        return no("Y-G10", "trade-in-setup")
    if action.at - 1 > sections_built(state):
        return no("Y-A13", "trade-hidden", trade=action.at, section=action.at - 1)
    if action.at == 3:
        return _refuse_card(copy, state, action)
    if action.at == 7:
        return _refuse_sale(state, action)
    if refusal := _refuse_choice(action):
        return refusal
    return unpaid(state, SPENDS[action.at], action.pay, colour_group(copy, state), "Y-A13")


def _refuse_card(copy: Copy, state: State, action: Action) -> Refusal | None:
    assert action.card is not None
    if taken_from_hand(copy, state, action.card) is None:
        return no("Y-A13", "not-in-hand", card=action.card)
    return None


def _refuse_sale(state: State, action: Action) -> Refusal | None:
    if action.piece not in CLAY_OR_WOOD:
        return no("Y-A13", "clay-or-wood")
    if not state.supply[action.piece]:
        return too_dear("Y-A13", action.piece, 1, 0)
    return None


def _refuse_choice(action: Action) -> Refusal | None:
    """Trade 1 gives Clay or Wood, trade 4 a Worker of any colour but White."""
    if action.at == 1 and action.piece not in CLAY_OR_WOOD:
        return no("Y-A13", "clay-or-wood")
    if action.at == 4 and action.piece not in COLOURED:
        piece = WHITE if action.piece is None else action.piece
        return no("Y-A13", "coloured-only", piece=amount(piece, 1))
    return None


def do(copy: Copy, state: State, action: Action) -> State:
    """Y-T1: what is spent is back in the Main Supply before the gain is taken."""
    if action.at == 3:
        assert action.card is not None
        without = taken_from_hand(copy, state, action.card)
        assert without is not None
        state = without.but(exhausted=(*without.exhausted, action.card))
        return push(state, (Step(StepKind.GAIN, COWRIE),) * 2)
    if action.at == 7:
        assert action.piece is not None
        sold = tuple(int(index == action.piece) for index in range(len(state.supply)))
        return push(spent(state, resources=sold), (Step(StepKind.GAIN, COWRIE),))
    cost = SPENDS[action.at]
    return push(spent(state, action.pay, cost.resources), (_gain_of(action),))


def _gain_of(action: Action) -> Step:
    if action.at == 2:
        return Step(StepKind.GAIN, PROVISION)
    if action.at == 5:
        return Step(StepKind.GAIN, WHITE)
    if action.at == 6:
        return Step(StepKind.DRAW_PILE)
    return Step(StepKind.GAIN, action.piece)
