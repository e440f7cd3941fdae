"""A card that lay on the table unrecognised gets its name: nothing moves, only our knowledge grows."""

from collections.abc import Container

from assistant.games.yu import mixes
from assistant.games.yu.actions import Action
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no
from assistant.games.yu.setup import all_cards
from assistant.games.yu.state import State
from assistant.kit import Refusal
from vision.cards import CardId

PLACES = ("row", "tucked", "canal", "hand", "exhausted", "discard", "barbarian_discard")


def identified(copy: Copy, state: State, old: CardId, card: CardId) -> State | None:
    """What we know once this unrecognised card turns out to be `card`; None where it cannot be.

    The token itself still lies where it lay: the caller puts the card in its place.
    """
    if mixes.mix_of(old) is None:
        return state if card in _cards_like(copy, old) and is_free(copy, state, card) else None
    if old[1] == mixes.CANAL:
        return _canal_identified(state, old, card)
    return mixes.named(state, old, card)


def is_free(copy: Copy, state: State, card: CardId) -> bool:
    """Whether the pack has this card and the game has not got all of its copies yet."""
    return card in copy.pack and all_cards(state).count(card) < copy.pack[card].copies


def _cards_like(copy: Copy, stranger: CardId) -> Container[CardId]:
    known: dict[str, Container[CardId]] = {
        mixes.TOWNSFOLK: copy.townsfolk,
        mixes.BARBARIAN: copy.barbarians,
        mixes.CANAL: copy.canals,
        mixes.HUT: copy.huts,
    }
    return known[stranger[1]]


def _canal_identified(state: State, old: CardId, card: CardId) -> State | None:
    group = mixes.mix_of(old)
    assert group is not None
    cards = state.canal_groups[group]
    if card not in cards:
        return None
    index = cards.index(card)
    left = cards[:index] + cards[index + 1 :]
    return state.but(canal_groups=(*state.canal_groups[:group], left, *state.canal_groups[group + 1 :]))


def _token_at(state: State, place: str, at: int) -> CardId | None:
    cards = getattr(state, place)
    if not 1 <= at <= len(cards):
        return None
    card: CardId | None = cards[at - 1]
    return card if card is not None and mixes.is_token(card) else None


def refuse(copy: Copy, state: State, action: Action) -> Refusal | None:
    (place,) = action.words
    assert action.card is not None
    old = _token_at(state, place, action.at)
    if old is None:
        return no("Y-C5", "nothing-to-name", place=place, at=action.at)
    if identified(copy, state, old, action.card) is None:
        return no("Y-C5", "card-elsewhere", card=action.card)
    return None


def do(copy: Copy, state: State, action: Action) -> State:
    (place,), card = action.words, action.card
    old = _token_at(state, place, action.at)
    assert card is not None
    assert old is not None
    known = identified(copy, state, old, card)
    assert known is not None
    cards = getattr(known, place)
    changed = (*cards[: action.at - 1], card, *cards[action.at :])
    return known.but(**{place: tuple(sorted(changed)) if place == "hand" else changed})
