"""What enrolled cards look like, as witness: where a reading leaves doubt, what else the card shows."""

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.cards import CardId
from vision.cover import Cover
from vision.embedding import Embedding, embed
from vision.enrolled_features import fitting
from vision.enrolled_print import PRINT_PX, agreement, likeness_of_parts, parts_within
from vision.frame import BgrImage

_EVEN: Final = 0.88
"""A card agrees with its own picture in nearly all parts, with another of the same picture in a few less."""
_WEIGHT: Final = 25.0
"""How much each share of agreement counts, in natural logarithms; chosen on prints that are not reported."""
_GLANCE: Final = 300.0
"""The same for the likeness of embeddings, chosen on three prints of the training styles."""
_MOST: Final = 4.0
_SURE: Final = 0.98
"""A reading surer than this needs no witness."""
_ASKED: Final = 3
"""So many cards are compared; each takes about ten milliseconds."""
_LEAST: Final = 1e-3


class Witness:
    """Knows one picture of each enrolled card, or its embedding where another owner enrolled it."""

    def __init__(
        self, pictures: Mapping[CardId, BgrImage], embeddings: Mapping[CardId, Embedding] | None = None
    ) -> None:
        self._pictures = {card: fitting(picture, PRINT_PX) for card, picture in pictures.items()}
        self._embeddings = dict(embeddings or {})

    def speak(
        self,
        seen: BgrImage,
        named: Sequence[tuple[CardId | None, float]],
        cover: Cover | None = None,
    ) -> dict[CardId, float]:
        """For the likeliest cards how much the rest of their print speaks for them, as logarithms."""
        if not named or named[0][1] >= _SURE:
            return {}
        likely = [card for card, p in named if card is not None and p >= _LEAST][:_ASKED]
        pictured = [card for card in likely if card in self._pictures]
        embedded = [card for card in likely if card in self._embeddings]
        # All in the same way: what a picture says cannot be weighed against what an embedding says.
        if len(embedded) > len(pictured):
            return self._by_embeddings(seen, embedded)
        return self._by_pictures(seen, pictured, cover)

    def _by_pictures(
        self, seen: BgrImage, likely: Sequence[CardId], cover: Cover | None
    ) -> dict[CardId, float]:
        shares = {card: _agreement(seen, self._pictures[card], cover) for card in likely}
        # Glare or a card cut out askew agrees with nothing: that makes none of them a stranger.
        best = max(shares.values(), default=0.0)
        sure = max(0.0, best - _EVEN)
        return {card: max(-_MOST, _WEIGHT * (sure + share - best)) for card, share in shares.items()}

    def _by_embeddings(self, seen: BgrImage, likely: Sequence[CardId]) -> dict[CardId, float]:
        """Only which of them it is: a few numbers are too few to tell a stranger."""
        here = embed(seen)
        alike = {card: float(here @ self._embeddings[card]) for card in likely}
        best = max(alike.values(), default=0.0)
        return {card: max(-_MOST, _GLANCE * (like - best)) for card, like in alike.items()}


def _agreement(seen: BgrImage, known: BgrImage, cover: Cover | None) -> float:
    size = (known.shape[1], known.shape[0])
    same_size = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.uint8)
    alike = likeness_of_parts(same_size, known)
    if cover is not None:
        alike[parts_within(cover.sized(*size))] = np.nan
    return agreement(alike)
