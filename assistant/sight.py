"""What the tablet may show of the camera: its newest picture, what was made of it, and crops of zones."""

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from assistant.kit import Message
from vision.table import ZoneId

Outline = tuple[tuple[float, float], ...]
"""Corners as fractions of the picture's width and height."""


class SightState(Enum):
    CALM = "calm"
    MOVING = "moving"
    HIDDEN = "hidden"  # covered by a hand, or out of the picture
    UNREADABLE = "unreadable"  # in view, but glare or blur is in the way


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneSight:
    zone: ZoneId
    outline: Outline
    state: SightState
    why: Message | None = None
    """Why it cannot be read: "glare on row space 5"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPicture:
    number: int
    """Grows with every picture."""
    at: float
    jpeg: bytes
    width: int
    height: int
    zones: tuple[ZoneSight, ...]
    cards: tuple[Outline, ...]
    """Where cards were found."""
    hands: tuple[Outline, ...]
    """Where something moves or covers the table."""
    sharpness: float
    brightness: float
    """Both between 0 (bad) and 1."""
    advice: tuple[Message, ...] = ()
    """What would make the picture better: "too dark: switch on a lamp"."""


class CameraView(Protocol):
    """Every method may be called from any thread."""

    def picture(self) -> CameraPicture | None:
        """The newest picture; None before the first one."""

    def crop(self, zone: ZoneId) -> bytes | None:
        """What the camera sees of a zone, flattened, as JPEG; None where it is not in view."""
