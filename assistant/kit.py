"""What a game must offer so that the machinery can watch it, check it and advise: one value, `GameKit`."""

import random
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from vision.cards import CardId, CardPack
from vision.pack import PackRules
from vision.table import PieceKind, TableLayout, TableView, ZoneId

S = TypeVar("S")
A = TypeVar("A")

Value: TypeAlias = "str | int | float | Message"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence before it is put into a language: a key of the message files and its values."""

    key: str
    values: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, key: str, **values: Value) -> "Message":
        return cls(key, tuple(sorted(values.items())))


class Severity(Enum):
    NOTE = "note"
    WARNING = "warning"
    VIOLATION = "violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an action is not allowed: the rule and a sentence with the numbers in it."""

    rule: str
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something the player should know: a note, a warning or a broken rule."""

    rule: str
    severity: Severity
    message: Message
    zones: tuple[ZoneId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game ended."""

    won: bool | None
    """None where several played against each other: one of them won, the cause says who."""
    cause: str
    """A stable word such as `win` or `flood`, also the key of its sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """One thing to keep an eye on, such as the cards left before the Flood moves."""

    name: str
    severity: Severity | None
    """None while all is well."""
    message: Message
    values: Mapping[str, int | float | str | bool | None]
    rule: str = ""
    """The rule behind a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What is bound to happen, and how likely where a draw decides."""

    gauges: tuple[Gauge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake(Generic[S]):
    """A broken rule, and the position in which it leaves the table."""

    rule: str
    message: Message
    state: S
    zones: tuple[ZoneId, ...] = ()
    severity: Severity = Severity.VIOLATION
    doubt: float = 0.0
    """How much harder to believe than other mistakes (in nats)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch(Generic[S, A]):
    """What a game tells those who watch a real table. All of it may be left out: then plain ways are used."""

    candidates: Callable[[S, frozenset[CardId]], tuple[tuple[A, float], ...]] | None = None
    """Actions worth trying while these cards are in sight, and how much it takes to believe each.

    Luck is narrowed to cards in sight and to the card that nobody could read; unread cards may get names.
    """
    mistakes: Callable[[S], tuple[Mistake[S], ...]] = lambda _state: ()
    """What people get wrong here: each broken rule that could have been broken just now."""
    notes: Callable[[S], tuple[Finding, ...]] = lambda _state: ()
    """What is easily forgotten although nothing is wrong."""
    checklist: Callable[[S], tuple[tuple[Message, bool], ...]] = lambda _state: ()
    """What the phase asks for, and whether it is done."""
    ending: Callable[[S], A | None] = lambda _state: None
    """The action that a tap on "done" stands for: it ends a phase, or what nobody can see."""
    is_owed: Callable[[S, A], bool] = lambda _state, _action: False
    """Whether this is to be taken now: found later, it was taken at once and only overlooked."""
    resume: Callable[[S, int], S] = lambda state, _round: state
    """A game met in the middle: the position, open for decisions in this round."""
    setup: tuple[tuple[Message, tuple[ZoneId, ...]], ...] = ()
    """The set-up item by item: what it is, and the zones that show it."""
    zone_name: Callable[[ZoneId], Message] = lambda zone: Message.of("zone.plain", zone=zone)
    piece_name: Callable[[PieceKind, int], Message] = lambda kind, n: Message.of(
        "piece.plain", kind=kind, n=n
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal(Generic[A]):
    """Something that a player may want to do this round."""

    name: str
    """Stable, such as `canal` or `attack-7`."""
    message: Message
    """What it is, in words that follow "this round:"."""
    reached: Callable[[A], bool]
    """Whether this action does it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advising(Generic[S, A]):
    """What a game tells its advisor. Only what a player may know goes into any of it."""

    worth: Callable[[S], float]
    """How good a position feels, in any unit: a search looks first at what feels good."""
    outlook: Callable[[S], float]
    """The chance to win, roughly, at the beginning of a round."""
    told: Callable[[float], float] = lambda chance: chance
    """What is told for a chance of the samples: they go on by a policy, followed advice does better."""
    same: Callable[[S], Hashable] = lambda state: state
    """Positions with the same answer differ in nothing that matters, such as the order of open piles."""
    goals: Callable[[S], tuple[Goal[A], ...]] = lambda _state: ()
    """What is worth reaching this round, the most important first."""
    because: Callable[[S, S], tuple[Message, ...]] = lambda _before, _after: ()
    """Facts that speak for going from one position to the other."""
    nudges: Callable[[S], tuple[Message, ...]] = lambda _state: ()
    """What a friend would point at without saying what to do."""
    losses: Callable[[str], Message] = lambda cause: Message.of("advise.lost", cause=cause)
    """How a game is lost, in words that follow "you lose"."""
    policy: str = "greedy"
    """Which of the game's policies plays on where the search ends: fast, and good for that."""
    mine: Callable[[A], bool] = lambda _action: True
    """Whether this is decided by whoever is advised; where several play, the others decide for themselves."""
    won: Callable[[S, Outcome], float] = lambda _state, outcome: float(bool(outcome.won))
    """What an ended game is worth to whoever is advised: 1 for a win, 0 for a loss."""
    silent: Callable[[S], Message | None] = lambda _state: None
    """Why nothing can be advised although something is to be decided, such as a hand that nobody named."""
    known: Callable[[S], S] = lambda state: state
    """The position with nothing in it that whoever is advised may not know."""
    viewed: "Callable[[S], Advising[S, A]] | None" = None
    """Where several play: the same for whoever is advised in this position."""

    def at(self, state: S) -> "Advising[S, A]":
        return self if self.viewed is None else self.viewed(state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A]):
    """A kit bound to one player's cards and board: everything that can be asked about its states."""

    initial: Callable[[], S]
    legal_actions: Callable[[S], tuple[A, ...]]
    """Everything allowed now, decisions and chance alike."""
    chance: Callable[[S], tuple[tuple[A, float], ...]]
    """Those legal actions that nobody chooses (a revealed card), with probabilities that sum to 1."""
    refusal: Callable[[S, A], Refusal | None]
    """Why this action is not legal here; None where it is."""
    apply: Callable[[S, A], S]
    """The state after a legal action. Does not judge: ask `refusal` first."""
    outcome: Callable[[S], Outcome | None]
    causes: tuple[str, ...]
    """Every word that an outcome's cause can be."""
    round: Callable[[S], int]
    phase: Callable[[S], Message]
    """Where in the round we are, in words."""
    view: Callable[[S], TableView]
    adopt: Callable[[S, TableView], S]
    """The state that takes the table at its word, keeping from the old one what cannot be seen."""
    check: Callable[[S], tuple[Finding, ...]]
    """What is wrong with any position, whoever made it."""
    forecast: Callable[[S], Forecast]
    encode: Callable[[S], dict[str, Any]]
    """Plain JSON values."""
    decode: Callable[[Mapping[str, Any]], S]
    format: Callable[[A], str]
    """The notation of an action, one line that a person can read and type."""
    parse: Callable[[str], A]
    describe: Callable[[A], Message]
    """The action in words."""
    layout: TableLayout
    pack: CardPack
    policies: Mapping[str, "Policy"]
    """Players for simulations, by name; every game has `random` and `greedy`."""
    watch: Watch[S, A] = field(default_factory=Watch)
    on_page: TableLayout | None = None
    """The same zones as the page lays them; None where they lie as on the table."""
    advising: Advising[S, A] | None = None
    """None where nobody has taught the advisor this game: then it says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPage:
    """Where a campaign stands, for the player: nothing that they have not met yet."""

    wins: int
    losses: int
    most: int
    """How many wins or losses end it."""
    over: bool
    added: tuple[str, ...]
    """Cards that the story brought in; story cards by their stone numbers only."""
    history: tuple[str, ...]
    """Cards that are out for the rest of the campaign."""
    story_left: int
    """How many cards of the Story Deck nobody has met."""
    to_do: Message | None = None
    """What must happen before the next game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignKit:
    """A game whose games hang together: what stays from one to the next."""

    new: Callable[[CardPack], Any]
    finished: Callable[[CardPack, Any, Any], Any]
    """The campaign after a game that ended in the given state."""
    may_turn: Callable[[CardPack, Any], tuple[CardId, ...]]
    """The cards one of which must be turned over before the next game; none where nothing is due."""
    turn: Callable[[CardPack, Any, CardId], tuple[Any, int | None]]
    """The campaign after that card was turned over and read out, and the entry that it names."""
    page: Callable[[CardPack, Any], CampaignPage]
    encode: Callable[[Any], dict[str, Any]]
    decode: Callable[[Mapping[str, Any]], Any]


