"""Pieces of which there is only one: seen a little where it should lie, and nowhere else, it is there.

Each place is read by itself, and a Flood in glaring light may be given one chance in ten at its place. But it
is on the table, and all other places were seen to be empty of it: then that one chance is worth nearly all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from vision.observation import CountSighting, Observation, Sight, ZoneSighting
from vision.table import PieceKind, TableView, Zone, ZoneId, ZoneKind

SEEN: Final = 0.05
"""Odds below which a piece was seen nowhere: it may have been taken away."""
STANDS_OUT: Final = 0.75
"""So much of what speaks for any place must speak for the one where it should lie: else it may have moved, or
something hides it and something else looks like it."""
SUREST: Final = 1e-3
"""No place is surer than this to have it, or to have it not."""


def one_of_each(observation: Observation, view: TableView, zones: Mapping[ZoneId, Zone]) -> Observation:
    """The observation with every piece that is the only one of its kind in one place."""
    sightings = {sighting.zone: sighting for sighting in observation.zones}
    changed: dict[ZoneId, ZoneSighting] = {}
    for kind, places in _only_ones(view, zones).items():
        chances = {place: _chance(sightings.get(place), kind) for place in places}
        seen = {place: p for place, p in chances.items() if p is not None}
        odds = {place: _bounded(p) / (1 - _bounded(p)) for place, p in seen.items()}
        total = sum(odds.values())
        believed = next((odds.get(place, 0.0) for place in places if view[place].counts().get(kind)), 0.0)
        if len(seen) < len(places) or believed < max(SEEN, STANDS_OUT * total):
            continue
        for place in places:
            old = changed.get(place, sightings[place])
            changed[place] = _with_chance(old, kind, _bounded(odds[place] / total))
    return replace(observation, zones=tuple(changed.get(zone.zone, zone) for zone in observation.zones))


def _only_ones(view: TableView, zones: Mapping[ZoneId, Zone]) -> dict[PieceKind, list[ZoneId]]:
    """Kinds of which one piece lies on the table, in a place for one of it, and all the places for it."""
    numbers: dict[PieceKind, int] = {}
    for zone in view.zones:
        for piece in zone.pieces:
            numbers[piece.kind] = numbers.get(piece.kind, 0) + piece.count
    places = {
        kind: [zone for zone in zones.values() if kind in zone.pieces]
        for kind, number in numbers.items()
        if number == 1
    }
    return {
        kind: [zone.id for zone in holders]
        for kind, holders in places.items()
        if all(zone.kind is ZoneKind.SPOT for zone in holders)
    }


def _chance(sighting: ZoneSighting | None, kind: PieceKind) -> float | None:
    """How likely the piece lies in a place; None where nobody can see that now."""
    if sighting is None or sighting.sight is not Sight.SEEN:
        return None
    counts = next((count.counts for count in sighting.pieces if count.kind == kind), ())
    return sum([p for number, p in counts if number])


def _bounded(p: float) -> float:
    return min(1 - SUREST, max(SUREST, p))


def _with_chance(sighting: ZoneSighting, kind: PieceKind, p: float) -> ZoneSighting:
    there = CountSighting(kind, tuple(sorted(((1, p), (0, 1 - p)), key=lambda entry: -entry[1])))
    pieces = tuple(there if count.kind == kind else count for count in sighting.pieces)
    return replace(sighting, pieces=pieces)
