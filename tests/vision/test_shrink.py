"""A picture made smaller is the same picture."""

import cv2
import numpy as np
import pytest

from vision.shrink import shrunk


@pytest.mark.parametrize("size", [(1200, 900), (1201, 900), (1030, 774)])
def test_a_picture_made_smaller_shows_the_same_at_the_same_place(size: tuple[int, int]) -> None:
    fine = np.random.default_rng(1).integers(0, 255, (30, 40, 3), np.uint8)
    image = np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    small, step = shrunk(image, 4.5)
    assert small.shape[1] == round(size[0] / 4.5)
    assert step == pytest.approx(size[0] / small.shape[1])
    usual = cv2.resize(image, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - usual).max() <= 3


def test_a_small_picture_stays_as_it_is() -> None:
    image = np.zeros((10, 10, 3), np.uint8)
    assert shrunk(image, 0.7) == (image, 1.0)
