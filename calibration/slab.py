"""A board has a thickness: where its foot is seen below its face, for a camera that looks from aside."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.pose import Lens, Points, Pose, corners_of
from vision.table import Rect

THICKNESS = 0.004
"""Board units: boards are two to three millimetres thick and about sixty centimetres wide."""
_THICKEST = 0.0065
_LEAST_LEANING = 0.15
"""Thicknesses: a side of which less is seen is as good as straight below."""
_AXES = (1, 0, 1, 0)
_SIGNS = (-1, 1, 1, -1)
"""Of the top, right, bottom and left side: which coordinate grows or falls outwards."""
_USUAL_FOCAL = 0.87
"""Of the picture's width: a lens of 60°, believed where the picture does not tell."""
_FOCALS = (0.45, 1.9)
"""Lenses of 96° and of 30°: no webcam is outside."""
_LEAST_LEAN = 0.03
"""Where the picture's plane leans less than this over a board's width, it says nothing about the lens."""


def face_on(table: Pose, thickness: float = THICKNESS) -> Pose:
    """The pose of a board's face that lies on a table, in the same board units."""
    return _raised(table, thickness)


def onto_face(sides: Sequence[Points], table: Pose, board: Rect) -> tuple[Points, ...]:
    """Points on the edges of a thick board, all moved onto the rim of its face.

    On the far sides only the face's rim is in view, further out than the table below would have it: that
    tells the thickness. On the near sides the foot's edge is the clearer one: where it was taken, it moves.
    """
    leans = _leans(table, board)
    outs = np.array([_outside(table, board, k, side).mean() for k, side in enumerate(sides)])
    far = leans > _LEAST_LEANING
    if not far.any():
        return tuple(sides)
    thickness = float(np.clip((outs[far] @ leans[far]) / (leans[far] @ leans[far]), 0.0, _THICKEST))
    moved = []
    for k, side in enumerate(sides):
        inwards = -thickness * leans[k]
        at_foot = leans[k] < -_LEAST_LEANING and outs[k] > -inwards / 2
        moved.append(_moved_out(table, k, side, -inwards) if at_foot else side)
    return tuple(moved)


def _leans(table: Pose, board: Rect) -> NDArray[np.float64]:
    """How far out each side of the face is seen, in thicknesses; below 0 where the camera sees that side."""
    face = face_on(table)
    corners = corners_of(board)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    outs = [_outside(table, board, k, face.project(middle)).mean() for k, middle in enumerate(middles)]
    return np.array(outs) / THICKNESS


def _outside(table: Pose, board: Rect, side: int, pixels: Points) -> NDArray[np.float64]:
    """How far outside of a side of the board points are seen, in board units of the table's plane."""
    places = table.unproject(pixels)
    rims = (board.y0, board.x1, board.y1, board.x0)
    off = places[:, _AXES[side]] - rims[side]
    return np.asarray(_SIGNS[side] * off, np.float64)


def _moved_out(table: Pose, side: int, pixels: Points, by: float) -> Points:
    places = table.unproject(pixels)
    places[:, _AXES[side]] += _SIGNS[side] * by
    return table.project(places)


def focal_px(pose: Pose) -> float:
    """How far the lens is from its picture: a board that leans tells it by how its sides draw together."""
    first, second = _columns(pose)
    shares = np.array([first[2] * second[2], first[2] ** 2 - second[2] ** 2])
    across = np.array(
        [first[:2] @ second[:2], (first[:2] ** 2).sum() - (second[:2] ** 2).sum()],
    )
    lean = float(shares @ shares)
    usual = _USUAL_FOCAL * pose.lens.width
    scale = float(np.mean([first[:2] @ first[:2], second[:2] @ second[:2]]))
    if lean * usual**4 < (_LEAST_LEAN * scale) ** 2:
        return usual
    square = float(-(shares @ across) / lean)
    least, most = (share * pose.lens.width for share in _FOCALS)
    return float(np.clip(np.sqrt(max(square, 1.0)), least, most))


def _raised(pose: Pose, height: float) -> Pose:
    """The homography of the plane so much nearer to the camera's side of the table."""
    focal = focal_px(pose)
    first, second = (np.append(column[:2] / focal, column[2]) for column in _columns(pose))
    matrix = _centred(pose.lens) @ pose.matrix
    third = matrix[:, 2] / (focal, focal, 1.0)
    size = float(np.sqrt(np.linalg.norm(first) * np.linalg.norm(second)))
    up = np.cross(first, second) / size
    # Towards the camera, whichever way round the board's axes run: depth must become less.
    up *= -np.sign(up[2]) * np.sign(matrix[2] @ (0.5, 0.25, 1.0))
    moved = matrix.copy()
    moved[:, 2] = (third + height * up) * (focal, focal, 1.0)
    return Pose.of(np.linalg.inv(_centred(pose.lens)) @ moved, pose.lens)


def _columns(pose: Pose) -> tuple[Points, Points]:
    """How pixels from the picture's middle, and depth, change along the board's axes."""
    matrix = _centred(pose.lens) @ pose.matrix
    return matrix[:, 0], matrix[:, 1]


def _centred(lens: Lens) -> NDArray[np.float64]:
    middle = np.eye(3)
    middle[:2, 2] = -lens.centre
    return middle
