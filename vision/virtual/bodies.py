"""Pictures of pieces: shaded faces of a pulled silhouette, its grain, its highlights and its shadow."""

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.light import Light
from vision.virtual.mats import smooth_noise
from vision.virtual.pieces import Body, Colour, Material, PieceShape
from vision.virtual.sprite import Shade, Sprite, Stage, Window, bytes_of, canvas_points, fill_points

_FINE = 3
_GRAIN_PX = 512
_CARDBOARD: Colour = (0.60, 0.66, 0.70)
"""The cut edge of a token."""
_CONTACT = 0.42
"""How dark it gets right where a piece meets the table."""


def piece_sprite(
    stage: Stage, shape: PieceShape, body: Body, *, tone: float = 1.0, seed: int = 0
) -> Sprite | None:
    """The piece itself; `tone` is how dark this one came out of the paint bath."""
    outline = np.concatenate([body.front, body.back])
    pixels = stage.camera.project(outline)
    window = stage.window(pixels)
    if window is None:
        return None
    count = len(body.front)
    front, back = np.split(canvas_points(pixels, window, _FINE), [count])
    canvas = _Canvas(window, _Lamp(stage, outline.mean(axis=0), tone))
    walls, order = _walls(stage, body)
    side = shape.colour if shape.material is Material.WOOD else shape.edge or _CARDBOARD
    following = np.roll(np.arange(count), -1)
    tints = canvas.lamp.tints(walls, side, gloss=0.30)
    for i in order:
        j = following[i]
        canvas.fill(np.stack([front[i], front[j], back[j], back[i]]), tints[i])
    forward = _unit(body.front.mean(axis=0) - body.back.mean(axis=0))
    gloss = 0.0 if shape.flat else 0.30
    for points, spots, normal in ((front, body.front, forward), (back, body.back, -forward)):
        if normal @ (np.array(stage.camera.position) - spots.mean(axis=0)) <= 0:
            continue
        canvas.fill(points, canvas.lamp.tints(normal[None], shape.colour, gloss=gloss)[0])
        if not shape.flat:
            canvas.bevel(points, walls, shape.colour)
        if points is front:
            for mark, area in zip(shape.marks, body.marks, strict=True):
                painted = canvas_points(stage.camera.project(area), window, _FINE)
                canvas.fill(painted, canvas.lamp.tints(normal[None], mark.colour, gloss=0.0)[0])
    return canvas.sprite(shape.grain, seed)


def piece_shade(stage: Stage, body: Body, ground: float) -> Shade | None:
    """What the piece takes away from the light on the table around it."""
    light = stage.maps.light
    points = np.concatenate([body.front, body.back])
    middle = points.mean(axis=0)
    shift = np.array(light.shadow_shift(float(middle[0]), float(middle[1])))
    above = points[:, 2:3] - ground
    fallen = stage.camera.project(
        np.column_stack([points[:, :2] + above * shift, np.full(len(points), ground)])
    )
    front, back = np.split(fallen, 2)
    following = np.roll(np.arange(len(front)), -1)
    cast = [front, back, *(np.stack([front[i], front[j], back[j], back[i]]) for i, j in enumerate(following))]
    hull = cv2.convexHull(points[:, :2].astype(np.float32)).reshape(-1, 2)
    base = stage.camera.project(np.column_stack([hull, np.full(len(hull), ground)]))
    scale = pixels_per_unit(stage, middle)
    blur = max(0.6, light.softness * float(above.max()) * scale)
    return soft_shade(stage, cast, [base], light, blur=blur, contact=max(1.0, 0.0022 * scale))


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


class _Lamp:
    """The light at one small piece, the same for all its faces."""

    def __init__(self, stage: Stage, middle: NDArray[np.float64], tone: float) -> None:
        self._light = stage.maps.light
        self._x, self._y = float(middle[0]), float(middle[1])
        self._tone = tone
        pixel = stage.camera.project(middle)[0]
        self._brightness = stage.maps.at(float(pixel[0]), float(pixel[1]))
        self.direction = self._light.direction(self._x, self._y)
        self._half = _unit(_unit(np.array(stage.camera.position) - middle) + self.direction)

    def tints(self, normals: NDArray[np.float64], colour: Colour, *, gloss: float) -> NDArray[np.float64]:
        """Colours of faces with these normals, 0 to 255."""
        level = self._light.faces(normals, self._x, self._y)[:, None] * self._tone
        mirror = np.clip(normals @ self._half, 0, 1)[:, None] ** 18
        shine = self._light.glare * self._light.key * gloss * mirror
        return np.asarray(np.clip((np.array(colour) * level + shine) * self._brightness * 255, 0, 255))


