"""Everything that can happen in YRO, by a player's choice or by chance, as plain values."""

from enum import Enum
from functools import cache
from typing import NamedTuple

from assistant.facedown import Cards
from assistant.games.yro.state import NO_COINS, Coins


class Verb(Enum):
    # chance: a card is seen, or at least taken
    DRAW = "draw"
    QUEST = "quest"
    THREAT = "threat"
    # consequences that the players carry out
    SHUFFLE = "shuffle"
    FORCE = "force"
    SPOILS = "spoils"
    PRODUCE = "produce"
    INCOME = "income"
    SCORE = "score"
    CLAIM = "claim"
    CONVERT = "convert"
    # decisions
    DISCARD = "discard"
    KEEP = "keep"
    PICK = "pick"
    CHOOSE = "choose"
    RECRUIT = "recruit"
    PLACE = "place"
    # allowed at any time, and never of any weight
    CHANGE = "change"
    NAME = "name"  # a card that lay there unread gets its name

    __hash__ = object.__hash__
    """Enum's own hash is Python code, and a search asks for it all the time."""


CHANCE = frozenset({Verb.DRAW, Verb.QUEST, Verb.THREAT})


class Action(NamedTuple):
    """One action; which fields count depends on the verb (see `notation`)."""

    verb: Verb
    player: int = 0
    """Counted from 1; 0 where nobody in particular acts."""
    cards: Cards = ()
    at: int = 0
    """A quest's place, or a cell: ten times its row plus its column, 0 and 4 being outside the nine."""
    coins: Coins = NO_COINS
    """What a player holds after changing money."""


@cache
def action(verb: Verb, player: int = 0, cards: Cards = (), at: int = 0) -> Action:
    """The common actions, made once: lists of legal actions are written thousands of times a second."""
    return Action(verb, player, cards, at)
