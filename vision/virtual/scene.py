"""The virtual table as one camera sees it: draws a state of it, and knows the truth about each picture."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage, GrayImage
from vision.table import Rect, TableLayout, TableView, ZoneId, ZoneKind
from vision.virtual.bodies import pixels_per_unit, soft_shade
from vision.virtual.camera import put_up, rect_corners
from vision.virtual.hand import hand_corners, hand_shade, hand_sprite, hand_texture
from vision.virtual.light import LightMaps
from vision.virtual.pieces import Shapes
from vision.virtual.placing import (
    BOARD_THICKNESS,
    TABLE_Z,
    CardAt,
    PieceAt,
    Placements,
    on_board,
    painting_order,
)
from vision.virtual.scene_style import SceneStyle
from vision.virtual.script import SceneState, at_rest
from vision.virtual.sensor import Chip
from vision.virtual.shot import Shot, card_truths, covered_shares, piece_truth
from vision.virtual.sprite import Finish, Shade, Sprite, Stage, Texture, Window, bytes_of, intersection, union
from vision.virtual.textures import Textures
from vision.virtual.things import Thing, ThingMaker, rounded_outline

__all__ = ["Scene", "Shot", "table_extent"]


class Scene:
    """One table, one camera. States may come in any order; what did not change is not drawn again."""

    def __init__(
        self,
        layout: TableLayout,
        textures: Textures,
        shapes: Shapes,
        style: SceneStyle,
        papers: Sequence[tuple[Rect, BgrImage]] = (),
    ) -> None:
        """`papers` lie flat on the table top: printed markers, a sheet for the lens."""
        self.layout = layout
        self.papers = tuple(papers)
        self.textures = textures
        self.shapes = shapes
        self.style = style
        self.camera = put_up(style.stand, table_extent(layout, whole=style.stand.whole))
        self._zones = {zone.id: zone for zone in layout.zones}
        self._stage = Stage(self.camera, LightMaps(style.light, self.camera))
        self._maker = ThingMaker(
            self._stage,
            layout,
            textures,
            shapes,
            sleeves=style.sleeves,
            card_tone=style.card_tone,
            piece_tone=style.piece_tone,
            seed=style.seed,
        )
        self._chip = Chip(style.sensor, self.camera.width, self.camera.height, style.seed)
        self._hands: dict[bool, Texture] = {}
        self._shoulder = (
            layout.board.centre[0] + (-0.16 if style.hand.left else 0.16),
            max([layout.board.y1, *(zone.rect.y1 for zone in layout.zones)]) + 0.8,
        )
        self._bare, self._board_alpha, self._board_shade = self._draw_bare(textures)
        self._things: dict[Hashable, Thing] = {}
        self._shown: tuple[tuple[CardAt, ...], tuple[PieceAt, ...]] = ((), ())
        self._calm = self._bare.copy()
        self._soft = self._chip.focus(self._bare)

    def lay(self, view: TableView, seed: int) -> Placements:
        """The things of a view, put on this table by its player."""
        placements = Placements(
            self.layout, self.shapes, seed=seed, untidy=self.style.untidy, kind_of=self.textures.kind
        )
        placements.lay(view)
        return placements

    def shoot_view(self, view: TableView, seed: int) -> Shot:
        return self.shoot(at_rest(self.lay(view, seed)), moment=seed)

    def shoot(self, state: SceneState, *, moment: int = 0, motion: tuple[float, float] = (0.0, 0.0)) -> Shot:
        """A picture of the state with everything there is to know about it."""
        image = self.render(state, moment=moment, motion=motion)
        cover = self._cover(self._hand_layers(state, (0.0, 0.0))[1])
        visible = self._visible_shares(state, cover)
        zones = {
            zone.id: self.camera.rect_quad(zone.rect, 0.0 if on_board(self.layout, zone) else TABLE_Z)
            for zone in self.layout.zones
        }
        return Shot(
            image=image,
            camera=self.camera,
            homography=self.camera.homography(),
            board=self.camera.rect_quad(self.layout.board),
            zones=zones,
            cards=card_truths(state, self.camera, self.layout, visible),
            pieces=tuple(piece_truth(piece, self.camera, self.shapes, visible) for piece in state.pieces),
            covered=covered_shares(zones, cover),
        )

    def render(
        self, state: SceneState, *, moment: int = 0, motion: tuple[float, float] = (0.0, 0.0)
    ) -> BgrImage:
        """Only the picture; `moment` seeds its noise, `motion` is the hand's way in pixels while exposing."""
        self._update_calm(state)
        frame = self._soft.copy()
        shades, sprites = self._hand_layers(state, motion)
        for shade in shades:
            shade.paint(frame)
        for sprite in sprites:
            sprite.paint(frame)
        return self._chip.expose(frame, moment)

    def _draw_bare(self, textures: Textures) -> tuple[BgrImage, GrayImage, GrayImage]:
        """Table top and board with nothing on them; also where the board is and what its shadow leaves."""
        stage, board = self._stage, self.layout.board
        mat = self.style.mat
        frame = stage.tiled(mat.tile(), mat.tile_width, TABLE_Z, Finish(gloss=mat.gloss, roughness=0.3))
        for rect, picture in self.papers:
            corners = np.array([(x, y, TABLE_Z) for x, y in rect_corners(rect)])
            paper = stage.flat(Texture(picture), corners, Finish(gloss=0.03, roughness=0.4), fine=2)
            if paper is not None:
                paper.paint(frame)
        face = np.array([(x, y, 0.0) for x, y in rect_corners(board)])
        whole = (0, 0, self.camera.width, self.camera.height)
        shadow = np.full(frame.shape[:2], 255, np.uint8)
        shade = _board_shade(stage, face)
        if shade is not None:
            x0, y0, x1, y1 = shade.window
            shadow[y0:y1, x0:x1] = shade.factor
            shade.paint(frame)
        foot = rounded_outline(face - np.array([0, 0, BOARD_THICKNESS]), 0.004)
        edge = [stage.camera.project(foot + np.array([0, 0, BOARD_THICKNESS * k / 6])) for k in range(6)]
        side = stage.mask(edge, whole, 1)
        Sprite(whole, _tinted(side, stage, (0.30, 0.36, 0.40)), side).paint(frame)
        sprite = stage.flat(Texture(textures.board()), face, Finish(gloss=0.22, roughness=0.2), fine=2)
        alpha = side.copy()
        if sprite is not None:
            sprite.paint(frame)
            x0, y0, x1, y1 = sprite.window
            alpha[y0:y1, x0:x1] = cv2.max(alpha[y0:y1, x0:x1], sprite.alpha)
        return frame, alpha, shadow

    def _update_calm(self, state: SceneState) -> None:
        """Draw again only where something came, went or moved."""
        if state.cards == self._shown[0] and state.pieces == self._shown[1]:
            return
        self._shown = (state.cards, state.pieces)
        wanted = dict.fromkeys(self._arranged(state))
        dirty = [thing.window for key, thing in self._things.items() if key not in wanted]
        things: dict[Hashable, Thing] = {}
        for key in wanted:
            thing = self._things.get(key)
            if thing is None:
                thing = self._make(key)
                if thing is None:
                    continue
                dirty.append(thing.window)
            things[key] = thing
        self._things = things
        for window in _merged(dirty):
            self._repaint(window)

    def _repaint(self, window: Window) -> None:
        x0, y0, x1, y1 = window
        self._calm[y0:y1, x0:x1] = self._bare[y0:y1, x0:x1]
        cards = [thing for key, thing in self._things.items() if not isinstance(key, PieceAt)]
        pieces = [thing for key, thing in self._things.items() if isinstance(key, PieceAt)]
        for thing in cards:
            for layer in (thing.shade, *thing.sprites):
                if layer is not None:
                    layer.paint(self._calm, window)
        for thing in pieces:
            if thing.shade is not None:
                thing.shade.paint(self._calm, window)
        for thing in pieces:
            for sprite in thing.sprites:
                sprite.paint(self._calm, window)
        pad = 4
        around = (max(0, x0 - pad), max(0, y0 - pad), x1 + pad, y1 + pad)
        soft = self._chip.focus(self._calm[around[1] : around[3], around[0] : around[2]])
        self._soft[y0:y1, x0:x1] = soft[y0 - around[1] : y1 - around[1], x0 - around[0] : x1 - around[0]]

    def _arranged(self, state: SceneState) -> list[Hashable]:
        """Everything at rest in the order in which it must be painted."""
        piles: dict[ZoneId | None, list[CardAt]] = {}
        for card in state.cards:
            piles.setdefault(card.zone, []).append(card)
        keys: list[Hashable] = []
        for zone, cards in piles.items():
            if zone is not None and self._zones[zone].kind is ZoneKind.SPREAD:
                keys += [(card,) for card in cards]
            else:
                keys.append(tuple(cards))
        keys.sort(key=lambda key: isinstance(key, tuple) and not key[0].tucked)
        return [*keys, *painting_order(state.pieces, self.shapes, self.camera.foot)]

    def _make(self, key: Hashable) -> Thing | None:
        if isinstance(key, PieceAt):
            return self._maker.piece(key, key.z)
        assert isinstance(key, tuple), "things at rest are pieces or piles"
        thing = self._maker.pile(key, min(key[0].z, 0.0) if key[0].z < 0 else 0.0)
        return self._under_board(thing) if thing is not None and key[0].tucked else thing

    def _under_board(self, thing: Thing) -> Thing:
        """A tucked card: the board hides its upper part and shades the rest."""
        shade = thing.shade
        if shade is not None:
            x0, y0, x1, y1 = shade.window
            shade = Shade(shade.window, bytes_of(cv2.max(shade.factor, self._board_alpha[y0:y1, x0:x1])))
        sprites = []
        for sprite in thing.sprites:
            x0, y0, x1, y1 = sprite.window
            seen = cv2.bitwise_not(self._board_alpha[y0:y1, x0:x1])
            lit = cv2.multiply(seen, self._board_shade[y0:y1, x0:x1], scale=1 / 255)
            colour = cv2.multiply(sprite.colour, cv2.cvtColor(lit, cv2.COLOR_GRAY2BGR), scale=1 / 255)
            alpha = cv2.multiply(sprite.alpha, seen, scale=1 / 255)
            sprites.append(Sprite(sprite.window, bytes_of(colour), bytes_of(alpha)))
        return replace(thing, shade=shade, sprites=tuple(sprites))

    def _hand_layers(
        self, state: SceneState, motion: tuple[float, float]
    ) -> tuple[list[Shade], list[Sprite]]:
        hand = state.hand
        if hand is None:
            return [], []
        things = [self._maker.pile(hand.cards, TABLE_Z)] if hand.cards else []
        things += [self._maker.piece(piece, TABLE_Z) for piece in hand.pieces]
        shades = [thing.shade for thing in things if thing is not None and thing.shade is not None]
        sprites = [sprite for thing in things if thing is not None for sprite in thing.sprites]
        texture = self._hand_texture(hand.closed)
        corners = hand_corners(hand, self.style.hand, self._shoulder)
        shade = hand_shade(self._stage, texture, corners, TABLE_Z)
        sprite = hand_sprite(self._stage, texture, corners, motion)
        return shades + ([shade] if shade else []), sprites + ([sprite] if sprite else [])

    def _hand_texture(self, closed: bool) -> Texture:
        if closed not in self._hands:
            self._hands[closed] = hand_texture(self.style.hand, self.style.light, closed, self.style.seed)
        return self._hands[closed]

    def _cover(self, sprites: list[Sprite]) -> GrayImage:
        cover = np.zeros((self.camera.height, self.camera.width), np.uint8)
        for sprite in sprites:
            x0, y0, x1, y1 = sprite.window
            cover[y0:y1, x0:x1] = cv2.max(cover[y0:y1, x0:x1], sprite.alpha)
        return cover

    def _visible_shares(self, state: SceneState, cover: GrayImage) -> dict[int, float]:
        """By key: what part of each top card and each piece is left to see once all is painted."""
        labels = np.zeros(cover.shape, np.int32)
        whole: dict[int, float] = {}
        for key, thing in self._things.items():
            own = key.key if isinstance(key, PieceAt) else cast(tuple[CardAt, ...], key)[-1].key
            for index, sprite in enumerate(thing.sprites):
                x0, y0, x1, y1 = sprite.window
                inside = sprite.alpha > 127
                labels[y0:y1, x0:x1][inside] = own if index == thing.face else -1
                if index == thing.face:
                    whole[own] = float(inside.sum())
        for card in state.cards:
            if card.tucked and card.key in whole:
                corners = self.camera.project(card.corners(self.layout.card_width, self.layout.card_height))
                whole[card.key] = float(cv2.contourArea(corners.astype(np.float32)))
        labels[cover > 127] = -1
        seen = np.bincount(labels[labels > 0], minlength=1)
        return {
            key: min(1.0, float(seen[key]) / max(area, 1.0)) if key < len(seen) else 0.0
            for key, area in whole.items()
        }


