"""How well the cards that were read in a zone fit the cards that should lie there."""

from collections.abc import Sequence
from math import log
from typing import Final

from assistant.counting import CAP, SURE, LastSeen, judged_count
from vision.cards import CardId
from vision.observation import CardSighting, Guess, Look, ZoneSighting
from vision.table import PlacedCard, Side, Zone, ZoneKind

HEIGHT_CAP: Final = 4.0
"""Heights of piles are told less surely."""
MISSED: Final = 4.5
"""A card of a spread that was not seen may lie below another one."""
MISSED_BACK: Final = 2.0
"""The same for one that lies face down: cards with the same back beside and on each other look like one. Of
five pairs of them in a measured game one was read as a single card as long as it lay there."""
HELD: Final = 0.3
"""A card that should lie in an optional spread where nothing lies at all is held, which is no contradiction;
but a line that says so has less to show for itself than one that does not."""
MOST_HELD: Final = 2
UNNAMED: Final = 0.1
"""How well "some card" explains a card that was read."""
STRANGER: Final = 0.4
"""How well a card explains a front that nobody could name."""
LIKE_A_STRANGER: Final = 0.9
"""The same for the card that it resembles most: strange prints of known cards are commoner than strangers."""
UNREAD_STRANGER: Final = 0.45
"""The same for a card that nobody read so far: a little better, so that no name is made up."""
MISNAMED_STRIP: Final = 1.9
"""Another card than the one that was read: of a tucked card only the foot shows, and few items tell it. Less
than a contradiction: what leaves the hand or comes to a pile tells better which card it is. As one, it hid
three broken rules and ten moves of a game in which one foot was misread to its end (11900/1)."""

SWAPPED: Final = 8.0
"""What another card costs where one was surely read right and something else is surely read now: of 929 such
changes on the calm tables of four taped games, one of them unfinished, none was misread. Somebody laid it
there."""


def judged_cards(
    zone: Zone, sighting: ZoneSighting, cards: tuple[PlacedCard, ...], last: LastSeen | None = None
) -> list[float]:
    """The penalties of the single things: of each card in a spread, else of the top card and the height."""
    if zone.kind is ZoneKind.SPREAD:
        return _spread(zone, sighting, cards)
    top = _top(sighting, cards)
    if zone.kind is ZoneKind.STRIP and cards and _some_front(sighting):
        top = min(top, MISNAMED_STRIP)
    elif top >= CAP and last is not None and _surely_swapped(sighting, last):
        top = SWAPPED
    return [top, _height(sighting, len(cards))]


def _ratio(best: float, p: float) -> float:
    return min(CAP, max(0.0, log(best / p))) if p > 0 else CAP


def _top(sighting: ZoneSighting, cards: tuple[PlacedCard, ...]) -> float:
    if not sighting.cards:
        return 0.0
    return _card(sighting.cards[0], cards[-1] if cards else None)


def _surely_swapped(sighting: ZoneSighting, last: LastSeen) -> bool:
    """Whether a place that was surely read as it should be is surely read as something else."""
    guesses, before = sighting.cards[0].guesses, [card.guesses for card in last.sighting.cards[:1]]
    if not before or not before[0] or _named(guesses) == _named(before[0]):
        return False
    believed = last.view.cards[-1] if last.view.cards else None
    return guesses[0].p >= SURE and chance_of(before[0], believed) >= SURE


def _named(guesses: tuple[Guess, ...]) -> tuple[Look, CardId | None]:
    return guesses[0].look, guesses[0].card


def _some_front(sighting: ZoneSighting) -> bool:
    return any(card.guesses and card.guesses[0].look is Look.FRONT for card in sighting.cards)


def _card(sighting: CardSighting, expected: PlacedCard | None) -> float:
    """First whether a card lies there and which way up, then which one: among many names that are about as
    likely, each is less likely than that nothing lies there, and yet a card does."""
    guesses = sighting.guesses
    if not guesses:
        return 0.0
    looks = {look: sum([guess.p for guess in guesses if guess.look is look]) for look in Look}
    likeliest, here = max(looks.values()), looks[_look_of(expected)]
    chance = chance_of(guesses, expected)
    if expected is not None and expected.side is Side.UP and here:
        chance *= here / max([guess.p for guess in guesses if guess.look is Look.FRONT])
    return _ratio(likeliest, chance)


