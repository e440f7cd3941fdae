"""Face-down piles without a secret order, for every game: what may come next, and what a seen card tells.

A *mix* is a set of cards whose members are known and whose places are not. A pile says how many of its
cards come from which mix; a card that was taken unseen is a token that remembers its mix. So for each mix
the number of cards equals the number of places in piles and of tokens, and every probability follows.
"""

from typing import TypeAlias

from vision.cards import CardId

Cards: TypeAlias = tuple[CardId, ...]
Mixes: TypeAlias = tuple[Cards, ...]
Slots: TypeAlias = tuple[tuple[int, int], ...]
"""A face-down pile: how many of its cards come from which mix, without any order."""

UNREAD = CardId("?")
"""In an action: a card that nobody could read."""


def token(letter: str, *mixes: int) -> CardId:
    """An unrecognised card of a kind; without a mix, a stranger that is not in the pack at all.

    It is booked on the first mix and may turn out to come from one of the others.
    """
    return CardId(f"?{letter}{'.'.join(map(str, mixes))}")


def is_token(card: CardId) -> bool:
    return card[0] == "?"


def mix_of(card: CardId) -> int | None:
    """The mix that an unrecognised card is booked on."""
    return int(card[2:].partition(".")[0]) if card[0] == "?" and len(card) > 2 else None


def other_mixes(card: CardId) -> list[int]:
    """Those that it may come from instead."""
    return [int(mix) for mix in card[2:].split(".")[1:]]


def count(slots: Slots) -> int:
    """How many cards lie in a face-down pile."""
    return sum([n for _, n in slots])


def outcomes(mixes: Mixes, pile: Slots) -> tuple[tuple[CardId, float], ...]:
    """Every card that may lie on top of the pile, with its probability."""
    total = count(pile)
    chances: dict[CardId, float] = {}
    for mix, places in pile:
        cards = mixes[mix]
        share = places / (total * len(cards))
        for card in cards:
            chances[card] = chances.get(card, 0.0) + share
    return tuple(chances.items())


def possible(mixes: Mixes, pile: Slots, card: CardId) -> bool:
    return bool(pile) and (card == UNREAD or any(card in mixes[mix] for mix, _ in pile))


def take(mixes: Mixes, pile: Slots, card: CardId, letter: str) -> tuple[Mixes, Slots, CardId]:
    """The top card of the pile is this one: the mixes and the pile without it, and the card as it now lies.

    A card that nobody could read stays a member of its mix, as a token, until it gets its name.
    """
    named = [(mix, places) for mix, places in pile if card in mixes[mix]]
    if named:
        mix = max(named, key=lambda entry: entry[1] * mixes[entry[0]].count(card) / len(mixes[entry[0]]))[0]
        return without(mixes, mix, card), fewer(pile, mix), card
    mix = max(pile, key=lambda entry: entry[1])[0]
    return mixes, fewer(pile, mix), token(letter, mix, *[other for other, _ in pile if other != mix])


def shuffled(mixes: Mixes, cards: Cards) -> tuple[Mixes, Slots]:
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


def added(pile: Slots, slots: Slots) -> Slots:
    """A face-down pile after more cards were shuffled into it."""
    places = dict(pile)
    for mix, more in slots:
        places[mix] = places.get(mix, 0) + more
    return tuple(sorted(places.items()))


def without(mixes: Mixes, mix: int, card: CardId) -> Mixes:
    return (*mixes[:mix], lifted(mixes[mix], card), *mixes[mix + 1 :])


def lifted(cards: Cards, card: CardId) -> Cards:
    """The same cards without one of this name."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def fewer(pile: Slots, mix: int) -> Slots:
    """The pile without one card of this mix."""
    return tuple([(other, places - (other == mix)) for other, places in pile if places > 1 or other != mix])
