"""The board's own straight edges: where exactly they are, and how much the lens bends them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.pose import Lens, Points, Pose, corners_of
from vision.rectify import grown
from vision.register import Means, Registration, register_corners
from vision.table import Rect

TAPPED = 0.022
"""Board units around an edge given by a finger within which the true one is looked for."""
LAID = 0.008
"""The same for markers at the corners: papers lie a little aside, and lower than the board's face."""
_MOST_MOVED = 0.04
"""A corner that would move further than this was not what was meant."""
_SAMPLES = 96
_FEWEST = 24
_FEWEST_BENT = 4 * 48
"""So many points are needed before the lens may be judged by them."""
_STEP_PX = 0.5
_MOST_UNEVEN_PX = 0.5
"""Points further off a smooth line than this, on average, lie on several things."""
_BEHIND = 4
"""Steps behind an edge at which its blur is over."""
_TABLE_COLUMNS = 4
_OTHER_COLOUR = 45.0
"""Levels by which a colour differs from the table's to count half."""
_BESIDE = 0.004
"""Board units around a paper that count as beside it."""
_MOST_CURVE = 0.3
_GOLDEN = 0.6180339887


Misfit = Callable[[Lens], float]
"""Squared pixels that remain unexplained with this lens."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardEdges:
    """Points on each of the four sides, in pixels: top, right, bottom, left."""

    sides: tuple[Points, ...]

    @property
    def count(self) -> int:
        return sum(len(side) for side in self.sides)


def refine_by_edges(
    image: BgrImage,
    pose: Pose,
    board: Rect,
    *,
    fit_curve: bool = False,
    reach: float = TAPPED,
    papers: Sequence[Rect] = (),
    also: Misfit | None = None,
) -> Registration | None:
    """The same board with its corners where its edges cross; None where the edges cannot be seen.

    `papers` lie against the board: where one does, its own edge would be taken for the board's. `also` says
    what else speaks for or against a lens.
    """
    edges = find_edges(image, pose, board, reach, papers)
    if edges is None:
        return None
    lens = pose.lens
    if fit_curve and edges.count >= _FEWEST_BENT:
        lens = replace(lens, curve=_straightest(edges, lens, also))
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


def find_edges(
    image: BgrImage, pose: Pose, board: Rect, reach: float = TAPPED, papers: Sequence[Rect] = ()
) -> BoardEdges | None:
    """Along each side the steepest change of colour that runs along it; None where one side has none."""
    sides = []
    corners = corners_of(board)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = _edge_points(image, pose, a, b, free_shares(a, b, papers), reach)
        if side is None:
            return None
        sides.append(side)
    return BoardEdges(sides=tuple(sides))


def free_shares(a: Points, b: Points, papers: Sequence[Rect]) -> NDArray[np.float64]:
    """Where along a side to look: nowhere beside a paper that lies against it."""
    shares = np.linspace(0.03, 0.97, 4 * _SAMPLES)
    points = a + shares[:, None] * (b - a)
    beside = np.zeros(len(shares), bool)
    for paper in papers:
        near = grown(paper, _BESIDE)
        beside |= ((points >= (near.x0, near.y0)) & (points <= (near.x1, near.y1))).all(axis=1)
    free = shares[~beside]
    few = np.linspace(0, len(free) - 1, min(_SAMPLES, len(free))).astype(int)
    return np.asarray(free[few], np.float64)


def _edge_points(
    image: BgrImage, pose: Pose, a: Points, b: Points, shares: NDArray[np.float64], reach: float
) -> Points | None:
    if len(shares) < _FEWEST:
        return None
    base = pose.project(a + shares[:, None] * (b - a))
    outward = np.array([(b - a)[1], -(b - a)[0]])
    outside = pose.project(a + shares[:, None] * (b - a) + outward * 0.01 / np.hypot(*outward))
    across = outside - base
    px_per_unit = np.hypot(*across.T).mean() / 0.01
    across /= np.hypot(*across.T)[:, None]
    reach_px = float(np.clip(reach * px_per_unit, 5.0, 40.0))
    offsets = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    slope = _slopes_across(image, base, across, offsets)
    if slope is None:
        return None
    start, end = _best_run(slope, shares)
    wanted = np.interp(shares, (shares[0], shares[-1]), (start, end))
    return _peaks_near(slope, wanted, shares, base, across, offsets)


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
    smooth = np.asarray(cv2.GaussianBlur(values, (5, 1), 1.0), np.float32)
    slope = np.abs(np.gradient(smooth, axis=1)).max(axis=2)
    slope *= _before_the_table(smooth)
    slope[~inside] = 0
    return np.asarray(np.minimum(slope, 12.0), np.float32)


def _before_the_table(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much the colour right outside of each place is the table's: print has more print behind it."""
    table = values[:, -_TABLE_COLUMNS:].mean(axis=1)
    rows = np.clip(np.arange(len(table))[:, None] + np.arange(-4, 5), 0, len(table) - 1)
    table = np.median(table[rows], axis=1)
    behind = np.concatenate([values[:, _BEHIND:], np.repeat(values[:, -1:], _BEHIND, axis=1)], axis=1)
    apart = np.linalg.norm(behind - table[:, None, :], axis=2)
    return np.asarray(1 / (1 + np.square(apart / _OTHER_COLOUR)), np.float32)


