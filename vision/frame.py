"""One picture from a camera, with the colour order in its type."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

BgrImage: TypeAlias = NDArray[np.uint8]
"""Height × width × 3, blue first: OpenCV's own order, everywhere in this program."""

GrayImage: TypeAlias = NDArray[np.uint8]
"""Height × width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    index: int
    captured_at: float
    """Seconds on the monotonic clock of this machine."""
    image: BgrImage