class Bind(Protocol):
    """Makes the game of one player's copy: their cards, and what they confirmed about their board."""

    def __call__(self, pack: CardPack, confirmed: Mapping[str, str] = ...) -> Game[Any, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKit:
    """A game as the machinery finds it: its name, and how to bind it to a pack and a board."""

    name: str
    title: Message
    demo_pack: Callable[[], CardPack]
    bind: "Bind"
    pack_rules: PackRules
    """What a pack of this game may hold, so that a player's own pack can be read."""
    messages: Path
    """The folder of this game's message files."""
    campaign: CampaignKit | None = None
    """None where every game stands alone."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """How a game may be played, such as the number of players: values by name, the usual one first.

    `bind` takes a choice among its confirmed facts; a saved state repeats it under `settings`.
    """

    @property
    def folder(self) -> Path:
        """Where the game's own files are: how its cards, board and pieces are drawn."""
        return self.messages.parent


Policy: TypeAlias = Callable[[Any, "Dice"], Any]
"""Chooses one of the legal actions of a state; never looks at what a player may not know."""


class Dice:
    """Seeded luck for simulations; kept apart so that every game can be repeated."""

    __slots__ = ("_random",)

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choice(self, options: tuple[A, ...]) -> A:
        return options[int(self._random.random() * len(options))]

    def weighted(self, options: tuple[tuple[A, float], ...]) -> A:
        roll = self._random.random() * sum(weight for _, weight in options)
        for option, weight in options:
            roll -= weight
            if roll < 0:
                return option
        return options[-1][0]
