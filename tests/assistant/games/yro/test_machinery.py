"""What the second game asked of the machinery, and every further game may use."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from assistant.cli import app
from assistant.evidence import Evidence, zones_of
from assistant.games.yro import KIT
from assistant.record.feed import header_of, record_actions
from assistant.record.statistics import statistics
from assistant.record.store import open_store
from assistant.record.telling import game_of
from assistant.record.values import RecordedGame
from assistant.robot import Robot
from assistant.simulate import play_game, policy_named
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.drawing import drawing_of
from assistant.web.naming import PageWording
from assistant.web.scene import scene_of
from assistant.wording import languages
from tests.assistant.observations import Eye
from vision.table import PlacedCard, Side, ZoneId, ZoneView, body_of
from vision.virtual.svg import SvgError, load_symbol, offer_symbols


def simulated(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["simulate", "--games", "1", *arguments])
    return done.exit_code, done.output + str(done.exception or "")


@pytest.mark.parametrize("players", [1, 2, 5])
def test_the_number_of_players_is_an_option_of_the_command(players: int) -> None:
    code, said = simulated("--game", "yro", "--players", str(players), "--json")
    assert code == 0
    ends = json.loads(said.splitlines()[0])["results"]
    assert len(ends) == (players + 1 if players > 1 else 2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--game", "yu", "--players", "2"), "has no option 'players'"),
        (("--game", "yro", "--option", "weather=rain"), "has no option 'weather'"),
        (("--game", "yro", "--option", "draft=maybe"), "draft must be one of no, yes"),
        (("--game", "yro", "--players", "7"), "players must be one of 1, 2, 3, 4, 5"),
    ],
)
def test_a_choice_that_a_game_does_not_have_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    code, said = simulated(*arguments)
    assert code != 0
    assert sentence in said


def test_a_record_is_read_by_the_rules_it_was_played_by() -> None:
    four = KIT.bind(KIT.demo_pack(), {"players": "4", "draft": "yes"})
    start = four.encode(four.initial())

    recorded = cast(RecordedGame, SimpleNamespace(pack=None, start=start))
    again = game_of(recorded, KIT)
    assert again.decode(start) == four.initial()
    assert again.layout == four.layout


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("language", languages())
def test_the_page_fits_the_table_and_needs_no_hero(players: int, language: str) -> None:
    game = KIT.bind(KIT.demo_pack(), {"players": str(players)})
    wording = PageWording(language, KIT, game.pack, drawing_of(KIT.folder))
    scene = scene_of(KIT, game, wording)
    assert scene.drawing.hero is None
    view = scene.drawing.wide.view
    assert view is not None
    x, y, width, height = view
    for zone in scene.zones:
        if zone.id not in scene.drawing.wide.hidden:
            assert x <= zone.box[0]
            assert zone.box[0] + zone.box[2] <= x + width
            assert y <= zone.box[1]
            assert zone.box[1] + zone.box[3] <= y + height
    assert 'id="symbol-floating"' in scene.pictures


def recorded(folder: Path, players: int) -> None:
    """Three finished games."""
    game = KIT.bind(KIT.demo_pack(), {"players": str(players)})
    with open_store(folder) as store:
        for seed in ("2", "3", "4"):
            played = play_game(game, policy_named(game, "random"), seed)
            head = header_of(game, table="kitchen", started_at=0.0)
            record_actions(store, game, played.actions, replace(head, game=KIT.name)).leave()


@pytest.mark.parametrize(("players", "won_and_lost"), [(2, (0, 0)), (1, (2, 1))])
def test_who_won_against_others_is_no_share_of_games_won(
    players: int, won_and_lost: tuple[int, int], tmp_path: Path
) -> None:
    recorded(tmp_path, players)
    with open_store(tmp_path) as store:
        told = statistics((store.load(one.id) for one in store.games()), lambda one: game_of(one, KIT))
    assert (told.games, (told.won, told.lost)) == (3, won_and_lost)
    assert sum(told.causes.values()) == 3
    assert {*told.wins, *told.losses} == ({"solo", "overrun"} if players == 1 else set())
    shown = CliRunner().invoke(app, ["games", "--game", "yro", "--statistics", "--data", str(tmp_path)])
    assert shown.exit_code == 0
    assert ("67% won" in shown.output) == ("won" in shown.output) == (players == 1)


def test_the_page_lists_games_of_several_as_ended_and_neither_won_nor_lost(tmp_path: Path) -> None:
    recorded(tmp_path, 2)
    pairing = Pairing(b"a secret of the test")
    robot = Robot(KIT, pace=0.0, clock=lambda: 0.0)
    with open_store(tmp_path) as store:
        served = create_app(robot, pairing=pairing, records=store)
        with TestClient(served, base_url="http://localhost:8470") as client:
            client.post("/api/pair", json={"code": pairing.code})
            listed = client.get("/api/games").json()["games"]
            sums = client.get("/api/games/statistics").json()
    assert [(game["ended"], game["won"]) for game in listed] == [(True, None)] * 3
    assert (sums["games"], sums["won"], sums["lost"]) == (3, 0, 0)
    assert {cause["won"] for cause in sums["causes"]} == {None}


def test_face_down_cards_of_a_spread_are_matched_by_their_backs() -> None:
    game = KIT.bind(KIT.demo_pack())
    back = PlacedCard(None, Side.DOWN)
    three, two = (ZoneView(zone=ZoneId("hand-1"), cards=(back,) * number) for number in (3, 2))
    view = game.view(game.initial())
    seen = type(view)(tuple(three if zone.zone == three.zone else zone for zone in view.zones))
    sight = Eye(layout=game.layout, pack=game.pack).look(seen, 0, 0.0)
    evidence = Evidence(sight, zones_of(game.layout))
    assert evidence.fits(three)
    assert not evidence.fits(two)


def test_a_turned_piece_is_the_same_piece() -> None:
    zone = KIT.bind(KIT.demo_pack()).layout.zone(ZoneId("force-0"))
    assert {body_of(kind) for kind in zone.pieces} == {"guild-red", "guild-blue", "guild-green"}


def test_a_game_brings_symbols_under_names_of_their_own(tmp_path: Path) -> None:
    circle = '<circle cx="32" cy="32" r="9" fill="#112233"/>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{circle}</svg>'
    (tmp_path / "a-symbol-of-a-test.svg").write_text(drawing)
    offer_symbols(tmp_path)
    assert load_symbol("a-symbol-of-a-test").width == 64
    other = tmp_path / "other"
    other.mkdir()
    (other / "arrow.svg").write_text(drawing)
    with pytest.raises(SvgError, match="expected a new name"):
        offer_symbols(other)
