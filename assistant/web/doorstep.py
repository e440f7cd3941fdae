"""How many may stand at the door: sockets are counted for each address, and who says nothing is sent away.

Without this a stranger who opens sockets and stays silent would use up the files that this program may open,
and then neither the camera nor the record could be opened again.
"""

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_SOCKETS: Final = 256
MOST_SOCKETS_EACH: Final = 64
"""A browser holds six for a page; several tablets may share an address."""
SILENT_S: Final = 20.0
"""Until the head of a request has come whole."""


class Doorstep(H11Protocol):
    """uvicorn's own reader of requests, with bounds on those who wait to say something."""

    silent_s = SILENT_S
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        each = sum(_address(other) == _address(self) for other in self.connections)
        if len(self.connections) > MOST_SOCKETS or each > MOST_SOCKETS_EACH:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:  # a whole head has come
            self._stop_waiting()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._patience = self.loop.call_later(self.silent_s, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


def _address(connection: Any) -> str | None:
    """Of a request's connection or of a line, which uvicorn counts together."""
    return connection.client[0] if connection.client else None
