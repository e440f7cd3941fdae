"""Where is the board, by its own picture: learnt once, then found again under cards, pieces and hands."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.pose import Lens, Points, Pose
from vision.rectify import rectify
from vision.register import Lost, Means, Registration, corner_error, fit_pose
from vision.table import Rect

PIXELS_PER_UNIT = 960.0
_PATCH = 25
_FEWEST_FEATURES = 60
_FEWEST_MATCHES = 12
_FEWEST_PATCHES = 10
_LIKE_ENOUGH = 0.6
"""Correlation from which on a patch counts as the same print."""
_POLISH = 2
"""The last and narrowest search, in pixels: so near to its place no patch is taken for a neighbour."""
_SURELY, _BY_CHANCE = 0.4, 0.25
"""Shares of all patches: where so many are seen near the old place nothing else is tried; where so few are,
they are there by chance (measured: true places 0.5 to 0.7 in the middle of a game, false ones 0.22)."""
_MOST_ERROR = 0.0015
"""Board units that a corner may be off: true places come out five times better, chance ones worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """The board's picture from straight above with what makes it easy to find again."""

    picture: GrayImage
    board: Rect
    features: Points
    """In board units."""
    descriptors: NDArray[np.float32]
    patches: NDArray[np.int32]
    """Centres of well marked patches in picture pixels, spread over the board."""

    @classmethod
    def learn(cls, image: BgrImage, pose: Pose, board: Rect, besides: Sequence[Rect] = ()) -> "Likeness":
        """From a frame where the board was found otherwise; `besides` names places that will change."""
        return cls.from_picture(rectify(image, pose, board, PIXELS_PER_UNIT).image, board, besides)

    @classmethod
    def from_picture(cls, picture: BgrImage, board: Rect, besides: Sequence[Rect] = ()) -> "Likeness":
        """From a picture of the whole board from above, as saved with a profile."""
        size = (round(board.width * PIXELS_PER_UNIT), round(board.height * PIXELS_PER_UNIT))
        gray = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        mask = np.full(gray.shape, 255, np.uint8)
        for rect in besides:
            x0, y0, x1, y1 = _pixel_box(rect, board)
            mask[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = 0
        features, descriptors = _features(np.asarray(gray, np.uint8), 1600, mask)
        return cls(
            picture=np.asarray(gray, np.uint8),
            board=board,
            features=(features + 0.5) / PIXELS_PER_UNIT + (board.x0, board.y0),
            descriptors=descriptors,
            patches=_marked_patches(np.asarray(gray, np.uint8), mask),
        )

    @property
    def usable(self) -> bool:
        """A board without print cannot be found by it."""
        return len(self.features) >= _FEWEST_FEATURES and len(self.patches) >= 2 * _FEWEST_PATCHES


def register_picture(
    image: BgrImage,
    likeness: Likeness,
    lens: Lens,
    *,
    near: Pose | None = None,
    nearby_only: bool = False,
    fit_curve: bool = False,
) -> Registration:
    """Finds the board; `near` is where it was last, tried first because a nudge is usually small.

    With `nearby_only` it is looked for nowhere else.
    """
    if not likeness.usable:
        return _lost(
            Lost.PLAIN, "the board shows too little print to find it by: use markers or give its corners."
        )
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    nearby = _lost(Lost.UNLIKE, "the board is not to be seen: is it in the picture, lit, and not covered?")
    if near is not None and (near.lens.width, near.lens.height) == (lens.width, lens.height):
        nearby = _by_chance_none(_refined(gray, likeness, near, fit_curve, (24, 6, _POLISH)), likeness)
        if nearby_only or nearby.support >= _SURELY * len(likeness.patches):
            return nearby
    rough = _rough_pose(gray, likeness, lens)
    if rough is not None:
        found = _refined(gray, likeness, rough, fit_curve, (12, 12, 5) if fit_curve else (12, 5, _POLISH))
        return max(found, nearby, key=lambda place: place.support)
    if near is None and _rough_pose(np.asarray(cv2.flip(gray, 1), np.uint8), likeness, lens) is not None:
        return _lost(Lost.MIRRORED, "the picture is mirrored: switch off mirroring in the camera's settings.")
    return nearby


def _by_chance_none(found: Registration, likeness: Likeness) -> Registration:
    """Print repeats itself: beside the true place some patches always find others that look like them."""
    if found.pose is None or found.support >= _BY_CHANCE * len(likeness.patches):
        return found
    return _lost(Lost.UNLIKE, "too few parts of the board are where they should be.")


def _lost(lost: Lost, cause: str) -> Registration:
    return Registration(means=Means.PICTURE, lost=lost, cause=cause)


def _rough_pose(gray: GrayImage, likeness: Likeness, lens: Lens) -> Pose | None:
    """By features anywhere in the picture: in a small picture if that will do, or else in larger ones."""
    for width in (640, 1120, 1600):
        step = max(1.0, gray.shape[1] / width)
        pose = _pose_by_features(gray, likeness, lens, step)
        if pose is not None or step == 1.0:
            return pose
    return None


def _pose_by_features(gray: GrayImage, likeness: Likeness, lens: Lens, step: float) -> Pose | None:
    size = (round(gray.shape[1] / step), round(gray.shape[0] / step))
    small = (
        gray if step == 1.0 else np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
    )
    found, descriptors = _features(small, 2500)
    if len(found) < _FEWEST_MATCHES:
        return None
    pairs = _matched(descriptors, likeness.descriptors)
    if len(pairs) < _FEWEST_MATCHES:
        return None
    on_board = likeness.features[pairs[:, 1]]
    pixels = lens.straighten((found[pairs[:, 0]] + 0.5) * (lens.width / size[0]) - 0.5)
    matrix, inliers = cv2.findHomography(on_board, pixels, cv2.USAC_MAGSAC, 3.0 * step, None, 3000, 0.999)
    if matrix is None or int(inliers.sum()) < _FEWEST_MATCHES:
        return None
    return _sensible(np.asarray(matrix, np.float64), likeness.board, lens)


def _sensible(matrix: NDArray[np.float64], board: Rect, lens: Lens) -> Pose | None:
    """Refuses poses no table has: folded, mirrored, tiny, or seen from its rim."""
    try:
        pose = Pose.of(matrix, lens)
    except ValueError:
        return None
    if not pose.faces(board) or pose.mirrored(board) or pose.tilt_at(board.centre) > 75:
        return None
    quad = pose.quad(board)
    large_enough = cv2.contourArea(quad.astype(np.float32)) > 0.01 * lens.width * lens.height
    return pose if large_enough and cv2.isContourConvex(quad.astype(np.float32)) else None


def _matched(seen: NDArray[np.float32], known: NDArray[np.float32]) -> NDArray[np.int64]:
    """Index pairs (seen, known) whose likeness stands out from the second best, each known one once."""
    alike = seen @ known.T
    best = alike.argmax(axis=1)
    rows = np.arange(len(seen))
    first = alike[rows, best]
    alike[rows, best] = -1
    second = alike.max(axis=1)
    # For unit vectors distance² = 2 − 2·likeness.
    clear = (2 - 2 * first) < 0.8**2 * (2 - 2 * second)
    order = np.flatnonzero(clear)[np.argsort(-first[clear])]
    _, firsts = np.unique(best[order], return_index=True)
    chosen = order[firsts]
    return np.stack([chosen, best[chosen]], axis=1)


def _features(
    gray: GrayImage, most: int, mask: NDArray[np.uint8] | None = None
) -> tuple[Points, NDArray[np.float32]]:
    """RootSIFT: unit vectors whose dot product is the likeness."""
    points, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.03).detectAndCompute(gray, mask)
    if descriptors is None or not len(points):
        return np.empty((0, 2)), np.empty((0, 128), np.float32)
    summed = descriptors.sum(axis=1, keepdims=True)
    rooted = np.sqrt(descriptors / np.maximum(summed, 1e-6))
    return np.array([point.pt for point in points], np.float64), np.asarray(rooted, np.float32)


