"""Strangers who open sockets and say nothing cannot use up the files that the program may open."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing

import httpx
import pytest
from fastapi import FastAPI

from assistant.web.doorstep import MOST_SOCKETS_EACH, Doorstep
from assistant.web.serve import serving

SILENT_S = 1.0


@pytest.fixture
def port(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(Doorstep, "silent_s", SILENT_S)
    with serving(app, 18750) as served:
        yield served.port


def _knocked(port: int, held: ExitStack) -> socket.socket:
    return held.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=10)))


def _is_closed(visitor: socket.socket) -> bool:
    try:
        return visitor.recv(1) == b""
    except ConnectionError:
        return True


def test_one_address_holds_only_so_many_sockets(port: int) -> None:
    with ExitStack() as held:
        visitors = [_knocked(port, held) for _ in range(MOST_SOCKETS_EACH + 20)]
        for visitor in visitors[MOST_SOCKETS_EACH:]:
            assert _is_closed(visitor)
        for visitor in visitors[:5]:
            visitor.setblocking(False)
            with pytest.raises(BlockingIOError):
                visitor.recv(1)


def test_who_says_nothing_is_sent_away_and_makes_room(port: int) -> None:
    with ExitStack() as held:
        for _ in range(MOST_SOCKETS_EACH):
            _knocked(port, held)
        time.sleep(2 * SILENT_S)
        assert httpx.get(f"http://localhost:{port}/").status_code == 200


@pytest.mark.parametrize("before", [b"", b"GET /api/words HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_head_that_never_ends_is_not_waited_for(port: int, before: bytes) -> None:
    with ExitStack() as held:
        visitor = _knocked(port, held)
        visitor.sendall(before)
        if before:
            assert visitor.recv(15).startswith(b"HTTP/1.1 200")
            time.sleep(0.1)
        begun = time.monotonic()
        visitor.sendall(b"GET / HTTP/1.1\r\n")
        while not _is_closed(visitor):
            assert time.monotonic() - begun < 10 * SILENT_S
