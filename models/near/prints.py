"""Pieces as a telephone sees them from near: other carvings, thicker card, other pictures on tokens."""

import colorsys
import math
import random
from dataclasses import replace

from models.near.tokens import DRAWN
from models.pieces.prints import WORKERS, varied
from vision.table import PieceKind
from vision.virtual.pieces import Colour, Mark, Material, Outline, PieceShape, Pose, Shapes

MM = 1 / 560.0
"""A millimetre in board units."""
_ANEW = 0.65
"""So many print runs have tokens that are not drawn after ours."""


def near_run(shapes: Shapes, rng: random.Random) -> dict[PieceKind, PieceShape]:
    """All pieces of one print run, varied more than those of tables: from near more of them is seen."""
    run = varied(shapes, rng)
    worker = _worker(rng)
    thick = rng.uniform(6.5, 11.0) * MM
    for kind in WORKERS:
        shape = run[PieceKind(kind)]
        if rng.random() < 0.97:
            run[PieceKind(kind)] = replace(shape, silhouette=worker, thickness=thick)
    run[PieceKind("clay")] = _brick(run[PieceKind("clay")], rng)
    log = run[PieceKind("wood")]
    run[log.kind] = replace(log, colour=_stain(rng), thickness=rng.uniform(6.0, 12.0) * MM)
    for kind in DRAWN:
        shape = run[PieceKind(kind)]
        run[shape.kind] = _of_card(
            _drawn_anew(shape, rng) if rng.random() < _ANEW else _redrawn(shape, rng), rng
        )
    return run


def _worker(rng: random.Random) -> Outline:
    """A figure from its feet to its hat: legs with a notch, arms, neck, a round head, often a knot on top."""
    half = rng.uniform(4.0, 5.2)
    notch, deep = half * rng.uniform(0.2, 0.38), rng.uniform(1.6, 3.6)
    arms, hips = half * rng.uniform(0.98, 1.14), half * rng.uniform(0.86, 1.02)
    shoulder, top = rng.uniform(8.4, 9.8), rng.uniform(14.2, 17.0)
    neck, head = half * rng.uniform(0.6, 0.82), half * rng.uniform(0.7, 0.95)
    knot = half * rng.uniform(0.2, 0.42)
    right = [
        (notch, deep), (notch, 0.0), (half, 0.0), (half, 4.4), (hips, shoulder - 1.0), (arms, shoulder),
        (arms * 0.97, shoulder + 1.3), (neck, shoulder + 2.0),
    ]  # fmt: skip
    middle, high = shoulder + 4.0, (top - shoulder - 2.0) / 2
    for angle in (-25, 0, 25, 48):
        turn = math.radians(angle)
        right.append((head * math.cos(turn), middle + min(high, 2.6) * math.sin(turn)))
    brow = right[-1][1]
    right += [(knot, max(brow + 0.3, top - 1.0)), (knot, top)] if rng.random() < 0.7 else [(knot, top - 0.6)]
    points = [(x, y) for x, y in right] + [(-x, y) for x, y in reversed(right)]
    return tuple((x * MM, y * MM) for x, y in points)


def _stain(rng: random.Random) -> Colour:
    """Logs are stained: from nearly black to as pale and grey as old planks, brown or reddish."""
    hue, value = rng.uniform(4, 29) / 360, rng.uniform(0.24, 0.76)
    red, green, blue = colorsys.hsv_to_rgb(hue, rng.uniform(0.2, 0.56), value)
    return blue, green, red


def _brick(shape: PieceShape, rng: random.Random) -> PieceShape:
    """A slab that no saw cut straight."""
    wide, high = rng.uniform(6.6, 8.8), rng.uniform(4.4, 6.6)
    uneven = rng.uniform(0.0, 0.5)
    corners = [
        (-wide, -high), (-wide * 0.3, -high), (wide * 0.25, -high), (wide, -high), (wide, 0.0), (wide, high),
        (wide * 0.3, high), (-wide * 0.25, high), (-wide, high), (-wide, 0.0),
    ]  # fmt: skip
    outline = tuple(((x + rng.gauss(0, uneven)) * MM, (y + rng.gauss(0, uneven)) * MM) for x, y in corners)
    edges = ((Pose.LYING, 0.85), (Pose.STANDING, 0.15))
    return replace(shape, silhouette=outline, thickness=rng.uniform(5.5, 9.5) * MM, poses=edges)


