"""What the doctor found out about one thing, and what to do about it."""

from dataclasses import dataclass
from enum import Enum

from assistant.kit import Message


class Health(Enum):
    GOOD = "good"
    CAREFUL = "careful"  # something will be missing, a game can be played
    WRONG = "wrong"  # no game can be played


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: str
    health: Health
    found: Message
    advice: Message | None = None