def _look_of(expected: PlacedCard | None) -> Look:
    if expected is None:
        return Look.EMPTY
    return Look.FRONT if expected.side is Side.UP else Look.BACK


def nameless(guesses: tuple[Guess, ...]) -> bool:
    """Whether a front was seen that nobody could name."""
    return bool(guesses) and guesses[0].look is Look.FRONT and guesses[0].card is None


def least_penalty(sighting: CardSighting) -> float:
    """The penalty of whatever explains a reading best."""
    if not nameless(sighting.guesses):
        return 0.0
    names = {guess.card for guess in sighting.guesses if guess.look is Look.FRONT}
    return min([_card(sighting, PlacedCard(name)) for name in names])


def chance_of(guesses: tuple[Guess, ...], expected: PlacedCard | None) -> float:
    """How likely a reading makes it that this card lies there, or that none does."""
    if expected is None:
        return sum([guess.p for guess in guesses if guess.look is Look.EMPTY])
    if expected.side is Side.DOWN:
        return sum([guess.p for guess in guesses if guess.look is Look.BACK])
    strange = sum([guess.p for guess in guesses if guess.look is Look.FRONT and guess.card is None])
    named = sum([guess.p for guess in guesses if guess.card is not None])
    if expected.card is None:
        return UNNAMED * named + UNREAD_STRANGER * strange
    here = sum([guess.p for guess in guesses if guess.card == expected.card])
    if not strange:
        return here
    like = here / named if named else 0.0
    return here + (STRANGER + (LIKE_A_STRANGER - STRANGER) * like) * strange


def _height(sighting: ZoneSighting, height: int) -> float:
    """An empty pile is told by its top as well, so only the number of cards counts here."""
    if not sighting.height:
        return 0.0
    return judged_count(sighting.height, height, HEIGHT_CAP, 0.4)


def _spread(zone: Zone, sighting: ZoneSighting, cards: tuple[PlacedCard, ...]) -> list[float]:
    """Cards in any order: the likeliest pairs first. Optional and empty: its cards may be held in hand."""
    if may_be_held(zone, sighting):
        return [HELD] * min(len(cards), MOST_HELD)
    seen = [card for card in sighting.cards if not card.seems_none]
    faint = [card for card in sighting.cards if card.seems_none]
    # Cards with a name first: what they leave is what an unread card may be.
    named_first = sorted(cards, key=lambda card: card.card is None and card.side is Side.UP)
    parts, left = _paired(named_first, seen, CAP)
    faintly, left = _paired(left, faint, MISSED)
    more = [_card(card, None) for card in seen]
    return parts + faintly + _missed(left, seen) + more


def _paired(
    cards: Sequence[PlacedCard], seen: list[CardSighting], limit: float
) -> tuple[list[float], list[PlacedCard]]:
    """The penalties of cards that were found, and the cards that were not; `seen` keeps what is no card's."""
    parts: list[float] = []
    left: list[PlacedCard] = []
    for placed in cards:
        found = min(range(len(seen)), key=lambda index: _card(seen[index], placed), default=None)
        penalty = limit if found is None else _card(seen[found], placed)
        if found is None or penalty >= limit:
            left.append(placed)
        else:
            parts.append(penalty)
            del seen[found]
    return parts, left


def may_be_held(zone: Zone, sighting: ZoneSighting) -> bool:
    """Whether nothing at all lies in a spread whose cards may as well be held in a hand."""
    empty = all(card.seems_none for card in sighting.cards)
    return zone.kind is ZoneKind.SPREAD and zone.optional and empty


def _missed(cards: Sequence[PlacedCard], seen: Sequence[CardSighting]) -> list[float]:
    """What cards cost that were not found. One that lies there the other way up is one thing that does not
    fit, and not one missed and one more."""
    up = sum([card.guesses[0].look is Look.FRONT for card in seen])
    down = sum([placed.side is Side.DOWN for placed in cards])
    missed_up = max(0, len(cards) - down - (len(seen) - up))
    return [MISSED] * missed_up + [MISSED_BACK] * max(0, down - up)
