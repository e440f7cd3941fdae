"""How well what was seen fits what should lie on the table, zone by zone; knows no game.

A *penalty* says how much less likely a view is than the best reading of the zone (in nats): 0 is a perfect
fit. It is capped, because anything can be misread; beyond the cap it only grows a little with the distance,
so that a search feels the way. A zone is contradicted when one single thing in it does not fit: small doubts
about many kinds of pieces are no contradiction.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import copy

from assistant.cards_fit import judged_cards, least_penalty, may_be_held
from assistant.counting import (
    LastSeen,
    judged_pieces,
    passed_on,
    strayed,
    too_many,
    unchanged,
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
        """`told` is the player's word on zones: what lies there, None for "never mind"; `last` are
        places as they were understood before."""
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
        return sum([least_penalty(card) for card in cards])

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
                self._last_heap(before.zone),
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
            gone, new = self._cards_moved(zone)
            left |= gone
            come |= new
        return bool(left & come) or any(passed_on(more) for more in pieces.values())

    def _cards_moved(self, view: ZoneView) -> tuple[set[CardId], set[CardId]]:
        """The cards that left a zone, and those that came. Where a spread shows nothing its cards are held,
        most likely: what is not there may be anywhere."""
        sighting, zone = self._sightings.get(view.zone), self._zones[view.zone]
        if sighting is None or not zone.cards:
            return set(), set()
        before = _named(view)
        if may_be_held(zone, sighting):
            return before, set()
        if self.worst(view) <= MOVED_FROM:
            return set(), set()
        after = _named(self.read(view))
        return before - after, after - before

    def counts_alike(self, other: "Evidence", zone: ZoneId, kind: PieceKind) -> bool:
        """Whether a kind is counted in a heap as in another sight."""
        here, there = self._sightings.get(zone), other._sightings.get(zone)
        heap = self._zones[zone].kind is ZoneKind.HEAP
        return heap and here is not None and there is not None and unchanged(kind, here, there)

    def strayed(self, view: ZoneView) -> dict[PieceKind, float]:
        """Pieces more or fewer than there should be: in a heap since it was understood last."""
        sighting, last = self._sightings.get(view.zone), self._last_heap(view.zone)
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
        last = self._last_heap(zone.id)
        parts = judged_pieces(zone, sighting, view, last=last) if zone.pieces else []
        if zone.optional and too_many(view) and last is None:
            # The box of spare pieces: miscounted as often as not, and the rules know what is in it.
            parts = [OPTIONAL * part for part in parts]
        if zone.cards:
            parts = parts + judged_cards(zone, sighting, view.cards, self._last.get(zone.id))
        return parts

    def _last_heap(self, zone: ZoneId) -> LastSeen | None:
        return self._last.get(zone) if self._zones[zone].kind is ZoneKind.HEAP else None


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


def _named(view: ZoneView) -> set[CardId]:
    return {placed.card for placed in view.cards if placed.card is not None}


def _mode(distribution: Iterable[tuple[int, float]]) -> int:
    return max(distribution, key=lambda entry: entry[1], default=(0, 1.0))[0]


def _placed(sighting: CardSighting) -> PlacedCard | None:
    if sighting.seems_none:
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
