"""What two outlines have in common is right even where their sides nearly lie on each other."""

import numpy as np
import pytest

from vision.common_area import common_area
from vision.locate_free import overlap

SQUARE = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], float)
ONE = np.array([(65.695, 612.924), (169.644, 509.104), (327.022, 661.937), (229.518, 762.629)])
THE_SAME = np.array([(64.935, 612.229), (168.443, 509.476), (327.881, 661.968), (229.259, 762.392)])
"""One card found twice, for which OpenCV tells a common part of 0.55."""


def moved(right: float, down: float) -> np.ndarray:
    return np.asarray(SQUARE + np.array([right, down]))


@pytest.mark.parametrize(
    ("other", "area"),
    [
        (SQUARE, 100.0),
        (moved(5, 0), 50.0),
        (moved(3, 4), 42.0),
        (SQUARE * 0.5 + 2, 25.0),
        (SQUARE * 3 - 5, 100.0),
        (moved(20, 0), 0.0),
        (moved(10, 0), 0.0),
        (np.array([(5, -5), (15, 5), (5, 15), (-5, 5)], float), 100.0),
        (np.array([(0, 0), (10, 10), (0, 10)], float), 50.0),
    ],
)
def test_outlines_have_in_common_what_lies_in_both(other: np.ndarray, area: float) -> None:
    for one, two in ((SQUARE, other), (other, SQUARE), (SQUARE[::-1], other), (SQUARE, other[::-1])):
        assert common_area(one, two) == pytest.approx(area)


def test_a_card_found_twice_is_known_to_be_the_same() -> None:
    assert overlap(ONE, THE_SAME) > 0.95
