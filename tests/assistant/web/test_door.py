"""Only paired tablets come in, only under our own names, and every answer carries the safety headers."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant.web.door import COOKIE, TRIES, TRIES_SECONDS, Pairing
from assistant.web.tablets import kept_tablets


@pytest.mark.parametrize("path", ["/api/scene", "/api/snapshot", "/api/log", "/api/openapi.json", "/nowhere"])
def test_a_stranger_gets_nothing_of_the_game(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert answer.json()["code"] == "not-paired"


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/manifest.webmanifest", "/worker.js", "/api/words"])
def test_a_stranger_can_open_the_page_that_asks_for_the_code(stranger: TestClient, path: str) -> None:
    assert stranger.get(path).status_code == 200


def test_a_stranger_hears_nothing_on_the_live_line(stranger: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        stranger.websocket_connect("ws://localhost:8470/api/live"),
    ):
        pass
    assert refused.value.code == 4401


def test_the_code_may_be_typed_as_people_type(stranger: TestClient, pairing: Pairing) -> None:
    typed = f" {pairing.code[:5].lower()}-{pairing.code[5:].lower()} "
    assert stranger.post("/api/pair", json={"code": typed}).status_code == 204
    assert stranger.get("/api/snapshot").status_code == 200


def test_a_wrong_code_is_refused_and_too_many_have_to_wait(stranger: TestClient, pairing: Pairing) -> None:
    for _ in range(TRIES):
        answer = stranger.post("/api/pair", json={"code": "WRONG"})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong-code")
    answer = stranger.post("/api/pair", json={"code": pairing.code})
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many-tries")


def test_after_the_wait_the_right_code_is_welcome_again() -> None:
    now = 0.0
    pairing = Pairing(b"sixteen bytes or more", clock=lambda: now)
    for _ in range(TRIES):
        assert pairing.admit("WRONG", "a") is None
    assert pairing.seconds_to_wait("a") > 0
    assert pairing.seconds_to_wait("another address") == 0
    now = TRIES_SECONDS + 1
    assert pairing.seconds_to_wait("a") == 0
    assert pairing.knows(pairing.admit(pairing.code, "a"))


def test_a_tablet_stays_paired_and_the_code_the_same_when_the_program_starts_again(tmp_path: Path) -> None:
    first = Pairing(b"the same secret as ever", kept_tablets(tmp_path))
    cookie = first.admit(first.code, "a")
    again = Pairing(b"the same secret as ever", kept_tablets(tmp_path))
    assert again.knows(cookie)
    assert again.code == first.code != Pairing(b"another secret, another").code


@pytest.mark.parametrize("cookie", ["", ".", "abc", "abc.def", "é.é"])
def test_a_forged_cookie_is_not_known(pairing: Pairing, cookie: str) -> None:
    assert not pairing.knows(cookie)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(
    stranger: TestClient, pairing: Pairing
) -> None:
    header = stranger.post("/api/pair", json={"code": pairing.code}).headers["set-cookie"].lower()
    assert header.startswith(COOKIE)
    assert "httponly" in header
    assert "samesite=strict" in header


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.2:8470"])
def test_a_foreign_host_name_is_refused_even_with_the_cookie(tablet: TestClient, host: str) -> None:
    answer = tablet.get("/api/snapshot", headers={"host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign-host")


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:1", "null", "http://[::1"])
def test_another_pages_requests_are_refused(tablet: TestClient, origin: str) -> None:
    answer = tablet.post("/api/undo", headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "foreign-origin")
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        tablet.websocket_connect("ws://localhost:8470/api/live", headers={"origin": origin}),
    ):
        pass
    assert refused.value.code == 4403


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/snapshot", "/nowhere"])
def test_every_answer_carries_the_safety_headers(tablet: TestClient, path: str) -> None:
    headers = tablet.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "//etc/passwd"]
)
def test_no_file_outside_the_page_is_served(tablet: TestClient, path: str) -> None:
    assert tablet.get(path).status_code == 404
