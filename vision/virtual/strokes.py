"""The box and the outline that all symbols drawn by code share."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape
from vision.virtual.ink import INK, filled

Rng: TypeAlias = np.random.Generator
Draw: TypeAlias = Callable[[Rng], list[Shape]]

BOX = 64.0
"""Symbols are drawn in a box of 64 × 64 units, as their SVG files are."""


def inked(contour: Points, fill: Rgb, width: float = 2.6, stroke: Rgb = INK) -> Shape:
    """A filled contour with the firm outline of a symbol."""
    return filled(contour, fill, width, stroke)
