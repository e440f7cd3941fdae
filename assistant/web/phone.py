"""A phone as the camera: its page sends pictures over one WebSocket, and they become a source of frames."""

import asyncio
import contextlib
from typing import Protocol

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from assistant.web.gate import Gate
from assistant.web.live import SENT_AWAY, SLOWEST_SECONDS


class TakesPictures(Protocol):
    """`vision.pushed.PushedSource`, as far as the server needs it."""

    def take_turn(self) -> int: ...

    def offer(self, jpeg: bytes, turn: int | None = None) -> bool: ...


def phone_routes(phone: TakesPictures, gate: Gate) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["phone"])

    @router.websocket("/camera/push")
    async def push(socket: WebSocket) -> None:
        """Each picture is answered with `ok` or `bad`, so that the phone sends no more than we take."""
        async with gate.line(socket) as welcome:
            if welcome is None:
                return
            turn = phone.take_turn()
            # Gone, or it sent text, or it does not listen any more.
            with contextlib.suppress(WebSocketDisconnect, KeyError, TimeoutError):
                while welcome():
                    jpeg = await socket.receive_bytes()
                    taken = await asyncio.to_thread(phone.offer, jpeg, turn)
                    await asyncio.wait_for(socket.send_text("ok" if taken else "bad"), SLOWEST_SECONDS)
                await socket.close(SENT_AWAY)

    return router
