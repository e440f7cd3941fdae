"""After the game: the decisions that cost most, and what the advisor would have done."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from assistant.advise.reviewer import Reviewer, request_of
from assistant.discover import kits
from assistant.kit import Message
from assistant.record.replay import steps_of
from assistant.record.store import Store
from assistant.record.telling import game_of
from assistant.record.values import RecordedId
from assistant.web.problem import WebProblemError, language_of
from assistant.wording import Wording


class ShownDecision(BaseModel):
    number: int = Field(description="The move at which it began, from 1.")
    round: int
    played: tuple[str, ...] = Field(description="What was done, in words.")
    better: tuple[str, ...] = Field(description="What the advisor would have done, in words.")
    win_played: float
    win_better: float
    title: str
    verdict: str


class ShownReview(BaseModel):
    thinking: bool = Field(description="Not thought over yet: ask again.")
    plain: str | None = Field(description="Why there is nothing to tell.")
    decisions: tuple[ShownDecision, ...] = Field(description="The worst first, at most three.")


def review_routes(store: Store, reviewer: Reviewer) -> APIRouter:
    router = APIRouter(prefix="/api/games", tags=["games"])

    @router.get("/{game}/costly", summary="The three decisions of a recorded game that cost most")
    def costly(game: int, language: Annotated[str, Depends(_language)]) -> ShownReview:
        recorded = store.load(RecordedId(game))
        kit = kits().get(recorded.header.game)
        if kit is None:
            raise WebProblemError(409, "unknown-game", game=recorded.header.game)
        bound, speech = game_of(recorded, kit), Wording(language, [kit.messages])
        if bound.advising is None or not recorded.actions:
            return ShownReview(
                thinking=False, plain=speech.say(Message.of("advise.costly-none")), decisions=()
            )
        found = reviewer.ask(
            (game, len(recorded.actions)), lambda: request_of(kit, bound, steps_of(recorded))
        )
        if found is None:
            return ShownReview(thinking=True, plain=None, decisions=())
        plain = None if found else speech.say(Message.of("advise.costly-none"))

        def said(notations: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(speech.say(bound.describe(bound.parse(one))) for one in notations)

        shown = []
        for one in found:
            played, better = said(one.played), said(one.better)
            title = Message.of(
                "advise.costly", round=one.round, number=one.number + 1, played="; ".join(played)
            )
            verdict = Message.of(
                "advise.costly-better", better="; ".join(better), then=one.win_better, now=one.win_played
            )
            shown.append(
                ShownDecision(
                    number=one.number + 1,
                    round=one.round,
                    played=played,
                    better=better,
                    win_played=one.win_played,
                    win_better=one.win_better,
                    title=speech.say(title),
                    verdict=speech.say(verdict),
                )
            )
        return ShownReview(thinking=False, plain=plain, decisions=tuple(shown))

    return router


def _language(request: Request) -> str:
    return language_of(request)
