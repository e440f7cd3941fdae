"""Where a picture changes sharply and in which direction: the evidence for the outlines of cards."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.pose import Points

FAINT = 2.0
"""Grey levels per pixel: less than this is noise."""
FIRM = 7.0
"""From here on an edge cannot be more certain."""

_ROW = 96


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """The gradient of the colour channel that changes most, pixel by pixel."""

    across: NDArray[np.float32]
    down: NDArray[np.float32]

    @classmethod
    def of(cls, image: BgrImage, blur: float = 1.0) -> "Edges":
        soft = cv2.GaussianBlur(image, (0, 0), blur) if blur > 0 else image
        # Three neighbours, weighed 1 2 1: the sums of a Sobel step are eight times the slope per pixel.
        across = cv2.split(cv2.Sobel(soft, cv2.CV_16S, 1, 0, ksize=3))
        down = cv2.split(cv2.Sobel(soft, cv2.CV_16S, 0, 1, ksize=3))
        strengths = [np.abs(x) + np.abs(y) for x, y in zip(across, down, strict=True)]
        best_x, best_y, most = across[0], down[0], strengths[0]
        for x, y, strength in zip(across[1:], down[1:], strengths[1:], strict=True):
            steeper = strength > most
            best_x, best_y = np.where(steeper, x, best_x), np.where(steeper, y, best_y)
            most = np.maximum(most, strength)
        across_8, down_8 = (np.asarray(best, np.float32) for best in (best_x, best_y))
        return cls(across=across_8 / np.float32(8), down=down_8 / np.float32(8))

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.across.shape
        return int(height), int(width)

    def points(self) -> tuple[Points, NDArray[np.float32], NDArray[np.float32]]:
        """The crests of the edges: where (x, y), the direction of the slope in radians, how certain."""
        strength = np.hypot(self.across, self.down)
        crest = _crests(strength, self.across, self.down) & (strength > FAINT)
        ys, xs = np.nonzero(crest)
        slope = np.arctan2(self.down[ys, xs], self.across[ys, xs])
        certain = certainty(strength[ys, xs])
        return np.stack([xs, ys], axis=1).astype(np.float64), slope.astype(np.float32), certain

    def slope(self, places: Points, normals: Points) -> NDArray[np.float32]:
        """How steep the picture is along the normal of each place; 0 where it is steeper across, or outside.

        `places` may have any shape that ends in x, y; `normals` must fit it.
        """
        if not places.size:
            return np.zeros(places.shape[:-1], np.float32)
        flat = np.asarray(places, np.float32).reshape(-1, 2)
        dx = _sampled(self.across, flat).reshape(places.shape[:-1])
        dy = _sampled(self.down, flat).reshape(places.shape[:-1])
        through = np.abs(dx * normals[..., 0] + dy * normals[..., 1])
        return np.where(through > 0.82 * np.hypot(dx, dy), through, 0).astype(np.float32)


def certainty(slope: NDArray[np.float32]) -> NDArray[np.float32]:
    """How surely so steep a place is an edge, 0 to 1."""
    return np.asarray(np.clip((slope - FAINT) / (FIRM - FAINT), 0, 1), np.float32)


def _sampled(values: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
    """The values at these places, N × 2. Remap takes at most 32766 rows, and rows of one pixel slowly."""
    many = len(places)
    rows = -(-many // _ROW)
    maps = np.full((2, rows * _ROW), -1, np.float32)
    maps[:, :many] = places.T
    x, y = maps.reshape(2, rows, _ROW)
    parts = [
        cv2.remap(
            values, x[k : k + 30000], y[k : k + 30000], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        )
        for k in range(0, rows, 30000)
    ]
    return np.asarray(np.concatenate(parts), np.float32).reshape(-1)[:many]


def _crests(
    strength: NDArray[np.float32], across: NDArray[np.float32], down: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Stronger than both neighbours along the slope."""
    flat = np.abs(down) < 0.4142 * np.abs(across)
    steep = np.abs(across) < 0.4142 * np.abs(down)
    rising = (across * down > 0) & ~flat & ~steep
    falling = ~(flat | steep | rising)
    padded = cv2.copyMakeBorder(strength, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    crest = np.zeros(strength.shape, bool)
    height, width = strength.shape
    for mask, (dx, dy) in ((flat, (1, 0)), (steep, (0, 1)), (rising, (1, 1)), (falling, (1, -1))):
        ahead = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        behind = padded[1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
        crest |= mask & (strength >= ahead) & (strength > behind)
    return crest
