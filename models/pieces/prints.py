"""The pieces of other print runs: larger, slimmer, paler, redder, with more grain."""

import colorsys
import random
from collections.abc import Mapping
from dataclasses import replace

from vision.table import PieceKind
from vision.virtual.pieces import Colour, Mark, Outline, PieceShape, Pose, Shapes

WORKERS = ("white", "red", "black", "blue", "yellow")
HOUSES = ("farm", "outpost", "hut")
_TOKENS = ("provision", "cowrie")
_HUES: Mapping[str, tuple[float, float]] = {"wood": (-0.055, 0.02), "clay": (-0.03, 0.012)}
"""Logs may be as red as rosewood, bricks as red as a Red Worker; others keep near their own hue."""

Size = tuple[float, float, float]
"""How much wider, higher and thicker than the drawn one."""


def varied(shapes: Shapes, rng: random.Random) -> dict[PieceKind, PieceShape]:
    """All pieces of one print run."""
    sizes = {kind: _size(kind, rng) for kind in shapes}
    for kind in WORKERS:
        sizes[PieceKind(kind)] = sizes[PieceKind("white")]
    return {kind: _variant(shape, sizes[kind], rng) for kind, shape in shapes.items()}


def of_one_red(shapes: Shapes, rng: random.Random) -> dict[PieceKind, PieceShape]:
    """The same pieces, bricks as red as Red Workers: the shape alone tells them apart."""
    red = shapes[PieceKind("red")].colour
    clay = replace(shapes[PieceKind("clay")], colour=_near(red, rng))
    return {**shapes, clay.kind: clay}


def lying(shapes: Shapes) -> dict[PieceKind, PieceShape]:
    """The same pieces, of which Workers seldom stand."""
    poses = ((Pose.STANDING, 0.1), (Pose.LYING, 0.9))
    return {kind: replace(shape, poses=poses) if kind in WORKERS else shape for kind, shape in shapes.items()}


def _near(colour: Colour, rng: random.Random) -> Colour:
    blue, green, red = (min(1.0, max(0.0, part * rng.gauss(1, 0.05) + rng.gauss(0, 0.01))) for part in colour)
    return blue, green, red


def _size(kind: str, rng: random.Random) -> Size:
    whole = rng.uniform(0.88, 1.5) if kind in _TOKENS else rng.uniform(0.86, 1.16)
    wide = rng.uniform(0.95, 1.45) if kind == "clay" else rng.gauss(1, 0.06)
    deep = rng.uniform(0.9, 1.6) if kind == "wood" else rng.uniform(0.85, 1.15)
    return whole * rng.gauss(1, 0.05), whole * wide, whole * deep


def _variant(shape: PieceShape, size: Size, rng: random.Random) -> PieceShape:
    across, high, deep = size
    uneven = 0.0004 * rng.random()

    def moved(outline: Outline) -> Outline:
        return tuple((x * across + rng.gauss(0, uneven), y * high + rng.gauss(0, uneven)) for x, y in outline)

    poses = shape.poses
    if len(poses) > 1:
        share = rng.betavariate(1.2, 1.2)
        poses = ((poses[0][0], share), (poses[1][0], 1 - share))
    silhouette = shape.silhouette
    if shape.kind == "flood" and rng.random() < 0.6:
        silhouette = _wave(silhouette, rng)
    if shape.kind == "wood" and rng.random() < 0.6:
        silhouette = _log(silhouette, rng)
    without = shape.kind in HOUSES and rng.random() < 0.6
    marks = () if without else tuple(Mark(moved(m.shape), _recoloured(m.colour, rng)) for m in shape.marks)
    return replace(
        shape,
        silhouette=moved(silhouette),
        thickness=shape.thickness * deep,
        colour=_recoloured(shape.colour, rng, _HUES.get(shape.kind, (0.0, 0.0))),
        poses=poses,
        marks=marks,
        grain=shape.grain * rng.choice((0.5, 1.0, 1.5, 3.0)),
    )


def _wave(drawn: Outline, rng: random.Random) -> Outline:
    """Another wave of the same length: one hump anywhere, steps or ripples beside it."""
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    high = max(y for _, y in drawn) * rng.uniform(0.8, 1.1)
    crest, reach = rng.uniform(0.15, 0.85), rng.uniform(0.12, 0.3)
    steps = [rng.uniform(0.25, 0.75) for _ in range(rng.randint(2, 5))]
    top = []
    for number in range(25):
        at = number / 24
        hump = 1 - (abs(at - crest) / reach) ** rng.choice((2, 3))
        top.append((left + at * (right - left), high * max(hump, steps[int(at * 0.999 * len(steps))])))
    return ((left, 0.0), (right, 0.0), *reversed(top))


def _log(drawn: Outline, rng: random.Random) -> Outline:
    """Another log of the same length: its branch thinner or thicker, anywhere but at the ends."""
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    long = right - left
    high = 0.77 * max(y for _, y in drawn) * rng.uniform(0.85, 1.35)
    edge, branch = long * rng.uniform(0.02, 0.09), long * rng.uniform(0.12, 0.24)
    at = left + long * rng.uniform(0.15, 0.85 - branch / long)
    top, slope = high * rng.uniform(1.2, 1.5), branch * rng.uniform(0.0, 0.25)
    return (
        (left, edge), (left + edge, 0.0), (right - edge, 0.0), (right, edge), (right, high - edge),
        (right - edge, high), (at + branch, high), (at + branch - slope, top), (at + slope, top), (at, high),
        (left + edge, high), (left, high - edge),
    )  # fmt: skip


def _recoloured(colour: Colour, rng: random.Random, hues: tuple[float, float] = (0.0, 0.0)) -> Colour:
    hue, saturation, value = colorsys.rgb_to_hsv(colour[2], colour[1], colour[0])
    hue = (hue + rng.uniform(*hues) + rng.gauss(0, 0.02)) % 1
    saturation = min(1.0, saturation * rng.uniform(0.62, 1.18))
    value = min(1.0, value * rng.uniform(0.8, 1.4) + rng.uniform(0, 0.03))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return blue, green, red
