"""How pieces lie when somebody shows them: like beside like, in rows, tokens fanned, logs leaning on logs."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.pieces.patches import CENTRE, lay_pieces, repainted
from models.pieces.prints import HOUSES, WORKERS
from vision.table import PieceKind
from vision.virtual.pieces import Body, PieceShape, Pose, Shapes
from vision.virtual.placing import PieceAt, convex_overlap, outline

_TOKENS = ("provision", "cowrie")
_GOODS = (*WORKERS, "clay", "wood", "wood", *_TOKENS, *_TOKENS)
_BIG = (*HOUSES, "flood", "barge")
_TRIES = 14


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece, and how it is turned out of the two ways in which it rests on a table in play."""

    at: PieceAt
    rolled: int = 0
    """Quarters about its own long axis: onto another of its sides."""
    lean_deg: float = 0.0
    lean_way: float = 0.0

    def body(self, shape: PieceShape) -> Body:
        body = shape.body(self.at.pose)
        if self.rolled:
            body = _settled(body, _about((1.0, 0.0), 90.0 * self.rolled))
        if self.lean_deg:
            axis = (math.cos(self.lean_way), math.sin(self.lean_way))
            body = _settled(body, _about(axis, self.lean_deg))
        return body.moved(self.at.x, self.at.y, self.at.z, self.at.angle_deg)


def heaped(shapes: Shapes, rng: random.Random) -> list[Laid]:
    """As on tables in play."""
    return [_anyhow(piece, rng, 0.06) for piece in repainted(lay_pieces(shapes, rng), rng)]


def strewn(
    shapes: Shapes, reach: float, rng: random.Random, *, groups: int, strangers: bool = False
) -> list[Laid]:
    """Some groups of like things over a square of this size, and strangers among them."""
    pieces: list[Laid] = []
    strange = [kind for kind in shapes if kind.startswith("strange")]
    for _ in range(groups):
        sort = rng.choices(("workers", "tokens", "goods", "big"), (0.3, 0.25, 0.33, 0.12))[0]
        way = rng.uniform(0, 360)
        x, y = (centre + rng.uniform(-reach, reach) / 2 for centre in CENTRE)
        if sort == "workers":
            palette = rng.sample(WORKERS, rng.choice((1, 2, 3, 5)))
            kinds = [rng.choice(palette) for _ in range(rng.randint(1, 6))]
        elif sort == "tokens":
            kinds = [rng.choice(_TOKENS)] * rng.randint(1, 5)
            if rng.random() < 0.2:
                kinds = [rng.choice(_TOKENS) for _ in kinds]
        elif sort == "goods":
            palette = rng.sample(("wood", "wood", "clay", *_GOODS), rng.choice((1, 2, 3)))
            kinds = [rng.choice(palette) for _ in range(rng.randint(1, 5))]
        else:
            kinds = [rng.choice(_BIG) for _ in range(rng.choice((1, 1, 2, 3)))]
        _add(pieces, kinds, (x, y), way, shapes, rng)
    if strangers:
        for kind in rng.sample(strange, rng.randint(1, min(3, len(strange)))):
            x, y = (centre + rng.uniform(-reach, reach) / 2 for centre in CENTRE)
            _add(pieces, [kind], (x, y), 0.0, shapes, rng)
    return pieces


def _add(
    pieces: list[Laid],
    kinds: Sequence[str],
    start: tuple[float, float],
    way: float,
    shapes: Shapes,
    rng: random.Random,
) -> None:
    """A group one after the other, in a row or in a cluster; what finds no room is left out."""
    row = rng.random() < 0.45
    facing = rng.choice((0.0, 0.0, 180.0, rng.uniform(0, 360))) if row else 0.0
    pose_of_all = rng.random() < 0.6
    pose: Pose | None = None
    last: PieceAt | None = None
    for kind in kinds:
        shape = shapes[PieceKind(kind)]
        if pose is None or not pose_of_all:
            pose = rng.choices(*zip(*shape.poses, strict=True))[0]
        own = pose if any(pose is possible for possible, _ in shape.poses) else shape.poses[0][0]
        for _ in range(_TRIES):
            turn = facing + rng.gauss(0, 9) if row else rng.uniform(0, 360)
            x, y = start
            if last is not None:
                size = _radius(shapes[last.kind], last.pose) + _radius(shape, own)
                step = size * (rng.uniform(0.35, 0.9) if shape.flat else rng.uniform(0.62, 1.15))
                heading = math.radians(way + rng.gauss(0, 10 if row else 50))
                x, y = last.x + step * math.cos(heading), last.y + step * math.sin(heading)
            key = 1 + len(pieces)
            at = PieceAt(key=key, kind=shape.kind, zone=None, x=x, y=y, angle_deg=turn, pose=own)
            placed = _placed(at, pieces, shapes, rng)
            if placed is not None:
                pieces.append(placed)
                last = placed.at
                break


def _placed(at: PieceAt, pieces: Sequence[Laid], shapes: Shapes, rng: random.Random) -> Laid | None:
    """On the table, or a token on tokens, or now and then something wooden leaning on its neighbour."""
    ground = outline(at, shapes)
    below = [other.at for other in pieces if convex_overlap(ground, outline(other.at, shapes))]
    flat = shapes[at.kind].flat
    if not below:
        return _anyhow(at, rng, 0.0 if flat else 0.14)
    if all(shapes[other.kind].flat for other in below):
        top = max(other.z + shapes[other.kind].thickness for other in below)
        lean = rng.uniform(0, 7) if flat else 0.0
        return Laid(replace(at, z=top), lean_deg=lean, lean_way=rng.uniform(0, 6.3))
    small = at.kind in (*WORKERS, "wood", "clay")
    if small and len(below) == 1 and below[0].z == 0 and rng.random() < 0.35:
        return Laid(at, lean_deg=rng.uniform(12, 40), lean_way=rng.uniform(0, 6.3))
    return None


def _anyhow(at: PieceAt, rng: random.Random, often: float) -> Laid:
    """Now and then on another side."""
    if at.kind in (*WORKERS, "wood", "clay") and rng.random() < often:
        return Laid(at, rolled=rng.choice((1, 2, 3)))
    return Laid(at)


def _radius(shape: PieceShape, pose: Pose) -> float:
    ground = shape.footprint(pose)
    return float(np.mean(np.ptp(ground, axis=0))) / 2


def _settled(body: Body, turn: NDArray[np.float64]) -> Body:
    """Turned about its middle, and down again until it touches the table."""
    corners = np.concatenate([body.front, body.back])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    turned = (corners - middle) @ turn.T
    offset = np.array([0.0, 0.0, -turned[:, 2].min()])

    def moved(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points - middle) @ turn.T + offset)

    marks = tuple(moved(mark) for mark in body.marks)
    return Body(front=moved(body.front), back=moved(body.back), marks=marks)


def _about(axis: tuple[float, float], angle_deg: float) -> NDArray[np.float64]:
    """A turn about a level axis."""
    angle, (x, y) = math.radians(angle_deg), axis
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)
