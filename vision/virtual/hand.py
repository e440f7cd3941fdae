"""A hand with its forearm: shaped from round limbs, lit, and laid over the table where its fingertips are."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.light import Light
from vision.virtual.mats import smooth_noise
from vision.virtual.pieces import Colour
from vision.virtual.script import HandAt
from vision.virtual.sprite import Finish, Shade, Sprite, Stage, Texture, bytes_of

_PX_PER_MM = 2.4
_LEFT_MM, _TOP_MM, _RIGHT_MM, _BOTTOM_MM = -62.0, -34.0, 128.0, 640.0
_CUFF_MM = 182.0
_MAX_STREAK_PX = 17
_RISE = 0.20
"""How much higher the elbow end is than the fingertips, in board units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLook:
    skin: Colour = (0.55, 0.67, 0.86)
    sleeve: Colour | None = (0.36, 0.28, 0.22)
    """None: a bare forearm."""
    left: bool = False
    size: float = 1.0
    mm: float = 1 / 560
    """One millimetre in board units."""


@dataclass(frozen=True, slots=True)
class _Limb:
    """A round bar from one point to another, in millimetres; z is the height of its middle."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_radius: float
    end_radius: float


def _finger(
    tip: tuple[float, float], joint: tuple[float, float], knuckle: tuple[float, float], radius: float
) -> tuple[_Limb, ...]:
    return (
        _Limb((*tip, 6.0), (*joint, 22.0), radius * 0.88, radius),
        _Limb((*joint, 22.0), (*knuckle, 30.0), radius, radius * 1.15),
    )


def _limbs(closed: bool) -> tuple[_Limb, ...]:
    spread = 0.0 if closed else 1.0
    return (
        *_finger((3 + 4 * spread, -2 - 7 * spread), (13 + 3 * spread, 25 - 4 * spread), (14, 60), 7.6),
        *_finger((18 + 4 * spread, 5 - 8 * spread), (29 + 2 * spread, 27 - 5 * spread), (32, 59), 8.0),
        *_finger((33 + 4 * spread, 14 - 5 * spread), (44, 33 - 3 * spread), (49, 64), 7.6),
        *_finger((47 + 5 * spread, 31 - 3 * spread), (57 + 2 * spread, 47), (62, 73), 6.6),
        _Limb((-5 - 12 * spread, 3, 4), (-18 - 8 * spread, 25, 14), 8.4, 9.2),
        _Limb((-18 - 8 * spread, 25, 14), (-8, 66, 22), 9.2, 12.5),
        _Limb((-6, 68, 20), (24, 112, 22), 15.0, 20.0),
        *(
            _Limb((x, y, 22), (x * 0.45 + 14, 122, 22), 13.0, 17.0)
            for x, y in ((14, 64), (32, 63), (48, 67), (60, 76))
        ),
        _Limb((24, 116, 22), (30, 160, 26), 24.0, 26.0),
        _Limb((30, 150, 26), (58, 420, 40), 26.0, 37.0),
        _Limb((58, 420, 40), (76, 640, 46), 37.0, 44.0),
    )


def hand_texture(look: HandLook, light: Light, closed: bool, seed: int) -> Texture:
    """The hand as seen from above, lit from the lamp's side."""
    rng = np.random.default_rng(seed)
    height, mask = _relief(_limbs(closed), sleeve=False)
    colour = _skin(look, height, rng)
    if look.sleeve is not None:
        cloth_height, cloth = _relief(_sleeve(), sleeve=True)
        edge = cv2.GaussianBlur(cloth, (0, 0), 1.0)[..., None]
        colour += edge * (_cloth(look.sleeve, cloth_height.shape, rng) - colour)
        height = np.where(cloth > 0, cloth_height, height)
        mask = np.maximum(mask, cloth)
    lit = colour * _shading(height, light)[..., None]
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.8)
    bgra = np.dstack([np.clip(lit * 255, 0, 255), alpha * 255]).astype(np.uint8)
    return Texture(np.ascontiguousarray(bgra[:, ::-1]) if look.left else bgra)


def hand_corners(hand: HandAt, look: HandLook, shoulder: tuple[float, float]) -> NDArray[np.float64]:
    """The corners of the hand's picture in board units: fingertips in place, the arm to the shoulder."""
    unit = look.mm * look.size
    left, right = (-_RIGHT_MM, -_LEFT_MM) if look.left else (_LEFT_MM, _RIGHT_MM)
    box = np.array([(left, _TOP_MM), (right, _TOP_MM), (right, _BOTTOM_MM), (left, _BOTTOM_MM)]) * unit
    # The drawn forearm leans to the right already; turn the rest of the way to the shoulder.
    lean = math.atan2(66, 640) * (1 if look.left else -1)
    angle = math.atan2(-(shoulder[0] - hand.x), shoulder[1] - hand.y) - lean
    cos, sin = math.cos(angle), math.sin(angle)
    turned = box @ np.array([[cos, sin], [-sin, cos]]) + np.array([hand.x, hand.y])
    heights = hand.z + 0.012 + _RISE * (box[:, 1] / box[:, 1].max()).clip(0)
    return np.column_stack([turned, heights])


def hand_sprite(
    stage: Stage, texture: Texture, corners: NDArray[np.float64], motion: tuple[float, float]
) -> Sprite | None:
    """The hand; `motion` is how many pixels it moves while the shutter is open."""
    sprite = stage.flat(texture, corners, Finish(), fine=1)
    # A box along both axes: dearer blurs along the true way look no different on skin.
    across, along = (2 * round(min(abs(way), _MAX_STREAK_PX) / 2) + 1 for way in motion)
    if sprite is None or across * along == 1:
        return sprite
    size = (across, along)
    blurred = bytes_of(cv2.blur(sprite.colour, size)), bytes_of(cv2.blur(sprite.alpha, size))
    return Sprite(sprite.window, *blurred)


