"""Whatever goes wrong, the answer is JSON with a stable code and a sentence, on each of our servers."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from assistant.web.door import SECURITY_HEADERS, Pairing
from assistant.wording import Wording

BASE = "http://localhost:8470"


@pytest.fixture
def breaking(app: FastAPI, pairing: Pairing) -> Iterator[TestClient]:
    @app.get("/api/breaks")
    def breaks() -> None:
        raise ArithmeticError("as a bug would")

    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        assert client.post("/api/pair", json={"code": pairing.code}).status_code == 204
        yield client


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_mistake_of_ours_is_told_like_any_other_no(breaking: TestClient, language: str) -> None:
    answer = breaking.get("/api/breaks", params={"language": language})
    assert answer.status_code == 500
    assert answer.json().keys() == {"code", "sentence"}
    assert answer.json()["code"] == "broken"
    assert "bug" not in answer.text
    assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("PUT", "/api/undo", 405, "wrong-method"),
        ("TRACE", "/api/undo", 405, "wrong-method"),
        ("POST", "/static/app.js", 405, "wrong-method"),
        ("POST", "/api/findings/NaN/fate", 422, "invalid"),
        ("GET", "/api/replay/99999999999999999999999999", 422, "invalid"),
    ],
)
def test_odd_requests_have_their_codes(
    tablet: TestClient, method: str, path: str, status: int, code: str
) -> None:
    answer = tablet.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert f"web.problem.{code}" in Wording("en").keys