def table_extent(layout: TableLayout, *, whole: bool = True) -> Rect:
    """The part of the table that should be in view, with or without what need not be."""
    rects = [layout.board, *(zone.rect for zone in layout.zones if whole or not zone.optional)]
    return Rect(
        min(rect.x0 for rect in rects),
        min(rect.y0 for rect in rects),
        max(rect.x1 for rect in rects),
        max(rect.y1 for rect in rects),
    )


def _board_shade(stage: Stage, face: NDArray[np.float64]) -> Shade | None:
    light = stage.maps.light
    shift = light.shadow_shift(float(face[:, 0].mean()), float(face[:, 1].mean()))
    foot = face - np.array([0, 0, BOARD_THICKNESS])
    fallen = foot + np.array([BOARD_THICKNESS * shift[0], BOARD_THICKNESS * shift[1], 0.0])
    base = stage.camera.project(foot)
    scale = pixels_per_unit(stage, foot.mean(axis=0))
    blur = max(0.8, light.softness * BOARD_THICKNESS * 2 * scale)
    return soft_shade(
        stage, [stage.camera.project(fallen), base], [base], light, blur=blur, contact=0.003 * scale
    )


def _tinted(mask: GrayImage, stage: Stage, colour: tuple[float, float, float]) -> BgrImage:
    lit = stage.maps.brightness * np.array(colour, np.float32)
    return np.asarray(np.clip(lit * mask[..., None], 0, 255), np.uint8)


def _merged(windows: list[Window]) -> list[Window]:
    """Windows that overlap, made one."""
    merged: list[Window] = []
    for window in windows:
        touching = [other for other in merged if intersection(other, window)]
        while touching:
            merged = [other for other in merged if other not in touching]
            window = union([window, *touching])
            touching = [other for other in merged if intersection(other, window)]
        merged.append(window)
    return merged
