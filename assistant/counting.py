"""How well the pieces that were counted in a zone fit the pieces that should lie there.

Nobody counts the box of spare pieces at a glance. But it is miscounted in the same way as long as nobody
touches it: what has changed since it was understood last can be told. That decides whether the player took a
piece too many, or whether the player's own pieces were miscounted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

from vision.observation import CountSighting, DoubtfulPiece, ZoneSighting
from vision.table import PieceKind, Zone, ZoneKind, ZoneView

CAP: Final = 5.5
"""The most that one misread card or count can cost: odds of about 1 to 250."""
UNLISTED: Final = 0.9
"""A piece that a sighting does not mention was looked for and not found."""
FARTHER: Final = 0.5
"""What each further piece costs beyond what was thought possible."""
HEAPED: Final = 0.65
"""How much of its penalty a doubtful count in a heap contradicts with: pieces lie on and beside each other,
so that a miscount is no wonder. It weighs in full where two lines of play are compared."""
LARGE_HEAP: Final = 32
"""Nobody counts more pieces than these at a glance."""
CHANGED: Final = 1.4
"""What a change in a large heap costs that should not be, or one that should be and is not: of 11500 counts
of kinds that nobody touched 1 in 60 changed by more than half a piece, of 1400 others 1 in 10 missed it."""
CHANGED_SURELY: Final = 2.2
"""The same where both counts are sure: 1 in 1300 changed, 1 in 40 missed it. Not enough to contradict."""
CHANGED_FEW: Final = 4.5
"""What a change costs that should not be in a heap that can be counted: 2 of 480 kinds that nobody touched
changed by more than half a piece."""
CAME_SURELY: Final = 6.0
"""The same for a piece more than there should be, if the count was right before and is sure now: none of
3170, and 1 of 270 where it is only fairly sure. How sure it was before makes no difference. Pieces are hidden
now and then, but none appears from nowhere. A box that is sure to have lost none still outweighs it."""
OVERLOOKED: Final = 3.3
"""What a change costs that should be and is not: 4 of 50."""
FLAT: Final = 7.0
"""What either costs where pieces lie flat and the count gives no chance to the other number: of 336 such
counts none had overlooked a piece, and of 333 of pieces that stand before each other 4."""
SURE: Final = 0.97
"""From this chance of its likeliest number on, a count is sure."""
FAIRLY_SURE: Final = 0.85
"""Up to this one a piece more is taken for a miscount as easily as anything else."""
UNSURE: Final = 0.5
"""Up to this one it is in doubt altogether."""
STEADILY_WRONG: Final = 0.25
"""How much of its penalty a count keeps that was wrong by as much before: phantoms and hidden pieces stay."""
JUST_NOW: Final = 2.5
"""How much more it weighs where the count has changed as well."""
FLICKER: Final = 0.2
"""So much of a piece a count changes by itself."""
CERTAIN: Final = 0.6
"""From so much of a piece on, a change is no flicker of the count."""
ANY_NUMBER: Final = 1.0
"""A count that varies by more than this, squared, does not tell what came or went: of 1083 whose likeliest
number had less than an even chance 36 changed by themselves, of 1291 others that were not sure 7."""
HALF_SEEN: Final = 0.35
"""So much of a piece must have come to one heap that another one lost."""
SURELY_MOVED: Final = 1.3
"""And so much of it both of them together must have changed."""
AS_A_WHOLE: Final = 0.1
"""So much of a count may differ, and it still is the same one by some pieces more or fewer."""
SHIFTED: Final = 2.8
"""What that weighs: in a heap less than a contradiction, because a piece may come out from under another one
at the same time."""
LIKELY: Final = 1.0
"""A count that speaks against a number by no more than this agrees with it."""

Distribution = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class LastSeen:
    """A heap or a place for cards when it was understood last: what was believed to lie there, and how it
    looked."""

    view: ZoneView
    sighting: ZoneSighting

    def believed(self, kind: PieceKind) -> int:
        """How many of a kind were believed to lie there."""
        for piece in self.view.pieces:
            if piece.kind == kind:
                return piece.count
        return 0

    def counted(self, kind: PieceKind) -> Distribution:
        """How many of a kind were seen, with the chance of each number."""
        for count in self.sighting.pieces:
            if count.kind == kind:
                return count.counts
        return ()


def understood(view: ZoneView, sighting: ZoneSighting, before: LastSeen | None) -> LastSeen:
    """A heap that is understood now. A kind of which half a piece seems to have come or gone stays as it was
    counted before: what may be a piece would else be held against every later belief in it."""
    if before is None or too_many(view):
        return LastSeen(view, sighting)
    here = view.counts()
    pieces = tuple(
        CountSighting(count.kind, before.counted(count.kind))
        if here.get(count.kind, 0) == before.believed(count.kind)
        and _came_in_part(count.kind, count.counts, before)
        else count
        for count in sighting.pieces
    )
    return LastSeen(view, replace(sighting, pieces=pieces))


def judged_pieces(
    zone: Zone,
    sighting: ZoneSighting,
    view: ZoneView,
    until: ZoneView | None = None,
    last: LastSeen | None = None,
) -> list[float]:
    """A penalty for each kind; with `until`, any number on the way from one view to the other will do."""
    here = view.counts()
    there = here if until is None else until.counts()
    seen = {count.kind: count.counts for count in sighting.pieces}

    def judged(kind: PieceKind, counted: Distribution | None) -> float:
        start, end = here.get(kind, 0), there.get(kind, 0)
        if start == end:
            return _judged_kind(zone, kind, counted, last, start)
        if start > end:
            start, end = end, start
        return min([_judged_kind(zone, kind, counted, last, number) for number in range(start, end + 1)])

    parts = {kind: judged(kind, seen.get(kind)) for kind in zone.pieces}
    names: list[float] = []
    for piece in _doubtful(sighting, view):
        likeliest, p = piece.kinds[0]
        for other, q in piece.kinds[1:]:
            if not {likeliest, other} <= seen.keys():
                continue
            otherwise = {likeliest: _shifted(seen[likeliest], -1), other: _shifted(seen[other], 1)}
            judged_otherwise = {kind: judged(kind, counted) for kind, counted in otherwise.items()}
            misnamed = log(p / q)
            if sum(judged_otherwise.values()) + misnamed < parts[likeliest] + parts[other]:
                seen |= otherwise
                parts |= judged_otherwise
                names.append(misnamed)
                break
    return [*parts.values(), *names]


def _shifted(counted: Distribution, more: int) -> Distribution:
    """The count if so many of what was counted were of another kind."""
    return tuple((number + more, p) for number, p in counted if number + more >= 0)


def _judged_kind(
    zone: Zone, kind: PieceKind, seen: Distribution | None, last: LastSeen | None, number: int
) -> float:
    """How badly the count of one kind fits a number of pieces."""
    if seen is None:
        return min(CAP, -log(1 - UNLISTED)) + FARTHER * (number - 1) if number else 0.0
    if last is None:
        return judged_count(seen, number, CAP, FARTHER)
    if too_many(last.view):
        if _surely(seen, number):
            return 0.0
        weight = CHANGED + (CHANGED_SURELY - CHANGED) * _sureness(seen, last.counted(kind))
        return weight * _share_of_change(_changed_to(kind, seen, last), number)
    return _judged_both(kind, seen, last, number, zone.flat)


def worst_of(zone: Zone, parts: list[float]) -> float:
    """What contradicts most; a number that was not even thought possible contradicts in full."""
    if zone.kind is ZoneKind.HEAP:
        parts = [part if part >= CAP else HEAPED * part for part in parts]
    return max(parts, default=0.0)


def strayed(sighting: ZoneSighting, view: ZoneView, last: LastSeen) -> dict[PieceKind, float]:
    """How many pieces of each kind came or went since a heap was understood last, beside what should have:
    as far as that can be told, for a count that may be any number changes by itself."""
    here = view.counts()
    found = {}
    for count in sighting.pieces:
        if _variance(count.counts) > ANY_NUMBER or _surely(count.counts, here.get(count.kind, 0)):
            continue
        off = _changed_to(count.kind, count.counts, last) - here.get(count.kind, 0)
        if abs(off) > FLICKER:
            found[count.kind] = off
    return _named_alike(found, _doubtful(sighting, view))


def _doubtful(sighting: ZoneSighting, view: ZoneView) -> tuple[DoubtfulPiece, ...]:
    """Pieces that may be of several kinds; in a large heap so many are in doubt that anything could be."""
    return () if too_many(view) else sighting.doubtful


def _named_alike(
    strayed: dict[PieceKind, float], doubtful: Sequence[DoubtfulPiece]
) -> dict[PieceKind, float]:
    """One kind more and another one fewer, and a piece that may be of both: it only changed its name."""
    for piece in doubtful:
        kinds = [kind for kind, _ in piece.kinds if kind in strayed]
        more = max(kinds, key=strayed.__getitem__, default=None)
        fewer = min(kinds, key=strayed.__getitem__, default=None)
        if more is None or fewer is None or not strayed[fewer] < 0 < strayed[more]:
            continue
        misnamed = min(1.0, strayed[more], -strayed[fewer])
        strayed = strayed | {more: strayed[more] - misnamed, fewer: strayed[fewer] + misnamed}
    return {kind: off for kind, off in strayed.items() if abs(off) > FLICKER}


def is_whole(change: float) -> bool:
    """Whether a whole number of pieces came or went, and not a part of one that flickers."""
    return bool(round(change)) and abs(change - round(change)) <= FLICKER


def passed_on(changes: Sequence[float]) -> bool:
    """Whether what some heaps lost has come to others: where one is sure, another one's doubt will do."""
    come = sum([change for change in changes if change > 0])
    gone = -sum([change for change in changes if change < 0])
    return min(come, gone) >= HALF_SEEN and come + gone >= SURELY_MOVED and abs(come - gone) <= 1 - HALF_SEEN


