"""The table as it last lay calm: what differs from it is foreign, whatever the light does meanwhile."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.tint import has_true_colours

_GRID = (40, 24)
_BLACK = 8.0
"""Added before taking logarithms: in the dark a small difference is noise."""
_LIGHT_CHANGED = 0.02
_BLEND = 0.1


class Backdrop:
    """A remembered picture that follows the light; differences in it must be told to be forgotten."""

    def __init__(self, view: BgrImage) -> None:
        self._calm = view.astype(np.float32)
        self._noise = 1.5
        self._edges = _edges(view)
        self._follows = 0

    def difference(self, view: BgrImage) -> NDArray[np.uint8]:
        """Non-zero where the view differs from the calm table seen in the present light."""
        field = _light_field(self._calm, view)
        unsure = 0.0
        if field is not None:
            before = self._calm
            # The whole memory is brought into the new light, so that what a hand covers just now
            # is still recognised when the hand goes.
            self._calm = np.clip(cv2.multiply(before, field), 0, 255)
            unsure = 0.25 * float(np.abs(self._calm - before).mean())
        expected = np.asarray(cv2.convertScaleAbs(self._calm), np.uint8)
        gap = strongest_change(view, expected)
        limit = max(14.0, 6.0 * self._noise) + unsure
        # Strong edges differ with the least tremor of the camera.
        allowed = cv2.addWeighted(self._edges, 0.25, self._edges, 0, limit)
        return np.asarray(cv2.compare(gap, allowed, cv2.CMP_GT), np.uint8)

    def has_colours_of(self, view: BgrImage) -> bool:
        """Whether the view shows this table in its own colours, in whatever light."""
        return has_true_colours(self._calm, view)

    def follow(self, view: BgrImage, foreign: NDArray[np.uint8]) -> None:
        """Lets the memory follow slow changes everywhere but where something foreign lies."""
        usual = cv2.bitwise_not(cv2.dilate(foreign, np.ones((5, 5), np.uint8)))
        cv2.accumulateWeighted(view, self._calm, _BLEND, mask=usual)
        self._follows += 1
        if self._follows % 30 == 0:
            self._edges = _edges(np.asarray(cv2.convertScaleAbs(self._calm), np.uint8))

    def adopt(self, view: BgrImage, mask: NDArray[np.uint8]) -> None:
        """What lies here now is the calm table from now on."""
        cv2.copyTo(view.astype(np.float32), mask, self._calm)
        self._edges = _edges(np.asarray(cv2.convertScaleAbs(self._calm), np.uint8))

    def measure_noise(self, change: GrayImage) -> None:
        """From the differences between two frames, of which most are nothing but noise."""
        median = float(np.median(change[::6, ::6]))
        self._noise += 0.1 * (median / 0.95 - self._noise)

    @property
    def noise(self) -> float:
        return self._noise

    def is_ghost(self, view: GrayImage, region: NDArray[np.uint8]) -> bool:
        """Whether the region's rim is an edge in the memory and not in the view: something was taken away."""
        kernel = np.ones((3, 3), np.uint8)
        rim = cv2.subtract(cv2.dilate(region, kernel), cv2.erode(region, kernel))
        # The picture's own border is an edge in neither.
        rim[:3], rim[-3:], rim[:, :3], rim[:, -3:] = 0, 0, 0, 0
        remembered = np.asarray(cv2.cvtColor(cv2.convertScaleAbs(self._calm), cv2.COLOR_BGR2GRAY), np.uint8)
        then, now = (cv2.mean(_steepness(picture), mask=rim)[0] for picture in (remembered, view))
        # Measured on textured tables: 1.8 and more for an arm that is there, 0.85 and less for one that went.
        return now < 1.1 * then


def strongest_change(before: BgrImage, after: BgrImage) -> GrayImage:
    """Per pixel the largest change of any colour."""
    blue, green, red = cv2.split(cv2.absdiff(before, after))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _edges(view: BgrImage) -> GrayImage:
    gray = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)


def _steepness(gray: GrayImage) -> NDArray[np.float32]:
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _light_field(calm: NDArray[np.float32], view: BgrImage) -> NDArray[np.float32] | None:
    """By what smooth factor the light changed, per pixel and colour; None while it did not.

    Lamps and clouds change all of the picture smoothly (here: a quadratic in the logarithm), hands and
    cards change part of it sharply, so a robust fit leaves them out.
    """
    height, width = view.shape[:2]
    ys = np.linspace(2, height - 3, _GRID[1]).astype(int)
    xs = np.linspace(2, width - 3, _GRID[0]).astype(int)
    now = view[np.ix_(ys, xs)].astype(np.float32).reshape(-1, 3)
    then = calm[np.ix_(ys, xs)].reshape(-1, 3)
    change = np.log((now + _BLACK) / (then + _BLACK))
    grey = change.mean(axis=1)
    centre = float(np.median(grey))
    if abs(centre) < _LIGHT_CHANGED and float(np.median(np.abs(grey))) < 2 * _LIGHT_CHANGED:
        return None
    basis = _basis(_GRID)
    weight = _tukey(grey - centre, 0.15)
    for _ in range(4):
        factors = np.linalg.lstsq(basis * weight[:, None], change * weight[:, None], rcond=None)[0]
        misfit = np.abs(change - basis @ factors).max(axis=1)
        weight = _tukey(misfit, max(0.08, 4 * float(np.median(misfit))))
    field = np.exp(basis @ factors).reshape(_GRID[1], _GRID[0], 3).astype(np.float32)
    return np.asarray(cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _basis(grid: tuple[int, int]) -> NDArray[np.float32]:
    across, down = (np.linspace(-1, 1, count, dtype=np.float32) for count in grid)
    x, y = (part.ravel() for part in np.meshgrid(across, down))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _tukey(misfit: NDArray[np.float32], width: float) -> NDArray[np.float32]:
    inside = np.clip(1 - (misfit / (3 * width)) ** 2, 0, 1)
    return np.asarray(inside * inside, np.float32)
