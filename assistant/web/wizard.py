"""Setting up a table on a tablet: the wizard's page and the API behind it."""

from collections.abc import Iterable
from typing import Annotated, Literal

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Path, Request, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.staticfiles import StaticFiles

from assistant import __version__
from assistant.kit import Message
from assistant.setup import Setup
from assistant.web.app import LOOPBACK, STATIC
from assistant.web.bounds import Bounds
from assistant.web.door import Door, Pairing
from assistant.web.pair import pair_routes
from assistant.web.problem import Problem, WebProblemError, language_of
from assistant.web.refusals import add_refusals
from assistant.web.symbols import symbol_sheet
from assistant.wording import Wording, languages
from calibration.overlay import jpeg_of
from calibration.profile import Profile
from calibration.steps import (
    STEPS,
    Back,
    ChooseCamera,
    ConfirmFact,
    Crop,
    DragZone,
    Event,
    FindBoard,
    GiveCorners,
    MeasureLens,
    Next,
    StepView,
    TapPiece,
)
from vision.cards import Item, parse_items
from vision.source import list_cameras
from vision.table import PieceKind, ZoneId

WORDS = (
    "next", "back", "anyway", "find", "corners", "corner", "corners-use", "cancel", "lens", "other-camera",
    "use", "waiting", "assumed", "tap", "tap-now", "all-assumed", "done", "no-camera",
)  # fmt: skip

Share = Annotated[float, Field(ge=-1.0, le=2.0, allow_inf_nan=False)]


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Camera(_Told):
    source: str = Field(min_length=1, max_length=1000, description="A number, an address or a path.")


class Corners(_Told):
    corners: list[tuple[Share, Share]] = Field(min_length=4, max_length=4)


class Dragged(_Told):
    zone: str = Field(max_length=60)
    x: Share
    y: Share


class Tapped(_Told):
    piece: str = Field(max_length=60)
    x: Share
    y: Share


class Fact(_Told):
    key: str = Field(max_length=60)
    value: str = Field(max_length=100)


class GoOn(_Told):
    anyway: bool = False


class ShownCheck(BaseModel):
    good: bool
    sentence: str


class ShownMark(BaseModel):
    look: Literal["board", "zone", "movable", "problem"]
    outline: tuple[tuple[float, float], ...]
    zone: str
    name: str


class ShownOption(BaseModel):
    value: str
    name: str
    symbols: tuple[str, ...]
    """The drawings that say the same, in their order."""


class ShownFact(BaseModel):
    key: str
    name: str
    options: tuple[ShownOption, ...]
    """First what is assumed."""
    answer: str | None


class ShownPiece(BaseModel):
    piece: str
    name: str
    colour: str | None
    """As learnt on this table, such as `#c22433`; None: a tap is asked for."""


class ShownSetup(BaseModel):
    """All that the page draws of the step that the wizard is at."""

    step: str
    steps: tuple[tuple[str, str], ...]
    """Each step and its name."""
    sentence: str
    checks: tuple[ShownCheck, ...]
    marks: tuple[ShownMark, ...]
    facts: tuple[ShownFact, ...]
    pieces: tuple[ShownPiece, ...]
    corners: tuple[tuple[float, float], ...] | None
    """Where the board's corners are in the picture: top left, then clockwise; None: not found yet."""
    cameras: tuple[tuple[str, str], ...]
    passable: bool
    may_skip: bool
    words: dict[str, str]
    """What the page's buttons say."""
    picture: int
    """The number of the newest picture; 0: none has come."""


