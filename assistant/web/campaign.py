"""The campaign on the page: where it stands without a spoiler, and what a player does between two games."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from assistant.record.book import CampaignBook
from assistant.record.campaigns import LONGEST_NOTE, StoredCampaign
from assistant.web.correction import Told
from assistant.web.naming import PageWording, Wordings
from assistant.web.problem import WebProblemError, language_of
from assistant.web.shown import Shown
from vision.cards import CardId


class CountedGame(Told):
    game: int = Field(ge=1, le=1 << 53, description="The number of a finished game.")


class TurnedCard(Told):
    card: str = Field(max_length=100)


class Written(Told):
    entry: int = Field(ge=1, le=9_999, description="The number of the story entry.")
    words: str = Field(min_length=1, max_length=LONGEST_NOTE)


class NamedCard(Shown):
    card: str
    name: str


class ShownNote(Shown):
    entry: int
    words: str
    at: float


class ShownCampaign(Shown):
    number: int
    wins: int
    losses: int
    most: int = Field(description="How many wins or losses end it.")
    over: bool
    to_do: str | None
    may_turn: tuple[NamedCard, ...] = Field(description="One of these is to be turned over now.")
    added: tuple[str, ...]
    history: tuple[str, ...]
    story_left: int
    games: tuple[int, ...]
    notes: tuple[ShownNote, ...]


def campaign_routes(book: CampaignBook, wordings: Wordings) -> APIRouter:
    router = APIRouter(prefix="/api/campaign", tags=["campaign"])

    def wording(request: Request) -> PageWording:
        return wordings[language_of(request)]

    def begun() -> StoredCampaign:
        stored = book.current()
        if stored is None:
            raise WebProblemError(404, "no-campaign")
        return stored

    Speech = Annotated[PageWording, Depends(wording)]  # noqa: N806 - a type that closes over
    Begun = Annotated[StoredCampaign, Depends(begun)]  # noqa: N806

    @router.get("", summary="Where the campaign stands; null before the first one")
    def campaign(speech: Speech) -> ShownCampaign | None:
        stored = book.current()
        return None if stored is None else _shown(book, stored, speech)

    @router.post("", summary="Begin a new campaign")
    def begin(speech: Speech) -> ShownCampaign:
        return _shown(book, book.begin(), speech)

    @router.post("/games", summary="Count a finished game")
    def count(told: CountedGame, stored: Begun, speech: Speech) -> ShownCampaign:
        return _shown(book, book.count(stored, str(told.game)), speech)

    @router.post("/turned", summary="Say which card was turned over after a game")
    def turn(told: TurnedCard, stored: Begun, speech: Speech) -> ShownCampaign:
        after, _entry = book.turn(stored, told.card)
        return _shown(book, after, speech)

    @router.post("/notes", summary="Keep a note about a story entry")
    def note(told: Written, stored: Begun, speech: Speech) -> ShownCampaign:
        return _shown(book, book.note(stored, told.entry, told.words), speech)

    return router


def _shown(book: CampaignBook, stored: StoredCampaign, wording: PageWording) -> ShownCampaign:
    def named(card: str) -> str:
        return wording.names.get(CardId(card), card)

    page = book.page(stored)
    return ShownCampaign(
        number=stored.number,
        wins=page.wins,
        losses=page.losses,
        most=page.most,
        over=page.over,
        to_do=None if page.to_do is None else wording.say(page.to_do),
        may_turn=tuple(NamedCard(card=card, name=named(card)) for card in book.may_turn(stored)),
        added=tuple(map(named, page.added)),
        history=tuple(map(named, page.history)),
        story_left=page.story_left,
        games=stored.games,
        notes=tuple(ShownNote(entry=note.story_entry, words=note.words, at=note.at) for note in stored.notes),
    )
