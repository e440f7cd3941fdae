"""Things that are no pieces of the game: discs, dice, beads, pens and blobs of any colour."""

import colorsys
import math
import random

from models.near.prints import MM
from vision.table import PieceKind
from vision.virtual.pieces import Material, Outline, PieceShape, Pose

_REDDISH = 0.09
"""Hues of bricks and logs, which a slab or a die had better not have."""


def strange_shapes(rng: random.Random, count: int = 3) -> dict[PieceKind, PieceShape]:
    """Some of them, each of a kind that nobody asks for."""
    makers = (_disc, _die, _pen, _blob)
    kinds = [PieceKind(f"strange-{number}") for number in range(count)]
    return {kind: _shape(kind, *rng.choice(makers)(rng), rng) for kind in kinds}


def _shape(kind: PieceKind, outline: Outline, thick: float, rng: random.Random) -> PieceShape:
    hue = rng.uniform(_REDDISH, 1 - _REDDISH / 2)
    red, green, blue = colorsys.hsv_to_rgb(hue, rng.random(), rng.uniform(0.1, 1.0))
    return PieceShape(
        kind=kind, silhouette=tuple((x * MM, y * MM) for x, y in outline), thickness=thick * MM,
        colour=(blue, green, red), material=Material.WOOD, poses=((Pose.LYING, 1.0),),
        grain=rng.choice((0.0, 0.03, 0.08)),
    )  # fmt: skip


def _disc(rng: random.Random) -> tuple[Outline, float]:
    radius, corners = rng.uniform(4, 14), rng.choice((6, 8, 24, 24))
    turns = [2 * math.pi * number / corners for number in range(corners)]
    return tuple((radius * math.cos(turn), radius * math.sin(turn)) for turn in turns), rng.uniform(1.5, 9)


def _die(rng: random.Random) -> tuple[Outline, float]:
    half = rng.uniform(3.5, 9)
    return ((-half, -half), (half, -half), (half, half), (-half, half)), 2 * half


def _pen(rng: random.Random) -> tuple[Outline, float]:
    long, half = rng.uniform(30, 90), rng.uniform(2, 6)
    return ((-long, -half), (long, -half), (long + half, 0), (long, half), (-long, half)), 2 * half


def _blob(rng: random.Random) -> tuple[Outline, float]:
    radius, corners = rng.uniform(5, 13), rng.choice((5, 7, 9, 14))
    points = []
    for number in range(corners):
        turn, reach = 2 * math.pi * number / corners, radius * rng.uniform(0.55, 1.25)
        points.append((reach * math.cos(turn), reach * math.sin(turn)))
    return tuple(points), rng.uniform(2, 12)
