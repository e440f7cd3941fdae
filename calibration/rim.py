"""A board is thick: where its wall is seen, its edges are moved from its foot to the rim of its face."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import free_shares
from vision.frame import BgrImage
from vision.pose import Points, Pose, corners_of
from vision.register import Registration, register_corners
from vision.solid import project_solid
from vision.table import Rect

THICKNESS = 0.0043
"""Board units: boards are about two and a half millimetres thick and 56 to 62 centimetres wide."""
_LEAST_PX = 1.2
"""A wall that would be narrower in the picture is not looked for, and hardly matters."""
_DEEPER = (2.0, 3.0, 4.0, 5.0)
"""Breadths of a wall inside of it: surely print."""
_SMOOTH = 31
"""Samples along a side over which light changes and print does not."""
_PLAIN = 0.4
"""The share of the print's unrest that a wall may show: it is of one colour along a whole side."""
_PLAINER = 0.6
"""The same against the sides away from the camera, which show no wall: boards may have a printed rim."""


def onto_face(image: BgrImage, found: Registration, board: Rect, papers: Sequence[Rect] = ()) -> Registration:
    """The same registration, or one whose near sides are moved in from the board's foot to its face."""
    if found.pose is None:
        return found
    pose = found.pose
    leans = _leans(pose, board)
    walls = THICKNESS * np.maximum(-leans, 0.0)
    breadths = walls * [pose.scale_at(middle)[1] for middle in _middles(board)]
    near = [side for side in range(4) if breadths[side] > _LEAST_PX]
    if not near:
        return found
    unrest = [_unrest(image, pose, board, side, float(walls[near].max()), papers) for side in range(4)]
    walled = [_unrest(image, pose, board, side, float(walls[side]), papers) for side in near]
    far = [unrest[side] for side in range(4) if leans[side] > 0]
    if float(np.mean(walled)) > min(_PLAIN, _PLAINER * float(np.mean(far or [1.0]))):
        return found
    inner = Rect(
        board.x0 + float(walls[3]),
        board.y0 + float(walls[0]),
        board.x1 - float(walls[1]),
        board.y1 - float(walls[2]),
    )
    moved = register_corners(pose.quad(inner), board, pose.lens)
    return replace(found, pose=moved.pose) if moved.pose is not None else found


def _middles(board: Rect) -> Points:
    """Of the top, right, bottom and left side."""
    corners = corners_of(board)
    return np.asarray((corners + np.roll(corners, -1, axis=0)) / 2, np.float64)


def _leans(pose: Pose, board: Rect) -> NDArray[np.float64]:
    """How far out of each side a point above it is seen, in heights; below 0 where its wall is in view."""
    middles = _middles(board)
    raised = np.column_stack([middles, np.full(4, THICKNESS)])
    off = (pose.unproject(project_solid(pose, raised)) - middles) / THICKNESS
    return np.array([-off[0, 1], off[1, 0], off[2, 1], -off[3, 0]])


def _unrest(
    image: BgrImage, pose: Pose, board: Rect, side: int, wall: float, papers: Sequence[Rect]
) -> float:
    """How much colour changes along a side where its wall would be, against the print further in."""
    corners = corners_of(board)
    a, b = corners[side], np.roll(corners, -1, axis=0)[side]
    inward = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a))
    line = a + free_shares(a, b, papers)[:, None] * (b - a)
    band, *print_ = (_change(image, pose.project(line + depth * wall * inward)) for depth in (0.5, *_DEEPER))
    return band / max(float(np.mean(print_)), 1.0)


def _change(image: BgrImage, pixels: Points) -> float:
    """Grey levels by which colours differ from those around them on a line."""
    points = pixels.astype(np.float32)[None]
    colours = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR)[0].astype(np.float32)
    ends = _SMOOTH // 2
    around = np.pad(colours, ((ends, ends), (0, 0)), mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(around, _SMOOTH, axis=0)
    return float(np.abs(colours - np.median(windows, axis=2)).mean())
