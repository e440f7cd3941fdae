"""A campaign as plain JSON values and back; a damaged text is refused with one sentence."""

from collections.abc import Mapping
from typing import Any

from assistant.facedown import Cards
from assistant.games.yu.campaign import LAST, Campaign
from assistant.games.yu.codec import StateError
from assistant.games.yu.setup import GROUPS, Decks
from assistant.games.yu.state import FoodUse, Result, StoryCard
from vision.cards import CardId, format_items, parse_items

FORMAT = 1
MOST_CARDS = 2_000


def encode_campaign(campaign: Campaign) -> dict[str, Any]:
    decks = campaign.decks
    return {
        "format": FORMAT,
        "decks": {
            "townsfolk": list(decks.townsfolk),
            "barbarians": list(decks.barbarians),
            "canals": [list(group) for group in decks.canals],
            "huts": list(decks.huts),
            "story_cards": [list(card) for card in decks.story_cards],
            "food": [[use.food, format_items(use.items)] for use in decks.food],
        },
        "victory": list(campaign.victory),
        "defeat": list(campaign.defeat),
        "story": list(campaign.story),
        "history": list(campaign.history),
        "flipped": list(campaign.flipped),
        "wins": campaign.wins,
        "losses": campaign.losses,
        "last": campaign.last.value if campaign.last else None,
    }


def decode_campaign(data: Mapping[str, Any]) -> Campaign:
    try:
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']!r}, this program reads {FORMAT}")
        return Campaign(
            decks=_decks(data["decks"]),
            victory=_cards(data["victory"]),
            defeat=_cards(data["defeat"]),
            story=_cards(data["story"]),
            history=_cards(data["history"]),
            flipped=_cards(data["flipped"]),
            wins=_score(data["wins"]),
            losses=_score(data["losses"]),
            last=None if data["last"] is None else Result(data["last"]),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise StateError(f"Expected a saved campaign, found {type(data).__name__}: {problem!r}.") from None


def _decks(data: Mapping[str, Any]) -> Decks:
    canals = tuple(_cards(group) for group in data["canals"])
    if len(canals) != len(GROUPS):
        raise ValueError(f"expected {len(GROUPS)} groups of Canal cards, found {len(canals)}")
    return Decks(
        townsfolk=_cards(data["townsfolk"]),
        barbarians=_cards(data["barbarians"]),
        canals=canals,
        huts=_cards(data["huts"]),
        story_cards=tuple(_story_card(*card) for card in data["story_cards"]),
        food=tuple(FoodUse(str(food), parse_items(items)) for food, items in data["food"]),
    )


def _cards(values: Any) -> Cards:
    if not isinstance(values, list) or len(values) > MOST_CARDS:
        raise ValueError("expected a list of cards")
    if not all(isinstance(value, str) and 0 < len(value) <= 80 for value in values):
        raise ValueError("expected short texts as cards")
    return tuple(CardId(value) for value in values)


def _score(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= LAST:
        raise ValueError(f"expected a number from 0 to {LAST}, found {value!r}")
    return value


def _story_card(stone: Any, stays: Any) -> StoryCard:
    if type(stone) is not int or type(stays) is not bool:
        raise ValueError("expected a stone and whether the card stays")
    return StoryCard(stone, stays)
