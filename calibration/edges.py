"""The board's own straight edges: where exactly they are, and how much the lens bends them."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.pose import Lens, Points, Pose, corners_of
from vision.register import Means, Registration, register_corners
from vision.table import Rect

_REACH = 0.022
"""Board units around a given edge within which the true one is looked for."""
_MOST_MOVED = 0.04
"""A corner that would move further than this was not what was meant."""
_SAMPLES = 96
_FEWEST = 24
_FEWEST_BENT = 4 * 48
"""So many points are needed before the lens may be judged by them."""
_STEP_PX = 0.5
_MOST_CURVE = 0.3
_GOLDEN = 0.6180339887


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardEdges:
    """Points on each of the four sides, in pixels: top, right, bottom, left."""

    sides: tuple[Points, ...]

    @property
    def count(self) -> int:
        return sum(len(side) for side in self.sides)


def refine_by_edges(
    image: BgrImage, pose: Pose, board: Rect, *, fit_curve: bool = False
) -> Registration | None:
    """The same board with its corners where its edges cross; None where the edges cannot be seen."""
    edges = find_edges(image, pose, board)
    if edges is None:
        return None
    lens = pose.lens
    if fit_curve and edges.count >= _FEWEST_BENT:
        lens = replace(lens, curve=_straightest(edges, lens))
    lines = [_line(lens.straighten(side)) for side in edges.sides]
    corners = []
    for before, after in zip(np.roll(lines, 1, axis=0), lines, strict=True):
        crossing = np.cross(before, after)
        if abs(crossing[2]) < 1e-9:
            return None
        corners.append(crossing[:2] / crossing[2])
    found = register_corners(lens.bend(np.array(corners)), board, lens)
    if found.pose is None or _moved(pose, found.pose, board) > _MOST_MOVED:
        return None
    spread = [_off_line(lens.straighten(side)) for side in edges.sides]
    error = float(np.sqrt(np.mean(np.square(np.concatenate(spread)))))
    return replace(found, means=Means.CORNERS, error_px=max(0.1, error), support=edges.count)


def _moved(before: Pose, after: Pose, board: Rect) -> float:
    """How far the furthest corner is moved, in board units."""
    corners = corners_of(board)
    return float(np.abs(before.unproject(after.project(corners)) - corners).max())


def find_edges(image: BgrImage, pose: Pose, board: Rect) -> BoardEdges | None:
    """Along each side the steepest change of colour that runs along it; None where one side has none."""
    sides = []
    corners = corners_of(board)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = _edge_points(image, pose, a, b)
        if side is None:
            return None
        sides.append(side)
    return BoardEdges(sides=tuple(sides))


def _edge_points(image: BgrImage, pose: Pose, a: Points, b: Points) -> Points | None:
    shares = np.linspace(0.03, 0.97, _SAMPLES)
    base = pose.project(a + shares[:, None] * (b - a))
    outward = np.array([(b - a)[1], -(b - a)[0]])
    outside = pose.project(a + shares[:, None] * (b - a) + outward * 0.01 / np.hypot(*outward))
    across = outside - base
    px_per_unit = np.hypot(*across.T).mean() / 0.01
    across /= np.hypot(*across.T)[:, None]
    reach = float(np.clip(_REACH * px_per_unit, 5.0, 40.0))
    offsets = np.arange(-reach, reach + _STEP_PX / 2, _STEP_PX)
    slope = _slopes_across(image, base, across, offsets)
    if slope is None:
        return None
    start, end = _best_run(slope)
    wanted = np.linspace(start, end, _SAMPLES)
    return _peaks_near(slope, wanted, base, across, offsets)


def _slopes_across(
    image: BgrImage, base: Points, across: Points, offsets: NDArray[np.float64]
) -> NDArray[np.float32] | None:
    """How steeply colour changes at each offset of each profile, each profile at most 1."""
    points = (base[:, None, :] + offsets[None, :, None] * across[:, None, :]).astype(np.float32)
    height, width = image.shape[:2]
    inside = ((points >= 1) & (points <= np.array([width - 2, height - 2]))).all(axis=(1, 2))
    if inside.mean() < 0.5:
        return None
    xs, ys = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    values = cv2.remap(image, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    smooth = cv2.GaussianBlur(values, (5, 1), 1.0)
    slope = np.abs(np.gradient(smooth, axis=1)).max(axis=2)
    slope[~inside] = 0
    return np.asarray(np.minimum(slope, 12.0), np.float32)


def _best_run(slope: NDArray[np.float32]) -> tuple[float, float]:
    """The straight way through the profiles that meets the most change: its first and last column."""
    soft = np.minimum(cv2.GaussianBlur(slope, (5, 1), 1.0), 6.0)[::2]
    columns = soft.shape[1]
    rows = np.arange(len(soft))
    share = rows / max(len(soft) - 1, 1)
    lean = np.arange(-columns // 2, columns // 2 + 1, 2)
    starts = np.arange(0, columns, 2)
    ways = starts[:, None, None] + share[None, None, :] * lean[None, :, None]
    inside = (ways[..., -1] >= 0) & (ways[..., -1] <= columns - 1)
    scores = soft[rows, np.clip(np.round(ways), 0, columns - 1).astype(int)].sum(axis=2)
    scores[~inside] = -1
    start, end = np.unravel_index(int(scores.argmax()), scores.shape)
    return float(starts[start]), float(starts[start] + lean[end])


def _peaks_near(
    slope: NDArray[np.float32],
    wanted: NDArray[np.float64],
    base: Points,
    across: Points,
    offsets: NDArray[np.float64],
) -> Points | None:
    columns = np.arange(slope.shape[1])
    near = np.abs(columns[None, :] - wanted[:, None]) <= 5
    weight = np.where(near, slope, 0)
    total = weight.sum(axis=1)
    clear = total > max(3.0, 0.35 * float(np.median(total)))
    if clear.sum() < _FEWEST:
        return None
    peak = (weight**2 @ offsets)[clear] / (weight[clear] ** 2).sum(axis=1)
    t = np.linspace(-1, 1, _SAMPLES)[clear]
    keep = np.ones(len(t), bool)
    for _ in range(4):
        bend = np.polyfit(t[keep], peak[keep], 2)
        off = np.abs(peak - np.polyval(bend, t))
        keep = off <= max(0.3, 2.5 * float(np.median(off[keep])))
        if keep.sum() < _FEWEST:
            return None
    return np.asarray((base[clear] + peak[:, None] * across[clear])[keep], np.float64)


def _straightest(edges: BoardEdges, lens: Lens) -> float:
    """The curve of the lens that makes all four sides straightest."""

    def misfit(curve: float) -> float:
        bent = replace(lens, curve=curve)
        off = [_off_line(bent.straighten(side)) for side in edges.sides]
        return float(np.square(np.minimum(np.abs(np.concatenate(off)), 2.0)).sum())

    low, high = -_MOST_CURVE, 0.15
    while high - low > 1e-4:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if misfit(left) < misfit(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def _line(points: Points) -> NDArray[np.float64]:
    """The line closest to points, as three homogeneous numbers with a unit normal."""
    middle = points.mean(axis=0)
    _, _, directions = np.linalg.svd(points - middle)
    normal = directions[1]
    return np.append(normal, -normal @ middle)


def _off_line(points: Points) -> NDArray[np.float64]:
    line = _line(points)
    return np.asarray(points @ line[:2] + line[2], np.float64)
