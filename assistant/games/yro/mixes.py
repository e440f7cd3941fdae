"""The deck's cards that nobody has seen: what one of them turns out to be (the mixes of `facedown`)."""

from assistant import facedown
from assistant.facedown import (
    UNREAD,
    Cards,
    Slots,
    is_token,
    lifted,
    mix_of,
    outcomes,
    possible,
    shuffled,
    without,
)
from vision.cards import CardId

__all__ = ["STRANGER", "UNREAD", "is_token", "lifted", "mix_of", "named", "outcomes", "possible",
           "shuffled", "take", "token"]  # fmt: skip

ADVENTURER = "a"
STRANGER = facedown.token(ADVENTURER)
"""An Adventurer that is not in the pack at all."""


def token(mix: int) -> CardId:
    return facedown.token(ADVENTURER, mix)


def take(mixes: tuple[Cards, ...], pile: Slots, card: CardId) -> tuple[tuple[Cards, ...], Slots, CardId]:
    """The top card of the pile is this one: mixes and pile without it, and the card as it now lies."""
    return facedown.take(mixes, pile, card, ADVENTURER)


def named(mixes: tuple[Cards, ...], old: CardId, card: CardId) -> tuple[Cards, ...] | None:
    """A token turns out to be this card: the mixes without it; None where it cannot be."""
    if old in (card, STRANGER):
        return mixes
    mix = mix_of(old)
    return without(mixes, mix, card) if mix is not None and card in mixes[mix] else None
