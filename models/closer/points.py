"""Where the closer look learns to look: feet, marks right and wrong, gaps between pieces, bare ground."""

import math
import random

import numpy as np
from numpy.typing import NDArray

OFF = 7.5
"""A piece whose foot is farther from a point than this, in pixels, is not the one there."""
_EDGE = 12
"""Points nearer to the edge of a patch are left out."""

Floats = NDArray[np.float32]


def any_point(
    feet: Floats, marks: Floats, wrong: Floats, side: int, rng: random.Random
) -> tuple[float, float] | None:
    """At a piece's foot, at a mark, at a mark on nothing, in a gap, beside a piece, or anywhere."""
    sort = rng.random()
    if sort < 0.48 and len(feet):
        x, y = _near(feet, rng, abs(rng.gauss(0, 2.8)))
    elif sort < 0.65 and len(marks):
        x, y = _near(marks, rng, abs(rng.gauss(0, 1.4)))
    elif sort < 0.78 and len(wrong):
        x, y = _near(wrong, rng, abs(rng.gauss(0, 1.4)))
    elif sort < 0.85 and len(feet) > 1:
        x, y = between(feet, rng)
    elif sort < 0.97 and len(feet):
        x, y = _near(feet, rng, rng.uniform(7, 16))
    else:
        x, y = rng.uniform(0, side), rng.uniform(0, side)
    inside = _EDGE < x < side - _EDGE and _EDGE < y < side - _EDGE
    return (x, y) if inside else None


def between(feet: Floats, rng: random.Random) -> tuple[float, float]:
    """About half-way from any of these points to one of the two nearest to it."""
    at = feet[rng.randrange(len(feet))]
    away = np.hypot(*(feet - at).T)
    other = feet[rng.choice(np.argsort(away)[1:3].tolist())]
    x, y = at + (other - at) * rng.uniform(0.35, 0.65)
    return float(x) + rng.gauss(0, 2), float(y) + rng.gauss(0, 2)


def wrong_of(marks: Floats, feet: Floats) -> Floats:
    """The marks where no piece has its foot: veins, print, gaps and shadows."""
    away = np.hypot(marks[:, None, 0] - feet[:, 0], marks[:, None, 1] - feet[:, 1])
    return np.asarray(marks[(away > OFF).all(axis=1)], np.float32)


def _near(points: Floats, rng: random.Random, reach: float) -> tuple[float, float]:
    """So far from any of these points, in any direction."""
    x, y = points[rng.randrange(len(points))]
    way = rng.uniform(0, 2 * math.pi)
    return float(x) + reach * math.cos(way), float(y) + reach * math.sin(way)
