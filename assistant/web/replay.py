"""Back through the running game: the table as it was after any move, and mending it from there."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, Field

from assistant.amend import likest
from assistant.web.correction import Correction, Told, told_zone
from assistant.web.naming import Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.shown import ShownGauge, ShownOutcome, ShownZone, show_gauges, show_outcome, show_zones
from assistant.web.source import SnapshotSource
from assistant.wording import Wording

MoveNumber = Annotated[int, Path(ge=0, le=100_000, description="0 is the beginning, before any move.")]


MOST_TRIED: Final = 600
"""Payments make hundreds of actions: more are not compared."""
MOST_OFFERED: Final = 120


class Otherwise(BaseModel):
    """Something else that could have been done."""

    notation: str
    sentence: str


class Instead(Told):
    notation: str = Field("", max_length=400, description="What was done really; empty: nothing.")


class Past(BaseModel):
    """The table as it was after one move of the running game."""

    move: int
    moves: int = Field(description="How many moves there are by now.")
    round: int
    phase: str
    sentence: str | None = Field(description="The move itself, in words.")
    view: tuple[ShownZone, ...]
    gauges: tuple[ShownGauge, ...]
    outcome: ShownOutcome | None


def replay_routes(source: SnapshotSource, wordings: Wordings) -> APIRouter:
    router = APIRouter(prefix="/api/replay", tags=["replay"])

    def wording(request: Request) -> Wording:
        return wordings[language_of(request)]

    @router.get("", summary="The table as it is after the newest move, whichever that is by now")
    def newest(speech: Annotated[Wording, Depends(wording)]) -> Past:
        moves = len(source.snapshot().log)
        if source.state_after(moves) is None:  # taken back between the two questions
            moves = len(source.snapshot().log)
        return shown(moves, _state(source, moves), speech)

    @router.get("/{move}", summary="The table as it was after this move")
    def past(move: MoveNumber, speech: Annotated[Wording, Depends(wording)]) -> Past:
        return shown(move, _state(source, move), speech)

    def shown(move: int, state: Any, speech: Wording) -> Past:
        log = source.snapshot().log
        game = source.game
        return Past(
            move=move,
            moves=len(log),
            round=game.round(state),
            phase=speech.say(game.phase(state)),
            sentence=speech.say(log[move - 1].words) if 0 < move <= len(log) else None,
            view=show_zones(game.view(state)),
            gauges=show_gauges(game.forecast(state).gauges, speech),
            outcome=show_outcome(game.outcome(state), source.kit.name, speech),
        )

    @router.post("/{move}/take-back", status_code=204, summary="Take back every move after this one")
    def take_back(move: MoveNumber) -> None:
        _take_back(source, move)

    @router.post(
        "/{move}/zones/{zone}/correction",
        status_code=204,
        summary="Say what lay in a zone after this move; what came later is derived again",
    )
    def correct(move: MoveNumber, zone: Annotated[str, Path(max_length=60)], told: Correction) -> None:
        known = source.game.view(_state(source, move))
        source.correct_at(move, told_zone(source.game, zone, told, known))

    @router.get(
        "/{move}/instead", summary="What else this move could have been, what looks most like it first"
    )
    def otherwise(move: MoveNumber, speech: Annotated[Wording, Depends(wording)]) -> tuple[Otherwise, ...]:
        game = source.game
        if not move:
            raise WebProblemError(404, "no-move", n=move)
        before, after = _state(source, move - 1), _state(source, move)
        others = likest(game, before, after, game.legal_actions(before)[:MOST_TRIED])[:MOST_OFFERED]
        return tuple(
            Otherwise(notation=game.format(action), sentence=speech.say(game.describe(action)))
            for action in others
        )

    @router.post(
        "/{move}/instead",
        status_code=204,
        summary="Say that this move was another one, or none; later moves are kept where they can be",
    )
    def instead(move: MoveNumber, told: Instead) -> None:
        _state(source, move)
        source.instead(move, told.notation)

    return router


def _state(source: SnapshotSource, move: int) -> Any:
    state = source.state_after(move)
    if state is None:
        raise WebProblemError(404, "no-move", n=move)
    return state


def _take_back(source: SnapshotSource, move: int) -> None:
    later = len(source.snapshot().log) - move
    if later < 0:
        raise WebProblemError(404, "no-move", n=move)
    for _ in range(later):
        source.undo()
