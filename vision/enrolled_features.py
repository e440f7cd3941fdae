"""What makes the picture of a card easy to find again: its local features."""

import hashlib
import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bounded import read_bounded
from vision.cards import CardId
from vision.frame import BgrImage, GrayImage
from vision.image import LIMITS, load_image
from vision.pose import Points

CARD_PX = 320
"""The width at which a card is learnt."""
_PER_CARD = 360
_THUMBNAIL = (16, 24)
_WHOLE = 400_000
"""Pixels: a picture with more is looked at in four parts, each with a quarter of the memory."""
_GRID = 32
"""The coarsest steps in which features are looked for: parts that begin on one find the same."""
_AROUND = 64
"""So much around a part is looked at with it, for features at its rim."""
LEVELS = 512.0
"""What a kept descriptor has for 1.0: their numbers hardly ever reach a half, so that a byte is enough."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """Where each was seen, how large and how turned."""

    places: Points
    sizes: NDArray[np.float32]
    turns: NDArray[np.float32]
    """Radians."""

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearntCard:
    """A card's features; places and sizes are in card widths, from its top left corner."""

    id: CardId
    path: Path
    sha256: str
    height: float
    """In card widths."""
    features: Features
    descriptors: NDArray[np.uint8]
    """RootSIFT in `LEVELS`: a quarter of the memory."""
    thumbnail: BgrImage


def find_features(gray: GrayImage, most: int) -> tuple[Features, NDArray[np.float32]]:
    """Those of a picture, with RootSIFT: unit vectors whose dot product is the likeness."""
    points, descriptors = _sift(gray, most)
    return _features(points, descriptors)


def find_many_features(gray: GrayImage, most: int) -> tuple[Features, NDArray[np.float32]]:
    """Those of a large picture, part by part in two threads: the strongest of all, if there are too many.

    Looked at as a whole, a picture of 1.4 megapixels takes a quarter of a gigabyte, and a fifth of a second
    for the system to hand it out.
    """
    if gray.size <= _WHOLE:
        return find_features(gray, most)
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda part: _features_within(gray, part, most), _parts(gray.shape)))
    points = np.concatenate([part[0] for part in parts])
    descriptors = np.concatenate([part[1] for part in parts])
    if len(points) > most:
        strongest = np.sort(np.argsort(-points[:, 4], kind="stable")[:most])
        points, descriptors = points[strongest], descriptors[strongest]
    return _features(points, descriptors)


_Part = tuple[slice, slice]


def _parts(shape: tuple[int, ...]) -> list[_Part]:
    """Four quarters, the rows and columns of each."""
    halves = [(0, round(size / 2 / _GRID) * _GRID, size) for size in shape[:2]]
    rows, columns = ([slice(*ends) for ends in itertools.pairwise(half)] for half in halves)
    return [(row, column) for row in rows for column in columns]


def _features_within(
    gray: GrayImage, part: _Part, most: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """As `_sift` tells them, of a part of a picture."""
    rows, columns = part
    top, left = max(0, rows.start - _AROUND), max(0, columns.start - _AROUND)
    around = gray[top : rows.stop + _AROUND, left : columns.stop + _AROUND]
    points, descriptors = _sift(np.ascontiguousarray(around), most)
    points[:, :2] += (left, top)
    x, y = points[:, 0], points[:, 1]
    mine = (x >= columns.start) & (x < columns.stop) & (y >= rows.start) & (y < rows.stop)
    return points[mine], descriptors[mine]


def _sift(gray: GrayImage, most: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Features as x, y, size, turn in degrees and strength, and their descriptors."""
    found, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.025).detectAndCompute(gray, None)
    points = [(*point.pt, point.size, point.angle, point.response) for point in found]
    if descriptors is None or not points:
        return np.empty((0, 5), np.float32), np.empty((0, 128), np.float32)
    return np.array(points, np.float32), np.asarray(descriptors, np.float32)


def _features(
    points: NDArray[np.float32], descriptors: NDArray[np.float32]
) -> tuple[Features, NDArray[np.float32]]:
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    features = Features(
        places=points[:, :2].astype(np.float64), sizes=points[:, 2].copy(), turns=np.radians(points[:, 3])
    )
    return features, np.asarray(rooted, np.float32)


def learn(card: CardId, path: Path) -> LearntCard:
    """From the one picture of a whole card. Raises ImageError where it cannot be read."""
    image = load_image(path)
    height, width = image.shape[:2]
    gray = cv2.cvtColor(fitting(image, CARD_PX), cv2.COLOR_BGR2GRAY)
    found, descriptors = find_features(np.asarray(gray, np.uint8), _PER_CARD)
    return LearntCard(
        id=card,
        path=path,
        sha256=hash_of(path),
        height=height / width,
        features=Features(
            places=(found.places + 0.5) / CARD_PX,
            sizes=found.sizes / np.float32(CARD_PX),
            turns=found.turns,
        ),
        descriptors=np.clip(np.round(descriptors * LEVELS), 0, 255).astype(np.uint8),
        thumbnail=thumbnail(image),
    )


def thumbnail(image: BgrImage) -> BgrImage:
    """The card at a glance; all cards have the same size here."""
    return np.asarray(cv2.resize(image, _THUMBNAIL, interpolation=cv2.INTER_AREA), np.uint8)


def fitting(image: BgrImage, width_px: int) -> BgrImage:
    """The picture at this width."""
    height, width = image.shape[:2]
    size = (width_px, max(8, round(height * width_px / width)))
    finer = cv2.INTER_AREA if width > width_px else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=finer), np.uint8)


def stamp_of(path: Path) -> tuple[int, int, int]:
    """Another one where the file was written since; the system tells it without reading the file."""
    told = path.stat()
    return told.st_size, told.st_mtime_ns, told.st_ctime_ns


def hash_of(path: Path) -> str:
    return hashlib.sha256(read_bounded(path, LIMITS.most_bytes)).hexdigest()