def hand_shade(stage: Stage, texture: Texture, corners: NDArray[np.float64], ground: float) -> Shade | None:
    """The shadow of hand and arm on the table."""
    light = stage.maps.light
    fallen = corners.copy()
    for corner in fallen:
        shift = light.shadow_shift(corner[0], corner[1])
        rise = corner[2] - ground
        corner[:] = (corner[0] + rise * shift[0], corner[1] + rise * shift[1], ground)
    dark = stage.flat(texture, fallen, Finish(), fine=1)
    if dark is None:
        return None
    height, width = dark.alpha.shape
    # An arm that only just reaches in leaves a sliver thinner than a pixel of the smaller picture.
    little = (max(1, width // 4), max(1, height // 4))
    small = cv2.resize(dark.alpha, little, interpolation=cv2.INTER_AREA)
    scale = stage.camera.focal_px / stage.camera.position[2]
    blur = max(1.0, light.softness * (float(corners[:2, 2].mean()) - ground + 0.03) * scale / 4)
    soft = cv2.resize(
        cv2.GaussianBlur(small, (0, 0), blur), dark.alpha.shape[::-1], interpolation=cv2.INTER_LINEAR
    )
    factor = cv2.convertScaleAbs(soft, alpha=-light.key * 0.85, beta=255)
    return Shade(dark.window, bytes_of(factor))


def _sleeve() -> tuple[_Limb, ...]:
    return (
        _Limb((32.5, _CUFF_MM, 30), (58, 420, 46), 36.0, 50.0),
        _Limb((58, 420, 46), (78, 640, 50), 50.0, 58.0),
    )


def _relief(limbs: tuple[_Limb, ...], sleeve: bool) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Height in millimetres and coverage of bars laid over each other."""
    xs = np.arange(_LEFT_MM, _RIGHT_MM, 1 / _PX_PER_MM, dtype=np.float32)
    ys = np.arange(_TOP_MM, _BOTTOM_MM, 1 / _PX_PER_MM, dtype=np.float32)
    x, y = np.meshgrid(xs, ys)
    height = np.zeros_like(x)
    mask = np.zeros_like(x)
    for limb in limbs:
        (ax, ay, az), (bx, by, bz) = limb.start, limb.end
        along = np.clip(
            ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1
        )
        radius = limb.start_radius + (limb.end_radius - limb.start_radius) * along
        away2 = (x - ax - along * (bx - ax)) ** 2 + (y - ay - along * (by - ay)) ** 2
        rise = az + (bz - az) * along + np.sqrt(np.clip(radius**2 - away2, 0, None))
        inside = away2 < radius**2
        if sleeve:
            inside &= y > _CUFF_MM + 0.06 * (x - 30)
        height = np.where(inside, np.maximum(height, rise), height)
        mask = np.where(inside, np.float32(1), mask)
    # Where two fingers touch, the narrow gap between them is skin in shade, not table.
    height = np.asarray(cv2.morphologyEx(height, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.float32)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.float32)
    return np.asarray(cv2.GaussianBlur(height, (0, 0), 2.6), np.float32), mask


def _shading(height: NDArray[np.float32], light: Light) -> NDArray[np.float32]:
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(height, (0, 0), 1.5) * _PX_PER_MM * 0.5)
    to_lamp = light.direction(0.5, 0.25)
    length = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = np.clip((-slope_x * to_lamp[0] - slope_y * to_lamp[1] + to_lamp[2]) / length, 0, None) / to_lamp[2]
    hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 9) - height) / 14, 0, 1)
    around = 0.55 + 0.45 / length
    return np.asarray(
        (light.key * np.minimum(lit, 1.5) + (1 - light.key) * around) * (1 - 0.55 * hollow), np.float32
    )


def _skin(look: HandLook, height: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    rows, columns = height.shape
    blotches = np.tile(smooth_noise(rng, 14, 14, 512), (rows // 512 + 1, columns // 512 + 1))[:rows, :columns]
    pores = np.tile(smooth_noise(rng, 140, 140, 512), (rows // 512 + 1, columns // 512 + 1))[:rows, :columns]
    tone = 1 + 0.03 * blotches + 0.012 * pores
    colour = np.asarray(look.skin, np.float32) * tone[..., None]
    # Blood shows at the fingertips and knuckles: a little less blue and green there.
    reach = np.arange(rows, dtype=np.float32)[:, None] / _PX_PER_MM + _TOP_MM
    rosy = (
        np.clip(1 - np.abs(reach - 2) / 26, 0, 1) * 0.10 + np.clip(1 - np.abs(reach - 60) / 14, 0, 1) * 0.05
    )
    return np.asarray(colour * (1 - rosy[..., None] * np.array([1.0, 1.0, 0.15], np.float32)), np.float32)


def _cloth(colour: Colour, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    rows, columns = shape[:2]
    folds = np.tile(smooth_noise(rng, 3, 9, 512), (rows // 512 + 1, columns // 512 + 1))[:rows, :columns]
    threads = np.tile(smooth_noise(rng, 200, 200, 512), (rows // 512 + 1, columns // 512 + 1))[
        :rows, :columns
    ]
    return np.asarray(
        np.asarray(colour, np.float32) * (1 + 0.10 * folds + 0.05 * threads)[..., None], np.float32
    )
