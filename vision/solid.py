"""The space above the board: where a camera sees points of things that stand on it."""

import numpy as np
from numpy.typing import NDArray

from vision.pose import Lens, Points, Pose

_USUAL_FOCAL = 0.87
"""Of the picture's width: a lens of 60°, believed where the picture does not tell."""
_FOCALS = (0.45, 1.9)
"""Lenses of 96° and of 30°: no webcam is outside."""
_LEAST_LEAN = 0.03
"""Where the picture's plane leans less than this over a board's width, it says nothing about the lens."""


def project_solid(pose: Pose, points: NDArray[np.float64]) -> Points:
    """Pixels of points N × 3 in board units, the third upwards from the board."""
    focal = focal_px(pose)
    matrix = _centred(pose.lens) @ pose.matrix / np.array([[focal], [focal], [1.0]])
    first, second = matrix[:, 0], matrix[:, 1]
    size = float(np.sqrt(np.linalg.norm(first) * np.linalg.norm(second)))
    up = np.cross(first, second) / size
    # Towards the camera, whichever way round the board's axes run: depth must become less.
    up *= -np.sign(up[2]) * np.sign(matrix[2] @ (0.5, 0.25, 1.0))
    flat = np.column_stack([points[:, :2], np.ones(len(points))])
    rays = flat @ matrix.T + points[:, 2:] * up
    return pose.lens.bend(focal * rays[:, :2] / rays[:, 2:] + pose.lens.centre)


def focal_px(pose: Pose) -> float:
    """How far the lens is from its picture: a board that leans tells it by how its sides draw together."""
    matrix = _centred(pose.lens) @ pose.matrix
    first, second = matrix[:, 0], matrix[:, 1]
    shares = np.array([first[2] * second[2], first[2] ** 2 - second[2] ** 2])
    across = np.array([first[:2] @ second[:2], first[:2] @ first[:2] - second[:2] @ second[:2]])
    lean = float(shares @ shares)
    usual = _USUAL_FOCAL * pose.lens.width
    scale = float(np.mean([first[:2] @ first[:2], second[:2] @ second[:2]]))
    if lean * usual**4 < (_LEAST_LEAN * scale) ** 2:
        return usual
    square = float(-(shares @ across) / lean)
    least, most = (share * pose.lens.width for share in _FOCALS)
    return float(np.clip(np.sqrt(max(square, 1.0)), least, most))


def _centred(lens: Lens) -> NDArray[np.float64]:
    """From pixels to offsets from the picture's middle."""
    middle = np.eye(3)
    middle[:2, 2] = -lens.centre
    return middle
