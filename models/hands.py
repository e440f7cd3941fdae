"""Hands that nobody wrote in: skeletons of digits bent into others, so that shapes are learnt.

Each sign comes from any of our hands or from the middle lines of a free font. It is made squarer or rounder,
wider or narrower, with its waist higher or lower, its curves cut into straight strokes or its corners rounded
off, its ends longer or shorter.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.fonts import font_strokes, fonts, has_strokes
from vision.virtual.digits import BODY_HEIGHT, BODY_WIDTH, HANDS, NumberStyle, Strokes, written
from vision.virtual.drawing import Points

Rng = np.random.Generator

_MIDDLE = np.array((BODY_WIDTH / 2, BODY_HEIGHT / 2))
_CROSSED = 0.15
"""So many hands cross their sevens."""
_BARE = 0.12
"""And so many write a one as a mere stroke."""


def any_pen(rng: Rng) -> NumberStyle:
    """How a made-up hand holds its pen; the design counts for nothing but that it is drawn in strokes."""
    style = NumberStyle.sample(rng)
    return NumberStyle(pen=style.pen, slant=style.slant, width=style.width, nib=style.nib)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeUpHand:
    """The same sign is written alike each time."""

    seed: int
    squared: float
    """From -1, as round as can be, to 1: corners reach into those of the box."""
    by_halves: bool
    """Whether the upper and the lower half are squared each by itself."""
    straight: float
    """How far straight strokes may leave the curves they stand for; 0 leaves curves as they are."""
    soft: int
    """How often corners are cut off."""
    waist: float
    """How much lower the middle stands."""
    wave: float
    """How far strokes are displaced, smoothly."""
    mixed: bool
    """Signs of several hands side by side; else all come from one."""
    printed: bool = False
    """Whether they come from fonts; else from our own hands."""

    @classmethod
    def sample(cls, rng: Rng, *, printed: bool = False) -> "MadeUpHand":
        return cls(
            printed=printed,
            seed=int(rng.integers(1 << 40)),
            squared=float(rng.choice([0.0, rng.uniform(-0.6, 1.0)], p=[0.3, 0.7])),
            by_halves=bool(rng.random() < 0.5),
            straight=float(rng.choice([0.0, rng.uniform(0.2, 1.1)], p=[0.65, 0.35])),
            soft=int(rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])),
            waist=float(rng.normal(0, 0.8)),
            wave=float(abs(rng.normal(0, 0.45))),
            mixed=bool(rng.random() < 0.6),
        )

    def __call__(self, sign: str) -> Strokes:
        rng = np.random.default_rng((self.seed, ord(sign)))
        own = np.random.default_rng(self.seed)
        design = int((rng if self.mixed else own).integers(HANDS))
        crossed, bare = (own.random(2) < (_CROSSED, _BARE)).tolist()
        if sign == "1" and bare:
            strokes: Strokes = ((np.array([(2, 0), (2, BODY_HEIGHT)], np.float32), False),)
        elif self.printed and sign != "+":
            strokes = font_strokes(*_any_face(rng if self.mixed else own), sign)
        else:
            strokes = written(sign, design)
        if sign == "7" and crossed and len(strokes) == 1:
            strokes = (*strokes, (np.array([(2, 7.2), (9, 7)], np.float32), False))
        if sign == "+":
            return strokes
        wave = _Wave.sample(rng, self.wave)
        narrow = float(rng.uniform(0.85, 1.1))
        made = [(self._bent(rng, line, closed, wave), closed) for line, closed in strokes]
        left = min(float(line[:, 0].min()) for line, _ in made)
        return tuple(((line - (left, 0)).astype(np.float32) * (narrow, 1), closed) for line, closed in made)

    def _bent(self, rng: Rng, line: Points, closed: bool, wave: "_Wave") -> NDArray[np.float64]:
        if self.straight:
            line = _straightened(line, self.straight, closed)
        bent = _dense(line, closed)
        bent = self._squared(bent)
        bent[:, 1] += self.waist * np.sin(np.pi * np.clip(bent[:, 1] / BODY_HEIGHT, 0, 1))
        bent = bent + wave(bent)
        if not closed and not self.printed:  # lines of fonts end where others begin
            bent = _ended(rng, bent)
        for _ in range(self.soft):
            bent = _cut_corners(bent, closed)
        return bent

    def _squared(self, line: NDArray[np.float64]) -> NDArray[np.float64]:
        """Circles become squares where that is asked for, or squares circles."""
        half = np.array((BODY_WIDTH / 2, BODY_HEIGHT / 2))
        middle = np.broadcast_to(_MIDDLE, line.shape)
        if self.by_halves:
            half = np.array((BODY_WIDTH / 2, BODY_HEIGHT / 4))
            upper = line[:, 1] < BODY_HEIGHT / 2
            middle = np.column_stack(
                [np.full(len(line), BODY_WIDTH / 2), np.where(upper, BODY_HEIGHT / 4, 3 * BODY_HEIGHT / 4)]
            )
        unit = (line - middle) / half
        far, near = np.hypot(*unit.T), np.abs(unit).max(axis=1)
        ratio = np.divide(far, near, out=np.ones_like(far), where=near > 1e-6)
        factor = 1 + self.squared * (ratio - 1) if self.squared > 0 else 1 - self.squared * (1 / ratio - 1)
        return np.asarray(middle + np.clip(unit * factor[:, None], -1.08, 1.08) * half)


def _any_face(rng: Rng) -> tuple[int, int]:
    """A face of strokes, every family alike often."""
    while True:
        family = int(rng.integers(len(fonts())))
        face = int(rng.integers(len(fonts()[family])))
        if has_strokes(family, face):
            return family, face


@dataclass(frozen=True, slots=True, eq=False)
class _Wave:
    """A slow displacement of all strokes of a sign together."""

    size: float
    pace: NDArray[np.float64]
    phase: NDArray[np.float64]

    @classmethod
    def sample(cls, rng: Rng, size: float) -> "_Wave":
        return cls(size, rng.uniform(0.15, 0.6, (2, 2)), rng.uniform(0, 2 * np.pi, 2))

    def __call__(self, line: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.size * np.sin(line @ self.pace + self.phase))


def _straightened(line: Points, off: float, closed: bool) -> Points:
    straight = cv2.approxPolyDP(line.reshape(-1, 1, 2).astype(np.float32), off, closed)[:, 0]
    return np.asarray(straight) if len(straight) > (2 if closed else 1) else line


def _dense(line: Points, closed: bool, step: float = 0.7) -> NDArray[np.float64]:
    """Points close to each other, so that a straight stroke can be bent too."""
    ring = np.vstack([line, line[:1]]).astype(np.float64) if closed else line.astype(np.float64)
    ways = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    at = np.linspace(0, ways[-1], max(2, round(ways[-1] / step)) + 1)
    at = np.union1d(at, ways)
    dense = np.column_stack([np.interp(at, ways, ring[:, k]) for k in (0, 1)])
    return dense[:-1] if closed else dense


def _ended(rng: Rng, line: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each end a little longer or shorter."""
    for _ in range(2):
        line = line[::-1]
        if len(line) < 6 or rng.random() < 0.5:
            continue
        if rng.random() < 0.5:
            line = line[int(rng.integers(1, 3)) :]
        else:
            way = line[0] - line[2]
            way = way / max(float(np.hypot(*way)), 1e-6)
            line = np.vstack([line[0] + way * float(rng.uniform(0.3, 1.5)), line])
    return line


def _cut_corners(line: NDArray[np.float64], closed: bool) -> NDArray[np.float64]:
    mean = (np.roll(line, 1, axis=0) + 2 * line + np.roll(line, -1, axis=0)) / 4
    if not closed:
        mean[0], mean[-1] = line[0], line[-1]
    return np.asarray(mean)
