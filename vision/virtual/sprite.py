"""Small lit pictures of single things, cut out and ready to be laid over the frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.virtual.camera import Camera
from vision.virtual.light import Floats, LightMaps

Window = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels, the last two excluded."""

_PAD_PX = 3


@dataclass(frozen=True, slots=True)
class Sprite:
    """A lit cut-out: colours are already multiplied by alpha."""

    window: Window
    colour: BgrImage
    alpha: GrayImage

    def paint(self, frame: BgrImage, clip: Window | None = None) -> None:
        shared = intersection(self.window, clip or _whole(frame))
        if shared is None:
            return
        part = frame[shared[1] : shared[3], shared[0] : shared[2]]
        alpha = _cut(self.alpha, self.window, shared)
        rest = cv2.cvtColor(cv2.bitwise_not(alpha), cv2.COLOR_GRAY2BGR)
        dimmed = cv2.multiply(part, rest, scale=1 / 255)
        cv2.add(dimmed, _cut(self.colour, self.window, shared), dst=part)


@dataclass(frozen=True, slots=True)
class Shade:
    """Where light is missing: 255 leaves the frame as it is."""

    window: Window
    factor: GrayImage

    def paint(self, frame: BgrImage, clip: Window | None = None) -> None:
        shared = intersection(self.window, clip or _whole(frame))
        if shared is None:
            return
        part = frame[shared[1] : shared[3], shared[0] : shared[2]]
        factor = cv2.cvtColor(_cut(self.factor, self.window, shared), cv2.COLOR_GRAY2BGR)
        cv2.multiply(part, factor, dst=part, scale=1 / 255)


def bytes_of(image: MatLike) -> NDArray[np.uint8]:
    """What OpenCV gives back, with the type that it has here anyway."""
    return np.asarray(image, np.uint8)


