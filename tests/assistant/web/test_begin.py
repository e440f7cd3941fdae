"""At a watched table the player says when another game begins, and that one is under way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from assistant.games.yu import KIT
from assistant.keep import RecordedTable
from assistant.kit import Dice
from assistant.record.store import Store, open_store
from assistant.record.values import End
from assistant.web.app import create_app
from assistant.web.door import Pairing
from tests.assistant.observations import Eye
from tests.assistant.table import SCRIPT, Table, yu
from vision.table import ZoneId


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as opened:
        yield opened


@pytest.fixture
def watched(store: Store) -> Iterator[RecordedTable]:
    table = RecordedTable(store, KIT, yu(), "kitchen", {})
    yield table
    table.close()


@pytest.fixture
def page(watched: RecordedTable, pairing: Pairing) -> Iterator[TestClient]:
    app = create_app(watched.shared, pairing=pairing, table=watched)
    with TestClient(app, base_url="http://localhost:8470") as client:
        client.post("/api/pair", json={"code": pairing.code})
        yield client


def played(moves: int) -> Any:
    script = Table()
    script.do(*SCRIPT[:moves])
    return script.state


def look(table: RecordedTable, state: Any, at: float) -> None:
    """As a real eye does: nobody sees how many cards lie in a pile."""
    eye = Eye(layout=yu().layout, pack=yu().pack, heights=False)
    table.shared.observe(eye.look(yu().view(state), int(at), at))


def test_a_game_that_is_under_way_is_taken_as_it_lies_and_only_the_unseen_is_asked(
    page: TestClient, watched: RecordedTable
) -> None:
    state = played(25)
    look(watched, state, 1.0)
    assert page.post("/api/game/under-way", json={"round": 4}).status_code == 204
    shown = page.get("/api/snapshot").json()
    assert shown["round"] == 4
    assert shown["question"]["text"] == "How many cards are in Ready?"
    ready = len(yu().view(state)[ZoneId("ready")].cards)
    answer = {"answer": f"height {ready}"}
    assert page.post(f"/api/questions/{shown['question']['id']}/answer", json=answer).status_code == 204
    now = yu().decode(watched.shared.snapshot().state)
    assert yu().view(now)[ZoneId("ready")].cards == yu().view(state)[ZoneId("ready")].cards
    assert (now.row, now.canal, now.supply, now.hand) == (state.row, state.canal, state.supply, state.hand)


def test_a_game_met_in_the_middle_goes_on_move_by_move(page: TestClient, watched: RecordedTable) -> None:
    state = played(25)
    look(watched, state, 1.0)
    page.post("/api/game/under-way", json={"round": 4})
    question = page.get("/api/snapshot").json()["question"]["id"]
    ready = len(yu().view(state)[ZoneId("ready")].cards)
    page.post(f"/api/questions/{question}/answer", json={"answer": f"height {ready}"})
    moves, dice = [], Dice("on")
    for second in range(2, 7):
        action = yu().policies["greedy"](state, dice)
        moves.append(yu().format(action))
        state = yu().apply(state, action)
        look(watched, state, float(second))
    assert [line["notation"] for line in page.get("/api/log").json()][-5:] == moves
    assert [f for f in page.get("/api/snapshot").json()["findings"] if f["severity"] == "violation"] == []


def test_a_table_that_nobody_saw_cannot_be_taken_as_it_lies(page: TestClient) -> None:
    refused = page.post("/api/game/under-way", json={"round": 2}, params={"language": "fr"})
    assert refused.status_code == 409
    assert "La caméra n’a pas encore vu la table" in refused.json()["sentence"]


@pytest.mark.parametrize("round_number", [0, 100, "two"])
def test_a_round_that_cannot_be_is_refused(page: TestClient, round_number: object) -> None:
    assert page.post("/api/game/under-way", json={"round": round_number}).status_code == 422


def test_another_game_begins_and_the_old_one_stays_as_it_was(
    page: TestClient, watched: RecordedTable, store: Store
) -> None:
    look(watched, played(13), 1.0)
    number = page.get("/api/snapshot").json()["number"]
    assert page.post("/api/game/another").status_code == 204
    shown = page.get("/api/snapshot").json()
    assert shown["number"] > number
    assert (shown["round"], shown["log"]) == (0, [])
    assert watched.flush()
    old, new = sorted(store.games(), key=lambda game: game.id)
    assert old.ending is not None
    assert old.ending.end is End.ABANDONED
    assert new.ending is None


def test_only_a_watched_table_offers_it(page: TestClient, tablet: TestClient) -> None:
    assert "begin" in page.get("/api/scene").json()["offers"]
    assert "begin" not in tablet.get("/api/scene").json()["offers"]
    assert tablet.post("/api/game/another").status_code == 404
