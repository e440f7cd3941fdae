"""Reads what is printed on cards, many at once: kind, items field by field, stone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.anatomy import PAIR_STEP, Along, Anatomy, symbols_of
from vision.cards import CardKind, CardPack, Item, ItemKind
from vision.cuts import (
    NUMBER_ZOOMS,
    cut_line,
    cut_window,
)
from vision.evidence import (
    NO_NUMBER,
    CardEvidence,
    Floats,
    PlaceLook,
    SeenSymbol,
)
from vision.fields import FieldLimits, assigned
from vision.frame import BgrImage
from vision.networks import Networks
from vision.numbers import NumberPlace, read_numbers
from vision.reader import CardCut, ReadCard, Reader, Reword, look_at, softmax
from vision.reading import COUNTED, NUMBERED, reading_of
from vision.scan import CELL, CELLS, ScanLine, scan_lines
from vision.usual import usual_items

_COUNTS = 4
_ODD_COUNT = 2e-3
"""Every count is at least this likely, whatever was read: blurred digits look like others."""
_LEAST = 0.1
"""A place less likely than this to hold a symbol is not looked at again."""
_SURE = 0.35
_APART = 0.45
"""Two symbols stand at least this far from each other, in sizes."""
_FOOT = 0.75
"""What lies below this share of a card's height is seen of a tucked card too."""
_MOST_SHIFT = 0.02
"""How far the stone is looked for above or below its place, as a share of the height."""
_STONE_ROOM = 1.08
"""So much more is looked at of a stone: it is not found as symbols are, but looked for where it should be."""
_DOUBT = 0.02
"""An item less likely than this to be of a kind that carries a number is not asked for one."""
_MOST_ODDS = 50.0
"""However clear a number is, it speaks no more than that for what carries numbers. On 30 tables of other
seeds than the benchmarks measure, 15 turtles more are known by it, and nothing else became one."""
_LEGIBLE = 0.9
"""A number so likely shows that the digits on its card are large and sharp enough to be read."""
_ASTRAY = 0.06
"""How far from its place a mark of a tucked card is looked for, as a share of the width."""
_STILL = 0.16
"""A symbol that is moved by less than this share of its size to its middle stood in the middle."""
_PAIR = 0.3
"""At least so surely an item must be of a kind that is printed as several symbols to look for the second."""


_AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


@dataclass(slots=True, eq=False)
class _Spot:
    """A symbol on its way to being read."""

    card: int
    line: int
    x: float
    y: float
    """In pixels of the card."""
    size: float
    there: float = 0.0
    kinds: Floats | None = None
    counts: Floats | None = None
    numbers: Floats | None = None


