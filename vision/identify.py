"""Which card of a pack was read: ranked guesses, and "none of them" is one of the answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.anatomy import Anatomy, Slot, symbol_places, symbols_of
from vision.cards import CardFacts, CardId, CardKind, CardPack, Item, ItemKind
from vision.cover import Cover
from vision.evidence import NO_NUMBER, CardEvidence, PlaceLook, SeenSymbol
from vision.observation import Guess, Look

_COUNTED = frozenset({"draw", "draw-pile", "barbarian"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How readings go wrong, in natural logarithms; measured on virtual cards of the training styles."""

    missed: float = -5.0
    """A printed symbol that was not seen."""
    extra: float = -5.0
    """A seen symbol that is not printed, however sure the network was."""
    least: float = -8.0
    """No single symbol can speak against a card more than this: glare takes one, not three."""
    number: float = -3.0
    """The same for the number of an item."""
    stone: float = -2.0
    """The same for the stone, whose digits are the smallest print."""
    strayed: float = -3.0
    """A symbol counted to the next field of a line: where cards lie askew, the bounds of fields do too."""
    elsewhere: float = -6.0
    """A symbol seen twice as far from where it is printed as any ever was."""
    stranger: float = -7.5
    """A card outside the pack, however well it was read."""
    alike: float = -0.5
    """And for each symbol seen: the more there is to compare, the less a stranger agrees by chance."""
    hidden: float = -0.3
    """A printed symbol that was not seen because something stands on it."""
    on_cover: float = -1.0
    """A symbol seen where something stands on the card: houses look like those printed of them."""
    unseen: float = 1.4
    """For a stranger, for each symbol that is hidden: the less can be compared, the likelier it is one."""


_MEASURED = Odds()
_COVERED = (0.25, 0.75)
"""Shares of a symbol: where less of it is hidden it is seen all the same, where more is nothing of it."""
_FARTHEST = (0.09, 0.05)
"""Shares of a card's width and height: of 697 symbols of training styles each was nearer to its place."""
_SEEN_SIZE = 0.18
"""About how large seen symbols are, as a share of the card's width."""


@dataclass(frozen=True, slots=True)
class _Expected:
    field: str
    kind: int
    """Index into the reader's item kinds; -1 for an item that the reader does not know."""
    count: int | None
    number: int | None
    place: Slot | None = None
    """Where on the card it is printed; None where nobody knows."""


Names = tuple[tuple[CardId | None, float], ...]
"""Cards with their probabilities, likeliest first; None is a card outside the pack."""


