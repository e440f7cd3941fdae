"""What a reader of cards is asked and what it answers; what lies in a place is told the same way by all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy
from vision.cards import CardKind, ItemKind
from vision.cover import Cover
from vision.cuts import Original, thumbnail
from vision.evidence import CardEvidence, PlaceLook
from vision.frame import BgrImage
from vision.networks import Networks
from vision.observation import CardReading


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CardCut:
    """A rectified card, upright. Of a tucked card only the foot is in view; the rest may show anything."""

    image: BgrImage
    kind: CardKind
    kind_p: float = 1.0
    foot_only: bool = False
    cover: Cover | None = None
    """What pieces hide of it; None where nothing stands on it."""
    original: Original | None = None
    """The camera's own picture of it, where that is at hand: numbers are read there."""

    @property
    def small_print(self) -> BgrImage | Original:
        return self.image if self.original is None else self.original


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadCard:
    reading: CardReading
    evidence: CardEvidence


Reword = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Changes what the network answers about symbols, one row each: for a copy that is printed otherwise."""


class Reader(Protocol):
    """Tells what lies in a place, and reads upright cards."""

    anatomy: Anatomy
    item_kinds: tuple[ItemKind, ...]

    def look(self, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]: ...

    def read(self, cards: Sequence[CardCut]) -> tuple[ReadCard, ...]: ...

    def read_one(self, card: BgrImage, kind: CardKind | None = None) -> ReadCard:
        """One card; its kind is told from the picture if it is not given."""
        p = 1.0
        if kind is None:
            kind, p = self.look([card])[0].front()
        return self.read([CardCut(image=card, kind=kind, kind_p=p)])[0]


def look_at(networks: Networks, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]:
    """What lies in each place; the pictures show the place with or without some margin."""
    if not places:
        return ()
    answers = networks.answers("kinds")
    rows = networks.run("kinds", np.stack([thumbnail(place) for place in places]))
    return tuple(_place_look(row, answers) for row in rows)


def _place_look(row: NDArray[np.float32], answers: tuple[str, ...]) -> PlaceLook:
    shares = dict(zip(answers, softmax(row[: len(answers)]).tolist(), strict=True))
    nominal = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    return PlaceLook(
        empty=shares.pop("empty"),
        unknown=shares.pop("unknown"),
        backs=tuple(
            (CardKind(name.removesuffix(" back")), p) for name, p in shares.items() if name.endswith(" back")
        ),
        fronts=tuple((CardKind(name), p) for name, p in shares.items() if not name.endswith(" back")),
        upside_down=float(1 / (1 + np.exp(-row[len(answers)]))),
        corners=nominal + row[len(answers) + 1 :].reshape(4, 2),
    )


def softmax(values: NDArray[np.float32]) -> NDArray[np.float32]:
    shares = np.exp(values - values.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0), np.float32)
