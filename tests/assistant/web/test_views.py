"""What the page shows beside the game: hints, the past, recorded games, the campaign, the pack."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from assistant.advice import Strength
from assistant.advise.reviewer import Reviewed, Reviewer
from assistant.games.yu import KIT
from assistant.record.store import Store
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from tests.assistant.web.furniture import GreedyAdviser, own_pack, recorded_store
from vision.cards import CardId, Source
from vision.pack import load_pack
from vision.table import PieceKind, ZoneId

UNREAD = "weaver-wood-yellow"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with recorded_store(tmp_path_factory.mktemp("records"), 3) as store:
        yield store


@pytest.fixture
def adviser(robot: Robot) -> GreedyAdviser:
    return GreedyAdviser(robot)


@pytest.fixture
def furnished(
    robot: Robot, pairing: Pairing, records: Store, adviser: GreedyAdviser, tmp_path: Path
) -> Iterator[TestClient]:
    own_pack(tmp_path / "mine", unread=UNREAD)
    app = create_app(robot, pairing=pairing, adviser=adviser, records=records, own_pack=tmp_path / "mine")
    with TestClient(app, base_url="http://localhost:8470") as client:
        client.post("/api/pair", json={"code": pairing.code})
        yield client


def test_only_what_the_server_has_is_offered(tablet: TestClient, furnished: TestClient) -> None:
    assert tablet.get("/api/scene").json()["offers"] == []
    assert furnished.get("/api/scene").json()["offers"] == ["hints", "games"]
    assert tablet.get("/api/advice").status_code == 404


# Cards are called by name


def test_no_sentence_of_the_log_holds_the_id_of_a_card(tablet: TestClient, robot: Robot) -> None:
    ids = {card.id for card in robot.game.pack.cards}
    for language in ("en", "fr"):
        log = tablet.get("/api/log", params={"language": language}).json()
        assert not [line["sentence"] for line in log for word in line["sentence"].split() if word in ids]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_card_has_a_name_of_its_own(tablet: TestClient, language: str) -> None:
    cards = tablet.get("/api/scene", params={"language": language}).json()["cards"]
    names = [card["name"] for card in cards]
    assert len(set(names)) == len(names)
    assert not set(names) & {card["id"] for card in cards}


# Hints


def test_hints_are_off_until_somebody_asks(furnished: TestClient, adviser: GreedyAdviser) -> None:
    said = furnished.get("/api/advice").json()
    assert (said["strength"], said["nudges"], said["moves"], adviser.asked) == ("off", [], [], [])


@pytest.mark.parametrize(
    ("strength", "parts"),
    [
        ("nudge", {"nudges"}),
        ("plan", {"nudges", "plan"}),
        ("best", {"nudges", "plan", "moves", "win"}),
    ],
)
def test_no_more_is_said_than_was_asked_for(
    furnished: TestClient, adviser: GreedyAdviser, strength: str, parts: set[str]
) -> None:
    said = furnished.get("/api/advice", params={"strength": strength}).json()
    assert {name for name in ("nudges", "plan", "moves", "win") if said[name]} == parts
    assert adviser.asked == [Strength(strength)]


def test_the_best_move_comes_with_its_reason_and_two_runners_up(furnished: TestClient, robot: Robot) -> None:
    while len(robot.game.legal_actions(robot.game.decode(robot.snapshot().state))) < 3:
        robot.skip(1)
    said = furnished.get("/api/advice", params={"strength": "best", "language": "fr"}).json()
    assert len(said["moves"]) == 3
    assert all(move["sentence"] and move["because"] for move in said["moves"])
    assert said["win"]["low"] <= said["win"]["p"] <= said["win"]["high"]


def test_the_newest_position_can_be_asked_for_without_its_number(tablet: TestClient) -> None:
    newest = tablet.get("/api/replay").json()
    assert newest == tablet.get(f"/api/replay/{newest['moves']}").json()


def test_an_unknown_strength_is_refused(furnished: TestClient) -> None:
    assert furnished.get("/api/advice", params={"strength": "all"}).json()["code"] == "invalid"


# The past


def test_the_table_can_be_seen_as_it_was_after_any_move(tablet: TestClient, robot: Robot) -> None:
    before = tablet.get("/api/snapshot").json()
    robot.skip(5)
    past = tablet.get("/api/replay/40").json()
    assert (past["move"], past["moves"], past["round"]) == (40, 45, before["round"])
    assert past["view"] == before["view"]
    assert past["sentence"] == tablet.get("/api/log").json()[39]["sentence"]
    assert tablet.get("/api/replay/0").json()["sentence"] is None


def test_a_move_that_was_never_made_is_not_found(tablet: TestClient) -> None:
    for method, path in (("GET", "/api/replay/41"), ("POST", "/api/replay/41/take-back")):
        answer = tablet.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-move")


def test_the_game_is_taken_back_to_an_earlier_move(tablet: TestClient, robot: Robot) -> None:
    past = tablet.get("/api/replay/30").json()
    assert tablet.post("/api/replay/30/take-back").status_code == 204
    assert len(robot.snapshot().log) == 30
    assert tablet.get("/api/snapshot").json()["view"] == past["view"]


def test_an_earlier_move_is_corrected_by_a_word_about_a_zone(tablet: TestClient, robot: Robot) -> None:
    known = robot.game.view(robot.state_after(30))[ZoneId("supply")]
    pieces = {piece.kind: piece.count for piece in known.pieces} | {"clay": 3}
    told = tablet.post("/api/replay/30/zones/supply/correction", json={"pieces": pieces})
    assert told.status_code == 204
    log = robot.snapshot().log
    assert (len(log), log[30].words.key) == (41, "web.log.told")
    supply = robot.game.view(robot.state_after(31))[ZoneId("supply")]
    assert {piece.kind: piece.count for piece in supply.pieces}[PieceKind("clay")] == 3


def test_a_move_is_told_otherwise_by_choosing_what_it_was(tablet: TestClient, robot: Robot) -> None:
    assert tablet.get("/api/replay/0/instead").status_code == 404
    others = [other["notation"] for other in tablet.get("/api/replay/38/instead").json()]
    assert len(others) == 23
    assert robot.snapshot().log[37].notation not in others
    assert tablet.post("/api/replay/38/instead", json={"notation": others[0]}).status_code == 204
    assert robot.snapshot().log[-1].notation == others[0], "no story without the Canal"
    assert tablet.post("/api/replay/38/instead", json={}).status_code == 204
    assert len(robot.snapshot().log) == 37


def test_a_move_that_the_rules_forbid_there_is_refused_with_the_reason(
    tablet: TestClient, robot: Robot
) -> None:
    answer = tablet.post("/api/replay/20/instead", json={"notation": "end"})
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")
    assert answer.json()["sentence"]
    assert len(robot.snapshot().log) == 40


def test_a_word_that_makes_no_sense_takes_nothing_back(tablet: TestClient, robot: Robot) -> None:
    answer = tablet.post("/api/replay/30/zones/supply/correction", json={"pieces": {"flood": 1}})
    assert answer.status_code == 422
    assert len(robot.snapshot().log) == 40


# Recorded games


def test_the_costly_decisions_of_a_game_are_told_in_both_languages(
    robot: Robot, pairing: Pairing, records: Store
) -> None:
    found = Reviewed(number=30, round=2, played=("end",), better=("trade 2",), win_played=0.4, win_better=0.7)
    answer = json.dumps([asdict(found)])
    reviewer = Reviewer(command=(sys.executable, "-c", f"import sys; sys.stdin.read(); print({answer!r})"))
    app = create_app(robot, pairing=pairing, records=records, reviewer=reviewer)
    with closing(reviewer), TestClient(app, base_url="http://localhost:8470") as client:
        client.post("/api/pair", json={"code": pairing.code})
        assert "review" in client.get("/api/scene").json()["offers"]
        assert client.get("/api/games/1/costly").json()["thinking"]
        moves = client.get("/api/games").json()["games"][-1]["moves"]
        assert reviewer.wait((1, moves), 60)
        for language, words in (("en", "Round 2, step 31"), ("fr", "Manche 2, étape 31")):
            told = client.get("/api/games/1/costly", params={"language": language}).json()
            assert not told["thinking"]
            assert told["decisions"][0]["title"].startswith(words)
            assert "40" in told["decisions"][0]["verdict"]
        assert client.get("/api/games/99/costly").status_code == 404


def test_recorded_games_are_listed_with_their_results_in_words(furnished: TestClient) -> None:
    listed = furnished.get("/api/games", params={"language": "fr"}).json()["games"]
    assert [game["id"] for game in listed] == [3, 2, 1]
    assert all(game["result"] and game["rounds"] and game["won"] is not None for game in listed)


def test_the_statistics_add_up(furnished: TestClient) -> None:
    sums = furnished.get("/api/games/statistics").json()
    assert sums["games"] == 3 == sum(cause["count"] for cause in sums["causes"])
    assert sums["rounds_least"] <= sums["rounds_mean"] <= sums["rounds_most"]
    assert all(cause["text"] != cause["name"] for cause in sums["causes"])


@pytest.mark.parametrize(
    ("form", "media", "begins"),
    [
        ("json", "application/json", "{"),
        ("text", "text/plain", "# Legacy of Yu"),
        ("csv", "text/csv", "number,"),
        ("html", "text/html", "<!doctype html>"),
    ],
)
def test_a_game_is_kept_as_a_file(furnished: TestClient, form: str, media: str, begins: str) -> None:
    answer = furnished.get(f"/api/games/1/export/{form}", params={"language": "en"})
    assert answer.headers["content-type"].startswith(media)
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.text.lower().startswith(begins.lower())


def test_a_game_that_does_not_exist_cannot_be_kept(furnished: TestClient) -> None:
    assert furnished.get("/api/games/99/export/text").status_code == 404
    assert furnished.get("/api/games/1/export/pdf").json()["code"] == "invalid"


def test_a_campaign_is_begun_counts_a_game_and_keeps_notes(furnished: TestClient) -> None:
    assert furnished.post("/api/campaign/notes", json={"entry": 3, "words": "x"}).status_code == 404
    assert furnished.get("/api/campaign").json() is None
    begun = furnished.post("/api/campaign").json()
    assert (begun["wins"], begun["losses"], begun["games"]) == (0, 0, [])
    counted = furnished.post("/api/campaign/games", json={"game": 1}).json()
    assert counted["wins"] + counted["losses"] == 1
    assert counted["may_turn"]
    card = counted["may_turn"][0]["card"]
    assert furnished.post("/api/campaign/games", json={"game": 2}).status_code == 409
    assert furnished.post("/api/campaign/turned", json={"card": card}).json()["may_turn"] == []
    noted = furnished.post("/api/campaign/notes", json={"entry": 3, "words": "the heron came back"}).json()
    assert noted["notes"][0]["words"] == "the heron came back"


# The pack


def test_the_gallery_says_what_is_missing(furnished: TestClient) -> None:
    gallery = furnished.get("/api/cards").json()
    (card,) = [card for card in gallery["cards"] if card["state"] == "gaps"]
    assert (gallery["mine"], card["id"], card["gaps"]) == (True, UNREAD, ["red"])


def test_a_confirmed_fact_is_written_to_the_players_pack(furnished: TestClient, tmp_path: Path) -> None:
    told = {"fields": {"red": [{"kind": "yellow"}]}}
    card = furnished.post(f"/api/cards/{UNREAD}/facts", json=told).json()
    assert (card["state"], card["gaps"]) == ("confirmed", [])
    kept = load_pack(tmp_path / "mine", KIT.pack_rules)[CardId(UNREAD)]
    assert {part.source for part in kept.fields} == {Source.CONFIRMED}
    assert [item.kind for item in kept.items("red") or ()] == ["yellow"]


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"fields": {"purple": [{"kind": "yellow"}]}}, "no-field"),
        ({"fields": {"red": [{"kind": "meat"}]}}, "wrong-facts"),
        ({"fields": {"red": [{"kind": "yellow"}] * 9}}, "wrong-facts"),
        ({"fields": {"red": [{"kind": "yellow", "number": 3}]}}, "wrong-facts"),
        ({"colour": "red"}, "invalid"),
    ],
)
def test_what_cannot_be_printed_is_refused_and_the_pack_stays(
    furnished: TestClient, tmp_path: Path, told: dict[str, object], code: str
) -> None:
    before = (tmp_path / "mine" / "pack.toml").read_bytes()
    answer = furnished.post(f"/api/cards/{UNREAD}/facts", json=told)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert (tmp_path / "mine" / "pack.toml").read_bytes() == before


def test_the_demos_cards_are_shown_and_never_written(tablet: TestClient) -> None:
    assert tablet.get("/api/cards").json()["mine"] is False
    assert tablet.post(f"/api/cards/{UNREAD}/facts", json={}).json()["code"] == "demo-pack"


# The set-up


def test_the_set_up_is_shown_item_by_item_with_an_example(tablet: TestClient) -> None:
    items = tablet.get("/api/scene").json()["setup"]
    example = {zone["zone"]: zone for zone in tablet.get("/api/setup").json()}
    assert len(items) > 8
    assert all(zone in example for item in items for zone in item["zones"])
    assert all(len(example[f"row-{space}"]["cards"]) == 1 for space in range(1, 8))
    assert len(example["ready"]["cards"]) == 10


def test_everything_furnished_is_described_in_the_api(furnished: TestClient) -> None:
    paths = furnished.get("/api/openapi.json").json()["paths"]
    assert {"/api/advice", "/api/replay/{move}", "/api/games", "/api/campaign", "/api/cards"} <= paths.keys()
    assert all("summary" in part for path in paths.values() for part in path.values())
