"""What pieces lie on when somebody takes them from near: cloths, lined print, boards and cards."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.grounds import draw_pattern, winding_lines
from models.photographs import any_style, draw_card, invent_facts
from models.pieces.grounds import PIXELS_PER_UNIT, clutter, draw_cloth, draw_tables, reinked
from vision.virtual.camera import Camera
from vision.virtual.mats import smooth_noise
from vision.virtual.scene_style import SceneStyle, Split

CARD_PX_PER_UNIT = 2600.0


@dataclass(frozen=True, slots=True)
class Ground:
    """A flat picture, and how many of its pixels are as long as the board is wide."""

    picture: NDArray[np.uint8]
    pixels_per_unit: float
    most: float = 2.2
    """So many times larger it may be seen."""

    def seen_by(self, camera: Camera, middle: tuple[float, float], rng: random.Random) -> NDArray[np.uint8]:
        """Any part of it, turned anyhow, as the table that a camera sees."""
        scale = self.pixels_per_unit / math.exp(rng.uniform(math.log(0.7), math.log(self.most)))
        height, width = self.picture.shape[:2]
        turn = rng.uniform(0, 2 * math.pi)
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        x, y = rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height
        to_ground = np.array(
            [
                [cos, -sin, x - cos * middle[0] + sin * middle[1]],
                [sin, cos, y - sin * middle[0] - cos * middle[1]],
                [0, 0, 1],
            ]
        )
        seen = cv2.warpPerspective(
            self.picture, to_ground @ np.linalg.inv(camera.homography()), (camera.width, camera.height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT,
        )  # fmt: skip
        ground = np.asarray(seen, np.uint8)
        if rng.random() < 0.35:
            ground = reinked(ground, rng)
        if rng.random() < 0.2:
            clutter(ground, rng)
        return ground


class Grounds:
    """Some of each sort; `more` draws others in place of the oldest."""

    def __init__(self, split: Split = Split.TRAIN) -> None:
        self._split = split
        self._tables: list[Ground] = []
        self._cloths: list[Ground] = []
        self._cards: list[Ground] = []

    def more(self, seed: int, rng: random.Random) -> None:
        tables = [Ground(picture, PIXELS_PER_UNIT, 1.9) for picture in draw_tables(seed, split=self._split)]
        self._tables = [*self._tables[-30:], *tables]
        woven = self._woven if self._split is Split.HELD_OUT else draw_cloth
        draws = (woven,) * 3 + (draw_pattern,) * 2 + (lined_print,) * 3
        cloths = [Ground(draw(rng), PIXELS_PER_UNIT, 3.0) for draw in draws]
        self._cloths = [*self._cloths[-32:], *cloths]
        cards = [strewn_cards(cloth.picture, self._split, rng) for cloth in cloths[:2]]
        self._cards = [*self._cards[-12:], *(Ground(picture, CARD_PX_PER_UNIT) for picture in cards)]

    def any(self, rng: random.Random) -> Ground:
        """Cloth most often, as people who show their pieces choose it."""
        sorts: Sequence[Sequence[Ground]] = (self._cloths, self._tables, self._cards)
        return rng.choice(rng.choices(sorts, (0.5, 0.28, 0.22))[0])

    @staticmethod
    def _woven(rng: random.Random) -> NDArray[np.uint8]:
        """A mat that no training style has."""
        return SceneStyle.sample(rng.randrange(1 << 20), Split.HELD_OUT).mat.tile()


def lined_print(rng: random.Random) -> NDArray[np.uint8]:
    """A cloth of one colour with thin lines on it that wind like borders on a map."""
    noise = np.random.default_rng(rng.randrange(1 << 30))
    lines = winding_lines(noise, rng)[..., None]
    if rng.random() < 0.4:
        colour = noise.uniform(0, 255, 3)
    else:
        deep = (rng.uniform(0, 60), rng.uniform(0, 70), rng.uniform(70, 230))
        colour = np.roll(deep, rng.randrange(3))
    ink = colour + rng.choice((-1, 1, 1)) * noise.uniform(8, 70, 3) * rng.choice((0.4, 1.0))
    threads = 1 + rng.uniform(0, 0.1) * smooth_noise(noise, 250, 250)[..., None]
    return np.asarray(np.clip((colour * (1 - lines) + ink * lines) * threads, 0, 255), np.uint8)


def strewn_cards(cloth: NDArray[np.uint8], split: Split, rng: random.Random) -> NDArray[np.uint8]:
    """Cards of made-up facts all over a cloth: what is printed on them is no piece, like one as it looks."""
    size = (1500, 1500)
    table = cv2.resize(cloth, size, interpolation=cv2.INTER_LINEAR)
    numbers = np.random.default_rng(rng.randrange(1 << 30))
    style = any_style(numbers, held_out=split is Split.HELD_OUT)
    for _ in range(rng.randint(8, 14)):
        card = draw_card(invent_facts(numbers), style).image
        high = 0.195 * CARD_PX_PER_UNIT * rng.uniform(0.9, 1.1)
        scale = high / card.shape[0]
        middle = card.shape[1] / 2, card.shape[0] / 2
        turn = np.asarray(cv2.getRotationMatrix2D(middle, rng.uniform(0, 360), scale), np.float64)
        turn[:, 2] += np.array((rng.uniform(0, size[0]), rng.uniform(0, size[1]))) - middle
        laid = cv2.warpAffine(card, turn, size, flags=cv2.INTER_AREA)
        share = laid[..., 3:].astype(np.float32) / 255
        table = (table * (1 - share) + laid[..., :3] * share).astype(np.uint8)
    return np.asarray(table, np.uint8)
