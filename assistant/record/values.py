"""What a record holds: a header, numbered events, committed actions, findings, and an ending."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NewType

from assistant.kit import Finding, Message, Severity
from assistant.snapshot import FindingFate
from vision.cards import CardPack, format_items

RecordedId = NewType("RecordedId", int)
"""The number of a game in its record, as the player types it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """All that a later program needs to know to understand the events of a game."""

    game: str
    table: str
    """Which table of this household or club; one game at a time is played on each."""
    pack_name: str
    pack_hash: str
    board_hash: str | None = None
    model_hashes: Mapping[str, str] = field(default_factory=dict)
    profile_hash: str | None = None
    program: str
    started_at: float
    seed: str | None = None
    """For a simulated game: its luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvent:
    sequence: int
    at: float
    kind: str
    payload: Any
    """Plain JSON values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedAction:
    number: int
    """Counts from 1. A number that was used before takes back that action and all later ones."""
    round: int
    notation: str
    words: Message
    state: Mapping[str, Any]
    """The game's own encoding of the state after it."""
    at: float
    event: int = 0
    """The sequence number of the event that settled it; 0 where there is none."""
    crop: bytes | None = None
    """A small JPEG of the table just after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFinding:
    id: int
    """The session's number for it: a finding told again with another fate keeps its number."""
    after: int
    """The number of the last action before it."""
    finding: Finding
    fate: FindingFate
    at: float


class End(Enum):
    FINISHED = "finished"
    ABANDONED = "abandoned"  # the player cleared the table


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    end: End
    won: bool | None
    """None where nobody can say so: the game was abandoned, or several played against each other."""
    cause: str | None
    rounds: int
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """One line of the list of games."""

    id: RecordedId
    header: Header
    ending: Ending | None
    """None while it is being played, or when the program was killed and nobody has resumed it."""
    rounds: int
    actions: int
    findings: Mapping[Severity, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    id: RecordedId
    header: Header
    start: Mapping[str, Any]
    """The encoded state before the first action."""
    pack: CardPack | None
    """The cards as they were known then; None in records of the first format."""
    events: tuple[RecordedEvent, ...]
    actions: tuple[CommittedAction, ...]
    """Those that stand; what was taken back or corrected is not among them."""
    findings: tuple[RecordedFinding, ...]
    ending: Ending | None

    @property
    def rounds(self) -> int:
        return (
            self.ending.rounds if self.ending else max((action.round for action in self.actions), default=0)
        )

    @property
    def state(self) -> Mapping[str, Any]:
        """The last state that is known."""
        return self.actions[-1].state if self.actions else self.start


def pack_hash(pack: CardPack) -> str:
    """The same for two packs that say the same about their cards, whatever their files look like."""
    facts = [
        [
            card.id, card.kind, card.stone, card.picture, card.group, card.copies,
            [[part.name, None if part.items is None else format_items(part.items)] for part in card.fields],
        ]
        for card in sorted(pack.cards, key=lambda card: card.id)
    ]  # fmt: skip
    return content_hash([pack.game, facts])


def content_hash(value: Any) -> str:
    """A short name for plain JSON values."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
