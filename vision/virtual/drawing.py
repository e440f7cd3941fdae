"""Flat vector drawings and how they become pixels: the ink that symbols, digits and pictures share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb: TypeAlias = tuple[int, int, int]
Points: TypeAlias = NDArray[np.float32]
"""N × 2, x to the right, y down, in the units of the drawing."""

BgraImage: TypeAlias = NDArray[np.uint8]
"""Height × width × 4, blue first, alpha not multiplied into the colours."""

_SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """One piece of ink: contours filled by the even-odd rule, outlined, or both."""

    contours: tuple[Points, ...]
    fill: Rgb | None = None
    stroke: Rgb | None = None
    stroke_width: float = 0.0
    closed: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """Shapes from back to front in a box from (0, 0) to (width, height)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]

    def moved(self, move: Callable[[Points], Points]) -> "Drawing":
        """The same ink with every point moved; stroke widths stay."""
        return replace(self, shapes=tuple(move_shape(shape, move) for shape in self.shapes))

    def inked(self, ink: Callable[[Shape], Shape]) -> "Drawing":
        """The same contours with other colours or strokes."""
        return replace(self, shapes=tuple(ink(shape) for shape in self.shapes))

    def with_shapes(self, shapes: Iterable[Shape]) -> "Drawing":
        """This drawing with more ink on top."""
        return replace(self, shapes=self.shapes + tuple(shapes))


def move_shape(shape: Shape, move: Callable[[Points], Points]) -> Shape:
    return replace(shape, contours=tuple(move(contour) for contour in shape.contours))


def points(*pairs: tuple[float, float]) -> Points:
    return np.array(pairs, np.float32)


def ellipse(x: float, y: float, rx: float, ry: float, *, turn: float = 0.0, steps: int = 28) -> Points:
    """An ellipse turned by `turn` radians."""
    angle = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    px, py = rx * np.cos(angle), ry * np.sin(angle)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([x + px * cos - py * sin, y + px * sin + py * cos], axis=1).astype(np.float32)


def smooth(corners: Points, *, closed: bool = True, steps: int = 6) -> Points:
    """A soft curve through the given points (Catmull-Rom), for hills, hair and sleeves."""
    if closed:
        ring = np.vstack([corners[-1:], corners, corners[:2]])
    else:
        ring = np.vstack([corners[:1], corners, corners[-1:]])
    t = np.linspace(0, 1, steps, endpoint=False, dtype=np.float32)[:, None]
    p0, p1, p2, p3 = ring[:-3, None], ring[1:-2, None], ring[2:-1, None], ring[3:, None]
    curve = 0.5 * (
        2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3
    )
    flat = curve.reshape(-1, 2)
    return (flat if closed else np.vstack([flat, corners[-1:]])).astype(np.float32)


def rasterise(drawing: Drawing, width_px: int, height_px: int | None = None) -> BgraImage:
    """The drawing as an anti-aliased image; without a height its proportions are kept."""
    if height_px is None:
        height_px = max(1, round(width_px * drawing.height / drawing.width))
    finer = _supersampling(max(width_px, height_px))
    canvas = np.zeros((height_px * finer, width_px * finer, 4), np.uint8)
    paint(canvas, drawing.shapes, (width_px * finer / drawing.width, height_px * finer / drawing.height))
    return _shrunk(canvas, width_px, height_px)


def paint(
    canvas: NDArray[np.uint8],
    shapes: Iterable[Shape],
    scale: tuple[float, float],
    origin: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Draws shapes onto a BGR or BGRA canvas in place; `origin` is in canvas pixels."""
    to_fixed = np.array(scale, np.float32) * (1 << _SUBPIXEL_BITS)
    # pixel centres lie at half units, which OpenCV counts as whole numbers
    shift = (np.array(origin, np.float32) - 0.5) * (1 << _SUBPIXEL_BITS)
    mean_scale = (scale[0] + scale[1]) / 2
    for shape in shapes:
        fixed = [np.rint(contour * to_fixed + shift).astype(np.int32) for contour in shape.contours]
        if shape.fill is not None:
            cv2.fillPoly(canvas, fixed, _bgra(shape.fill), cv2.LINE_8, _SUBPIXEL_BITS)
        if shape.stroke is not None:
            thickness = max(1, round(shape.stroke_width * mean_scale))
            cv2.polylines(
                canvas, fixed, shape.closed, _bgra(shape.stroke), thickness, cv2.LINE_8, _SUBPIXEL_BITS
            )


def blend(canvas: NDArray[np.uint8], image: BgraImage, centre: tuple[float, float]) -> None:
    """Lays an image with alpha onto a BGR(A) canvas in place, clipped at the canvas's edges."""
    height, width = image.shape[:2]
    x0, y0 = round(centre[0] - width / 2), round(centre[1] - height / 2)
    left, top = max(0, -x0), max(0, -y0)
    right, bottom = min(width, canvas.shape[1] - x0), min(height, canvas.shape[0] - y0)
    if left >= right or top >= bottom:
        return
    part = image[top:bottom, left:right]
    target = canvas[y0 + top : y0 + bottom, x0 + left : x0 + right]
    alpha = part[..., 3:].astype(np.uint16)
    mixed = part[..., :3] * alpha + target[..., :3] * (255 - alpha)
    target[..., :3] = ((mixed + 127) // 255).astype(np.uint8)
    if canvas.shape[2] == 4:
        np.maximum(target[..., 3], part[..., 3], out=target[..., 3])


def _supersampling(size_px: int) -> int:
    if size_px <= 24:
        return 6
    if size_px <= 80:
        return 4
    return 3 if size_px <= 300 else 2


def _shrunk(canvas: NDArray[np.uint8], width_px: int, height_px: int) -> BgraImage:
    """Averages down; the empty canvas is black and clear, so the average is alpha-multiplied already."""
    small = cv2.resize(canvas, (width_px, height_px), interpolation=cv2.INTER_AREA)
    alpha = small[..., 3:].astype(np.float32)
    colour = small[..., :3].astype(np.float32) * 255.0 / np.maximum(alpha, 1.0)
    image: BgraImage = np.dstack([np.minimum(colour, 255).astype(np.uint8), small[..., 3]])
    return image


def _bgra(colour: Rgb) -> tuple[int, int, int, int]:
    return (colour[2], colour[1], colour[0], 255)
