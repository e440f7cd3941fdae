"""What a reader without any learning would do: correlation with our own drawings."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.photographs import COUNTED, ITEM_KINDS, anatomy, draw_card
from vision.cards import CardId, CardKind, CardPack, Item
from vision.cuts import NUMBER_PX, NUMBER_WINDOW
from vision.frame import BgrImage
from vision.scan import WINDOW, WINDOW_PX
from vision.virtual.drawing import blend
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.looks import GlyphLook
from vision.virtual.styles import FaceStyle

_SMALL = (16, 20)


def signature(image: BgrImage, size: tuple[int, int] = _SMALL) -> NDArray[np.float32]:
    """Colours of a small copy, freed of brightness and contrast."""
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32).reshape(-1)
    small -= small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)


class ItemTemplates:
    """Every item in our house drawing, on every ground that it is printed on."""

    def __init__(self) -> None:
        style = FaceStyle()
        size = 2 * round(WINDOW_PX / WINDOW / 2)
        self._items: list[Item] = []
        rows = []
        for kind in ITEM_KINDS:
            for count in (1, 2, 3, 4) if kind in COUNTED else (1,):
                for ground in (style.paper, style.wood, style.cloth, (96, 140, 60)):
                    canvas = np.full((WINDOW_PX, WINDOW_PX, 3), ground[::-1], np.uint8)
                    number = 12 if kind == "turtle" else None
                    blend(canvas, item_glyph(Item(kind, count, number), size, GlyphLook()), (16, 16))
                    rows.append(signature(canvas))
                    self._items.append(Item(kind, count))
        self._rows = np.stack(rows)

    def read(self, window: BgrImage) -> Item:
        return self._items[int((self._rows @ signature(window)).argmax())]


class NumberTemplates:
    """All numbers in our house hand, on a stone and on a turtle."""

    def __init__(self) -> None:
        rows = []
        for kind, zoom in (("stone", 1.0), ("turtle", 0.78)):
            for number in range(200):
                size = 2 * round(NUMBER_PX / NUMBER_WINDOW / zoom / 2)
                canvas = np.full((NUMBER_PX, NUMBER_PX, 3), FaceStyle().wood[::-1], np.uint8)
                blend(
                    canvas, symbol_glyph(kind, size, GlyphLook(), str(number)), (NUMBER_PX / 2, NUMBER_PX / 2)
                )
                rows.append(signature(canvas, (NUMBER_PX, NUMBER_PX)))
        self._rows = np.stack(rows)

    def read(self, window: BgrImage) -> int:
        return int((self._rows @ signature(window, (NUMBER_PX, NUMBER_PX))).argmax()) % 200


class CardTemplates:
    """All cards of a pack in our house style, very small."""

    def __init__(self, pack: CardPack) -> None:
        self._cards = [card for card in pack.cards if card.kind in anatomy()]
        self._rows = np.stack(
            [signature(draw_card(card, FaceStyle()).image[..., :3]) for card in self._cards]
        )

    def read(self, card: BgrImage, kind: CardKind) -> CardId:
        scores = self._rows @ signature(card)
        fitting = [index for index, known in enumerate(self._cards) if known.kind == kind]
        return self._cards[max(fitting, key=lambda index: float(scores[index]))].id