def wizard_router(setup: Setup) -> APIRouter:
    """Below `/api/setup`; what cannot be used is answered with 409 and a sentence."""
    router = APIRouter(prefix="/api/setup")
    wordings = _wordings(setup)

    def shown(request: Request) -> ShownSetup:
        number, _ = setup.look()
        return _shown(setup, setup.view(), number, wordings[language_of(request)])

    def told(event: Event, request: Request) -> ShownSetup:
        trouble = setup.tell(event)
        if trouble is not None:
            raise WebProblemError(409, "refused", reason=wordings[language_of(request)].say(trouble))
        return shown(request)

    @router.get("", summary="The step that the wizard is at")
    def state(request: Request) -> ShownSetup:
        return shown(request)

    @router.get("/picture", summary="The camera's newest picture", response_class=Response)
    async def picture() -> Response:
        _, image = await anyio.to_thread.run_sync(setup.look)
        if image is None:
            raise WebProblemError(404, "not-found")
        data = await anyio.to_thread.run_sync(jpeg_of, image)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.get(
        "/facts/{key}", summary="The camera's picture of a spot of the board", response_class=Response
    )
    def crop(key: Annotated[str, Path(max_length=60)]) -> Response:
        found = next((crop for crop in setup.view().crops if crop.key == key), None)
        if found is None:
            raise WebProblemError(404, "not-found")
        return Response(
            jpeg_of(found.picture), media_type="image/jpeg", headers={"Cache-Control": "no-store"}
        )

    @router.post("/camera", summary="Choose the camera")
    def camera(body: Camera, request: Request) -> ShownSetup:
        return told(ChooseCamera(source=body.source), request)

    @router.post("/board", summary="Find the board by its markers or its picture")
    def board(request: Request) -> ShownSetup:
        return told(FindBoard(), request)

    @router.post("/corners", summary="Give the board's corners: top left, then clockwise")
    def corners(body: Corners, request: Request) -> ShownSetup:
        return told(GiveCorners(corners=tuple(body.corners)), request)

    @router.post("/lens", summary="Measure the lens with its sheet")
    def lens(request: Request) -> ShownSetup:
        return told(MeasureLens(), request)

    @router.post("/zone", summary="Put the middle of a place at a point of the picture")
    def zone(body: Dragged, request: Request) -> ShownSetup:
        return told(DragZone(zone=ZoneId(body.zone), at=(body.x, body.y)), request)

    @router.post("/tap", summary="One piece of this kind lies at this point of the picture")
    def tap(body: Tapped, request: Request) -> ShownSetup:
        return told(TapPiece(piece=PieceKind(body.piece), at=(body.x, body.y)), request)

    @router.post("/fact", summary="Say what is printed on the board")
    def fact(body: Fact, request: Request) -> ShownSetup:
        return told(ConfirmFact(key=body.key, value=body.value), request)

    @router.post("/next", summary="Go on to the next step")
    def go_on(body: GoOn, request: Request) -> ShownSetup:
        return told(Next(anyway=body.anyway), request)

    @router.post("/back", summary="Go back to the step before")
    def back(request: Request) -> ShownSetup:
        return told(Back(), request)

    return router


def create_wizard_app(setup: Setup, *, pairing: Pairing, hosts: Iterable[str] = LOOPBACK) -> FastAPI:
    """A server for setting up alone, before any game is watched."""
    app = FastAPI(
        title="Floodwatch set-up",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses={"4XX": {"model": Problem}},
    )
    app.include_router(wizard_router(setup))
    app.include_router(pair_routes(pairing))

    def page() -> FileResponse:
        return FileResponse(STATIC / "wizard.html")

    def symbols() -> Response:
        return Response(symbol_sheet(), media_type="image/svg+xml")

    app.add_api_route("/", page, include_in_schema=False)
    app.add_api_route("/static/symbols.svg", symbols, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC))

    add_refusals(app, _wordings(setup))
    app.add_middleware(Bounds)
    app.add_middleware(Door, pairing=pairing, hosts=tuple(hosts))
    return app


def _wordings(setup: Setup) -> dict[str, Wording]:
    return {language: Wording(language, [setup.kit.messages]) for language in languages()}


def _shown(setup: Setup, view: StepView, number: int, wording: Wording) -> ShownSetup:
    names = tuple((step.value, wording.say(setup.step_name(step))) for step in STEPS)
    cameras = tuple((device.source, device.name) for device in list_cameras())
    return ShownSetup(
        step=view.step.value,
        steps=names,
        sentence=setup.say(view.said, wording),
        checks=tuple(
            ShownCheck(good=check.good, sentence=setup.say(check.said, wording)) for check in view.checks
        ),
        marks=tuple(
            ShownMark(
                look=mark.look.value,
                outline=mark.outline,
                zone=mark.label,
                name=wording.say(setup.zone_name(mark.label)) if mark.label else "",
            )
            for mark in view.marks
        ),
        facts=tuple(_fact(setup, crop, wording) for crop in view.crops),
        pieces=tuple(
            ShownPiece(
                piece=swatch.piece,
                name=wording.say(setup.piece_name(swatch.piece)),
                colour=None if swatch.rgb is None else _hex(swatch.rgb),
            )
            for swatch in view.swatches
        ),
        corners=_corners(setup.state.profile),
        cameras=cameras,
        passable=view.passable,
        may_skip=view.may_skip,
        words={word: wording.say(Message.of(f"calibrate.word.{word}")) for word in WORDS},
        picture=number,
    )


def _corners(profile: Profile) -> tuple[tuple[float, float], ...] | None:
    if profile.corners is None or profile.lens is None:
        return None
    lens = profile.lens
    return tuple(((x + 0.5) / lens.width, (y + 0.5) / lens.height) for x, y in profile.corners)


def _fact(setup: Setup, crop: Crop, wording: Wording) -> ShownFact:
    return ShownFact(
        key=crop.key,
        name=crop.key if crop.zone is None else wording.say(setup.zone_name(crop.zone)),
        options=tuple(
            ShownOption(
                value=option,
                name=setup.option_name(option, wording),
                symbols=tuple(name for item in parse_items(option) for name in _symbols(item)),
            )
            for option in crop.options
        ),
        answer=crop.answer,
    )


def _symbols(item: Item) -> tuple[str, ...]:
    """An item with a choice in its name is drawn as both with a slash between."""
    one, choice, other = item.kind.partition("-or-")
    return (one, "slash", other) if choice else (item.kind,) * item.count


def _hex(rgb: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(min(max(value, 0.0), 255.0)):02x}" for value in rgb)
