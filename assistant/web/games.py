"""Recorded games on the page: the list, what they say together, files to keep, and the campaign."""

import tempfile
import threading
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Path as InPath
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from assistant.discover import kits
from assistant.kit import GameKit, Message
from assistant.record.export import as_csv, as_json, as_text
from assistant.record.pageview import as_page
from assistant.record.statistics import Statistics, statistics
from assistant.record.store import Store
from assistant.record.telling import game_of, result_of, say
from assistant.record.values import GameSummary, RecordedGame, RecordedId
from assistant.web.naming import Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.source import SnapshotSource
from assistant.wording import Wording

MOST_LISTED: Final = 200
GameNumber = Annotated[int, InPath(ge=1, le=1 << 53)]


class Form(StrEnum):
    JSON = "json"
    TEXT = "text"
    HTML = "html"
    CSV = "csv"
    MP4 = "mp4"


_MEDIA: Final = {
    Form.JSON: ("application/json", "json"),
    Form.TEXT: ("text/plain; charset=utf-8", "txt"),
    Form.HTML: ("text/html; charset=utf-8", "html"),
    Form.CSV: ("text/csv; charset=utf-8", "csv"),
    Form.MP4: ("video/mp4", "mp4"),
}


class ListedGame(BaseModel):
    id: int
    game: str
    title: str
    started_at: float
    result: str
    ended: bool = Field(description="Whether it was played to its end.")
    won: bool | None = Field(description="None where it was not, or where several played against each other.")
    rounds: int
    moves: int
    findings: dict[str, int] = Field(description="How many of each severity.")


class GameList(BaseModel):
    place: str = Field(description="Where games are recorded.")
    games: tuple[ListedGame, ...] = Field(description="The newest first.")


class Counted(BaseModel):
    name: str
    text: str
    count: int


class CountedEnd(Counted):
    won: bool | None = Field(description="None where several played against each other.")


class ShownMoves(BaseModel):
    """When one gauge moved, such as the Flood."""

    name: str
    text: str
    per_game: float
    first_round: float
    by_round: dict[int, int]


class ShownStatistics(BaseModel):
    games: int
    won: int
    lost: int = Field(description="Games of several against each other are neither won nor lost.")
    rounds_mean: float
    rounds_least: int
    rounds_most: int
    causes: tuple[CountedEnd, ...]
    moves: tuple[ShownMoves, ...]
    findings: tuple[Counted, ...] = Field(description="How often each rule was told.")


def game_routes(store: Store, source: SnapshotSource, wordings: Wordings) -> APIRouter:
    router = APIRouter(prefix="/api/games", tags=["games"])
    summed = _Summed(store, source.kit)
    filming = threading.Lock()

    def wording(request: Request) -> Wording:
        return wordings[language_of(request)]

    @router.get("", summary="The recorded games, the newest first")
    def games(speech: Annotated[Wording, Depends(wording)]) -> GameList:
        listed = tuple(_listed(summary, speech) for summary in store.games()[:MOST_LISTED])
        return GameList(place=str(store.place), games=listed)

    @router.get("/statistics", summary="What the finished games say together")
    def sums(speech: Annotated[Wording, Depends(wording)]) -> ShownStatistics:
        return _shown(summed.statistics(), source.kit, speech)

    @router.get(
        "/{game}/export/{form}",
        summary="A recorded game as a file",
        response_class=Response,
        responses={200: {"content": {media.partition(";")[0]: {} for media, _ in _MEDIA.values()}}},
    )
    def export(game: GameNumber, form: Form, request: Request) -> Response:
        recorded = store.load(RecordedId(game))
        kit = kits().get(recorded.header.game)
        if kit is None:
            raise WebProblemError(409, "unknown-game", game=recorded.header.game)
        if form is not Form.MP4:
            return _file(recorded, form, kit, _speech(language_of(request), kit.messages))
        if not filming.acquire(blocking=False):
            raise WebProblemError(409, "filming")
        try:
            return _film(recorded, kit, _speech(language_of(request), kit.messages))
        finally:
            filming.release()

    return router


