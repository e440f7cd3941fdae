"""The eye reads YRO's own symbols and pieces, whichever way a seat is turned."""

from functools import cache
from typing import Any

import cv2
import pytest

from assistant.games.yro import KIT
from assistant.games.yro.pack import ADVENTURER, QUEST
from assistant.kit import Dice, Game
from assistant.measure import read_right
from assistant.virtual import calibrated, eye_of, scene_of, set_up
from vision.anatomy import load_anatomy
from vision.networks import Networks
from vision.observation import Observation, Sight
from vision.table import TableView, Zone, ZoneKind
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource
from vision.whole import NETWORK, NOTHING, windows_of

LOOKS = 5


def test_the_game_brings_its_own_networks_and_uses_the_shared_one_for_numbers() -> None:
    shared = Networks()
    own = shared.with_own(KIT.folder)
    assert NETWORK in own
    assert NETWORK not in shared
    changed = {name for name in shared.hashes() if own.hashes()[name] != shared.hashes()[name]}
    assert changed == {"kinds", "pieces"}
    assert sum(path.stat().st_size for path in (KIT.folder / "eyes").iterdir()) < 5_000_000


def test_every_word_of_the_rules_for_packs_is_known_to_the_network_and_every_piece_too() -> None:
    networks = Networks().with_own(KIT.folder)
    words = set(networks.answers(NETWORK))
    anatomy = load_anatomy(KIT.folder / "anatomy.toml")
    items = {
        item
        for kind in (ADVENTURER, QUEST)
        for w in windows_of(anatomy, KIT.pack_rules, kind)
        for item in w.items
    }
    assert words == {NOTHING, *items}
    layout = KIT.bind(KIT.demo_pack(), {"players": "5"}).layout
    assert {kind for zone in layout.zones for kind in zone.pieces} <= set(networks.answers("pieces"))


def test_windows_stand_where_the_anatomy_prints_and_hold_what_a_field_may() -> None:
    windows = windows_of(load_anatomy(KIT.folder / "anatomy.toml"), KIT.pack_rules, ADVENTURER)
    by_field: dict[str, list[Any]] = {}
    for window in windows:
        by_field.setdefault(window.field, []).append(window)
    assert [window.items for window in by_field["cost"]] == [("coin",)]
    assert by_field["force"][0].items == ("force",)
    assert by_field["force"][1].items == ("plus", "star")
    assert len(by_field["dots"]) == 3
    assert by_field["faction"][0].x < 0.5 < by_field["profession"][0].x


@cache
def watched(players: str) -> tuple[Game[Any, Any], TableView, Observation]:
    """A position in the middle of a game on a virtual table, and what the eye makes of a few frames."""
    cv2.setNumThreads(1)
    game = KIT.bind(KIT.demo_pack(), {"players": players})
    dice = Dice(8)
    state = set_up(game, dice)
    while state.round < 3:
        state = game.apply(state, game.policies["greedy"](state, dice))
    scene = scene_of(KIT, game, SceneStyle())
    source = VirtualSource(scene, game.view(state), seed=1, live=False)
    eye = eye_of(KIT, game, calibrated(game.layout.board, scene))
    for _ in range(LOOKS):
        seen = eye.observe(source.look(0.4))
    return game, game.view(state), seen


def share_right(game: Game[Any, Any], view: TableView, seen: Observation, wanted: Any) -> float:
    truth, zones = view.by_zone(), {zone.id: zone for zone in game.layout.zones}
    looked = [sight for sight in seen.zones if sight.sight is Sight.SEEN and wanted(zones[sight.zone])]
    assert looked
    return sum(read_right(game.layout, sight, truth[sight.zone]) for sight in looked) / len(looked)


def lies_sideways(zone: Zone) -> bool:
    return zone.kind is ZoneKind.CARD and ADVENTURER in zone.cards and zone.turn_deg in (90, 270)


@pytest.mark.parametrize(
    ("what", "wanted", "least"),
    [
        ("grids that lie sideways", lies_sideways, 0.94),
        ("markers on tracks", lambda zone: zone.id.startswith(("force-", "vp-")), 0.97),
        ("cubes", lambda zone: zone.kind is ZoneKind.SPOT, 0.97),
    ],
)
def test_a_table_of_two_is_read(what: str, wanted: Any, least: float) -> None:
    assert share_right(*watched("2"), wanted) >= least, what
