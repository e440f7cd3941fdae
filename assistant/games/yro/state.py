"""One position of a game of YRO: what lies on the table and in hands, and nothing that nobody can know."""

from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from assistant.facedown import Cards, Slots
from vision.cards import CardId

HAND = 5
SIDE = 3
CELLS = SIDE * SIDE
FORCE_SPACES = 20
VP_SPACES = 40
END_VP = 40

Grid: TypeAlias = tuple[CardId | None, ...]
"""Nine cells, row by row from the front; what counts is how cards lie to each other."""
Coins: TypeAlias = tuple[int, int, int]
"""How many coins of 1, 3 and 6."""

NO_GRID: Grid = (None,) * CELLS
NO_COINS: Coins = (0, 0, 0)


class Phase(Enum):
    SETUP = "setup"
    DRAW = "draw"
    DRAFT = "draft"
    CHOOSE = "choose"
    RECRUIT = "recruit"
    COMBAT = "combat"
    SPOILS = "spoils"
    PRODUCTION = "production"
    INCOME = "income"
    VP = "vp"
    FINAL = "final"

    __hash__ = object.__hash__
    """Enum's own hash is Python code, and a search asks for it all the time."""


class Result(Enum):
    WIN_1 = "win-1"
    WIN_2 = "win-2"
    WIN_3 = "win-3"
    WIN_4 = "win-4"
    WIN_5 = "win-5"
    SHARED = "shared"
    SOLO = "solo"
    OVERRUN = "overrun"


class StepKind(Enum):
    """What luck still has to show, one card at a time."""

    DRAW = "draw"  # argument: the player
    QUEST = "quest"  # argument: the place
    THREAT = "threat"

    __hash__ = object.__hash__


class Step(NamedTuple):
    kind: StepKind
    argument: int = 0


class Player(NamedTuple):
    """Players are numbered from 1 in rules and notation, from 0 in tuples."""

    hand: Cards = ()
    """Held so that nobody else sees them; a card that nobody has read remembers its mix."""
    drafted: Cards = ()
    chosen: Cards = ()
    """Face down in front of the player."""
    placing: Cards = ()
    """Revealed, not yet in the grid."""
    budget: int = 0
    """The coins held when the cards were revealed: what comes in later pays for none of them."""
    discount: int = 0
    grid: Grid = NO_GRID
    coins: Coins = NO_COINS
    tech: int = 0
    magic: int = 0
    force: int = 0
    vp: int = 0
    last: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
    """What the last card of this phase cost, what its Recruit effect gave and what its lines gave."""


class State(NamedTuple):
    """A named tuple, not a dataclass: copies, comparisons and hashes are several times faster."""

    round: int = 0
    phase: Phase = Phase.SETUP
    result: Result | None = None
    players: tuple[Player, ...] = ()
    bank: Coins = NO_COINS
    deck: Slots = ()
    discard: Cards = ()
    """Discarded in earlier rounds; these are shuffled first when the deck is empty."""
    fresh: Cards = ()
    """Discarded in this round."""
    mixes: tuple[Cards, ...] = ()
    """Sets of cards whose members are known and whose places are not; sorted."""
    pending: tuple[Step, ...] = ()
    todo: tuple[int, ...] = ()
    """The players who have still to act in this phase, in any order."""
    due: tuple[int, ...] = ()
    """What the Combat of this round brings each player, in VP (R-B2)."""
    quests: tuple[CardId | None, ...] = ()
    """Face up until somebody meets them, then turned over: None."""
    quest_deck: Cards = ()
    claims: tuple[tuple[int, int], ...] = ()
    """Player and quest: met in this phase, not yet paid."""
    threat: Cards = ()
    """Solo: the cards revealed so far."""

    def but(self, **changes: Any) -> "State":
        """The same state with some fields changed."""
        values = list(self)
        for name, value in changes.items():
            values[_INDEX[name]] = value
        return tuple.__new__(State, values)

    def with_player(self, number: int, player: Player, **changes: Any) -> "State":
        players = self.players
        return self.but(players=(*players[: number - 1], player, *players[number:]), **changes)


_INDEX = {name: index for index, name in enumerate(State._fields)}
_PLAYER_INDEX = {name: index for index, name in enumerate(Player._fields)}


def changed(player: Player, **changes: Any) -> Player:
    """The same player with some fields changed; quicker than `_replace`."""
    values = list(player)
    for name, value in changes.items():
        values[_PLAYER_INDEX[name]] = value
    return tuple.__new__(Player, values)
