"""A compact text for every action that a person can read and type; parsing and formatting are exact twins."""

import re

from assistant.errors import FloodwatchError
from assistant.games.yro.actions import Action, Verb
from assistant.games.yro.state import NO_COINS, SIDE
from vision.cards import CardId

SHAPES: dict[Verb, str] = {
    Verb.DRAW: "player card",
    Verb.QUEST: "at card",
    Verb.THREAT: "card",
    Verb.SHUFFLE: "",
    Verb.FORCE: "player",
    Verb.SPOILS: "player",
    Verb.PRODUCE: "player",
    Verb.INCOME: "player",
    Verb.SCORE: "player",
    Verb.CLAIM: "player at",
    Verb.CONVERT: "player",
    Verb.DISCARD: "player card",
    Verb.KEEP: "player",
    Verb.PICK: "player card",
    Verb.CHOOSE: "player cards",
    Verb.RECRUIT: "player",
    Verb.PLACE: "player card row column",
    Verb.CHANGE: "player coins",
    Verb.NAME: "player card row column",
}
"""For each verb, what follows it: `place 2 spore-mage 1 3` is player 2, row 1, column 3.

A card that is named where it was revealed, not in a cell, has row and column 0."""

LONGEST = 400
_CARD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*|\?(a\d{0,4}|q)?")
NOTHING = "nothing"


class NotationError(FloodwatchError):
    """A text that is not an action; the message shows the text and what was expected."""


def format_action(action: Action) -> str:
    """The action as one line, such as `choose 1 spore-mage`."""
    parts = [action.verb.value]
    for part in SHAPES[action.verb].split():
        if part == "player":
            parts.append(str(action.player))
        elif part == "at":
            parts.append(str(action.at))
        elif part == "row":
            parts.append(str(action.at // 10))
        elif part == "column":
            parts.append(str(action.at % 10))
        elif part == "coins":
            parts += map(str, action.coins)
        else:
            parts += action.cards or (NOTHING,)
    return " ".join(parts)


def parse_action(text: str) -> Action:
    """The action that a text stands for."""
    if len(text) > LONGEST:
        raise NotationError(f"An action has at most {LONGEST} characters, this text has {len(text)}.")
    word, *rest = text.lower().split() or [""]
    try:
        verb = Verb(word)
    except ValueError:
        known = ", ".join(known.value for known in Verb)
        raise NotationError(f"{text!r} is not an action: it must begin with one of {known}.") from None
    action = Action(verb)
    for part in SHAPES[verb].split():
        if not rest:
            raise NotationError(f"{text!r} ends too early: expected {usage(verb)}.")
        try:
            action, rest = _read(part, action, rest)
        except ValueError as problem:
            raise NotationError(f"In {text!r}: {problem}.") from None
    if rest:
        raise NotationError(
            f"In {text!r}: nothing should follow before {' '.join(rest)!r}; expected {usage(verb)}."
        )
    return action


def _read(part: str, action: Action, rest: list[str]) -> tuple[Action, list[str]]:
    if part == "player":
        return action._replace(player=_number(rest[0])), rest[1:]
    if part == "at":
        return action._replace(at=_number(rest[0])), rest[1:]
    if part == "row":
        return action._replace(at=10 * _number(rest[0])), rest[1:]
    if part == "column":
        return action._replace(at=action.at + _number(rest[0])), rest[1:]
    if part == "coins":
        if len(rest) < 3:
            raise ValueError("expected how many coins of 1, 3 and 6")
        ones, threes, sixes = map(_number, rest[:3])
        return action._replace(coins=(ones, threes, sixes)), rest[3:]
    if part == "card":
        return action._replace(cards=(_card(rest[0]),)), rest[1:]
    cards = () if rest == [NOTHING] else tuple(map(_card, rest))
    return action._replace(cards=cards), []


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise ValueError(f"expected a number, found {word!r}")
    return int(word)


def _card(word: str) -> CardId:
    if not _CARD.fullmatch(word) or word == NOTHING:
        raise ValueError(f"expected a card, found {word!r}")
    return CardId(word)


def usage(verb: Verb) -> str:
    """How an action of this verb is written, such as `place PLAYER CARD ROW COLUMN`."""
    shown = {"at": "NUMBER", "cards": "CARDS or nothing", "coins": "ONES THREES SIXES"}
    return " ".join([verb.value, *(shown.get(part, part.upper()) for part in SHAPES[verb].split())])


def is_complete(action: Action) -> bool:
    """Whether the action has what its verb asks for and nothing else, as every parsed action has."""
    parts = SHAPES[action.verb].split()
    return (
        (action.player > 0) == ("player" in parts)
        and ("cards" in parts or len(action.cards) == ("card" in parts))
        and _place_fits(action, parts)
        and len(action.coins) == 3
        and min(action.coins) >= 0
        and ("coins" in parts or action.coins == NO_COINS)
    )


def _place_fits(action: Action, parts: list[str]) -> bool:
    if "row" in parts:
        return 0 <= action.at // 10 <= SIDE + 1 and 0 <= action.at % 10 <= SIDE + 1
    return 0 < action.at < 1000 if "at" in parts else action.at == 0
