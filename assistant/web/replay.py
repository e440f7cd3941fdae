"""Back through the running game: the table as it was after any move, and mending it from there."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, Field

from assistant.web.correction import Correction, told_zone
from assistant.web.naming import Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.shown import ShownGauge, ShownOutcome, ShownZone, show_gauges, show_outcome, show_zones
from assistant.web.source import SnapshotSource
from assistant.wording import Wording

MoveNumber = Annotated[int, Path(ge=0, le=100_000, description="0 is the beginning, before any move.")]


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
        summary="Say what lay in a zone after this move; what came later is taken back and thought over",
    )
    def correct(move: MoveNumber, zone: Annotated[str, Path(max_length=60)], told: Correction) -> None:
        known = source.game.view(_state(source, move))
        word = told_zone(source.game, zone, told, known)
        _take_back(source, move)
        source.correct(word)

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
