"""Observations as a record keeps them: only the zones that changed since the one before, and no pixels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assistant.events import read_zone, write_zone
from vision.observation import CardSighting, CountSighting, DoubtfulPiece, Guess, Observation, ZoneSighting
from vision.table import ZoneId

LEAST = 0.002
"""Guesses and counts less likely than this are not kept."""


class SightWriter:
    """Writes one observation after the other; what did not change is not written again."""

    def __init__(self) -> None:
        self._last: dict[ZoneId, ZoneSighting] = {}

    def write(self, observation: Observation) -> dict[str, Any]:
        zones = {zone.zone: slim(zone) for zone in observation.zones}
        changed = [write_zone(zone) for key, zone in zones.items() if self._last.get(key) != zone]
        gone = [key for key in self._last if key not in zones]
        self._last = zones
        data: dict[str, Any] = {"index": observation.index, "at": round(observation.seen_at, 3)}
        data["calm"], data["registered"] = observation.calm, observation.registered
        if observation.looking:
            data["looking"] = True
        return data | ({"zones": changed} if changed else {}) | ({"gone": gone} if gone else {})


class SightReader:
    """Reads them back, in the same order."""

    def __init__(self) -> None:
        self._zones: dict[ZoneId, ZoneSighting] = {}

    def read(self, data: Mapping[str, Any]) -> Observation:
        for zone in data.get("gone", ()):
            self._zones.pop(ZoneId(zone), None)
        for written in data.get("zones", ()):
            zone = read_zone(written)
            self._zones[zone.zone] = zone
        return Observation(
            index=int(data["index"]),
            seen_at=float(data["at"]),
            registered=bool(data["registered"]),
            calm=bool(data["calm"]),
            looking=bool(data.get("looking")),
            zones=tuple(self._zones.values()),
        )


def slim(zone: ZoneSighting) -> ZoneSighting:
    """A sighting without what reconstruction never asks for: readings, corners, hopeless guesses."""
    return replace(
        zone,
        cards=tuple(
            CardSighting(
                guesses=tuple(Guess(g.look, g.card, round(g.p, 4)) for g in card.guesses if g.p >= LEAST)
            )
            for card in zone.cards
        ),
        pieces=tuple(
            CountSighting(count.kind, tuple((n, round(p, 4)) for n, p in count.counts if p >= LEAST))
            for count in zone.pieces
        ),
        doubtful=tuple(
            DoubtfulPiece(tuple((kind, round(p, 4)) for kind, p in piece.kinds)) for piece in zone.doubtful
        ),
    )
