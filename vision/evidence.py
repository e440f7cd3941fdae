"""What the networks saw on one card, with all their doubts: the ground for reading and naming it."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.cards import CardKind, ItemKind
from vision.cover import Cover

Floats: TypeAlias = NDArray[np.float64]

NUMBERS = 200
NO_NUMBER = NUMBERS
"""The place of "no number" in a distribution over numbers."""

_PLACES = 3
_BLANK = 10


def _signs_of(number: int) -> tuple[int, ...]:
    digits = () if number == NO_NUMBER else tuple(int(digit) for digit in str(number))
    return (*digits, *(_BLANK,) * (_PLACES - len(digits)))


_SIGNS = np.array([_signs_of(number) for number in range(NUMBERS + 1)])
"""The signs of each number, left to right."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenSymbol:
    """One printed symbol, pairs of tablets being two."""

    field: str
    there: float
    """How surely anything is printed there at all."""
    kinds: Floats
    """Over the item kinds of the reader; sums to 1."""
    counts: Floats
    """Over +1, +2 …; sums to 1."""
    numbers: Floats | None
    """Over 0 to 199 and no number; None where no number can be."""
    x: float
    y: float
    """Where it stands, as shares of the card's width and height."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardEvidence:
    kind: CardKind
    item_kinds: tuple[ItemKind, ...]
    fields: tuple[tuple[str, tuple[SeenSymbol, ...]], ...]
    """In the order of the anatomy; only fields that were in view."""
    stone: Floats | None
    """Over 0 to 199 and no number; None where the card has no stone, or it was out of view."""
    marked: float | None = None
    """How surely a sign is there that every card of the kind has; None where nobody looked for one."""
    cover: Cover | None = None
    """What pieces hide of it; None where nothing stands on it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceLook:
    """What lies in a place for a card."""

    empty: float
    backs: tuple[tuple[CardKind, float], ...]
    fronts: tuple[tuple[CardKind, float], ...]
    unknown: float
    """A card or a thing of no kind that the network knows. All of these sum to 1."""
    upside_down: float
    corners: Floats
    """4 × 2: top left, top right, bottom right, bottom left as shares of the place's width and height."""

    def front(self) -> tuple[CardKind, float]:
        """The likeliest kind if it is a front."""
        return max(self.fronts, key=lambda pair: pair[1])


def number_distributions(signs: NDArray[np.float32], looks: int = 1) -> Floats:
    """From 3 places × 11 signs for each of so many looks at N numbers to N × 0 … 199 and no number."""
    logs = signs - signs.max(axis=2, keepdims=True)
    logs = logs - np.log(np.exp(logs).sum(axis=2, keepdims=True))
    logs = logs.reshape(-1, looks, *logs.shape[1:]).mean(axis=1)
    values = logs[:, np.arange(_PLACES), _SIGNS].sum(axis=2).astype(np.float64)
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
