"""The pool of strewn tables: places and patches kept small in memory, shown a little different each time."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Item, parse_items
from vision.cuts import THUMB_PX, thumbnail
from vision.frame import BgrImage
from vision.pose import Points
from vision.whole import Window, cut_symbol

KEPT = 8
"""Every so many training tables, one is kept to calibrate on."""
SHOWN_PX = 128
"""Side of the part of a patch that is shown at a time."""
_NOMINAL = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
_HIDDEN = 0.5
"""A card of which less than this can be seen is not shown."""
_READABLE = 0.6
_CARD_PX = (183, 256)
_GRAIN = np.random.default_rng(7).standard_normal(1 << 19, dtype=np.float32)
"""Noise is cut from one tape: drawing it anew would cost more than all the rest."""
_OFF = 0.012
"""How far corners of a card are found from where they are, as a share of its height."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceLook:
    """A place as the network of kinds sees it, and what it should say."""

    image: BgrImage
    answer: str
    upside_down: float
    corners: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """One place for a card: a picture, kept as JPEG, and what lies there."""

    jpeg: NDArray[np.uint8]
    answer: str
    place: Points
    corners: Points | None
    visible: float
    fields: dict[str, tuple[Item, ...]]

    @property
    def is_read(self) -> bool:
        return bool(self.fields) and self.visible >= _READABLE

    def look(self, rng: random.Random) -> PlaceLook:
        """The place with some margin, not quite where it should be; sometimes upside down or beside it."""
        image, answer, corners = _decoded(self.jpeg), self.answer, self.corners
        if corners is None and rng.random() < 0.5:  # bare ground is none the less bare in a mirror
            image = np.asarray(cv2.flip(image, rng.choice((-1, 0, 1))), np.uint8)
        aside = corners is not None and rng.random() < 0.06
        quad = _jittered(self.place, rng)
        if aside:
            step = np.array((rng.choice((-1, 1)) * rng.uniform(0.35, 0.5), rng.uniform(-0.3, 0.3)))
            quad = quad + step * (quad[2] - quad[0])
            answer = "unknown"
        upside_down = corners is not None and rng.random() < 0.2
        if upside_down:
            quad = np.roll(quad, 2, axis=0)
        cut, matrix = _warped(image, quad, (THUMB_PX[0] * 2, THUMB_PX[1] * 2))
        off = np.zeros(8)
        if corners is not None:
            found = cv2.perspectiveTransform(
                np.roll(corners, 2, axis=0)[None] if upside_down else corners[None], matrix
            )
            size = np.array((THUMB_PX[0] * 2, THUMB_PX[1] * 2))
            off = (found[0] / size - _NOMINAL).reshape(-1)
        return PlaceLook(
            image=thumbnail(recoloured(cut, rng)),
            answer=answer,
            upside_down=float(upside_down),
            corners=off.astype(np.float32),
        )

    def symbols(
        self, windows: Sequence[Window], words: Sequence[str], rng: random.Random, shown: float = 1.0
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Places of the upright card, its corners a little off: pictures and words.

        Of places where nothing stands only a share is `shown`.
        """
        assert self.corners is not None, "only cards have symbols"
        height = float(np.linalg.norm(self.corners[3] - self.corners[0]))
        noise = np.array([(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(5)])
        corners = self.corners + height * _OFF * (noise[:4] + 0.7 * noise[4])
        card, _ = _warped(_decoded(self.jpeg), corners, _CARD_PX)
        card = recoloured(card, rng)
        pairs = [
            (window, item)
            for window, item in zip(windows, self._items(windows), strict=True)
            if item is not None or rng.random() < shown
        ]
        cuts = [cut_symbol(card, window) for window, _ in pairs]
        items = [item for _, item in pairs]
        return (
            np.stack(cuts),
            np.array([0 if item is None else words.index(item.kind) for item in items]),
        )

    def _items(self, windows: Sequence[Window]) -> list[Item | None]:
        """What stands in each place: items in their order, each in the first free place for its kind."""
        found: list[Item | None] = [None] * len(windows)
        for name, items in self.fields.items():
            for item in items:
                free = [
                    index
                    for index, window in enumerate(windows)
                    if window.field == name and item.kind in window.items and found[index] is None
                ]
                if free:
                    found[free[0]] = item
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """A part of a table and the pieces on it: kind, x, y."""

    jpeg: NDArray[np.uint8]
    marks: NDArray[np.float32]

    def plain(self) -> tuple[BgrImage, NDArray[np.float32]]:
        return _decoded(self.jpeg), self.marks

    def shown(self, rng: random.Random) -> tuple[BgrImage, NDArray[np.float32]]:
        """A part of it, turned by any angle or mirrored, a little larger or smaller, in another light.

        Mirrored, because the reader of pieces looks at every zone in a mirror as well.
        """
        image, side = _decoded(self.jpeg), SHOWN_PX
        middle = [(length - 1) / 2 + rng.uniform(-0.2, 0.2) * side for length in image.shape[1::-1]]
        angle = rng.choice((0, 90, 180, 270)) + rng.uniform(-20, 20)
        turn = cv2.getRotationMatrix2D((middle[0], middle[1]), angle, rng.uniform(0.9, 1.15))
        turn[:, 2] = turn[:, 2] + (side - 1) / 2 - np.array(middle)
        if rng.random() < 0.5:
            turn[0] = (0, 0, side - 1) - turn[0]
        warped = cv2.warpAffine(image, turn, (side, side), borderMode=cv2.BORDER_REFLECT_101)
        points = self.marks[:, 1:] @ turn[:, :2].T + turn[:, 2]
        inside = ((points > -4) & (points < side + 4)).all(axis=1)
        marks = np.column_stack([self.marks[:, 0], points])[inside].astype(np.float32)
        return recoloured(np.asarray(warped, np.uint8), rng), marks


class Pool:
    """All tables of a folder, those of held-out styles apart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places: list[Place] = []
        self.tested_places: list[Place] = []
        self.patches: list[Patch] = []
        self.kept_patches: list[Patch] = []
        self.tested_patches: list[Patch] = []
        truths = {path.parent: json.loads(path.read_text("utf-8")) for path in folder.glob("*/truth.json")}
        kinds = {kind for truth in truths.values() for patch in truth["patches"] for kind, _, _ in patch}
        self.piece_kinds = tuple(sorted(kinds))
        for number, table in enumerate(sorted(truths)):
            tested = table.name.startswith("held_out")
            for_patches = self.kept_patches if number % KEPT == 0 else self.patches
            places = _places(table, truths[table]["places"])
            (self.tested_places if tested else self.places).extend(places)
            patches = _patches(table, truths[table]["patches"], self.piece_kinds)
            (self.tested_patches if tested else for_patches).extend(patches)


def _places(table: Path, truths: Sequence[dict[str, Any]]) -> list[Place]:
    places = [
        Place(
            jpeg=np.fromfile(table / f"place-{number:03}.jpg", np.uint8),
            answer=truth["answer"],
            place=np.array(truth["place"]),
            corners=np.array(truth["corners"]) if "corners" in truth else None,
            visible=truth.get("visible", 1.0),
            fields={name: parse_items(" ".join(items)) for name, items in truth.get("fields", {}).items()},
        )
        for number, truth in enumerate(truths)
    ]
    return [place for place in places if place.visible >= _HIDDEN]


def _patches(table: Path, truths: Sequence[Any], kinds: Sequence[str]) -> list[Patch]:
    return [
        Patch(
            jpeg=np.fromfile(table / f"patch-{number:03}.jpg", np.uint8),
            marks=np.array([(kinds.index(kind), x, y) for kind, x, y in marks], np.float32).reshape(-1, 3),
        )
        for number, marks in enumerate(truths)
    ]


def recoloured(image: BgrImage, rng: random.Random) -> BgrImage:
    """Another lamp, another sensor, a little out of focus, some grain."""
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    gain = np.array([rng.gauss(1, 0.05) for _ in range(3)], np.float32) * rng.uniform(0.75, 1.25)
    table = 255 * np.clip(levels * gain, 0, 1) ** rng.uniform(0.75, 1.3)
    values = np.asarray(cv2.LUT(image, table.astype(np.uint8).reshape(1, 256, 3)), np.uint8)
    if rng.random() < 0.3:
        values = np.asarray(cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.3)), np.uint8)
    if rng.random() < 0.4:
        start = rng.randrange(len(_GRAIN) - values.size)
        grain = _GRAIN[start : start + values.size].reshape(values.shape)
        grainy = cv2.convertScaleAbs(np.maximum(values + rng.uniform(1, 7) * grain, 0))
        values = np.asarray(grainy, np.uint8)
    return values


def _jittered(place: Points, rng: random.Random) -> Points:
    """A place as it is rectified at the table: with some margin, the board found a little off."""
    size = float(np.linalg.norm(place[3] - place[0]))
    middle = place.mean(axis=0)
    noise = np.array([(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(5)])
    grown = (place - middle) * (1 + 2 * rng.uniform(0.0, 0.09)) + middle
    return np.asarray(grown + noise[4] * 0.02 * size + noise[:4] * 0.005 * size)


def _warped(image: BgrImage, quad: Points, size: tuple[int, int]) -> tuple[BgrImage, Points]:
    width, height = size
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    warped = cv2.warpPerspective(image, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8), np.asarray(matrix)


def _decoded(jpeg: NDArray[np.uint8]) -> BgrImage:
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
