"""What the page asks for, what its buttons do, and how a request that cannot be met is answered."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from assistant.robot import Robot
from assistant.web.shown import LOG_LINES
from vision.table import ZoneId

LANGUAGES = ("en", "fr")


def zone_of(snapshot: dict[str, Any], name: str) -> dict[str, Any]:
    return next(zone for zone in snapshot["view"] if zone["zone"] == name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scene_names_every_zone_and_item_in_the_language_asked_for(
    tablet: TestClient, language: str
) -> None:
    scene = tablet.get(f"/api/scene?language={language}").json()
    assert scene["language"] == language
    assert all(zone["name"] and zone["name"] != zone["id"] for zone in scene["zones"])
    for kind, name in scene["items"].items():
        assert name
        assert f'id="symbol-{kind}"' in tablet.get("/static/symbols.svg").text + scene["pictures"], kind


def test_every_card_of_the_pack_can_be_drawn(tablet: TestClient) -> None:
    scene = tablet.get("/api/scene").json()
    faces = scene["drawing"]["faces"]
    for card in scene["cards"]:
        face = faces[card["kind"]]
        drawn = {line["field"] for line in face["lines"]} | {
            field for banner in face["banners"] for field, _, _ in banner["fields"]
        }
        printed = {name for name, items in card["fields"].items() if items}
        assert printed <= drawn, card["id"]


def test_every_zone_named_in_the_drawing_exists(tablet: TestClient) -> None:
    scene = tablet.get("/api/scene").json()
    zones = {zone["id"] for zone in scene["zones"]}
    drawing = scene["drawing"]
    for shape in ("wide", "tall"):
        assert set(drawing[shape]["zones"]) | set(drawing[shape]["hidden"]) <= zones
    assert {*drawing["hero"]["places"], *filter(None, drawing["hero"]["closed_by"])} <= zones
    assert drawing["supply"]["zone"] in zones


def test_the_words_of_both_languages_have_the_same_names(tablet: TestClient) -> None:
    english, french = (tablet.get(f"/api/words?language={language}").json() for language in LANGUAGES)
    assert english["words"].keys() == french["words"].keys()
    assert english["words"] != french["words"]


def test_the_browsers_language_decides_where_none_is_asked_for(tablet: TestClient) -> None:
    answer = tablet.get("/api/words", headers={"accept-language": "fr-CH,fr;q=0.9,en;q=0.8"})
    assert answer.json()["language"] == "fr"


def test_the_snapshot_says_its_messages_in_words(tablet: TestClient) -> None:
    snapshot = tablet.get("/api/snapshot?language=en").json()
    assert snapshot["phase"] == "Take Actions"
    (flood,) = [gauge for gauge in snapshot["gauges"] if gauge["name"] == "flood"]
    assert "Flood" in flood["sentence"]
    assert flood["values"]["cards_left"] == len(zone_of(snapshot, "ready")["cards"])


def test_a_snapshot_carries_the_newest_moves_and_the_log_all_of_them(
    tablet: TestClient, robot: Robot
) -> None:
    robot.skip(60)
    snapshot = tablet.get("/api/snapshot").json()
    log = tablet.get("/api/log").json()
    assert snapshot["moves"] == len(log) > LOG_LINES
    assert snapshot["log"] == log[-LOG_LINES:]


def test_a_corrected_card_is_believed(tablet: TestClient, robot: Robot) -> None:
    view = robot.snapshot().view
    lying = {card.card for zone in view.zones for card in zone.cards}
    other = next(card.id for card in robot.game.pack.of_kind(robot.game.layout.zone(ZoneId("row-1")).cards[0])
                 if card.id not in lying)  # fmt: skip
    told = {"cards": [{"card": other, "side": "up"}]}
    assert tablet.post("/api/zones/row-1/correction", json=told).status_code == 204
    snapshot = tablet.get("/api/snapshot").json()
    assert [card["card"] for card in zone_of(snapshot, "row-1")["cards"]] == [other]
    assert {"zone": "row-1", "certainty": "told"}.items() <= snapshot["zones"][0].items()


def test_corrected_pieces_are_believed(tablet: TestClient) -> None:
    assert tablet.post("/api/zones/supply/correction", json={"pieces": {"white": 2}}).status_code == 204
    assert zone_of(tablet.get("/api/snapshot").json(), "supply")["pieces"] == {"white": 2}


@pytest.mark.parametrize(
    ("zone", "told", "status", "code"),
    [
        ("nowhere", {"pieces": {}}, 404, "no-zone"),
        ("row-1", {"cards": [{"card": "no-such-card"}]}, 422, "wrong-card"),
        ("row-1", {"cards": [{"card": "canal-5-6-turtle-5"}]}, 422, "wrong-card"),
        ("row-1", {"cards": [{}, {}]}, 422, "too-many-cards"),
        ("supply", {"cards": [{}]}, 422, "too-many-cards"),
        ("row-1", {"pieces": {"white": 1}}, 422, "wrong-piece"),
        ("supply", {"pieces": {"white": -1}}, 422, "invalid"),
        ("supply", {"pieces": {"white": 100}}, 422, "invalid"),
        ("supply", {"pieces": {"white": "many"}}, 422, "invalid"),
        ("row-1", {"cards": [{"card": None, "side": "sideways"}]}, 422, "invalid"),
        ("row-1", {"carts": []}, 422, "invalid"),
        ("exhausted", {"cards": [{"card": "elder-black-black"}] * 2}, 422, "card-twice"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused_with_its_reason(
    tablet: TestClient, robot: Robot, zone: str, told: dict[str, Any], status: int, code: str
) -> None:
    before = robot.snapshot()
    answer = tablet.post(f"/api/zones/{zone}/correction?language=en", json=told)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["sentence"].endswith(".")
    assert robot.snapshot() is before


def test_a_finding_can_be_accepted(tablet: TestClient) -> None:
    tablet.post("/api/zones/supply/correction", json={"pieces": {"white": 40}})
    (finding,) = tablet.get("/api/snapshot").json()["findings"]
    assert finding["fate"] == "open"
    assert tablet.post(f"/api/findings/{finding['id']}/fate", json={"fate": "accepted"}).status_code == 204
    assert tablet.get("/api/snapshot").json()["findings"][0]["fate"] == "accepted"


def test_undo_takes_one_move_back(tablet: TestClient) -> None:
    moves = tablet.get("/api/snapshot").json()["moves"]
    assert tablet.post("/api/undo").status_code == 204
    assert tablet.get("/api/snapshot").json()["moves"] == moves - 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/api/findings/99/fate", {"fate": "accepted"}, 404, "no-finding"),
        ("POST", "/api/findings/99/fate", {"fate": "mended"}, 422, "invalid"),
        ("POST", "/api/findings/x/fate", {"fate": "accepted"}, 422, "invalid"),
        ("POST", "/api/questions/1/answer", {"answer": "yes"}, 404, "no-question"),
        ("POST", "/api/end-phase", None, 409, "refused"),
        ("GET", "/api/nothing", None, 404, "not-found"),
        ("GET", "/api/undo", None, 405, "wrong-method"),
        ("DELETE", "/", None, 405, "wrong-method"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_is_json_with_a_code_and_a_sentence(
    tablet: TestClient, method: str, path: str, body: Any, status: int, code: str, language: str
) -> None:
    answer = tablet.request(method, f"{path}?language={language}", json=body)
    assert answer.status_code == status
    assert answer.json().keys() == {"code", "sentence"}
    assert answer.json()["code"] == code
    assert len(answer.json()["sentence"]) > 10


def test_the_api_describes_itself(tablet: TestClient) -> None:
    described = tablet.get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        assert path.startswith("/api/")
        for method in methods.values():
            assert method["summary"], path
            assert "4XX" in method["responses"], path
    assert json.dumps(described).count("sentence") > 0
