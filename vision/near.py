"""Finds pieces in a photograph taken from near: no board, no pose, only what a telephone shows.

The network sees pieces well at one size. How large they are in a photograph nobody knows, so it is looked at
in several sizes; the network also says how large it sees what it marks, and the last look has the right size.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.marks import peaks
from vision.networks import Networks
from vision.table import PieceKind

NEAR = "near"
UNIT_PX_PER_MM = 3.0
"""The network's sizes are shares of this."""
BEST_PX_PER_MM = 2.55
"""At which it sees pieces best: in a finer look the grain of real wood and real print confuse it."""
TOLD = 0.5
"""What is less likely than not is not told."""
_SURE = 0.5
_LONGEST_SIDES = (320, 480, 736)
"""Pixels of the photograph's longer side in the first looks."""
_SIDE_LIMITS = (160, 1024)
_MORE_LOOKS = 2
_CLOSE_ENOUGH = 1.15
"""A look in which pieces are no farther than this from their best size tells that size well."""
_STRIDE = 4
_MULTIPLE = 32
_WEAKEST = 0.1
_LARGE_MM = {"flood": 18.0, "barge": 16.0, "farm": 8.0, "outpost": 8.0, "hut": 8.0}
_RADIUS_MM = {**_LARGE_MM, "cowrie": 5.0, "provision": 5.0}
_SMALL_MM = 4.0
"""Two marks of one kind nearer to each other than this are one piece."""
_OTHER_MM = 3.5
"""And two marks of different kinds."""


@dataclass(frozen=True, slots=True)
class NearPiece:
    """A piece in a photograph: its middle in pixels, and how likely it is one."""

    kind: PieceKind
    x: float
    y: float
    p: float
    size: float
    """Pixels to a millimetre there, as far as the network can tell."""


class NearReader:
    """Looks at photographs that show pieces from near."""

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._kinds = tuple(PieceKind(kind) for kind in networks.answers(NEAR))

    def find(self, image: BgrImage, least: float = TOLD) -> tuple[NearPiece, ...]:
        """Every piece that is at least so likely, from the left to the right."""
        share = min(1.0, _SIDE_LIMITS[1] / max(image.shape[:2]))
        pieces = self._seen_best(_resized(image, share))
        sure = [_enlarged(piece, 1 / share) for piece in pieces if piece.p >= least]
        return tuple(sorted(sure, key=lambda piece: piece.x))

    def _seen_best(self, image: BgrImage) -> list[NearPiece]:
        """The surest of some looks tells how large pieces are; then they are looked at in their best size."""
        looks = [(self.look(image, side, twice=False), side) for side in _LONGEST_SIDES]
        pieces, side = max(looks, key=lambda look: _worth(look[0]))
        for _ in range(_MORE_LOOKS):
            better = _better_side(pieces, side, image)
            if max(better / side, side / better) <= _CLOSE_ENOUGH:
                break
            pieces, side = self.look(image, better, twice=False), better
        return self.look(image, _better_side(pieces, side, image))

    def look(
        self, image: BgrImage, longest: int, least: float = _WEAKEST, *, twice: bool = True
    ) -> list[NearPiece]:
        """What may lie there, seen at one size, straight and in a mirror unless once is enough."""
        scale = longest / max(image.shape[:2])
        maps = self._maps(image, scale, twice)
        height, width = image.shape[:2]
        pieces = []
        for kind, row, column in peaks(maps[:-1], least):
            x, y = ((cell + 0.5) * _STRIDE / scale - 0.5 for cell in (column, row))
            if x < width and y < height:
                size = float(maps[-1, row, column]) * UNIT_PX_PER_MM / scale
                pieces.append(NearPiece(self._kinds[kind], x, y, float(maps[kind, row, column]), size))
        return one_of_each(pieces)

    def _maps(self, image: BgrImage, scale: float, twice: bool) -> NDArray[np.float32]:
        """The network's answers, or the mean of those to the picture and to its mirror image."""
        small = _resized(image, scale)
        down, right = (-side % _MULTIPLE for side in small.shape[:2])
        padded = np.asarray(cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        if not twice:
            return np.asarray(self._networks.run(NEAR, padded[None])[0], np.float32)
        straight, mirrored = self._networks.run(NEAR, np.stack([padded, padded[:, ::-1]]))
        return np.asarray((straight + mirrored[:, :, ::-1]) / 2, np.float32)


def _better_side(pieces: Sequence[NearPiece], side: int, image: BgrImage) -> int:
    """How long the longer side of a photograph should be, by the sizes told in a look."""
    if not pieces:
        return side
    ratio = typical_size(pieces) * side / max(image.shape[:2]) / BEST_PX_PER_MM
    return int(np.clip(side / ratio, *_SIDE_LIMITS))


def _enlarged(piece: NearPiece, times: float) -> NearPiece:
    x, y = (piece.x + 0.5) * times - 0.5, (piece.y + 0.5) * times - 0.5
    return replace(piece, x=x, y=y, size=piece.size * times)


def _resized(image: BgrImage, scale: float) -> BgrImage:
    if scale == 1:
        return image
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def one_of_each(pieces: Sequence[NearPiece]) -> list[NearPiece]:
    """Of marks so near to each other that they can only be one piece, the likeliest."""
    kept: list[NearPiece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.p):
        if not any(_are_one(piece, other) for other in kept):
            kept.append(piece)
    return kept


def typical_size(pieces: Sequence[NearPiece]) -> float:
    """How many pixels a millimetre has where most pieces lie, the surest first of all."""
    if not pieces:
        return BEST_PX_PER_MM
    ranked = sorted(pieces, key=lambda piece: piece.size)
    weights = np.cumsum([piece.p**2 for piece in ranked])
    return ranked[int(np.searchsorted(weights, weights[-1] / 2))].size


def _worth(pieces: Sequence[NearPiece]) -> float:
    """How sure a look is: what is surely there counts for it, what may be there against it."""
    return sum((piece.p - 0.5) * 2 if piece.p >= _SURE else -0.5 * piece.p for piece in pieces)


def _are_one(piece: NearPiece, other: NearPiece) -> bool:
    reach = _RADIUS_MM.get(piece.kind, _SMALL_MM) if piece.kind == other.kind else _OTHER_MM
    return math.hypot(piece.x - other.x, piece.y - other.y) < reach * (piece.size + other.size) / 2
