"""Everything that can happen in Legacy of Yu, by a player's choice or by chance, as plain values."""

from enum import Enum
from functools import cache
from typing import NamedTuple

from assistant.games.yu.pieces import NO_WORKERS, Workers
from vision.cards import CardId, Item


class Verb(Enum):
    # chance: a card is seen
    DRAW = "draw"
    DRAW_PILE = "draw-pile"
    DESTROY = "destroy"
    REVEAL = "reveal"
    DEAL = "deal"
    FLIP = "flip"
    # consequences that the player carries out
    SHUFFLE = "shuffle"
    TAKE = "take"
    COLLECT = "collect"
    RETURN = "return"
    SKIP = "skip"
    EXHAUST = "exhaust"
    # cards in hand
    PLAY = "play"
    DISCARD = "discard"
    TUCK = "tuck"
    FOOD = "food"
    # the board
    CANAL = "canal"
    ATTACK = "attack"
    RECRUIT = "recruit"
    DISMISS = "dismiss"
    FARM = "farm"
    OUTPOST = "outpost"
    HUT = "hut"
    USE = "use"
    TRADE = "trade"
    # the round
    END = "end"
    BARGE = "barge"
    BRIBE = "bribe"
    SUFFER = "suffer"
    # what the Story Book tells
    STORY_GAIN = "story gain"
    STORY_LOSE = "story lose"
    STORY_MOVE = "story move"
    STORY_PLAY = "story play"
    STORY_DROP = "story drop"
    STORY_FOOD = "story food"
    STORY_END = "story end"
    # a card that lay there unrecognised gets its name
    NAME = "name"

    __hash__ = object.__hash__
    """Enum's own hash is Python code, and a tenth of all the time of a search."""


CHANCE = frozenset({Verb.DRAW, Verb.DRAW_PILE, Verb.DESTROY, Verb.REVEAL, Verb.DEAL, Verb.FLIP})
STORY = frozenset(verb for verb in Verb if verb.value.startswith("story "))


class Action(NamedTuple):
    """One action; which fields count depends on the verb (see `notation`)."""

    verb: Verb
    card: CardId | None = None
    at: int = 0
    """A row space, river space, building, tuck slot, Hut space or trade, counted from 1."""
    to: int = 0
    """A build site, counted from 1."""
    pay: Workers = NO_WORKERS
    """The Workers spent, or the one that sits down on a Hut space."""
    piece: int | None = None
    """The piece taken or, in some trades, spent."""
    items: tuple[Item, ...] = ()
    words: tuple[str, ...] = ()


@cache
def action(verb: Verb, card: CardId | None = None, at: int = 0, piece: int | None = None) -> Action:
    """The common actions, made once: lists of legal actions are written millions of times in a search."""
    return Action(verb, card, at, piece=piece)
