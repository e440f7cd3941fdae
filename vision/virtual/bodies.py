"""Pictures of pieces: shaded faces of a pulled silhouette, its grain, its highlights and its shadow."""

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.light import Light
from vision.virtual.mats import smooth_noise
from vision.virtual.pieces import Body, Colour, Material, PieceShape
from vision.virtual.sprite import Shade, Sprite, Stage, Window, bytes_of, fill

_FINE = 3
_GRAIN_PX = 512
_CONTACT = 0.42
"""How dark it gets right where a piece meets the table."""


def piece_sprite(
    stage: Stage, shape: PieceShape, body: Body, *, tone: float = 1.0, seed: int = 0
) -> Sprite | None:
    """The piece itself; `tone` is how dark this one came out of the paint bath."""
    pixels = stage.camera.project(np.concatenate([body.front, body.back]))
    window = stage.window(pixels)
    if window is None:
        return None
    canvas = _Canvas(stage, window, shape, tone)
    for wall, normal in _visible_walls(stage, body):
        canvas.fill(wall, shape.colour if shape.material is Material.WOOD else _CARDBOARD, normal)
    forward = _unit(body.front.mean(axis=0) - body.back.mean(axis=0))
    for outline, normal, marks in ((body.front, forward, shape.marks), (body.back, -forward, ())):
        if _faces_camera(stage, outline, normal):
            canvas.fill(outline, shape.colour, normal)
            canvas.bevel(outline, shape.colour)
            for mark, points in zip(marks, body.marks, strict=False):
                canvas.fill(points, mark.colour, normal, shiny=False)
    return canvas.sprite(seed)


def piece_shade(stage: Stage, body: Body, ground: float) -> Shade | None:
    """What the piece takes away from the light on the table around it."""
    light = stage.maps.light
    points = np.concatenate([body.front, body.back])
    middle = points.mean(axis=0)
    height = float(points[:, 2].max() - ground)
    shift = np.array(light.shadow_shift(middle[0], middle[1]))
    front, back = (_fallen(outline, ground, shift) for outline in (body.front, body.back))
    scale = pixels_per_unit(stage, middle)
    blur = max(0.6, light.softness * height * scale)
    cast = [stage.camera.project(front), stage.camera.project(back)]
    following = np.roll(np.arange(len(front)), -1)
    for i, j in enumerate(following):
        cast.append(stage.camera.project(np.stack([front[i], front[j], back[j], back[i]])))
    base = [stage.camera.project(_on_ground(points, ground))]
    return soft_shade(stage, cast, base, light, blur=blur, contact=max(1.0, 0.0022 * scale))


def soft_shade(
    stage: Stage,
    cast: list[NDArray[np.float64]],
    base: list[NDArray[np.float64]],
    light: Light,
    *,
    blur: float,
    contact: float,
) -> Shade | None:
    """A cast shadow, and the dark seam where something touches the table; polygons in pixels."""
    window = stage.window(np.concatenate(cast + base), pad=math.ceil(2.5 * max(blur, contact)) + 2)
    if window is None:
        return None
    thrown = cv2.GaussianBlur(stage.mask(cast, window, 1), (0, 0), blur).astype(np.float32)
    seam = cv2.GaussianBlur(stage.mask(base, window, 1), (0, 0), contact).astype(np.float32)
    factor = (1 - thrown * (light.key * 0.88 / 255)) * (1 - seam * (_CONTACT / 255))
    return Shade(window, (factor * 255).astype(np.uint8))


def pixels_per_unit(stage: Stage, point: NDArray[np.float64]) -> float:
    """How large one board unit appears at this spot."""
    x, y, z = (float(value) for value in point)
    left, right = stage.camera.project([(x - 0.01, y, z), (x + 0.01, y, z)])
    return float(np.linalg.norm(right - left)) / 0.02


_CARDBOARD: Colour = (0.60, 0.66, 0.70)


