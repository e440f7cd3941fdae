"""How tablets come in and go: pairing by the code, the list of those who did, sending one away."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from assistant.web.correction import Told
from assistant.web.door import COOKIE, COOKIE_SECONDS, Pairing
from assistant.web.problem import WebProblemError


class Code(Told):
    code: str = Field(min_length=1, max_length=64, description="As the terminal shows it.")


class PairedTablet(BaseModel):
    id: str
    paired_at: float = Field(description="Seconds since 1970.")
    this: bool = Field(description="Whether it is the one that asks.")


def pair_routes(pairing: Pairing) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.post("/pair", status_code=204, summary="Pair this tablet")
    def pair(told: Code, request: Request, response: Response) -> None:
        visitor = request.client.host if request.client else ""
        wait = pairing.seconds_to_wait(visitor)
        if wait > 0:
            raise WebProblemError(429, "too-many-tries", n=round(wait))
        cookie = pairing.admit(told.code, visitor)
        if cookie is None:
            raise WebProblemError(403, "wrong-code")
        response.set_cookie(
            COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="strict",
            secure=request.url.scheme == "https",
        )  # fmt: skip

    @router.get("/tablets", summary="The tablets that are paired")
    def tablets(request: Request) -> tuple[PairedTablet, ...]:
        own = pairing.tablets.named(request.cookies.get(COOKIE))
        return tuple(
            PairedTablet(id=one.id, paired_at=one.paired_at, this=one == own) for one in pairing.tablets.all()
        )

    @router.delete("/tablets/{tablet}", status_code=204, summary="Send a tablet away")
    def forget(tablet: Annotated[str, Path(max_length=64)]) -> None:
        if not pairing.tablets.forget(tablet):
            raise WebProblemError(404, "no-tablet", id=tablet)

    return router
