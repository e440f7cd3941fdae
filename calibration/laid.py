"""Markers laid at the board's corners: the pose, and how long a board unit is on this player's table."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.markers import marker_places, paper_place
from calibration.profile import MarkerPlace
from vision.frame import BgrImage
from vision.pose import Lens, Points, Pose
from vision.register import Registration, find_markers, fit_pose, register_markers
from vision.table import Rect

SHORTEST_MM = 200.0
LONGEST_MM = 1500.0
"""No board is narrower or wider than this."""
_GOLDEN = 0.6180339887
_WILD_PX = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidMarkers:
    registration: Registration
    unit_mm: float
    """The board's width if the print is right; a print at 97 % makes it 3 % too long and harms nothing."""
    seen: Mapping[int, Points] = field(default_factory=dict)
    """The corners of each marker in pixels."""

    def papers(self, board: Rect) -> tuple[Rect, ...]:
        """What the papers of the markers that were seen cover."""
        return tuple(paper_place(number, board, self.unit_mm) for number in self.seen)

    def misfit(self, board: Rect, lens: Lens) -> float:
        """Squared pixels by which flat markers miss what was seen with this lens.

        They lie on the table, the board's face is higher: so they have a plane of their own.
        """
        places = marker_places(board, self.unit_mm)
        points = np.concatenate([places[number] for number in self.seen])
        pixels = np.concatenate(list(self.seen.values()))
        off = fit_pose(points, pixels, lens).project(points) - pixels
        return float(np.square(np.minimum(np.abs(off), _WILD_PX)).sum())


def register_laid(image: BgrImage, board: Rect, lens: Lens, *, fit_curve: bool = False) -> LaidMarkers:
    """Finds the board by markers at its corners, whatever its size and however they were scaled in print."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen = {marker.id: marker.corners for marker in find_markers(gray) if marker.id in range(4)}
    unit_mm = _fitted_unit(seen, board, lens)
    found = register_markers(image, marker_places(board, unit_mm), board, lens, fit_curve=fit_curve)
    return LaidMarkers(registration=found, unit_mm=unit_mm, seen=seen)


def places_seen(image: BgrImage, pose: Pose) -> tuple[MarkerPlace, ...]:
    """Where the markers lie in board units as this pose sees them, to find the board by them from now on.

    Learnt rather than taken from the sheet: so a paper that lies a little askew, on a table below the
    board's face, does no harm.
    """
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = find_markers(gray)
    times = [marker.id for marker in found]
    return tuple(
        MarkerPlace(
            id=marker.id, corners=tuple((float(x), float(y)) for x, y in pose.unproject(marker.corners))
        )
        for marker in sorted(found, key=lambda marker: marker.id)
        if times.count(marker.id) == 1 and marker.id in range(4)
    )


def _fitted_unit(seen: Mapping[int, Points], board: Rect, lens: Lens) -> float:
    """The length of a board unit that lets a flat board explain the markers best."""
    known = sorted(seen)
    if len(known) < 3:
        return 620.0  # whatever: too few markers will be told by those who fit the pose
    pixels = np.concatenate([seen[key] for key in known])

    def misfit(length: float) -> float:
        places = marker_places(board, float(np.exp(length)))
        points = np.concatenate([places[key] for key in known])
        try:
            pose = fit_pose(points, pixels, lens)
        except ValueError:
            return float("inf")
        return float(np.square(pose.project(points) - pixels).sum())

    grid = np.linspace(np.log(SHORTEST_MM), np.log(LONGEST_MM), 25)
    best = int(np.argmin([misfit(length) for length in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    while high - low > 1e-5:
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if misfit(left) < misfit(right):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))
