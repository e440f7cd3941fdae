"""How well what was seen fits what should lie on the table, zone by zone; knows no game.

A *penalty* says how much less likely a view is than the best reading of the zone (in nats): 0 is a perfect
fit. It is capped, because anything can be misread; beyond the cap it only grows a little with the distance,
so that a search feels the way. A zone is contradicted when one single thing in it does not fit: small doubts
about many kinds of pieces are no contradiction.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from math import log

from assistant.counting import (
    CAP,
    LastSeen,
    judged_count,
    judged_pieces,
    passed_on,
    strayed,
    too_many,
    worst_of,
)
from vision.cards import CardId
from vision.observation import (
    CardSighting,
    CountSighting,
    Guess,
    Look,
    Observation,
    Sight,
    ZoneSighting,
)
from vision.table import (
    PieceCount,
    PieceKind,
    PlacedCard,
    Side,
    TableLayout,
    TableView,
    Zone,
    ZoneId,
    ZoneKind,
    ZoneView,
)

HEIGHT_CAP = 4.0
"""Heights of piles are told less surely."""
MISSED = 4.5
"""A card of a spread that was not seen may lie below another one."""
HELD = 0.3
"""A card that should lie in an optional spread where nothing lies at all is held, which is no contradiction;
but a line that says so has less to show for itself than one that does not."""
MOST_HELD = 2
UNNAMED = 0.1
"""How well "some card" explains a card that was read."""
STRANGER = 0.4
"""How well a card explains a front that nobody could name."""
LIKE_A_STRANGER = 0.9
"""The same for the card that it resembles most: strange prints of known cards are commoner than strangers."""
UNREAD_STRANGER = 0.45
"""The same for a card that nobody read so far: a little better, so that no name is made up."""
OPTIONAL = 0.15
"""What a count in a large optional heap weighs: a hint, never a contradiction."""
CONTRADICTED = 2.0
"""A zone whose penalty is higher is not explained by the view."""
NEARLY_FITS = 2.5
"""The same where a broken rule is looked for: a doubt elsewhere that grew a little must not hide it."""
MOVED_FROM = 1.0
"""The same for one of two zones between which something seems to have moved."""
DOUBTFUL = 0.6
"""A reading whose best guess is less likely than this is in doubt."""
FAR_FETCHED = 0.02


class Evidence:
    """One observation, ready to be compared with many views."""

    __slots__ = ("_known", "_last", "_limit", "_sightings", "_zones", "observation")

    def __init__(
        self,
        observation: Observation,
        zones: Mapping[ZoneId, Zone],
        told: Mapping[ZoneId, ZoneView | None] | None = None,
        last: Mapping[ZoneId, LastSeen] | None = None,
    ) -> None:
        """`told` is the player's word on zones: what lies there, None for "never mind"; `last` are heaps as
        they were understood before."""
        self.observation = observation
        self._zones = zones
        self._last = last or {}
        self._limit = CONTRADICTED
        self._sightings = {
            sighting.zone: sighting
            for sighting in observation.zones
            if sighting.sight is Sight.SEEN and sighting.zone in zones
        }
        for zone, view in (told or {}).items():
            if self._sightings.pop(zone, None) is not None and view is not None:
                self._sightings[zone] = _as_told(zones[zone], view)
        # Kept by identity: games hand out the same value for a zone that did not change. The value is
        # kept as well, so that no other value can take over its identity.
        self._known: dict[int, tuple[ZoneView, float, float]] = {}

    def forgiving(self) -> "Evidence":
        """The same sight, that contradicts a little less easily."""
        other = copy(self)
        other._limit = NEARLY_FITS
        return other

    def penalty(self, view: ZoneView) -> float:
        known = self._known.get(id(view))
        return known[1] if known is not None else self._learn(view)[1]

    def worst(self, view: ZoneView) -> float:
        """The penalty of the one thing in the zone that fits least."""
        known = self._known.get(id(view))
        return known[2] if known is not None else self._learn(view)[2]

    def _learn(self, view: ZoneView) -> tuple[ZoneView, float, float]:
        parts = self._judged(view)
        self._known[id(view)] = learned = (view, sum(parts), worst_of(self._zones[view.zone], parts))
        return learned

    def total(self, view: TableView) -> float:
        return sum([self.penalty(zone) for zone in view.zones])

    def unreadable(self) -> float:
        """What of every total is owed to cards that the eye could not name: no view does without it."""
        cards = (card for sighting in self._sightings.values() for card in sighting.cards)
        return sum([_least(card) for card in cards])

    def contradicted(self, view: TableView) -> tuple[ZoneId, ...]:
        """The zones that do not show what they should, the worst first."""
        worst = [(self.penalty(zone), zone.zone) for zone in view.zones if self.worst(zone) > self._limit]
        return tuple(zone for _, zone in sorted(worst, key=lambda entry: -entry[0]))

    def explained(self, view: TableView) -> bool:
        return all(self.worst(zone) <= self._limit for zone in view.zones)

    def fits(self, view: ZoneView) -> bool:
        return self.worst(view) <= CONTRADICTED

    def sees(self, zone: ZoneId) -> bool:
        return zone in self._sightings

    def sighting(self, zone: ZoneId) -> ZoneSighting | None:
        return self._sightings.get(zone)

    def cards_in_sight(self) -> frozenset[CardId]:
        """Cards that may lie face up somewhere: second guesses count, far-fetched ones do not, except for
        the likeliest name of a card that nobody could name."""
        found: set[CardId] = set()
        for sighting in self._sightings.values():
            for card in sighting.cards:
                names = {guess.card: guess.p for guess in card.guesses if guess.card is not None}
                a_card = bool(card.guesses) and card.guesses[0].look is Look.FRONT
                enough = min([FAR_FETCHED, max(names.values(), default=1.0)]) if a_card else FAR_FETCHED
                found |= {name for name, p in names.items() if p >= enough}
        return frozenset(found)

    def on_the_way(self, before: ZoneView, after: ZoneView) -> bool:
        """Whether the zone lies as in one of two views, or as a hand leaves it between them."""
        if before is after or self.fits(before) or self.fits(after):
            return self.fits(before) or self.fits(after)
        if before.pieces != after.pieces:
            parts = judged_pieces(
                self._zones[before.zone],
                self._sightings[before.zone],
                before,
                after,
                self._last.get(before.zone),
            )
            return worst_of(self._zones[before.zone], parts) <= CONTRADICTED
        ways = _between(before, after, self._zones[before.zone].kind)
        return any(max(self._judged(way), default=0.0) <= CONTRADICTED for way in ways)

    def read(self, view: ZoneView) -> ZoneView:
        """What lies in a zone if its most likely reading is true; the old view where nothing was read."""
        sighting = self._sightings.get(view.zone)
        if sighting is None:
            return view
        return _most_likely(self._zones[view.zone], sighting, view)

    def moved(self, view: TableView) -> bool:
        """Whether what is missing in one place was found in another: no misreading does that by itself, so
        that doubts will do in place of contradictions."""
        left: set[CardId] = set()
        come: set[CardId] = set()
        pieces: dict[PieceKind, list[float]] = {}
        for zone in view.zones:
            for kind, more in self.strayed(zone).items():
                pieces.setdefault(kind, []).append(more)
            if self._zones[zone.zone].cards and self.worst(zone) > MOVED_FROM:
                before, after = (
                    {card.card for card in one.cards if card.card is not None}
                    for one in (zone, self.read(zone))
                )
                left |= before - after
                come |= after - before
        return bool(left & come) or any(passed_on(more) for more in pieces.values())

    def strayed(self, view: ZoneView) -> dict[PieceKind, float]:
        """Pieces more or fewer than there should be: in a heap since it was understood last."""
        sighting, last = self._sightings.get(view.zone), self._last.get(view.zone)
        if sighting is None or not self._zones[view.zone].pieces:
            return {}
        if last is not None:
            return strayed(sighting, view, last)
        if self.worst(view) <= MOVED_FROM:
            return {}
        more = Counter(self.read(view).counts())
        more.subtract(view.counts())
        return {kind: number for kind, number in more.items() if number}

    def _judged(self, view: ZoneView) -> list[float]:
        """The penalties of the single things in a zone."""
        sighting = self._sightings.get(view.zone)
        if sighting is None:
            return []
        zone = self._zones[view.zone]
        last = self._last.get(zone.id)
        parts = judged_pieces(zone, sighting, view, last=last) if zone.pieces else []
        if zone.optional and too_many(view) and last is None:
            # The box of spare pieces: miscounted as often as not, and the rules know what is in it.
            parts = [OPTIONAL * part for part in parts]
        if not zone.cards:
            return parts
        if zone.kind is ZoneKind.SPREAD:
            return parts + _spread(zone, sighting, view.cards)
        return [*parts, _top(sighting, view.cards), _height(sighting, len(view.cards))]


def _as_told(zone: Zone, view: ZoneView) -> ZoneSighting:
    """The player's word outranks every reading: a sighting without any doubt."""
    cards = [CardSighting(guesses=(_sure(placed),)) for placed in view.cards]
    if zone.kind is not ZoneKind.SPREAD and zone.cards:
        cards = cards[-1:] or [CardSighting(guesses=(Guess(Look.EMPTY, None, 1.0),))]
    numbers = view.counts()
    return ZoneSighting(
        zone=zone.id,
        sight=Sight.SEEN,
        cards=tuple(cards),
        height=((len(view.cards), 1.0),) if zone.kind is ZoneKind.PILE else (),
        pieces=tuple(CountSighting(kind, ((numbers.get(kind, 0), 1.0),)) for kind in zone.pieces),
    )