def _drawn_anew(shape: PieceShape, rng: random.Random) -> PieceShape:
    """A token of the same kind by an illustrator who never saw ours."""
    outline, marks, rim = DRAWN[shape.kind](rng)
    size = MM * rng.uniform(0.85, 1.15)

    def sized(points: Outline) -> Outline:
        return tuple((size * x, size * y) for x, y in points)

    marks = tuple(Mark(sized(mark.shape), mark.colour) for mark in marks)
    return replace(shape, silhouette=sized(outline), marks=marks, colour=rim)


def _redrawn(shape: PieceShape, rng: random.Random) -> PieceShape:
    """Our own picture of it by another hand."""
    turn, flip = math.radians(rng.gauss(0, 9)), rng.choice((1, 1, -1))
    across, high = rng.uniform(0.84, 1.04), rng.uniform(0.84, 1.04)
    shear = rng.gauss(0, 0.08)
    loose = rng.uniform(0.0, 0.9) * MM

    def redrawn(outline: Outline) -> Outline:
        dx, dy = rng.gauss(0, loose), rng.gauss(0, loose)
        points = []
        for x, y in outline:
            x, y = across * flip * (x + shear * y) + dx, high * y + dy
            points.append((x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)))
        return tuple(points)

    first, *rest = shape.marks
    kept = [first, *(mark for mark in rest if rng.random() < 0.92)]
    marks = [Mark(redrawn(mark.shape), _toned(mark.colour, rng)) for mark in kept]
    marks += [_scribble(shape, rng) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    outline = tuple((flip * x, y) for x, y in shape.silhouette)
    if flip < 0:
        outline = tuple(reversed(outline))
    return replace(shape, silhouette=outline, marks=tuple(marks))


def _of_card(shape: PieceShape, rng: random.Random) -> PieceShape:
    """Card of any thickness whose edge is raw, grey or dyed as the rim."""
    assert shape.material is Material.CARD
    rim = tuple(min(1.0, part * rng.uniform(0.7, 1.25)) for part in shape.colour)
    edge = rng.choice((None, (rim[0], rim[1], rim[2]), _grey(rng)))
    return replace(shape, edge=edge, thickness=rng.uniform(1.6, 3.4) * MM, grain=rng.uniform(0.01, 0.06))


def _scribble(shape: PieceShape, rng: random.Random) -> Mark:
    """A stroke or a spot of the picture that nobody foresaw."""
    xs, ys = [x for x, _ in shape.silhouette], [y for _, y in shape.silhouette]
    x, y = rng.uniform(min(xs), max(xs)) * 0.6, rng.uniform(min(ys), max(ys)) * 0.6
    long, thin, way = rng.uniform(1, 8) * MM, rng.uniform(0.3, 1.6) * MM, rng.uniform(0, math.pi)
    along, over = (math.cos(way) * long / 2, math.sin(way) * long / 2), (-math.sin(way), math.cos(way))
    points = [(-1, -0.5), (-0.3, 0.5), (1, 0.5), (0.3, -0.5)]
    spot = tuple(
        (x + a * along[0] + b * thin * over[0], y + a * along[1] + b * thin * over[1]) for a, b in points
    )
    base = rng.choice(shape.marks).colour
    return Mark(spot, _toned(base, rng, 0.5))


def _toned(colour: Colour, rng: random.Random, spread: float = 0.2) -> Colour:
    level = rng.uniform(1 - spread, 1 + spread)
    blue, green, red = (min(1.0, max(0.0, part * level + rng.gauss(0, 0.03))) for part in colour)
    return blue, green, red


def _grey(rng: random.Random) -> Colour:
    level = rng.uniform(0.35, 0.92)
    return level * rng.uniform(0.85, 1.02), level, level * rng.uniform(0.98, 1.06)
