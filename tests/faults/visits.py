"""Tablets that come and go all evening: they pair, look around, open lines, and leave politely or not."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import httpx
from websockets.exceptions import ConnectionClosed

from assistant.record.store import Store
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import hosts_of, serving
from tests.faults.load import Tablet
from tests.faults.program import Evening

PORT: Final = 18_950
"""Or the next free one."""
LOOKED_AT: Final = (
    "/", "/static/app.js", "/api/scene", "/api/snapshot", "/api/log", "/api/games", "/api/replay",
    "/api/camera/picture", "/api/openapi.json",
)  # fmt: skip


@dataclass(slots=True)
class Visits:
    """To the page of a game that is being watched."""

    address: str
    code: str
    number: int = 0

    def one(self) -> None:
        """A new tablet: two of its lines are left, one politely, and the last is closed behind it."""
        with httpx.Client(base_url=self.address, timeout=60) as client:
            assert client.post("/api/pair", json={"code": self.code}).status_code == 204
            for path in LOOKED_AT:
                assert client.get(path).status_code in (200, 404), path
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            lines = [Tablet(self.address, cookie).line() for _ in range(3)]
            for line in lines:
                line.recv(timeout=60)
            lines[0].close()
            lines[1].socket.close()
            own = next(tablet["id"] for tablet in client.get("/api/tablets").json() if tablet["this"])
            assert client.delete(f"/api/tablets/{own}").status_code == 204
            with contextlib.suppress(ConnectionClosed):
                while True:
                    lines[2].recv(timeout=60)
        for line in lines:
            line.close()
        self.number += 1


@contextlib.contextmanager
def visited(playing: Evening, store: Store) -> Iterator[Visits]:
    shared, pairing = playing.recorded.shared, Pairing(os.urandom(16))
    app = create_app(shared, pairing=pairing, hosts=hosts_of(lan=False), camera=shared.camera, records=store)
    with serving(app, PORT) as served:
        yield Visits(served.addresses[0].rstrip("/"), pairing.code)
