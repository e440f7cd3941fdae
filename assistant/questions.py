"""The one question that settles most, and what each of its answers means."""

from typing import Any

from assistant.events import Corrected, Event, Told, Word
from assistant.evidence import Evidence
from assistant.kit import Game, Message
from assistant.reconstruct import Line
from assistant.snapshot import Question
from vision.cards import CardId
from vision.observation import Look
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneKind, ZoneView

MOST_CARDS = 4
MOST_HEIGHT = 20
KEEP, TABLE = "keep", "table"


def ask(game: Game[Any, Any], line: Line, evidence: Evidence, number: int) -> Question | None:
    """About the zone that speaks most clearly against the position: which card, or who is right."""
    zones = evidence.contradicted(line.view)[:3]
    if not zones:
        return None
    zone = zones[0]
    spread = game.layout.zone(zone).kind is ZoneKind.SPREAD
    cards = [] if spread else _cards(evidence, zone)
    answers = [(f"card {card}", Message.of("question.card", card=card)) for card in cards]
    answers += [(TABLE, Message.of("question.table")), (KEEP, Message.of("question.keep"))]
    names = [game.watch.zone_name(each) for each in zones]
    which = Message.of(f"question.differ-{len(names)}", **dict(zip("abc", names, strict=False)))
    key = "which-card" if len(answers) > 2 else "who-is-right"
    return Question(
        id=number,
        text=Message.of(f"question.{key}", zone=names[0], differ=which),
        zone=zone,
        answers=tuple(answers),
    )


def ask_height(game: Game[Any, Any], line: Line, evidence: Evidence, number: int) -> Question | None:
    """How many cards a face-down pile holds, where nobody could see it."""
    for zone in game.layout.zones:
        sighting = evidence.sighting(zone.id)
        if zone.kind is not ZoneKind.PILE or (sighting is not None and sighting.height):
            continue
        cards = line.view[zone.id].cards
        if cards and cards[-1].side is Side.DOWN:
            heights = [(f"height {n}", Message.of("question.number", n=n)) for n in range(MOST_HEIGHT + 1)]
            text = Message.of("question.height", zone=game.watch.zone_name(zone.id))
            return Question(id=number, text=text, zone=zone.id, answers=tuple(heights))
    return None


def answers_of(question: Question, view: TableView, at: float) -> dict[str, Event]:
    """Each answer as the event it stands for; a card that is named lies on top of what lay there."""
    events: dict[str, Event] = {}
    for choice, _ in question.answers:
        word, _, argument = choice.partition(" ")
        if word == "card" and question.zone is not None:
            below = view[question.zone].cards[:-1]
            told = ZoneView(zone=question.zone, cards=(*below, PlacedCard(CardId(argument))))
            events[choice] = Corrected(at=at, told=told)
        elif word == "height":
            events[choice] = Told(at=at, word=Word.HEIGHT, argument=f"{question.zone} {argument}")
        elif word == KEEP:
            events[choice] = Told(at=at, word=Word.KEEP, argument=str(question.zone))
        else:
            events[choice] = Told(at=at, word=Word.ADOPT)
    return events


def _cards(evidence: Evidence, zone: ZoneId) -> list[CardId]:
    sighting = evidence.sighting(zone)
    if sighting is None or not sighting.cards:
        return []
    guesses = sighting.cards[0].guesses
    return [guess.card for guess in guesses if guess.card is not None][:MOST_CARDS]


def lone_reading(zones: tuple[ZoneId, ...], view: TableView, evidence: Evidence) -> ZoneId | None:
    """The zone, if all that speaks against the view is one card that looks like another one."""
    if len(zones) != 1:
        return None
    sighting = evidence.sighting(zones[0])
    expected = view[zones[0]].cards
    if sighting is None or len(sighting.cards) != 1 or not expected or expected[-1].side is not Side.UP:
        return None
    guesses = sighting.cards[0].guesses
    return zones[0] if guesses and guesses[0].look is Look.FRONT else None
