"""The table seen from straight above: pictures at a known number of pixels per board unit."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.pose import Points, Pose
from vision.table import Rect, TableLayout

_MOST_SIDE = 8192
_Maps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.uint16]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectified:
    """A picture of one rectangle of the table, and how to get from its pixels to the board and back."""

    image: BgrImage
    rect: Rect
    pixels_per_unit: float
    quarters: int = 0
    """By how many quarters the picture was turned, against the clock."""

    def to_board(self, pixels: Points) -> Points:
        points = np.asarray(pixels, np.float64) + 0.5
        for _ in range(self.quarters):
            # one quarter back, clockwise: its width is what is the height now
            points = np.stack([-points[..., 1], points[..., 0]], axis=-1)
        if self.quarters:
            points = points + self._corner()
        return points / self.pixels_per_unit + (self.rect.x0, self.rect.y0)

    def to_pixels(self, board: Points) -> Points:
        points = (np.asarray(board, np.float64) - (self.rect.x0, self.rect.y0)) * self.pixels_per_unit
        if self.quarters:
            points = points - self._corner()
        for _ in range(self.quarters):
            points = np.stack([points[..., 1], -points[..., 0]], axis=-1)
        return points - 0.5

    def turned(self, quarters: int) -> "Rectified":
        """The same picture, turned against the clock by so many quarters more."""
        image = np.ascontiguousarray(np.rot90(self.image, quarters))
        return replace(self, image=image, quarters=(self.quarters + quarters) % 4)

    def enlarged(self, scale: float) -> "Rectified":
        """The same picture with so many times as many pixels to the unit, right to half a pixel."""
        height, width = self.image.shape[:2]
        size = (round(width * scale), round(height * scale))
        image = np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        return replace(self, image=image, pixels_per_unit=self.pixels_per_unit * scale)

    def _corner(self) -> Points:
        """Where the turned picture's first corner lies in the picture as it was before."""
        height, width = self.image.shape[:2]
        if self.quarters % 2:
            height, width = width, height
        return np.array({1: (width, 0), 2: (width, height), 3: (0, height)}[self.quarters], np.float64)

    def crop(self, rect: Rect) -> "Rectified":
        """A part of this picture, without looking at the frame again; cut at the picture's edge."""
        height, width = self.image.shape[:2]
        x0, y0 = np.floor(self.to_pixels(np.array((rect.x0, rect.y0))) + 0.5 + 1e-6).astype(int).clip(0)
        x1, y1 = np.ceil(self.to_pixels(np.array((rect.x1, rect.y1))) + 0.5 - 1e-6).astype(int)
        x1, y1 = min(int(x1), width), min(int(y1), height)
        if x1 <= x0 or y1 <= y0:
            raise ValueError(f"{rect} lies outside of the rectified {self.rect}")
        unit = self.pixels_per_unit
        part = Rect(
            self.rect.x0 + x0 / unit,
            self.rect.y0 + y0 / unit,
            self.rect.x0 + x1 / unit,
            self.rect.y0 + y1 / unit,
        )
        return Rectified(image=self.image[y0:y1, x0:x1], rect=part, pixels_per_unit=unit)


def grown(rect: Rect, margin: float) -> Rect:
    """The rectangle with a margin, for cards that a hand laid a little beside their place."""
    return Rect(rect.x0 - margin, rect.y0 - margin, rect.x1 + margin, rect.y1 + margin)


def table_rect(layout: TableLayout, margin: float = 0.0) -> Rect:
    """The smallest rectangle around the board and all zones."""
    rects = [layout.board, *(zone.rect for zone in layout.zones)]
    return grown(
        Rect(
            min(rect.x0 for rect in rects),
            min(rect.y0 for rect in rects),
            max(rect.x1 for rect in rects),
            max(rect.y1 for rect in rects),
        ),
        margin,
    )


