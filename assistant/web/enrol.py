"""Taking in one's own cards on the page: a photograph, or what the table's camera sees, read into a form."""

from typing import TYPE_CHECKING, Annotated, Final, Protocol

import anyio.to_thread
from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from assistant.sight import CameraView
from assistant.web.camera import JPEG
from assistant.web.cards import ShownFacts, ToldFacts, gaps_of, show_facts, told_facts
from assistant.web.problem import WebProblemError
from assistant.web.shown import Shown
from assistant.web.source import SnapshotSource
from vision.cards import CardFacts, CardId, CardKind, CardPack
from vision.errors import PackError

if TYPE_CHECKING:
    from assistant.enrolling import Draft  # the server itself opens no picture: it starts without that

PICTURES: Final = "/api/cards/shown"
"""Where photographs are sent: the one address that takes more than a few words."""
MOST_PICTURE: Final = 6 * 2**20

ID: Final = r"^[a-z0-9]+(-[a-z0-9]+)*$"


class TakesCards(Protocol):
    """`assistant.enrolling.CardsShown`, as far as the server needs it."""

    def look(self, picture: bytes, *, lying: tuple[CardKind, ...] = ()) -> "Draft": ...

    def draft(self, number: int) -> "Draft | None": ...

    def jpeg(self, number: int) -> bytes | None: ...

    def take(self, draft: "Draft", facts: CardFacts) -> CardFacts: ...

    def pack(self) -> CardPack: ...


class ShownMatch(Shown):
    card: str
    p: float


class ShownDraft(Shown):
    """A card that was shown: what was read, to be confirmed."""

    number: int
    card: ShownFacts = Field(description="As a new card of the pack.")
    unsure: tuple[str, ...] = Field(description="Fields that could not be read well.")
    guesses: tuple[ShownMatch, ...] = Field(description="Cards of the pack that it may be.")
    sharp: bool = Field(description="Good enough for the camera to know the card by.")


class ToldCard(ToldFacts):
    """The card as the player leaves it."""

    card: str = Field(max_length=64, pattern=ID, description="One of the pack, or a new name.")
    kind: str = Field(max_length=40)


def enrol_routes(source: SnapshotSource, cards: TakesCards, camera: CameraView | None) -> APIRouter:
    rules = source.kit.pack_rules
    router = APIRouter(prefix=PICTURES, tags=["cards"])

    @router.post("", summary="Show a card: a photograph (JPEG, PNG or WebP) as the request's body")
    async def photograph(request: Request) -> ShownDraft:
        picture = await request.body()
        return await anyio.to_thread.run_sync(lambda: _show(cards.look(picture)))

    @router.post("/camera", summary="Show a card to the table's camera: the largest in its picture")
    def held() -> ShownDraft:
        newest = camera.picture() if camera is not None else None
        if newest is None:
            raise WebProblemError(404, "no-picture")
        return _show(cards.look(newest.jpeg))

    @router.post("/zones/{zone}", summary="Take in the card that lies in a zone of the table")
    def lying(zone: Annotated[str, Path(max_length=60)]) -> ShownDraft:
        known = next((one for one in source.game.layout.zones if one.id == zone and one.cards), None)
        if known is None:
            raise WebProblemError(404, "no-zone", zone=zone)
        seen = camera.crop(known.id) if camera is not None else None
        if seen is None:
            raise WebProblemError(404, "no-picture")
        return _show(cards.look(seen, lying=known.cards))

    @router.get(
        "/{number}/picture",
        summary="The card that was shown, cut out",
        response_class=Response,
        responses={200: {"content": {JPEG: {}}}},
    )
    def picture(number: int) -> Response:
        seen = cards.jpeg(number)
        if seen is None:
            raise WebProblemError(404, "no-draft")
        return Response(seen, media_type=JPEG, headers={"Cache-Control": "no-store"})

    @router.post("/{number}/taken", summary="Take the card in, as the player says that it is printed")
    def take(number: int, told: ToldCard) -> ShownFacts:
        draft = cards.draft(number)
        if draft is None:
            raise WebProblemError(404, "no-draft")
        known = cards.pack()
        kind = CardKind(told.kind)
        if kind not in rules.kinds:
            raise WebProblemError(422, "wrong-facts", reason=told.kind)
        card = CardId(told.card)
        old = known[card] if card in known else CardFacts(id=card, kind=kind)
        try:
            taken = cards.take(draft, told_facts(old, told, rules))
        except PackError as problem:
            raise WebProblemError(422, "wrong-facts", reason=str(problem)) from None
        return show_facts(taken, gaps_of(cards.pack(), rules))

    return router


def _show(draft: "Draft") -> ShownDraft:
    facts = draft.form.facts
    return ShownDraft(
        number=draft.number,
        card=show_facts(facts, {}),
        unsure=draft.form.unsure,
        guesses=tuple(ShownMatch(card=card, p=round(p, 3)) for card, p in draft.guesses),
        sharp=draft.sharp,
    )
