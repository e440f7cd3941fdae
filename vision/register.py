"""Where is the board: from four corners given by hand, or from printed markers around it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.pose import Lens, Points, Pose, corners_of
from vision.table import Rect

FEWEST_MARKERS = 3
_DETECT_WIDTH = 1920
_WORST_MARKER_PX = 3.0


class Means(Enum):
    """How the board was found."""

    CORNERS = "corners"
    MARKERS = "markers"
    PICTURE = "picture"


class Lost(Enum):
    """Why the board could not be found; also the keys of the sentences shown to the player."""

    NO_MARKERS = "register.no-markers"
    FEW_MARKERS = "register.few-markers"
    MISPLACED_MARKERS = "register.misplaced-markers"
    MIRRORED = "register.mirrored"
    BAD_CORNERS = "register.bad-corners"
    PLAIN = "register.plain"
    UNLIKE = "register.unlike"
    MOVED = "register.moved"
    OTHER_SHAPE = "register.other-shape"


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """An answer to "where is the board": a pose, or why there is none."""

    means: Means
    pose: Pose | None = None
    error_px: float = float("inf")
    """How far off the board's corners may be, one standard deviation, in frame pixels."""
    support: int = 0
    """How many points agree."""
    lost: Lost | None = None
    cause: str | None = None
    """One plain sentence for logs and the terminal."""

    def __post_init__(self) -> None:
        if (self.pose is None) != (self.lost is not None):
            raise ValueError("a registration has a pose, or says why it has none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A printed ArUco marker (4x4_50) as seen: corners in pixels, from its own top left clockwise."""

    id: int
    corners: Points

    @property
    def size_px(self) -> float:
        return float(np.sqrt(cv2.contourArea(self.corners.astype(np.float32))))


def register_corners(corners: Points, board: Rect, lens: Lens) -> Registration:
    """From the board's corners in pixels: top left, top right, bottom right, bottom left of the board."""
    pixels = np.asarray(corners, np.float64).reshape(-1, 2)
    problem = _problem_of_corners(pixels, lens)
    if problem:
        return _without_pose(Means.CORNERS, *problem)
    pose = fit_pose(corners_of(board), pixels, lens)
    return Registration(means=Means.CORNERS, pose=pose, error_px=1.0, support=4)


def register_markers(
    image: BgrImage, places: Mapping[int, Points], board: Rect, lens: Lens, *, fit_curve: bool = False
) -> Registration:
    """From markers lying at known places; `places` gives their corners in board units, clockwise."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _lone_markers(find_markers(gray, expected=len(places)), places)
    if len(found) < FEWEST_MARKERS:
        return _too_few_markers(gray, found, places)
    return _agreeing_markers(found, places, board, lens, fit_curve)


def find_markers(gray: GrayImage, expected: int = 4) -> tuple[Marker, ...]:
    """All 4x4_50 markers in a picture, corners to a fraction of a pixel."""
    step = max(1, round(gray.shape[1] / _DETECT_WIDTH))
    found = _detected(gray, step)
    if step > 1 and len(found) < expected:
        found = _detected(gray, 1)
    return tuple(replace(marker, corners=_sharpened(gray, marker.corners)) for marker in found)


def fit_pose(board: Points, pixels: Points, lens: Lens, *, fit_curve: bool = False) -> Pose:
    """The pose that maps board points to pixels with the least squared error; may also fit the lens."""
    if fit_curve:
        lens = replace(lens, curve=_fitted_curve(board, pixels, lens))
    matrix, _ = cv2.findHomography(board, lens.straighten(pixels), 0)
    if matrix is None:
        raise ValueError("these points lie on a line and fix no pose")
    return Pose.of(matrix, lens)


def corner_error(pose: Pose, board: Points, pixels: Points, rect: Rect) -> float:
    """The standard deviation in pixels that the points' own misfit means for the rectangle's corners."""
    misfit = pose.lens.straighten(pixels) - pose.lens.straighten(pose.project(board))
    freedom = max(misfit.size - 8, 1)
    spread = float((misfit**2).sum() / freedom)
    slopes = _slopes(pose, board)
    try:
        covariance = np.linalg.inv(slopes.T @ slopes) * spread
    except np.linalg.LinAlgError:
        return float("inf")
    at_corners = _slopes(pose, corners_of(rect))
    variances = np.einsum("ij,jk,ik->i", at_corners, covariance, at_corners)
    return float(np.sqrt(max(variances.max(), 0.0) * 2))


def _problem_of_corners(pixels: Points, lens: Lens) -> tuple[Lost, str] | None:
    if pixels.shape != (4, 2) or not np.isfinite(pixels).all():
        return Lost.BAD_CORNERS, f"expected the board's 4 corners, found {len(pixels)} points."
    turns = [
        float(np.cross(np.append(b - a, 0), np.append(c - b, 0))[2])
        for a, b, c in zip(pixels, np.roll(pixels, -1, 0), np.roll(pixels, -2, 0), strict=True)
    ]
    if all(turn < 0 for turn in turns):
        return Lost.MIRRORED, "the corners run the other way round: is the picture mirrored?"
    if not all(turn > 0 for turn in turns):
        return Lost.BAD_CORNERS, "the four corners do not make a board: move them to its corners, in order."
    smallest = 0.01 * lens.width * lens.height
    if cv2.contourArea(pixels.astype(np.float32)) < smallest:
        return Lost.BAD_CORNERS, "the board is too small in the picture: move the camera closer."
    return None


def _without_pose(means: Means, lost: Lost, cause: str) -> Registration:
    return Registration(means=means, lost=lost, cause=cause)


def _lone_markers(found: tuple[Marker, ...], places: Mapping[int, Points]) -> tuple[Marker, ...]:
    """Only known markers, and none that lies on the table twice: nobody can say which one is meant."""
    times = Counter(marker.id for marker in found)
    return tuple(marker for marker in found if marker.id in places and times[marker.id] == 1)


def _too_few_markers(
    gray: GrayImage, found: tuple[Marker, ...], places: Mapping[int, Points]
) -> Registration:
    turned = np.asarray(cv2.flip(gray, 1), np.uint8)
    if len(_lone_markers(_detected(turned, max(1, round(gray.shape[1] / _DETECT_WIDTH))), places)) > len(
        found
    ):
        return _without_pose(
            Means.MARKERS,
            Lost.MIRRORED,
            "the picture is mirrored: switch off mirroring in the camera's settings.",
        )
    if not found:
        return _without_pose(Means.MARKERS, Lost.NO_MARKERS, "no marker of this table is in the picture.")
    missing = ", ".join(str(key) for key in sorted(set(places) - {marker.id for marker in found}))
    seen = f"only {len(found)} of {len(places)} markers are clear"
    cause = f"{seen}, {FEWEST_MARKERS} are needed; not seen: {missing}."
    return _without_pose(Means.MARKERS, Lost.FEW_MARKERS, cause)


def _agreeing_markers(
    found: tuple[Marker, ...], places: Mapping[int, Points], board: Rect, lens: Lens, fit_curve: bool
) -> Registration:
    """Fits all markers; while they disagree, leaves out the one without which the others agree best."""
    kept = found
    while True:
        pose, worst = _fit_markers(kept, places, lens, fit_curve)
        if worst <= _WORST_MARKER_PX * max(1.0, lens.width / _DETECT_WIDTH):
            break
        if len(kept) == FEWEST_MARKERS:
            return _without_pose(
                Means.MARKERS,
                Lost.MISPLACED_MARKERS,
                f"the markers do not lie where the sheet says (off by {worst:.0f} px): lay them out again.",
            )
        rests = [tuple(m for m in kept if m is not left_out) for left_out in kept]
        kept = min(rests, key=lambda rest: _fit_markers(rest, places, lens, fit_curve)[1])
    on_board, pixels = _paired(kept, places)
    if pose.mirrored(board):
        return _without_pose(
            Means.MARKERS, Lost.MIRRORED, "the picture is mirrored, or the markers' places are."
        )
    error = corner_error(pose, on_board, pixels, board)
    return Registration(means=Means.MARKERS, pose=pose, error_px=error, support=len(pixels))


def _fit_markers(
    markers: tuple[Marker, ...], places: Mapping[int, Points], lens: Lens, fit_curve: bool
) -> tuple[Pose, float]:
    on_board, pixels = _paired(markers, places)
    pose = fit_pose(on_board, pixels, lens, fit_curve=fit_curve)
    return pose, float(np.abs(pose.project(on_board) - pixels).max())


def _paired(markers: tuple[Marker, ...], places: Mapping[int, Points]) -> tuple[Points, Points]:
    on_board = np.concatenate([np.asarray(places[marker.id], np.float64).reshape(4, 2) for marker in markers])
    return on_board, np.concatenate([marker.corners for marker in markers])


def _detected(gray: GrayImage, step: int) -> tuple[Marker, ...]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.02
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    if step > 1:
        size = (gray.shape[1] // step, gray.shape[0] // step)
        gray = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(gray)
    if ids is None:
        return ()
    return tuple(
        Marker(id=int(key), corners=(quad.reshape(4, 2).astype(np.float64) + 0.5) * step - 0.5)
        for key, quad in zip(ids.ravel(), corners, strict=True)
    )


_PROFILE = np.arange(-8, 8.01, 0.5)


def _sharpened(gray: GrayImage, corners: Points) -> Points:
    """Corners as crossings of the marker's four edges.

    Each edge is a line through the steepest points of many profiles across it. Blur is symmetric to an
    edge but pulls a corner inwards, so lines are more exact than any corner finder.
    """
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    lines = [line for a, b in sides if (line := _edge_line(gray, a, b)) is not None]
    if len(lines) < 4:
        return corners
    sharp = []
    for before, after, old in zip(np.roll(lines, 1, axis=0), lines, corners, strict=True):
        crossing = np.cross(before, after)
        if abs(crossing[2]) < 1e-9:
            return corners
        point = crossing[:2] / crossing[2]
        if np.abs(point - old).max() > 4:
            return corners
        sharp.append(point)
    return np.array(sharp)


def _edge_line(gray: GrayImage, a: Points, b: Points) -> NDArray[np.float64] | None:
    """The line through an edge from white (left of a→b seen clockwise: outside) to black, or None."""
    length = float(np.hypot(*(b - a)))
    if length < 8:
        return None
    along = (b - a) / length
    outward = np.array([along[1], -along[0]])
    reach = min(8.0, length / 8)  # a marker's black rim is a sixth of its side
    across = _PROFILE[np.abs(_PROFILE) <= reach]
    steps = np.linspace(0.12, 0.88, int(np.clip(length / 2, 8, 64)))
    base = a + steps[:, None] * (b - a)
    points = (base[:, None, :] + across[None, :, None] * outward).astype(np.float32)
    xs, ys = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    values = cv2.remap(gray, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    slope = np.maximum(np.diff(values, axis=1), 0)
    return _line_through(base, outward, (across[1:] + across[:-1]) / 2, slope)


def _line_through(
    base: Points, outward: Points, across: NDArray[np.float64], slope: NDArray[np.float32]
) -> NDArray[np.float64] | None:
    """A robust line through the steepest place of each profile."""
    peak = across[slope.argmax(axis=1)]
    near = np.abs(across[None, :] - peak[:, None]) <= 2.5
    weight = np.where(near, slope, 0)
    total = weight.sum(axis=1)
    clear = total > max(8.0, 0.4 * float(np.median(total)))
    if clear.sum() < 5:
        return None
    offset = (weight @ across)[clear] / total[clear]
    t = np.arange(len(base), dtype=np.float64)[clear]
    keep = np.ones(len(t), bool)
    for _ in range(3):
        tilt, shift = np.polyfit(t[keep], offset[keep], 1)
        miss = np.abs(offset - (tilt * t + shift))
        keep = miss <= max(0.15, 2.5 * float(np.median(miss[keep])))
        if keep.sum() < 5:
            return None
    ends = (0.0, float(len(base) - 1))
    first, last = (base[int(end)] + (tilt * end + shift) * outward for end in ends)
    return np.asarray(np.cross(np.append(first, 1.0), np.append(last, 1.0)), np.float64)


def _slopes(pose: Pose, board: Points) -> NDArray[np.float64]:
    """How straight pixels move with each of the homography's eight free numbers."""
    x, y = board.T
    ones, none = np.ones(len(board)), np.zeros(len(board))
    straight = pose.lens.straighten(pose.project(board))
    u, v = straight.T
    depth = np.column_stack([x, y, ones]) @ pose.matrix[2]
    in_u = np.stack([x, y, ones, none, none, none, -u * x, -u * y], axis=1)
    in_v = np.stack([none, none, none, x, y, ones, -v * x, -v * y], axis=1)
    return np.asarray(np.concatenate([in_u, in_v]) / np.tile(depth, 2)[:, None], np.float64)


def _fitted_curve(board: Points, pixels: Points, lens: Lens) -> float:
    """The lens curve that leaves the least misfit, by golden section; wild points count no more than 3 px."""

    def misfit(curve: float) -> float:
        bent = replace(lens, curve=curve)
        matrix, _ = cv2.findHomography(board, bent.straighten(pixels), 0)
        if matrix is None:
            return float("inf")
        off = np.hypot(*(Pose.of(matrix, bent).project(board) - pixels).T)
        return float(np.minimum(off, 3.0 * lens.width / 1920) @ np.minimum(off, 3.0 * lens.width / 1920))

    low, high, golden = -0.45, 0.15, 0.6180339887
    while high - low > 1e-3:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if misfit(left) < misfit(right):
            high = right
        else:
            low = left
    return (low + high) / 2
