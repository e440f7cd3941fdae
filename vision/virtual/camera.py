"""Where the virtual webcam stands and how its lens maps the table to pixels."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.table import Rect

Points: TypeAlias = NDArray[np.float64]
Quad: TypeAlias = tuple[tuple[float, float], ...]

_UNDISTORT_ROUNDS = 6
_AIM_ROUNDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A pinhole with one distortion term, in board units; z is 0 on the board's face and grows upwards."""

    width: int = 1920
    height: int = 1080
    fov_deg: float = 60.0
    """Horizontal angle of view."""
    position: tuple[float, float, float] = (0.5, 0.9, 1.3)
    target: tuple[float, float] = (0.5, 0.25)
    """The point of the board plane in the middle of the picture."""
    roll_deg: float = 0.0
    k1: float = 0.0

    def __post_init__(self) -> None:
        if self.position[2] <= 0:
            raise ValueError(f"the camera must stand above the table, found height {self.position[2]}")

    @property
    def focal_px(self) -> float:
        return self.width / 2 / math.tan(math.radians(self.fov_deg) / 2)

    @property
    def foot(self) -> tuple[float, float]:
        """The point of the board plane right below the lens: standing things lean away from it."""
        return self.position[0], self.position[1]

    @property
    def centre(self) -> tuple[float, float]:
        return (self.width - 1) / 2, (self.height - 1) / 2

    def rotation(self) -> Points:
        """Rows: the camera's right, down and forward in board axes."""
        return _rotation(self.position, self.target, self.roll_deg)

    def homography(self, z: float = 0.0) -> Points:
        """From the plane at height z to the pixels of an undistorted picture."""
        rotation = self.rotation()
        eye = np.array(self.position)
        columns = np.stack(
            [rotation[:, 0], rotation[:, 1], rotation @ (np.array([0.0, 0.0, z]) - eye)], axis=1
        )
        return np.asarray(self._intrinsics() @ columns)

    def project(self, points: ArrayLike) -> Points:
        """N × 3 points of the table to N × 2 pixels of the picture as taken."""
        return self.distort(self._slopes(points))

    def project_ideal(self, points: ArrayLike) -> Points:
        """The same for a lens without distortion."""
        return np.asarray(self._slopes(points) * self.focal_px + np.array(self.centre))

    def _slopes(self, points: ArrayLike) -> Points:
        rays = (np.asarray(points, float).reshape(-1, 3) - np.array(self.position)) @ self.rotation().T
        return np.asarray(rays[:, :2] / rays[:, 2:3])

    def distort(self, slopes: Points) -> Points:
        """Slopes of rays to pixels."""
        radius2 = np.sum(slopes**2, axis=1, keepdims=True)
        return np.asarray(slopes * (1 + self.k1 * radius2) * self.focal_px + np.array(self.centre))

    def undistort(self, pixels: ArrayLike) -> Points:
        """Pixels of the picture as taken to pixels of an undistorted picture."""
        distorted = (np.asarray(pixels, float).reshape(-1, 2) - np.array(self.centre)) / self.focal_px
        slopes = distorted
        for _ in range(_UNDISTORT_ROUNDS):
            slopes = distorted / (1 + self.k1 * np.sum(slopes**2, axis=1, keepdims=True))
        return np.asarray(slopes * self.focal_px + np.array(self.centre))

    def ground(self, pixels: ArrayLike, z: float = 0.0) -> Points:
        """Where the rays through these pixels meet the plane at height z."""
        ideal = self.undistort(pixels)
        lifted = np.column_stack([ideal, np.ones(len(ideal))]) @ np.linalg.inv(self.homography(z)).T
        return np.asarray(lifted[:, :2] / lifted[:, 2:3])

    def quad(self, corners: Iterable[tuple[float, float]], z: float = 0.0) -> Quad:
        """Corners on the plane at height z as pixels."""
        return tuple((float(x), float(y)) for x, y in self.project([(x, y, z) for x, y in corners]))

    def rect_quad(self, rect: Rect, z: float = 0.0) -> Quad:
        """Top left, top right, bottom right, bottom left of a rectangle as pixels."""
        return self.quad(rect_corners(rect), z)

    def _intrinsics(self) -> Points:
        centre_x, centre_y = self.centre
        return np.array([[self.focal_px, 0, centre_x], [0, self.focal_px, centre_y], [0, 0, 1]])


