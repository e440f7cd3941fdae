"""The icons printed on the player's own board as examples for the item reader: their style, told by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.gametable import Icon
from vision.cuts import cut_window
from vision.frame import BgrImage
from vision.networks import Networks
from vision.pose import Pose
from vision.rectify import rectify
from vision.scan import WINDOW_PX
from vision.table import Rect

ITEMS: Final = "items"
_BOARD_PX: Final = 1600.0
_SMALLEST: Final = 0.016
"""Board units: smaller icons show too little."""
_SEEN: Final = 0.4
"""An icon that the network itself takes for what it is, at least so surely, lies open."""
_COVERED: Final = 0.9
"""One that is nothing at all, so surely, does not: a piece or a card lies on it."""
_AGREE: Final = 0.85
"""Between the two it must look like another icon of its kind, and more so than like any of another kind."""
_OFF: Final = 0.35
"""How far beside its place an icon may be printed, in its sizes."""

Answers = NDArray[np.float32]
"""Rows of the network's answers: nothing, then each kind of item, before they are made probabilities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How much the examples count; chosen on held-out styles other than those that are reported."""

    sure: float = 0.9
    """Where the network is surer than this, nobody else is asked."""
    alike: float = 0.7
    """A likeness up to this much says nothing."""
    most: float = 8.0
    """What a perfect likeness adds, in natural logarithms."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnIcons:
    """For each kind how the network answers to it in this player's print.

    A network that never saw a style is unsure about its icons, but unsure in the same way about all of one
    kind. So what it answered to the icons of the board names those of the cards.
    """

    kinds: NDArray[np.int64]
    """Places of the kinds among the answers."""
    usual: Answers
    """One unit vector for each of them."""
    trust: Trust = Trust()

    def weighed(self, answers: Answers) -> Answers:
        """The answers, changed where the network is in doubt and an example is alike."""
        if not len(self.kinds) or not len(answers):
            return answers
        likeness = _directions(answers) @ self.usual.T
        share = np.clip((likeness - self.trust.alike) / (1 - self.trust.alike), 0, 1)
        more = np.zeros_like(answers)
        more[:, self.kinds] = self.trust.most * share
        doubtful = _shares(answers).max(axis=1) < self.trust.sure
        changed = _less_inventive(answers, answers + more)
        return np.asarray(np.where(doubtful[:, None], changed, answers), np.float32)


def harvest(
    picture: BgrImage, pose: Pose, board: Rect, icons: Sequence[Icon], networks: Networks
) -> OwnIcons:
    """From a picture of the board, best an empty one: icons that a piece or a card covers are left out."""
    names = networks.answers(ITEMS)
    wanted = [icon for icon in icons if icon.kind in names and icon.size >= _SMALLEST]
    many = 1 + len(names)
    if not wanted:
        return OwnIcons(kinds=np.empty(0, np.int64), usual=np.empty((0, many), np.float32))
    kinds = np.array([1 + names.index(icon.kind) for icon in wanted])
    flat = rectify(picture, pose, board, _BOARD_PX)
    printed = flat.to_pixels(np.array([(icon.x, icon.y) for icon in wanted]))
    rows = networks.run(ITEMS, np.stack(_windows(flat.image, printed, wanted)))[:, :, 0, 0]
    windows = _windows(flat.image, printed + _asides(rows, many, wanted), wanted)
    answers = networks.run(ITEMS, np.stack(windows))[:, :many, 0, 0]
    kept = np.flatnonzero(_open(answers, kinds))
    return _learnt([windows[k] for k in kept], kinds[kept], networks, many)


def _asides(rows: Answers, many: int, icons: Sequence[Icon]) -> NDArray[np.float64]:
    """How far beside their places icons are printed, in pixels, where the network sees that."""
    off = rows[:, -2:]
    seen = (_shares(rows[:, :many])[:, 0] < _COVERED) & (np.abs(off).max(axis=1) < _OFF)
    sizes = np.array([icon.size * _BOARD_PX for icon in icons])
    return np.asarray(np.where(seen[:, None], off * sizes[:, None], 0.0), np.float64)


def _learnt(windows: Sequence[BgrImage], kinds: NDArray[np.int64], networks: Networks, many: int) -> OwnIcons:
    found = np.unique(kinds)
    usual = []
    for kind in found:
        looks = [
            look for k, window in zip(kinds, windows, strict=True) if k == kind for look in _looks(window)
        ]
        answers = networks.run(ITEMS, np.stack(looks))[:, :many, 0, 0]
        mean = (answers - answers.mean(axis=1, keepdims=True)).mean(axis=0)
        usual.append(mean / max(float(np.linalg.norm(mean)), 1e-6))
    return OwnIcons(kinds=found, usual=np.array(usual, np.float32).reshape(-1, many))


def _open(answers: Answers, kinds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which icons can be seen: those that are known, and those that look like another of their kind."""
    shares = _shares(answers)
    known = shares[np.arange(len(kinds)), kinds] >= _SEEN
    directions = _directions(answers)
    alike = directions @ directions.T
    np.fill_diagonal(alike, -1.0)
    same = kinds[:, None] == kinds[None, :]
    best_same = np.where(same, alike, -1.0).max(axis=1)
    best_other = np.where(same, -1.0, alike).max(axis=1)
    agreeing = (shares[:, 0] < _COVERED) & (best_same > _AGREE) & (best_same > best_other)
    return np.asarray(known | agreeing)


def _windows(flat: BgrImage, places: NDArray[np.float64], icons: Sequence[Icon]) -> list[BgrImage]:
    return [
        cut_window(flat, float(x), float(y), icon.size * _BOARD_PX)
        for (x, y), icon in zip(places, icons, strict=True)
    ]


def _less_inventive(before: Answers, after: Answers) -> Answers:
    """Whether anything is printed at all is left halfway to what the network thought of it."""
    old, new = _shares(before), _shares(after)
    odds = np.sqrt(_odds(old[:, 0]) * _odds(new[:, 0]))
    nothing = odds / (1 + odds)
    shares = new * ((1 - nothing) / np.maximum(1 - new[:, 0], 1e-9))[:, None]
    shares[:, 0] = nothing
    return np.asarray(np.log(np.maximum(shares, 1e-9)), np.float32)


def _odds(share: Answers) -> Answers:
    return np.asarray(np.maximum(share, 1e-9) / np.maximum(1 - share, 1e-9), np.float32)


def _looks(window: BgrImage) -> list[BgrImage]:
    """The same icon a little moved, larger, smaller and blurred, as it will be on cards."""
    middle = (WINDOW_PX - 1) / 2
    moves = [(1.0, 0, 0), (1.0, 2, 0), (1.0, -2, 0), (1.0, 0, 2), (1.0, 0, -2), (0.88, 0, 0), (1.14, 0, 0)]
    looks = []
    for scale, dx, dy in moves:
        rest = middle * (1 - scale)
        matrix = np.array([(scale, 0, rest + dx), (0, scale, rest + dy)])
        size = (WINDOW_PX, WINDOW_PX)
        looks.append(
            np.asarray(cv2.warpAffine(window, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        )
    return [*looks, np.asarray(cv2.GaussianBlur(window, (0, 0), 0.8), np.uint8)]


def _directions(answers: Answers) -> Answers:
    centred = answers - answers.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6), np.float32)


def _shares(answers: Answers) -> Answers:
    powers = np.exp(answers - answers.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