class _Canvas:
    """Faces drawn one over the other, finer than the frame."""

    def __init__(self, window: Window, lamp: _Lamp) -> None:
        self._window = window
        self.lamp = lamp
        size = ((window[3] - window[1]) * _FINE, (window[2] - window[0]) * _FINE)
        self._colour = np.zeros((*size, 3), np.uint8)
        self._alpha = np.zeros(size, np.uint8)

    def fill(self, points: NDArray[np.int32], tint: NDArray[np.float64]) -> None:
        fill_points(self._colour, points, (int(tint[0]), int(tint[1]), int(tint[2])))
        fill_points(self._alpha, points, 255)

    def bevel(self, points: NDArray[np.int32], walls: NDArray[np.float64], colour: Colour) -> None:
        """Edges are rounded: where they turn to the lamp they catch the light."""
        catches = walls @ self.lamp.direction
        level = self.lamp.tints(np.array([[0.0, 0.0, 1.0]]), (1.0, 1.0, 1.0), gloss=0.0)[0]
        for i, catch in enumerate(catches):
            if catch > 0.15:
                bright = np.minimum(np.array(colour) * (1.0 + 0.35 * catch) + 0.16 * catch, 1.0) * level
                tint = (int(bright[0]), int(bright[1]), int(bright[2]))
                end = points[(i + 1) % len(points)]
                cv2.line(self._colour, points[i].tolist(), end.tolist(), tint, 1, cv2.LINE_AA, shift=4)

    def sprite(self, grain_depth: float, seed: int) -> Sprite:
        height, width = self._alpha.shape
        x, y = (int(v) for v in np.random.default_rng(seed).integers(0, _GRAIN_PX, 2))
        rows, columns = (np.arange(height) + y) % _GRAIN_PX, (np.arange(width) + x) % _GRAIN_PX
        rough = 1 + grain_depth * _grain()[rows][:, columns]
        colour = cv2.multiply(self._colour, cv2.merge([rough] * 3), dtype=cv2.CV_8U)
        inside = cv2.threshold(self._alpha, 0, 255, cv2.THRESH_BINARY)[1]
        colour = cv2.bitwise_and(colour, colour, mask=inside)
        size = (self._window[2] - self._window[0], self._window[3] - self._window[1])
        small = [
            bytes_of(cv2.resize(layer, size, interpolation=cv2.INTER_AREA)) for layer in (colour, self._alpha)
        ]
        return Sprite(self._window, small[0], small[1])


def _walls(stage: Stage, body: Body) -> tuple[NDArray[np.float64], list[int]]:
    """The normals of all side faces, and which of them look at the camera, the far ones first."""
    edges = np.roll(body.front, -1, axis=0) - body.front
    normals = np.cross(edges, _normal(body.front))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-12
    middles = (body.front + np.roll(body.front, -1, axis=0) + body.back + np.roll(body.back, -1, axis=0)) / 4
    to_eye = np.array(stage.camera.position) - middles
    facing = np.einsum("ij,ij->i", normals, to_eye) > 0
    far_first = np.argsort(-np.linalg.norm(to_eye, axis=1), kind="stable")
    return normals, [int(i) for i in far_first if facing[i]]


def _normal(outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Newell's normal: right for any outline, also one with dents."""
    return _unit(np.sum(np.cross(outline, np.roll(outline, -1, axis=0)), axis=0))


def _unit(ray: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(ray / (np.linalg.norm(ray) + 1e-12))


@lru_cache(maxsize=1)
def _grain() -> NDArray[np.float32]:
    return smooth_noise(np.random.default_rng(11), 30, 160, _GRAIN_PX)
