"""Counting pieces without any learning: patches of the right colour, by their area."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import CountSighting
from vision.rectify import Rectified
from vision.table import PieceKind, Zone, ZoneKind
from vision.virtual.pieces import PieceShape

_TOLERANCE = 26.0
"""In Lab units: light changes what colour a piece has in the picture."""
_LEAST = 0.35
"""A patch smaller than this share of a piece is something printed."""


class ColourCounter:
    """Knows each kind's colour and how large it is when it lies."""

    def __init__(self, shapes: dict[PieceKind, PieceShape]) -> None:
        self._colours = {kind: _lab(shape) for kind, shape in shapes.items()}
        self._areas = {
            kind: float(cv2.contourArea(np.array(shape.silhouette, np.float32)))
            for kind, shape in shapes.items()
        }

    def count(self, zone: Zone, picture: Rectified) -> tuple[CountSighting, ...]:
        lab = cv2.cvtColor(picture.crop(zone.rect).image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        lab = cv2.medianBlur(np.asarray(lab, np.float32), 3)
        away = np.stack([np.linalg.norm(lab - self._colours[kind], axis=2) for kind in zone.pieces])
        nearest, near = away.argmin(axis=0), away.min(axis=0) < _TOLERANCE
        sightings = []
        for number, kind in enumerate(zone.pieces):
            found = self._pieces(((nearest == number) & near).astype(np.uint8), kind, picture.pixels_per_unit)
            count = min(found, 1) if zone.kind is ZoneKind.SPOT else found
            sightings.append(CountSighting(kind, ((count, 1.0),)))
        return tuple(sightings)

    def _pieces(self, mask: NDArray[np.uint8], kind: PieceKind, scale: float) -> int:
        area = self._areas[kind] * scale**2
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        shares = [float(size) / area for size in stats[1:, cv2.CC_STAT_AREA]]
        return sum(max(1, round(share)) for share in shares if share >= _LEAST)


def _lab(shape: PieceShape) -> NDArray[np.float32]:
    colour = shape.marks[0].colour if shape.flat else shape.colour
    return np.asarray(cv2.cvtColor(np.array([[colour]], np.float32), cv2.COLOR_BGR2Lab)[0, 0], np.float32)