def _sure(placed: PlacedCard) -> Guess:
    return Guess(Look.BACK if placed.side is Side.DOWN else Look.FRONT, placed.card, 1.0)


def appearance(sighting: ZoneSighting) -> tuple[object, ...] | None:
    """What a zone seems to show, without the doubts; None where it could not be seen."""
    if sighting.sight is not Sight.SEEN:
        return None
    cards = [
        (card.guesses[0].look.value, card.guesses[0].card or "") for card in sighting.cards if card.guesses
    ]
    return (*sorted(cards), *((count.kind, _mode(count.counts)) for count in sighting.pieces))


def _ratio(best: float, p: float) -> float:
    return min(CAP, max(0.0, log(best / p))) if p > 0 else CAP


def _top(sighting: ZoneSighting, cards: tuple[PlacedCard, ...]) -> float:
    if not sighting.cards:
        return 0.0
    return _card(sighting.cards[0], cards[-1] if cards else None)


def _card(sighting: CardSighting, expected: PlacedCard | None) -> float:
    guesses = sighting.guesses
    if not guesses:
        return 0.0
    return _ratio(max([guess.p for guess in guesses]), chance_of(guesses, expected))


def nameless(guesses: tuple[Guess, ...]) -> bool:
    """Whether a front was seen that nobody could name."""
    return bool(guesses) and guesses[0].look is Look.FRONT and guesses[0].card is None


