"""A card that lay on the table unrecognised gets its name: nothing moves, only our knowledge grows."""

from assistant.games.yu import mixes
from assistant.games.yu.actions import Action
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no
from assistant.games.yu.state import State
from assistant.kit import Refusal
from vision.cards import CardId

PLACES = ("row", "tucked", "canal", "hand", "exhausted", "discard", "barbarian_discard")


def _token_at(state: State, place: str, at: int) -> CardId | None:
    cards = getattr(state, place)
    if not 1 <= at <= len(cards):
        return None
    card: CardId | None = cards[at - 1]
    return card if card is not None and mixes.is_token(card) else None


def refuse(_copy: Copy, state: State, action: Action) -> Refusal | None:
    place = action.words[0]
    if place not in PLACES or _token_at(state, place, action.at) is None:
        return no("Y-C5", "nothing-to-name", place=place, at=action.at)
    if _named(state, action) is None:
        return no("Y-C5", "card-elsewhere", card=action.card or "?")
    return None


def do(_copy: Copy, state: State, action: Action) -> State:
    named = _named(state, action)
    assert named is not None
    return named


def _named(state: State, action: Action) -> State | None:
    place, card = action.words[0], action.card
    old = _token_at(state, place, action.at)
    if old is None or card is None:
        return None
    known = mixes.named(state, old, card) if place != "canal" else _canal_named(state, action.at, card)
    if known is None:
        return None
    cards = getattr(known, place)
    changed = (*cards[: action.at - 1], card, *cards[action.at :])
    return known.but(**{place: tuple(sorted(changed)) if place == "hand" else changed})


def _canal_named(state: State, space: int, card: CardId) -> State | None:
    group = (space - 1) // 2
    cards = state.canal_groups[group]
    if card not in cards:
        return None
    index = cards.index(card)
    left = cards[:index] + cards[index + 1 :]
    return state.but(canal_groups=(*state.canal_groups[:group], left, *state.canal_groups[group + 1 :]))
