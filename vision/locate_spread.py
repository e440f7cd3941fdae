"""Finds cards of a known size that lie anyhow on each other, in a picture taken from straight above."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.locate_edges import Edges
from vision.locate_outline import Outlines, fitted, support
from vision.pose import Points

_CELLS = 40
"""The coarse search divides a card's width into so many cells."""
_TURN_STEP = np.radians(2.5)
_SLACK = np.radians(7.0)
"""How far the direction of an edge may differ from that of the side it is taken for."""
_CANDIDATES = 90
_LIKELY = 1.75
"""At least this much of four sides must be there to look closer."""


def candidates(edges: Edges, width: float, height: float, most_turn_deg: float) -> Outlines:
    """Places where much of a card's outline can be seen, roughly; the likeliest first."""
    places, slopes, certain = edges.points()
    size = edges.shape
    found: list[tuple[float, float, float, float]] = []
    steps = int(np.floor(np.radians(min(most_turn_deg, 90.0)) / _TURN_STEP + 1e-6))
    for turn in np.arange(-steps, steps + 1) * _TURN_STEP:
        found += _peaks(places, slopes, certain, float(turn), width, height, size)
    found.sort(reverse=True)
    kept = _apart(found, width)
    table = np.array(kept, np.float64).reshape(-1, 4)
    return Outlines(width=width, height=height, centres=table[:, 1:3], turns=table[:, 3])


def _peaks(
    places: Points,
    slopes: NDArray[np.float32],
    certain: NDArray[np.float32],
    turn: float,
    width: float,
    height: float,
    size: tuple[int, int],
) -> list[tuple[float, float, float, float]]:
    """Score, x, y and turn of the best places of cards that are turned this far."""
    cell = width / _CELLS
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.stack([places[:, 0] * cos + places[:, 1] * sin, places[:, 1] * cos - places[:, 0] * sin], 1)
    picture = np.array([(0, 0), (size[1], 0), (size[1], size[0]), (0, size[0])], float)
    rim = np.stack([picture[:, 0] * cos + picture[:, 1] * sin, picture[:, 1] * cos - picture[:, 0] * sin], 1)
    origin = rim.min(axis=0) - height / 2
    columns, rows = (np.ceil((rim.max(axis=0) + height / 2 - origin) / cell).astype(int) + 1).tolist()
    cells = np.floor((turned - origin) / cell).astype(np.int64)
    flat = cells[:, 1] * columns + cells[:, 0]

    def lines(along: float) -> NDArray[np.float32]:
        """The cells where an edge with this slope runs."""
        off = np.abs((slopes - along + np.pi / 2) % np.pi - np.pi / 2)
        mine = off < _SLACK
        sums = np.bincount(flat[mine], weights=certain[mine], minlength=rows * columns)
        return np.minimum(sums / (cell * 0.7), 1).astype(np.float32).reshape(rows, columns)

    upright = cv2.dilate(lines(turn), np.ones((1, 3), np.uint8))
    level = cv2.dilate(lines(turn + np.pi / 2), np.ones((3, 1), np.uint8))
    tall, wide = round(0.86 * height / cell), round(0.84 * width / cell)
    beside = cv2.blur(upright, (1, tall), borderType=cv2.BORDER_CONSTANT)
    above = cv2.blur(level, (wide, 1), borderType=cv2.BORDER_CONSTANT)
    half_x, half_y = round(width / 2 / cell), round(height / 2 / cell)
    score = np.zeros_like(beside)
    inner = score[half_y : rows - half_y, half_x : columns - half_x]
    inner += beside[half_y : rows - half_y, : columns - 2 * half_x]
    inner += beside[half_y : rows - half_y, 2 * half_x :]
    inner += above[: rows - 2 * half_y, half_x : columns - half_x]
    inner += above[2 * half_y :, half_x : columns - half_x]
    best = (score == cv2.dilate(score, np.ones((5, 5), np.uint8))) & (score > _LIKELY)
    found = []
    for row, column in zip(*np.nonzero(best), strict=True):
        x, y = origin + (np.array([column, row]) + 0.5) * cell
        found.append((float(score[row, column]), float(x * cos - y * sin), float(x * sin + y * cos), turn))
    return found


def _apart(
    found: list[tuple[float, float, float, float]], width: float
) -> list[tuple[float, float, float, float]]:
    """The best of each place; another turn or a step aside is the same place."""
    kept: list[tuple[float, float, float, float]] = []
    for one in found:
        if len(kept) >= _CANDIDATES:
            break
        if all(
            np.hypot(one[1] - other[1], one[2] - other[2]) > 0.06 * width
            or abs((one[3] - other[3] + np.pi / 2) % np.pi - np.pi / 2) > 0.1
            for other in kept
        ):
            kept.append(one)
    return kept


def spread_outlines(
    image: BgrImage, width: float, height: float, most_turn_deg: float
) -> tuple[Outlines, NDArray[np.float32], Edges]:
    """Candidates laid exactly on the edges near them, with the support of each point of their rims."""
    edges = Edges.of(image)
    outlines = fitted(edges, candidates(edges, width, height, most_turn_deg))
    return outlines, support(edges, outlines), edges


def chosen(outlines: Outlines, borne: NDArray[np.float32], least: float = 0.14) -> list[int]:
    """Those outlines that together explain the edges; a card below another needs no edge where it is hidden."""
    places, normals, _ = outlines.rim()
    gain = borne - 0.5
    taken: list[int] = []
    hidden = np.zeros(borne.shape, bool)
    claimed = np.zeros(borne.shape, bool)
    while True:
        worth = np.where(claimed, -0.35, gain)
        # An edge seen where another card lies on top may be that card's own print.
        worth = np.where(hidden, np.maximum(worth, 0) * 0.3, worth).mean(axis=1)
        free = (~hidden).mean(axis=1)
        worth[free < 0.3] = -1
        worth[taken] = -1
        best = int(worth.argmax()) if len(worth) else -1
        if best < 0 or worth[best] < least * max(0.5, float(free[best])):
            return taken
        taken.append(best)
        hidden |= _inside(places, outlines, best, -3.0)
        claimed |= _on_rim(places, normals, outlines, best)


def _local(places: Points, outlines: Outlines, index: int) -> Points:
    off = places - outlines.centres[index]
    cos, sin = np.cos(outlines.turns[index]), np.sin(outlines.turns[index])
    return np.stack([off[..., 0] * cos + off[..., 1] * sin, off[..., 1] * cos - off[..., 0] * sin], axis=-1)


def _inside(places: Points, outlines: Outlines, index: int, margin: float) -> NDArray[np.bool_]:
    half = np.array([outlines.width, outlines.height]) / 2 + margin
    return np.asarray((np.abs(_local(places, outlines, index)) < half).all(axis=-1))


def _on_rim(places: Points, normals: Points, outlines: Outlines, index: int) -> NDArray[np.bool_]:
    """Points within three pixels of a side of a card and along it."""
    local = np.abs(_local(places, outlines, index))
    half = np.array([outlines.width, outlines.height]) / 2
    turn = outlines.turns[index]
    level = np.abs(normals[..., 0] * np.cos(turn) + normals[..., 1] * np.sin(turn))
    beside = (np.abs(local[..., 0] - half[0]) < 3) & (local[..., 1] < half[1]) & (level > 0.98)
    upright = np.abs(normals[..., 1] * np.cos(turn) - normals[..., 0] * np.sin(turn))
    above = (np.abs(local[..., 1] - half[1]) < 3) & (local[..., 0] < half[0]) & (upright > 0.98)
    return np.asarray(beside | above)