def _least(sighting: CardSighting) -> float:
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
    seen = [card for card in sighting.cards if card.guesses and card.guesses[0].look is not Look.EMPTY]
    if not seen and zone.optional:
        return [HELD] * min(len(cards), MOST_HELD)
    parts: list[float] = []
    left: list[PlacedCard] = []
    # Cards with a name first: what they leave is what an unread card may be.
    for placed in sorted(cards, key=lambda card: card.card is None and card.side is Side.UP):
        found = min(range(len(seen)), key=lambda index: _card(seen[index], placed), default=None)
        penalty = CAP if found is None else _card(seen[found], placed)
        if found is None or penalty >= CAP:
            left.append(placed)
        else:
            parts.append(penalty)
            del seen[found]
    turned = _turned_over(left, seen)
    return parts + [MISSED] * (len(left) - turned) + [CAP] * len(seen)


def _turned_over(cards: Sequence[PlacedCard], seen: Sequence[CardSighting]) -> int:
    """How many cards lie there the other way up: one thing that does not fit, not one missed and one more."""
    up = sum([card.guesses[0].look is Look.FRONT for card in seen])
    down = sum([placed.side is Side.DOWN for placed in cards])
    return min(down, up) + min(len(cards) - down, len(seen) - up)


def _between(before: ZoneView, after: ZoneView, kind: ZoneKind) -> Iterator[ZoneView]:
    """Places of cards that a hand passes on its way: a card lifted, some of several moved."""
    if kind in (ZoneKind.CARD, ZoneKind.STRIP):
        yield ZoneView(zone=before.zone)
    elif kind is ZoneKind.PILE:
        for cards in (before.cards, after.cards):
            for height in range(len(cards)):
                yield ZoneView(zone=before.zone, cards=cards[:height])
    elif kind is ZoneKind.SPREAD:
        yield from _spreads_between(before, after)


