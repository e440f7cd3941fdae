"""What else the cards of a game may have been: every sight of a card is remembered, also when it is gone.

A card that was misread steadily is believed until something contradicts it, perhaps long after it left the
table. Then the other readings of it are wanted, and what they cost.
"""

from collections.abc import Iterator
from math import log

from assistant.cards_fit import chance_of, nameless
from assistant.counting import CAP
from assistant.evidence import Evidence
from vision.cards import CardId
from vision.observation import Guess, Look, ZoneSighting
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneView

MAY_BE = 0.01
"""A guess less likely than this is no other name for a card."""
LEAST = 0.004
"""No reading is so sure that anything else is less likely than this."""
ALIKE = 0.5
"""What further sights of the same card say beside the one that says most."""


class Doubts:
    """By believed card and by the zone that it was seen in: what was read there last."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[CardId, dict[ZoneId, tuple[Guess, ...]]] = {}

    def take_in(self, view: TableView, evidence: Evidence) -> None:
        """What a calm table shows of the cards that are believed to lie there."""
        for zone in view.zones:
            sighting = evidence.sighting(zone.zone)
            if sighting is None or not zone.cards or not sighting.cards:
                continue
            for placed in may_show(zone, sighting):
                guesses = _of(sighting, placed)
                if placed.card is not None and guesses:
                    self._seen.setdefault(placed.card, {})[zone.zone] = guesses

    def pairs(self) -> Iterator[tuple[CardId, CardId]]:
        """Cards that were believed, and what else each may have been."""
        for card, seen in self._seen.items():
            names = {guess.card for guesses in seen.values() for guess in guesses if guess.p >= MAY_BE}
            yield from ((card, name) for name in sorted(name for name in names if name) if name != card)

    def strange(self) -> Iterator[CardId]:
        """Cards of which no sight said a name: they may have been any other card."""
        for card, seen in self._seen.items():
            if all(nameless(guesses) for guesses in seen.values()):
                yield card

    def against(self, one: CardId, other: CardId, view: TableView | None = None) -> float:
        """What the sights of these two say against their having been each other.

        With a view, places where one of them lies in it are left out: they can be looked at now.
        """
        return self._not(one, other, view) + self._not(other, one, view)

    def _not(self, card: CardId, name: CardId, view: TableView | None) -> float:
        """What one sight gets wrong, the next one in the same light is likely to get wrong as well."""
        parts = sorted(
            _less_likely(guesses, card, name)
            for zone, guesses in self._seen.get(card, {}).items()
            if view is None or all(placed.card not in (card, name) for placed in view[zone].cards)
        )
        return parts[-1] + ALIKE * sum(parts[:-1]) if parts else 0.0


def may_show(zone: ZoneView, sighting: ZoneSighting) -> tuple[PlacedCard, ...]:
    """The cards of a zone that were looked at: where one was seen, it is the top one."""
    return zone.cards[-1:] if len(sighting.cards) == 1 else zone.cards


def _of(sighting: ZoneSighting, placed: PlacedCard) -> tuple[Guess, ...]:
    """The sighting of this card among several."""
    if placed.side is not Side.UP:
        return ()
    if len(sighting.cards) == 1:
        return sighting.cards[0].guesses
    fronts = [seen.guesses for seen in sighting.cards if seen.guesses and seen.guesses[0].look is Look.FRONT]
    named = [guesses for guesses in fronts if guesses[0].card == placed.card]
    strange = [guesses for guesses in fronts if nameless(guesses)]
    return max(named or strange, key=lambda guesses: chance_of(guesses, placed), default=())


def _less_likely(guesses: tuple[Guess, ...], card: CardId, name: CardId) -> float:
    """How much less likely another name is than the one that was believed; negative where it is likelier."""
    believed, here = (chance_of(guesses, PlacedCard(each)) + LEAST for each in (card, name))
    return min(CAP, max(-CAP, log(believed / here)))
