"""Face-down piles without a secret order: what may come next, and what a seen card tells (Y-C5).

A *mix* is a set of cards whose members are known and whose places are not. A pile says how many of its
cards come from which mix; a card that was taken unseen is a token that remembers its mix. So for each mix
the number of cards equals the number of places in piles and tokens, and every probability follows.
"""

from assistant.games.yu.state import Cards, Slots, State, count
from vision.cards import CardId

TOWNSFOLK, BARBARIAN, CANAL, HUT = "t", "b", "c", "h"


UNREAD = CardId("?")
"""In an action: a card that nobody could read."""


def token(letter: str, *mixes: int) -> CardId:
    """An unrecognised card; without a mix, a stranger that is not in the pack at all.

    It is booked on the first mix and may turn out to come from one of the others. A Canal's number is its
    jade group, a Hut's is 0: they keep their own list of cards that nobody has seen.
    """
    return CardId(f"?{letter}{'.'.join(map(str, mixes))}")


def is_token(card: CardId) -> bool:
    return card[0] == "?"


def mix_of(card: CardId) -> int | None:
    """The mix that an unrecognised card is booked on."""
    return int(card[2:].partition(".")[0]) if card[0] == "?" and len(card) > 2 else None


def _other_mixes(card: CardId) -> list[int]:
    return [int(mix) for mix in card[2:].split(".")[1:]]


def outcomes(mixes: tuple[Cards, ...], pile: Slots) -> tuple[tuple[CardId, float], ...]:
    """Every card that may lie on top of the pile, with its probability."""
    total = count(pile)
    chances: dict[CardId, float] = {}
    for mix, places in pile:
        cards = mixes[mix]
        share = places / (total * len(cards))
        for card in cards:
            chances[card] = chances.get(card, 0.0) + share
    return tuple(chances.items())


def possible(mixes: tuple[Cards, ...], pile: Slots, card: CardId) -> bool:
    return bool(pile) and (card == UNREAD or any(card in mixes[mix] for mix, _ in pile))


def take(
    mixes: tuple[Cards, ...], pile: Slots, card: CardId, letter: str = TOWNSFOLK
) -> tuple[tuple[Cards, ...], Slots, CardId]:
    """The top card of the pile is this one: the mixes and the pile without it, and the card as it now lies.

    A card that nobody could read stays a member of its mix, as a token, until it gets its name.
    """
    named = [(mix, places) for mix, places in pile if card in mixes[mix]]
    if named:
        mix = max(named, key=lambda entry: entry[1] * mixes[entry[0]].count(card) / len(mixes[entry[0]]))[0]
        return without(mixes, mix, card), _fewer(pile, mix), card
    mix = max(pile, key=lambda entry: entry[1])[0]
    others = [other for other, _ in pile if other != mix]
    return mixes, _fewer(pile, mix), token(letter, mix, *others)


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


def added(pile: Slots, slots: Slots) -> Slots:
    """A face-down pile after more cards were shuffled into it."""
    places = dict(pile)
    for mix, more in slots:
        places[mix] = places.get(mix, 0) + more
    return tuple(sorted(places.items()))


def named(state: State, old: CardId, card: CardId) -> State | None:
    """A token turns out to be this card: the state with the card out of its mix; None where it cannot be.

    Where its pile held several mixes, the token may be booked on the wrong one: then they are exchanged.
    """
    mix = mix_of(old)
    if mix is None:
        return None
    if card in state.mixes[mix]:
        return state.but(mixes=without(state.mixes, mix, card))
    for other in _other_mixes(old):
        pile = _pile_of_both(state, mix, other)
        if card in state.mixes[other] and pile is not None:
            exchanged = added(_fewer(getattr(state, pile), other), ((mix, 1),))
            return state.but(**{pile: exchanged, "mixes": without(state.mixes, other, card)})
    return None


def _pile_of_both(state: State, mix: int, other: int) -> str | None:
    """The pile that both mixes were shuffled into: it holds both still, or at least the other one."""
    piles: dict[str, dict[int, int]] = {
        name: dict(getattr(state, name)) for name in ("ready", "draw", "barbarian_draw")
    }
    holding = [name for name, places in piles.items() if other in places]
    return max(holding, key=lambda name: (mix in piles[name], len(piles[name])), default=None)


def without(mixes: tuple[Cards, ...], mix: int, card: CardId) -> tuple[Cards, ...]:
    cards = mixes[mix]
    place = cards.index(card)
    return (*mixes[:mix], cards[:place] + cards[place + 1 :], *mixes[mix + 1 :])


def _fewer(pile: Slots, mix: int) -> Slots:
    return tuple([(other, places - (other == mix)) for other, places in pile if places > 1 or other != mix])