@lru_cache(maxsize=64)
def _rotation(position: tuple[float, float, float], target: tuple[float, float], roll_deg: float) -> Points:
    forward = np.array([*target, 0.0]) - np.array(position)
    forward /= np.linalg.norm(forward)
    down = np.array([0.0, 1.0, 0.0]) - forward * forward[1]
    down /= np.linalg.norm(down)
    # Board axes are left-handed (x right, y down, z up), so "right" is forward × down here.
    right = np.cross(forward, down)
    cos, sin = math.cos(math.radians(roll_deg)), math.sin(math.radians(roll_deg))
    return np.stack([cos * right + sin * down, cos * down - sin * right, forward])


def rect_corners(rect: Rect) -> tuple[tuple[float, float], ...]:
    return ((rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """How a player puts up a camera, before anyone knows how large the table is."""

    width: int = 1920
    height: int = 1080
    fov_deg: float = 60.0
    tilt_deg: float = 22.0
    """0 looks straight down."""
    azimuth_deg: float = 0.0
    """0: the camera leans in from the player's side; positive: from further right."""
    roll_deg: float = 0.0
    k1: float = -0.03
    margin: float = 0.04
    """Free share of the picture around what must be in view."""
    whole: bool = True
    """Also the zones that need not be in view are."""
    shift: tuple[float, float] = (0.0, 0.0)
    """How far the aim is off the middle, in board units."""


def put_up(stand: Stand, view: Rect) -> Camera:
    """The nearest camera of this stand that still has the whole rectangle in its picture."""
    corners = [(x, y, 0.0) for x, y in rect_corners(view)]
    target = view.centre
    for _ in range(_AIM_ROUNDS):
        camera = _nearest(stand, target, corners)
        pixels = camera.project(corners)
        # Perspective makes the near edge larger: aim at the middle of the picture of the table.
        aim_x, aim_y = camera.ground([(pixels.min(axis=0) + pixels.max(axis=0)) / 2])[0]
        target = (float(aim_x), float(aim_y))
    return _nearest(stand, (target[0] + stand.shift[0], target[1] + stand.shift[1]), corners)


def _nearest(stand: Stand, target: tuple[float, float], corners: list[tuple[float, float, float]]) -> Camera:
    near, far = 0.2, 12.0
    for _ in range(30):
        middle = (near + far) / 2
        if _holds(_at_distance(stand, target, middle), corners, stand.margin):
            far = middle
        else:
            near = middle
    return _at_distance(stand, target, far)


def _at_distance(stand: Stand, target: tuple[float, float], distance: float) -> Camera:
    tilt, azimuth = math.radians(stand.tilt_deg), math.radians(stand.azimuth_deg)
    reach = distance * math.sin(tilt)
    return Camera(
        width=stand.width,
        height=stand.height,
        fov_deg=stand.fov_deg,
        position=(
            target[0] + reach * math.sin(azimuth),
            target[1] + reach * math.cos(azimuth),
            distance * math.cos(tilt),
        ),
        target=target,
        roll_deg=stand.roll_deg,
        k1=stand.k1,
    )


def _holds(camera: Camera, corners: list[tuple[float, float, float]], margin: float) -> bool:
    rays = (np.array(corners) - np.array(camera.position)) @ camera.rotation().T
    if np.any(rays[:, 2] < 0.05):
        return False
    pixels = camera.distort(rays[:, :2] / rays[:, 2:3])
    border = margin * camera.height
    size = np.array([camera.width, camera.height])
    return bool(np.all(pixels >= border) and np.all(pixels <= size - border))
