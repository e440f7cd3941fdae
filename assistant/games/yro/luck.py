"""What nobody chooses: cards drawn, Quests and threats turned up, and the shuffle that comes before."""

from assistant.games.yro import mixes
from assistant.games.yro.actions import Action, Verb, action
from assistant.games.yro.copy import Copy
from assistant.games.yro.judge import no
from assistant.games.yro.state import Result, State, StepKind, changed
from assistant.kit import Message, Refusal
from vision.cards import CardId

_VERBS = {StepKind.DRAW: Verb.DRAW, StepKind.QUEST: Verb.QUEST, StepKind.THREAT: Verb.THREAT}
_RULES = {Verb.DRAW: "R-D1", Verb.QUEST: "R-Q1", Verb.THREAT: "R-SO1"}


def shuffle_due(state: State) -> bool:
    """R-D1: a card is needed and the deck is empty."""
    if not state.pending or state.pending[0].kind is StepKind.QUEST:
        return False
    return not state.deck and bool(state.discard or state.fresh)


def sights(state: State) -> tuple[tuple[Action, float], ...]:
    """Every card that may come now, with its probability."""
    kind, argument = state.pending[0]
    verb = _VERBS[kind]
    if kind is StepKind.QUEST:
        share = 1 / len(state.quest_deck)
        chances: dict[CardId, float] = {}
        for card in state.quest_deck:
            chances[card] = chances.get(card, 0.0) + share
        return tuple([(action(verb, 0, (card,), argument), p) for card, p in chances.items()])
    player = argument if kind is StepKind.DRAW else 0
    return tuple([(action(verb, player, (card,)), p) for card, p in mixes.outcomes(state.mixes, state.deck)])


def options(state: State) -> tuple[Action, ...]:
    if shuffle_due(state):
        return (action(Verb.SHUFFLE),)
    return tuple([one for one, _ in sights(state)])


def refuse_sight(_copy: Copy, state: State, given: Action) -> Refusal | None:
    rule = "R-S1" if not state.round and given.verb is Verb.DRAW else _RULES[given.verb]
    step = state.pending[0] if state.pending else None
    if step is None or _VERBS[step.kind] is not given.verb:
        return no(rule, "no-card-due")
    if shuffle_due(state):
        return no("R-D1", "shuffle-first")
    place = given.at if step.kind is StepKind.QUEST else given.player
    if place != step.argument:
        return no(rule, "other-first", n=step.argument)
    card = given.cards[0]
    if step.kind is StepKind.QUEST:
        known = card in state.quest_deck
    else:
        known = mixes.possible(state.mixes, state.deck, card)
    return None if known else no(rule, "card-elsewhere", card=card)


def refuse_shuffle(_copy: Copy, state: State, _given: Action) -> Refusal | None:
    if shuffle_due(state):
        return None
    return no("R-D1", "shuffle-early", cards=Message.of("yro.amount.card", n=sum(n for _, n in state.deck)))


def do_draw(_copy: Copy, state: State, given: Action) -> State:
    new_mixes, deck, card = mixes.take(state.mixes, state.deck, given.cards[0])
    player = state.players[given.player - 1]
    hand = tuple(sorted((*player.hand, card)))
    return state.with_player(
        given.player, changed(player, hand=hand), mixes=new_mixes, deck=deck, pending=state.pending[1:]
    )


def do_quest(_copy: Copy, state: State, given: Action) -> State:
    card = given.cards[0]
    return state.but(
        quests=(*state.quests[: given.at - 1], card, *state.quests[given.at :]),
        quest_deck=mixes.lifted(state.quest_deck, card),
        pending=state.pending[1:],
    )


def do_threat(copy: Copy, state: State, given: Action) -> State:
    """R-SO1: the printed number counts; more than 20 ends the game at once."""
    new_mixes, deck, card = mixes.take(state.mixes, state.deck, given.cards[0])
    threat = (*state.threat, card)
    lost = threat_force(copy, threat) > copy.most_threat
    return state.but(
        mixes=new_mixes,
        deck=deck,
        threat=threat,
        pending=state.pending[1:],
        result=Result.OVERRUN if lost else None,
        todo=() if lost else state.todo,
    )


def threat_force(copy: Copy, threat: tuple[CardId, ...]) -> int:
    return sum([copy.card_of(card).force for card in threat])


def do_shuffle(_copy: Copy, state: State, _given: Action) -> State:
    """R-D1: the cards of earlier rounds; those of this round only if there are no others."""
    cards, rest = (state.discard, state.fresh) if state.discard else (state.fresh, ())
    new_mixes, deck = mixes.shuffled(state.mixes, cards)
    return state.but(mixes=new_mixes, deck=deck, discard=(), fresh=rest)