class Identifier:
    """Compares what was seen with every card of a pack that may lie there."""

    def __init__(
        self,
        pack: CardPack,
        item_kinds: Sequence[ItemKind],
        odds: Odds = _MEASURED,
        anatomy: Anatomy | None = None,
    ) -> None:
        """`anatomy` tells where symbols stand: without it none is known to be hidden."""
        self._index = {kind: index for index, kind in enumerate(item_kinds)}
        self._odds = odds
        self._anatomy = anatomy
        self._cards: dict[CardKind, list[tuple[CardFacts, dict[str, list[_Expected]]]]] = {}
        for card in pack.cards:
            self._cards.setdefault(card.kind, []).append((card, self._printed(card)))

    def _printed(self, card: CardFacts) -> dict[str, list[_Expected]]:
        """What should be seen of a card, field by field."""
        printed = {
            field.name: [part for item in field.items for part in self._expected(field.name, item)]
            for field in card.fields
            if field.items is not None
        }
        if self._anatomy is None or card.kind not in self._anatomy:
            return printed
        places = symbol_places(self._anatomy, card)
        return {
            name: [replace(part, place=place) for part, place in zip(parts, places[name], strict=True)]
            if name in places
            else parts
            for name, parts in printed.items()
        }

    def _expected(self, field: str, item: Item) -> list[_Expected]:
        count = item.count if item.kind in _COUNTED else None
        return [_Expected(field, self._index.get(item.kind, -1), count, item.number)] * symbols_of(item)

    def name(
        self,
        evidence: CardEvidence,
        *,
        again: Sequence[CardEvidence] = (),
        also: Mapping[CardId, float] | None = None,
    ) -> Names:
        """Which card it may be.

        `again` holds what further looks at the same card showed: they are not independent, so their mean
        counts. `also` holds logarithms of other evidence for or against cards, such as their pictures.
        """
        looks = (evidence, *again)
        scores: list[tuple[CardId | None, float]] = []
        unseen: dict[CardId | None, float] = {}
        for card, expected in self._cards.get(evidence.kind, []):
            score = sum(self._likeness(look, card, expected) for look in looks) / len(looks)
            score += math.log(card.copies)
            scores.append((card.id, score + (also or {}).get(card.id, 0.0)))
            unseen[card.id] = self._unseen(evidence, expected)
        best = max(scores, key=lambda pair: pair[1])[0] if scores else None
        scores.insert(0, (None, self._stranger(looks) + self._odds.unseen * unseen.get(best, 0.0)))
        top = max(score for _, score in scores)
        total = sum(math.exp(score - top) for _, score in scores)
        ranked = sorted(scores, key=lambda pair: -pair[1])
        return tuple((card, math.exp(score - top) / total) for card, score in ranked)

    def _unseen(self, evidence: CardEvidence, expected: dict[str, list[_Expected]]) -> float:
        """How many symbols of a card are hidden, if it is that one."""
        if evidence.cover is None:
            return 0.0
        places = [part.place for name, _ in evidence.fields for part in expected.get(name, ())]
        return sum(self._hidden(evidence.cover, at.x, at.y, at.size) for at in places if at is not None)

    def _stranger(self, looks: Sequence[CardEvidence]) -> float:
        """How likely it is that a card outside the pack looks so much like one of it."""
        seen = sum(
            symbol.there * (1 - self._hidden(look.cover, symbol.x, symbol.y, _SEEN_SIZE))
            for look in looks
            for _, symbols in look.fields
            for symbol in symbols
        )
        return self._odds.stranger + self._odds.alike * seen / len(looks)

    def guesses(
        self,
        look: PlaceLook,
        evidence: CardEvidence | None,
        named: Names | None = None,
        *,
        fewest: float = 1e-4,
    ) -> tuple[Guess, ...]:
        """Emptiness, backs and fronts together; probabilities sum to 1. `named`: its names, if known."""
        back = sum(p for _, p in look.backs)
        fronts = dict(look.fronts)
        front = fronts.get(evidence.kind, 0.0) if evidence is not None else 0.0
        strange = 1.0 - look.empty - back - front
        if named is None:
            named = self.name(evidence) if evidence is not None else ()
        if evidence is not None and evidence.cover is not None and named and named[0][0] is not None:
            # With a piece on it a card looks strange at a glance; print that reads as a card's is no back.
            doubt = (back + max(0.0, strange)) * named[0][1]
            front, back = front + doubt, back * (1 - named[0][1])
            strange *= 1 - named[0][1]
        by_card: dict[CardId | None, float] = {card: p * front for card, p in named}
        by_card[None] = by_card.get(None, 0.0) + max(0.0, strange)
        guesses = [Guess(Look.EMPTY, None, look.empty), Guess(Look.BACK, None, back)]
        guesses += [Guess(Look.FRONT, card, p) for card, p in by_card.items()]
        guesses.sort(key=lambda guess: -guess.p)
        kept = [guess for index, guess in enumerate(guesses) if guess.p >= fewest or index == 0]
        total = sum(guess.p for guess in kept)
        return tuple(Guess(guess.look, guess.card, guess.p / total) for guess in kept)

    # --- how well a card explains what was seen ------------------------------------------------------

    def _likeness(
        self, evidence: CardEvidence, card: CardFacts, expected: dict[str, list[_Expected]]
    ) -> float:
        fields = [(symbols, expected[name]) for name, symbols in evidence.fields if name in expected]
        alone = [self._field(symbols, printed, evidence.cover) for symbols, printed in fields]
        score = sum(alone) + self._strayed(fields, alone, evidence.cover)
        if card.stone is not None and evidence.stone is not None:
            # no number at all is weak evidence: a thumb or glare hides a stone easily
            share = float(evidence.stone[card.stone]) + 0.2 * float(evidence.stone[NO_NUMBER])
            against = max(math.log(max(share, 1e-9)), self._odds.stone)
            score += against * (1 - self._hidden_stone(evidence))
        return score

    def _strayed(
        self,
        fields: Sequence[tuple[Sequence[SeenSymbol], Sequence[_Expected]]],
        alone: Sequence[float],
        cover: Cover | None,
    ) -> float:
        """How much better two fields side by side fit if one's symbol was counted to the other."""
        best = 0.0
        for k in range(len(fields) - 1):
            (seen, printed), (next_seen, next_printed) = fields[k : k + 2]
            apart = alone[k] + alone[k + 1]
            surplus = len(seen) > len(printed) or len(next_seen) > len(next_printed)
            if surplus and apart < 2 * self._odds.strayed:
                together = self._field((*seen, *next_seen), (*printed, *next_printed), cover)
                best = max(best, together - apart)
        return best

    def _field(
        self, symbols: Sequence[SeenSymbol], expected: Sequence[_Expected], cover: Cover | None
    ) -> float:
        """The best way to lay what was seen and what is printed side by side, in their order."""
        missed = [self._missed(printed, cover) for printed in expected]
        extra = [self._extra(symbol, cover) for symbol in symbols]
        best = np.full((len(expected) + 1, len(symbols) + 1), -np.inf)
        best[0, 0] = 0.0
        for i in range(len(expected) + 1):
            for j in range(len(symbols) + 1):
                if i and j:
                    match = self._match(symbols[j - 1], expected[i - 1])
                    best[i, j] = max(best[i, j], best[i - 1, j - 1] + match)
                if i:
                    best[i, j] = max(best[i, j], best[i - 1, j] + missed[i - 1])
                if j:
                    best[i, j] = max(best[i, j], best[i, j - 1] + extra[j - 1])
        return float(best[-1, -1])

    def _missed(self, printed: _Expected, cover: Cover | None) -> float:
        if printed.place is None:
            return self._odds.missed
        hidden = self._hidden(cover, printed.place.x, printed.place.y, printed.place.size)
        return self._odds.missed + hidden * (self._odds.hidden - self._odds.missed)

    def _extra(self, symbol: SeenSymbol, cover: Cover | None) -> float:
        unsure = max(math.log(max(1 - symbol.there, 1e-9)), self._odds.extra)
        hidden = self._hidden(cover, symbol.x, symbol.y, _SEEN_SIZE)
        return max(unsure, self._odds.extra + hidden * (self._odds.on_cover - self._odds.extra))

    def _hidden(self, cover: Cover | None, x: float, y: float, size: float) -> float:
        """From 0 to 1: how little can be told of a symbol because something stands on it."""
        if cover is None or self._anatomy is None:
            return 0.0
        least, most = _COVERED
        share = cover.share(x, y, size, size * self._anatomy.ratio)
        return min(1.0, max(0.0, (share - least) / (most - least)))

    def _hidden_stone(self, evidence: CardEvidence) -> float:
        stone = self._anatomy[evidence.kind].stone if self._anatomy is not None else None
        return 0.0 if stone is None else self._hidden(evidence.cover, stone.x, stone.y, 2 * stone.radius)

    def _match(self, symbol: SeenSymbol, expected: _Expected) -> float:
        share = float(symbol.kinds[expected.kind]) if expected.kind >= 0 else 0.0
        score = math.log(max(share, 1e-9))
        if expected.count is not None:
            known = expected.count <= len(symbol.counts)
            score += math.log(max(float(symbol.counts[expected.count - 1]) if known else 0.0, 1e-9))
        if expected.number is not None and symbol.numbers is not None:
            score += max(math.log(max(float(symbol.numbers[expected.number]), 1e-9)), self._odds.number)
        strayed = 0.0 if symbol.field == expected.field else self._odds.strayed
        return max(score, self._odds.least) + strayed + self._elsewhere(symbol, expected.place)

    def _elsewhere(self, symbol: SeenSymbol, place: Slot | None) -> float:
        """What speaks against a symbol that is not seen where it is printed: something else is there."""
        if place is None:
            return 0.0
        across, down = _FARTHEST
        off = max(abs(symbol.x - place.x) / across, abs(symbol.y - place.y) / down)
        return self._odds.elsewhere * min(1.0, max(0.0, off - 1.0))
