"""The light over the table: how bright each spot is, where it glares, and which way shadows fall."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.camera import Camera
from vision.virtual.pieces import Colour

Floats: TypeAlias = NDArray[np.float32]

_COARSE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """One lamp or window at the side, and the light that comes from everywhere."""

    position: tuple[float, float, float] = (-1.0, -0.9, 2.6)
    """In board units from the board's top-left corner."""
    key: float = 0.55
    """Share of the lamp at the board's middle; the rest is ambient."""
    softness: float = 0.16
    """How blurred a shadow is, as a share of the height of what throws it."""
    warmth: float = 0.0
    """-1 is a blue window, +1 a yellow bulb."""
    exposure: float = 0.98
    glare: float = 0.55
    vignetting: float = 0.12

    def colour(self) -> Colour:
        """White balance never quite undoes the lamp's own colour."""
        return 1.0 - 0.16 * self.warmth, 1.0 - 0.015 * abs(self.warmth), 1.0 + 0.10 * self.warmth

    def direction(self, x: float, y: float) -> NDArray[np.float64]:
        """From a spot of the table to the lamp, length 1."""
        ray = np.array(self.position) - np.array([x, y, 0.0])
        return np.asarray(ray / np.linalg.norm(ray))

    def shadow_shift(self, x: float, y: float) -> tuple[float, float]:
        """How far a shadow falls from a thing, per unit of its height."""
        to_lamp = self.direction(x, y)
        return float(-to_lamp[0] / to_lamp[2]), float(-to_lamp[1] / to_lamp[2])

    def faces(self, normals: NDArray[np.float64], x: float, y: float) -> NDArray[np.float64]:
        """Brightness of faces with these normals, relative to the table at the same spot."""
        to_lamp = self.direction(x, y)
        lit = np.clip(normals @ to_lamp, 0, None) / to_lamp[2]
        # Light from everywhere reaches a wall less than a roof, and the table throws some back up.
        around = 0.62 + 0.38 * normals[:, 2]
        return np.asarray(np.minimum(self.key * lit + (1 - self.key) * around, 1.55))


class LightMaps:
    """The light on the board plane, pixel by pixel."""

    def __init__(self, light: Light, camera: Camera) -> None:
        self.light = light
        xs = np.arange(0, camera.width + _COARSE, _COARSE, dtype=np.float64)
        ys = np.arange(0, camera.height + _COARSE, _COARSE, dtype=np.float64)
        pixels = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        ground = camera.ground(pixels)
        shape = (len(ys), len(xs))
        brightness = self._brightness(ground, pixels, camera).reshape(*shape, 3)
        slopes = self._glare_slopes(ground, camera).reshape(*shape, 2)
        self.brightness: Floats = _full(brightness, camera)
        """Height × width × 3: what a white sheet would send to the camera, 1 being white."""
        self.slopes: Floats = _full(slopes, camera)
        """Height × width × 2: the tilt of a mirror that would send the lamp into the camera."""

    def _brightness(self, ground: NDArray[np.float64], pixels: NDArray[np.float64], camera: Camera) -> Floats:
        light = self.light
        rays = np.array(light.position) - np.column_stack([ground, np.zeros(len(ground))])
        distance = np.linalg.norm(rays, axis=1)
        fall = rays[:, 2] / distance**3
        middle = np.array(light.position) - np.array([0.5, 0.25, 0.0])
        fall /= middle[2] / np.linalg.norm(middle) ** 3
        off_centre = (pixels - np.array(camera.centre)) / (camera.width / 2)
        corners = 1 - light.vignetting * np.sum(off_centre**2, axis=1)
        level = light.exposure * corners * (1 - light.key + light.key * fall.clip(0, 2.2))
        return np.asarray(level[:, None] * np.array(light.colour()), np.float32)

    def _glare_slopes(self, ground: NDArray[np.float64], camera: Camera) -> Floats:
        spots = np.column_stack([ground, np.zeros(len(ground))])
        halves = _unit(np.array(self.light.position) - spots) + _unit(np.array(camera.position) - spots)
        return np.asarray(halves[:, :2] / halves[:, 2:3], np.float32)

    def glare(self, rows: slice, columns: slice, tilt: tuple[float, float], roughness: float) -> Floats:
        """How strongly a surface tilted like this mirrors the lamp, 0 to 1."""
        slopes = self.slopes[rows, columns]
        away = (slopes[..., 0] - tilt[0]) ** 2 + (slopes[..., 1] - tilt[1]) ** 2
        return np.asarray(np.exp(away * (-0.5 / roughness**2)), np.float32)

    def at(self, x: float, y: float) -> NDArray[np.float32]:
        """Brightness at one pixel, blue, green, red."""
        return np.asarray(self.brightness[self._nearest(x, y)])

    def slopes_at(self, x: float, y: float) -> tuple[float, float]:
        """The tilt of a mirror at one pixel that would send the lamp into the camera."""
        across, along = self.slopes[self._nearest(x, y)]
        return float(across), float(along)

    def _nearest(self, x: float, y: float) -> tuple[int, int]:
        height, width = self.brightness.shape[:2]
        return min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)


def _unit(rays: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def _full(coarse: Floats, camera: Camera) -> Floats:
    """The coarse grid spread to all pixels; its nodes lie on every eighth pixel."""
    shift = np.array([[_COARSE, 0, 0], [0, _COARSE, 0]], np.float64)
    spread = cv2.warpAffine(
        np.ascontiguousarray(coarse, np.float32),
        shift,
        (camera.width, camera.height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(spread, np.float32)
