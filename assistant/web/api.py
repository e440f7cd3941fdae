"""The REST API: what the page asks for once, and what its buttons do."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, Field

from assistant.snapshot import FindingFate
from assistant.web.correction import Correction, Told, told_zone
from assistant.web.naming import PageWording, Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.scene import Scene, example_setup, page_words, scene_of, words_of
from assistant.web.shown import LogLine, ShownSnapshot, ShownZone, show, show_log, show_zones
from assistant.web.source import SnapshotSource


class Decision(Told):
    fate: Literal["accepted", "dismissed", "open"] = Field(description="`open` takes a decision back.")


class Answer(Told):
    answer: str = Field(max_length=100)


class Words(BaseModel):
    language: str
    languages: tuple[str, ...]
    words: dict[str, str]


def api_of(
    source: SnapshotSource,
    wordings: Wordings,
    offers: tuple[str, ...],
) -> APIRouter:
    router = APIRouter(prefix="/api")

    def wording(request: Request) -> PageWording:
        return wordings[language_of(request)]

    Speech = Annotated[PageWording, Depends(wording)]  # noqa: N806 - a type, made here because it closes over

    @router.get("/words", summary="The page's own words")
    def words(speech: Speech) -> Words:
        return Words(language=speech.language, languages=tuple(sorted(wordings)), words=page_words(speech))

    @router.get("/phone/words", summary="The words of the page that makes a phone the camera")
    def phone_words(speech: Speech) -> dict[str, str]:
        return words_of(speech, "web.phone.") | {"language": speech.language}

    @router.get(
        "/scene", summary="What does not change during a game: the table, the cards, how to draw them"
    )
    def scene(speech: Speech) -> Scene:
        return scene_of(source.kit, source.game, speech, offers)

    @router.get("/setup", summary="An example of a table that is set up, to show where everything belongs")
    def setup() -> tuple[ShownZone, ...]:
        return show_zones(example_setup(source.game))

    @router.get("/snapshot", summary="The newest snapshot, as `/api/live` sends it")
    def snapshot(speech: Speech) -> ShownSnapshot:
        return show(source.snapshot(), speech)

    @router.get("/log", summary="All moves so far, in words")
    def log(speech: Speech) -> tuple[LogLine, ...]:
        return show_log(source.snapshot(), speech)

    @router.post("/zones/{zone}/correction", status_code=204, summary="Say what really lies in a zone")
    def correct(zone: Annotated[str, Path(max_length=60)], told: Correction) -> None:
        source.correct(told_zone(source.game, zone, told, source.snapshot().view))

    @router.post(
        "/findings/{finding}/fate", status_code=204, summary="Decide about a finding, or take that back"
    )
    def decide(finding: int, told: Decision) -> None:
        if all(shown.id != finding for shown in source.snapshot().findings):
            raise WebProblemError(404, "no-finding", id=finding)
        source.decide(finding, FindingFate(told.fate))

    @router.post("/undo", status_code=204, summary="Take the last move back")
    def undo() -> None:
        source.undo()

    @router.post("/end-phase", status_code=204, summary="Say that this phase is over")
    def end_phase() -> None:
        source.end_phase()

    @router.post("/questions/{question}/answer", status_code=204, summary="Answer the open question")
    def answer(question: int, told: Answer) -> None:
        asked = source.snapshot().question
        if asked is None or asked.id != question:
            raise WebProblemError(404, "no-question", id=question)
        if told.answer not in {word for word, _ in asked.answers}:
            raise WebProblemError(422, "no-answer", answer=told.answer)
        source.answer(question, told.answer)

    return router
