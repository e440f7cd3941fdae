"""How much a visitor may ask of us: the size of a request, and the lines held open at once."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.web.problem import problem_response

MOST_BODY: Final = 256 * 1024
"""Bytes. What a page says is small; pictures come over a line of their own."""
LONGEST_LENGTH: Final = 12
"""Digits: no request of ours is told with more."""
SLOWEST_S: Final = 30.0
"""Until a request has come whole: a slow network needs some, a hostile visitor would take for ever."""
MOST_LINES: Final = 48
MOST_LINES_EACH: Final = 8
"""A tablet with two windows open needs two; one that keeps reconnecting must not shut the others out."""


class Bounds:
    """ASGI middleware: a request that is too large is refused before it is read to its end."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        most: int = MOST_BODY,
        larger: Mapping[str, int] = MappingProxyType({}),
        slowest_s: float = SLOWEST_S,
    ) -> None:
        """`larger` are the addresses that take more, such as a photograph."""
        self._app = app
        self._most = most
        self._larger = larger
        self._slowest_s = slowest_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._larger.get(scope["path"], self._most)
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isdecimal() or len(told) > LONGEST_LENGTH or int(told) > most:
            await problem_response(413, "too-large", scope)(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._slowest_s):
                body = await self._body(receive, most)
        except TimeoutError:
            await problem_response(408, "too-slow", scope)(scope, receive, send)
            return
        if body is None:
            await problem_response(413, "too-large", scope)(scope, receive, send)
        else:
            await self._app(scope, _once(body, receive), send)

    async def _body(self, receive: Receive, most: int) -> bytes | None:
        """All of it; None where it is more than allowed, whatever its length header said."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > most:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _once(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read already, then whatever else comes."""
    given = False

    async def receive_body() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_body


class Lines:
    """Counts open lines; only ever touched by the event loop."""

    def __init__(self, most: int = MOST_LINES, each: int = MOST_LINES_EACH) -> None:
        self._most = most
        self._each = each
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def held(self, who: str) -> Iterator[bool]:
        """Whether there is room for one more line of this tablet; while inside, it counts."""
        room = self._open.total() < self._most and self._open[who] < self._each
        if room:
            self._open[who] += 1
        try:
            yield room
        finally:
            if room:
                self._open[who] -= 1
                self._open += Counter()  # drops those who hold none