class _Canvas:
    """Faces drawn one over the other, finer than the frame."""

    def __init__(self, stage: Stage, window: Window, shape: PieceShape, tone: float) -> None:
        self._stage = stage
        self._window = window
        self._shape = shape
        self._tone = tone
        size = ((window[3] - window[1]) * _FINE, (window[2] - window[0]) * _FINE)
        self._colour = np.zeros((*size, 3), np.uint8)
        self._alpha = np.zeros(size, np.uint8)

    def fill(
        self, face: NDArray[np.float64], colour: Colour, normal: NDArray[np.float64], *, shiny: bool = True
    ) -> None:
        pixels = self._stage.camera.project(face)
        lit = self._lit(face, colour, normal, gloss=shiny)
        fill(self._colour, pixels, self._window, _FINE, lit)
        fill(self._alpha, pixels, self._window, _FINE, 255)

    def bevel(self, outline: NDArray[np.float64], colour: Colour) -> None:
        """Edges are rounded: where they turn to the lamp they catch the light."""
        middle = outline.mean(axis=0)
        to_lamp = self._stage.maps.light.direction(middle[0], middle[1])
        pixels = (self._stage.camera.project(outline) - np.array(self._window[:2]) + 0.5) * _FINE - 0.5
        points = np.round(pixels * 16).astype(np.int32)
        normal = _normal(outline)
        for i in range(len(outline)):
            j = (i + 1) % len(outline)
            out = _unit(np.cross(outline[j] - outline[i], normal))
            catch = max(float(out @ to_lamp), 0.0)
            if catch < 0.15 or self._shape.flat:
                continue
            bright = tuple(min(1.0, c * (1.0 + 0.35 * catch) + 0.16 * catch) for c in colour)
            lit = self._lit(
                outline, (bright[0], bright[1], bright[2]), np.array([0.0, 0.0, 1.0]), gloss=False
            )
            cv2.line(self._colour, points[i].tolist(), points[j].tolist(), lit, 1, cv2.LINE_AA, shift=4)

    def sprite(self, seed: int) -> Sprite:
        grain = _grain()
        height, width = self._alpha.shape
        rng = np.random.default_rng(seed)
        x, y = (int(v) for v in rng.integers(0, _GRAIN_PX, 2))
        rows = (np.arange(height) + y) % _GRAIN_PX
        columns = (np.arange(width) + x) % _GRAIN_PX
        depth = 0.055 if self._shape.material is Material.WOOD else 0.02
        rough = 1 + depth * grain[rows][:, columns]
        colour = cv2.multiply(self._colour, cv2.merge([rough] * 3), dtype=cv2.CV_8U)
        colour = cv2.bitwise_and(
            colour, colour, mask=cv2.threshold(self._alpha, 0, 255, cv2.THRESH_BINARY)[1]
        )
        size = (self._window[2] - self._window[0], self._window[3] - self._window[1])
        small = [
            bytes_of(cv2.resize(layer, size, interpolation=cv2.INTER_AREA)) for layer in (colour, self._alpha)
        ]
        return Sprite(self._window, small[0], small[1])

    def _lit(
        self, face: NDArray[np.float64], colour: Colour, normal: NDArray[np.float64], gloss: bool
    ) -> tuple[int, int, int]:
        stage, light = self._stage, self._stage.maps.light
        middle = face.mean(axis=0)
        pixel = stage.camera.project(middle)[0]
        level = float(light.faces(normal[None], middle[0], middle[1])[0]) * self._tone
        brightness = stage.maps.at(pixel[0], pixel[1])
        to_eye = np.array(stage.camera.position) - middle
        half = to_eye / np.linalg.norm(to_eye) + light.direction(middle[0], middle[1])
        mirror = max(float(normal @ half) / float(np.linalg.norm(half)), 0.0)
        shine = light.glare * (0.30 * mirror**18 if gloss and not self._shape.flat else 0.0)
        blue, green, red = (
            int(min(255.0, 255 * float(b) * (c * level + shine * light.key)))
            for b, c in zip(brightness, colour, strict=True)
        )
        return blue, green, red


def _visible_walls(stage: Stage, body: Body) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The side faces that look at the camera with their normals, the far ones first."""
    eye = np.array(stage.camera.position)
    around = _normal(body.front)
    facing = []
    for i in range(len(body.front)):
        j = (i + 1) % len(body.front)
        wall = np.stack([body.front[i], body.front[j], body.back[j], body.back[i]])
        normal = _unit(np.cross(body.front[j] - body.front[i], around))
        to_eye = eye - wall.mean(axis=0)
        if normal @ to_eye > 0:
            facing.append((float(np.linalg.norm(to_eye)), i, wall, normal))
    facing.sort(key=lambda found: (-found[0], found[1]))
    return [(wall, normal) for _, _, wall, normal in facing]


def _normal(face: NDArray[np.float64]) -> NDArray[np.float64]:
    """Newell's normal: right for any outline, also one with dents."""
    following = np.roll(face, -1, axis=0)
    return _unit(np.sum(np.cross(face, following), axis=0))


def _unit(ray: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(ray / (np.linalg.norm(ray) + 1e-12))


def _faces_camera(stage: Stage, outline: NDArray[np.float64], normal: NDArray[np.float64]) -> bool:
    return bool(normal @ (np.array(stage.camera.position) - outline.mean(axis=0)) > 0)


def _fallen(points: NDArray[np.float64], ground: float, shift: NDArray[np.float64]) -> NDArray[np.float64]:
    above = points[:, 2:3] - ground
    return np.column_stack([points[:, :2] + above * shift, np.full(len(points), ground)])


def _on_ground(points: NDArray[np.float64], ground: float) -> NDArray[np.float64]:
    hull = cv2.convexHull(points[:, :2].astype(np.float32)).reshape(-1, 2)
    return np.column_stack([hull, np.full(len(hull), ground)])


@lru_cache(maxsize=1)
def _grain() -> NDArray[np.float32]:
    return smooth_noise(np.random.default_rng(11), 30, 160, _GRAIN_PX)
