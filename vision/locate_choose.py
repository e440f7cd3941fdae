"""Chooses the outlines of cards that explain a picture together: what hides what, and where the mat is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.locate_outline import Outlines
from vision.pose import Points

_NEUTRAL = 0.5
"""A rim point with this much support speaks neither for nor against a card."""
_LEAST = 0.13
"""The worth of a rim, point by point in the mean, from which on it is a card's."""
_FEWEST_FREE = 0.28
"""A card with less of its rim outside of others cannot be told from their print."""
_LEAST_SEEN = 0.08
"""Of a card below others at least so much can be seen; an outline that shows less is made of their print."""
_BARE = 0.6
"""More mat than this within an outline, and no card lies there."""
_GRID = (9, 14)
_COARSE = (
    np.stack([np.arange(256) // step for step in (14, 8, 8)], axis=1).astype(np.uint8).reshape(1, 256, 3)
)
"""Lightness and both colours in so few steps that a mat has few of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    index: int
    worth: float
    """About 0.5 for a card whose whole rim is seen, 0 for none."""
    visible: float
    """The share of the card that no other card covers."""
    free: NDArray[np.bool_]
    """The points of its rim that can be seen."""
    above: tuple[int, ...]
    """The cards that lie on it."""


def choose(image: BgrImage, outlines: Outlines, borne: NDArray[np.float32]) -> tuple[Choice, ...]:
    """The cards, surest first; `borne` is the support of each point of each rim."""
    if not len(outlines):
        return ()
    table = _Table(outlines, borne)
    first = table.pick(None)
    bare = _bare_ground(image, outlines, first)
    if bare is not None:
        first = table.pick(bare)
    return table.judged(first, bare)


class _Table:
    """Outlines that were taken so far, and what they hide of the others."""

    def __init__(self, outlines: Outlines, borne: NDArray[np.float32]) -> None:
        self.outlines = outlines
        self.borne = borne
        self.places, self.normals, _ = outlines.rim()
        self.inside = _inside(self.places, outlines, -3.0)
        """Whether point p of outline k lies on card a: [k, p, a]."""
        self.grid = _grid(outlines)
        self.grid_inside = _inside(self.grid, outlines, 0.0)

    def pick(self, bare: NDArray[np.uint8] | None) -> list[int]:
        taken: list[int] = []
        claimed = np.zeros(self.borne.shape, bool)
        while True:
            worth, free = self.worths(taken, claimed)
            worth[taken] = -1
            if bare is not None:
                worth -= 0.25 * np.clip(self._bare_shares(bare, taken) - _BARE / 2, 0, 1)
            best = int(worth.argmax())
            if worth[best] < _LEAST * max(0.5, float(free[best])):
                return taken
            taken.append(best)
            claimed |= _on_rim(self.places, self.normals, self.outlines, best)

    def worths(
        self, taken: list[int], claimed: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each outline would add to those taken, and how much of its rim lies outside of them."""
        worth = np.where(claimed, -0.35, self.borne - _NEUTRAL)
        hidden = np.zeros(self.borne.shape, bool)
        for card in taken:
            mine = self.inside[:, :, card] & ~hidden
            covered = self._covers(card, taken)
            # Hidden below a card whose own rim is not seen there: a contradiction.
            penalty = np.minimum(covered - 0.7, 0)[:, None] * 0.6
            worth = np.where(mine, np.maximum(worth, 0) * 0.3 + penalty, worth)
            hidden |= mine
        free = (~hidden).mean(axis=1)
        total = worth.mean(axis=1).astype(np.float64)
        total[free < _FEWEST_FREE] = -1
        return total, free

    def _covers(self, card: int, taken: list[int]) -> NDArray[np.float64]:
        """How well the rim of a card is seen within each outline; 1 where too little of it is there."""
        others = [other for other in taken if other != card]
        seen = ~self.inside[card][:, others].any(axis=1) if others else np.ones(self.borne.shape[1], bool)
        within = self.inside[card] & seen[:, None]
        many = within.sum(axis=0)
        mean = (self.borne[card][:, None] * within).sum(axis=0) / np.maximum(many, 1)
        return np.where(many >= 4, mean, 1.0)

    def _bare_shares(self, bare: NDArray[np.uint8], taken: list[int]) -> NDArray[np.float64]:
        """How much mat each outline shows where no taken card lies."""
        x = np.clip(np.round(self.grid[..., 0]).astype(int), 0, bare.shape[1] - 1)
        y = np.clip(np.round(self.grid[..., 1]).astype(int), 0, bare.shape[0] - 1)
        free = ~self.grid_inside[:, :, taken].any(axis=2)
        many = free.sum(axis=1)
        share = (bare[y, x] * free).sum(axis=1) / np.maximum(many, 1)
        return np.where(many >= 6, share, 0.0)

    def judged(self, taken: list[int], bare: NDArray[np.uint8] | None) -> tuple[Choice, ...]:
        """Looks at each card again, knowing all others, and drops those that the others explain."""
        kept = list(taken)
        for card in reversed(taken):
            others = [other for other in kept if other != card]
            if self._is_phantom(card, others, bare):
                kept = others
        choices = [self._choice(card, kept) for card in kept]
        seen = [choice.index for choice in choices if choice.visible >= _LEAST_SEEN]
        if len(seen) < len(kept):  # what such an outline seemed to hide is in view after all
            choices = [self._choice(card, seen) for card in seen]
        return tuple(choices)

    def _is_phantom(self, card: int, others: list[int], bare: NDArray[np.uint8] | None) -> bool:
        claimed = np.zeros(self.borne.shape[1], bool)
        for other in others:
            claimed |= _on_rim(self.places[card], self.normals[card], self.outlines, other)
        free = ~self.inside[card][:, others].any(axis=1)
        if (free & ~claimed).mean() < 0.15 and self.borne[card].mean() < 0.8:
            return True
        if bare is not None and float(self._bare_shares(bare, others)[card]) > _BARE:
            return True
        return bool(self.borne[card][free & ~claimed].mean() < 0.62) if (free & ~claimed).any() else False

    def _choice(self, card: int, kept: list[int]) -> Choice:
        above = [other for other in kept if other != card and self._is_above(other, card)]
        seen = ~self.grid_inside[card][:, above].any(axis=1)
        free = ~self.inside[card][:, above].any(axis=1) if above else np.ones(self.borne.shape[1], bool)
        worth = float(self.borne[card][free].mean() - _NEUTRAL) if free.any() else 0.0
        return Choice(index=card, worth=worth, visible=float(seen.mean()), free=free, above=tuple(above))

    def _is_above(self, one: int, other: int) -> bool:
        """Of two cards on each other, the rim of the upper one goes on."""
        upper, lower = self.inside[one][:, other], self.inside[other][:, one]
        if not upper.any() or not lower.any():
            return False
        return float(self.borne[one][upper].mean()) >= float(self.borne[other][lower].mean())


def _bare_ground(image: BgrImage, outlines: Outlines, taken: list[int]) -> NDArray[np.uint8] | None:
    """1 where the picture has the colours of what lies outside of all cards; None where little does."""
    height, width = image.shape[:2]
    cards = np.zeros((height, width), np.uint8)
    corners = outlines.corners()
    for card in taken:
        cv2.fillConvexPoly(cards, np.round(corners[card]).astype(np.int32), (1,))
    near = cv2.dilate(cards, np.ones((9, 9), np.uint8))
    if (near == 0).mean() < 0.06 or not cards.any():
        return None
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.5), cv2.COLOR_BGR2LAB)
    light, warm, cold = (part.astype(np.uint16) for part in cv2.split(cv2.LUT(lab, _COARSE)))
    colours = light << 10 | warm << 5 | cold
    size = 19 * 32 * 32
    ground = np.bincount(colours[near == 0], minlength=size) / max(1, int((near == 0).sum()))
    print_ = np.bincount(colours[cards > 0], minlength=size) / max(1, int(cards.sum()))
    return np.asarray((ground > 1.2 * print_ + 1e-5)[colours], np.uint8)


