"""Observations without images: what a perfect or a careless eye would make of a table."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from vision.cards import CardId, CardPack
from vision.observation import (
    CardSighting,
    CountSighting,
    Guess,
    Look,
    Observation,
    Sight,
    ZoneSighting,
)
from vision.table import PlacedCard, Side, TableLayout, TableView, Zone, ZoneId, ZoneKind, ZoneView


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """How well somebody looks. The default makes no mistakes and is a little modest about it."""

    layout: TableLayout
    pack: CardPack
    sure: float = 0.97
    misread: float = 0.0
    """The chance that a card is taken for another one; the right one is then the second guess."""
    miscount: float = 0.0
    """The chance that the number of pieces of a kind in a heap is off by one."""
    hide: float = 0.0
    """The chance that a zone cannot be seen."""
    heights: bool = True
    blind: frozenset[ZoneId] = frozenset()
    """Zones that are never in view."""
    held: bool = False
    """The hand is held, so its zone stays empty."""
    steady: bool = False
    """A zone is read once and the same way until something changes there, as a real eye does."""
    dice: random.Random = field(default_factory=lambda: random.Random(0))
    _read: dict[ZoneId, tuple[ZoneView, ZoneSighting]] = field(default_factory=dict)

    def look(self, view: TableView, index: int, at: float, *, calm: bool = True) -> Observation:
        zones = [
            self._zone(self.layout.zone(zone.zone), zone)
            for zone in view.zones
            if zone.zone not in self.blind
        ]
        return Observation(index=index, seen_at=at, registered=True, calm=calm, zones=tuple(zones))

    def _zone(self, zone: Zone, view: ZoneView) -> ZoneSighting:
        if not self.steady:
            return self._look_at(zone, view)
        read = self._read.get(zone.id)
        if read is None or read[0] != view:
            read = self._read[zone.id] = (view, self._look_at(zone, view))
        return read[1]

    def _look_at(self, zone: Zone, view: ZoneView) -> ZoneSighting:
        if self.hide and self.dice.random() < self.hide:
            return ZoneSighting(zone=zone.id, sight=Sight.HIDDEN)
        cards: tuple[CardSighting, ...] = ()
        height: tuple[tuple[int, float], ...] = ()
        if zone.kind is ZoneKind.SPREAD:
            held = self.held and zone.id == "hand"
            cards = () if held else tuple(self._card(zone, placed) for placed in view.cards)
        elif zone.cards:
            cards = (self._card(zone, view.cards[-1] if view.cards else None),)
        if zone.kind is ZoneKind.PILE and self.heights:
            height = self._count(len(view.cards))
        return ZoneSighting(
            zone=zone.id, sight=Sight.SEEN, cards=cards, height=height, pieces=self._pieces(zone, view)
        )

    def _card(self, zone: Zone, placed: PlacedCard | None) -> CardSighting:
        rest = 1 - self.sure
        if placed is None:
            return CardSighting(guesses=(Guess(Look.EMPTY, None, self.sure), Guess(Look.FRONT, None, rest)))
        if placed.card is None and placed.side is Side.UP:
            return CardSighting(guesses=(Guess(Look.FRONT, None, self.sure), Guess(Look.EMPTY, None, rest)))
        if placed.card is None:
            return CardSighting(guesses=(Guess(Look.BACK, None, self.sure), Guess(Look.EMPTY, None, rest)))
        others = self._others(zone, placed.card)
        if self.misread and self.dice.random() < self.misread:
            wrong, other = others[0], others[1]
            return CardSighting(
                guesses=(
                    Guess(Look.FRONT, wrong, 0.55),
                    Guess(Look.FRONT, placed.card, 0.35),
                    Guess(Look.FRONT, other, 0.1),
                )
            )
        return CardSighting(
            guesses=(Guess(Look.FRONT, placed.card, self.sure), Guess(Look.FRONT, others[0], rest))
        )

    def _others(self, zone: Zone, card: CardId) -> list[CardId]:
        kind = self.pack[card].kind if card in self.pack else zone.cards[0]
        others = [facts.id for facts in self.pack.of_kind(kind) if facts.id != card]
        return self.dice.sample(others, 2)

    def _count(self, number: int) -> tuple[tuple[int, float], ...]:
        if not self.miscount:
            return ((number, self.sure), (number + 1, 1 - self.sure))
        seen = number
        if self.dice.random() < self.miscount:
            seen = max(0, number + self.dice.choice((-1, 1)))
        around = [(seen, 0.7), (seen + 1, 0.15), *([(seen - 1, 0.15)] if seen else [])]
        return tuple(around)

    def _pieces(self, zone: Zone, view: ZoneView) -> tuple[CountSighting, ...]:
        counts = {piece.kind: piece.count for piece in view.pieces}
        if zone.kind is ZoneKind.SPOT:
            return tuple(
                CountSighting(
                    kind, ((counts.get(kind, 0), self.sure), (1 - min(1, counts.get(kind, 0)), 1 - self.sure))
                )
                for kind in zone.pieces
            )
        return tuple(CountSighting(kind, self._count(counts.get(kind, 0))) for kind in zone.pieces)


def patched(view: TableView, zones: Iterable[ZoneView] | Mapping[str, ZoneView]) -> TableView:
    """The view with some zones replaced: a move half done, or done wrong."""
    new = {zone.zone: zone for zone in (zones.values() if isinstance(zones, Mapping) else zones)}
    return TableView(tuple(new.get(zone.zone, zone) for zone in view.zones))
