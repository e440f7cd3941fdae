"""What cards are made of: wood, cloth, paper and bamboo, linen finish, and the rounded edge."""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy, Area, Material
from vision.frame import BgrImage
from vision.virtual.drawing import BgraImage, Rgb
from vision.virtual.ink import INK, tone
from vision.virtual.styles import FaceStyle


def lay_strip(canvas: BgrImage, area: Area, style: FaceStyle) -> None:
    """A strip of paper with torn edges and a soft shadow."""
    height, width = canvas.shape[:2]
    dx, dy = style.field_shift
    x0, x1 = (area.x0 + dx) * width, (area.x1 + dx) * width
    y0, y1 = (area.y0 + dy) * height, (area.y1 + dy) * height
    rng = np.random.default_rng((style.seed, 5))
    xs = np.linspace(x0, x1, 14)
    wobble = 0.006 * height
    top = np.stack([xs, y0 + rng.uniform(-wobble, wobble, 14)], axis=1)
    low = np.stack([xs[::-1], y1 + rng.uniform(-wobble, wobble, 14)], axis=1)
    outline = np.vstack([top, low]).astype(np.float32)
    left, upper = max(0, int(x0) - 4), max(0, int(y0) - 6)
    part = canvas[upper : min(height, int(y1) + 8), left : min(width, int(x1) + 6)]
    mask = np.zeros((part.shape[0] * 2, part.shape[1] * 2), np.uint8)
    cv2.fillPoly(mask, [np.rint((outline - (left, upper)) * 2 * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    alpha = cv2.resize(mask, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)
    shadow = (
        cv2.GaussianBlur(np.roll(alpha, (1, 1), (0, 1)), (0, 0), max(0.6, width / 120)).astype(np.float32)
        / 255
    )
    paper = textured(style.paper, part.shape[1], part.shape[0], style, Material.PAPER)
    share = (alpha.astype(np.float32) / 255)[..., None]
    dark = part * (1 - 0.55 * shadow[..., None])
    part[:] = (dark * (1 - share) + paper * share).astype(np.uint8)


def draw_bamboo(
    canvas: BgrImage,
    start: tuple[float, float],
    end: tuple[float, float],
    thick: float,
    colour: Rgb,
    knots: int,
) -> None:
    def fixed(point: tuple[float, float], dy: float = 0.0) -> tuple[int, int]:
        return (round(point[0] * 16), round((point[1] + dy) * 16))

    width = max(2, round(thick))
    cv2.line(canvas, fixed(start), fixed(end), tone(INK, 1.0)[::-1], width + 2, cv2.LINE_AA, 4)
    cv2.line(canvas, fixed(start), fixed(end), colour[::-1], width, cv2.LINE_AA, 4)
    cv2.line(
        canvas,
        fixed(start, thick * 0.28),
        fixed(end, thick * 0.28),
        tone(colour, 0.72)[::-1],
        max(1, width // 3),
        cv2.LINE_AA,
        4,
    )
    for k in range(1, knots):
        share = k / knots
        x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
        cv2.line(
            canvas,
            fixed((x, y), -thick * 0.55),
            fixed((x, y), thick * 0.55),
            tone(colour, 0.5)[::-1],
            max(1, width // 5),
            cv2.LINE_AA,
            4,
        )


def textured(colour: Rgb, width: int, height: int, style: FaceStyle, material: Material) -> BgrImage:
    """A flat colour with grain: waves carved in wood, threads of cloth, fibres of paper."""
    strength = style.grain * {Material.WOOD: 0.16, Material.CLOTH: 0.07}.get(material, 0.04)
    tile = _tile(material, style.seed % 7)
    if tile.shape[0] < height or tile.shape[1] < width:
        tile = cv2.resize(tile, (width, height)).astype(np.uint8)
    # the tile holds light as 128 ± 64: one table look-up per channel paints it
    light = 1 + strength * (np.arange(256, dtype=np.float32) - 128) / 64
    table = np.clip(np.array(colour[::-1], np.float32) * light[:, None], 0, 255).astype(np.uint8)
    surface: BgrImage = table[tile[:height, :width]]
    return surface


@lru_cache(maxsize=32)
def _tile(material: Material, number: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng((number, len(material.value)))
    height, width = 640, 420
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    if material is Material.WOOD:  # rows of overlapping arcs, as carved
        step = 14.0 + 3 * number
        row = np.floor(y / (step * 0.5))
        shifted = (x + np.where(row % 2 == 0, 0, step / 2)) % step - step / 2
        rings = np.sin(np.hypot(shifted, (y % (step * 0.5)) - step * 0.5) * 1.6)
        return _as_light(rings * 0.8 + rng.normal(0, 0.3, rings.shape))
    soft = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 2.5) * 5
    fine = rng.normal(0, 0.6, (height, width)).astype(np.float32)
    return _as_light(soft + fine)


def _as_light(values: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    light: NDArray[np.uint8] = np.clip(128 + 64 * values, 0, 255).astype(np.uint8)
    return light


def brushed(art: BgrImage, style: FaceStyle) -> BgrImage:
    """The picture with light and dark strokes over it, as painted and not flat."""
    if not style.painterly:
        return art
    height, width = art.shape[:2]
    strokes = _strokes(width, height, style.seed % 5) * (style.painterly * 34)
    result: BgrImage = cv2.add(art, strokes, dtype=cv2.CV_8U).astype(np.uint8)
    return result


@lru_cache(maxsize=24)
def _strokes(width: int, height: int, number: int) -> NDArray[np.float32]:
    """Noise drawn out along a direction, at two scales; between about -1 and 1."""
    rng = np.random.default_rng((number, 0xB5))
    unit = width / 160
    layers = np.zeros((height, width), np.float32)
    for share, long, thin in ((0.6, 5.0, 0.7), (0.4, 16.0, 3.0)):
        noise = rng.normal(0, 1, (height, width)).astype(np.float32)
        slanted = np.roll(cv2.GaussianBlur(noise, (0, 0), sigmaX=long * unit, sigmaY=thin * unit), number)
        layers += share * slanted / max(1e-6, float(slanted.std()))
    return np.repeat(np.clip(layers, -2, 2)[..., None], 3, axis=2)


def linen_finished(canvas: BgrImage, style: FaceStyle) -> BgrImage:
    if not style.linen:
        return canvas
    height, width = canvas.shape[:2]
    weave = _weave(width, height)
    woven: BgrImage = cv2.add(canvas, weave * style.linen, dtype=cv2.CV_8U).astype(np.uint8)
    return woven


@lru_cache(maxsize=16)
def _weave(width: int, height: int) -> NDArray[np.float32]:
    """A linen finish has about 90 threads across a card, whatever its size in pixels."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    pace = 2 * np.pi * 90 / width
    weave = 9 * np.sin(x * pace) * np.sin(y * pace)
    return np.repeat(weave[..., None], 3, axis=2).astype(np.float32)


def cut_out(
    canvas: BgrImage, anatomy: Anatomy, style: FaceStyle, *, over_rim: BgrImage | None = None
) -> BgraImage:
    """With a printed rim, if the style has one, below whatever `over_rim` has in white."""
    height, width = canvas.shape[:2]
    alpha = _rounded(width, height, round(anatomy.corner * width))
    border = style.border_width * width
    if border >= 0.4:
        inner = _rounded(width, height, round(anatomy.corner * width), round(max(1.0, border)))
        share = np.repeat(inner[..., None], 3, axis=2)
        if border < 1:
            share = (255 - (255 - share.astype(np.float32)) * border).astype(np.uint8)
        if over_rim is not None:
            share = cv2.max(share, over_rim).astype(np.uint8)
        rim = np.empty_like(canvas)
        rim[:] = style.border[::-1]
        canvas = cv2.add(
            cv2.multiply(canvas, share, scale=1 / 255),
            cv2.multiply(rim, cv2.bitwise_not(share), scale=1 / 255),
        ).astype(np.uint8)
    return np.dstack([canvas, alpha])


@lru_cache(maxsize=64)
def _rounded(width: int, height: int, radius: int, inset: int = 0) -> NDArray[np.uint8]:
    mask = np.zeros((height * 4, width * 4), np.uint8)
    r, i = max(1, radius - inset) * 4, inset * 4
    w, h = width * 4, height * 4
    cv2.rectangle(mask, (i + r, i), (w - i - r - 1, h - i - 1), 255, -1)
    cv2.rectangle(mask, (i, i + r), (w - i - 1, h - i - r - 1), 255, -1)
    for cx in (i + r, w - i - r - 1):
        for cy in (i + r, h - i - r - 1):
            cv2.circle(mask, (cx, cy), r, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
