"""The icons of the player's own copy as examples for the item reader, harvested from the printed board."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.gametable import Icon
from vision.cards import ItemKind
from vision.cuts import cut_window
from vision.frame import BgrImage
from vision.networks import Networks
from vision.pose import Pose
from vision.rectify import rectify
from vision.scan import WINDOW, WINDOW_PX
from vision.table import Rect

BOARD_PX = 1600.0
SMALLEST = 0.015
"""Board units: smaller icons show too little."""
_CORE = 26
"""Pixels of a window that are compared; the rest is what it is printed on."""
_AGREE = 0.55
_SINGLE_P = 0.4
_REACH = 3
_SCALES = (0.86, 1.0, 1.16)
_COLOUR = 0.008
"""What a difference of one in CIE Lab takes off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much an example's word counts; fitted on styles of training, see docs/calibration.md."""

    even: float = 0.45
    """A likeness of this much speaks neither for nor against a kind."""
    strength: float = 10.0
    most: float = 5.0
    """In natural logarithms: never more than this for a kind."""


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Example:
    kind: ItemKind
    window: BgrImage
    """As the item reader looks at it: WINDOW_PX square, the icon in its middle."""


def harvest(
    image: BgrImage, pose: Pose, board: Rect, icons: Sequence[Icon], networks: Networks
) -> tuple[Example, ...]:
    """Icons that lie open: those that agree with another of their kind, or that the reader knows already."""
    scale = min(BOARD_PX, pose.scale_at(board.centre)[0] * 1.5)
    flat = rectify(image, pose, board, scale)
    kinds = networks.answers("items")
    wanted = [icon for icon in icons if str(icon.kind) in kinds and icon.size >= SMALLEST]
    if not wanted:
        return ()
    windows = []
    for icon in wanted:
        x, y = flat.to_pixels(np.array([(icon.x, icon.y)]))[0]
        windows.append(cut_window(flat.image, float(x), float(y), icon.size * scale))
    rows = networks.run("items", np.stack(windows))[:, :, 0, 0]
    shares = _softmax(rows[:, : 1 + len(kinds)])
    found = []
    for index, icon in enumerate(wanted):
        known = float(shares[index, 1 + kinds.index(str(icon.kind))]) >= _SINGLE_P
        others = [k for k, other in enumerate(wanted) if k != index and other.kind == icon.kind]
        agreeing = any(likeness(windows[index], [windows[k]]) >= _AGREE for k in others)
        if (known or agreeing) and not _plain(windows[index]):
            found.append(Example(kind=icon.kind, window=windows[index]))
    return tuple(found)


class OwnIcons(Networks):
    """The networks, whose word about an item is weighed with the icons of the player's own copy."""

    def __init__(self, networks: Networks, examples: Sequence[Example], weights: Weights = WEIGHTS) -> None:
        self._networks = networks
        self._weights = weights
        self._by_kind: dict[int, list[BgrImage]] = {}
        kinds = networks.answers("items")
        for example in examples:
            self._by_kind.setdefault(1 + kinds.index(str(example.kind)), []).append(example.window)

    def answers(self, name: str) -> tuple[str, ...]:
        return self._networks.answers(name)

    def shares(self, name: str) -> tuple[float, ...]:
        return self._networks.shares(name)

    def run(self, name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        rows = self._networks.run(name, images)
        if name != "items" or images.shape[1:3] != (WINDOW_PX, WINDOW_PX):
            return rows  # a whole line: only single windows are named
        rows = rows.copy()
        for row, window in zip(rows, images, strict=True):
            for kind, examples in self._by_kind.items():
                row[kind, 0, 0] += self._word(likeness(window, examples))
        return rows

    def _word(self, alike: float) -> float:
        """Only for a kind, never against it: an icon may be printed in two ways."""
        return float(np.clip(self._weights.strength * (alike - self._weights.even), 0.0, self._weights.most))


def likeness(window: BgrImage, examples: Sequence[BgrImage]) -> float:
    """The best agreement with any example, a little moved or scaled: shape by correlation, less colour."""
    core = _middle(window, _CORE - 2 * _REACH)
    tone = _tone(window)
    best = -1.0
    for example in examples:
        apart = float(np.linalg.norm(_tone(example) - tone))
        for scale in _SCALES:
            there = _middle(_scaled(example, scale), _CORE)
            shape = float(cv2.matchTemplate(there, core, cv2.TM_CCOEFF_NORMED).max())
            best = max(best, shape - _COLOUR * apart)
    return best


def _tone(window: BgrImage) -> NDArray[np.float32]:
    """The colour in the very middle (CIE Lab)."""
    patch = _middle(window, 10).reshape(-1, 1, 3).astype(np.float32) / 255
    return np.asarray(np.median(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB), axis=(0, 1)), np.float32)


def _scaled(window: BgrImage, scale: float) -> BgrImage:
    middle = (WINDOW_PX - 1) / 2
    matrix = np.array([(scale, 0, middle - scale * middle), (0, scale, middle - scale * middle)])
    size = (WINDOW_PX, WINDOW_PX)
    return np.asarray(cv2.warpAffine(window, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _middle(window: BgrImage, size: int) -> BgrImage:
    start = (WINDOW_PX - size) // 2
    return window[start : start + size, start : start + size]


def _plain(window: BgrImage) -> bool:
    return float(_middle(window, round(WINDOW_PX / WINDOW)).std(axis=(0, 1)).max()) < 22


def _softmax(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
