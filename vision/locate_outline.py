"""Outlines of cards of one known size: points along them, how well edges bear them out, small corrections."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.locate_edges import Edges, certainty
from vision.pose import Points

_ROUND = 0.09
"""The share of a side at each end that a rounded corner takes away."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """Cards of one size, each by its centre and turn; all of them are worked on together."""

    width: float
    height: float
    centres: Points
    turns: NDArray[np.float64]
    """Radians, clockwise as the picture shows it."""

    def __len__(self) -> int:
        return len(self.turns)

    def pick(self, index: NDArray[np.int64]) -> "Outlines":
        return Outlines(
            width=self.width, height=self.height, centres=self.centres[index], turns=self.turns[index]
        )

    def corners(self) -> Points:
        """Card by card: top left, top right, bottom right, bottom left."""
        x, y = self.width / 2, self.height / 2
        return self.placed(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]))

    def rim(self, step: float = 3.0) -> tuple[Points, Points, NDArray[np.int64]]:
        """Points along the straight parts of all four sides, their normals, and the side of each."""
        places, normals, sides = _rim(self.width, self.height, step)
        return self.placed(places), self._turned(normals), sides

    def placed(self, places: Points) -> Points:
        """Points given from a card's own centre, upright, where they lie on every card."""
        return self._turned(places) + self.centres[:, None, :]

    def _turned(self, vectors: Points) -> Points:
        cos, sin = np.cos(self.turns)[:, None], np.sin(self.turns)[:, None]
        x, y = vectors[None, :, 0], vectors[None, :, 1]
        return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1)


def support(edges: Edges, outlines: Outlines, reach: float = 1.5, step: float = 3.0) -> NDArray[np.float32]:
    """How surely an edge runs along each point of each rim, within `reach` pixels."""
    places, normals, _ = outlines.rim(step)
    offsets = np.arange(-reach, reach + 0.1, 1.0)
    slopes = [edges.slope(places + normals * off, normals) for off in offsets]
    return certainty(np.max(slopes, axis=0))


def fitted(
    edges: Edges,
    outlines: Outlines,
    *,
    reaches: tuple[float, ...] = (5.0, 3.0, 2.0),
    step: float = 3.0,
    free: NDArray[np.bool_] | None = None,
) -> Outlines:
    """Each outline moved and turned a little, so that it lies on the edges near it.

    `free` says which points of the rims can be seen at all.
    """
    if not len(outlines):
        return outlines
    for reach in reaches:
        outlines = _nearer(edges, outlines, reach, step, free)
    return outlines


def _nearer(
    edges: Edges, outlines: Outlines, reach: float, step: float, free: NDArray[np.bool_] | None
) -> Outlines:
    places, normals, _ = outlines.rim(step)
    offsets = np.arange(-reach, reach + 0.1, 1.0)
    slopes = np.stack([edges.slope(places + normals * off, normals) for off in offsets], axis=-1)
    best = (slopes * (1 - 0.4 * np.abs(offsets) / (reach + 1))).argmax(axis=-1)
    weight = certainty(np.take_along_axis(slopes, best[..., None], axis=-1)[..., 0]).astype(np.float64)
    if free is not None:
        weight *= free
    off = offsets[best] + _crest(slopes, best)
    # How far each rim point moves along its normal for a unit of x, y and turn.
    lever = places - outlines.centres[:, None, :]
    turning = lever[..., 0] * normals[..., 1] - lever[..., 1] * normals[..., 0]
    rows = np.stack([normals[..., 0], normals[..., 1], turning], axis=-1)
    # Points that would move against the majority are edges of something else.
    for _ in range(2):
        weighted = rows * weight[..., None]
        normal_matrix = np.einsum("kpi,kpj->kij", weighted, rows)
        normal_matrix += np.diag([1.0, 1.0, outlines.width**2])[None] * 1e-2
        shift = np.linalg.solve(normal_matrix, np.einsum("kpi,kp->ki", weighted, off)[..., None])[..., 0]
        misfit = np.abs(off - np.einsum("kpi,ki->kp", rows, shift))
        weight = weight / (1 + (misfit / 0.8) ** 2)
    return Outlines(
        width=outlines.width,
        height=outlines.height,
        centres=outlines.centres + np.clip(shift[:, :2], -reach, reach),
        turns=outlines.turns + np.clip(shift[:, 2], -0.08, 0.08),
    )


def _crest(slopes: NDArray[np.float32], best: NDArray[np.int64]) -> NDArray[np.float64]:
    """How far the top of the parabola through the steepest place and its neighbours lies beside it."""
    inner = best.clip(1, slopes.shape[-1] - 2)[..., None]
    before, at, after = (np.take_along_axis(slopes, inner + k, axis=-1)[..., 0] for k in (-1, 0, 1))
    bend = before - 2 * at + after
    top = (before - after) / np.where(bend < -1e-6, 2 * bend, -np.inf)
    return np.where(inner[..., 0] == best, np.clip(top, -0.5, 0.5), 0.0)


def _rim(width: float, height: float, step: float) -> tuple[Points, Points, NDArray[np.int64]]:
    x, y = width / 2, height / 2
    corners = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    outward = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
    spare = _ROUND * width
    places, normals, sides = [], [], []
    for side in range(4):
        a, b = corners[side], corners[(side + 1) % 4]
        length = float(np.hypot(*(b - a)))
        many = max(4, round((length - 2 * spare) / step))
        at = np.linspace(spare / length, 1 - spare / length, many)[:, None]
        places.append(a + at * (b - a))
        normals.append(np.repeat(outward[side : side + 1], many, axis=0))
        sides.append(np.full(many, side))
    return np.concatenate(places), np.concatenate(normals), np.concatenate(sides).astype(np.int64)
