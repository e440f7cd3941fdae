"""Brings every new snapshot to all tablets: the newest wins, and a slow tablet costs nothing."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.snapshot import Snapshot
from assistant.web.naming import Wordings
from assistant.web.shown import show
from assistant.web.source import SnapshotSource

WAIT_SECONDS: Final = 0.5
"""How soon the watching thread notices that it should end."""

BEAT_SECONDS: Final = 5.0
"""A page that hears nothing for longer than twice this knows that it is stale."""

SLOWEST_SECONDS: Final = 30.0
"""A tablet that has not taken a snapshot after this long is gone, whatever its network says."""

SENT_AWAY: Final = 4401


class Newest:
    """One slot: the newest snapshot, as JSON in every language that somebody reads."""

    def __init__(self, source: SnapshotSource, wordings: Wordings) -> None:
        self._source = source
        self._wordings = wordings
        self._snapshot = source.snapshot()
        self._texts: dict[str, str] = {}
        self._changed = asyncio.Condition()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @contextlib.asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """While inside, a thread waits for the source and hands its news to the event loop."""
        loop = asyncio.get_running_loop()
        ended = threading.Event()
        thread = threading.Thread(target=self._watch, args=(loop, ended), name="newest", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            await asyncio.to_thread(thread.join)

    def text(self, language: str) -> str:
        """Rendered once for all tablets of one language."""
        if language not in self._texts:
            self._texts[language] = show(self._snapshot, self._wordings[language]).model_dump_json()
        return self._texts[language]

    async def wait_newer(self, number: int) -> Snapshot:
        async with self._changed:
            await self._changed.wait_for(lambda: self._snapshot.number != number)
            return self._snapshot

    def _watch(self, loop: asyncio.AbstractEventLoop, ended: threading.Event) -> None:
        number = self._snapshot.number
        while not ended.is_set():
            newer = self._source.wait_newer(number, WAIT_SECONDS)
            if newer is not None and not ended.is_set():
                number = newer.number
                # Waiting for the loop here is what keeps a fast game from filling it with old news.
                asyncio.run_coroutine_threadsafe(self._put(newer), loop).result()

    async def _put(self, snapshot: Snapshot) -> None:
        async with self._changed:
            self._snapshot = snapshot
            self._texts.clear()
            self._changed.notify_all()


async def stream(
    socket: WebSocket, newest: Newest, language: str, welcome: Callable[[], bool] = lambda: True
) -> None:
    """Sends whole snapshots on an accepted line until the tablet leaves or is sent away.

    What came and went while it was busy is left out.
    """
    await until_gone(_listen(socket), _send(socket, newest, language, welcome))


async def until_gone(*work: Coroutine[Any, Any, None]) -> None:
    """Listens and sends at the same time, until the tablet hangs up."""
    tasks = [asyncio.create_task(part) for part in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        problem = None if task.cancelled() else task.exception()
        if problem is not None and not isinstance(problem, WebSocketDisconnect | TimeoutError):
            raise problem


async def _send(socket: WebSocket, newest: Newest, language: str, welcome: Callable[[], bool]) -> None:
    while welcome():
        number = newest.snapshot.number
        await asyncio.wait_for(socket.send_text(newest.text(language)), SLOWEST_SECONDS)
        while newest.snapshot.number == number and welcome():
            try:
                await asyncio.wait_for(newest.wait_newer(number), BEAT_SECONDS)
            except TimeoutError:
                await asyncio.wait_for(socket.send_text('{"beat":true}'), SLOWEST_SECONDS)
    await socket.close(SENT_AWAY)


async def _listen(socket: WebSocket) -> None:
    """A tablet says nothing on this line; we only want to hear when it hangs up."""
    while True:
        await socket.receive_text()
