"""Where a board's face begins: its wall and its shadow are plain along a whole side, its print is not."""

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

_REACH = 0.0078
"""Board units inside of an edge within which the face begins: a wall at 45° and its shadow are narrower."""
_FINE_PX = 0.25
_OUTSIDE_PX = 4.0
_LEVEL_PX = 2.5
"""So far to both sides of where print begins its unrest is as it is further on."""
_CLEAR = 1.6
"""How many times more unrest print must have than what lies outside of it."""
_LEAST_PX = 0.7
"""What would be moved less is left where the edge is: edges are found better than that."""
_BORDER = 0.7
"""Where all four sides have a rim so alike (the narrowest against the widest), it is printed."""
_NARROW = 0.004
"""Board units: nobody prints a narrower border around a board."""
_THICKEST = 0.005
"""Board units: boards are two to three millimetres thick and 56 to 62 centimetres wide."""
_BLUR_PX = 0.8
_OTHER_HUE = 0.12
"""Of the table's brightness: by how much a shade on it may be of another hue."""
_SMOOTH = 41
"""Samples along a side over which light changes and print does not."""


def onto_face(image: BgrImage, found: Registration, board: Rect, papers: Sequence[Rect] = ()) -> Registration:
    """The same registration with its sides moved in from a board's foot or shadow to its face."""
    if found.pose is None:
        return found
    pose = found.pose
    corners = corners_of(board)
    ends = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
    rims = [_rim_px(image, pose, a, b, papers) for a, b in ends]
    widths = [rim / _px_per_unit(pose, a, b) for rim, (a, b) in zip(rims, ends, strict=True)]
    if max(rims) < _LEAST_PX or min(widths) > max(_BORDER * max(widths), _NARROW):
        return found
    top, right, bottom, left = (w if rim >= _LEAST_PX else 0.0 for w, rim in zip(widths, rims, strict=True))
    face = Rect(board.x0 + left, board.y0 + top, board.x1 - right, board.y1 - bottom)
    moved = register_corners(pose.quad(face), board, pose.lens)
    return found if moved.pose is None else replace(found, pose=moved.pose)


def _px_per_unit(pose: Pose, a: Points, b: Points) -> float:
    middle, outward = (a + b) / 2, _outward(a, b)
    return float(np.hypot(*(pose.project(middle + 0.01 * outward) - pose.project(middle))[0]) / 0.01)


def _outward(a: Points, b: Points) -> Points:
    along = (b - a) / np.hypot(*(b - a))
    return np.array([along[1], -along[0]])


def _rim_px(image: BgrImage, pose: Pose, a: Points, b: Points, papers: Sequence[Rect]) -> float:
    """How far inside of a side its print begins; 0 where nothing tells."""
    shares = free_shares(a, b, papers)
    if len(shares) < _SMOOTH:
        return 0.0
    points = a + shares[:, None] * (b - a)
    base = pose.project(points)
    across = pose.project(points + 0.01 * _outward(a, b)) - base
    scale = float(np.hypot(*across.T).mean() / 0.01)
    across /= np.hypot(*across.T)[:, None]
    inside = _REACH * scale + _LEVEL_PX
    offsets = np.arange(-inside, _OUTSIDE_PX + _FINE_PX / 2, _FINE_PX)
    colours = _colours(image, base, across, offsets)
    rim = max(0.0, -_onset(_unrest(colours), offsets))
    wall = _THICKEST * max(0.0, _lean(pose, a, b)) * scale + 3 * _BLUR_PX
    return rim if rim <= wall or _is_shade(colours.mean(axis=0), offsets, rim - wall) else 0.0


def _lean(pose: Pose, a: Points, b: Points) -> float:
    """How broad the wall below a side is seen, in heights; below 0 where the face hides it."""
    middle = (a + b) / 2
    above = pose.unproject(project_solid(pose, np.array([[*middle, _THICKEST]])))[0]
    return float((middle - above) @ _outward(a, b) / _THICKEST)


def _is_shade(colours: NDArray[np.float32], offsets: NDArray[np.float64], width: float) -> bool:
    """Whether what lies inside of an edge, so far, is the table outside of it, only darker."""
    table = colours[offsets > _OUTSIDE_PX / 2].mean(axis=0)
    band = colours[(offsets < -_BLUR_PX) & (offsets >= -max(width, 2 * _BLUR_PX))]
    shade = band @ table / float(table @ table)
    off = np.linalg.norm(band - shade[:, None] * table, axis=1)
    return bool((shade < 1).all() and float(off.mean()) < _OTHER_HUE * float(np.linalg.norm(table)))


def _colours(
    image: BgrImage, base: Points, across: Points, offsets: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Along the side, then by distance from it."""
    at = (base[:, None] + offsets[None, :, None] * across[:, None]).astype(np.float32)
    xs, ys = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    seen = cv2.remap(image, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def _unrest(colours: NDArray[np.float32]) -> NDArray[np.float64]:
    """How much colour changes along the side at each distance from it, whatever the light does."""
    fine = colours - cv2.GaussianBlur(colours, (1, _SMOOTH), 0)
    spread = np.abs(fine).mean(axis=(0, 2))
    return np.asarray(np.convolve(np.pad(spread, 1, mode="edge"), (0.25, 0.5, 0.25), "valid"), np.float64)


def _onset(unrest: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """Where print begins, coming from outside: half way up to what its unrest is a little further in."""
    far = round(_LEVEL_PX / _FINE_PX)
    inner = unrest[:-far]
    here = unrest[far:]
    plainest = np.minimum.accumulate(here[::-1])[::-1]
    begun = (here >= (plainest + inner) / 2) & (inner >= _CLEAR * plainest)
    return float(offsets[far:][begun][-1]) if begun.any() else 0.0
