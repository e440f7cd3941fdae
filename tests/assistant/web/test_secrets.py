"""Codes and tokens are told to nobody: not to the log, not to the record, not to an error's answer."""

import logging
from pathlib import Path

import httpx
import pytest

from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import COOKIE, Pairing
from assistant.web.serve import serving
from assistant.web.tablets import Tablets
from tests.assistant.web.furniture import recorded_store


def test_no_code_and_no_token_is_written_down(
    robot: Robot, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    pairing = Pairing(b"a secret for the tests only", Tablets(tmp_path / "tablets.json"))
    answers = []
    with recorded_store(tmp_path / "games", 1, moves=5) as store:
        app = create_app(robot, pairing=pairing, records=store)

        @app.get("/api/breaks")
        def breaks() -> None:
            raise ArithmeticError("as a bug would")

        with serving(app, 18760) as served, httpx.Client(base_url=served.addresses[0]) as tablet:
            tablet.post("/api/pair", json={"code": "WRONGCODE1"})
            tablet.post("/api/pair", json={"code": pairing.code})
            token = tablet.cookies[COOKIE]
            for path in (
                "/api/breaks",
                "/api/nowhere",
                "/api/games",
                "/api/tablets",
                "/api/games/1/export/json",
            ):
                answers.append(tablet.get(path).text)
            answers.append(tablet.post("/api/campaign").text)
            answers.append(tablet.post(f"/api/undo?{token}", headers={"origin": "http://evil.example"}).text)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    ours = [record for record in caplog.records if not record.name.startswith("http")]  # not the client's
    said = "".join(record.getMessage() for record in ours) + "".join(capfd.readouterr())
    assert "ArithmeticError" in said, "the terminal does tell what broke"
    for secret in (pairing.code, token):
        assert secret not in said
        assert secret.encode() not in kept
        assert all(secret not in answer for answer in answers)
