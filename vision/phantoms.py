"""Veins of marble and patterns of cloth that look like pieces: known by where they lie on a bare table."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.marks import Mark
from vision.pieces import belongs
from vision.table import Zone, ZoneId

_SURE = 0.9
"""Whatever is seen so surely is a piece, wherever nothing should lie."""
_SAME_PLACE = 0.008
"""In board units; a piece is about three times as wide."""
_CLEARER = 0.3
"""Seen so much more surely than on the bare table, it is a piece that was laid onto the phantom."""
_FADED = 0.05
"""What is left of a phantom's chance to be a piece."""


class Phantoms:
    """What a network took for pieces in places where none lay."""

    def __init__(self) -> None:
        self._known: dict[ZoneId, tuple[Mark, ...]] = {}

    def knows(self, zone: ZoneId) -> bool:
        """Whether the place has been seen bare."""
        return zone in self._known

    def learn(self, zone: Zone, marks: Iterable[Mark]) -> bool:
        """Nothing lies in this zone; whether anything seems to."""
        self._known[zone.id] = tuple(mark for mark in marks if belongs(zone, mark) and mark.p < _SURE)
        return bool(self._known[zone.id])

    def without(self, zone: ZoneId, marks: Sequence[Mark]) -> list[Mark]:
        """The marks, with hardly any chance left for those that the bare table shows as well."""
        known = self._known.get(zone, ())
        return [
            replace(mark, p=_FADED * mark.p) if any(_is(mark, phantom) for phantom in known) else mark
            for mark in marks
        ]


def _is(mark: Mark, phantom: Mark) -> bool:
    near = math.hypot(mark.x - phantom.x, mark.y - phantom.y) < _SAME_PLACE
    return near and mark.kind == phantom.kind and mark.p < phantom.p + _CLEARER
