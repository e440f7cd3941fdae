"""Every error as an answer: JSON with a stable code and a sentence, the same for each of our servers."""

from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from assistant.errors import FloodwatchError
from assistant.record.errors import NoSuchGameError
from assistant.refused import RefusedError
from assistant.web.door import SECURITY_HEADERS
from assistant.web.problem import WebProblemError, language_of, problem_response
from assistant.wording import Wording
from vision.errors import VisionError


def add_refusals(app: FastAPI, wordings: Mapping[str, Wording]) -> None:
    """`wordings` say what the game itself refuses, by language."""

    @app.exception_handler(WebProblemError)
    async def say_problem(request: Request, problem: WebProblemError) -> JSONResponse:
        return problem_response(problem.status, problem.code, request.scope, **problem.values)

    @app.exception_handler(RefusedError)
    async def say_word(request: Request, refused: RefusedError) -> JSONResponse:
        reason = wordings[language_of(request)].say(refused.message)
        return problem_response(409, "refused", request.scope, reason=reason)

    @app.exception_handler(NoSuchGameError)
    async def say_no_game(request: Request, problem: NoSuchGameError) -> JSONResponse:
        return problem_response(404, "refused", request.scope, reason=str(problem))

    @app.exception_handler(FloodwatchError)
    @app.exception_handler(VisionError)
    async def say_refusal(request: Request, problem: FloodwatchError | VisionError) -> JSONResponse:
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

    @app.exception_handler(Exception)
    async def say_broken(request: Request, _problem: Exception) -> JSONResponse:
        """A mistake of ours. This answer is made outside the door, so it needs the headers here."""
        response = problem_response(500, "broken", request.scope)
        response.headers.update(SECURITY_HEADERS)
        return response
