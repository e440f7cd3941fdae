"""Where the board lies in the picture: board units to pixels and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import BgrImage
from vision.table import Rect

Points: TypeAlias = NDArray[np.float64]
"""N × 2. Pixel coordinates count from the centre of the top left pixel, as OpenCV does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A picture's size and the one number that says how much straight lines bend in it.

    The division model: an ideal point lies at `d / (1 + curve · r²)` where `d` is the offset of the
    pixel from the picture's centre and r = |d| in half diagonals. It can be solved both ways, so
    projecting and unprojecting are exact inverses. Below zero is a barrel, as wide lenses have it.
    """

    width: int
    height: int
    curve: float = 0.0

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not -0.6 <= self.curve <= 0.25:
            raise ValueError(f"a lens needs a size and a curve within -0.6..0.25, found {self}")

    @property
    def half_diagonal(self) -> float:
        return float(np.hypot(self.width, self.height) / 2)

    @property
    def centre(self) -> Points:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def bend(self, ideal: Points) -> Points:
        """From where a pinhole would see points to where this lens shows them."""
        if not self.curve:
            return ideal
        offset = (ideal - self.centre) / self.half_diagonal
        square = (offset**2).sum(axis=-1, keepdims=True)
        root = np.sqrt(np.maximum(1 - 4 * self.curve * square, 0.0))
        return np.asarray(self.centre + offset * (2 / (1 + root)) * self.half_diagonal, np.float64)

    def straighten(self, seen: Points) -> Points:
        if not self.curve:
            return seen
        offset = (seen - self.centre) / self.half_diagonal
        square = (offset**2).sum(axis=-1, keepdims=True)
        return np.asarray(self.centre + offset / (1 + self.curve * square) * self.half_diagonal, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """A homography from board units to straight pixels, and the lens that bends them.

    Plain numbers in a tuple: a pose can be compared, hashed (tables are cached per pose) and saved.
    """

    homography: tuple[float, ...]
    """Row by row, nine numbers, the last one 1."""
    lens: Lens

    def __post_init__(self) -> None:
        if len(self.homography) != 9 or not np.isfinite(self.homography).all():
            raise ValueError("a pose needs nine finite numbers")
        if abs(np.linalg.det(self.matrix)) < 1e-12:
            raise ValueError("a pose cannot squeeze the board into a line")

    @classmethod
    def of(cls, matrix: ArrayLike, lens: Lens) -> "Pose":
        square = np.asarray(matrix, np.float64).reshape(3, 3)
        return cls(homography=tuple(float(value) for value in (square / square[2, 2]).ravel()), lens=lens)

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array(self.homography).reshape(3, 3)

    def project(self, points: ArrayLike) -> Points:
        """Board units to pixels."""
        return self.lens.bend(_mapped(self.matrix, points))

    def unproject(self, pixels: ArrayLike) -> Points:
        """Pixels to board units."""
        straight = self.lens.straighten(np.asarray(pixels, np.float64).reshape(-1, 2))
        return _mapped(np.asarray(np.linalg.inv(self.matrix), np.float64), straight)

    def quad(self, rect: Rect) -> Points:
        """The corners of a rectangle in pixels: top left, top right, bottom right, bottom left."""
        return self.project(corners_of(rect))

    def outline(self, rect: Rect, steps: int = 4) -> Points:
        """The rim of a rectangle in pixels with points between the corners, because a lens bends it."""
        corners = corners_of(rect)
        parts = np.arange(steps)[:, None] / steps
        sides = [a + parts * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
        return self.project(np.concatenate(sides))

    def shape_at(self, point: Sequence[float]) -> NDArray[np.float64]:
        """Pixels per board unit around a point, as the 2 × 2 matrix of first differences."""
        x, y = point
        step = 1e-4
        around = self.project([(x - step, y), (x + step, y), (x, y - step), (x, y + step)])
        return np.stack([around[1] - around[0], around[3] - around[2]], axis=1) / (2 * step)

    def scale_at(self, point: Sequence[float]) -> tuple[float, float]:
        """Pixels per board unit in the longest and in the shortest direction around a point."""
        longest, shortest = np.linalg.svd(self.shape_at(point), compute_uv=False)
        return float(longest), float(shortest)

    def tilt_at(self, point: Sequence[float]) -> float:
        """About how many degrees the camera looks away from straight down at this point."""
        longest, shortest = self.scale_at(point)
        return float(np.degrees(np.arccos(np.clip(shortest / longest, 0, 1))))

    def mirrored(self, rect: Rect) -> bool:
        return float(np.linalg.det(self.shape_at(rect.centre))) < 0

    def faces(self, rect: Rect) -> bool:
        """Whether all of the rectangle lies in front of the camera."""
        corners = np.column_stack([corners_of(rect), np.ones(4)])
        depth = corners @ self.matrix[2]
        return bool((depth > 1e-6).all() or (depth < -1e-6).all())

    def in_view(self, rect: Rect, margin_px: float = 0.0) -> bool:
        """Whether all of the rectangle is inside the picture."""
        if not self.faces(rect):
            return False
        rim = self.outline(rect)
        most = np.array([self.lens.width, self.lens.height]) - 1
        return bool((rim >= margin_px).all() and (rim <= most - margin_px).all())

    def is_for(self, image: BgrImage) -> bool:
        """Whether a picture has the size that this pose was found in."""
        return image.shape[:2] == (self.lens.height, self.lens.width)

    def resized(self, width: int, height: int) -> "Pose":
        """The same view in a picture scaled to another size."""
        fx, fy = width / self.lens.width, height / self.lens.height
        scaling = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
        lens = Lens(width=width, height=height, curve=self.lens.curve)
        return Pose.of(scaling @ self.matrix, lens)


def corners_of(rect: Rect) -> Points:
    return np.array([(rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1)])


def _mapped(matrix: NDArray[np.float64], points: ArrayLike) -> Points:
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    homogeneous = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    depth = homogeneous[:, 2:]
    return homogeneous[:, :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth)
