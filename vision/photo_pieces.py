"""Which cards and which pieces of one photograph can be true together: their sizes tell."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.middle import median
from vision.near import NearPiece
from vision.photo_cards import PhotoCard

CARD_MM = 66.0
"""How wide cards are, more or less."""
_OTHER_SIZE = 1.9
"""Nothing beside a card is so many times larger or smaller than it should be: one of the two is print."""
_FIRM_ITEMS = 4
"""A card on which so much can be read is one, whatever lies around it."""
_ALIKE = 1.5
_FEWEST = 3
"""So many sure pieces that agree about their size outweigh cards that nobody can read."""
_SURE = 0.8


def agreeing(
    cards: Sequence[PhotoCard], pieces: Sequence[NearPiece]
) -> tuple[tuple[PhotoCard, ...], tuple[NearPiece, ...]]:
    """Without print that looks like a card, and without print that looks like a piece.

    What lies on a card, or is too large or small beside it, is no piece; but parts of a board that seem to be
    cards of another size than several sure pieces are no cards.
    """
    scale = _told_by(pieces)
    if scale is not None and not any(_is_firm(card) for card in cards):
        cards = [card for card in cards if _fits(_scale_of(card), scale)]
    by_cards = float(median(np.array([_scale_of(card) for card in cards]))) if cards else None
    beside = [
        piece
        for piece in pieces
        if not any(_lies_on(piece, card) for card in cards)
        and (by_cards is None or _fits(piece.size, by_cards))
    ]
    return tuple(cards), tuple(beside)


def _told_by(pieces: Sequence[NearPiece]) -> float | None:
    """Pixels to a millimetre, if enough sure pieces agree about it."""
    sizes = [piece.size for piece in pieces if piece.p >= _SURE]
    if not sizes:
        return None
    middle = float(median(np.array(sizes)))
    agreed = [size for size in sizes if 1 / _ALIKE < size / middle < _ALIKE]
    return middle if len(agreed) >= max(_FEWEST, 0.75 * len(sizes)) else None


def _is_firm(card: PhotoCard) -> bool:
    return card.known or card.items_read >= _FIRM_ITEMS


def _scale_of(card: PhotoCard) -> float:
    """Pixels to a millimetre, by its width."""
    quad = np.array(card.quad.corners)
    return float(np.linalg.norm(quad[[1, 2]] - quad[[0, 3]], axis=1).mean()) / CARD_MM


def _fits(one: float, other: float) -> bool:
    return 1 / _OTHER_SIZE < one / other < _OTHER_SIZE


def _lies_on(piece: NearPiece, card: PhotoCard) -> bool:
    corners = np.array(card.quad.corners, np.float32)
    return cv2.pointPolygonTest(corners, (piece.x, piece.y), False) >= 0