class Rectifier:
    """Warps rectangles of the table; keeps the sampling tables of the last few it was asked for."""

    def __init__(self, most_pixels_kept: int = 8_000_000) -> None:
        self._maps: OrderedDict[tuple[Pose, Rect, float], _Maps] = OrderedDict()
        self._most_pixels_kept = most_pixels_kept

    def rectify(self, image: BgrImage, pose: Pose, rect: Rect, pixels_per_unit: float) -> Rectified:
        """Outside of the picture is black; `pose` must be for pictures of this size."""
        height, width = image.shape[:2]
        if (width, height) != (pose.lens.width, pose.lens.height):
            wanted = f"{pose.lens.width} × {pose.lens.height}"
            raise ValueError(f"the pose is for {wanted} pixels, the picture has {width} × {height}")
        whole, part = self._tables(pose, rect, pixels_per_unit)
        warped = cv2.remap(image, whole, part, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return Rectified(image=np.asarray(warped, np.uint8), rect=rect, pixels_per_unit=pixels_per_unit)

    def _tables(self, pose: Pose, rect: Rect, pixels_per_unit: float) -> _Maps:
        key = (pose, rect, pixels_per_unit)
        if key in self._maps:
            self._maps.move_to_end(key)
            return self._maps[key]
        for old in [old for old in self._maps if old[0] != pose]:
            del self._maps[old]  # a camera that was moved does not come back to the very same place
        maps = _sampling_tables(pose, rect, pixels_per_unit)
        self._maps[key] = maps
        while (
            len(self._maps) > 1 and sum(part.size for _, part in self._maps.values()) > self._most_pixels_kept
        ):
            self._maps.popitem(last=False)
        return maps


def rectify(image: BgrImage, pose: Pose, rect: Rect, pixels_per_unit: float) -> Rectified:
    """One rectangle once; keep a `Rectifier` for doing it in every frame."""
    return Rectifier().rectify(image, pose, rect, pixels_per_unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """A frame made small enough to look at all of it every time, in colour and in grey."""

    image: BgrImage
    gray: GrayImage

    def pose(self, pose: Pose) -> Pose:
        """The pose of the full frame, for this small one."""
        height, width = self.gray.shape
        return pose.resized(width, height)


def shrink(image: BgrImage, width: int = 640) -> Small:
    """By halves first: averaging two by two is several times faster than any other exact way."""
    height, full = image.shape[:2]
    small = image
    while small.shape[1] >= 2 * width:
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
    if small.shape[1] > width:
        size = (width, round(height * width / full))
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    return Small(image=small, gray=gray)


def _sampling_tables(pose: Pose, rect: Rect, pixels_per_unit: float) -> _Maps:
    width = round(rect.width * pixels_per_unit)
    height = round(rect.height * pixels_per_unit)
    if not (1 <= width <= _MOST_SIDE and 1 <= height <= _MOST_SIDE):
        raise ValueError(f"a rectified picture of {width} × {height} pixels is not sensible")
    xs = (rect.x0 + (np.arange(width) + 0.5) / pixels_per_unit).astype(np.float32)
    ys = (rect.y0 + (np.arange(height) + 0.5) / pixels_per_unit).astype(np.float32)
    u, v = _projected_grid(pose, xs, ys)
    # A point behind the camera would come out mirrored; far outside is the same as not seen.
    whole, part = cv2.convertMaps(np.clip(u, -30000, 30000), np.clip(v, -30000, 30000), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)


def _projected_grid(
    pose: Pose, xs: NDArray[np.float32], ys: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """`Pose.project` for all crossings of a grid: sums of rows and columns, several times faster."""
    h = np.array(pose.homography, np.float32)
    depth = (h[6] * xs)[None, :] + (h[7] * ys + h[8])[:, None]
    depth[np.abs(depth) < 1e-9] = 1e-9
    u = ((h[0] * xs)[None, :] + (h[1] * ys + h[2])[:, None]) / depth
    v = ((h[3] * xs)[None, :] + (h[4] * ys + h[5])[:, None]) / depth
    lens = pose.lens
    if lens.curve:
        cx, cy = (np.float32(value) for value in lens.centre)
        u -= cx
        v -= cy
        square = (u * u + v * v) * np.float32(1 / lens.half_diagonal**2)
        bend = 2 / (1 + np.sqrt(np.maximum(1 - np.float32(4 * lens.curve) * square, 0)))
        u, v = u * bend + cx, v * bend + cy
    return u, v