def _spreads_between(before: ZoneView, after: ZoneView) -> Iterator[ZoneView]:
    gone = [card for card in before.cards if card not in after.cards]
    new = [card for card in after.cards if card not in before.cards]
    stays = tuple(card for card in before.cards if card in after.cards)
    for kept in range(len(gone) + 1):
        for come in range(len(new) + 1):
            yield ZoneView(zone=before.zone, cards=(*stays, *gone[:kept], *new[:come]))


def _most_likely(zone: Zone, sighting: ZoneSighting, view: ZoneView) -> ZoneView:
    pieces = view.pieces
    if zone.pieces:
        best = {count.kind: _mode(count.counts) for count in sighting.pieces}
        pieces = tuple(PieceCount(kind, best[kind]) for kind in sorted(zone.pieces) if best.get(kind))
    cards = view.cards
    if zone.kind is ZoneKind.SPREAD:
        if sighting.cards or not zone.optional:
            cards = tuple(placed for card in sighting.cards if (placed := _placed(card)) is not None)
    elif sighting.cards and zone.kind is not ZoneKind.PILE:
        top = _placed(sighting.cards[0])
        cards = () if top is None else (top,)
    elif sighting.cards:
        cards = _pile(view.cards, _placed(sighting.cards[0]), sighting.height)
    return ZoneView(zone=view.zone, cards=cards, pieces=pieces)


def _mode(distribution: Iterable[tuple[int, float]]) -> int:
    return max(distribution, key=lambda entry: entry[1], default=(0, 1.0))[0]


def _placed(sighting: CardSighting) -> PlacedCard | None:
    if not sighting.guesses or sighting.guesses[0].look is Look.EMPTY:
        return None
    top = sighting.guesses[0]
    return PlacedCard(
        top.card if top.look is Look.FRONT else None, Side.UP if top.look is Look.FRONT else Side.DOWN
    )


def _pile(
    old: tuple[PlacedCard, ...], top: PlacedCard | None, height: tuple[tuple[int, float], ...]
) -> tuple[PlacedCard, ...]:
    """The old pile with the top that was seen: cards were put on it or taken off."""
    if top is None:
        return ()
    size = _mode(height) if height else len(old)
    if top.side is Side.DOWN:
        return (top,) * max(1, size)
    if old and old[-1] == top and (not height or size == len(old)):
        return old
    if top in old and size <= len(old):
        return old[: len(old) - old[::-1].index(top)]
    below = old[: max(0, size - 1)] if height else old
    return (*below, *(PlacedCard(None),) * max(0, size - 1 - len(below)), top)


def zones_of(layout: TableLayout) -> dict[ZoneId, Zone]:
    return {zone.id: zone for zone in layout.zones}
