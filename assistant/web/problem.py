"""How the server says no: JSON with a stable code and a sentence in the reader's language."""

from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection
from starlette.types import Scope

from assistant.errors import FloodwatchError
from assistant.kit import Message, Value
from assistant.wording import Wording, languages, pick_language


class Problem(BaseModel):
    """Every answer that is not 2xx."""

    code: str = Field(description="A word that never changes, for programs.", examples=["not-paired"])
    sentence: str = Field(description="What is wrong and what to do, for people.")


class WebProblemError(FloodwatchError):
    """A request that cannot be met; the sentence is `web.problem.<code>`."""

    def __init__(self, status: int, code: str, **values: Value) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.values = values


def language_of(connection: HTTPConnection) -> str:
    """The language asked for in the address, else the browser's."""
    wish = connection.query_params.get("language")
    if wish in languages():
        return wish
    return pick_language(connection.headers.get("accept-language", ""))


def problem_response(status: int, code: str, scope: Scope, **values: Value) -> JSONResponse:
    language = language_of(HTTPConnection(scope))
    sentence = Wording(language).say(Message.of(f"web.problem.{code}", **values))
    return JSONResponse(Problem(code=code, sentence=sentence).model_dump(), status_code=status)
