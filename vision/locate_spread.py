"""Finds cards of a known size that lie anyhow on each other, in a picture taken from straight above."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate_edges import Edges
from vision.locate_outline import Outlines

_CELLS = 32
"""The coarse search divides a card's width into so many cells."""
_TURN_STEP = np.radians(3.0)
_SLACK = np.radians(7.0)
"""How far the direction of an edge may differ from that of the side it is taken for."""
_CANDIDATES = 48
_LIKELY = 1.75
"""At least this much of four sides must be there to look closer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Crests:
    """Points on edges, sorted by the direction of their slope; those near a direction are a slice."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    slopes: NDArray[np.float32]
    certain: NDArray[np.float64]

    @classmethod
    def of(cls, edges: Edges) -> "_Crests":
        places, slopes, certain = edges.points()
        slopes = slopes % np.float32(np.pi)
        order = np.argsort(slopes)
        # Once more half a turn further: then a slice may begin anywhere.
        twice = np.concatenate([order, order])
        further = np.repeat(np.array([0, np.pi], np.float32), len(order))
        x, y = (places[twice, axis].astype(np.float32) for axis in (0, 1))
        return cls(x=x, y=y, slopes=slopes[twice] + further, certain=certain[twice].astype(np.float64))

    def along(self, direction: float) -> slice:
        start = (direction - _SLACK) % np.pi
        first, last = np.searchsorted(self.slopes, [start, start + 2 * _SLACK])
        return slice(int(first), int(last))


def candidates(edges: Edges, width: float, height: float, most_turn_deg: float) -> Outlines:
    """Places where much of a card's outline can be seen, roughly; the likeliest first."""
    crests = _Crests.of(edges)
    found: list[tuple[float, float, float, float]] = []
    steps = int(np.floor(np.radians(min(most_turn_deg, 90.0)) / _TURN_STEP + 1e-6))
    for turn in np.arange(-steps, steps + 1) * _TURN_STEP:
        found += _peaks(crests, float(turn), width, height, edges.shape)
    found.sort(reverse=True)
    table = np.array(_apart(found, width), np.float64).reshape(-1, 4)
    return Outlines(width=width, height=height, centres=table[:, 1:3], turns=table[:, 3])


def _peaks(
    crests: _Crests, turn: float, width: float, height: float, size: tuple[int, int]
) -> list[tuple[float, float, float, float]]:
    """Score, x, y and turn of the best places of cards that are turned this far."""
    cell = width / _CELLS
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    back = np.array([(cos, -sin), (sin, cos)])
    picture = np.array([(0, 0), (size[1], 0), (size[1], size[0]), (0, size[0])], float) @ back
    # A card may stick out of the picture by less than half.
    margin = min(width, height) / 4
    origin = picture.min(axis=0) - margin
    columns, rows = (np.ceil((picture.max(axis=0) + margin - origin) / cell).astype(int) + 1).tolist()
    to_cells, start_cell = (back / cell).astype(np.float32), (origin / cell).astype(np.float32)

    def lines(direction: float) -> NDArray[np.float32]:
        """The cells where an edge with this slope runs."""
        mine = crests.along(direction)
        x, y = crests.x[mine], crests.y[mine]
        column, row = (
            (x * along_x + y * along_y - start).astype(np.int32)
            for (along_x, along_y), start in zip(to_cells.T, start_cell, strict=True)
        )
        sums = np.bincount(row * columns + column, crests.certain[mine], rows * columns)
        certain = np.asarray(sums, np.float32).reshape(rows, columns) * np.float32(1 / (cell * 0.7))
        return np.asarray(np.minimum(certain, np.float32(1), out=certain))

    tall, wide = round(0.86 * height / cell), round(0.84 * width / cell)
    upright = cv2.dilate(lines(turn), np.ones((1, 3), np.uint8))
    beside = cv2.blur(upright, (1, tall), borderType=cv2.BORDER_CONSTANT)
    level = cv2.dilate(lines(turn + np.pi / 2), np.ones((3, 1), np.uint8))
    above = cv2.blur(level, (wide, 1), borderType=cv2.BORDER_CONSTANT)
    half_x, half_y = round(width / 2 / cell), round(height / 2 / cell)
    if columns <= 2 * half_x or rows <= 2 * half_y:
        return []
    score = beside[half_y : rows - half_y, : columns - 2 * half_x]
    score = score + beside[half_y : rows - half_y, 2 * half_x :]
    score += above[: rows - 2 * half_y, half_x : columns - half_x]
    score += above[2 * half_y :, half_x : columns - half_x]
    likely = cv2.findNonZero((score > _LIKELY).astype(np.uint8))
    if likely is None:
        return []
    at_x, at_y = np.asarray(likely, np.int64).reshape(-1, 2).T
    best = score[at_y, at_x] == cv2.dilate(score, np.ones((5, 5), np.uint8))[at_y, at_x]
    at_x, at_y = at_x[best], at_y[best]
    places = (origin + (np.stack([at_x + half_x, at_y + half_y], axis=1) + 0.5) * cell) @ back.T
    return [
        (float(score[y, x]), *place, turn) for y, x, place in zip(at_y, at_x, places.tolist(), strict=True)
    ]


def _apart(
    found: list[tuple[float, float, float, float]], width: float
) -> list[tuple[float, float, float, float]]:
    """The best of each place; another turn or a step aside is the same place."""
    kept: list[tuple[float, float, float, float]] = []
    for one in found:
        if len(kept) >= _CANDIDATES:
            break
        _, x, y, turn = one
        if not any(
            abs(x - a) < 0.06 * width and abs(y - b) < 0.06 * width and abs(turn - c) < 0.1
            for _, a, b, c in kept
        ):
            kept.append(one)
    return kept


def without_twins(outlines: Outlines, borne: NDArray[np.float32], least: float = 0.4) -> NDArray[np.int64]:
    """The best of outlines that came to lie on one another, none with hardly any support."""
    worth = borne.mean(axis=1)
    kept: list[int] = []
    for one in np.argsort(-worth):
        if worth[one] < least:
            break
        off = np.abs(outlines.centres[kept] - outlines.centres[one]).max(axis=1, initial=0)
        turned = np.abs((outlines.turns[kept] - outlines.turns[one] + np.pi / 2) % np.pi - np.pi / 2)
        if not ((off < 0.035 * outlines.width) & (turned < 0.035)).any():
            kept.append(int(one))
    return np.array(kept, np.int64)
