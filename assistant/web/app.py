"""The server as one application: the page, its live line, and the API behind its buttons."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from importlib import resources
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from assistant import __version__
from assistant.errors import FloodwatchError
from assistant.refused import RefusedError
from assistant.web.api import api_of
from assistant.web.bounds import Bounds, Lines
from assistant.web.door import COOKIE, Door, Pairing
from assistant.web.live import Newest, stream
from assistant.web.problem import Problem, WebProblemError, language_of, problem_response
from assistant.web.source import SnapshotSource
from assistant.web.symbols import symbol_sheet
from assistant.wording import Wording, languages

STATIC: Final = Path(str(resources.files(__package__))) / "static"

TOO_MANY: Final = 4429
"""The live line is closed with this where too many are open already."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


def create_app(source: SnapshotSource, *, pairing: Pairing, hosts: Iterable[str] = LOOPBACK) -> FastAPI:
    """`hosts` are the names and addresses under which the server may be asked."""
    wordings = {language: Wording(language, [source.kit.messages]) for language in languages()}
    newest = Newest(source, wordings)

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
    app.include_router(api_of(source, wordings, pairing))
    _add_live(app, newest, pairing)
    _add_files(app)
    _add_problems(app, wordings)
    app.add_middleware(Bounds)
    app.add_middleware(Door, pairing=pairing, hosts=tuple(hosts))
    return app


def _add_live(app: FastAPI, newest: Newest, pairing: Pairing) -> None:
    lines = Lines()

    @app.websocket("/api/live")
    async def live(socket: WebSocket) -> None:
        cookie = socket.cookies.get(COOKIE)
        tablet = pairing.tablets.named(cookie)
        with lines.held(tablet.id if tablet else "") as room:
            if room:
                await stream(socket, newest, language_of(socket), lambda: pairing.knows(cookie))
            else:
                await socket.close(TOO_MANY)


def _add_files(app: FastAPI) -> None:
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    def manifest() -> FileResponse:
        return FileResponse(STATIC / "manifest.webmanifest", media_type="application/manifest+json")

    def worker() -> FileResponse:
        """At the root, so that it may answer for the whole page."""
        return FileResponse(STATIC / "worker.js", media_type="text/javascript")

    def symbols() -> Response:
        return Response(symbol_sheet(), media_type="image/svg+xml")

    for path, answer in (
        ("/", page),
        ("/manifest.webmanifest", manifest),
        ("/worker.js", worker),
        ("/static/symbols.svg", symbols),
    ):
        app.add_api_route(path, answer, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC))


def _add_problems(app: FastAPI, wordings: dict[str, Wording]) -> None:
    @app.exception_handler(WebProblemError)
    async def say_problem(request: Request, problem: WebProblemError) -> JSONResponse:
        return problem_response(problem.status, problem.code, request.scope, **problem.values)

    @app.exception_handler(RefusedError)
    async def say_word(request: Request, refused: RefusedError) -> JSONResponse:
        reason = wordings[language_of(request)].say(refused.message)
        return problem_response(409, "refused", request.scope, reason=reason)

    @app.exception_handler(FloodwatchError)
    async def say_refusal(request: Request, problem: FloodwatchError) -> JSONResponse:
        return problem_response(409, "refused", request.scope, reason=str(problem))

    @app.exception_handler(RequestValidationError)
    async def say_invalid(request: Request, problem: RequestValidationError) -> JSONResponse:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return problem_response(422, "invalid", request.scope, where=where, reason=str(first["msg"]))

    @app.exception_handler(HTTPException)
    async def say_http(request: Request, problem: HTTPException) -> JSONResponse:
        code = {404: "not-found", 405: "wrong-method"}.get(problem.status_code, "failed")
        response = problem_response(problem.status_code, code, request.scope)
        response.headers.update(problem.headers or {})
        return response
