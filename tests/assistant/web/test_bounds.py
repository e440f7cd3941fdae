"""Nobody can make the server hold more than it has room for."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.bounds import MOST_BODY, MOST_LINES_EACH, Bounds, Lines
from assistant.web.door import Pairing

LIVE = "ws://localhost:8470/api/live"


def test_a_large_request_is_refused_by_its_header(tablet: TestClient) -> None:
    answer = tablet.post("/api/pair", content=b" " * (MOST_BODY + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_large_request_is_refused_where_it_does_not_tell_its_length(tablet: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(MOST_BODY // 1024 + 2):
            yield b"x" * 1024

    answer = tablet.post("/api/pair", content=endless())
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize("body", ["[" * 100_000, '{"code": NaN}', '{"code": 1e999}', '{"code": "\\ud800"}'])
def test_odd_json_gets_a_plain_answer(tablet: TestClient, body: str) -> None:
    answer = tablet.post("/api/pair", content=body, headers={"content-type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["sentence"]


def test_one_tablet_cannot_hold_all_lines(tablet: TestClient) -> None:
    with ExitStack() as held:
        for _ in range(MOST_LINES_EACH):
            held.enter_context(tablet.websocket_connect(LIVE)).receive_text()
        with pytest.raises(WebSocketDisconnect) as refused, tablet.websocket_connect(LIVE):
            pass
        assert refused.value.code == 4429
    with tablet.websocket_connect(LIVE) as again:
        again.receive_text()


def test_lines_are_counted_for_each_and_for_all() -> None:
    lines = Lines(most=3, each=2)
    with lines.held("a") as first, lines.held("a") as second, lines.held("a") as third:
        assert (first, second, third) == (True, True, False)
        with lines.held("b") as fourth, lines.held("c") as fifth:
            assert (fourth, fifth) == (True, False)
    with lines.held("a") as again:
        assert again


@pytest.mark.parametrize("length", ["²", "9" * 5000, "-1", "1e3", "0x10"])
def test_a_length_that_is_no_number_of_ours_is_refused(tablet: TestClient, length: str) -> None:
    answer = tablet.post("/api/pair", content=b"{}", headers={b"content-length": length.encode("latin-1")})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_request_that_never_ends_is_not_waited_for(robot: Robot, pairing: Pairing) -> None:
    said: list[Message] = []

    async def never() -> Message:
        await asyncio.sleep(60)
        raise AssertionError("it was waited for")

    async def said_so(message: Message) -> None:
        said.append(message)

    async def ask() -> None:
        scope = {
            "type": "http", "method": "POST", "path": "/api/pair", "query_string": b"",
            "headers": [(b"host", b"localhost")],
        }  # fmt: skip
        await Bounds(create_app(robot, pairing=pairing), slowest_s=0.05)(scope, never, said_so)

    asyncio.run(ask())
    assert said[0]["status"] == 408
    assert json.loads(said[1]["body"])["code"] == "too-slow"
