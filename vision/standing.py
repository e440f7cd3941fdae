"""Pieces that stand on the board: which part of it they hide from the camera."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.marks import Mark
from vision.pieces import PIXELS_PER_UNIT, PieceReader
from vision.pose import Points, Pose
from vision.rectify import grown, rectify
from vision.solid import project_solid
from vision.table import PieceKind, Rect, TableLayout, ZoneKind

Bulk = NDArray[np.float64]
"""N × 3: the corners of a piece in board units around the middle of its foot, every way it may be turned."""

_FAR = 0.08
"""No piece hides anything further away from where it stands."""
_KEPT = 64
"""A piece stands beside several places for cards: so many shades are kept."""
_MARKED_AT = 0.25
"""Of a piece's height: where the network marks it."""


class Bodies:
    """How large each kind of piece is."""

    def __init__(self, bulks: Mapping[PieceKind, Bulk] | None = None) -> None:
        self._bulks = dict(bulks or {})
        self._shade = lru_cache(maxsize=_KEPT)(self._shade_of)

    def shades_on(self, area: Rect, marks: Sequence[Mark], pose: Pose) -> tuple[Points, ...]:
        """What pieces in or near a part of the board hide of it, as outlines in board units."""
        around = grown(area, _FAR)
        return tuple(
            self._shade(mark, pose)
            for mark in marks
            if mark.kind in self._bulks and around.x0 < mark.x < around.x1 and around.y0 < mark.y < around.y1
        )

    def _shade_of(self, mark: Mark, pose: Pose) -> Points:
        bulk = self._bulks[mark.kind]
        marked = np.array([(mark.x, mark.y, _MARKED_AT * float(bulk[:, 2].max()))])
        foot = 2 * marked[0, :2] - pose.unproject(project_solid(pose, marked))[0]
        seen = pose.unproject(project_solid(pose, bulk + np.append(foot, 0.0)))
        return np.asarray(cv2.convexHull(seen.astype(np.float32)).reshape(-1, 2), np.float64)


def pieces_on(image: BgrImage, pose: Pose, layout: TableLayout, reader: PieceReader) -> tuple[Mark, ...]:
    """All pieces that stand in places made for them, in a single picture."""
    marks: list[Mark] = []
    for zone in layout.zones:
        if zone.kind is ZoneKind.SPOT and pose.in_view(zone.rect):
            picture = rectify(image, pose, reader.area(zone), PIXELS_PER_UNIT)
            marks += probable(reader.standing(zone, picture, layout.zones))
    return tuple(marks)


def probable(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The marks that are rather pieces than not."""
    return tuple(mark for mark in marks if mark.p > 0.5)