def _marked_patches(gray: GrayImage, mask: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The best corner of each cell of a grid, so that wherever something lies, patches remain elsewhere."""
    strength = cv2.cornerMinEigenVal(cv2.GaussianBlur(gray, (0, 0), 1.5), 7)
    rim = _PATCH // 2 + 2
    allowed = cv2.erode(mask, np.ones((_PATCH, _PATCH), np.uint8))
    strength[allowed == 0] = 0
    strength[:rim], strength[-rim:], strength[:, :rim], strength[:, -rim:] = 0, 0, 0, 0
    cell = max(32, int(np.sqrt(gray.size / 220)))
    floor = 0.02 * float(np.quantile(strength, 0.99))
    centres = []
    for y in range(0, gray.shape[0], cell):
        for x in range(0, gray.shape[1], cell):
            part = strength[y : y + cell, x : x + cell]
            row, column = np.unravel_index(int(part.argmax()), part.shape)
            if part[row, column] > max(floor, 1e-6):
                centres.append((x + int(column), y + int(row)))
    return np.array(centres, np.int32).reshape(-1, 2)


def _refined(
    gray: GrayImage, likeness: Likeness, pose: Pose, fit_curve: bool, reaches: Sequence[int]
) -> Registration:
    """Looks for each patch near where the pose says, fits again, and looks again more narrowly."""
    board = likeness.board
    work, work_pose = _working_size(gray, pose, board)
    on_board, pixels = np.empty((0, 2)), np.empty((0, 2))
    for reach in reaches:
        # Every other patch will do for the wide search, which costs the most.
        patches = likeness.patches[:: 1 if reach < 10 else 2]
        places, seen = _found_patches(work, likeness, work_pose, patches, reach)
        if reach == _POLISH and len(places) < 0.7 * len(on_board):
            break  # what is left would fix the pose worse than what there was
        on_board, pixels = places, seen
        if len(on_board) < _FEWEST_PATCHES:
            return _lost(Lost.UNLIKE, "too little of the board is in view: is it covered?")
        straight = work_pose.lens.straighten(pixels)
        # While the lens is not known, bent lines must not count as misfits.
        strict = 5.0 if fit_curve and reach > 5 else 2.0
        matrix, inliers = cv2.findHomography(on_board, straight, cv2.USAC_MAGSAC, strict, None, 2000, 0.999)
        kept = inliers.ravel().astype(bool) if inliers is not None else np.zeros(len(on_board), bool)
        if matrix is None or kept.sum() < max(_FEWEST_PATCHES, 0.3 * len(on_board)):
            return _lost(Lost.UNLIKE, "what is seen does not fit the board's picture: has it changed?")
        on_board, pixels = on_board[kept], pixels[kept]
        work_pose = fit_pose(on_board, pixels, work_pose.lens, fit_curve=fit_curve)
    sensible = _sensible(work_pose.matrix, board, work_pose.lens)
    if sensible is None or not _spread_out(on_board, board):
        return _lost(Lost.UNLIKE, "too little of the board is in view to be sure where it lies.")
    error = corner_error(work_pose, on_board, pixels, board)
    if error > _MOST_ERROR * work_pose.scale_at(board.centre)[0]:
        return _lost(Lost.UNLIKE, "what is seen fits the board's picture too badly to say where it lies.")
    error *= pose.lens.width / work_pose.lens.width
    full = sensible.resized(pose.lens.width, pose.lens.height)
    return Registration(means=Means.PICTURE, pose=full, error_px=error, support=len(pixels))


def _working_size(gray: GrayImage, pose: Pose, board: Rect) -> tuple[GrayImage, Pose]:
    """A picture in which the board is about as large as in the likeness, so that sampling skips nothing."""
    longest, _ = pose.scale_at(board.centre)
    step = max(1, int(longest / PIXELS_PER_UNIT * 0.8))
    if step == 1:
        return gray, pose
    size = (gray.shape[1] // step, gray.shape[0] // step)
    small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, pose.resized(*size)


def _found_patches(
    gray: GrayImage, likeness: Likeness, pose: Pose, patches: NDArray[np.int32], reach: int
) -> tuple[Points, Points]:
    """Patches that are seen within `reach` picture pixels of their place: on the board, and in the frame."""
    flat = rectify(gray, pose, likeness.board, PIXELS_PER_UNIT).image
    half = _PATCH // 2
    height, width = flat.shape
    on_board, seen = [], []
    for x, y in patches.tolist():
        x0, y0 = max(x - half - reach, 0), max(y - half - reach, 0)
        window = flat[y0 : y + half + reach + 1, x0 : x + half + reach + 1]
        patch = likeness.picture[y - half : y + half + 1, x - half : x + half + 1]
        if window.shape[0] < _PATCH or window.shape[1] < _PATCH or x >= width or y >= height:
            continue
        place = best_place(window, patch)
        if place is not None:
            on_board.append((x, y))
            seen.append((x0 + half + place[0], y0 + half + place[1]))
    origin = (likeness.board.x0, likeness.board.y0)
    found = (np.array(on_board, np.float64).reshape(-1, 2) + 0.5) / PIXELS_PER_UNIT + origin
    places = (np.array(seen, np.float64).reshape(-1, 2) + 0.5) / PIXELS_PER_UNIT + origin
    return found, pose.project(places)


def best_place(
    window: GrayImage, patch: GrayImage, least: float = _LIKE_ENOUGH
) -> tuple[float, float] | None:
    """Where in the window the patch fits best, to a fraction of a pixel; None where it fits nowhere."""
    scores = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(scores)
    if not best >= least:
        return None
    if not (0 < x < scores.shape[1] - 1 and 0 < y < scores.shape[0] - 1):
        return None  # the best may lie outside: no peak, no place
    across = _peak(float(scores[y, x - 1]), best, float(scores[y, x + 1]))
    down = _peak(float(scores[y - 1, x]), best, float(scores[y + 1, x]))
    return x + across, y + down


def _peak(before: float, at: float, after: float) -> float:
    """The top of the parabola through three neighbours."""
    bend = before - 2 * at + after
    return 0.0 if bend >= -1e-9 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _spread_out(on_board: Points, board: Rect) -> bool:
    """Points crowded in one corner fix the far side badly."""
    extent = np.ptp(on_board, axis=0) / (board.width, board.height)
    return bool(extent.min() > 0.35)


def _pixel_box(rect: Rect, board: Rect) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = (
        np.array([rect.x0 - board.x0, rect.y0 - board.y0, rect.x1 - board.x0, rect.y1 - board.y0])
        * PIXELS_PER_UNIT
    ).round()
    return int(x0), int(y0), int(x1), int(y1)
