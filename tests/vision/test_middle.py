"""Median and quantile are those of numpy."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.middle import median, quantile


@pytest.mark.parametrize("many", [1, 2, 3, 8, 501])
def test_the_median_is_that_of_numpy(many: int) -> None:
    values: NDArray[np.float32] = np.random.default_rng(many).normal(0, 9, (many, 3)).astype(np.float32)
    np.testing.assert_array_equal(median(values), np.median(values, axis=0))
    assert median(values).dtype == np.float32


@pytest.mark.parametrize("many", [1, 2, 3, 8, 501])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 1.0])
def test_a_quantile_is_that_of_numpy(many: int, share: float) -> None:
    values: NDArray[np.float32] = np.random.default_rng(many).normal(0, 9, many).astype(np.float32)
    assert quantile(values, share) == pytest.approx(float(np.quantile(values, share)), rel=1e-5, abs=1e-6)


def test_cards_are_compared_without_loading_what_only_medians_need() -> None:
    asked = (
        "import sys, numpy as np; from vision.enrolled_print import compared, halfway; "
        "both = compared(*np.random.default_rng(1).integers(0, 255, (2, 223, 144, 3), np.uint8)); "
        "halfway(both.alike, both.recoloured | True); "
        "print('numpy.ma' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
