"""Reads cards whose print stands at fixed places: one small network names what stands in each of them.

For games that bring such a network along. The anatomy says where things may stand, the rules for packs say
what; the network sees one place at a time, so it knows nothing of cards and no card by heart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy, place_items
from vision.cards import CardKind, CardPack, Item, ItemKind
from vision.evidence import NO_NUMBER, NUMBERS, CardEvidence, Floats, PlaceLook, SeenSymbol
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.networks import Networks
from vision.pack import FieldRules, PackRules
from vision.read import CardCut, CardReader, ReadCard, look_at, reading_of

NETWORK = "symbols"
SYMBOL_PX = 28
WINDOW = 1.35
"""How much is seen around a symbol, in its sizes."""
NOTHING = "-"
"""The network's word for a place where nothing stands; its other words are items."""
LONGEST = 3
"""So many items of a field are read; fields with far more, such as tracks, not at all."""
MOST_NUMBER = 20
_LEAST = 0.35
"""An item less likely than this is not there."""
_COUNTS = 4
_NO_COUNTS: Floats = np.eye(_COUNTS)[0]


@dataclass(frozen=True, slots=True)
class Window:
    """A place where an item of a field may stand: shares of the card's width and height."""

    field: str
    x: float
    y: float
    size: float
    items: tuple[ItemKind, ...]


def is_read(field: FieldRules) -> bool:
    """Whether a field is short enough to be read place by place."""
    return field.most <= 2 * LONGEST


def windows_of(anatomy: Anatomy, rules: PackRules, kind: CardKind) -> tuple[Window, ...]:
    """The places of a kind of card, in the order in which its items are listed."""
    windows: list[Window] = []
    for name, field in rules.kinds[kind].fields.items():
        if not is_read(field):
            continue
        lines = anatomy[kind].field(name).lines
        claimed = {item for line in lines for item in line.kinds}
        for line in lines:
            items = tuple(
                sorted(i for i in field.items if (i in line.kinds if line.kinds else i not in claimed))
            )
            many = 1 if line.kinds else min(field.most, LONGEST)
            placed = place_items(anatomy, kind, {name: (Item(items[0]),) * many})
            slots = next(part.slots for part in placed if part.name == name)
            windows += [Window(name, slot.x, slot.y, slot.size, items) for _, slot in slots]
    return tuple(windows)


def cut_symbol(card: BgrImage, window: Window) -> BgrImage:
    """The window as the network sees it."""
    height, width = card.shape[:2]
    step = WINDOW * window.size * width / SYMBOL_PX
    start = (0.5 - SYMBOL_PX / 2) * step - 0.5
    matrix = np.array([(step, 0, window.x * width + start), (0, step, window.y * height + start)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(card, matrix, (SYMBOL_PX,) * 2, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


class WholeCardReader:
    """Reads upright cards; the same questions and answers as `vision.read.CardReader`."""

    def __init__(self, anatomy: Anatomy, networks: Networks, rules: PackRules) -> None:
        self.anatomy = anatomy
        self._networks = networks
        words = networks.answers(NETWORK)
        self.item_kinds: tuple[ItemKind, ...] = tuple(ItemKind(word) for word in words[1:])
        self._numbered = np.array([kind in rules.numbered for kind in self.item_kinds])
        self._windows = {kind: windows_of(anatomy, rules, kind) for kind in rules.kinds}
        self._allowed = {
            window: np.array([True, *(kind in window.items for kind in self.item_kinds)])
            for windows in self._windows.values()
            for window in windows
        }

    def look(self, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]:
        return look_at(self._networks, places)

    def read_one(self, card: BgrImage, kind: CardKind | None = None) -> ReadCard:
        """One card; its kind is told from the picture if it is not given."""
        p = 1.0
        if kind is None:
            kind, p = self.look([card])[0].front()
        return self.read([CardCut(image=card, kind=kind, kind_p=p)])[0]

    def read(self, cards: Sequence[CardCut]) -> tuple[ReadCard, ...]:
        cuts = [cut_symbol(card.image, window) for card in cards for window in self._windows[card.kind]]
        rows = iter(self._networks.run(NETWORK, np.stack(cuts)) if cuts else ())
        return tuple(
            self._put_together(card, [next(rows) for _ in self._windows[card.kind]]) for card in cards
        )

    def _put_together(self, card: CardCut, rows: Sequence[NDArray[np.float32]]) -> ReadCard:
        fields: dict[str, list[SeenSymbol]] = {}
        for window, row in zip(self._windows[card.kind], rows, strict=True):
            symbols = fields.setdefault(window.field, [])
            symbol = self._symbol(window, row)
            if symbol.there >= _LEAST:
                symbols.append(symbol)
        evidence = CardEvidence(
            kind=card.kind,
            item_kinds=self.item_kinds,
            fields=tuple((name, tuple(symbols)) for name, symbols in fields.items()),
            stone=None,
        )
        return ReadCard(reading=reading_of(evidence, card.kind_p), evidence=evidence)

    def _symbol(self, window: Window, row: NDArray[np.float32]) -> SeenSymbol:
        many = 1 + len(self.item_kinds)
        words = _softmax(np.where(self._allowed[window], row[:many], -np.inf))
        kinds = words[1:] / max(float(words[1:].sum()), 1e-12)
        numbered = bool(kinds[self._numbered].sum() > 0.5)
        return SeenSymbol(
            field=window.field,
            there=float(1 - words[0]),
            kinds=kinds,
            counts=_NO_COUNTS,
            numbers=_numbers(row[many:]) if numbered else None,
            x=window.x,
            y=window.y,
        )


AnyReader: TypeAlias = CardReader | WholeCardReader


def reader_of(anatomy: Anatomy, networks: Networks, rules: PackRules, pack: CardPack) -> AnyReader:
    """Cards are read place by place where a game brings a network for that, else symbol by symbol."""
    if NETWORK in networks:
        return WholeCardReader(anatomy, networks, rules)
    return CardReader(anatomy, networks, limits=limits_of(rules), pack=pack)


def _numbers(row: NDArray[np.float32]) -> Floats:
    """Over 0 to 199 and no number, as evidence has it."""
    shares = _softmax(row)
    numbers = np.zeros(NUMBERS + 1)
    numbers[: len(shares)] = shares
    numbers[NO_NUMBER] = 0.0
    return numbers


def _softmax(values: NDArray[np.float32]) -> Floats:
    shares = np.exp(values.astype(np.float64) - float(values.max()))
    return np.asarray(shares / shares.sum())
