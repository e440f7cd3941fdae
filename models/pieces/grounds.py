"""What pieces lie on: drawn tables seen from above, cloths of any colour, and any print."""

import colorsys
import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.grounds import WEAVES, other_colours
from models.pieces.data import scattered
from vision.table import TableView
from vision.virtual.camera import Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.light import Light
from vision.virtual.mats import Mat
from vision.virtual.pieces import Colour
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.sensor import Sensor

PIXELS_PER_UNIT = 1300.0
"""Of the tables that are drawn."""
_EVEN_LIGHT = Light(position=(0.5, 0.25, 4.0), key=0.02, exposure=1.0, glare=0.0, vignetting=0.0)
_PERFECT = Sensor(blur_px=0.0, noise=0.0, drift=0.0, jpeg=None)


def draw_tables(seed: int, views: int = 2, split: Split = Split.TRAIN) -> list[NDArray[np.uint8]]:
    """Tables of one style without a piece on them, seen from straight above in even light."""
    rng = random.Random(f"grounds/{seed}")
    game = KIT.bind(KIT.demo_pack())
    art = load_table_art(KIT.folder)
    style = SceneStyle.sample(50_000 + seed, split)
    mat = style.mat
    if rng.random() < 0.5:
        mat = other_colours(mat, rng)
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
    mat = Mat(weave=rng.choice(WEAVES), tile_width=rng.uniform(0.6, 1.3), seed=rng.randrange(1 << 30))
    tile = other_colours(mat, rng).tile()
    scale = mat.tile_width * PIXELS_PER_UNIT / tile.shape[1]
    return np.asarray(cv2.resize(tile, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


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
        crop = reinked(crop, rng)
    if rng.random() < 0.3:
        clutter(crop, rng)
    return crop


def reinked(ground: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """The same print in other inks: no colour of the ground says what lies on it."""
    tones = cv2.cvtColor(ground, cv2.COLOR_BGR2HSV).astype(np.float32)
    tones[..., 0] = (tones[..., 0] + rng.uniform(0, 180)) % 180
    tones[..., 1] = np.clip(tones[..., 1] * rng.uniform(0.4, 1.8), 0, 255)
    tones[..., 2] = np.clip(tones[..., 2] * rng.uniform(0.6, 1.3), 0, 255)
    return np.asarray(cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def alike(ground: NDArray[np.uint8], colour: Colour, rng: random.Random) -> NDArray[np.uint8]:
    """The same ground in nearly this colour: what lies there shows by its edges and its shadow only."""
    hue, saturation, value = colorsys.rgb_to_hsv(colour[2], colour[1], colour[0])
    hue = (hue + rng.gauss(0, 0.025)) % 1
    saturation = min(1.0, saturation * rng.uniform(0.7, 1.3))
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, min(1.0, value * rng.uniform(0.4, 1.3)))
    tones = ground.astype(np.float32) + 4
    grey = tones.mean(axis=2, keepdims=True)
    pattern = (grey / grey.mean()) ** rng.choice((0.3, 0.6, 1.0))
    tint = (tones / grey) ** rng.choice((0.0, 0.1, 0.3))
    inked = 255 * np.array((blue, green, red), np.float32) * pattern * tint
    return np.asarray(np.clip(inked, 0, 255), np.uint8)


def clutter(ground: NDArray[np.uint8], rng: random.Random) -> None:
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
