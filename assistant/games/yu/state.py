"""One position of a game of Legacy of Yu: everything on the table, and nothing a player cannot know."""

from enum import Enum
from typing import Any, NamedTuple

from assistant.facedown import Cards, Slots
from assistant.games.yu.pieces import NONE, TOTALS, Pieces
from vision.cards import CardId, Item

ROW = 7
SECTIONS = 6
OFF_BOARD = 0


class Phase(Enum):
    SETUP = "setup"
    HARVEST = "harvest"
    ACTIONS = "actions"
    RETURN_BARGE = "return-barge"
    ATTACKS = "attacks"
    REFRESH = "refresh"


class Result(Enum):
    WIN = "win"
    FLOOD = "flood"
    BARBARIANS = "barbarians"
    DAMAGE = "damage"


class StepKind(Enum):
    """What is still to be resolved, one thing at a time (Y-G7)."""

    GAIN = "gain"  # one piece; argument: its index
    CHOOSE = "choose"  # one piece of several kinds; argument: their indices
    RETURN = "return"  # Workers come back from the Hut spaces (Y-H2)
    DRAW = "draw"  # from Ready to the hand
    DRAW_PILE = "draw-pile"  # from the Townsfolk Draw Pile to the hand
    DESTROY = "destroy"  # from Ready to the Townsfolk Discard
    EXHAUST = "exhaust"  # a card from the hand
    FLOOD = "flood"
    STORY = "story"  # argument: number of the entry
    REVEAL_TOWNSFOLK = "reveal-townsfolk"  # argument: row space
    REVEAL_BARBARIAN = "reveal-barbarian"  # argument: row space
    DEAL_CANAL = "deal-canal"  # argument: river space
    FLIP_HUT = "flip-hut"  # argument: which Hut card

    __hash__ = object.__hash__  # as for verbs: much faster


class Step(NamedTuple):
    kind: StepKind
    argument: Any = None


class Story(NamedTuple):
    """An entry of the Story Book that is being followed."""

    entry: int
    done: int
    """How many of the entry's effects, where our book knows them, were carried out."""


class FoodUse(NamedTuple):
    """What the story made of a food icon (Y-A4)."""

    food: str
    items: tuple[Item, ...]


class StoryCard(NamedTuple):
    stone: int
    stays: bool
    """Whether it stays in play for the games to come."""


class State(NamedTuple):
    """Spaces, sites and slots are counted from 1 in rules and notation, from 0 in these tuples.

    A named tuple, not a dataclass: copies, comparisons and hashes are several times faster, and a
    search makes millions of them.
    """

    round: int = 0
    phase: Phase = Phase.SETUP
    result: Result | None = None
    supply: Pieces = NONE
    main: Pieces = TOTALS
    hand: Cards = ()
    ready: Slots = ()
    exhausted: Cards = ()
    draw: Slots = ()
    discard: Cards = ()
    barbarian_draw: Slots = ()
    barbarian_discard: Cards = ()
    row: tuple[CardId | None, ...] = (None,) * ROW
    canal: tuple[CardId | None, ...] = (None,) * SECTIONS
    """None: built (or, during set-up, not dealt yet)."""
    barge: int = OFF_BOARD
    flood: int = 0
    tucked: tuple[CardId | None, ...] = (None,) * 5
    farms: tuple[bool, ...] = (False,) * 3
    outposts: tuple[bool, ...] = (False,) * 4
    huts: int = 0
    sites: tuple[str | None, ...] = (None,) * 9
    """Which building stands on each site, such as `farm-1`."""
    circles: tuple[int | None, ...] = (None,) * 5
    """Which Worker, by index, sits on each Hut space."""
    hut_cards: Cards = ()
    """The Hut cards nobody has seen: four face down on the board at first, the others in the box."""
    canal_groups: tuple[Cards, ...] = ((), (), ())
    mixes: tuple[Cards, ...] = ()
    """Sets of cards whose members are known and whose places are not; sorted."""
    pending: tuple[Step, ...] = ()
    """What must be resolved now, first things first."""
    harvest: tuple[Step, ...] = ()
    """What this Harvest still owes; the player chooses the order (Y-H4)."""
    attackers: tuple[int, ...] = ()
    """Row spaces of the Barbarians that have not attacked yet in this phase."""
    built_this_round: bool = False
    story_cards: tuple[StoryCard, ...] = ()
    food: tuple[FoodUse, ...] = ()
    box: Cards = ()
    """Cards out for the rest of this game."""
    history: Cards = ()
    """Cards out for the rest of the campaign (Y-Z4)."""

    def but(self, **changes: Any) -> "State":
        """The same state with some fields changed."""
        values = list(self)
        for name, value in changes.items():
            values[_INDEX[name]] = value
        return tuple.__new__(State, values)


_INDEX = {name: index for index, name in enumerate(State._fields)}
