"""How much two convex outlines have in common.

OpenCV's own answer (`intersectConvexConvex`) is wrong for some pairs whose sides nearly lie on each other, as
those of one card found twice do: of two nearly the same it tells half (opencv issues 22812 and 26972).
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_Outline: TypeAlias = list[tuple[float, float]]


def common_area(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Of two convex outlines, N × 2 each, whichever way round."""
    left: _Outline = _counted_up(one.tolist())
    ax, ay = (sides := _counted_up(other.tolist()))[-1]
    for bx, by in sides:
        left = _beyond(left, ax, ay, bx - ax, by - ay)
        if len(left) < 3:
            return 0.0
        ax, ay = bx, by
    return max(0.0, _area(left))


def _beyond(outline: _Outline, ax: float, ay: float, way_x: float, way_y: float) -> _Outline:
    """The part of an outline on the inner side of a line."""
    kept: _Outline = []
    px, py = outline[-1]
    before = way_x * (py - ay) - way_y * (px - ax)
    for x, y in outline:
        now = way_x * (y - ay) - way_y * (x - ax)
        if (now >= 0) != (before >= 0):
            share = before / (before - now)
            kept.append((px + share * (x - px), py + share * (y - py)))
        if now >= 0:
            kept.append((x, y))
        px, py, before = x, y, now
    return kept


def _counted_up(outline: _Outline) -> _Outline:
    return outline if _area(outline) >= 0 else outline[::-1]


def _area(outline: _Outline) -> float:
    """Above zero where the corners run from x to y."""
    total = 0.0
    px, py = outline[-1]
    for x, y in outline:
        total += px * y - x * py
        px, py = x, y
    return total / 2
