"""A picture of the virtual table and the truth about it: where everything is, and what hides it."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardId, CardKind
from vision.frame import BgrImage, GrayImage
from vision.table import PieceKind, Side, TableLayout, ZoneId, ZoneKind
from vision.virtual.camera import Camera, Quad
from vision.virtual.pieces import Pose, Shapes
from vision.virtual.placing import PieceAt
from vision.virtual.script import SceneState

COVERED_SHARE = 0.04
"""A zone counts as covered when a hand hides at least this share of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTruth:
    card: CardId | None
    kind: CardKind | None
    side: Side
    zone: ZoneId | None
    quad: Quad
    """Top left, top right, bottom right, bottom left of the card's own face, in pixels as taken."""
    top: bool
    """Nothing of its own pile lies on it."""
    tucked: bool
    visible: float
    """The share of its face that can be seen: not below other cards, the board, pieces or a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceTruth:
    kind: PieceKind
    zone: ZoneId | None
    pose: Pose
    base: tuple[float, float]
    """Pixel of the middle of its foot."""
    top: tuple[float, float]
    """Pixel of the point right above, at its full height."""
    box: tuple[float, float, float, float]
    """x0, y0, x1, y1 around all of it."""
    visible: float
    """The share of its picture that no other piece and no hand hides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture and the truth about it."""

    image: BgrImage
    camera: Camera
    homography: NDArray[np.float64]
    """From the board plane to pixels before lens distortion; `camera.distort` does the rest."""
    board: Quad
    zones: dict[ZoneId, Quad]
    cards: tuple[CardTruth, ...]
    pieces: tuple[PieceTruth, ...]
    covered: dict[ZoneId, float]
    """The share of each zone that hand, arm or a carried thing hides, where there is any."""

    def is_covered(self, zone: ZoneId) -> bool:
        return self.covered.get(zone, 0.0) >= COVERED_SHARE


def card_truths(
    state: SceneState, camera: Camera, layout: TableLayout, visible: Mapping[int, float]
) -> tuple[CardTruth, ...]:
    """All cards at rest; `visible` holds by key what can be seen of those on top."""
    spreads = {zone.id for zone in layout.zones if zone.kind is ZoneKind.SPREAD}
    tops = {card.zone: card.key for card in state.cards}
    truths = []
    for card in state.cards:
        corners = camera.project(card.corners(layout.card_width, layout.card_height))
        truths.append(
            CardTruth(
                card=card.card,
                kind=card.kind,
                side=card.side,
                zone=card.zone,
                quad=tuple((float(x), float(y)) for x, y in corners),
                top=card.zone in spreads or tops[card.zone] == card.key,
                tucked=card.tucked,
                visible=visible.get(card.key, 0.0),
            )
        )
    return tuple(truths)


def piece_truth(piece: PieceAt, camera: Camera, shapes: Shapes, visible: Mapping[int, float]) -> PieceTruth:
    shape = shapes[piece.kind]
    body = shape.body(piece.pose).moved(piece.x, piece.y, piece.z, piece.angle_deg)
    pixels = camera.project(np.concatenate([body.front, body.back]))
    high = piece.z + shape.height(piece.pose)
    base, top = camera.project([(piece.x, piece.y, piece.z), (piece.x, piece.y, high)])
    x0, y0 = pixels.min(axis=0)
    x1, y1 = pixels.max(axis=0)
    return PieceTruth(
        kind=piece.kind,
        zone=piece.zone,
        pose=piece.pose,
        base=(float(base[0]), float(base[1])),
        top=(float(top[0]), float(top[1])),
        box=(float(x0), float(y0), float(x1), float(y1)),
        visible=visible.get(piece.key, 0.0),
    )


def covered_shares(zones: Mapping[ZoneId, Quad], cover: GrayImage) -> dict[ZoneId, float]:
    """The share of each zone below the hand's picture, for zones where there is any."""
    if not cover.any():
        return {}
    shares = {}
    height, width = cover.shape
    for zone, quad in zones.items():
        corners = np.round(np.array(quad)).astype(np.int32)
        x0, y0 = np.clip(corners.min(axis=0), 0, (width, height))
        x1, y1 = np.clip(corners.max(axis=0) + 1, 0, (width, height))
        inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
        if inside.size:
            cv2.fillConvexPoly(inside, corners - np.array([x0, y0], np.int32), (1,))
            share = float((cover[y0:y1, x0:x1][inside > 0] > 127).mean()) if inside.any() else 0.0
            if share > 0:
                shares[zone] = share
    return shares
