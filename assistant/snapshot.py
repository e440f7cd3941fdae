"""All that the tablet draws, in one numbered value: a reconnecting page needs no history."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from assistant.kit import Finding, Gauge, Message, Outcome
from vision.observation import CardSighting
from vision.table import TableView, ZoneId


class Certainty(Enum):
    """How we know what lies in a zone; drawn differently everywhere (solid, hatched, underlined)."""

    SEEN = "seen"
    THOUGHT = "thought"  # follows from the rules or from memory, not looked at just now
    HIDDEN = "hidden"  # covered or unreadable at this moment
    UNSURE = "unsure"  # seen, but the reading is in doubt
    TOLD = "told"  # the player said so


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneStatus:
    zone: ZoneId
    certainty: Certainty
    why: Message | None = None
    guesses: tuple[CardSighting, ...] = ()
    """What was read last, for the player who taps on the zone."""


class FindingFate(Enum):
    OPEN = "open"
    ACCEPTED = "accepted"  # "house rule", "the story said so"
    DISMISSED = "dismissed"
    MENDED = "mended"  # the table was put right


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFinding:
    id: int
    finding: Finding
    fate: FindingFate
    raised_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAction:
    number: int
    notation: str
    words: Message
    committed: bool
    """False while it may still be revised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A move half done on the table, and what is still missing."""

    doing: Message
    missing: tuple[Message, ...]
    zones: tuple[ZoneId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The one question that settles most; each answer is an observation told by the player."""

    id: int
    text: Message
    zone: ZoneId | None
    answers: tuple[tuple[str, Message], ...]


class CameraState(Enum):
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"
    NONE = "none"  # no camera: a simulated game


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus:
    state: CameraState
    frames_per_second: float
    registered: bool
    calm: bool
    why: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    number: int
    """Grows with every change; a page ignores what is older than what it shows."""
    game: str
    round: int
    phase: Message
    state: dict[str, Any]
    """The game's own encoding, for the views that know the game."""
    view: TableView
    zones: tuple[ZoneStatus, ...]
    progress: Progress | None
    checklist: tuple[tuple[Message, bool], ...]
    """What this phase asks for, and whether it is done."""
    findings: tuple[ShownFinding, ...]
    gauges: tuple[Gauge, ...]
    question: Question | None
    log: tuple[LoggedAction, ...]
    outcome: Outcome | None
    camera: CameraStatus
    trouble: Message | None = None
    """Why the game is not being saved just now."""
