"""Counts pieces: where a network marks them on a flat picture, and how many of each kind that makes."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.networks import Networks
from vision.observation import CountSighting
from vision.rectify import Rectified, grown
from vision.table import PieceKind, Rect, Zone, ZoneKind

PIXELS_PER_UNIT = 900.0
"""The scale that the network was trained on."""

_STRIDE = 4
_SIZE = 16
"""Pictures must be multiples of this."""
_WEAKEST = 0.12
"""Marks below this are nothing."""
_EVEN = 0.33
"""A mark of this strength is as likely a piece as not."""
_STEEPNESS = 14.0
_RARE = 1e-3
_MARGIN = 0.03
"""How far around a zone is looked at: standing pieces lean out of it."""
_REACH = 0.012
"""How far outside a heap a piece may lie and still belong to it."""


@dataclass(frozen=True, slots=True)
class Mark:
    kind: PieceKind
    x: float
    y: float
    """In board units."""
    p: float


class PieceReader:
    """Reads zones on flat pictures of `PIXELS_PER_UNIT`."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._kinds = tuple(PieceKind(kind) for kind in networks.answers("pieces"))

    @staticmethod
    def area(zone: Zone) -> Rect:
        """The part of the table that must be looked at to read this zone."""
        return grown(zone.rect, _MARGIN)

    def marks(self, picture: Rectified) -> list[Mark]:
        """Every piece that the picture may show."""
        maps = self._networks.run("pieces", _padded(picture.image)[None])[0]
        peaks = _peaks(maps)
        points = np.array([((x + 0.5) * _STRIDE - 0.5, (y + 0.5) * _STRIDE - 0.5) for _, y, x in peaks])
        if not len(points):
            return []
        board = picture.to_board(points)
        return [
            Mark(self._kinds[kind], float(place[0]), float(place[1]), _chance(float(maps[kind, y, x])))
            for (kind, y, x), place in zip(peaks, board, strict=True)
        ]

    def count(self, zone: Zone, marks: Sequence[Mark]) -> tuple[CountSighting, ...]:
        """How many pieces of each kind that may stand here."""
        here = [mark for mark in marks if mark.kind in zone.pieces and _belongs(zone, mark)]
        if zone.kind is ZoneKind.SPOT:
            here = _one_piece(here)
        return tuple(
            CountSighting(kind, _counts([mark.p for mark in here if mark.kind == kind]))
            for kind in zone.pieces
        )


def _padded(image: BgrImage) -> BgrImage:
    height, width = image.shape[:2]
    down, right = -height % _SIZE, -width % _SIZE
    return np.asarray(cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)


def _peaks(maps: NDArray[np.float32]) -> list[tuple[int, int, int]]:
    """Kind, row and column of each local maximum of each map."""
    window = np.ones((3, 3), np.uint8)
    found: list[tuple[int, int, int]] = []
    for kind, chances in enumerate(maps):
        top = np.asarray(cv2.dilate(chances, window), np.float32)
        rows, columns = np.nonzero((chances >= top) & (chances > _WEAKEST))
        found += [(kind, int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
    return found


def _chance(strength: float) -> float:
    """From the strength of a mark to the chance that a piece is there."""
    return float(1 / (1 + np.exp(-_STEEPNESS * (strength - _EVEN))))


def _belongs(zone: Zone, mark: Mark) -> bool:
    """A heap keeps what lies in it; a single place takes what stands nearest to it."""
    if zone.kind is ZoneKind.HEAP:
        rect = grown(zone.rect, _REACH)
        return rect.x0 <= mark.x <= rect.x1 and rect.y0 <= mark.y <= rect.y1
    x, y = zone.rect.centre
    reach_x, reach_y = zone.rect.width / 2 + _REACH, zone.rect.height / 2 + _REACH
    return abs(mark.x - x) <= reach_x and abs(mark.y - y) <= reach_y


def _one_piece(marks: list[Mark]) -> list[Mark]:
    """Of several marks at one place only the strongest can be right, unless they are surely two things."""
    strongest = sorted(marks, key=lambda mark: -mark.p)
    kept: list[Mark] = []
    for mark in strongest:
        if all(abs(mark.x - other.x) + abs(mark.y - other.y) > 0.02 for other in kept):
            kept.append(mark)
    return kept


def _counts(chances: Sequence[float]) -> tuple[tuple[int, float], ...]:
    """The distribution of how many of these marks are pieces, likeliest first."""
    shares = np.array([1.0])
    for chance in chances:
        shares = np.convolve(shares, (1 - chance, chance))
    ranked = sorted(enumerate(shares.tolist()), key=lambda pair: -pair[1])
    kept = [(number, share) for number, share in ranked if share >= _RARE] or ranked[:1]
    total = sum(share for _, share in kept)
    return tuple((number, share / total) for number, share in kept)
