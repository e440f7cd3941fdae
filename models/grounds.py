"""Grounds that no style has: cloths of any colour, any print, veined stone, and tops of boards or tiles."""

import colorsys
import random
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.virtual.mats import Mat, Weave, smooth_noise

WEAVES = (Weave.PLAIN, Weave.CLOTH, Weave.NEOPRENE, Weave.NEOPRENE, Weave.WOOD, Weave.CLOUDS, Weave.CHECK)
"""Those of the training styles; the others are kept for testing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyMat(Mat):
    """A table top of no style: its seed decides on everything."""

    def tile(self) -> BgrImage:
        rng = random.Random(f"ground/{self.seed}")
        woven = replace(self, weave=rng.choice(WEAVES))
        tile = draw_pattern(rng) if rng.random() < 0.4 else Mat.tile(other_colours(woven, rng))
        if rng.random() < 0.3:
            tile = np.ascontiguousarray(tile.transpose(1, 0, 2))
        return jointed(tile, rng) if rng.random() < 0.5 else tile


def any_mat(mat: Mat, rng: random.Random) -> Mat:
    """Another table top in place of this one."""
    return AnyMat(tile_width=rng.uniform(0.5, 1.5), gloss=mat.gloss, seed=rng.randrange(1 << 30))


def other_colours(mat: Mat, rng: random.Random) -> Mat:
    hue, value = rng.random(), rng.uniform(0.08, 0.95)
    saturation = rng.uniform(0.7, 1.0) if rng.random() < 0.4 else rng.betavariate(1.2, 1.6)
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    shift = rng.uniform(-0.25, 0.3)
    accent = [min(1.0, max(0.0, part + shift)) for part in (blue, green, red)]
    return replace(mat, colour=(blue, green, red), accent=(accent[0], accent[1], accent[2]))


def draw_pattern(rng: random.Random) -> NDArray[np.uint8]:
    """Print of no particular kind: waves, flakes or stripes of any size in a few colours of any sort."""
    noise = np.random.default_rng(rng.randrange(1 << 30))
    field = _field(noise, rng)
    palette = noise.uniform(0, 255, (rng.choice((2, 3, 4, 6)), 3))
    palette = palette.mean(axis=0) + (palette - palette.mean(axis=0)) * rng.choice((0.15, 0.3, 0.6, 1.0))
    steps = (field * (len(palette) - 1)).clip(0, len(palette) - 1.001)
    low = steps.astype(np.int32)
    share = (steps - low)[..., None]
    if rng.random() < 0.5:  # firm edges instead of a blend
        share = np.clip((share - 0.5) * rng.uniform(4, 30) + 0.5, 0, 1)
    colours = palette[low] * (1 - share) + palette[low + 1] * share
    colours *= 1 + rng.uniform(0, 0.08) * smooth_noise(noise, 200, 200)[..., None]
    return np.asarray(np.clip(colours, 0, 255), np.uint8)


def winding_lines(
    noise: np.random.Generator,
    rng: random.Random,
    *,
    finest: float = 5.5,
    most: float = 2.0,
    widest: float = 3.5,
    rough: float = 0.0,
) -> NDArray[np.float32]:
    """Where lines run, from 0 to 1: they wind like borders on a map, and many close to loops.

    `finest` is the logarithm of how often the finest wind, `most` how many run side by side.
    """
    waves = 2 ** rng.uniform(2, finest)
    field = smooth_noise(noise, waves, waves * rng.uniform(0.8, 1.25))
    if rough:
        field += rough * smooth_noise(noise, 3 * waves, 3 * waves)
    away = np.abs((field * rng.uniform(most / 4, most) + 0.5) % 1 - 0.5)
    slope = np.hypot(*np.gradient(field)) + 1e-4
    return np.asarray(np.clip(rng.uniform(1.0, widest) - away / slope / 2, 0, 1), np.float32)


def draw_veined(rng: random.Random) -> NDArray[np.uint8]:
    """Polished stone, pale or deep: its veins wind, get lost, and close to loops as large as pieces."""
    noise = np.random.default_rng(rng.randrange(1 << 30))
    value = rng.uniform(0.6, 1.0) if rng.random() < 0.6 else rng.uniform(0.1, 0.6)
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.betavariate(1.0, 2.0), value)
    stone = 255 * np.array((blue, green, red))
    cloudy = rng.uniform(0, 0.05) * smooth_noise(noise, *noise.uniform(2, 14, 2))
    colours = stone * (1 + cloudy[..., None])
    for _ in range(rng.choice((1, 2, 3))):
        most, rough = rng.choice((0.7, 0.7, 2.0)), rng.choice((0.0, 0.1, 0.2))
        lines = winding_lines(noise, rng, finest=4.7, most=most, widest=5.0, rough=rough)
        soft = cv2.GaussianBlur(lines, (0, 0), rng.uniform(0.6, 3.0))
        left = np.clip(rng.uniform(0.4, 1.4) + 0.5 * smooth_noise(noise, 5, 5), 0, 1)
        vein = stone * rng.choice((rng.uniform(0.5, 0.9), rng.uniform(1.1, 1.6))) + noise.normal(0, 9, 3)
        colours += (vein - colours) * (soft * left)[..., None]
    return np.asarray(np.clip(colours, 0, 255), np.uint8)


def _field(noise: np.random.Generator, rng: random.Random) -> NDArray[np.float32]:
    """Heights from 0 to 1, bent, repeated or left as they are."""
    waves = [2 ** rng.uniform(1, 6.5) for _ in range(2)]
    if rng.random() < 0.6:
        waves[1] = waves[0] * rng.uniform(0.7, 1.4)
    field = smooth_noise(noise, waves[0], waves[1])
    if rng.random() < 0.4:
        finer = 3 * max(waves)
        field += rng.uniform(0.2, 0.8) * smooth_noise(noise, finer, finer)
    if rng.random() < 0.5:
        return np.asarray(0.5 + 0.5 * np.sin(field * rng.uniform(1, 9)), np.float32)
    return np.asarray(np.clip(0.5 + 0.25 * field, 0, 1), np.float32)


def jointed(tile: BgrImage, rng: random.Random) -> BgrImage:
    """Put together of parts that differ a little, with joints between them: along, across or both ways."""
    shade = np.ones(tile.shape[:2], np.float32)
    for along in rng.choice(((0,), (1,), (0, 1))):
        parts = rng.randint(2, 14)
        ends = sorted(rng.randrange(tile.shape[along]) for _ in range(parts))
        tones = [rng.uniform(0.8, 1.2) for _ in ends]
        wide, deep = rng.randint(1, 7), rng.uniform(0.3, 1.5)
        line = np.full(tile.shape[along], tones[-1], np.float32)
        for end, tone in zip(reversed(ends), reversed(tones), strict=True):
            line[:end] = tone
        for end in ends:
            line[end : end + wide] *= deep
        shade *= line[:, None] if along == 0 else line[None, :]
    return np.asarray(cv2.convertScaleAbs(tile * shade[..., None]), np.uint8)
