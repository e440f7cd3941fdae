"""Tablets are let in by a token of their own that is kept only as a hash, and can be sent away."""

import json
import logging
import stat
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from typer.testing import CliRunner

from assistant.cli import app as command
from assistant.robot import Robot
from assistant.web.door import Pairing
from assistant.web.tablets import MOST, Tablets, kept_tablets


def test_a_token_is_known_after_a_new_start(tmp_path: Path) -> None:
    token = kept_tablets(tmp_path).add()
    again = kept_tablets(tmp_path)
    assert again.named(token) is not None
    assert again.named(token[:-1]) is None
    assert again.named(None) is None


def test_the_file_holds_no_token_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    token = kept_tablets(tmp_path).add()
    path = tmp_path / "tablets.json"
    assert token not in path.read_text(encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_another_process_forgets_is_forgotten_here_at_once(tmp_path: Path) -> None:
    server, terminal = kept_tablets(tmp_path), kept_tablets(tmp_path)
    kept, gone = server.add(), server.add()
    tablet = terminal.named(gone)
    assert tablet is not None
    assert terminal.forget(tablet.id)
    assert server.named(gone) is None
    assert server.named(kept) is not None
    assert not terminal.forget(tablet.id)


def test_the_oldest_makes_room() -> None:
    tablets = Tablets()
    tokens = [tablets.add() for _ in range(MOST + 1)]
    assert len(tablets.all()) == MOST
    assert tablets.named(tokens[0]) is None
    assert tablets.named(tokens[-1]) is not None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"format": 2, "tablets": []}', '{"format": 1, "tablets": [3]}', "[" * 50_000],
)
def test_a_damaged_file_lets_nobody_in_and_is_said(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "tablets.json").write_text(text, encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        tablets = kept_tablets(tmp_path)
    assert tablets.all() == ()
    assert "must pair again" in caplog.text
    assert kept_tablets(tmp_path).named(tablets.add()) is not None


def test_where_nothing_can_be_written_tablets_are_known_until_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "state").write_text("a file where the folder should be", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        tablets = kept_tablets(tmp_path / "state")
        token = tablets.add()
    assert tablets.named(token) is not None
    assert "after the next start" in caplog.text


def test_a_tablet_can_be_sent_away_from_another_one(stranger: TestClient, pairing: Pairing) -> None:
    stranger.post("/api/pair", json={"code": pairing.code})
    (own,) = stranger.get("/api/tablets").json()
    assert own["this"] is True
    assert stranger.delete("/api/tablets/nobody").json()["code"] == "no-tablet"
    assert stranger.delete(f"/api/tablets/{own['id']}").status_code == 204
    assert stranger.get("/api/snapshot").status_code == 401


def test_a_live_line_ends_when_its_tablet_is_sent_away(
    tablet: TestClient, pairing: Pairing, robot: Robot
) -> None:
    with tablet.websocket_connect("ws://localhost:8470/api/live") as socket:
        socket.receive_text()
        (known,) = pairing.tablets.all()
        pairing.tablets.forget(known.id)
        robot.skip(1)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_text()
    assert ended.value.code == 4401


def test_the_command_lists_and_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    runner = CliRunner()
    assert "No tablet" in runner.invoke(command, ["--language", "en", "tablets"]).output
    token = kept_tablets().add()
    (known,) = kept_tablets().all()
    assert known.id in runner.invoke(command, ["tablets"]).output
    assert runner.invoke(command, ["tablets", "--forget", known.id]).exit_code == 0
    assert kept_tablets().named(token) is None
    assert json.loads((tmp_path / "floodwatch" / "tablets.json").read_text("utf-8"))["tablets"] == []
    assert runner.invoke(command, ["tablets", "--forget", "nobody"]).exit_code != 0
