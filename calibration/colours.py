"""The colours of this player's pieces in this light: learnt by taps on pieces, checked by printed icons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.gametable import Icon
from calibration.profile import LearntColour
from vision.frame import BgrImage
from vision.pose import Pose
from vision.rectify import rectify
from vision.table import PieceKind, Rect

ALIKE = 12.0
"""Two colours nearer than this (CIE Lab) are the same to a camera."""
_CLEARLY = 25.0
"""By so much a colour must be nearer to another kind's: wood and print never have the same."""
_PATCH_PX = 24
_MOST_GAIN = 1.8


def colour_at(
    image: BgrImage, pose: Pose, x: float, y: float, size: float = 0.012
) -> tuple[float, float, float]:
    """The colour of the thing at a point of the table, as red, green, blue; shadow and glints left out."""
    patch = rectify(
        image, pose, Rect(x - size / 2, y - size / 2, x + size / 2, y + size / 2), _PATCH_PX / size
    )
    return _main_colour(patch.image.reshape(-1, 3))


def icon_colours(
    image: BgrImage, pose: Pose, icons: Sequence[Icon], wanted: Sequence[PieceKind]
) -> tuple[LearntColour, ...]:
    """From icons printed on the board: for each kind the middle of all its icons that are in view."""
    learnt = []
    for kind in wanted:
        seen = [
            colour_at(image, pose, icon.x, icon.y, icon.size * 0.5)
            for icon in icons
            if str(icon.kind) == str(kind) and pose.in_view(icon.rect)
        ]
        if seen:
            red, green, blue = np.median(np.array(seen), axis=0)
            learnt.append(LearntColour(piece=kind, rgb=(float(red), float(green), float(blue))))
    return tuple(learnt)


def alike(colours: Sequence[LearntColour]) -> tuple[tuple[PieceKind, PieceKind], ...]:
    """Pairs of kinds whose learnt colours a camera could take for each other."""
    lab = [_lab(colour.rgb) for colour in colours]
    return tuple(
        (colours[i].piece, colours[j].piece)
        for i in range(len(colours))
        for j in range(i + 1, len(colours))
        if float(np.linalg.norm(lab[i] - lab[j])) < ALIKE
    )


def mistaken(
    tapped: Sequence[LearntColour], printed: Sequence[LearntColour]
) -> tuple[tuple[PieceKind, PieceKind], ...]:
    """Kinds whose tapped piece looks clearly more like the printed icon of another: what was tapped?"""
    icons = {colour.piece: _lab(colour.rgb) for colour in printed}
    pairs = []
    for colour in tapped:
        apart = {kind: float(np.linalg.norm(lab - _lab(colour.rgb))) for kind, lab in icons.items()}
        if colour.piece in apart:
            nearest = min(apart, key=lambda kind: apart[kind])
            if apart[nearest] + _CLEARLY < apart[colour.piece]:
                pairs.append((colour.piece, nearest))
    return tuple(pairs)


@dataclass(frozen=True, slots=True)
class Recolour:
    """Makes a picture look as if taken in the light that the networks know: one gain for each channel."""

    gains: tuple[float, float, float]
    """For blue, green, red."""

    @classmethod
    def fitted(
        cls, learnt: Sequence[LearntColour], usual: Mapping[PieceKind, tuple[float, float, float]]
    ) -> "Recolour":
        """`usual` says how the same pieces look to the networks, as red, green and blue."""
        pairs = [(colour.rgb, usual[colour.piece]) for colour in learnt if colour.piece in usual]
        if len(pairs) < 3:
            return cls((1.0, 1.0, 1.0))
        seen, known = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
        gains = (seen * known).sum(axis=0) / np.maximum(np.square(seen).sum(axis=0), 1.0)
        red, green, blue = np.clip(gains, 1 / _MOST_GAIN, _MOST_GAIN)
        return cls((float(blue), float(green), float(red)))

    @property
    def changes_nothing(self) -> bool:
        return self.gains == (1.0, 1.0, 1.0)

    def __call__(self, image: BgrImage) -> BgrImage:
        tables = [np.clip(np.arange(256) * gain, 0, 255).astype(np.uint8) for gain in self.gains]
        return np.asarray(cv2.LUT(image, np.stack(tables, axis=-1).reshape(256, 1, 3)), np.uint8)


def _main_colour(pixels: NDArray[np.uint8]) -> tuple[float, float, float]:
    """The middle of the pixels between the darkest and the brightest quarter."""
    light = pixels.astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32)
    low, high = np.quantile(light, (0.25, 0.75))
    kept = pixels[(light >= low) & (light <= high)]
    blue, green, red = np.median(kept, axis=0)
    return float(red), float(green), float(blue)


def _lab(rgb: tuple[float, float, float]) -> NDArray[np.float32]:
    pixel = np.array([[rgb[::-1]]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0], np.float32)
