"""Finds the board of a profile in every frame: by its markers, by its picture, or where its corners were."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from calibration.errors import ProfileError
from calibration.profile import Profile
from vision.frame import BgrImage, Frame
from vision.likeness import Likeness, register_picture
from vision.pose import Lens, Pose
from vision.register import Lost, Means, Registration, register_corners, register_markers
from vision.table import Rect, TableLayout

_ASPECT = 0.01
"""By so much may a picture's shape differ from that of the profile."""
_AGREE = 0.02
"""Board units within which markers and picture must agree to be refined by each other."""


def register_with(
    profile: Profile, layout: TableLayout, board_picture: BgrImage | None = None
) -> Callable[[Frame, Pose | None], Registration]:
    """For `vision.observe.Eye(find=…)`. `board_picture` is the one saved with the profile."""
    if not profile.is_registered:
        raise ProfileError(f"the table {profile.table!r} is not set up to its end: run floodwatch calibrate.")
    likeness = None if board_picture is None else Likeness.from_picture(board_picture, layout.board)
    return BoardFinder(profile, layout.board, likeness)


class BoardFinder:
    """Remembers where the board was last: corners alone are believed until something has moved."""

    def __init__(self, profile: Profile, board: Rect, likeness: Likeness | None) -> None:
        assert profile.lens is not None
        assert profile.corners is not None
        self._lens = profile.lens
        self._board = board
        self._places = {place.id: np.array(place.corners) for place in profile.markers}
        self._likeness = likeness if likeness is not None and likeness.usable else None
        given = register_corners(np.array(profile.corners), board, profile.lens)
        if given.pose is None:
            raise ProfileError(
                f"the corners in the profile of {profile.table!r} make no board: {given.cause} "
                "Run floodwatch calibrate again."
            )
        self._given = given
        self._last: Pose | None = None

    def __call__(self, frame: Frame, near: Pose | None) -> Registration:
        height, width = frame.image.shape[:2]
        lens = lens_for(self._lens, width, height)
        if lens is None:
            return Registration(
                means=Means.CORNERS,
                lost=Lost.OTHER_SHAPE,
                cause=f"the table was set up with pictures of {self._lens.width} × {self._lens.height} "
                f"pixels, the camera now sends {width} × {height}: run floodwatch calibrate again.",
            )
        found = self._found(frame.image, lens, near)
        if found.pose is not None:
            self._last = found.pose
        return found

    def _found(self, image: BgrImage, lens: Lens, near: Pose | None) -> Registration:
        start = near or self._last or self._resized(lens)
        if self._places:
            found = register_markers(image, self._places, self._board, lens)
            if found.pose is not None:
                return self._refined(image, found, lens)
            if self._likeness is None:
                return found
        if self._likeness is not None:
            return register_picture(image, self._likeness, lens, near=start)
        if near is None and self._last is None:
            return replace(self._given, pose=self._resized(lens))
        return Registration(
            means=Means.CORNERS,
            lost=Lost.MOVED,
            cause="the camera or the board was moved: give the board's corners again.",
        )

    def _refined(self, image: BgrImage, found: Registration, lens: Lens) -> Registration:
        """Markers lie on the table, a board's face is higher: its own print is more exact."""
        if self._likeness is None or found.pose is None:
            return found
        seen = register_picture(image, self._likeness, lens, near=found.pose, nearby_only=True)
        if seen.pose is None:
            return found
        corners = seen.pose.quad(self._board)
        apart = np.abs(found.pose.unproject(corners) - seen.pose.unproject(corners)).max()
        return replace(seen, means=Means.MARKERS) if apart < _AGREE else found

    def _resized(self, lens: Lens) -> Pose:
        assert self._given.pose is not None
        return self._given.pose.resized(lens.width, lens.height)


def lens_for(lens: Lens, width: int, height: int) -> Lens | None:
    """The lens for pictures of another size; None where they have another shape."""
    if abs(width / height / (lens.width / lens.height) - 1) > _ASPECT:
        return None
    return Lens(width=width, height=height, curve=lens.curve)
