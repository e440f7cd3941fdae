"""The Flood and the Barge: there is one of each, and where it is seen a little it lies."""

from dataclasses import replace

import pytest

from assistant.evidence import zones_of
from assistant.singles import one_of_each
from tests.assistant.observations import patched
from tests.assistant.table import Table
from vision.observation import CountSighting, Observation, Sight
from vision.table import PieceCount, PieceKind, TableView, ZoneId, ZoneView

FLOOD = PieceKind("flood")
RIVER = [ZoneId(f"river-{n}") for n in range(7)]


def seen(table: Table, view: TableView, floods: dict[str, float]) -> Observation:
    """What is seen if the Flood shows only by these chances."""
    observation = table.eye.look(view, table.index, table.at)
    zones = []
    for sighting in observation.zones:
        p = floods.get(sighting.zone, 0.0)
        pieces = tuple(
            CountSighting(FLOOD, ((1, p), (0, 1 - p)) if p > 0.5 else ((0, 1 - p), (1, p)))
            if count.kind == FLOOD
            else count
            for count in sighting.pieces
        )
        zones.append(replace(sighting, pieces=pieces))
    return replace(observation, zones=tuple(zones))


def chance(observation: Observation, zone: str) -> float:
    (sighting,) = (sighting for sighting in observation.zones if sighting.zone == zone)
    (count,) = (count for count in sighting.pieces if count.kind == FLOOD)
    return dict(count.counts)[1]


def test_a_flood_that_is_seen_a_little_in_one_place_only_lies_there() -> None:
    table = Table.after(23)
    zones = zones_of(table.game.layout)
    found = one_of_each(seen(table, table.view, {"river-0": 0.1}), table.view, zones)
    assert chance(found, "river-0") > 0.9
    assert chance(found, "river-1") < 0.05


def test_a_flood_that_is_seen_nowhere_or_may_be_covered_is_left_as_it_was_read() -> None:
    table = Table.after(23)
    zones = zones_of(table.game.layout)
    nowhere = one_of_each(seen(table, table.view, {}), table.view, zones)
    assert [chance(nowhere, zone) for zone in RIVER] == [0.0] * len(RIVER)
    everywhere = one_of_each(seen(table, table.view, dict.fromkeys(RIVER, 0.06)), table.view, zones)
    assert chance(everywhere, RIVER[0]) == pytest.approx(0.06), "no place stands out"
    hidden = seen(table, table.view, {"river-0": 0.1})
    covered = [replace(zone, sight=Sight.HIDDEN) if zone.zone == "river-4" else zone for zone in hidden.zones]
    hidden = replace(hidden, zones=tuple(covered))
    assert chance(one_of_each(hidden, table.view, zones), "river-0") == pytest.approx(0.1)


def test_what_looks_like_a_hidden_flood_elsewhere_is_not_taken_for_it() -> None:
    table = Table.after(23)
    phantom = seen(table, table.view, {"river-3": 0.1})
    found = one_of_each(phantom, table.view, zones_of(table.game.layout))
    assert chance(found, "river-3") == pytest.approx(0.1)


def test_a_flood_moved_early_is_told_though_it_is_hardly_seen_anywhere() -> None:
    table = Table.after(28)
    for _ in range(12):
        table.at, table.index = table.at + 1, table.index + 1
        table.session.observe(seen(table, table.view, {"river-0": 0.1}))
    early = patched(
        table.view,
        [
            ZoneView(zone=RIVER[0], cards=table.view[RIVER[0]].cards),
            ZoneView(zone=RIVER[1], cards=table.view[RIVER[1]].cards, pieces=(PieceCount(FLOOD, 1),)),
        ],
    )
    for _ in range(8):
        table.at, table.index = table.at + 1, table.index + 1
        table.session.observe(seen(table, early, {"river-1": 0.45}))
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G5"]
