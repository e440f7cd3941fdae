"""What of a card is hidden by something that stands on it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import Points

_GRID = (64, 96)
"""Dots across and down a card of which each is hidden or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What is hidden of one upright card."""

    dots: NDArray[np.bool_]
    """Row by row from the top."""
    _shares: dict[tuple[float, float, float, float], float] = field(default_factory=dict, repr=False)
    """What was asked already: the cards of a pack print their symbols at the same few places."""

    @classmethod
    def of(cls, outlines: Sequence[Points]) -> "Cover | None":
        """From outlines in shares of the card's width and height; None where they all lie beside it."""
        dots = np.zeros((_GRID[1], _GRID[0]), np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(dots, np.round(outline * _GRID - 0.5).astype(np.int32), (1,))
        return cls(dots > 0) if dots.any() else None

    def share(self, x: float, y: float, width: float, height: float) -> float:
        """How much is hidden of a box around a place, all in shares of the card's width and height."""
        box = (x, y, width, height)
        if box not in self._shares:
            part = self.dots[_span(y, height, _GRID[1]), _span(x, width, _GRID[0])]
            self._shares[box] = float(part.mean())
        return self._shares[box]

    def sized(self, width: int, height: int) -> NDArray[np.bool_]:
        """The same for each pixel of a picture of the card."""
        grown = cv2.resize(self.dots.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        return np.asarray(grown > 0)


def _span(middle: float, length: float, dots: int) -> slice:
    """At least one dot, and none outside of the card."""
    first = int(np.clip((middle - length / 2) * dots, 0, dots - 1))
    return slice(first, max(first + 1, int(np.ceil((middle + length / 2) * dots))))
