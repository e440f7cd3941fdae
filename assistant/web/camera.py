"""The camera on the page: its newest picture with what was made of it, and crops of single zones."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response, WebSocket
from pydantic import BaseModel, Field

from assistant.kit import Message
from assistant.sight import CameraPicture, CameraView, Outline
from assistant.web.gate import Gate, Welcome
from assistant.web.live import SENT_AWAY, SLOWEST_SECONDS, until_gone
from assistant.web.naming import Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.source import SnapshotSource
from assistant.wording import Wording
from vision.table import ZoneId

LOOK_SECONDS: Final = 0.04
"""How often a waiting tablet's camera is asked for something new."""

JPEG: Final = "image/jpeg"


class ShownSight(BaseModel):
    zone: str
    outline: Outline = Field(description="Corners, as fractions of the picture's width and height.")
    state: str = Field(examples=["calm", "moving", "hidden", "unreadable"])
    why: str | None = Field(description="Why it cannot be read, as one sentence.")


class ShownPicture(BaseModel):
    """What was made of one picture; the picture itself is `/api/camera/picture`."""

    number: int
    at: float
    width: int
    height: int
    frames_per_second: float
    zones: tuple[ShownSight, ...]
    cards: tuple[Outline, ...]
    hands: tuple[Outline, ...]
    sharpness: float = Field(description="0 (bad) to 1.")
    brightness: float = Field(description="0 (bad) to 1.")
    advice: tuple[str, ...]


def camera_routes(camera: CameraView, source: SnapshotSource, wordings: Wordings, gate: Gate) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["camera"])

    def wording(request: Request) -> Wording:
        return wordings[language_of(request)]

    @router.get("/camera", summary="What was made of the camera's newest picture; null before the first one")
    def seen(speech: Annotated[Wording, Depends(wording)]) -> ShownPicture | None:
        picture = camera.picture()
        return None if picture is None else show_picture(picture, source, speech)

    @router.get(
        "/camera/picture",
        summary="The camera's newest picture",
        response_class=Response,
        responses={200: {"content": {JPEG: {}}}},
    )
    def picture() -> Response:
        newest = camera.picture()
        if newest is None:
            raise WebProblemError(404, "no-picture")
        return _jpeg(newest.jpeg)

    @router.get(
        "/zones/{zone}/crop",
        summary="What the camera sees of a zone; 204 where it is not in view",
        response_class=Response,
        responses={200: {"content": {JPEG: {}}}, 204: {"description": "Not in view."}},
    )
    def crop(zone: Annotated[str, Path(max_length=60)]) -> Response:
        if all(known.id != zone for known in source.game.layout.zones):
            raise WebProblemError(404, "no-zone", zone=zone)
        seen = camera.crop(ZoneId(zone))
        return Response(status_code=204) if seen is None else _jpeg(seen)

    @router.websocket("/camera/live")
    async def live(socket: WebSocket) -> None:
        asked = asyncio.Event()
        show = partial(show_picture, source=source, wording=wordings[language_of(socket)])
        async with gate.line(socket) as welcome:
            if welcome:
                sending = _send_pictures(socket, asked, camera, show, welcome)
                await until_gone(_listen(socket, asked), sending)

    return router


async def _listen(socket: WebSocket, asked: asyncio.Event) -> None:
    while True:
        await socket.receive_text()
        asked.set()


async def _send_pictures(
    socket: WebSocket,
    asked: asyncio.Event,
    camera: CameraView,
    show: Callable[[CameraPicture], ShownPicture],
    welcome: Welcome,
) -> None:
    """One picture for each `next` that the tablet says, so that a slow tablet gets fewer and newer ones."""
    number = -1
    while welcome():
        await asked.wait()
        asked.clear()
        picture = await asyncio.to_thread(camera.picture)
        while (picture is None or picture.number == number) and welcome():
            await asyncio.sleep(LOOK_SECONDS)
            picture = await asyncio.to_thread(camera.picture)
        if picture is None or picture.number == number:
            break
        number = picture.number
        await asyncio.wait_for(socket.send_text(show(picture).model_dump_json()), SLOWEST_SECONDS)
        await asyncio.wait_for(socket.send_bytes(picture.jpeg), SLOWEST_SECONDS)
    await socket.close(SENT_AWAY)


def show_picture(picture: CameraPicture, source: SnapshotSource, wording: Wording) -> ShownPicture:
    return ShownPicture(
        number=picture.number,
        at=picture.at,
        width=picture.width,
        height=picture.height,
        frames_per_second=source.snapshot().camera.frames_per_second,
        zones=tuple(
            ShownSight(
                zone=sight.zone,
                outline=_rounded(sight.outline),
                state=sight.state.value,
                why=_said(sight.why, wording),
            )
            for sight in picture.zones
        ),
        cards=tuple(_rounded(outline) for outline in picture.cards),
        hands=tuple(_rounded(outline) for outline in picture.hands),
        sharpness=round(picture.sharpness, 3),
        brightness=round(picture.brightness, 3),
        advice=tuple(wording.say(message) for message in picture.advice),
    )


def _said(message: Message | None, wording: Wording) -> str | None:
    return None if message is None else wording.say(message)


def _rounded(outline: Outline) -> Outline:
    return tuple((round(x, 4), round(y, 4)) for x, y in outline)


def _jpeg(data: bytes) -> Response:
    return Response(data, media_type=JPEG, headers={"Cache-Control": "no-store"})
