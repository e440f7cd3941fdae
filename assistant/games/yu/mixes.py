"""Cards of face-down piles that nobody has seen, and what one of them turns out to be (Y-C5)."""

from assistant import facedown
from assistant.facedown import (
    UNREAD,
    Cards,
    Slots,
    added,
    fewer,
    is_token,
    mix_of,
    other_mixes,
    outcomes,
    possible,
    shuffled,
    token,
    without,
)
from assistant.games.yu.state import State
from vision.cards import CardId

__all__ = ["BARBARIAN", "CANAL", "HUT", "TOWNSFOLK", "UNREAD", "added", "is_token", "mix_of", "named",
           "outcomes", "possible", "shuffled", "take", "token"]  # fmt: skip

TOWNSFOLK, BARBARIAN, CANAL, HUT = "t", "b", "c", "h"
"""Letters of tokens. A Canal's number is its jade group, a Hut's is 0: they keep lists of their own."""


def take(
    mixes: tuple[Cards, ...], pile: Slots, card: CardId, letter: str = TOWNSFOLK
) -> tuple[tuple[Cards, ...], Slots, CardId]:
    """The top card of the pile is this one: the mixes and the pile without it, and how it now lies."""
    return facedown.take(mixes, pile, card, letter)


def named(state: State, old: CardId, card: CardId) -> State | None:
    """A token turns out to be this card: the state with the card out of its mix; None where it cannot be.

    Where its pile held several mixes, the token may be booked on the wrong one: then they are exchanged.
    """
    mix = mix_of(old)
    if mix is None:
        return None
    if card in state.mixes[mix]:
        return state.but(mixes=without(state.mixes, mix, card))
    for other in other_mixes(old):
        pile = _pile_of_both(state, mix, other)
        if card in state.mixes[other] and pile is not None:
            exchanged = added(fewer(getattr(state, pile), other), ((mix, 1),))
            return state.but(**{pile: exchanged, "mixes": without(state.mixes, other, card)})
    return None


def _pile_of_both(state: State, mix: int, other: int) -> str | None:
    """The pile that both mixes were shuffled into: it holds both still, or at least the other one."""
    piles: dict[str, dict[int, int]] = {
        name: dict(getattr(state, name)) for name in ("ready", "draw", "barbarian_draw")
    }
    holding = [name for name, places in piles.items() if other in places]
    return max(holding, key=lambda name: (mix in piles[name], len(piles[name])), default=None)
