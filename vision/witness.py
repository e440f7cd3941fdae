"""The pictures of enrolled cards as witnesses: where a reading leaves doubt, what else the card shows."""

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.cards import CardId
from vision.enrolled_features import fitting
from vision.enrolled_print import PRINT_PX, agreement, likeness_of_parts
from vision.frame import BgrImage

_EVEN: Final = 0.88
"""A card agrees with its own picture in nearly all parts, with another of the same picture in a few less."""
_WEIGHT: Final = 25.0
"""How much each share of agreement counts, in natural logarithms; chosen on prints that are not reported."""
_MOST: Final = 4.0
_SURE: Final = 0.98
"""A reading surer than this needs no witness."""
_ASKED: Final = 3
"""So many cards are compared; each takes about ten milliseconds."""
_LEAST: Final = 1e-3


class Witness:
    """Knows one picture of each enrolled card."""

    def __init__(self, pictures: Mapping[CardId, BgrImage]) -> None:
        self._pictures = {card: fitting(picture, PRINT_PX) for card, picture in pictures.items()}

    def speak(self, seen: BgrImage, named: Sequence[tuple[CardId | None, float]]) -> dict[CardId, float]:
        """For the likeliest cards how much the rest of their print speaks for them, as logarithms."""
        if not named or named[0][1] >= _SURE:
            return {}
        asked = [card for card, p in named if card is not None and card in self._pictures and p >= _LEAST]
        shares = {card: _agreement(seen, self._pictures[card]) for card in asked[:_ASKED]}
        # Glare or a card cut out askew agrees with nothing: that makes none of them a stranger.
        best = max(shares.values(), default=0.0)
        sure = max(0.0, best - _EVEN)
        return {card: max(-_MOST, _WEIGHT * (sure + share - best)) for card, share in shares.items()}


def _agreement(seen: BgrImage, known: BgrImage) -> float:
    size = (known.shape[1], known.shape[0])
    same_size = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.uint8)
    return agreement(likeness_of_parts(same_size, known))
