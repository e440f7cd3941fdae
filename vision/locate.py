"""Finds cards: of a known size in a picture from straight above, or anywhere in any photograph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.frame import BgrImage
from vision.locate_choose import choose
from vision.locate_edges import Edges
from vision.locate_outline import fitted, support
from vision.locate_spread import candidates, without_twins
from vision.pose import Points

CARD_RATIO = 0.645
"""Width by height of most cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardQuad:
    """Where a card lies in a picture."""

    corners: tuple[tuple[float, float], ...]
    """Top left, top right, bottom right, bottom left in pixels. Whether it lies upside down is not told:
    the outline is the same."""
    score: float
    """How surely a card lies there, 0 to 1."""
    visible: float
    """The share of it that no other card covers."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What somebody who can read cards says about a picture that might show one."""

    card: float
    """The probability that it is a card at all."""
    upside_down: float = 0.0


Verifier: TypeAlias = Callable[[Sequence[BgrImage]], Sequence[Verdict]]


def locate_known(
    rectified: BgrImage,
    card_size_px: tuple[float, float],
    *,
    most_turn_deg: float = 90.0,
) -> tuple[CardQuad, ...]:
    """Cards of one size lying anyhow, up to half of each hidden by others; the surest first.

    Quick enough for every change of a hand zone at about 110 pixels per card's width.
    """
    width, height = card_size_px
    edges = Edges.of(rectified)
    outlines = fitted(edges, candidates(edges, width, height, most_turn_deg), step=4.0)
    borne = support(edges, outlines)
    apart = without_twins(outlines, borne)
    outlines = outlines.pick(apart)
    cards = choose(rectified, outlines, borne[apart])
    if not cards:
        return ()
    outlines = outlines.pick(np.array([card.index for card in cards]))
    free = np.stack([card.free for card in cards])
    corners = fitted(edges, outlines, reaches=(2.0, 2.0, 1.5, 1.5), free=free).corners()
    quads = [
        CardQuad(corners=_tuples(quad), score=float(np.clip(2 * card.worth, 0, 1)), visible=card.visible)
        for quad, card in zip(corners, cards, strict=True)
    ]
    return tuple(sorted(quads, key=lambda quad: -quad.score))


def cut_card(image: BgrImage, corners: Points | tuple[tuple[float, float], ...], width_px: int) -> BgrImage:
    """The card alone, seen from straight above."""
    height_px = round(width_px / CARD_RATIO)
    target = np.array([(0, 0), (width_px, 0), (width_px, height_px), (0, height_px)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    return np.asarray(
        cv2.warpPerspective(image, matrix, (width_px, height_px), flags=cv2.INTER_AREA), np.uint8
    )


def _tuples(quad: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad)
