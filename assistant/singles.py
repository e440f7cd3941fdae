"""Pieces of which there is only one: seen a little where it should lie, and nowhere else, it is there.

Each place is read by itself, and a Flood in glaring light may be given one chance in ten at its place. But it
is on the table, and all other places were seen to be empty of it: then that one chance is worth nearly all.
A marker on a track is such a piece among the spaces of its track, whichever side it shows. It never leaves
them: one that is seen nowhere lies below others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from vision.observation import CountSighting, Observation, Sight, ZoneSighting
from vision.table import PieceKind, TableView, Zone, ZoneId, ZoneKind, body_of

SEEN: Final = 0.05
"""Odds below which a piece was seen nowhere: it may have been taken away."""
STANDS_OUT: Final = 0.75
"""So much of what speaks for any place must speak for the one where it should lie: else it may have moved, or
something hides it and something else looks like it."""
SUREST: Final = 1e-3
"""No place is surer than this to have it, or to have it not."""
BELOW_OTHERS: Final = 0.5
"""The chance of a marker that is seen nowhere where it should lie, if others lie there,"""
BELOW_STRANGERS: Final = 0.3
"""and of each other space where others lie. Both say hardly anything for it or against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Single:
    """A piece that lies in one of these places, and looks like one of these kinds."""

    kinds: tuple[PieceKind, ...]
    """The side that it should show first."""
    places: tuple[ZoneId, ...]
    believed: ZoneId
    on_track: bool = False


def one_of_each(observation: Observation, view: TableView, zones: Mapping[ZoneId, Zone]) -> Observation:
    """The observation with every piece that is the only one of its kind in one place."""
    sightings = {sighting.zone: sighting for sighting in observation.zones}
    changed: dict[ZoneId, ZoneSighting] = {}
    for single in _singles(view, zones):
        for place, p in _chances(single, sightings).items():
            changed[place] = _with_chance(changed.get(place, sightings[place]), single.kinds, p)
    return replace(observation, zones=tuple(changed.get(zone.zone, zone) for zone in observation.zones))


def _singles(view: TableView, zones: Mapping[ZoneId, Zone]) -> Iterator[_Single]:
    yield from _only_ones(view, zones)
    tracks: dict[str, list[ZoneId]] = {}
    for zone in zones.values():
        if zone.track:
            tracks.setdefault(zone.track, []).append(zone.id)
    by_zone = view.by_zone()
    for places in tracks.values():
        kinds: dict[PieceKind, list[PieceKind]] = {}
        for kind in dict.fromkeys(kind for place in places for kind in zones[place].pieces):
            kinds.setdefault(body_of(kind), []).append(kind)
        for sides in kinds.values():
            lying = [(place, kind) for place in places for kind in sides if by_zone[place].counts().get(kind)]
            if len(lying) == 1:
                believed, shown = lying[0]
                turned = (shown, *(kind for kind in sides if kind != shown))
                yield _Single(kinds=turned, places=tuple(places), believed=believed, on_track=True)


def _only_ones(view: TableView, zones: Mapping[ZoneId, Zone]) -> Iterator[_Single]:
    """Kinds of which one piece lies on the table, in a place for one of it, and all the places for it."""
    numbers: dict[PieceKind, int] = {}
    for zone in view.zones:
        for piece in zone.pieces:
            numbers[piece.kind] = numbers.get(piece.kind, 0) + piece.count
    for kind, number in numbers.items():
        holders = [zone for zone in zones.values() if kind in zone.pieces]
        if number != 1 or any(zone.kind is not ZoneKind.SPOT or zone.track for zone in holders):
            continue
        places = tuple(zone.id for zone in holders)
        believed = next((place for place in places if view[place].counts().get(kind)), None)
        if believed is not None:
            yield _Single(kinds=(kind,), places=places, believed=believed)


def _chances(single: _Single, sightings: Mapping[ZoneId, ZoneSighting]) -> dict[ZoneId, float]:
    """How likely the piece lies in a place if it lies in one of them, where that is not what was read."""
    seen = {place: _chance(sightings.get(place), single.kinds) for place in single.places}
    chances = {place: p for place, p in seen.items() if p is not None}
    if len(chances) < len(seen):
        return {}
    odds = {place: _bounded(p) / (1 - _bounded(p)) for place, p in chances.items()}
    total = sum(odds.values())
    if single.on_track and max(odds.values()) < SEEN:
        return _below_others(single, sightings)
    if odds[single.believed] < max(SEEN, STANDS_OUT * total):
        return {}
    found = {place: _bounded(each / total) for place, each in odds.items()}
    return {place: p for place, p in found.items() if abs(p - chances[place]) > 2 * SUREST}


def _below_others(single: _Single, sightings: Mapping[ZoneId, ZoneSighting]) -> dict[ZoneId, float]:
    """A marker is on its track and seen nowhere: any space may hide it on which others are seen."""
    crowded = [place for place in single.places if _shows_others(sightings[place], single.kinds)]
    return {place: BELOW_OTHERS if place == single.believed else BELOW_STRANGERS for place in crowded}


def _shows_others(sighting: ZoneSighting, kinds: tuple[PieceKind, ...]) -> bool:
    return any(count.counts and count.counts[0][0] for count in sighting.pieces if count.kind not in kinds)


def _chance(sighting: ZoneSighting | None, kinds: tuple[PieceKind, ...]) -> float | None:
    """How likely the piece lies in a place; None where nobody can see that now."""
    if sighting is None or sighting.sight is not Sight.SEEN:
        return None
    return min(1.0, sum([p for side in _sides(sighting, kinds) for number, p in side.counts if number]))


def _sides(sighting: ZoneSighting, kinds: tuple[PieceKind, ...]) -> list[CountSighting]:
    return [count for count in sighting.pieces if count.kind in kinds]


def _bounded(p: float) -> float:
    return min(1 - SUREST, max(SUREST, p))


def _with_chance(sighting: ZoneSighting, kinds: tuple[PieceKind, ...], p: float) -> ZoneSighting:
    """The sighting with so much of a chance for the piece; each side keeps its share."""
    sides = {side.kind: sum([p for number, p in side.counts if number]) for side in _sides(sighting, kinds)}
    total = sum(sides.values())
    shares = {kind: side / total if total else float(kind == kinds[0]) for kind, side in sides.items()}
    pieces = tuple(
        _one(count.kind, p * shares[count.kind]) if count.kind in shares else count
        for count in sighting.pieces
    )
    return replace(sighting, pieces=pieces)


def _one(kind: PieceKind, p: float) -> CountSighting:
    if p <= 0.0:
        return CountSighting(kind, ((0, 1.0),))
    return CountSighting(kind, tuple(sorted(((1, p), (0, 1 - p)), key=lambda entry: -entry[1])))