class CardReader(Reader):
    """`limits` says which items a field may hold, `pack` which are usual; without them anything may stand
    anywhere. `reword` may change what the network answers about each symbol: nothing, then each kind."""

    def __init__(
        self,
        anatomy: Anatomy,
        networks: Networks,
        *,
        limits: Mapping[tuple[CardKind, str], FieldLimits] | None = None,
        pack: CardPack | None = None,
        reword: Reword | None = None,
    ) -> None:
        self.anatomy = anatomy
        self._reword = reword
        self.item_kinds = tuple(ItemKind(kind) for kind in networks.answers("items"))
        self._networks = networks
        self._limits = dict(limits or {})
        self._usual = (
            usual_items(pack, self.item_kinds, networks.shares("items")) if pack is not None else None
        )
        self._lines = {card.kind: scan_lines(anatomy, card.kind) for card in anatomy.kinds}
        self._numbered = [index for index, kind in enumerate(self.item_kinds) if kind in NUMBERED]
        self._counted = [index for index, kind in enumerate(self.item_kinds) if kind in COUNTED]
        self._paired = [index for index, kind in enumerate(self.item_kinds) if symbols_of(Item(kind, 2)) > 1]

    def look(self, places: Sequence[BgrImage]) -> tuple[PlaceLook, ...]:
        return look_at(self._networks, places)

    def read(self, cards: Sequence[CardCut]) -> tuple[ReadCard, ...]:
        spots = self._found(cards)
        stones = self._read_numbers(cards, spots)
        marked = self._find_marks(cards)
        return tuple(
            self._put_together(
                card, [spot for spot in spots if spot.card == index], stones.get(index), marked.get(index)
            )
            for index, card in enumerate(cards)
        )

    # --- finding symbols -----------------------------------------------------------------------------

    def _found(self, cards: Sequence[CardCut]) -> list[_Spot]:
        spots = self._scan(cards)
        self._look_closer(cards, spots)
        return self._parted(cards, [spot for spot in spots if spot.there >= _SURE])

    def _scan(self, cards: Sequence[CardCut]) -> list[_Spot]:
        """Every place of every line, in two runs: rows and columns."""
        spots: list[_Spot] = []
        for along in Along:
            wanted = [
                (index, number, line)
                for index, card in enumerate(cards)
                for number, line in enumerate(self._lines[card.kind])
                if line.along is along and (not card.foot_only or line.y > _FOOT)
            ]
            if not wanted:
                continue
            cuts = []
            for index, _, line in wanted:
                image = cards[index].image
                height, width = image.shape[:2]
                cuts.append(cut_line(image, line.x * width, line.y * height, line.size * width, along))
            rows = self._networks.run("items", np.stack(cuts))
            rows = rows.reshape(len(rows), rows.shape[1], CELLS)
            for (index, number, line), row in zip(wanted, rows, strict=True):
                height, width = cards[index].image.shape[:2]
                spots += self._spots(row, line, index, number, width, height)
        return spots

    def _spots(
        self, row: NDArray[np.float32], line: ScanLine, card: int, number: int, width: int, height: int
    ) -> list[_Spot]:
        """The symbols of one line: the surest places first, none within another's reach."""
        there = 1 - softmax(row[: 1 + len(self.item_kinds)])[0]
        along_right = line.along is Along.RIGHT
        off_along, off_across = (row[-2], row[-1]) if along_right else (row[-1], row[-2])
        ways = np.arange(CELLS) * CELL + off_along
        start = min(part.start for part in line.parts)
        end = max(part.end for part in line.parts)
        found: list[tuple[float, float]] = []
        order = np.argsort(-there * (1 - 0.6 * np.abs(off_along).clip(0, 1)))
        for cell in order[there[order] >= _LEAST].tolist():
            way = float(ways[cell])
            if start <= line.way(way / CELL, self.anatomy.ratio) <= end and all(
                abs(way - other) > _APART for other, _ in found
            ):
                found.append((way, float(off_across[cell])))
        size = line.size * width
        spots = []
        for way, across in sorted(found):
            dx, dy = (way, across) if along_right else (across, way)
            spots.append(_Spot(card, number, line.x * width + dx * size, line.y * height + dy * size, size))
        return spots

    def _look_closer(self, cards: Sequence[CardCut], spots: list[_Spot]) -> None:
        """Names each symbol in a window centred on it."""
        if not spots:
            return
        cuts = [cut_window(cards[spot.card].image, spot.x, spot.y, spot.size) for spot in spots]
        rows = self._networks.run("items", np.stack(cuts))[:, :, 0, 0]
        many = 1 + len(self.item_kinds)
        named = rows[:, :many] if self._reword is None else self._reword(rows[:, :many])
        shares = softmax(named.T).T
        counts = softmax(rows[:, many : many + _COUNTS].T).T
        for spot, share, count, row in zip(spots, shares, counts, rows, strict=True):
            spot.there = float(1 - share[0])
            spot.kinds = _weighed(share[1:], None if self._usual is None else self._usual.kinds)
            spot.counts = _weighed(count, None if self._usual is None else self._usual.counts)
            spot.x += float(row[-2]) * spot.size
            spot.y += float(row[-1]) * spot.size

    def _parted(self, cards: Sequence[CardCut], spots: list[_Spot]) -> list[_Spot]:
        """Two symbols side by side where one was found between them.

        Seen from half a step to either side, a single symbol stands in the middle, one of a pair does not.
        """
        lines = [self._lines[cards[spot.card].kind][spot.line] for spot in spots]
        doubtful = [
            spot
            for spot, line in zip(spots, lines, strict=True)
            if line.along is Along.RIGHT and spot.kinds is not None and spot.kinds[self._paired].sum() > _PAIR
        ]
        step = PAIR_STEP / 2
        halves = [
            _Spot(spot.card, spot.line, spot.x + side * step * spot.size, spot.y, spot.size)
            for spot in doubtful
            for side in (-1, 1)
        ]
        before = [half.x for half in halves]
        self._look_closer(cards, halves)
        instead: dict[int, list[_Spot]] = {}
        for number, spot in enumerate(doubtful):
            pair = halves[2 * number : 2 * number + 2]
            moved = [abs(half.x - x) / half.size for half, x in zip(pair, before[2 * number :], strict=False)]
            alone = all(
                other is spot
                or other.line != spot.line
                or other.card != spot.card
                or abs(other.x - spot.x) > (step + _APART) * spot.size
                for other in spots
            )
            alike = all(half.kinds is not None and half.kinds[self._paired].sum() > _PAIR for half in pair)
            if alone and alike and max(moved) < _STILL and min(half.there for half in pair) >= _SURE:
                instead[id(spot)] = pair
        return [part for spot in spots for part in instead.get(id(spot), [spot])]

    def number_places(self, cards: Sequence[CardCut]) -> list[NumberPlace]:
        """Where numbers are looked for on cards, just as they are read."""
        spots = self._found(cards)
        return self._number_places(cards, spots, self._turtles(spots), self._tags(spots), self._stones(cards))

    def _turtles(self, spots: list[_Spot]) -> list[_Spot]:
        return [
            spot for spot in spots if spot.kinds is not None and spot.kinds[self._numbered].sum() > _DOUBT
        ]

    def _tags(self, spots: list[_Spot]) -> list[_Spot]:
        return [spot for spot in spots if spot.kinds is not None and spot.kinds[self._counted].sum() > _DOUBT]

    def _stones(self, cards: Sequence[CardCut]) -> list[int]:
        return [index for index, card in enumerate(cards) if self.anatomy[card.kind].stone is not None]

    def _number_places(
        self,
        cards: Sequence[CardCut],
        spots: list[_Spot],
        turtles: list[_Spot],
        tags: list[_Spot],
        stones: list[int],
    ) -> list[NumberPlace]:
        places: list[NumberPlace] = [
            (cards[spot.card].small_print, spot.x, spot.y, spot.size * NUMBER_ZOOMS[kind])
            for kind, some in (("turtle", turtles), ("draw", tags))
            for spot in some
        ]
        for index in stones:
            card = cards[index]
            stone = self.anatomy[card.kind].stone
            assert stone is not None, "only cards with a stone are in the list"
            height, width = card.image.shape[:2]
            y = (stone.y + self._foot_shift(index, card, spots)) * height
            places.append((card.small_print, stone.x * width, y, _STONE_ROOM * 2 * stone.radius * width))
        return places

    def _read_numbers(self, cards: Sequence[CardCut], spots: list[_Spot]) -> dict[int, Floats]:
        """Numbers of turtles and counts of tags go into their spots; those of stones are returned by card."""
        turtles, tags, stones = self._turtles(spots), self._tags(spots), self._stones(cards)
        places = self._number_places(cards, spots, turtles, tags, stones)
        chances = [
            spot.there * float(spot.kinds[kinds].sum())
            for kinds, some in ((self._numbered, turtles), (self._counted, tags))
            for spot in some
            if spot.kinds is not None
        ]
        if not places:
            return {}
        shares = read_numbers(self._networks, places, chances + [1.0] * len(stones))
        bearers = [spot.card for spot in turtles] + [spot.card for spot in tags] + stones
        legible = {
            card for card, share in zip(bearers, shares, strict=True) if share[:NO_NUMBER].max() > _LEGIBLE
        }
        for spot, share in zip(turtles, shares, strict=False):
            spot.numbers = share
            assert spot.kinds is not None, "only spots that were named are in the list"
            spot.kinds = self._told_by_number(spot.kinds, share, legible=spot.card in legible)
            clear = np.clip(_odds(float(share[:NO_NUMBER].max())), 1, _MOST_ODDS)
            spot.there = float(1 - (1 - spot.there) / (1 + spot.there * (clear - 1)))
        for spot, share in zip(tags, shares[len(turtles) :], strict=False):
            counts = share[1 : 1 + _COUNTS].astype(np.float32) + _ODD_COUNT
            spot.counts = _weighed(counts, None if self._usual is None else self._usual.counts)
        return dict(zip(stones, shares[len(turtles) + len(tags) :], strict=True))

    def _told_by_number(self, kinds: Floats, numbers: Floats, *, legible: bool) -> Floats:
        """A number that is clear to read speaks for a turtle, or for a tag if it may be its +n.

        That none stands there speaks against a turtle if others on the card are legible: from afar none is.
        """
        number = int(numbers[:NO_NUMBER].argmax())
        clear = np.clip(_odds(float(numbers[number])), 1, _MOST_ODDS)
        none = np.clip(_odds(float(numbers[NO_NUMBER])), 1, _MOST_ODDS) if legible else 1.0
        weighed = kinds.copy()
        weighed[self._numbered] *= clear / none
        if 1 <= number <= _COUNTS:
            weighed[self._counted] *= clear
        return np.asarray(weighed / weighed.sum())

    def _find_marks(self, cards: Sequence[CardCut]) -> dict[int, float]:
        """Of tucked cards: how surely an item stands on the foot that every card of their kind has there.

        Whatever else a place shows, a foot without it is none.
        """
        cuts: list[BgrImage] = []
        wanted: list[tuple[int, int]] = []
        for index, card in enumerate(cards):
            height, width = card.image.shape[:2]
            for mark in self.anatomy[card.kind].marks:
                if not card.foot_only or mark.y < _FOOT or mark.symbol not in self.item_kinds:
                    continue
                for dx, dy in _AROUND:
                    x, y = mark.x * width + dx * _ASTRAY * width, mark.y * height + dy * _ASTRAY * width
                    cuts.append(cut_window(card.image, x, y, mark.size * width))
                    wanted.append((index, self.item_kinds.index(ItemKind(mark.symbol))))
        if not cuts:
            return {}
        rows = self._networks.run("items", np.stack(cuts))[:, :, 0, 0]
        shares = softmax(rows[:, : 1 + len(self.item_kinds)].T).T
        best: dict[int, float] = {}
        for (index, kind), share in zip(wanted, shares, strict=True):
            best[index] = max(best.get(index, 0.0), float(share[1 + kind]))
        return best

    def _foot_shift(self, index: int, card: CardCut, spots: list[_Spot]) -> float:
        """How much lower than expected the foot's symbols stand, as a share of the card's height."""
        height = card.image.shape[0]
        lines = self._lines[card.kind]
        off = [
            spot.y / height - lines[spot.line].y
            for spot in spots
            if spot.card == index and lines[spot.line].along is Along.RIGHT and lines[spot.line].y > _FOOT
        ]
        return float(np.clip(np.median(off), -_MOST_SHIFT, _MOST_SHIFT)) if off else 0.0

    # --- putting together ----------------------------------------------------------------------------

    def _put_together(
        self, card: CardCut, spots: list[_Spot], stone: Floats | None, marked: float | None
    ) -> ReadCard:
        height, width = card.image.shape[:2]
        seen: dict[str, list[SeenSymbol]] = {}
        in_view = set()
        for number, line in enumerate(self._lines[card.kind]):
            if card.foot_only and not (line.along is Along.RIGHT and line.y > _FOOT):
                continue
            in_view |= {part.field for part in line.parts}
            mine = [spot for spot in spots if spot.line == number]
            places = [(spot.x / width, spot.y / height) for spot in mine]
            kinds = [spot.kinds for spot in mine if spot.kinds is not None]
            there = [spot.there for spot in mine]
            limits = {part.field: self._limits.get((card.kind, part.field)) for part in line.parts}
            for spot, (x, y), field in zip(
                mine, places, assigned(line, places, kinds, there, limits, self.item_kinds), strict=True
            ):
                if field is not None:
                    seen.setdefault(field, []).append(self._symbol(spot, field, x, y, card.kind))
        evidence = CardEvidence(
            kind=card.kind,
            item_kinds=self.item_kinds,
            fields=tuple(
                (field.name, tuple(seen.get(field.name, ())))
                for field in self.anatomy[card.kind].fields
                if field.name in in_view
            ),
            stone=stone,
            marked=marked,
            cover=card.cover,
        )
        return ReadCard(reading=reading_of(evidence, card.kind_p, NUMBERED), evidence=evidence)

    def _symbol(self, spot: _Spot, field: str, x: float, y: float, kind: CardKind) -> SeenSymbol:
        assert spot.kinds is not None, "a spot is named before it is put together"
        assert spot.counts is not None, "a spot is named before it is put together"
        limits = self._limits.get((kind, field))
        kinds = spot.kinds if limits is None else limits.weighed(spot.kinds, self.item_kinds)
        return SeenSymbol(
            field=field, there=spot.there, kinds=kinds, counts=spot.counts, numbers=spot.numbers, x=x, y=y
        )


def _odds(p: float) -> float:
    return p / max(1e-9, 1 - p)


def _weighed(shares: NDArray[np.float32], factors: Floats | None) -> Floats:
    weighed = shares.astype(np.float64) * (1.0 if factors is None else factors)
    return np.asarray(weighed / max(float(weighed.sum()), 1e-12))
