"""Finds the board for the first time: by markers, by a picture of it, or from corners given by hand."""

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from calibration.edges import LAID, TAPPED, refine_by_edges
from calibration.face import onto_face
from calibration.laid import LaidMarkers, places_seen, register_laid
from calibration.markers import lens_board
from calibration.profile import Profile
from vision.frame import BgrImage
from vision.likeness import PIXELS_PER_UNIT, Likeness, register_picture
from vision.pose import Lens, Pose
from vision.rectify import rectify
from vision.register import Registration, fit_pose, register_corners
from vision.table import Rect

_FEWEST_LENS_POINTS = 16
_MOST_LENS_MISFIT = 0.0015
"""Of the picture's width: a sheet that is not flat fits worse, one that is about ten times better."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Located:
    """The board as found, and everything worth keeping for the next time."""

    registration: Registration
    board_picture: BgrImage | None = None

    def kept_in(self, profile: Profile, image: BgrImage, board: Rect) -> Profile:
        pose = self.registration.pose
        if pose is None:
            return profile
        return replace(
            profile,
            lens=pose.lens,
            corners=tuple((float(x), float(y)) for x, y in pose.quad(board)),
            markers=places_seen(image, pose),
            has_board_picture=self.board_picture is not None,
        )


def locate_board(image: BgrImage, board: Rect, known: BgrImage | None, lens: Lens | None) -> Located:
    """Without help: by the markers on the table, else by the picture of the board seen before."""
    height, width = image.shape[:2]
    plain = Lens(width=width, height=height, curve=lens.curve if lens is not None else 0.0)
    laid = register_laid(image, board, plain, fit_curve=lens is None)
    if laid.registration.pose is not None:
        return _kept(image, onto_edges(image, laid.registration, board, laid, fit_curve=lens is None), board)
    if known is not None:
        seen = register_picture(image, Likeness.from_picture(known, board), plain, fit_curve=lens is None)
        if seen.pose is not None:
            return Located(registration=seen, board_picture=_from_above(image, seen.pose, board))
        return Located(registration=seen)
    return Located(registration=laid.registration)


def locate_from_corners(
    image: BgrImage, corners: tuple[tuple[float, float], ...], board: Rect, lens: Lens | None
) -> Located:
    """From corners in pixels, moved onto the board's edges where those can be seen."""
    height, width = image.shape[:2]
    plain = Lens(width=width, height=height, curve=lens.curve if lens is not None else 0.0)
    given = register_corners(np.array(corners), board, plain)
    if given.pose is None:
        return Located(registration=given)
    return _kept(image, onto_edges(image, given, board, fit_curve=lens is None), board)


def measured_lens(image: BgrImage) -> Lens | None:
    """The lens from the sheet with the chessboard; None where too little of it is seen, or it is not flat."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    chessboard = lens_board()
    corners, ids, _, _ = cv2.aruco.CharucoDetector(chessboard).detectBoard(gray)
    if corners is None or len(corners) < _FEWEST_LENS_POINTS:
        return None
    pixels = np.asarray(corners, np.float64).reshape(-1, 2)
    places = np.asarray(chessboard.getChessboardCorners(), np.float64)[np.asarray(ids).ravel(), :2]
    height, width = gray.shape
    try:
        pose = fit_pose(places, pixels, Lens(width=width, height=height), fit_curve=True)
    except ValueError:
        return None
    misfit = float(np.sqrt(np.square(pose.project(places) - pixels).sum(axis=1).mean()))
    return pose.lens if misfit < _MOST_LENS_MISFIT * width else None


def pose_from_above(picture: BgrImage, board: Rect) -> Pose:
    """The pose of a picture that shows the board alone, from straight above."""
    height, width = picture.shape[:2]
    across, down = width / board.width, height / board.height
    matrix = [[across, 0, -across * board.x0 - 0.5], [0, down, -down * board.y0 - 0.5], [0, 0, 1]]
    return Pose.of(matrix, Lens(width=width, height=height))


def onto_edges(
    image: BgrImage,
    found: Registration,
    board: Rect,
    laid: LaidMarkers | None = None,
    *,
    fit_curve: bool = True,
) -> Registration:
    """Moved onto the board's edges, twice: the second time the lens is nearly known. Then onto its face."""
    papers = () if laid is None else laid.papers(board)
    seen = False
    for _ in range(2):
        assert found.pose is not None
        better = refine_by_edges(
            image,
            found.pose,
            board,
            fit_curve=fit_curve,
            reach=TAPPED if laid is None else LAID,
            papers=papers,
            also=None if laid is None else partial(laid.misfit, board),
        )
        if better is None or better.pose is None:
            break
        found = replace(better, means=found.means)
        seen = True
    return onto_face(image, found, board, papers) if seen else found


def _kept(image: BgrImage, found: Registration, board: Rect) -> Located:
    assert found.pose is not None
    return Located(registration=found, board_picture=_from_above(image, found.pose, board))


def _from_above(image: BgrImage, pose: Pose, board: Rect) -> BgrImage:
    return rectify(image, pose, board, PIXELS_PER_UNIT).image
