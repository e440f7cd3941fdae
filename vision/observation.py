"""What was seen on the table, zone by zone, with its doubts."""

from dataclasses import dataclass, replace
from enum import Enum

from vision.cards import CardId, CardKind, ItemKind
from vision.table import PieceKind, ZoneId


class Sight(Enum):
    """Whether a zone could be looked at just now. Only SEEN is evidence."""

    SEEN = "seen"
    HIDDEN = "hidden"  # a hand or an object covers it
    MOVING = "moving"  # something changes there right now
    UNREADABLE = "unreadable"  # in view, but glare, blur or darkness forbids a reading


class Look(Enum):
    """What a place for a card can show."""

    EMPTY = "empty"
    BACK = "back"
    FRONT = "front"


@dataclass(frozen=True, slots=True)
class Guess:
    """One possible answer and its probability; FRONT without a card is a card outside the pack."""

    look: Look
    card: CardId | None
    p: float


@dataclass(frozen=True, slots=True)
class ItemReading:
    kind: ItemKind
    count: int
    number: int | None
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldReading:
    name: str
    items: tuple[ItemReading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReading:
    """What is printed on one card, before anyone asks which card of the pack it is."""

    kind: CardKind | None
    kind_p: float
    fields: tuple[FieldReading, ...]
    stone: int | None
    stone_p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSighting:
    guesses: tuple[Guess, ...]
    """Ranked, probabilities sum to 1."""
    reading: CardReading | None = None
    quad: tuple[tuple[float, float], ...] = ()
    """Corners in frame pixels: top left, top right, bottom right, bottom left of the card."""

    @property
    def seems_none(self) -> bool:
        return not self.guesses or self.guesses[0].look is Look.EMPTY


@dataclass(frozen=True, slots=True)
class CountSighting:
    """How many pieces of one kind: a distribution over counts, most likely first."""

    kind: PieceKind
    counts: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class DoubtfulPiece:
    """One piece of which nobody knows the kind: it counts for each kind by its chance, but is only one."""

    kinds: tuple[tuple[PieceKind, float], ...]
    """Likeliest first; what is missing to 1 is the chance that it is none of them, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneSighting:
    zone: ZoneId
    sight: Sight
    cards: tuple[CardSighting, ...] = ()
    """One sighting (of the top card, or of emptiness) for a place or pile; any number in a spread."""
    height: tuple[tuple[int, float], ...] = ()
    """For piles: how many cards, as a distribution; empty where it cannot be told."""
    pieces: tuple[CountSighting, ...] = ()
    doubtful: tuple[DoubtfulPiece, ...] = ()
    """Which of the pieces that were counted may be of another kind."""
    why: str | None = None
    """For HIDDEN and UNREADABLE: a message key such as `sight.glare`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    index: int
    seen_at: float
    registered: bool
    """False while nobody knows where the board is: then there are no zones."""
    calm: bool
    """No zone is moving and no hand is over the table."""
    zones: tuple[ZoneSighting, ...]
    looking: bool = False
    """What lies here was looked at once or twice so far: another look may tell it otherwise."""

    def says_the_same_as(self, other: "Observation") -> bool:
        """Whether both say the same, at whatever time."""
        return replace(self, index=other.index, seen_at=other.seen_at) == other
