"""Lines that tablets hold open: each is counted, and ends when its tablet is sent away."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from starlette.websockets import WebSocket

from assistant.web.bounds import Lines
from assistant.web.door import COOKIE, Pairing

TOO_MANY: Final = 4429
"""A line is closed with this where too many are open already."""

Welcome = Callable[[], bool]
"""Whether the tablet of a line is still paired."""


class Gate:
    """Every WebSocket goes through here; all kinds of lines count together."""

    def __init__(self, pairing: Pairing) -> None:
        self._pairing = pairing
        self._lines = Lines()

    @contextlib.asynccontextmanager
    async def line(self, socket: WebSocket) -> AsyncIterator[Welcome | None]:
        """An accepted line, and how to ask whether its tablet is still welcome; None where it was refused."""
        cookie = socket.cookies.get(COOKIE)
        tablet = self._pairing.tablets.named(cookie)
        with self._lines.held(tablet.id if tablet else "") as room:
            if room:
                await socket.accept()
                yield lambda: self._pairing.knows(cookie)
            else:
                await socket.close(TOO_MANY)
                yield None
