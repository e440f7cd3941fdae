"""What the wizard shows and hears: steps, sentences, checks, marks, and the player's answers."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.table import PieceKind, Rect, ZoneId

Outline: TypeAlias = tuple[tuple[float, float], ...]
"""Points as fractions of the picture's width and height."""


class Step(Enum):
    """In the order in which they are walked through."""

    CAMERA = "camera"
    VIEW = "view"
    BOARD = "board"
    ZONES = "zones"
    LIGHT = "light"
    COLOURS = "colours"
    FACTS = "facts"
    READY = "ready"


STEPS = tuple(Step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A sentence before it is put into a language."""

    key: str
    values: tuple[tuple[str, str | int | float], ...] = ()

    @classmethod
    def of(cls, key: str, **values: str | int | float) -> "Said":
        return cls(key=key, values=tuple(sorted(values.items())))


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    good: bool
    said: Said


class Look(Enum):
    """How a mark is drawn on the picture."""

    BOARD = "board"
    ZONE = "zone"
    MOVABLE = "movable"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    look: Look
    outline: Outline
    label: str = ""
    """A zone's id, or empty."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crop:
    """A part of the picture that a question is about, from straight above."""

    key: str
    picture: NDArray[np.uint8]
    options: tuple[str, ...]
    answer: str | None
    """What the player said already."""
    zone: ZoneId | None = None
    """Whose name tells which spot is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swatch:
    """A kind of piece and its colour on this table; None: still to be tapped."""

    piece: PieceKind
    rgb: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepView:
    step: Step
    said: Said
    """What this step is for, and what to do now."""
    checks: tuple[Check, ...] = ()
    marks: tuple[Mark, ...] = ()
    crops: tuple[Crop, ...] = ()
    swatches: tuple[Swatch, ...] = ()
    """Pieces that may be tapped; those without a colour are asked for."""
    passable: bool = True
    may_skip: bool = True
    """The player may go on although not all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseCamera:
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindBoard:
    """By markers, or by the picture of a board seen before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveCorners:
    corners: Outline
    """Top left, top right, bottom right, bottom left of the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureLens:
    """The sheet for the lens lies in view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveZone:
    zone: ZoneId
    rect: Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class DragZone:
    """The zone keeps its size; its middle is put at a point of the picture."""

    zone: ZoneId
    at: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TapPiece:
    piece: PieceKind
    at: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmFact:
    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    anyway: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    pass


Event: TypeAlias = (
    ChooseCamera
    | FindBoard
    | GiveCorners
    | MeasureLens
    | MoveZone
    | DragZone
    | TapPiece
    | ConfirmFact
    | Next
    | Back
)
