"""Whether the camera or the board was nudged: a few marked patches looked up in every calm frame."""

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import GrayImage
from vision.likeness import best_place
from vision.pose import Points, Pose
from vision.rectify import Small
from vision.table import Rect

_PATCH = 15
_REACH = 7
_MOST_PATCHES = 30
_FEWEST_PATCHES = 8
_SAME = 0.75
_TOLERANCE = 0.0015
"""Board units a corner may seem off before we speak of drift: about 1 % of a card's width."""


class Drift(Enum):
    STEADY = "steady"
    MOVED = "moved"
    UNSURE = "unsure"
    """Too little of what we remember is in view: register again to be certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftReport:
    drift: Drift
    shift: float = 0.0
    """How far the board's worst corner seems to have moved, in board units."""
    patches: int = 0
    """How many of the remembered patches were found."""


class DriftWatch:
    """Remembers how marked places of the board look where it was registered; make a new one per pose."""

    def __init__(self, small: Small, pose: Pose, board: Rect) -> None:
        self._gray = small.gray
        self._pose = small.pose(pose)
        self._corners = self._pose.quad(board)
        self._scale = self._pose.scale_at(board.centre)[0]
        self._patches = _choose_patches(small.gray, self._pose.outline(board))
        self._suspicions = 0

    def check(self, small: Small) -> DriftReport:
        """For calm frames only. One odd frame is not yet drift, two are."""
        report = self._compared(small.gray)
        self._suspicions = 0 if report.drift is Drift.STEADY else self._suspicions + 1
        if report.drift is Drift.MOVED and self._suspicions < 2:
            return DriftReport(drift=Drift.STEADY, shift=report.shift, patches=report.patches)
        return report

    def _compared(self, gray: GrayImage) -> DriftReport:
        if gray.shape != self._gray.shape:
            return DriftReport(drift=Drift.UNSURE)
        was, now = self._followed(gray)
        if len(was) < max(_FEWEST_PATCHES, 0.3 * len(self._patches)):
            return DriftReport(drift=Drift.UNSURE, patches=len(was))
        change, inliers = cv2.estimateAffinePartial2D(was, now, method=cv2.RANSAC, ransacReprojThreshold=0.7)
        if change is None or inliers.sum() < max(_FEWEST_PATCHES, 0.5 * len(was)):
            return DriftReport(drift=Drift.UNSURE, patches=len(was))
        moved = self._corners @ change[:, :2].T + change[:, 2] - self._corners
        shift_px = float(np.hypot(*moved.T).max())
        limit_px = max(0.5, _TOLERANCE * self._scale)
        drift = Drift.MOVED if shift_px > limit_px else Drift.STEADY
        return DriftReport(drift=drift, shift=shift_px / self._scale, patches=len(was))

    def _followed(self, gray: GrayImage) -> tuple[Points, Points]:
        half, reach = _PATCH // 2, _PATCH // 2 + _REACH
        was, now = [], []
        for x, y in self._patches.tolist():
            patch = self._gray[y - half : y + half + 1, x - half : x + half + 1]
            window = gray[y - reach : y + reach + 1, x - reach : x + reach + 1]
            place = best_place(window, patch, _SAME)
            if place is not None:
                was.append((x, y))
                now.append((x - _REACH + place[0], y - _REACH + place[1]))
        return np.array(was, np.float64).reshape(-1, 2), np.array(now, np.float64).reshape(-1, 2)


def _choose_patches(gray: GrayImage, outline: Points) -> NDArray[np.int32]:
    """Strong corners inside the board's outline, well apart from each other."""
    inside = np.zeros(gray.shape, np.uint8)
    cv2.fillPoly(inside, [outline.round().astype(np.int32)], 255)
    rim = _PATCH // 2 + _REACH
    inside[:rim], inside[-rim:], inside[:, :rim], inside[:, -rim:] = 0, 0, 0, 0
    apart = max(10.0, float(np.sqrt(cv2.countNonZero(inside) / _MOST_PATCHES)) * 0.7)
    found = cv2.goodFeaturesToTrack(gray, _MOST_PATCHES, 0.01, apart, mask=inside, blockSize=7)
    return np.empty((0, 2), np.int32) if found is None else found.reshape(-1, 2).round().astype(np.int32)
