"""A phone as the camera: its page sends pictures over one WebSocket, and they become a source of frames."""

import asyncio
from typing import Protocol

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect


class TakesPictures(Protocol):
    """`vision.pushed.PushedSource`, as far as the server needs it."""

    def take_turn(self) -> int: ...

    def offer(self, jpeg: bytes, turn: int | None = None) -> bool: ...


def phone_routes(phone: TakesPictures) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["phone"])

    @router.websocket("/camera/push")
    async def push(socket: WebSocket) -> None:
        """Each picture is answered with `ok` or `bad`, so that the phone sends no more than we take."""
        await socket.accept()
        turn = phone.take_turn()
        try:
            while True:
                jpeg = await socket.receive_bytes()
                taken = await asyncio.to_thread(phone.offer, jpeg, turn)
                await socket.send_text("ok" if taken else "bad")
        except (WebSocketDisconnect, KeyError):  # gone, or it sent text
            return

    return router