def _grid(outlines: Outlines) -> Points:
    across, down = _GRID
    x = (np.arange(across) + 0.5) / across - 0.5
    y = (np.arange(down) + 0.5) / down - 0.5
    inner = np.stack(np.meshgrid(x * outlines.width * 0.96, y * outlines.height * 0.96), axis=-1)
    return outlines.placed(inner.reshape(-1, 2))


def _local(places: Points, outlines: Outlines, index: int) -> Points:
    off = places - outlines.centres[index]
    cos, sin = np.cos(outlines.turns[index]), np.sin(outlines.turns[index])
    return np.stack([off[..., 0] * cos + off[..., 1] * sin, off[..., 1] * cos - off[..., 0] * sin], axis=-1)


def _inside(places: Points, outlines: Outlines, margin: float) -> NDArray[np.bool_]:
    """Whether each place lies on each card: one more axis than the places have."""
    flat = places.reshape(-1, 2).astype(np.float32)
    cos, sin = np.cos(outlines.turns), np.sin(outlines.turns)
    x, y = outlines.centres[:, 0], outlines.centres[:, 1]
    across = flat @ np.stack([cos, sin]).astype(np.float32) - (x * cos + y * sin).astype(np.float32)
    down = flat @ np.stack([-sin, cos]).astype(np.float32) - (y * cos - x * sin).astype(np.float32)
    inside = (np.abs(across) < outlines.width / 2 + margin) & (np.abs(down) < outlines.height / 2 + margin)
    return np.asarray(inside.reshape(*places.shape[:-1], len(outlines)))


def _on_rim(places: Points, normals: Points, outlines: Outlines, index: int) -> NDArray[np.bool_]:
    """Points within three pixels of a side of a card and along it."""
    local = np.abs(_local(places, outlines, index))
    half = np.array([outlines.width, outlines.height]) / 2
    turn = outlines.turns[index]
    level = np.abs(normals[..., 0] * np.cos(turn) + normals[..., 1] * np.sin(turn))
    beside = (np.abs(local[..., 0] - half[0]) < 3) & (local[..., 1] < half[1]) & (level > 0.98)
    upright = np.abs(normals[..., 1] * np.cos(turn) - normals[..., 0] * np.sin(turn))
    above = (np.abs(local[..., 1] - half[1]) < 3) & (local[..., 0] < half[0]) & (upright > 0.98)
    return np.asarray(beside | above)
