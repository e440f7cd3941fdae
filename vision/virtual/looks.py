"""How one printed symbol may differ from print to print: colour, line, shape and shading of a drawing."""

import colorsys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.digits import NumberStyle
from vision.virtual.drawing import BgraImage, Drawing, Points, Rgb, Shape

_DARK = 62
"""A colour whose brightest channel is below this counts as outline ink."""

HELD_OUT = 50_000_000
"""Looks and styles with seeds from here on are kept from training: also in hands, colours and pictures."""

_HOUSE_NUMBERS = NumberStyle(slant=0.12, pen=2.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlyphLook:
    """Everything that may vary about a symbol without making it another symbol."""

    variant: int = 0
    """0 is the drawing in vision/symbols; higher numbers are drawn by code from `seed`."""
    seed: int = 0
    hue: float = 0.0
    """Turn of the hue in degrees; kept small, since colour tells Workers apart."""
    saturation: float = 1.0
    brightness: float = 1.0
    line: float = 1.0
    """Stretch of all stroke widths; 0 leaves the outlines away."""
    outline: Rgb | None = None
    """Another colour for the dark outline ink."""
    turn_deg: float = 0.0
    bend: float = 0.0
    """Size of a smooth deformation, as a share of the width."""
    shade: float = 0.0
    """Darkens one side, as soft painted shading does."""
    shade_from_deg: float = 200.0
    gloss: float = 0.0
    """Brightens an off-centre spot."""
    relief: float = 0.0
    """Light on edges that face the upper left, dark on the others."""
    hatch: float = 0.0
    """Strength of fine woodcut lines."""
    halo_px: float = 0.0
    """A white rim around the symbol, in pixels at 40 pixels' size."""
    halo: Rgb = (250, 248, 240)
    drop_shadow: float = 0.0
    numbers: NumberStyle = _HOUSE_NUMBERS

    @staticmethod
    @lru_cache(maxsize=4096)
    def sample(seed: int) -> "GlyphLook":
        """A plausible other print of the same symbol; seeds from HELD_OUT on are never shown in training."""
        rng = np.random.default_rng((seed, 0x91F))

        def sometimes(chance: float, low: float, high: float) -> float:
            return float(rng.uniform(low, high)) if rng.random() < chance else 0.0

        outline = int(rng.integers(5, 70))
        return GlyphLook(
            variant=0 if rng.random() < 0.15 else int(rng.integers(1, 1000)),
            seed=seed,
            hue=float(rng.normal(0, 4.0)),
            saturation=float(rng.uniform(0.72, 1.15)),
            brightness=float(rng.uniform(0.88, 1.1)),
            line=float(rng.choice([0.0, rng.uniform(0.3, 0.8), rng.uniform(0.6, 1.25)], p=[0.1, 0.45, 0.45])),
            outline=(outline, max(0, outline - 4), max(0, outline - 8)) if rng.random() < 0.7 else None,
            turn_deg=float(rng.normal(0, 4.0)),
            bend=float(rng.uniform(0, 0.035)),
            shade=sometimes(0.65, 0.05, 0.3),
            shade_from_deg=float(rng.uniform(0, 360)),
            gloss=sometimes(0.5, 0.05, 0.4),
            relief=sometimes(0.5, 0.1, 0.6),
            hatch=sometimes(0.2, 0.05, 0.18),
            halo_px=sometimes(0.2, 0.6, 1.8),
            drop_shadow=sometimes(0.3, 0.1, 0.5),
            numbers=NumberStyle.sample(rng, held_out=seed >= HELD_OUT),
        )


def varied(drawing: Drawing, look: GlyphLook) -> Drawing:
    """The drawing with the look's colours, lines and deformation."""
    if look.bend or look.turn_deg:
        drawing = drawing.moved(_bending(drawing, look))
    if (look.hue, look.saturation, look.brightness, look.line, look.outline) == (0.0, 1.0, 1.0, 1.0, None):
        return drawing
    return drawing.inked(lambda shape: _recoloured(shape, look))


def finished(image: BgraImage, look: GlyphLook) -> BgraImage:
    """The rasterised symbol with the look's shading; halo and shadow may fill the image's margin."""
    if look.shade or look.gloss or look.relief or look.hatch:
        image = _shaded(image, look)
    if look.halo_px or look.drop_shadow:
        image = _surrounded(image, look)
    return image


def jitter_colour(colour: Rgb, hue_deg: float, saturation: float, brightness: float) -> Rgb:
    hue, light, sat = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    red, green, blue = colorsys.hls_to_rgb(
        (hue + hue_deg / 360) % 1.0, min(1.0, light * brightness), min(1.0, sat * saturation)
    )
    return (round(red * 255), round(green * 255), round(blue * 255))


def _recoloured(shape: Shape, look: GlyphLook) -> Shape:
    fill, stroke, width = shape.fill, shape.stroke, shape.stroke_width * look.line
    if stroke is not None:
        is_outline = max(stroke) < _DARK
        if is_outline and look.outline is not None:
            stroke = look.outline
        elif not is_outline:
            width = shape.stroke_width * max(0.7, look.line)
            stroke = jitter_colour(stroke, look.hue, look.saturation, look.brightness)
        if width < 0.2:
            stroke = None
    if fill is not None:
        fill = jitter_colour(fill, look.hue, look.saturation, look.brightness)
    return replace(shape, fill=fill, stroke=stroke, stroke_width=width)


def _bending(drawing: Drawing, look: GlyphLook) -> Callable[[Points], Points]:
    """A slow wave in both directions and a small turn about the middle."""
    rng = np.random.default_rng((look.seed, 7))
    phase = rng.uniform(0, 2 * np.pi, 4)
    pace = rng.uniform(0.6, 1.4, 4) * 2 * np.pi / drawing.width
    size = look.bend * drawing.width
    middle = np.array((drawing.width / 2, drawing.height / 2), np.float32)
    turn = np.radians(look.turn_deg)
    matrix = np.array(((np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))), np.float32)

    def bend(contour: Points) -> Points:
        x, y = contour[:, 0], contour[:, 1]
        dx = np.sin(y * pace[0] + phase[0]) + 0.5 * np.sin(x * pace[1] + phase[1])
        dy = np.sin(x * pace[2] + phase[2]) + 0.5 * np.sin(y * pace[3] + phase[3])
        waved = contour + size * np.stack([dx, dy], axis=1)
        return ((waved - middle) @ matrix + middle).astype(np.float32)

    return bend


