"""A game's own table: its cards and board drawn from their facts, its pieces from their shapes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from vision.anatomy import Anatomy, load_anatomy
from vision.cards import CardFacts, CardId, CardKind, CardPack
from vision.frame import BgrImage
from vision.table import PieceKind, Rect, Side, TableLayout
from vision.virtual.board import board_face
from vision.virtual.boardart import BoardArt, load_board_art
from vision.virtual.drawing import BgraImage
from vision.virtual.faces import card_back, card_face
from vision.virtual.looks import HELD_OUT
from vision.virtual.pieces import PieceShape, load_shapes
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.sprite import bytes_of
from vision.virtual.styles import FaceStyle
from vision.virtual.svg import offer_symbols

_CARD_PX = 560
_BOARD_PX = 2600


@dataclass(frozen=True, slots=True, kw_only=True)
class TableArt:
    """What a game's folder says about how its things look."""

    anatomy: Anatomy
    board: BoardArt
    shapes: dict[PieceKind, PieceShape]


def load_table_art(folder: Path) -> TableArt:
    offer_symbols(folder / "symbols")
    return TableArt(
        anatomy=load_anatomy(folder / "anatomy.toml"),
        board=load_board_art(folder / "boardart.toml"),
        shapes=load_shapes(folder / "pieces.toml"),
    )


def drawn_scene(
    layout: TableLayout,
    pack: CardPack,
    art: TableArt,
    style: SceneStyle,
    papers: Sequence[tuple[Rect, BgrImage]] = (),
) -> Scene:
    """The table of a game as one camera sees it."""
    return Scene(layout, DrawnTextures(pack, art, face_style(style)), art.shapes, style, papers)


def face_style(style: SceneStyle) -> FaceStyle:
    """How cards and board are printed on a table of this style; pictures stay those of the cards."""
    if not style.faces:
        return FaceStyle()
    if style.faces_split is Split.HELD_OUT:
        return FaceStyle.sample(HELD_OUT + style.faces, strange_pictures=0.0)
    return FaceStyle.sample(style.faces, strange_pictures=0.0)


class DrawnTextures:
    """The printed sides of a pack's cards; a card that nobody has read shows its kind and nothing more."""

    def __init__(self, pack: CardPack, art: TableArt, style: FaceStyle) -> None:
        self._pack = pack
        self._art = art
        self._style = style

    def kind(self, card: CardId) -> CardKind | None:
        return self._pack[card].kind if card in self._pack else None

    def card(self, card: CardId | None, kind: CardKind | None, side: Side) -> BgraImage:
        facts = self._facts(card, kind)
        if side is Side.DOWN:
            return card_back(facts.kind, self._art.anatomy, height_px=_CARD_PX, style=self._style)
        return card_face(facts, self._art.anatomy, height_px=_CARD_PX, style=self._style)

    def board(self) -> BgraImage:
        picture = board_face(self._art.board, _BOARD_PX, self._style)
        return bytes_of(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA))

    def _facts(self, card: CardId | None, kind: CardKind | None) -> CardFacts:
        if card is not None and card in self._pack:
            return self._pack[card]
        if kind is None:
            raise ValueError(f"expected a card of the pack {self._pack.name!r} or its kind, found {card!r}")
        return CardFacts(id=card or CardId(f"unread-{kind}"), kind=kind)
