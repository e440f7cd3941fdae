"""What is known of a card in a photograph, and who can tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from vision.cards import CardId, CardKind
from vision.frame import BgrImage
from vision.locate import CardQuad
from vision.locate_banner import Hanging
from vision.observation import CardReading

SURE = 0.5
READ_PX = 200
"""How wide a card is cut out to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a reader of cards says about a picture that might show one."""

    front: float
    back: float
    kind: CardKind | None
    kind_p: float
    upside_down: float
    corners: tuple[tuple[float, float], ...] | None = None
    """Where the card lies in the picture, as shares of its width and height, if that was told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What was read off a card, and which card it may be; None is a card of no pack."""

    reading: CardReading
    guesses: tuple[tuple[CardId | None, float], ...]


class CardEyes(Protocol):
    """Somebody who can read cards: the trained networks, or a stand-in."""

    @property
    def hangings(self) -> Sequence[Hanging]:
        """The banners by which cards can be found of which hardly anything else is in view."""
        ...

    def look(self, cuts: Sequence[BgrImage]) -> Sequence[Opinion]: ...

    def read(
        self, cuts: Sequence[BgrImage], kinds: Sequence[CardKind], also: Sequence[Mapping[CardId, float]]
    ) -> Sequence[Named]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoCard:
    quad: CardQuad
    kind: CardKind | None = None
    back: bool = False
    reading: CardReading | None = None
    guesses: tuple[tuple[CardId | None, float], ...] = ()
    """Likeliest first; None is a card of no pack. Empty where there is nothing to compare with."""

    @property
    def known(self) -> bool:
        return bool(self.guesses) and self.guesses[0][0] is not None and self.guesses[0][1] >= SURE

    @property
    def items_read(self) -> int:
        """How many items can be read on it."""
        return sum(len(field.items) for field in self.reading.fields) if self.reading is not None else 0

    def grown(self, step: float) -> "PhotoCard":
        """The same card in a picture so many times larger."""
        corners = tuple(((x + 0.5) * step - 0.5, (y + 0.5) * step - 0.5) for x, y in self.quad.corners)
        return replace(self, quad=replace(self.quad, corners=corners))