def too_many(view: ZoneView) -> bool:
    """Whether more pieces should lie here than can be counted."""
    return sum([piece.count for piece in view.pieces]) > LARGE_HEAP


def judged_count(distribution: Distribution, number: int, cap: float, slope: float) -> float:
    """How much less likely a number is than the likeliest one."""
    best = 0.0
    here = 0.0
    distance = 99
    for value, p in distribution:
        if p > best:
            best = p
        if value == number:
            here = p
        if p > 0.01:
            distance = min(distance, abs(value - number))
    if here > 0:
        return min(cap, log(best / here))
    return cap + slope * (distance - 1)


def _changed_to(kind: PieceKind, seen: Distribution, last: LastSeen) -> float:
    """The number of pieces if the change of the count is added to what was believed before."""
    return last.believed(kind) + _expected(seen) - _expected(last.counted(kind))


def _judged_both(kind: PieceKind, seen: Distribution, last: LastSeen, number: int, flat: bool) -> float:
    """A count that has always been wrong says little; one that became wrong just now says much."""
    changed_to = _changed_to(kind, seen, last)
    by_count = judged_count(seen, number, CAP, FARTHER)
    in_part = _came_in_part(kind, seen, last) and abs(changed_to - number) < 1.0
    if in_part or abs(changed_to - number) <= FLICKER:
        # Nothing came or went, as in most heaps most of the time: no weight of a change would matter.
        return STEADILY_WRONG * by_count
    before = last.believed(kind)
    weight = FLAT if flat and by_count >= CAP else _weight_of_change(kind, seen, last, number)
    by_change = weight * _share_of_change(changed_to, number)
    by_change += FARTHER * max(0.0, abs(changed_to - number) - 1.0)
    certain = SHIFTED if _changed_as_a_whole(last.counted(kind), before, seen) else 0.0
    return max(STEADILY_WRONG * by_count, min(by_change, max(certain, JUST_NOW * by_count)))


