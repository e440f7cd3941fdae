"""Which field of a card each symbol on a line belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.anatomy import Along, symbols_of
from vision.cards import CardKind, Item, ItemKind
from vision.evidence import Floats
from vision.pack import PackRules
from vision.scan import Hanging, ScanLine

_RARE = 1e-3
"""How likely an item stands in a field that should not hold it: packs are written by people."""
_OFF_CENTRE = 0.03
"""How far a centred row stands off its middle, as a share of the card's width."""
_SUREST = 3.5
"""What one symbol may count at most, as logarithm of odds."""
_UNSEEN = 2.5
"""What it costs to believe that a symbol was not seen, as logarithm of odds."""
_SPREAD = 0.02
"""How far symbols stand from where the anatomy says, as a share of the card's height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldLimits:
    """What a field may hold."""

    items: frozenset[ItemKind]
    fewest: int
    most: int

    def weighed(self, kinds: Floats, item_kinds: tuple[ItemKind, ...]) -> Floats:
        """The probabilities, knowing what the field may hold."""
        weights = np.array([1.0 if kind in self.items else _RARE for kind in item_kinds])
        shares = kinds * weights
        return np.asarray(shares / max(float(shares.sum()), 1e-12))


def limits_of(rules: PackRules) -> dict[tuple[CardKind, str], FieldLimits]:
    """The limits that the rules for packs of a game set."""
    return {
        (kind, name): FieldLimits(items=field.items, fewest=field.fewest, most=field.most)
        for kind, kind_rules in rules.kinds.items()
        for name, field in kind_rules.fields.items()
    }


def assigned(
    line: ScanLine,
    places: Sequence[tuple[float, float]],
    kinds: Sequence[Floats],
    there: Sequence[float],
    limits: Mapping[str, FieldLimits | None],
    item_kinds: tuple[ItemKind, ...],
) -> tuple[str | None, ...]:
    """The field of each symbol, in order along the line; None for one that belongs to none."""
    if line.centre is not None:
        first, last = _centred(line.centre, line.size, [x for x, _ in places], there)
        name = line.parts[0].field
        return tuple(name if first <= index < last else None for index in range(len(places)))
    if line.hangings:
        return _hung(line, places, kinds, there, limits, item_kinds)
    ways = [x if line.along is Along.RIGHT else y for x, y in places]
    fields = [next((part.field for part in line.parts if part.start <= way < part.end), None) for way in ways]
    for name, limit in limits.items():
        mine = [index for index, field in enumerate(fields) if field == name]
        if limit is not None and not any(_is_row(item_kinds[int(kinds[index].argmax())]) for index in mine):
            for index in sorted(mine, key=lambda index: -there[index])[limit.most :]:
                fields[index] = None
    return tuple(fields)


def _is_row(kind: ItemKind) -> bool:
    """One item of this kind can be several symbols."""
    return symbols_of(Item(kind, 2)) > 1


def _centred(centre: float, size: float, xs: Sequence[float], there: Sequence[float]) -> tuple[int, int]:
    """Which symbols of a centred row are printed: a dark tree beside them would put it off its middle."""
    surety = [_surety(p) for p in there]
    best, chosen = 0.0, (0, 0)
    for first in range(len(xs)):
        for last in range(first + 1, len(xs) + 1):
            off = (xs[first] + xs[last - 1]) / 2 - centre
            fit = max(
                -((off / _OFF_CENTRE) ** 2) / 2,
                # one symbol at an end was not seen
                -(((abs(off) - size / 2) / _OFF_CENTRE) ** 2) / 2 - _UNSEEN,
            )
            score = sum(surety[first:last]) + fit
            if score > best:
                best, chosen = score, (first, last)
    return chosen


def _hung(
    line: ScanLine,
    places: Sequence[tuple[float, float]],
    kinds: Sequence[Floats],
    there: Sequence[float],
    limits: Mapping[str, FieldLimits | None],
    item_kinds: tuple[ItemKind, ...],
) -> tuple[str | None, ...]:
    """The way to hang the banner that fits best what stands where; one symbol may be part of the picture."""
    ys = [y for _, y in places]
    best = -np.inf
    chosen: tuple[str | None, ...] = _by_nearest(line, ys)
    for dropped in (None, *range(len(ys))):
        kept = [index for index in range(len(ys)) if index != dropped]
        cost = 0.0 if dropped is None else max(_surety(there[dropped]), 0.0)
        for hanging in line.hangings:
            if len(hanging.places) != len(kept) or not _is_allowed(hanging, limits):
                continue
            fit = _score(
                hanging, np.array([ys[k] for k in kept]), [kinds[k] for k in kept], limits, item_kinds
            )
            if fit - cost > best:
                best = fit - cost
                names = dict(zip(kept, (name for name, _ in hanging.places), strict=True))
                chosen = tuple(names.get(index) for index in range(len(ys)))
    return chosen


def _surety(there: float) -> float:
    """How much one symbol counts: none may outweigh by much what all others together say."""
    return min(float(np.log(there / max(1 - there, 1e-6))), _SUREST)


def _is_allowed(hanging: Hanging, limits: Mapping[str, FieldLimits | None]) -> bool:
    names = [name for name, _ in hanging.places]
    return all(
        limit is None or limit.fewest <= names.count(name) <= limit.most for name, limit in limits.items()
    )


def _score(
    hanging: Hanging,
    ys: Floats,
    kinds: Sequence[Floats],
    limits: Mapping[str, FieldLimits | None],
    item_kinds: tuple[ItemKind, ...],
) -> float:
    off = ys - np.array([y for _, y in hanging.places])
    # a card found a little too high moves all symbols alike
    off = off - np.clip(np.mean(off), -2 * _SPREAD, 2 * _SPREAD) if len(off) else off
    score = -float((off**2).sum()) / (2 * _SPREAD**2)
    for (name, _), share in zip(hanging.places, kinds, strict=True):
        limit = limits.get(name)
        if limit is not None:
            allowed = sum(float(p) for p, kind in zip(share, item_kinds, strict=True) if kind in limit.items)
            score += float(np.log(max(allowed, _RARE)))
    return score


def _by_nearest(line: ScanLine, ys: Sequence[float]) -> tuple[str | None, ...]:
    """As many symbols as no filling of the banner has: each goes to the nearest place of any."""
    known = [place for hanging in line.hangings for place in hanging.places]
    return tuple(min(known, key=lambda place: abs(place[1] - y))[0] for y in ys)
