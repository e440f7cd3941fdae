"""Reads cards whose print stands at fixed places: one small network names what stands in each of them.

For games that bring such a network along. The anatomy says where things may stand, the rules for packs say
what; the network sees one place at a time, so it knows nothing of cards and no card by heart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import Anatomy, place_items
from vision.cards import CardKind, CardPack, Item, ItemKind
from vision.cuts import NUMBER_LOOKS, cut_number_looks
from vision.evidence import CardEvidence, Floats, PlaceLook, SeenSymbol, number_distributions
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.networks import Networks
from vision.pack import FieldRules, PackRules
from vision.read import CardReader
from vision.reader import CardCut, ReadCard, Reader, Reword, look_at
from vision.reading import reading_of

NETWORK = "symbols"
SYMBOL_PX = 28
WINDOW = 1.35
"""How much is seen around a symbol, in its sizes."""
NOTHING = "-"
"""The network's word for a place where nothing stands; its other words are items."""
LONGEST = 3
"""So many items of a field are read; fields with far more, such as tracks, not at all."""
_ZOOMS = (0.8, 0.95, 1.1)
"""How much of a symbol is looked at to read its number, in its sizes: three looks doubt less than one."""
_LEAST = 0.05
"""An item less likely than this is not there at all."""
_READ = 0.5
"""An item at least this likely is read out."""
_SMALL = 0.2
"""Symbols smaller than this share of the card's width are small print."""
_TRUST, _SMALL_TRUST = 0.8, 0.4
"""How far the network is trusted, as a power of its odds: small print is a few pixels on a table."""
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


class WholeCardReader(Reader):
    """Reads upright cards; the same questions and answers as `vision.read.CardReader`."""

    def __init__(self, anatomy: Anatomy, networks: Networks, rules: PackRules) -> None:
        self.anatomy = anatomy
        self._networks = networks
        words = networks.answers(NETWORK)
        self.item_kinds: tuple[ItemKind, ...] = tuple(ItemKind(word) for word in words[1:])
        self._rules = rules
        self._numbered = np.array([kind in rules.numbered for kind in self.item_kinds])
        self._windows = {kind: windows_of(anatomy, rules, kind) for kind in rules.kinds}
        self._allowed = {
            window: np.array([True, *(kind in window.items for kind in self.item_kinds)])
            for windows in self._windows.values()
            for window in windows
        }

    def look(self, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]:
        return look_at(self._networks, places)

    def read(self, cards: Sequence[CardCut]) -> tuple[ReadCard, ...]:
        """All places of all cards at once; then the numbers of those items that carry one."""
        places = [(index, window) for index, card in enumerate(cards) for window in self._windows[card.kind]]
        if not places:
            return tuple(self._put_together(card, ()) for card in cards)
        cuts = np.stack([cut_symbol(cards[index].image, window) for index, window in places])
        rows = self._networks.run(NETWORK, cuts)
        found = [
            (index, window, symbol)
            for (index, window), row in zip(places, rows, strict=True)
            if (symbol := self._symbol(window, row)).there >= _LEAST
        ]
        numbered = self._with_numbers(cards, found)
        return tuple(
            self._put_together(card, [symbol for at, symbol in numbered if at == index])
            for index, card in enumerate(cards)
        )

    def _with_numbers(
        self, cards: Sequence[CardCut], found: Sequence[tuple[int, Window, SeenSymbol]]
    ) -> list[tuple[int, SeenSymbol]]:
        asked = [entry for entry in found if float(entry[2].kinds[self._numbered].sum()) > _LEAST]
        cuts = [
            cut
            for index, window, _ in asked
            for zoom in _ZOOMS
            for cut in _number_looks(cards[index].image, window, zoom)
        ]
        if not cuts:
            return [(index, symbol) for index, _, symbol in found]
        looks = NUMBER_LOOKS * len(_ZOOMS)
        shares = number_distributions(self._networks.run("numbers", np.stack(cuts)), looks)
        read = {id(symbol): share for (_, _, symbol), share in zip(asked, shares, strict=True)}
        return [(index, replace(symbol, numbers=read.get(id(symbol)))) for index, _, symbol in found]

    def _put_together(self, card: CardCut, found: Sequence[SeenSymbol]) -> ReadCard:
        """All that is surely there is read out; which card it is, only fields with large print say."""
        windows = self._windows[card.kind]
        fields: dict[str, list[SeenSymbol]] = {window.field: [] for window in windows}
        for symbol in found:
            fields[symbol.field].append(symbol)
        large = {window.field for window in windows if window.size >= _SMALL}
        sure = {
            name: [symbol for symbol in symbols if symbol.there >= _READ] for name, symbols in fields.items()
        }
        return ReadCard(
            reading=reading_of(self._evidence(card, sure), card.kind_p, self._rules.numbered),
            evidence=self._evidence(card, {name: fields[name] for name in fields if name in large}),
        )

    def _evidence(self, card: CardCut, fields: Mapping[str, Sequence[SeenSymbol]]) -> CardEvidence:
        return CardEvidence(
            kind=card.kind,
            item_kinds=self.item_kinds,
            fields=tuple((name, tuple(symbols)) for name, symbols in fields.items()),
            stone=None,
            cover=card.cover,
        )

    def _symbol(self, window: Window, row: NDArray[np.float32]) -> SeenSymbol:
        trust = _TRUST if window.size >= _SMALL else _SMALL_TRUST
        words = _softmax(np.where(self._allowed[window], trust * row, -np.inf))
        kinds = words[1:] / max(float(words[1:].sum()), 1e-12)
        return SeenSymbol(
            field=window.field,
            there=float(1 - words[0]),
            kinds=kinds,
            counts=_NO_COUNTS,
            numbers=None,
            x=window.x,
            y=window.y,
        )


def reader_of(
    anatomy: Anatomy, networks: Networks, rules: PackRules, pack: CardPack, reword: Reword | None = None
) -> Reader:
    """Cards are read place by place where a game brings a network for that, else symbol by symbol."""
    if NETWORK in networks:
        return WholeCardReader(anatomy, networks, rules)
    return CardReader(anatomy, networks, limits=limits_of(rules), pack=pack, reword=reword)


def _number_looks(card: BgrImage, window: Window, zoom: float) -> list[BgrImage]:
    height, width = card.shape[:2]
    return cut_number_looks(card, window.x * width, window.y * height, zoom * window.size * width)


def _softmax(values: NDArray[np.float32]) -> Floats:
    shares = np.exp(values.astype(np.float64) - float(values.max()))
    return np.asarray(shares / shares.sum())