def _came_in_part(kind: PieceKind, seen: Distribution, last: LastSeen) -> bool:
    """Whether about half a piece came or went since the count was sure and right: it flickers, or a piece is
    hardly seen."""
    before = last.believed(kind)
    changed = abs(_changed_to(kind, seen, last) - before)
    return FLICKER < changed < CERTAIN and _surely(last.counted(kind), before)


def unchanged(kind: PieceKind, one: ZoneSighting, other: ZoneSighting) -> bool:
    """Whether a kind is counted alike in two sights of a heap."""
    counts = [count.counts for seen in (one, other) for count in seen.pieces if count.kind == kind]
    return len(counts) == 2 and abs(_expected(counts[0]) - _expected(counts[1])) <= FLICKER


def _weight_of_change(kind: PieceKind, seen: Distribution, last: LastSeen, number: int) -> float:
    """How much a change of the count speaks against a number that it does not lead to."""
    before, changed_to = last.believed(kind), _changed_to(kind, seen, last)
    if abs(number - before) > abs(changed_to - before):
        return OVERLOOKED
    agreed = judged_count(last.counted(kind), before, CAP, FARTHER) <= LIKELY
    if not agreed or changed_to < number:
        return CHANGED_FEW
    return CHANGED_FEW + (CAME_SURELY - CHANGED_FEW) * _sureness(seen, above=FAIRLY_SURE)


def _surely(counted: Distribution, number: int) -> bool:
    """Whether a count is sure of this number: then it is right, whatever it was before."""
    return sum([p for value, p in counted if value == number]) >= SURE


def _sureness(*counts: Distribution, above: float = UNSURE) -> float:
    """How sure all of these counts are, between 0 and 1."""
    least = min([max([p for _, p in distribution], default=1.0) for distribution in counts])
    return min(1.0, max(0.0, (least - above) / (SURE - above)))


def _changed_as_a_whole(counted: Distribution, believed: int, seen: Distribution) -> bool:
    """Whether a count that agreed with what was believed is the same now, but for some pieces more or fewer:
    however much it doubts how many there are, it hardly doubts how many came or went."""
    if judged_count(counted, believed, CAP, FARTHER) > LIKELY:
        return False
    more = round(_expected(seen) - _expected(counted))
    there = {number + more: p for number, p in counted}
    now = dict(seen)
    return (
        sum([abs(there.get(number, 0.0) - now.get(number, 0.0)) for number in {*there, *now}])
        <= 2 * AS_A_WHOLE
    )


def _share_of_change(changed_to: float, number: int) -> float:
    """How surely the count has changed to another number than this one."""
    missed = abs(changed_to - number)
    flicker = abs(missed - round(missed))  # no whole number of pieces explains that
    return _certain(missed) - _certain(flicker)


def _certain(change: float) -> float:
    return min(1.0, max(0.0, (change - FLICKER) / (CERTAIN - FLICKER)))


def _variance(distribution: Distribution) -> float:
    middle = _expected(distribution)
    return sum([p * (number - middle) ** 2 for number, p in distribution])


def _expected(distribution: Distribution) -> float:
    return sum([number * p for number, p in distribution])
