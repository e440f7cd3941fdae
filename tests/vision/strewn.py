"""Photographs of cards of no game of ours, strewn over a table, with the truth about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.frame import BgrImage
from vision.pose import Points
from vision.virtual.pictures import picture_by_seed

WIDTH, HEIGHT = 200, 310
RIM = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strewn:
    picture: BgrImage
    centre: tuple[float, float]
    turn_deg: float
    width: float = 150.0
    """In pixels of the photograph."""
    lean: float = 0.0
    """How much smaller the far side is."""

    @property
    def quad(self) -> Points:
        turn = np.radians(self.turn_deg)
        scale = self.width / WIDTH
        way = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))]) * scale
        flat = (RIM - (WIDTH / 2, HEIGHT / 2)) @ way.T
        nearer = 1 + self.lean * flat[:, 1:] / (HEIGHT * scale)
        return np.asarray(flat * nearer + np.array(self.centre))


def card_picture(seed: int) -> BgrImage:
    """A card with a light border; its picture is drawn by the seed."""
    card = np.full((HEIGHT, WIDTH, 3), (226, 236, 240), np.uint8)
    card[8:-8, 8:-8] = picture_by_seed(seed, WIDTH - 16, HEIGHT - 16)
    return card


def marked(card: BgrImage, colour: tuple[int, int, int], shape: str) -> BgrImage:
    """The same picture with another item printed on it, as cards of one game often have it."""
    other = card.copy()
    cv2.rectangle(other, (12, 14), (62, 74), (60, 84, 112), -1)
    if shape == "round":
        cv2.circle(other, (37, 44), 20, colour, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(other, (19, 28), (55, 60), colour, -1)
    return other


def photograph(cards: Sequence[Strewn], size: tuple[int, int] = (1200, 900), seed: int = 5) -> BgrImage:
    """Later cards lie on earlier ones."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(50, 90, (9, 12, 3), dtype=np.uint8)
    table = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
    table = table.astype(np.float64)
    for card in cards:
        # Only where it lies: a photograph of twelve megapixels takes long enough.
        x0, y0 = np.clip(np.floor(card.quad.min(axis=0)).astype(int) - 2, 0, size)
        x1, y1 = np.clip(np.ceil(card.quad.max(axis=0)).astype(int) + 3, 0, size)
        there = (max(1, x1 - x0), max(1, y1 - y0))
        place = (card.quad - (x0, y0)).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(RIM.astype(np.float32), place)
        laid = cv2.warpPerspective(card.picture, matrix, there, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(card.picture.shape[:2], 255, np.uint8), matrix, there)
        share = mask[..., None] / 255.0
        under = table[y0:y1, x0:x1]
        if under.size:
            under[:] = under * (1 - share) + laid * share
    seen = cv2.GaussianBlur(table, (0, 0), 0.8) * 0.9 + rng.normal(0, 2.0, table.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def save(image: BgrImage, path: Path) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def off_by(found: Sequence[tuple[float, float]], true: Points) -> float:
    """The largest way between corners, whichever way up."""
    corners = np.array(found)
    ways = [np.hypot(*(np.roll(corners, turn, axis=0) - true).T).max() for turn in (0, 2)]
    return float(min(ways))
