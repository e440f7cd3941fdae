"""What those who watch a table should try: which actions are worth a thought, and how easily believed."""

from collections.abc import Iterator

from assistant.games.yro import mixes, purse, recruit, rules
from assistant.games.yro.actions import CHANCE, Action, Verb, action
from assistant.games.yro.copy import Copy
from assistant.games.yro.grid import name_of
from assistant.games.yro.phases import VERB_OF
from assistant.games.yro.state import Phase, State, changed
from vision.cards import CardId

Candidate = tuple[Action, float]

_USUAL = 2.0
_BELIEF = {
    Verb.DISCARD: 1.2,
    Verb.KEEP: 0.2,
    Verb.CHOOSE: 1.5,
    Verb.RECRUIT: 0.8,
    Verb.PLACE: 1.2,
    Verb.SHUFFLE: 1.0,
    **dict.fromkeys(VERB_OF.values(), 0.8),
    Verb.CLAIM: 0.8,
}
_UNREAD_CARD = 0.1
"""Drawn into a hand: nobody sees it, and it is due."""
_NAMED_CARD = 0.8
_NAMED = 0.6
_NAMED_LATE = 0.5
_CHANGED = 1.5
_TWICE = 0.7
"""A card of which another copy lies open already."""


def candidates(copy: Copy, state: State, in_sight: frozenset[CardId]) -> tuple[Candidate, ...]:
    """All decisions; of the cards that may come, those in sight and the one that nobody read."""
    if state.result is not None:
        return ()
    found: list[Candidate] = []
    if state.pending and not (state.pending[0].kind.value != "quest" and not state.deck):
        for one in rules.legal_actions(copy, state):
            if not found:
                found.append((one._replace(cards=(mixes.UNREAD,)), _UNREAD_CARD))
            if one.verb is not Verb.DRAW and one.cards[0] in in_sight:
                found.append((one, _NAMED_CARD))
        return tuple(found if found[0][0].verb is not Verb.QUEST else found[1:])
    new, again = _new(copy, state, in_sight), _again(copy, state, in_sight)
    unseen = _first_unseen(state)
    for one in rules.legal_actions(copy, state):
        hidden = one.verb is Verb.KEEP or (one.verb is Verb.DISCARD and mixes.is_token(one.cards[0]))
        if hidden and one.player not in (state.todo[0], unseen):
            continue
        if one.verb not in CHANCE:
            found.append((one, _BELIEF.get(one.verb, _USUAL)))
        if one.verb is Verb.DISCARD and mixes.is_token(one.cards[0]):
            found += [(one._replace(cards=(card,)), _BELIEF[Verb.DISCARD]) for card in new]
            found += [(one._replace(cards=(card,)), _BELIEF[Verb.DISCARD] + _TWICE) for card in again]
    found += _named(copy, state, new, again)
    found += _changed(state)
    return tuple(found)


def _first_unseen(state: State) -> int | None:
    """Nobody sees from whose hand a card comes onto the discard: it is taken for that of the first whose
    hand nobody knows, which leaves the same on the table."""
    hands = ((number, state.players[number - 1].hand) for number in state.todo)
    return next((number for number, hand in hands if any(map(mixes.is_token, hand))), None)


def _lying(state: State) -> set[CardId | None]:
    """The cards that should be in sight."""
    open_cards = {card for player in state.players for card in (*player.grid, *player.placing)}
    return open_cards | {*(state.fresh or state.discard)[-1:], *state.threat}


def _new(copy: Copy, state: State, in_sight: frozenset[CardId]) -> list[CardId]:
    lying = _lying(state)
    return [card for card in sorted(in_sight) if card not in lying and _may_come(copy, state, card)]


def _may_come(copy: Copy, state: State, card: CardId) -> bool:
    return card in copy.adventurers and any(card in mix for mix in state.mixes)


def _again(copy: Copy, state: State, in_sight: frozenset[CardId]) -> list[CardId]:
    """Cards that lie in sight already, of which another copy may come."""
    lying = _lying(state)
    return [
        card
        for card in sorted(in_sight)
        if card in lying and copy.pack[card].copies > 1 and _may_come(copy, state, card)
    ]


def _named(copy: Copy, state: State, new: list[CardId], again: list[CardId]) -> Iterator[Candidate]:
    """Cards that were chosen unseen get their names when they are turned up: first those new in sight."""
    for number, player in enumerate(state.players, 1):
        places = [0] if any(mixes.is_token(card) for card in player.placing) else []
        places += [
            name_of(cell)
            for cell, card in enumerate(player.grid)
            if card is not None and mixes.is_token(card)
        ]
        for at in places:
            for card in (*new, *again):
                one = action(Verb.NAME, number, (card,), at)
                if recruit.refuse_name(copy, state, one) is None:
                    yield one, (_NAMED_LATE if at else _NAMED) + _TWICE * (card in again)


def _changed(state: State) -> Iterator[Candidate]:
    """Coins may be changed whenever they move: other coins of the same worth."""
    if state.phase not in (Phase.RECRUIT, Phase.INCOME, Phase.PRODUCTION):
        return
    for number, player in enumerate(state.players, 1):
        for coins in purse.ways(purse.worth(player.coins)):
            if coins != player.coins:
                one = Action(Verb.CHANGE, number, coins=coins)
                if rules.refusal_of_change(state, one) is None:
                    yield one, _CHANGED


def ending(state: State) -> Action | None:
    """What a tap on "done" means: the next player keeps their hand, or collects what is due."""
    if state.pending or not state.todo:
        return None
    if state.phase is Phase.DRAW:
        return action(Verb.KEEP, state.todo[0])
    verb = VERB_OF.get(state.phase)
    return None if verb is None else action(verb, state.todo[0])


def resume(state: State, round_number: int) -> State:
    """A game met in the middle goes on with the Draw phase of its round."""
    players = tuple(
        changed(player, chosen=(), placing=(), drafted=(), budget=0, discount=0, last=None)
        for player in state.players
    )
    return state.but(
        phase=Phase.DRAW,
        round=round_number,
        players=players,
        pending=(),
        claims=(),
        due=(),
        todo=tuple(range(1, len(players) + 1)),
    )
