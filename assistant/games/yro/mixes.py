"""Face-down cards without a secret order: what may come next, and what a seen card tells.

A *mix* is a set of cards whose members are known and whose places are not. The deck says how many of its
cards come from which mix; a card that was taken unseen is a token that remembers its mix. So for each mix
the number of cards equals the number of places in the deck and of tokens, and every probability follows.
"""

from collections import Counter

from assistant.games.yro.state import Cards, Slots, count
from vision.cards import CardId

UNREAD = CardId("?")
"""In an action: a card that nobody could read."""
STRANGER = CardId("?a")
"""An Adventurer that is not in the pack at all."""


def token(mix: int) -> CardId:
    return CardId(f"?a{mix}")


def is_token(card: CardId) -> bool:
    return card[0] == "?"


def mix_of(card: CardId) -> int | None:
    """The mix that an unread card comes from."""
    return int(card[2:]) if card[0] == "?" and len(card) > 2 else None


def outcomes(mixes: tuple[Cards, ...], pile: Slots) -> tuple[tuple[CardId, float], ...]:
    """Every card that may lie on top of the pile, with its probability."""
    total = count(pile)
    chances: dict[CardId, float] = {}
    for mix, places in pile:
        cards = mixes[mix]
        share = places / (total * len(cards))
        for card, copies in Counter(cards).items():
            chances[card] = chances.get(card, 0.0) + share * copies
    return tuple(chances.items())


def possible(mixes: tuple[Cards, ...], pile: Slots, card: CardId) -> bool:
    return bool(pile) and (card == UNREAD or any([card in mixes[mix] for mix, _ in pile]))


def take(mixes: tuple[Cards, ...], pile: Slots, card: CardId) -> tuple[tuple[Cards, ...], Slots, CardId]:
    """The top card of the pile is this one: mixes and pile without it, and the card as it now lies."""
    named = [(mix, places) for mix, places in pile if card in mixes[mix]]
    if named:
        mix = max(named, key=lambda entry: entry[1] * mixes[entry[0]].count(card) / len(mixes[entry[0]]))[0]
        return without(mixes, mix, card), _fewer(pile, mix), card
    mix = max(pile, key=lambda entry: entry[1])[0]
    return mixes, _fewer(pile, mix), token(mix)


def shuffled(mixes: tuple[Cards, ...], cards: Cards) -> tuple[tuple[Cards, ...], Slots]:
    """These cards as one face-down pile: its members are known, its order is not."""
    named = tuple(sorted(card for card in cards if mix_of(card) is None))
    places: dict[int, int] = {}
    for card in cards:
        mix = mix_of(card)
        if mix is not None:
            places[mix] = places.get(mix, 0) + 1
    if named:
        new = next((index for index, mix in enumerate(mixes) if not mix), len(mixes))
        mixes = (*mixes[:new], named, *mixes[new + 1 :])
        places[new] = len(named)
    return mixes, tuple(sorted(places.items()))


def named(mixes: tuple[Cards, ...], old: CardId, card: CardId) -> tuple[Cards, ...] | None:
    """A token turns out to be this card: the mixes without it; None where it cannot be."""
    if old in (card, STRANGER):
        return mixes
    mix = mix_of(old)
    return without(mixes, mix, card) if mix is not None and card in mixes[mix] else None


def without(mixes: tuple[Cards, ...], mix: int, card: CardId) -> tuple[Cards, ...]:
    cards = mixes[mix]
    place = cards.index(card)
    return (*mixes[:mix], cards[:place] + cards[place + 1 :], *mixes[mix + 1 :])


def _fewer(pile: Slots, mix: int) -> Slots:
    return tuple([(other, places - (other == mix)) for other, places in pile if places > 1 or other != mix])


def lifted(cards: Cards, card: CardId) -> Cards:
    """The same cards without one of this name."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
