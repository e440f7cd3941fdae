"""Markers on tracks: each lies on one space of its track, seen well, badly, or not at all below others."""

from dataclasses import replace
from typing import Any

import pytest

from assistant.evidence import zones_of
from assistant.games.yro.state import Phase
from assistant.session import Session
from assistant.singles import one_of_each
from tests.assistant.games.yro.builders import copy_for, grid, position
from tests.assistant.games.yro.test_watch import game_for, rules_told
from tests.assistant.observations import Eye
from vision.observation import CountSighting, Observation
from vision.table import PieceKind, TableView

Readings = dict[tuple[str, str], float]
"""By zone and kind: the chance that one was seen there."""


def seen(players: int, view: TableView, second: int, readings: Readings) -> Observation:
    game = game_for(players)
    observation = Eye(layout=game.layout, pack=game.pack, sure=1.0).look(view, second, float(second))
    zones = []
    for zone in observation.zones:
        counts = {count.kind: count for count in zone.pieces}
        for (place, kind), p in readings.items():
            if place == zone.zone:
                either = sorted(((1, p), (0, 1 - p)), key=lambda entry: -entry[1])
                counts[PieceKind(kind)] = CountSighting(PieceKind(kind), tuple(either))
        zones.append(replace(zone, pieces=tuple(counts.values())))
    return replace(observation, zones=tuple(zones))


def chance(observation: Observation, zone: str, kind: str) -> float:
    (sighting,) = (sighting for sighting in observation.zones if sighting.zone == zone)
    (count,) = (count for count in sighting.pieces if count.kind == kind)
    return sum(p for number, p in count.counts if number)


def state_of(players: int, phase: Phase, *given: dict[str, Any], **fields: Any) -> Any:
    return position(copy_for(players), phase, *given, **fields)


def weighed(players: int, state: Any, readings: Readings) -> Observation:
    game = game_for(players)
    view = game.view(state)
    return one_of_each(seen(players, view, 1, readings), view, zones_of(game.layout))


def test_a_marker_that_is_surely_in_its_place_lies_nowhere_else_on_its_track() -> None:
    state = state_of(2, Phase.COMBAT, {"tech": 2})
    found = weighed(2, state, {("tech-1-0", "tech"): 0.54})
    assert chance(found, "tech-1-0", "tech") < 0.01
    assert chance(found, "tech-2-0", "tech") > 0.99, "the other player's marker is another piece"


def test_a_marker_that_is_hardly_seen_in_its_place_and_nowhere_else_lies_there() -> None:
    state = state_of(2, Phase.COMBAT, {"force": 8})
    found = weighed(2, state, {("force-8", "guild-red"): 0.27})
    assert chance(found, "force-8", "guild-red") > 0.9
    assert chance(found, "vp-0", "guild-red") > 0.9, "the VP track has a marker of its own"


def test_which_side_a_marker_shows_stays_as_doubtful_as_it_was() -> None:
    state = state_of(2, Phase.COMBAT, {"force": 8})
    sides = {("force-8", "guild-red"): 0.2, ("force-8", "guild-red-over"): 0.6}
    found = weighed(2, state, sides)
    assert chance(found, "force-8", "guild-red") == pytest.approx(0.25, abs=0.01)
    assert chance(found, "force-8", "guild-red-over") == pytest.approx(0.75, abs=0.01)


def test_a_marker_that_left_its_place_is_read_as_it_was_seen() -> None:
    state = state_of(2, Phase.COMBAT, {"force": 8})
    found = weighed(2, state, {("force-8", "guild-red"): 0.0, ("force-9", "guild-red"): 0.4})
    assert chance(found, "force-8", "guild-red") == 0.0
    assert chance(found, "force-9", "guild-red") == pytest.approx(0.4)


def test_a_marker_that_is_seen_nowhere_may_lie_below_others_and_on_no_bare_space() -> None:
    state = state_of(3, Phase.COMBAT, {"force": 5}, {"force": 5}, {"force": 9})
    found = weighed(3, state, {("force-5", "guild-red"): 0.0})
    assert chance(found, "force-5", "guild-red") == pytest.approx(0.5)
    assert 0.2 < chance(found, "force-9", "guild-red") < 0.5
    assert chance(found, "force-6", "guild-red") == 0.0
    assert chance(found, "force-9", "guild-blue") == 0.0, "this one is seen"


def test_vp_taken_by_a_guild_whose_marker_was_hidden_below_others_are_recorded() -> None:
    game = game_for(4)
    state = state_of(
        4, Phase.COMBAT, *({"grid": grid(f"{card} . .", ". . .", ". . .")} for card in ["banner-knight"] * 2)
    )
    for player in (1, 2, 3, 4):
        state = game.apply(state, game.parse(f"force {player}"))
    hidden: Readings = {("vp-0", "guild-blue"): 0.0}
    session = Session(game, "yro", state=state)
    for second in range(6):
        session.observe(seen(4, game.view(state), second, {} if second < 2 else hidden))
    assert session.snapshot().progress is None, "nothing was taken up and put nowhere"
    state = game.apply(state, game.parse("spoils 2"))
    session.observe(seen(4, game.view(state), 6, {}))
    assert [line.notation for line in session.snapshot().log][-1] == "spoils 2"
    assert rules_told(session) == []
