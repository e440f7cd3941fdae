"""What makes the picture of a card easy to find again: local features, kept in the pack's folder."""

import hashlib
import io
import logging
import zipfile
from collections.abc import Mapping, Sequence
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

_log = logging.getLogger(__name__)

FEATURES_FILE = "features.npz"
FORMAT = 2
LARGEST_FILE = 128 * 2**20
"""Bytes: two thousand cards."""
CARD_PX = 320
"""The width at which a card is learnt."""
_PER_CARD = 360
_THUMBNAIL = (16, 24)
_LEVELS = 512.0
"""Descriptors are kept as bytes; their numbers hardly ever reach a half."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Features:
    """RootSIFT: unit vectors whose dot product is the likeness, and where each was seen how large."""

    places: Points
    sizes: NDArray[np.float32]
    turns: NDArray[np.float32]
    """Radians."""
    descriptors: NDArray[np.float32]

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
    thumbnail: BgrImage


def find_features(gray: GrayImage, most: int) -> Features:
    points, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.025).detectAndCompute(
        gray, None
    )
    if descriptors is None or not len(points):
        none = np.empty(0, np.float32)
        return Features(
            places=np.empty((0, 2)), sizes=none, turns=none, descriptors=np.empty((0, 128), np.float32)
        )
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    return Features(
        places=np.array([point.pt for point in points], np.float64),
        sizes=np.array([point.size for point in points], np.float32),
        turns=np.radians(np.array([point.angle for point in points], np.float32)),
        descriptors=np.asarray(rooted, np.float32),
    )


def learn(card: CardId, path: Path) -> LearntCard:
    """From the one picture of a whole card. Raises ImageError where it cannot be read."""
    image = load_image(path)
    height, width = image.shape[:2]
    gray = cv2.cvtColor(fitting(image, CARD_PX), cv2.COLOR_BGR2GRAY)
    found = find_features(np.asarray(gray, np.uint8), _PER_CARD)
    return LearntCard(
        id=card,
        path=path,
        sha256=hash_of(path),
        height=height / width,
        features=Features(
            places=(found.places + 0.5) / CARD_PX,
            sizes=found.sizes / np.float32(CARD_PX),
            turns=found.turns,
            descriptors=found.descriptors,
        ),
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


def hash_of(path: Path) -> str:
    return hashlib.sha256(read_bounded(path, LIMITS.most_bytes)).hexdigest()


def learn_all(folder: Path, images: Mapping[CardId, str]) -> tuple[LearntCard, ...]:
    """The features of all cards of a pack: those kept from last time, and anew where a picture changed."""
    kept = _load(folder)
    cards = []
    for card, name in images.items():
        path = folder / name
        known = kept.get(card)
        fresh = known is None or known.path != path or known.sha256 != hash_of(path)
        cards.append(learn(card, path) if fresh or known is None else known)
    if [kept.get(card.id) for card in cards] != cards:
        _save(folder, cards)
    return tuple(cards)


def _load(folder: Path) -> dict[CardId, LearntCard]:
    """Nothing where the file is missing, damaged or of another version: it can always be made anew."""
    try:
        data = read_bounded(folder / FEATURES_FILE, LARGEST_FILE)
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            _refuse_bomb(file.zip, len(data))
            if int(file["format"]) != FORMAT:
                return {}
            return {card.id: card for card in _unpacked(folder, {key: file[key] for key in file.files})}
    except FileNotFoundError:
        return {}
    except _DAMAGES as problem:
        _log.info("features of %s are made anew: %s", folder, problem)
        return {}


_DAMAGES = (
    OSError, ValueError, KeyError, EOFError, IndexError, TypeError, AttributeError, OverflowError,
    MemoryError, NotImplementedError, RuntimeError, zipfile.BadZipFile,
)  # fmt: skip
"""What a file of features that we did not write may be refused with; numpy and zipfile have many words."""


def _refuse_bomb(archive: zipfile.ZipFile, size: int) -> None:
    """A pack may come from a stranger: a few kilobytes must not unpack to gigabytes."""
    members = archive.infolist()
    if size > LARGEST_FILE or any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ValueError("it is too large, or packed otherwise than we do")


def _unpacked(folder: Path, data: Mapping[str, NDArray[np.generic]]) -> list[LearntCard]:
    ends = np.cumsum(data["counts"].astype(np.int64))
    descriptors = data["descriptors"].astype(np.float32) / np.float32(_LEVELS)
    if len(descriptors) != ends[-1] or descriptors.shape[1:] != (128,):
        raise ValueError("the counts do not fit")
    cards = []
    for index, end in enumerate(ends):
        part = slice(int(end) - int(data["counts"][index]), int(end))
        cards.append(
            LearntCard(
                id=CardId(str(data["ids"][index])),
                path=folder / str(data["names"][index]),
                sha256=str(data["hashes"][index]),
                height=float(data["heights"][index]),
                features=Features(
                    places=data["places"][part].astype(np.float64),
                    sizes=data["sizes"][part].astype(np.float32),
                    turns=data["turns"][part].astype(np.float32),
                    descriptors=descriptors[part],
                ),
                thumbnail=data["thumbnails"][index].astype(np.uint8),
            )
        )
    return cards


def _save(folder: Path, cards: Sequence[LearntCard]) -> None:
    """Only to be quicker next time: a folder that cannot be written to is no problem."""
    unfinished = folder / f"{FEATURES_FILE}.new"
    parts = [card.features for card in cards]
    try:
        with unfinished.open("wb") as file:
            np.savez(
                file,
                format=np.array(FORMAT),
                ids=np.array([card.id for card in cards]),
                names=np.array([card.path.name for card in cards]),
                hashes=np.array([card.sha256 for card in cards]),
                heights=np.array([card.height for card in cards]),
                thumbnails=np.array([card.thumbnail for card in cards]),
                counts=np.array([len(part) for part in parts]),
                places=np.concatenate([part.places for part in parts]).astype(np.float32),
                sizes=np.concatenate([part.sizes for part in parts]),
                turns=np.concatenate([part.turns for part in parts]),
                descriptors=_as_bytes(np.concatenate([part.descriptors for part in parts])),
            )
        unfinished.replace(folder / FEATURES_FILE)
    except OSError as problem:
        _log.info("features of %s cannot be kept: %s", folder, problem)


def _as_bytes(descriptors: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.clip(np.round(descriptors * _LEVELS), 0, 255).astype(np.uint8)