def _best_run(slope: NDArray[np.float32], shares: NDArray[np.float64]) -> tuple[float, float]:
    """The straight way through the profiles that meets the most change: its first and last column."""
    soft = np.minimum(cv2.GaussianBlur(slope, (5, 1), 1.0), 6.0)[::2]
    columns = soft.shape[1]
    rows = np.arange(len(soft))
    share = np.interp(shares[::2], (shares[0], shares[-1]), (0, 1))
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
    shares: NDArray[np.float64],
    base: Points,
    across: Points,
    offsets: NDArray[np.float64],
) -> Points | None:
    """The steepest place of each profile near the wanted one, first widely, then near the bend they make."""
    t = 2 * shares - 1
    for width in (5.0, 2.5):
        found = _bend_through(slope, wanted, t, offsets, width)
        if found is None:
            return None
        clear, peak, bend = found
        wanted = (np.polyval(bend, t) - offsets[0]) / _STEP_PX
    off = peak - np.polyval(bend, t[clear])
    if float(np.sqrt(np.mean(off**2))) > _MOST_UNEVEN_PX:
        return None
    return np.asarray(base[clear] + peak[:, None] * across[clear], np.float64)


def _bend_through(
    slope: NDArray[np.float32],
    wanted: NDArray[np.float64],
    t: NDArray[np.float64],
    offsets: NDArray[np.float64],
    width: float,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]] | None:
    """Which profiles have a clear peak near a smooth bend, where, and the bend."""
    columns = np.arange(slope.shape[1])
    weight = np.where(np.abs(columns[None, :] - wanted[:, None]) <= width, slope, 0)
    total = weight.sum(axis=1)
    clear = np.flatnonzero(total > max(3.0, 0.35 * float(np.median(total))))
    if len(clear) < _FEWEST:
        return None
    peak = (weight**2 @ offsets)[clear] / (weight[clear] ** 2).sum(axis=1)
    keep = np.ones(len(clear), bool)
    for _ in range(4):
        bend = np.polyfit(t[clear][keep], peak[keep], 2)
        off = np.abs(peak - np.polyval(bend, t[clear]))
        keep = off <= max(0.3, 2.5 * float(np.median(off[keep])))
        if keep.sum() < _FEWEST:
            return None
    return clear[keep], peak[keep], bend


def _straightest(edges: BoardEdges, lens: Lens, also: Misfit | None) -> float:
    """The curve of the lens that makes all four sides straightest, and is likely otherwise."""

    def misfit(curve: float) -> float:
        bent = replace(lens, curve=curve)
        off = [_off_line(bent.straighten(side)) for side in edges.sides]
        crooked = float(np.square(np.minimum(np.abs(np.concatenate(off)), 2.0)).sum())
        return crooked + (also(bent) if also is not None else 0.0)

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