class _Summed:
    """Reading many games takes a while: it is done again only when there is another one."""

    def __init__(self, store: Store, kit: GameKit) -> None:
        self._store = store
        self._kit = kit
        self._ids: tuple[RecordedId, ...] | None = None
        self._sums: Statistics | None = None
        self._lock = threading.Lock()

    def statistics(self) -> Statistics:
        with self._lock:
            ids = tuple(
                summary.id
                for summary in self._store.games()
                if summary.header.game == self._kit.name and summary.ending
            )
            if ids != self._ids or self._sums is None:
                games = (self._store.load(number) for number in ids)
                self._sums = statistics(games, lambda one: game_of(one, self._kit))
                self._ids = ids
            return self._sums


@cache
def _speech(language: str, messages: Path) -> Wording:
    return Wording(language, [messages])


def _listed(summary: GameSummary, wording: Wording) -> ListedGame:
    kit = kits().get(summary.header.game)
    ending = summary.ending
    spoken = _speech(wording.language, kit.messages) if kit else wording
    return ListedGame(
        id=summary.id,
        game=summary.header.game,
        title=say(spoken, kit.title) if kit else summary.header.game,
        started_at=summary.header.started_at,
        result=result_of(ending, kit, spoken) if kit else (ending.cause or "" if ending else ""),
        ended=ending is not None and ending.cause is not None,
        won=ending.won if ending else None,
        rounds=summary.rounds,
        moves=summary.actions,
        findings={severity.value: count for severity, count in summary.findings.items()},
    )


def _shown(sums: Statistics, kit: GameKit, wording: Wording) -> ShownStatistics:
    def named(group: str, name: str) -> str:
        return say(wording, Message.of(f"{kit.name}.{group}.{name}"), name)

    return ShownStatistics(
        games=sums.games,
        won=sums.won,
        lost=sums.lost,
        rounds_mean=round(sums.rounds_mean, 2),
        rounds_least=sums.rounds_least,
        rounds_most=sums.rounds_most,
        causes=tuple(
            CountedEnd(name=cause, text=named("result", cause), count=n, won=_won(sums, cause))
            for cause, n in sums.causes.items()
        ),
        moves=tuple(
            ShownMoves(
                name=name,
                text=named("gauge", name),
                per_game=round(moves.per_game, 2),
                first_round=round(moves.first_round, 2),
                by_round=dict(moves.by_round),
            )
            for name, moves in sums.moves.items()
        ),
        findings=tuple(
            Counted(name=rule, text=named("gauge", rule), count=n) for rule, n in sums.findings.items()
        ),
    )


def _won(sums: Statistics, cause: str) -> bool | None:
    return True if cause in sums.wins else False if cause in sums.losses else None


def _file(recorded: RecordedGame, form: Form, kit: GameKit, wording: Wording) -> Response:
    if form is Form.JSON:
        text = as_json(recorded)
    elif form is Form.HTML:
        text = as_page(recorded, kit, game_of(recorded, kit), wording.language)
    else:
        text = (as_csv if form is Form.CSV else as_text)(recorded, kit, wording)
    return Response(text, media_type=_MEDIA[form][0], headers=_kept_as(recorded, form))


def _film(recorded: RecordedGame, kit: GameKit, wording: Wording) -> Response:
    # Only a film needs the libraries that draw pictures: the other forms start without them.
    from vision.timelapse import write_time_lapse

    game = game_of(recorded, kit)
    with tempfile.NamedTemporaryFile(prefix="floodwatch-", suffix=".mp4", delete=False) as file:
        path = Path(file.name)
    states = [game.decode(action.state) for action in recorded.actions]
    try:
        write_time_lapse(
            path,
            [game.view(state) for state in states],
            titles=[wording.say(Message.of("record.round", round=one.round)) for one in recorded.actions],
            captions=[f"{action.number}  {action.notation}" for action in recorded.actions],
            crops=[action.crop for action in recorded.actions],
            layout=game.layout.on_table(),
            pack=game.pack,
            folder=kit.folder,
            title=wording.say(kit.title),
        )
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return FileResponse(
        path,
        media_type=_MEDIA[Form.MP4][0],
        headers=_kept_as(recorded, Form.MP4),
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


def _kept_as(recorded: RecordedGame, form: Form) -> dict[str, Any]:
    """Never shown in the page's own place: an export holds what a player wrote."""
    name = f"floodwatch-game-{recorded.id}.{_MEDIA[form][1]}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}
