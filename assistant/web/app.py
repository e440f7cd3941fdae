"""The server as one application: the page, its live line, and the API behind its buttons."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, WebSocket
from fastapi.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from assistant import __version__
from assistant.advice import Adviser
from assistant.advise.reviewer import Reviewer
from assistant.record.book import CampaignBook
from assistant.record.store import Store
from assistant.sight import CameraView
from assistant.web.api import api_of
from assistant.web.begin import BeginsGames, begin_routes
from assistant.web.bounds import Bounds
from assistant.web.camera import camera_routes
from assistant.web.campaign import campaign_routes
from assistant.web.cards import card_routes
from assistant.web.door import Door, Pairing
from assistant.web.drawing import drawing_of
from assistant.web.enrol import MOST_PICTURE, PICTURES, TakesCards, enrol_routes
from assistant.web.games import game_routes
from assistant.web.gate import Gate
from assistant.web.hints import hint_routes
from assistant.web.live import Newest, stream
from assistant.web.naming import PageWording, Wordings
from assistant.web.pair import pair_routes
from assistant.web.phone import TakesPictures, phone_routes
from assistant.web.problem import Problem, language_of
from assistant.web.refusals import add_refusals
from assistant.web.replay import replay_routes
from assistant.web.review import review_routes
from assistant.web.source import SnapshotSource
from assistant.web.symbols import symbol_sheet
from assistant.wording import languages

STATIC: Final = Path(str(resources.files(__package__))) / "static"

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


def create_app(
    source: SnapshotSource,
    *,
    pairing: Pairing,
    hosts: Iterable[str] = LOOPBACK,
    camera: CameraView | None = None,
    phone: TakesPictures | None = None,
    adviser: Adviser | None = None,
    records: Store | None = None,
    reviewer: Reviewer | None = None,
    own_pack: Path | None = None,
    enrolment: TakesCards | None = None,
    calibration: APIRouter | None = None,
    table: BeginsGames | None = None,
) -> FastAPI:
    """`hosts` are the names and addresses under which the server may be asked.

    Whatever is not given is not offered, and the page leaves it out. `own_pack` is the folder of the player's
    own cards, `enrolment` takes new ones into it; `calibration` has its own routes below `/api/calibration`.
    At a `table` the player says when another game begins.
    """
    drawing = drawing_of(source.kit.folder)
    wordings = {
        language: PageWording(language, source.kit, source.game.pack, drawing) for language in languages()
    }
    newest = Newest(source, wordings)
    gate = Gate(pairing)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with newest.watched():
            yield

    app = FastAPI(
        title="Floodwatch",
        version=__version__,
        description="Everything that the tablet's page can do. A tablet is paired first (`/api/pair`).",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would fetch their scripts from another host
        redoc_url=None,
        responses={"4XX": {"model": Problem}},
    )
    parts: dict[str, list[APIRouter]] = {
        "camera": [camera_routes(camera, source, wordings, gate)] if camera else [],
        "phone": [phone_routes(phone, gate)] if phone else [],
        "hints": [hint_routes(adviser, source, wordings)] if adviser else [],
        "games": _record_routes(records, source, wordings) if records else [],
        "review": [review_routes(records, reviewer)] if records and reviewer else [],
        "enrol": [enrol_routes(source, enrolment, camera)] if enrolment else [],
        "calibration": [calibration] if calibration else [],
        "begin": [begin_routes(table)] if table else [],
    }
    offers = tuple(name for name, routers in parts.items() if routers)
    app.include_router(pair_routes(pairing))
    app.include_router(api_of(source, wordings, offers))
    app.include_router(replay_routes(source, wordings))
    app.include_router(card_routes(source.kit, source.game, own_pack))
    for router in (router for routers in parts.values() for router in routers):
        app.include_router(router)
    _add_live(app, newest, gate)
    _add_files(app)
    add_refusals(app, wordings)
    app.add_middleware(Bounds, larger={PICTURES: MOST_PICTURE} if enrolment else {})
    app.add_middleware(Door, pairing=pairing, hosts=tuple(hosts))
    return app


def _record_routes(records: Store, source: SnapshotSource, wordings: Wordings) -> list[APIRouter]:
    kit = source.kit
    routers = [game_routes(records, source, wordings)]
    if kit.campaign is not None:
        book = CampaignBook(kit=kit, campaign=kit.campaign, store=records, pack=source.game.pack)
        routers.append(campaign_routes(book, wordings))
    return routers


def _add_live(app: FastAPI, newest: Newest, gate: Gate) -> None:
    @app.websocket("/api/live")
    async def live(socket: WebSocket) -> None:
        async with gate.line(socket) as welcome:
            if welcome:
                await stream(socket, newest, language_of(socket), welcome)


def _add_files(app: FastAPI) -> None:
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    def manifest() -> FileResponse:
        return FileResponse(STATIC / "manifest.webmanifest", media_type="application/manifest+json")

    def camera_page() -> FileResponse:
        return FileResponse(STATIC / "camera.html")

    def worker() -> FileResponse:
        """At the root, so that it may answer for the whole page."""
        return FileResponse(STATIC / "worker.js", media_type="text/javascript")

    def symbols() -> Response:
        return Response(symbol_sheet(), media_type="image/svg+xml")

    for path, answer in (
        ("/", page),
        ("/camera", camera_page),
        ("/manifest.webmanifest", manifest),
        ("/worker.js", worker),
        ("/static/symbols.svg", symbols),
    ):
        app.add_api_route(path, answer, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC))
