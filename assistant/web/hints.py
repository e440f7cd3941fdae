"""Hints for a tablet that asks for them: in the strength that it asked for, and never more."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from assistant.advice import Advice, Advised, Adviser, Chance, Strength
from assistant.kit import Message
from assistant.web.naming import Wordings
from assistant.web.problem import language_of
from assistant.web.source import SnapshotSource
from assistant.wording import Wording

MOST_MOVES: Final = 3
"""The best one and two runners-up."""


class ShownChance(BaseModel):
    p: float
    low: float
    high: float


class ShownMove(BaseModel):
    notation: str
    sentence: str
    because: tuple[str, ...]
    win: ShownChance | None


class ShownPlan(BaseModel):
    goals: tuple[str, ...]
    steps: tuple[str, ...]


class ShownAdvice(BaseModel):
    """Parts beyond the strength asked for are empty."""

    strength: str = Field(examples=["off", "nudge", "plan", "best"])
    snapshot: int = Field(description="The number of the snapshot that was newest when this was asked for.")
    nudges: tuple[str, ...]
    plan: ShownPlan | None
    moves: tuple[ShownMove, ...] = Field(description="The best one first, then at most two runners-up.")
    win: ShownChance | None
    warnings: tuple[str, ...]
    thinking: bool = Field(description="A better answer is on its way: ask again.")
    plain: str | None = Field(description="Why there is nothing to advise.")


def hint_routes(adviser: Adviser, source: SnapshotSource, wordings: Wordings) -> APIRouter:
    router = APIRouter(prefix="/api", tags=["hints"])

    def wording(request: Request) -> Wording:
        return wordings[language_of(request)]

    @router.get("/advice", summary="Advice on the position, in one of four strengths")
    def advice(
        speech: Annotated[Wording, Depends(wording)],
        strength: Annotated[Literal["off", "nudge", "plan", "best"], Query()] = "off",
    ) -> ShownAdvice:
        wanted = Strength(strength)
        newest = source.snapshot().number
        given = Advice(strength=wanted) if wanted is Strength.OFF else adviser.ask(wanted)
        return show_advice(no_more_than(given, wanted), newest, speech)

    return router


def no_more_than(advice: Advice, wanted: Strength) -> Advice:
    """What a tablet did not ask for does not leave the server, whatever the adviser says."""
    best, plan = wanted is Strength.BEST, wanted in (Strength.BEST, Strength.PLAN)
    if wanted is Strength.OFF:
        return Advice(strength=wanted)
    return replace(
        advice,
        strength=wanted,
        plan=advice.plan if plan else None,
        moves=advice.moves[:MOST_MOVES] if best else (),
        win=advice.win if best else None,
    )


def show_advice(advice: Advice, snapshot: int, wording: Wording) -> ShownAdvice:
    def said(messages: Iterable[Message]) -> tuple[str, ...]:
        return tuple(wording.say(message) for message in messages)

    plan = advice.plan
    return ShownAdvice(
        strength=advice.strength.value,
        snapshot=snapshot,
        nudges=said(advice.nudges),
        plan=None if plan is None else ShownPlan(goals=said(plan.goals), steps=said(plan.steps)),
        moves=tuple(_move(move, wording) for move in advice.moves),
        win=_chance(advice.win),
        warnings=said(advice.warnings),
        thinking=advice.thinking,
        plain=None if advice.plain is None else wording.say(advice.plain),
    )


def _move(move: Advised, wording: Wording) -> ShownMove:
    return ShownMove(
        notation=move.notation,
        sentence=wording.say(move.words),
        because=tuple(wording.say(message) for message in move.because),
        win=_chance(move.win),
    )


def _chance(chance: Chance | None) -> ShownChance | None:
    return None if chance is None else ShownChance(p=chance.p, low=chance.low, high=chance.high)
