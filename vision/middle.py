"""Median and quantile as numpy has them: its own load a package for that, and take several times as long."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Number = TypeVar("_Number", np.float32, np.float64)


def median(values: NDArray[_Number]) -> NDArray[_Number]:
    """Along the first axis; there must be values."""
    ordered = np.sort(values, axis=0)
    return np.asarray((ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2, values.dtype)


def quantile(values: NDArray[_Number], share: float) -> float:
    """Of values in a row, of which there must be some; between two of them it is as near to each as asked."""
    ordered = np.sort(values)
    at = (len(ordered) - 1) * share
    low = int(at)
    below, above = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
    return below + (above - below) * (at - low)
