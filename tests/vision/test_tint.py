"""A table in other light keeps its colours; a camera that mixes them up is noticed, whatever lies there."""

import cv2
import numpy as np
import pytest

from vision.frame import BgrImage
from vision.tint import has_true_colours


def table(mat: tuple[int, int, int] = (30, 20, 130)) -> BgrImage:
    """A mat with a hundred coloured things on it."""
    luck = np.random.default_rng(5)
    picture = np.full((360, 640, 3), mat, np.uint8)
    for _ in range(100):
        x, y = int(luck.integers(0, 600)), int(luck.integers(0, 320))
        colour = tuple(int(value) for value in luck.integers(20, 235, 3))
        cv2.rectangle(picture, (x, y), (x + 45, y + 35), colour, -1)
    return picture


def seen(picture: BgrImage) -> BgrImage:
    grain = np.random.default_rng(6).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


MATS = pytest.mark.parametrize("mat", [(30, 20, 130), (120, 120, 120), (230, 225, 220), (90, 60, 20)])


@MATS
def test_dimmer_warmer_and_partly_shaded_light_is_no_wrong_colour(mat: tuple[int, int, int]) -> None:
    picture = table(mat).astype(np.float32)
    shade = np.linspace(0.6, 1.1, 640)[None, :, None]
    for light in (0.35 * picture, 0.12 * picture, picture * np.array([0.8, 0.95, 1.1]), picture * shade):
        assert has_true_colours(picture, seen(np.asarray(np.clip(light, 0, 255), np.uint8)))


@MATS
def test_swapped_missing_and_far_off_colours_are_noticed(mat: tuple[int, int, int]) -> None:
    picture = table(mat)
    grey = np.repeat(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)[:, :, None], 3, axis=2)
    tinted = np.asarray(np.clip(picture * np.array([1.7, 1.0, 0.5]), 0, 255), np.uint8)
    for spoilt in (np.ascontiguousarray(picture[:, :, ::-1]), grey, tinted):
        assert not has_true_colours(picture.astype(np.float32), seen(spoilt))


def test_a_sleeve_over_a_third_of_the_table_and_another_scene_are_no_wrong_colour() -> None:
    picture = table()
    sleeve = picture.copy()
    sleeve[:, :210] = (140, 60, 20)
    elsewhere = np.ascontiguousarray(np.roll(picture, (90, 200), (0, 1))[::-1])
    for other in (sleeve, elsewhere):
        assert has_true_colours(picture.astype(np.float32), seen(other))
