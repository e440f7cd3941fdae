"""Wooden and cardboard pieces as bodies: a silhouette pulled to a thickness, standing or lying."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.table import PieceKind

_TURNS = 5
"""So many of all the turns of a piece are enough to say how much room it takes."""

Outline: TypeAlias = tuple[tuple[float, float], ...]
Colour: TypeAlias = tuple[float, float, float]
"""Blue, green, red from 0 to 1, like the images."""


class Pose(Enum):
    STANDING = "standing"
    LYING = "lying"


class Material(Enum):
    WOOD = "wood"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something painted on the front of a piece."""

    shape: Outline
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceShape:
    """All lengths in board units."""

    kind: PieceKind
    silhouette: Outline
    """Seen from the front: x to the right, y up."""
    thickness: float
    colour: Colour
    material: Material
    poses: tuple[tuple[Pose, float], ...]
    """How it may rest, with weights that sum to 1."""
    turn_deg: float = 180.0
    """How far from straight a player lets it stand on a spot made for it."""
    marks: tuple[Mark, ...] = ()
    edge: Colour | None = None
    """The cut edge of a token, where it is not plain cardboard."""
    grain: float = 0.055
    """How strongly the wood's fibres show through the paint; cardboard is smoother by itself."""

    @property
    def flat(self) -> bool:
        """Cardboard tokens may lie on each other."""
        return self.material is Material.CARD

    def footprint(self, pose: Pose) -> NDArray[np.float64]:
        """The convex outline it occupies on the table, around its own origin."""
        if pose is Pose.STANDING:
            xs = [x for x, _ in self.silhouette]
            half = self.thickness / 2
            return np.array([(min(xs), -half), (max(xs), -half), (max(xs), half), (min(xs), half)])
        points = np.array([(x, -y) for x, y in self._centred()], np.float32)
        return cv2.convexHull(points).reshape(-1, 2).astype(np.float64)

    def height(self, pose: Pose) -> float:
        if pose is Pose.LYING:
            return self.thickness
        return max(y for _, y in self.silhouette) - min(y for _, y in self.silhouette)

    def body(self, pose: Pose) -> "Body":
        """Front and back outline in the piece's own axes: x right, y towards the player, z up."""
        half = self.thickness / 2
        if pose is Pose.STANDING:
            low = min(y for _, y in self.silhouette)
            front = np.array([(x, half, y - low) for x, y in self.silhouette])
            back = front - np.array([0.0, self.thickness, 0.0])
            marks = tuple(np.array([(x, half, y - low) for x, y in mark.shape]) for mark in self.marks)
        else:
            middle = self._middle()
            front = np.array([(x, -(y - middle), self.thickness) for x, y in self.silhouette])
            back = front - np.array([0.0, 0.0, self.thickness])
            marks = tuple(
                np.array([(x, -(y - middle), self.thickness) for x, y in mark.shape]) for mark in self.marks
            )
        return Body(front=front, back=back, marks=marks)

    def bulk(self) -> NDArray[np.float64]:
        """All corners of its body, every way it may rest and be turned on a spot made for it."""
        angles = np.linspace(-self.turn_deg, self.turn_deg, _TURNS)
        bodies = [self.body(pose).moved(0, 0, 0, float(angle)) for pose, _ in self.poses for angle in angles]
        return np.concatenate([part for body in bodies for part in (body.front, body.back)])

    def _middle(self) -> float:
        return (max(y for _, y in self.silhouette) + min(y for _, y in self.silhouette)) / 2

    def _centred(self) -> Outline:
        middle = self._middle()
        return tuple((x, y - middle) for x, y in self.silhouette)


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    front: NDArray[np.float64]
    back: NDArray[np.float64]
    marks: tuple[NDArray[np.float64], ...]

    def moved(self, x: float, y: float, z: float, angle_deg: float) -> "Body":
        turn = rotation(angle_deg)
        offset = np.array([x, y, z])
        return Body(
            front=self.front @ turn.T + offset,
            back=self.back @ turn.T + offset,
            marks=tuple(mark @ turn.T + offset for mark in self.marks),
        )


def rotation(angle_deg: float) -> NDArray[np.float64]:
    """A turn about the upright axis, clockwise as seen from above (y points to the player)."""
    angle = math.radians(angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


Shapes: TypeAlias = Mapping[PieceKind, PieceShape]


def load_shapes(path: Path) -> dict[PieceKind, PieceShape]:
    """The pieces of one game from its data file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        scale = 1.0 / data.pop("board_width_mm")
        return {
            PieceKind(name): _shape(name, {**data.get(entry.get("like", ""), {}), **entry}, scale)
            for name, entry in data.items()
            if "colour" in entry
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise VisionError(
            f"expected the shapes of pieces in {path.name}, found a problem: {error}"
        ) from error


def _shape(name: str, entry: dict[str, Any], scale: float) -> PieceShape:
    return PieceShape(
        kind=PieceKind(name),
        silhouette=_outline(entry["silhouette"], scale),
        thickness=entry["thickness"] * scale,
        colour=parse_colour(entry["colour"]),
        material=Material(entry["material"]),
        poses=tuple((Pose(pose), float(weight)) for pose, weight in entry["poses"].items()),
        turn_deg=float(entry.get("turn_deg", 180.0)),
        grain=float(entry.get("grain", 0.055 if entry["material"] == "wood" else 0.02)),
        marks=tuple(
            Mark(_outline(mark["shape"], scale), parse_colour(mark["colour"]))
            for mark in entry.get("marks", ())
        ),
    )


def _outline(points: list[list[float]], scale: float) -> Outline:
    return tuple((x * scale, y * scale) for x, y in points)


def parse_colour(text: str) -> Colour:
    """`#rrggbb` to blue, green, red."""
    if len(text) != 7 or text[0] != "#":
        raise ValueError(f"expected a colour such as '#1f8ba5', found {text!r}")
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return blue, green, red
