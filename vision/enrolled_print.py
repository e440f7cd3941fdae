"""Compares the print of a seen card with pictures of enrolled ones, part by part: alike, unlike, hidden."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.middle import median, quantile

PRINT_PX = 144
"""The width at which print is compared."""
_PART = 19
_STEP = 7
_REACH = (-2, 0, 2)
"""A homography is never exact: parts may lie this many pixels aside."""
_FURTHEST = max(_REACH)
_SUM = np.ones((1, 3), np.float32)
_PLAIN = 12.0
"""Grey levels: a part with less contrast shows nothing to compare."""
_TINGE = 24.0
"""Levels by which the colours of a part may be off for one another after white balance; light adds to all."""
_UNLIKE = -1.0
_ALIKE = 0.5
_HIDDEN = 0.1
"""A part of which more than this share is hidden is not compared."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Print:
    """An enrolled picture, ready to be compared: it is compared again and again."""

    soft: BgrImage
    means: NDArray[np.float32]
    """Of each part, colour by colour."""
    spread: NDArray[np.float32]

    @classmethod
    def of(cls, picture: BgrImage) -> "Print":
        soft = _soft(picture)
        values = soft.astype(np.float32)
        means = _means(values)
        # Copies: the parts alone take a fiftieth of the memory.
        return cls(soft=soft, means=_parts(means).copy(), spread=_parts(_spread(values, means)).copy())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """How two prints agree, part by part."""

    alike: NDArray[np.float32]
    """The correlation of both pictures around every seventh pixel, all colours together; nan where plain.

    A part of another colour is unlike, however well its lines agree.
    """
    recoloured: NDArray[np.bool_]
    """Parts with the same lines in other colours: another card that shares some of the drawing has them.

    What hides a card has lines of its own.
    """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What is seen at a place, ready to be compared with several prints."""

    around: NDArray[np.float32]
    """With so much around it as parts may lie aside."""
    means: NDArray[np.float32]
    spread: NDArray[np.float32]

    @classmethod
    def of(cls, cut: BgrImage) -> "Seen":
        soft = _soft(cut).astype(np.float32)
        means = _means(soft)
        around = np.asarray(cv2.copyMakeBorder(soft, *(_FURTHEST,) * 4, cv2.BORDER_WRAP), np.float32)
        return cls(around=around, means=means, spread=_spread(soft, means))


def compared(seen: BgrImage | Seen, known: BgrImage | Print) -> Comparison:
    here = seen if isinstance(seen, Seen) else Seen.of(seen)
    print_b = known if isinstance(known, Print) else Print.of(known)
    best = _likest(here, print_b, [(down, right) for down in _REACH for right in _REACH])
    best[_plain(here, print_b)] = np.nan
    same = _same_colours(_parts(here.means), print_b.means)
    recoloured = np.asarray((best > _ALIKE) & ~same)
    best[~same] = _UNLIKE
    return Comparison(alike=best, recoloured=recoloured)


def glance(seen: Seen, known: Print) -> float:
    """About how much of the print is seen as it should be, without looking aside: a fifth of the work."""
    alike = _likest(seen, known, [(0, 0)])
    alike[_plain(seen, known)] = np.nan
    return agreement(alike)


def _plain(seen: Seen, known: Print) -> NDArray[np.bool_]:
    """The parts that show nothing to compare, neither here nor there."""
    return np.asarray((known.spread < _PLAIN**2) & (_parts(seen.spread) < _PLAIN**2))


def _likest(seen: Seen, known: Print, asides: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
    """How alike each part is wherever it is most alike, so many pixels down and to the right."""
    b = known.soft.astype(np.float32)
    best = np.full(known.spread.shape, _UNLIKE, np.float32)
    for down, right in asides:
        y, x = _FURTHEST - down, _FURTHEST - right
        product = _dot(seen.around[y : y + b.shape[0], x : x + b.shape[1]], b)
        means = np.einsum("yxc,yxc->yx", _parts(seen.means, down, right), known.means)
        spreads = _parts(seen.spread, down, right) * known.spread
        best = np.maximum(best, (_parts(_means(product)) - means) / np.sqrt(spreads + 25.0))
    return best


def likeness_of_parts(seen: BgrImage, known: BgrImage | Print) -> NDArray[np.float32]:
    """How alike each part is, as a `Comparison` tells it."""
    return compared(seen, known).alike


def parts_within(hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The parts of a print that something hides, be it only a little of them."""
    return np.asarray(_parts(_means(hidden.astype(np.float32))) > _HIDDEN)


def difference_of_parts(one: BgrImage, other: BgrImage | Print) -> NDArray[np.bool_]:
    """Where two enrolled pictures do not show the same."""
    alike = likeness_of_parts(one, other)
    return np.asarray(np.nan_to_num(alike, nan=1.0) < 0.75)


def agreement(alike: NDArray[np.float32]) -> float:
    """The share of a card's marked parts that are seen as they should be."""
    marked = ~np.isnan(alike)
    return float((alike[marked] > _ALIKE).mean()) if marked.any() else 0.0


def halfway(alike: NDArray[np.float32], recoloured: NDArray[np.bool_]) -> float:
    """The share of the parts in view that fit only halfway: many where another card shares some of the print.

    What hides a card fits nowhere, and a poor picture fits everywhere a little less: neither counts here.
    """
    in_view = (alike > 0.3) | recoloured
    if not in_view.any():
        return 1.0
    best = quantile(alike[~np.isnan(alike)], 0.9)
    return float(((alike < 0.8 * best) | recoloured)[in_view].mean())


def margin(
    seen_one: NDArray[np.float32], seen_other: NDArray[np.float32], differ: NDArray[np.bool_]
) -> float:
    """How much better the first fits what is seen where both differ; -1 to 1, 0 where nothing tells."""
    usable = differ & ~np.isnan(seen_one) & ~np.isnan(seen_other)
    # Where neither fits, something hides the print.
    usable &= np.maximum(seen_one, seen_other) > 0.3
    if usable.sum() < 3:
        return 0.0
    return float((seen_one[usable] - seen_other[usable]).mean())


def _same_colours(seen: NDArray[np.float32], known: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Part by part, once the camera's white balance and exposure are undone; glare and shade are forgiven."""
    gains = median(((seen + 8) / (known + 8)).reshape(-1, 3))
    level = float(gains.mean())
    off = seen - known * np.clip(gains, 0.75 * level, 1.33 * level)
    tinge = np.abs(off - off.mean(axis=2, keepdims=True)).max(axis=2)
    return np.asarray(tinge < _TINGE * max(level, 0.3))


def _soft(image: BgrImage) -> BgrImage:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


def _means(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean around each pixel, colour by colour."""
    return np.asarray(cv2.blur(image, (_PART, _PART)), np.float32)


def _spread(image: NDArray[np.float32], means: NDArray[np.float32]) -> NDArray[np.float32]:
    """The variance of all three colours around each pixel."""
    return np.asarray(np.maximum(_means(_dot(image, image)) - _dot(means, means), 0), np.float32)


def _dot(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of both, all colours together; several times as fast as einsum."""
    return np.asarray(cv2.transform(cv2.multiply(one, other), _SUM), np.float32)


def _parts(values: NDArray[np.float32], down: int = 0, right: int = 0) -> NDArray[np.float32]:
    """Every seventh, of the picture moved so far."""
    half = _PART // 2
    rows, columns = slice(half - down, -half - down, _STEP), slice(half - right, -half - right, _STEP)
    return values[rows, columns]
