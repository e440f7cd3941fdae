"""How a game begins at a watched table: another one, one met in the middle, or anew from what lies there."""

from typing import Annotated, Protocol

from fastapi import APIRouter
from pydantic import Field

from assistant.web.correction import Told

MOST_ROUNDS = 99


class BeginsGames(Protocol):
    """A watched table. Every method may be called from any thread."""

    def begin_another(self) -> None:
        """The game ends as it stands, and the next one is set up."""

    def resume_here(self, round_number: int) -> None:
        """The game is under way: the table is taken as it lies, in this round."""

    def take_as_it_lies(self) -> None:
        """The table is right, whatever the page shows."""


class UnderWay(Told):
    round: Annotated[int, Field(ge=1, le=MOST_ROUNDS, description="The round that is being played.")]


def begin_routes(table: BeginsGames) -> APIRouter:
    router = APIRouter(prefix="/api/game")

    @router.post("/another", status_code=204, summary="End this game as it stands, and set up the next one")
    def another() -> None:
        table.begin_another()

    @router.post("/under-way", status_code=204, summary="Take the table as it lies: the game is under way")
    def under_way(told: UnderWay) -> None:
        table.resume_here(told.round)

    @router.post("/as-it-lies", status_code=204, summary="The table is right: go on from what lies there")
    def as_it_lies() -> None:
        table.take_as_it_lies()

    return router
