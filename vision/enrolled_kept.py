"""The features of a pack's cards, kept in its folder with what it takes to find them quickly."""

import io
import logging
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.bounded import read_bounded
from vision.cards import CardId
from vision.enrolled_features import Features, LearntCard, hash_of, learn, stamp_of
from vision.enrolled_index import Neighbourhoods

_log = logging.getLogger(__name__)

FEATURES_FILE = "features.npz"
FORMAT = 3
Stamp: TypeAlias = tuple[int, int, int]
"""As `stamp_of` tells it."""
LARGEST_FILE = 128 * 2**20
"""Bytes: two thousand cards."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learnt:
    """All cards of a pack, and their descriptors one after the other."""

    cards: tuple[LearntCard, ...]
    descriptors: NDArray[np.uint8]
    near: Neighbourhoods
    stamps: tuple[Stamp, ...] = ()
    """Of the cards' pictures when they were last compared with their hashes; none where nobody noted them."""


_NOTHING = Learnt(
    cards=(),
    descriptors=np.empty((0, 128), np.uint8),
    near=Neighbourhoods.of(np.empty((0, 128), np.uint8)),
)


def learn_all(folder: Path, images: Mapping[CardId, str]) -> Learnt:
    """The features of all cards of a pack: those kept from last time, and anew where a picture changed."""
    kept = _load(folder)
    known = {card.id: card for card in kept.cards}
    noted = dict(zip((card.id for card in kept.cards), kept.stamps, strict=False))
    stamps = tuple(_stamp(folder / name) for name in images.values())
    cards = tuple(
        _as_it_is(known.get(card), card, folder / name, same=noted.get(card, _NO_STAMP) == stamp)
        for (card, name), stamp in zip(images.items(), stamps, strict=True)
    )
    if cards == kept.cards:
        if stamps != kept.stamps:  # the same pictures, written anew: next time that need not be found out
            _save(folder, replace(kept, stamps=stamps))
        return kept
    if not cards:
        return _NOTHING
    descriptors = np.concatenate([card.descriptors for card in cards])
    near = Neighbourhoods.of(descriptors)
    learnt = Learnt(cards=cards, descriptors=descriptors, near=near, stamps=stamps)
    _save(folder, learnt)
    return learnt


_NO_STAMP: Stamp = (-1, -1, -1)


def _stamp(path: Path) -> Stamp:
    """One that fits nothing where the file cannot be asked: whoever reads it will say why."""
    try:
        return stamp_of(path)
    except OSError:
        return (-2, -2, -2)


def _as_it_is(known: LearntCard | None, card: CardId, path: Path, *, same: bool) -> LearntCard:
    """What is known, unless the picture is another one now; `same` where it was not written since."""
    if known is not None and known.path == path and (same or known.sha256 == hash_of(path)):
        return known
    return learn(card, path)


def _load(folder: Path) -> Learnt:
    """Nothing where the file is missing, damaged or of another version: it can always be made anew."""
    try:
        data = read_bounded(folder / FEATURES_FILE, LARGEST_FILE)
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            _refuse_bomb(file.zip, len(data))
            if int(file["format"]) != FORMAT:
                return _NOTHING
            return _unpacked(folder, {key: file[key] for key in file.files})
    except FileNotFoundError:
        return _NOTHING
    except _DAMAGES as problem:
        _log.info("features of %s are made anew: %s", folder, problem)
        return _NOTHING


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


def _unpacked(folder: Path, data: Mapping[str, NDArray[np.generic]]) -> Learnt:
    ends = np.cumsum(data["counts"].astype(np.int64))
    descriptors = data["descriptors"].astype(np.uint8, copy=False)
    if len(descriptors) != ends[-1] or descriptors.shape[1:] != (128,):
        raise ValueError("the counts do not fit")
    near = Neighbourhoods(centres=data["centres"].astype(np.float32), homes=data["homes"].astype(np.uint8))
    if not near.fits(len(descriptors)):
        raise ValueError("the neighbourhoods do not fit")
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
                ),
                descriptors=descriptors[part],
                thumbnail=data["thumbnails"][index].astype(np.uint8),
            )
        )
    stamps = tuple((int(a), int(b), int(c)) for a, b, c in data.get("stamps", np.empty((0, 3), np.int64)))
    return Learnt(cards=tuple(cards), descriptors=descriptors, near=near, stamps=stamps)


def _save(folder: Path, learnt: Learnt) -> None:
    """Only to be quicker next time: a folder that cannot be written to is no problem."""
    unfinished = folder / f"{FEATURES_FILE}.new"
    cards, parts = learnt.cards, [card.features for card in learnt.cards]
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
                descriptors=learnt.descriptors,
                centres=learnt.near.centres,
                homes=learnt.near.homes,
                stamps=np.array(learnt.stamps, np.int64).reshape(-1, 3),
            )
        unfinished.replace(folder / FEATURES_FILE)
    except OSError as problem:
        _log.info("features of %s cannot be kept: %s", folder, problem)
