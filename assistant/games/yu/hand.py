"""The four uses of a Townsfolk card in hand (Y-A1 to Y-A4)."""

from assistant.facedown import Cards
from assistant.games.yu import mixes
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.actions import action as made
from assistant.games.yu.copy import Copy, steps_of
from assistant.games.yu.judge import no, not_in_actions
from assistant.games.yu.naming import identified
from assistant.games.yu.resolve import push
from assistant.games.yu.state import State, StepKind
from assistant.kit import Refusal
from vision.cards import CardId

_RULE_OF = {Verb.PLAY: "Y-A1", Verb.DISCARD: "Y-A2", Verb.TUCK: "Y-A3", Verb.FOOD: "Y-A4"}


def options(copy: Copy, state: State) -> list[Action]:
    """For each different card: play it, discard it, tuck it, or use its food once a story allows it."""
    actions: list[Action] = []
    free = [slot for slot in range(1, tuck_slots(state) + 1) if state.tucked[slot - 1] is None]
    foods = {use.food for use in state.food}
    for card in dict.fromkeys(state.hand):
        actions.append(made(Verb.PLAY, card))
        actions.append(made(Verb.DISCARD, card))
        actions += [made(Verb.TUCK, card, slot) for slot in free]
        if foods and copy.townsfolk_of(card).food in foods:
            actions.append(Action(Verb.FOOD, card))
    return actions


def tuck_slots(state: State) -> int:
    """Y-A17: one slot from the start and one more for each Hut built."""
    return 1 + state.huts


def taken_from_hand(copy: Copy, state: State, card: CardId) -> State | None:
    """The state without this card in hand; an unread card in hand may turn out to be it."""
    if card in state.hand:
        return state.but(hand=_without(state.hand, card))
    for held in state.hand:
        if mixes.is_token(held):
            known = identified(copy, state, held, card)
            if known is not None:
                return known.but(hand=_without(state.hand, held))
    return None


def _without(cards: Cards, card: CardId) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def refuse_use(copy: Copy, state: State, action: Action) -> Refusal | None:
    """What all uses share: it is the time for actions, and the card is in hand."""
    rule = _RULE_OF[action.verb]
    assert action.card is not None
    if refusal := not_in_actions(state, rule):
        return refusal
    if taken_from_hand(copy, state, action.card) is None:
        return no(rule, "not-in-hand", card=action.card)
    if action.verb is Verb.TUCK:
        return _refuse_tuck(state, action.at)
    if action.verb is Verb.FOOD and copy.townsfolk_of(action.card).food not in {
        use.food for use in state.food
    }:
        return no("Y-A4", "food-unexplained")
    return None


def _refuse_tuck(state: State, slot: int) -> Refusal | None:
    if not 1 <= slot <= tuck_slots(state):
        return no("Y-A3", "no-tuck-slot", slot=slot, slots=tuck_slots(state))
    if state.tucked[slot - 1] is not None:
        return no("Y-A3", "tuck-taken", slot=slot)
    return None


def _used(copy: Copy, state: State, action: Action) -> tuple[State, CardId]:
    assert action.card is not None
    without = taken_from_hand(copy, state, action.card)
    assert without is not None
    return without, action.card


def do_play(copy: Copy, state: State, action: Action) -> State:
    state, card = _used(copy, state, action)
    return push(state.but(exhausted=(*state.exhausted, card)), copy.townsfolk_of(card).brown)


def do_discard(copy: Copy, state: State, action: Action) -> State:
    state, card = _used(copy, state, action)
    return push(state.but(discard=(*state.discard, card)), copy.townsfolk_of(card).both)


def do_tuck(copy: Copy, state: State, action: Action) -> State:
    state, card = _used(copy, state, action)
    return state.but(tucked=(*state.tucked[: action.at - 1], card, *state.tucked[action.at :]))


def do_food(copy: Copy, state: State, action: Action) -> State:
    """Y-A4: the card is used for its food; what that gives was told by the story."""
    state, card = _used(copy, state, action)
    food = copy.townsfolk_of(card).food
    gains = next(use.items for use in state.food if use.food == food)
    return push(state.but(exhausted=(*state.exhausted, card)), steps_of(gains))


def exhaust_options(state: State) -> list[Action]:
    if state.pending and state.pending[0].kind is StepKind.EXHAUST:
        return [Action(Verb.EXHAUST, card) for card in dict.fromkeys(state.hand)]
    return []


def refuse_exhaust(copy: Copy, state: State, action: Action) -> Refusal | None:
    assert action.card is not None
    if not (state.pending and state.pending[0].kind is StepKind.EXHAUST):
        return no("Y-A1", "no-exhaust-due")
    if taken_from_hand(copy, state, action.card) is None:
        return no("Y-A1", "not-in-hand", card=action.card)
    return None


def do_exhaust(copy: Copy, state: State, action: Action) -> State:
    state, card = _used(copy, state, action)
    return state.but(exhausted=(*state.exhausted, card), pending=state.pending[1:])
