"""Cards, piles and pieces at rest: a shadow and cut-outs that can be laid over the frame again and again."""

import math
import zlib
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table import TableLayout
from vision.virtual.bodies import piece_shade, piece_sprite, pixels_per_unit, soft_shade
from vision.virtual.pieces import Shapes
from vision.virtual.placing import CARD_THICKNESS, CardAt, PieceAt
from vision.virtual.sprite import (
    Finish,
    Shade,
    Sprite,
    Stage,
    Texture,
    Window,
    bytes_of,
    canvas_points,
    fill_points,
    union,
)
from vision.virtual.textures import Textures

_CORNER = 0.05
"""Radius of a card's corners, as a share of its width."""
_FINE = 2
_SLEEVE_MARGIN = 0.0045
_FILM_ALPHA = 14
_FILM_GLOSS = 10.0
"""The film hardly covers what is below it, so its glare must be strong to be seen at all."""
_BULGING = 0.4


@dataclass(frozen=True, slots=True)
class Thing:
    """Something drawn as a whole; `window` is everything it may change in the frame."""

    window: Window
    shade: Shade | None
    sprites: tuple[Sprite, ...]
    face: int = 0
    """Which of the sprites shows the top card, or the piece itself."""


class ThingMaker:
    """Draws cards and pieces of one table for one camera and light."""

    def __init__(
        self,
        stage: Stage,
        layout: TableLayout,
        textures: Textures,
        shapes: Shapes,
        *,
        sleeves: bool = False,
        card_tone: float = 1.0,
        piece_tone: float = 0.06,
        seed: int = 0,
    ) -> None:
        self._stage = stage
        self._layout = layout
        self._textures = textures
        self._shapes = shapes
        self._sleeves = sleeves
        self._card_tone = card_tone
        self._piece_tone = piece_tone
        self._seed = seed
        self._loaded: dict[object, Texture] = {}
        self._film = Texture(_film())

    def pile(self, cards: tuple[CardAt, ...], ground: float) -> Thing | None:
        """Cards on top of each other; only the top face and the edges of the others are seen."""
        top = cards[-1]
        face = self._face(top)
        if face is None:
            return None
        shade = self._card_shade(cards, ground)
        sprites = [face]
        if len(cards) > 1:
            edges = self._edges(cards)
            sprites = [edges, face] if edges is not None else [face]
        if self._sleeves:
            film = self._sleeve(top)
            sprites += [film] if film else []
        windows = [sprite.window for sprite in sprites] + ([shade.window] if shade else [])
        return Thing(
            union(windows), shade, tuple(sprites), face=int(len(sprites) > 1 and sprites[0] is not face)
        )

    def piece(self, piece: PieceAt, ground: float) -> Thing | None:
        shape = self._shapes[piece.kind]
        body = shape.body(piece.pose).moved(piece.x, piece.y, piece.z, piece.angle_deg)
        chance = _chance(self._seed, piece.key)
        sprite = piece_sprite(
            self._stage,
            shape,
            body,
            tone=1 + self._piece_tone * (2 * chance - 1),
            seed=self._seed + piece.key,
        )
        if sprite is None:
            return None
        shade = piece_shade(self._stage, body, ground)
        return Thing(union([sprite.window] + ([shade.window] if shade else [])), shade, (sprite,))

    def _face(self, card: CardAt) -> Sprite | None:
        corners = card.corners(self._layout.card_width, self._layout.card_height)
        finish = Finish(gloss=0.34, roughness=0.17, tilt=self._tilt(card))
        return self._stage.flat(self._texture(card), corners, finish, fine=_FINE)

    def _sleeve(self, card: CardAt) -> Sprite | None:
        margin = 2 * _SLEEVE_MARGIN
        corners = card.corners(
            self._layout.card_width + margin, self._layout.card_height + margin, lift=0.0003
        )
        finish = Finish(gloss=_FILM_GLOSS, roughness=0.013, tilt=self._film_tilt(card))
        return self._stage.flat(self._film, corners, finish, fine=_FINE)

    def _film_tilt(self, card: CardAt) -> tuple[float, float]:
        """Sleeves bulge: some show the lamp as a hard bright spot wherever they lie."""
        if _chance(self._seed, card.key, 4) > _BULGING:
            return self._tilt(card)
        pixel = self._stage.camera.project([(card.x, card.y, card.z)])[0]
        across, along = self._stage.maps.slopes_at(float(pixel[0]), float(pixel[1]))
        off_x, off_y = (0.09 * (_chance(self._seed, card.key, n) - 0.5) for n in (5, 6))
        return across + off_x, along + off_y

    def _tilt(self, card: CardAt) -> tuple[float, float]:
        """No card lies quite flat, so each glares elsewhere."""
        return (
            0.05 * (2 * _chance(self._seed, card.key, 1) - 1),
            0.05 * (2 * _chance(self._seed, card.key, 2) - 1),
        )

    def _texture(self, card: CardAt) -> Texture:
        name = (card.card, card.kind, card.side)
        if name not in self._loaded:
            picture = self._textures.card(card.card, card.kind, card.side)
            if self._card_tone != 1:
                picture = picture.copy()
                picture[..., :3] = cv2.convertScaleAbs(picture[..., :3], alpha=self._card_tone)
            self._loaded[name] = Texture(picture)
        return self._loaded[name]

    def _edges(self, cards: tuple[CardAt, ...]) -> Sprite | None:
        """The white sides of the cards below the top one."""
        outlines = [self._stage.camera.project(self._outline(card)) for card in cards]
        window = self._stage.window(np.concatenate(outlines))
        if window is None:
            return None
        size = ((window[3] - window[1]) * _FINE, (window[2] - window[0]) * _FINE)
        colour, alpha = np.zeros((*size, 3), np.uint8), np.zeros(size, np.uint8)
        middle = outlines[-1].mean(axis=0)
        light = self._stage.maps.at(middle[0], middle[1]) * 255
        for card, outline in zip(cards, outlines, strict=True):
            level = 0.62 + 0.22 * _chance(self._seed, card.key, 3)
            blue, green, red = (int(min(255.0, float(c) * level)) for c in light)
            points = canvas_points(outline, window, _FINE)
            fill_points(colour, points, (blue, green, red))
            fill_points(alpha, points, 255)
        small = (window[2] - window[0], window[3] - window[1])
        return Sprite(
            window,
            bytes_of(cv2.resize(colour, small, interpolation=cv2.INTER_AREA)),
            bytes_of(cv2.resize(alpha, small, interpolation=cv2.INTER_AREA)),
        )

    def _outline(self, card: CardAt, z: float | None = None) -> NDArray[np.float64]:
        corners = card.corners(self._layout.card_width, self._layout.card_height)
        if z is not None:
            corners[:, 2] = z
        return rounded_outline(corners, _CORNER * self._layout.card_width)

    def _card_shade(self, cards: tuple[CardAt, ...], ground: float) -> Shade | None:
        stage, light = self._stage, self._stage.maps.light
        top, bottom = cards[-1], cards[0]
        height = top.z + CARD_THICKNESS - ground
        shift = light.shadow_shift(top.x, top.y)
        fallen = self._outline(top, ground) + np.array([height * shift[0], height * shift[1], 0.0])
        base = self._outline(bottom, ground)
        scale = pixels_per_unit(stage, base.mean(axis=0))
        cast = [stage.camera.project(fallen), stage.camera.project(base)]
        blur = max(0.7, (0.4 * CARD_THICKNESS + light.softness * height) * scale)
        lifted = bottom.z > ground + 0.01
        seam = [] if lifted else [stage.camera.project(base)]
        return soft_shade(
            stage, cast[:1] if lifted else cast, seam, light, blur=blur, contact=max(0.8, 0.0018 * scale)
        )


def rounded_outline(corners: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """A sheet's outline with three points around each corner."""
    points = []
    for i in range(4):
        corner = corners[i]
        before, behind = corners[i - 1] - corner, corners[(i + 1) % 4] - corner
        before, behind = before / np.linalg.norm(before), behind / np.linalg.norm(behind)
        for turn in (0.0, math.pi / 6, math.pi / 3, math.pi / 2):
            points.append(corner + radius * ((1 - math.sin(turn)) * before + (1 - math.cos(turn)) * behind))
    return np.array(points)


@lru_cache(maxsize=1)
def _film() -> NDArray[np.uint8]:
    """A clear sleeve: hardly there, with a seam at its rim."""
    film = np.zeros((420, 280, 4), np.uint8)
    film[..., :3] = 235
    film[..., 3] = _FILM_ALPHA
    cv2.rectangle(film, (1, 1), (278, 418), (240, 240, 240, 90), 2)
    return film


def _chance(*parts: int) -> float:
    """A number from 0 to 1 that belongs to these keys."""
    return zlib.crc32(repr(parts).encode()) / 0xFFFFFFFF
