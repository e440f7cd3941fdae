"""Table tops and mats as tiles that repeat without a seam: cloth, wood, neoprene with a pattern, plain."""

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.virtual.pieces import Colour

TILE_PX = 1024


class Weave(Enum):
    PLAIN = "plain"
    CLOTH = "cloth"
    NEOPRENE = "neoprene"
    WOOD = "wood"
    FELT = "felt"
    CLOUDS = "clouds"
    STARS = "stars"
    CHECK = "check"
    MARBLE = "marble"
    PLANKS = "planks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mat:
    weave: Weave = Weave.NEOPRENE
    colour: Colour = (0.10, 0.06, 0.42)
    accent: Colour = (0.16, 0.10, 0.62)
    tile_width: float = 0.9
    """Board units that one tile spans."""
    gloss: float = 0.02
    seed: int = 1

    def tile(self) -> BgrImage:
        rng = np.random.default_rng(self.seed)
        mix, shade = _PATTERNS[self.weave](rng)
        base = np.array(self.colour, np.float32)
        accent = np.array(self.accent, np.float32)
        colours = base + (accent - base) * mix[..., None]
        return np.clip(colours * shade[..., None] * 255, 0, 255).astype(np.uint8)


Layer = NDArray[np.float32]


def smooth_noise(rng: np.random.Generator, waves_x: float, waves_y: float, size: int = TILE_PX) -> Layer:
    """Noise of mean 0 and deviation 1 that repeats at the edges, with about so many waves across."""
    spectrum = np.fft.rfft2(rng.standard_normal((size, size)))
    ky = np.fft.fftfreq(size)[:, None] * size / waves_y
    kx = np.fft.rfftfreq(size)[None, :] * size / waves_x
    spectrum *= np.exp(-(kx**2 + ky**2) / 2)
    spectrum[0, 0] = 0
    noise = np.fft.irfft2(spectrum, s=(size, size))
    return np.asarray(noise / (noise.std() + 1e-9), np.float32)


def _threads(rng: np.random.Generator, count: int, depth: float) -> Layer:
    """A weave of threads, over and under."""
    steps = np.arange(TILE_PX, dtype=np.float32) * (2 * np.pi * count / TILE_PX)
    weave = np.sin(steps)[:, None] * np.sin(steps)[None, :]
    return np.asarray(1 + depth * weave + depth * 0.6 * smooth_noise(rng, 300, 300), np.float32)


def _plain(rng: np.random.Generator) -> tuple[Layer, Layer]:
    return np.zeros((TILE_PX, TILE_PX), np.float32), 1 + 0.012 * smooth_noise(rng, 200, 200)


def _cloth(rng: np.random.Generator) -> tuple[Layer, Layer]:
    folds = 0.05 * smooth_noise(rng, 3, 2)
    return np.clip(0.3 * smooth_noise(rng, 60, 60), 0, 1), _threads(rng, 192, 0.09) + folds


def _felt(rng: np.random.Generator) -> tuple[Layer, Layer]:
    fibres = smooth_noise(rng, 250, 60) + smooth_noise(rng, 60, 250)
    return np.clip(0.15 * fibres, 0, 0.5), 1 + 0.05 * fibres + 0.03 * smooth_noise(rng, 6, 6)


def _neoprene(rng: np.random.Generator) -> tuple[Layer, Layer]:
    """Thin wandering outlines on fine fabric."""
    field = smooth_noise(rng, 14, 14)
    rise_y, rise_x = np.gradient(field)
    away = np.abs(field - 0.25) / np.hypot(rise_x, rise_y).clip(1e-3)
    lines = np.clip(1.6 - away, 0, 1)
    return (0.75 * lines).astype(np.float32), _threads(rng, 256, 0.05)


def _clouds(rng: np.random.Generator) -> tuple[Layer, Layer]:
    billows = 0.5 + 0.32 * smooth_noise(rng, 5, 4) + 0.16 * smooth_noise(rng, 14, 11)
    return np.clip(billows, 0, 1).astype(np.float32), _threads(rng, 256, 0.03)


def _stars(rng: np.random.Generator) -> tuple[Layer, Layer]:
    sky = np.clip(0.10 + 0.10 * smooth_noise(rng, 6, 6), 0, 1)
    for x, y, size in zip(*rng.integers(8, TILE_PX - 8, (2, 150)), rng.uniform(0.8, 3.5, 150), strict=True):
        cv2.circle(sky, (int(x), int(y)), round(size), (float(rng.uniform(0.5, 1.0)),), -1, cv2.LINE_AA)
    return sky.astype(np.float32), _threads(rng, 256, 0.04)


def _check(rng: np.random.Generator) -> tuple[Layer, Layer]:
    bands = ((np.arange(TILE_PX) // 64) % 2).astype(np.float32)
    return (bands[:, None] + bands[None, :]) * 0.5, _threads(rng, 192, 0.08)


def _marble(rng: np.random.Generator) -> tuple[Layer, Layer]:
    veins = 1 - np.abs(smooth_noise(rng, 5, 4) + 0.4 * smooth_noise(rng, 22, 22))
    return np.clip(veins, 0, 1) ** 6, 1 + 0.02 * smooth_noise(rng, 12, 12)


def _wood(rng: np.random.Generator) -> tuple[Layer, Layer]:
    rows = np.linspace(0, 2 * np.pi, TILE_PX, endpoint=False, dtype=np.float32)[:, None]
    rings = np.sin(rows * 18 + 2.2 * smooth_noise(rng, 1.5, 5))
    grain = smooth_noise(rng, 6, 260)
    return np.clip(0.42 + 0.26 * rings + 0.10 * grain, 0, 1), 1 + 0.045 * grain + 0.04 * smooth_noise(
        rng, 2, 30
    )


def _planks(rng: np.random.Generator) -> tuple[Layer, Layer]:
    mix, shade = _wood(rng)
    boards = 5
    tone = np.repeat(rng.uniform(0.86, 1.1, boards), -(-TILE_PX // boards))[:TILE_PX].astype(np.float32)
    seams = np.ones(TILE_PX, np.float32)
    for k in range(boards):
        at = k * TILE_PX // boards
        seams[at : at + 3] = 0.45
    return mix, shade * (tone * seams)[:, None]


_PATTERNS = {
    Weave.PLAIN: _plain,
    Weave.CLOTH: _cloth,
    Weave.FELT: _felt,
    Weave.NEOPRENE: _neoprene,
    Weave.CLOUDS: _clouds,
    Weave.STARS: _stars,
    Weave.CHECK: _check,
    Weave.MARBLE: _marble,
    Weave.WOOD: _wood,
    Weave.PLANKS: _planks,
}
