"""What an advisor may say about a position, in four strengths: never more than was asked for."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from assistant.kit import Message


class Strength(Enum):
    OFF = "off"
    NUDGE = "nudge"
    PLAN = "plan"
    BEST = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """The chance to win, and between which bounds it very likely lies."""

    p: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """One move worth making, and why."""

    notation: str
    words: Message
    because: tuple[Message, ...]
    win: Chance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What this round is for, and the actions in their order."""

    goals: tuple[Message, ...]
    steps: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Holds for one position; parts beyond the strength asked for are empty."""

    strength: Strength
    nudges: tuple[Message, ...] = ()
    plan: Plan | None = None
    moves: tuple[Advised, ...] = ()
    """The best one and up to two runners-up."""
    win: Chance | None = None
    warnings: tuple[Message, ...] = ()
    """What a search found out: "if you end the round now you lose in 38 % of the draws"."""
    thinking: bool = False
    """A better answer is on its way."""
    plain: Message | None = None
    """Why there is nothing to advise: the game is over, it is not the player's turn, the position is odd."""


class Adviser(Protocol):
    """Advice on the position of the running game. Every method may be called from any thread."""

    def ask(self, strength: Strength) -> Advice:
        """The best answer so far, at once; asking again gets the better one."""
