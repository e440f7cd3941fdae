"""What pieces lie on: drawn tables seen from above, cloths of any colour, and any print."""

import colorsys
import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.pieces.data import scattered
from vision.table import TableView
from vision.virtual.camera import Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.light import Light
from vision.virtual.mats import Mat, Weave, smooth_noise
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.sensor import Sensor

PIXELS_PER_UNIT = 1300.0
"""Of the tables that are drawn."""
_EVEN_LIGHT = Light(position=(0.5, 0.25, 4.0), key=0.02, exposure=1.0, glare=0.0, vignetting=0.0)
_PERFECT = Sensor(blur_px=0.0, noise=0.0, drift=0.0, jpeg=None)
_WEAVES = (Weave.PLAIN, Weave.CLOTH, Weave.NEOPRENE, Weave.NEOPRENE, Weave.WOOD, Weave.CLOUDS, Weave.CHECK)
"""Those of the training styles; the others are kept for testing."""


def draw_tables(seed: int, views: int = 2) -> list[NDArray[np.uint8]]:
    """Tables of one training style without a piece on them, seen from straight above in even light."""
    rng = random.Random(f"grounds/{seed}")
    game = KIT.bind(KIT.demo_pack())
    art = load_table_art(KIT.folder)
    style = SceneStyle.sample(50_000 + seed, Split.TRAIN)
    mat = style.mat
    if rng.random() < 0.5:
        mat = _other_colours(mat, rng)
    stand = Stand(width=2400, height=1500, fov_deg=30, tilt_deg=0, k1=0, margin=0)
    style = replace(style, stand=stand, light=_EVEN_LIGHT, sensor=_PERFECT, mat=mat)
    scene = drawn_scene(game.layout, game.pack, art, style)
    pictures = []
    for _ in range(views):
        view = scattered(game, rng)
        bare = TableView(tuple(replace(zone, pieces=()) for zone in view.zones))
        pictures.append(scene.shoot_view(bare, rng.randrange(1 << 30)).image)
    return pictures


def draw_cloth(rng: random.Random) -> NDArray[np.uint8]:
    """A table top of any colour; many are as deep as cloths in shops are."""
    mat = Mat(weave=rng.choice(_WEAVES), tile_width=rng.uniform(0.6, 1.3), seed=rng.randrange(1 << 30))
    tile = _other_colours(mat, rng).tile()
    scale = mat.tile_width * PIXELS_PER_UNIT / tile.shape[1]
    return np.asarray(cv2.resize(tile, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


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
    return np.clip(colours, 0, 255).astype(np.uint8)


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
    return np.clip(0.5 + 0.25 * field, 0, 1)


def _other_colours(mat: Mat, rng: random.Random) -> Mat:
    hue, value = rng.random(), rng.uniform(0.08, 0.95)
    saturation = rng.uniform(0.7, 1.0) if rng.random() < 0.4 else rng.betavariate(1.2, 1.6)
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    shift = rng.uniform(-0.25, 0.3)
    accent = [min(1.0, max(0.0, part + shift)) for part in (blue, green, red)]
    return replace(mat, colour=(blue, green, red), accent=(accent[0], accent[1], accent[2]))


def cut_ground(pictures: Sequence[NDArray[np.uint8]], side: float, rng: random.Random) -> NDArray[np.uint8]:
    """A square of so many board units out of one of them, turned anyhow, often in other colours."""
    picture = rng.choice(pictures)
    height, width = picture.shape[:2]
    cut = round(side * PIXELS_PER_UNIT)
    reach = cut * 0.72
    middle = rng.uniform(reach, width - reach), rng.uniform(reach, height - reach)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, rng.uniform(0, 360), rng.uniform(0.85, 1.2)), float)
    turn[:, 2] += cut / 2 - np.array(middle)
    crop = np.asarray(cv2.warpAffine(picture, turn, (cut, cut), flags=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.4:
        crop = _recoloured(crop, rng)
    if rng.random() < 0.3:
        _clutter(crop, rng)
    return crop


def _recoloured(ground: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """The same print in other inks: no colour of the ground says what lies on it."""
    tones = cv2.cvtColor(ground, cv2.COLOR_BGR2HSV).astype(np.float32)
    tones[..., 0] = (tones[..., 0] + rng.uniform(0, 180)) % 180
    tones[..., 1] = np.clip(tones[..., 1] * rng.uniform(0.4, 1.8), 0, 255)
    tones[..., 2] = np.clip(tones[..., 2] * rng.uniform(0.6, 1.3), 0, 255)
    return np.asarray(cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def _clutter(ground: NDArray[np.uint8], rng: random.Random) -> None:
    """Leaves, stones, ornaments: for our own drawings are tidier than print."""
    colours = [[rng.randrange(256) for _ in range(3)] for _ in range(rng.choice((1, 2, 3)))]
    most, side = rng.uniform(3, 14), ground.shape[0]
    over = ground.copy()
    for _ in range(rng.choice((20, 80, 250))):
        blue, green, red = (min(255, max(0, part + rng.gauss(0, 25))) for part in rng.choice(colours))
        middle = rng.randrange(side), rng.randrange(side)
        axes = round(rng.uniform(1.5, most)), round(rng.uniform(1.5, most))
        cv2.ellipse(over, middle, axes, rng.uniform(0, 180), 0, 360, (blue, green, red), -1, cv2.LINE_AA)
    share = rng.uniform(0.4, 1.0)
    cv2.addWeighted(over, share, ground, 1 - share, 0, dst=ground)
