"""How often items are printed on the cards of a pack: what a reader in doubt should rather believe in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.cards import CardPack, ItemKind
from vision.evidence import Floats

_UNSEEN = 4.0
"""So many of each kind are counted on top: story cards bring what the pack has not seen."""
_COUNTS_LEARNT = (0.38, 0.27, 0.19, 0.16)
"""How often +1, +2 … were shown while training."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Usual:
    """Factors for the network's answers: how much more often than while training something is printed."""

    kinds: Floats
    counts: Floats


def usual_items(pack: CardPack, item_kinds: Sequence[ItemKind], learnt: Sequence[float]) -> Usual:
    """`learnt` is how often each kind was shown while training."""
    printed = [item for card in pack.cards for field in card.fields for item in field.items or ()]
    kinds = Counter(item.kind for item in printed)
    counts = Counter(item.count for item in printed if item.kind in ("draw", "draw-pile", "barbarian"))
    seen = np.array([kinds[kind] + _UNSEEN for kind in item_kinds], float)
    numbers = np.array([counts[k + 1] + 1.0 for k in range(len(_COUNTS_LEARNT))])
    return Usual(
        kinds=seen / seen.sum() / np.maximum(np.array(learnt), 1e-3),
        counts=numbers / numbers.sum() / np.array(_COUNTS_LEARNT),
    )
