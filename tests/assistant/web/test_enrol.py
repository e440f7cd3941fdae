"""Cards taken in on the page: a photograph is read, the player confirms, and the pack is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from assistant.enrolling import CardsShown
from assistant.games.yu import KIT
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.enrol import MOST_PICTURE
from tests.assistant.web.furniture import own_pack, photograph
from tests.assistant.web.sights import VirtualCamera
from vision.cards import CardId, Source
from vision.pack import load_pack

UNREAD = "weaver-wood-yellow"
SHOWN = "/api/cards/shown"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own_pack(tmp_path / "mine", unread=UNREAD)
    return tmp_path / "mine"


@pytest.fixture
def enrolling(robot: Robot, pairing: Pairing, folder: Path) -> Iterator[TestClient]:
    app = create_app(
        robot, pairing=pairing, own_pack=folder, enrolment=CardsShown(KIT, folder), camera=VirtualCamera()
    )
    with TestClient(app, base_url="http://localhost:8470") as client:
        assert client.post("/api/pair", json={"code": pairing.code}).status_code == 204
        yield client


def test_a_photographed_card_is_read_matched_confirmed_and_kept_with_its_picture(
    enrolling: TestClient, folder: Path
) -> None:
    assert "enrol" in enrolling.get("/api/scene").json()["offers"]
    draft = enrolling.post(SHOWN, content=photograph(UNREAD)).json()
    assert draft["guesses"][0]["card"] == UNREAD
    assert draft["unsure"] == []
    read = {field["name"]: field["items"] for field in draft["card"]["fields"]}
    assert read["red"] == [["yellow", 1, None]], "which the pack did not know"
    assert enrolling.get(f"{SHOWN}/{draft['number']}/picture").content.startswith(b"\xff\xd8")
    fields = {name: [{"kind": kind, "count": n} for kind, n, _ in items] for name, items in read.items()}
    told = {"card": UNREAD, "kind": "townsfolk", "fields": fields, "stone": 0}
    taken = enrolling.post(f"{SHOWN}/{draft['number']}/taken", json=told)
    assert (taken.status_code, taken.json()["state"], taken.json()["enrolled"]) == (200, "confirmed", True)
    kept = load_pack(folder, KIT.pack_rules)[CardId(UNREAD)]
    assert all(field.source is Source.CONFIRMED for field in kept.fields)
    assert (folder / str(kept.image)).exists()
    again = enrolling.post(f"{SHOWN}/{draft['number']}/taken", json=told)
    assert (again.status_code, again.json()["code"]) == (404, "no-draft"), "it is taken in once"


def test_a_new_card_gets_a_name_of_its_own_and_nothing_that_cannot_be_printed(
    enrolling: TestClient, folder: Path
) -> None:
    before = len(load_pack(folder, KIT.pack_rules).cards)
    draft = enrolling.post(SHOWN, content=photograph("elder-black-black")).json()
    path = f"{SHOWN}/{draft['number']}/taken"
    wrong = {"card": "my-elder", "kind": "townsfolk", "fields": {"red": [{"kind": "turtle"}]}}
    assert enrolling.post(path, json=wrong).json()["code"] == "wrong-facts"
    assert enrolling.post(path, json=wrong | {"card": "../elder"}).json()["code"] == "invalid"
    assert enrolling.post(path, json=wrong | {"kind": "dragon"}).json()["code"] == "wrong-facts"
    assert len(load_pack(folder, KIT.pack_rules).cards) == before
    fields = {
        field["name"]: [{"kind": kind, "count": n} for kind, n, _ in field["items"]]
        for field in draft["card"]["fields"]
    }
    told = {"card": "my-elder", "kind": "townsfolk", "fields": fields, "stone": 4}
    assert enrolling.post(path, json=told).status_code == 200
    kept = load_pack(folder, KIT.pack_rules)
    assert (len(kept.cards), kept[CardId("my-elder")].stone) == (before + 1, 4)


def test_the_card_that_lies_in_a_place_is_read_off_the_table(enrolling: TestClient) -> None:
    draft = enrolling.post(f"{SHOWN}/zones/row-3").json()
    assert draft["card"]["kind"] == "townsfolk"
    assert draft["guesses"][0]["p"] > 0.9
    for path in (f"{SHOWN}/zones/nowhere", f"{SHOWN}/zones/supply"):
        assert enrolling.post(path).json()["code"] == "no-zone"


def test_what_is_no_card_is_refused_and_says_what_would_help(enrolling: TestClient) -> None:
    empty = enrolling.post(SHOWN, content=photograph(None), params={"language": "fr"})
    assert (empty.status_code, empty.json()["sentence"]) == (
        409,
        "Aucune carte visible : posez-la sur un fond uni.",
    )
    for damaged in (b"", b"no picture at all", b"\xff\xd8\xff" + b"\0" * 100):
        assert enrolling.post(SHOWN, content=damaged).status_code == 409
    large = enrolling.post(SHOWN, content=b" " * (MOST_PICTURE + 1))
    assert (large.status_code, large.json()["code"]) == (413, "too-large")


def test_the_demo_offers_no_enrolment(tablet: TestClient) -> None:
    assert "enrol" not in tablet.get("/api/scene").json()["offers"]
    assert tablet.post(SHOWN, content=photograph(None)).status_code in (404, 405, 413)
