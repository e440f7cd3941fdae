"""What may have happened on a table where these cards are in sight, and how much it takes to believe it."""

from collections.abc import Iterator

from assistant.games.yu import mixes, naming, rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.hand import taken_from_hand
from assistant.games.yu.state import Phase, State
from assistant.games.yu.story import script
from assistant.games.yu.trade import in_circles
from vision.cards import CardId

Candidate = tuple[Action, float]

_USUAL = 2.0
_BELIEF = {
    Verb.COLLECT: 1.0,
    Verb.RETURN: 1.0,
    Verb.TAKE: 1.5,
    Verb.END: 1.0,
    Verb.BARGE: 1.0,
    Verb.SUFFER: 1.0,
    Verb.SHUFFLE: 1.0,
    Verb.STORY_END: 0.5,
    Verb.SKIP: 0.2,  # legal only where the box has none of it: nothing else can be done
    Verb.TRADE: 2.5,
}
_SENSELESS = 6.0
"""Rather a miscounted heap than a trade that gives back what it took."""
_UNREAD_CARD = 0.8
_NAMED_CARD = 0.8
_NAMED_LATE = 0.5
_NAMED_IN_USE = 0.2
"""More than the same with a card that was known before: else a game would rather be told without names."""
_FLIPPED_UNSEEN = 1.2
"""A Hut card is soon put away; what it gave tells which one it was."""
_FROM_HAND = (Verb.PLAY, Verb.DISCARD, Verb.TUCK, Verb.FOOD, Verb.EXHAUST, Verb.TRADE)


def candidates(copy: Copy, state: State, in_sight: frozenset[CardId]) -> tuple[Candidate, ...]:
    """All decisions; of the cards that may come, those in sight and the one that nobody read."""
    if state.result is not None:
        return ()
    told = script(copy, state)
    found: list[Candidate] = []
    unread_done = False
    for action in rules.legal_actions(copy, state):
        verb = action.verb
        if verb in CHANCE:
            if not unread_done:
                unread_done = True
                found.append((action._replace(card=mixes.UNREAD), _UNREAD_CARD))
            if action.card in in_sight:
                found.append((action, _NAMED_CARD))
            elif verb is Verb.FLIP:
                found.append((action, _FLIPPED_UNSEEN))
        elif action == told:
            found.append((action, 0.1))
        else:
            found.append((action, _SENSELESS if in_circles(action) else _BELIEF.get(verb, _USUAL)))
            if verb in _FROM_HAND and action.card is not None and mixes.is_token(action.card):
                found += _given_a_name(copy, state, action, in_sight)
    found += _named_late(copy, state, in_sight)
    return tuple(found)


def _given_a_name(
    copy: Copy, state: State, action: Action, in_sight: frozenset[CardId]
) -> Iterator[Candidate]:
    """A held card is known once it is used: it may be any card in sight that was not elsewhere."""
    for card in sorted(in_sight):
        if card not in state.hand and taken_from_hand(copy, state, card) is not None:
            yield action._replace(card=card), _BELIEF.get(action.verb, _USUAL) + _NAMED_IN_USE


def _named_late(copy: Copy, state: State, in_sight: frozenset[CardId]) -> Iterator[Candidate]:
    """Cards that lay there unread: each place once, and of a pile only its top."""
    for place in naming.PLACES:
        cards: tuple[CardId | None, ...] = getattr(state, place)
        spots = range(len(cards), max(0, len(cards) - 1), -1) if place in _PILES else range(1, len(cards) + 1)
        done: set[CardId] = set()
        for at in spots:
            token = cards[at - 1]
            if token is None or not mixes.is_token(token) or (place == "hand" and token in done):
                continue
            done.add(token)
            for card in sorted(in_sight):
                action = Action(Verb.NAME, card, at, words=(place,))
                if naming.refuse(copy, state, action) is None:
                    yield action, _NAMED_LATE


_PILES = ("exhausted", "discard", "barbarian_discard")


def ending(state: State) -> Action | None:
    """What a tap on "done" means: the end of the actions, of an open story, or of what the box lacks."""
    if state.pending:
        return Action(Verb.STORY_END) if state.pending[0].kind.value == "story" else None
    if state.phase is Phase.ACTIONS:
        return Action(Verb.END)
    if state.phase is Phase.ATTACKS and not state.ready and not state.exhausted:
        return Action(Verb.SUFFER, at=state.attackers[0])  # the loss that leaves no trace on the table
    return None


def resume(state: State, round_number: int) -> State:
    """A game met in the middle goes on with the actions of its round."""
    return state.but(
        phase=Phase.ACTIONS,
        round=round_number,
        pending=(),
        harvest=(),
        attackers=(),
        built_this_round=state.barge == 0,
    )