def _shaded(image: BgraImage, look: GlyphLook) -> BgraImage:
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    light = np.ones((height, width), np.float32)
    if look.shade:
        angle = np.radians(look.shade_from_deg)
        light -= look.shade * np.clip(0.5 + 1.3 * (x * np.cos(angle) + y * np.sin(angle)), 0, 1)
    if look.hatch:
        lines = np.sin((x + y * 0.6) * width * 1.1 + look.seed)
        light -= look.hatch * (lines > 0.2)
    if look.relief:
        light += look.relief * _relief(image)
    colour = image[..., :3].astype(np.float32) * light[..., None]
    if look.gloss:
        spot = np.exp(-((x + 0.12) ** 2 + (y + 0.15) ** 2) * 18)
        colour += (255 - colour) * (look.gloss * spot)[..., None]
    return np.dstack([np.clip(colour, 0, 255).astype(np.uint8), image[..., 3]])


def _relief(image: BgraImage) -> NDArray[np.float32]:
    radius = max(0.8, image.shape[1] / 22)
    soft = cv2.GaussianBlur(image[..., 3].astype(np.float32) / 255, (0, 0), radius)
    lit: NDArray[np.float32] = np.roll(soft, (-1, -1), (0, 1)) - np.roll(soft, (1, 1), (0, 1))
    return -lit * 2.0


def _surrounded(image: BgraImage, look: GlyphLook) -> BgraImage:
    alpha: NDArray[np.float32] = (image[..., 3] / 255).astype(np.float32)
    colour = image[..., :3].astype(np.float32)
    unit = image.shape[1] / 40
    if look.halo_px:
        wide = cv2.GaussianBlur(alpha, (0, 0), max(0.4, look.halo_px * unit * 0.6))
        rim = np.clip(wide * 4.0, 0, 1)
        colour, alpha = _over(colour, alpha, np.array(look.halo[::-1], np.float32), rim)
    if look.drop_shadow:
        shift = max(1, round(1.5 * unit))
        fallen = cv2.GaussianBlur(np.roll(alpha, (shift, shift), (0, 1)), (0, 0), max(0.5, 1.2 * unit))
        colour, alpha = _over(colour, alpha, np.zeros(3, np.float32), fallen * look.drop_shadow)
    return np.dstack([np.clip(colour, 0, 255), np.clip(alpha * 255, 0, 255)]).astype(np.uint8)


def _over(
    colour: NDArray[np.float32],
    alpha: NDArray[np.float32],
    under: NDArray[np.float32],
    under_alpha: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rest = under_alpha * (1 - alpha)
    total = alpha + rest
    mixed = (colour * alpha[..., None] + under * rest[..., None]) / np.maximum(total, 1e-4)[..., None]
    return mixed.astype(np.float32), total.astype(np.float32)