def intersection(one: Window, other: Window) -> Window | None:
    window = (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
    return window if window[0] < window[2] and window[1] < window[3] else None


def union(windows: Sequence[Window]) -> Window:
    x0, y0, x1, y1 = zip(*windows, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _whole(frame: BgrImage) -> Window:
    return 0, 0, frame.shape[1], frame.shape[0]


def _cut(image: NDArray[np.uint8], window: Window, shared: Window) -> NDArray[np.uint8]:
    return image[shared[1] - window[1] : shared[3] - window[1], shared[0] - window[0] : shared[2] - window[0]]


class Texture:
    """A flat picture with transparency, kept in several sizes so that small views do not flicker."""

    def __init__(self, bgra: NDArray[np.uint8]) -> None:
        if bgra.ndim != 3 or bgra.shape[2] not in (3, 4):
            raise ValueError(f"a texture needs 3 or 4 channels, found shape {bgra.shape}")
        if bgra.shape[2] == 3:
            bgra = bytes_of(cv2.cvtColor(bgra, cv2.COLOR_BGR2BGRA))
        levels = [_premultiplied(bgra)]
        while min(levels[-1].shape[:2]) > 24:
            height, width = levels[-1].shape[:2]
            half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            levels.append(bytes_of(half))
        self._levels = levels

    def level(self, width_px: float) -> NDArray[np.uint8]:
        """The smallest size that is still at least so wide."""
        for image in reversed(self._levels):
            if image.shape[1] >= width_px:
                return image
        return self._levels[0]


def _premultiplied(bgra: NDArray[np.uint8]) -> NDArray[np.uint8]:
    alpha = cv2.extractChannel(bgra, 3)
    colour = cv2.cvtColor(bgra, cv2.COLOR_BGRA2BGR)
    blue, green, red = (cv2.multiply(channel, alpha, scale=1 / 255) for channel in cv2.split(colour))
    return np.asarray(cv2.merge([blue, green, red, alpha]), np.uint8)


@dataclass(frozen=True, slots=True)
class Finish:
    """How a surface throws light back."""

    gloss: float = 0.0
    """Strength of its glare, 0 to 1."""
    roughness: float = 0.2
    """Small is a sharp reflection, as on a sleeve; large a soft sheen, as on linen."""
    tilt: tuple[float, float] = (0.0, 0.0)
    """How it lies off level."""


class Stage:
    """One camera in one light: turns flat things and polygons into sprites."""

    def __init__(self, camera: Camera, maps: LightMaps) -> None:
        self.camera = camera
        self.maps = maps
        self._ideal = _ideal_coordinates(camera)

    def window(self, pixels: NDArray[np.float64], pad: int = _PAD_PX) -> Window | None:
        """The part of the frame around these pixels."""
        x0, y0 = np.floor(pixels.min(axis=0)).astype(int) - pad
        x1, y1 = np.ceil(pixels.max(axis=0)).astype(int) + pad + 1
        return intersection(
            (int(x0), int(y0), int(x1), int(y1)), (0, 0, self.camera.width, self.camera.height)
        )

    def flat(
        self, texture: Texture, corners: NDArray[np.float64], finish: Finish, *, fine: int = 2
    ) -> Sprite | None:
        """A texture on the plane through four points (top left, top right, bottom right, bottom left)."""
        window = self.window(self.camera.project(corners))
        if window is None:
            return None
        ideal = self.camera.project_ideal(corners)
        width_px = max(np.linalg.norm(ideal[1] - ideal[0]), np.linalg.norm(ideal[2] - ideal[3]))
        image = texture.level(float(width_px) * fine)
        sampled = self._sample(image, _to_texture(ideal, image), window, fine)
        return self._lit(sampled, window, finish)

    def tiled(self, tile: NDArray[np.uint8], tile_width: float, z: float, finish: Finish) -> BgrImage:
        """A tile repeated over the whole plane at height z, lit."""
        window = (0, 0, self.camera.width, self.camera.height)
        scale = tile.shape[1] / tile_width
        spread = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]])
        transform = spread @ np.linalg.inv(self.camera.homography(z))
        across = np.linalg.norm(
            np.diff(self.camera.project_ideal([(0, 0.25, z), (tile_width, 0.25, z)]), axis=0)
        )
        sharp = min(1.0, float(across) / tile.shape[1])
        image = cv2.GaussianBlur(tile, (0, 0), 0.45 / sharp) if sharp < 0.9 else tile
        bgra = bytes_of(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA))
        return self._lit(self._sample(bgra, transform, window, 1, wrap=True), window, finish).colour

    def mask(self, polygons: Sequence[NDArray[np.float64]], window: Window, fine: int = 2) -> GrayImage:
        """Pixel polygons filled, with soft edges."""
        height, width = window[3] - window[1], window[2] - window[0]
        canvas = np.zeros((height * fine, width * fine), np.uint8)
        for polygon in polygons:
            fill_points(canvas, canvas_points(polygon, window, fine), 255)
        return (
            bytes_of(cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA))
            if fine > 1
            else canvas
        )

    def _sample(
        self,
        image: NDArray[np.uint8],
        transform: NDArray[np.float64],
        window: Window,
        fine: int,
        wrap: bool = False,
    ) -> NDArray[np.uint8]:
        x0, y0, x1, y1 = window
        ideal = self._ideal[y0:y1, x0:x1]
        if fine > 1:
            larger = cv2.resize(ideal, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR)
            ideal = np.asarray(larger, np.float32)
        at = np.asarray(cv2.transform(ideal, transform.astype(np.float32)), np.float32)
        across, along = at[..., 0] / at[..., 2], at[..., 1] / at[..., 2]
        border = cv2.BORDER_WRAP if wrap else cv2.BORDER_CONSTANT
        sampled = cv2.remap(image, across, along, cv2.INTER_LINEAR, borderMode=border)
        if fine > 1:
            sampled = cv2.resize(sampled, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
        return np.asarray(sampled, np.uint8)

    def _lit(self, bgra: NDArray[np.uint8], window: Window, finish: Finish) -> Sprite:
        x0, y0, x1, y1 = window
        rows, columns = slice(y0, y1), slice(x0, x1)
        alpha = bytes_of(cv2.extractChannel(bgra, 3))
        colour = cv2.cvtColor(bgra, cv2.COLOR_BGRA2BGR)
        brightness = self.maps.brightness[rows, columns]
        strength = finish.gloss * self.maps.light.glare
        if strength == 0:
            return Sprite(window, bytes_of(cv2.multiply(colour, brightness, dtype=cv2.CV_8U)), alpha)
        shine = self.maps.glare(rows, columns, finish.tilt, finish.roughness) * (alpha * np.float32(strength))
        lit = np.asarray(cv2.multiply(colour, brightness, dtype=cv2.CV_32F), np.float32)
        lit += shine[..., None] * self.lamp_colour()
        return Sprite(window, bytes_of(cv2.convertScaleAbs(lit)), alpha)

    def lamp_colour(self) -> Floats:
        return np.array(self.maps.light.colour(), np.float32)


def canvas_points(pixels: NDArray[np.float64], window: Window, fine: int) -> NDArray[np.int32]:
    """Frame pixels as points of a finer canvas that shows one window, in sixteenths as OpenCV draws them."""
    inside = (pixels - np.array([window[0], window[1]]) + 0.5) * fine - 0.5
    return np.asarray(np.round(inside * 16), np.int32)


def fill_points(
    canvas: NDArray[np.uint8], points: NDArray[np.int32], colour: int | tuple[int, int, int]
) -> None:
    cv2.fillPoly(canvas, [points], colour if isinstance(colour, tuple) else (colour,), cv2.LINE_AA, shift=4)


def _ideal_coordinates(camera: Camera) -> NDArray[np.float32]:
    """For each pixel of the picture as taken, its place in an undistorted one; the 1 makes it homogeneous."""
    xs, ys = np.meshgrid(
        np.arange(camera.width, dtype=np.float32) - np.float32(camera.centre[0]),
        np.arange(camera.height, dtype=np.float32) - np.float32(camera.centre[1]),
    )
    radius = np.sqrt(xs * xs + ys * ys) / camera.focal_px
    table = np.linspace(0.0, float(radius.max()) * 1.01, 512)
    straight = camera.undistort(
        np.column_stack([table * camera.focal_px + camera.centre[0], np.full(512, camera.centre[1])])
    )
    ratio = np.ones(512)
    ratio[1:] = (straight[1:, 0] - camera.centre[0]) / camera.focal_px / table[1:]
    scale = np.interp(radius, table, ratio).astype(np.float32)
    xs = xs * scale + np.float32(camera.centre[0])
    ys = ys * scale + np.float32(camera.centre[1])
    return np.asarray(cv2.merge([xs, ys, np.ones_like(xs)]), np.float32)


def _to_texture(ideal: NDArray[np.float64], image: NDArray[np.uint8]) -> NDArray[np.float64]:
    height, width = image.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    return np.asarray(cv2.getPerspectiveTransform(ideal.astype(np.float32), corners), np.float64)
