"""What makes the picture of a card easy to find again: its local features."""

import hashlib
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
    points, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.025).detectAndCompute(
        gray, None
    )
    if descriptors is None or not len(points):
        none = np.empty(0, np.float32)
        return Features(places=np.empty((0, 2)), sizes=none, turns=none), np.empty((0, 128), np.float32)
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    features = Features(
        places=np.array([point.pt for point in points], np.float64),
        sizes=np.array([point.size for point in points], np.float32),
        turns=np.radians(np.array([point.angle for point in points], np.float32)),
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
