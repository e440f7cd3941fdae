"""What of a sight counts: the player's word, zones left aside as misread, heaps by their changes only."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.counting import LastSeen, is_whole, too_many, understood
from assistant.evidence import Evidence, appearance, zones_of
from vision.observation import Observation, ZoneSighting
from vision.table import TableLayout, TableView, ZoneId, ZoneKind, ZoneView

_FOR_CARDS = (ZoneKind.CARD, ZoneKind.PILE, ZoneKind.SPREAD)
EXPLAINED_S = 20.0
"""So long a change in a large heap that nothing explains is not taken for a miscount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A zone that says what nothing explains: out of the thinking until it looks different.

    Of a heap only how it looks now is out of the thinking: that nothing has changed since still counts.
    """

    sighting: ZoneSighting
    believed: ZoneView
    since: float
    judged: bool = False
    """No broken rule explains it better either."""
    asked: bool = False

    @property
    def last(self) -> LastSeen:
        return LastSeen(self.believed, self.sighting)


class Attention:
    """Turns observations into evidence; what is kept about a zone holds until something else lies there."""

    def __init__(self, layout: TableLayout) -> None:
        self.zones = zones_of(layout)
        self.aside: dict[ZoneId, Aside] = {}
        self.heaps = [zone.id for zone in layout.zones if zone.kind is ZoneKind.HEAP]
        self.places = [zone.id for zone in layout.zones if zone.kind in _FOR_CARDS]
        self._told: dict[ZoneId, tuple[ZoneView | None, ZoneSighting]] = {}
        """The player's word on a zone, None for "as you show it"."""
        self._counted: dict[ZoneId, LastSeen] = {}
        """Heaps as they were understood last, and places for cards: from there on changes can be told."""
        self._strayed_since: dict[ZoneId, float] = {}

    def evidence(
        self, observation: Observation, *, with_fresh: bool = False, with_aside: bool = False
    ) -> Evidence:
        """What counts; also what was left aside: all of it, or what was not judged yet."""
        out = {
            zone: aside
            for zone, aside in self.aside.items()
            if not with_aside and (aside.judged or not with_fresh)
        }
        words: dict[ZoneId, ZoneView | None] = {zone: None for zone in out if zone not in self.heaps}
        words |= {zone: word for zone, (word, _) in self._told.items()}
        since = {zone: aside.last for zone, aside in out.items() if zone in self.heaps}
        return Evidence(observation, self.zones, words, {**self._counted, **since})

    def forget(self, observation: Observation) -> None:
        """What was said or thought of zones that look different now."""
        for sighting in observation.zones:
            word, aside = self._told.get(sighting.zone), self.aside.get(sighting.zone)
            if word is not None and appearance(sighting) not in (None, appearance(word[1])):
                del self._told[sighting.zone]
            if aside is not None and sighting.zone not in self.heaps and _changed(sighting, aside):
                del self.aside[sighting.zone]

    def take_up_again(self, observation: Observation, view: TableView) -> bool:
        """Zones left aside count again as soon as they agree with the game, or heaps as soon as they change:
        what looked wrong before is taken for a miscount. Whether there was one."""
        everything = self.evidence(observation, with_aside=True)
        seen = {sighting.zone: sighting for sighting in observation.zones}
        before = len(self.aside)
        for zone, aside in list(self.aside.items()):
            if everything.fits(view[zone]):
                del self.aside[zone]
            elif zone in self.heaps and zone in seen and _changed(seen[zone], aside):
                self._counted[zone] = self.aside.pop(zone).last
        return len(self.aside) != before

    # The player's word

    @property
    def told(self) -> frozenset[ZoneId]:
        """The zones of which the player said what lies there."""
        return frozenset(zone for zone, (word, _) in self._told.items() if word is not None)

    def tell(self, zone: ZoneId, word: ZoneView | None, sighting: ZoneSighting) -> None:
        """What lies in a zone, or None: it is as we show it, whatever it looks like."""
        self.aside.pop(zone, None)
        self._told[zone] = (word, sighting)

    def passes_over(self, zone: ZoneId | None) -> bool:
        """Whether the zone is left out of the thinking, by itself or by the player's word."""
        return zone in self.aside or (zone in self._told and self._told[zone][0] is None)

    # Zones left aside

    def leave_aside(self, sightings: Sequence[ZoneSighting], view: TableView, now: float) -> None:
        for sighting in sightings:
            zone = sighting.zone
            if zone in self.aside and zone in self.heaps:
                self._counted[zone] = self.aside[zone].last
            self.aside[zone] = Aside(sighting=sighting, believed=view[zone], since=now)

    def ripe(self, before: float) -> list[ZoneId]:
        """Zones left aside since then that nobody has judged yet."""
        return [zone for zone, aside in self.aside.items() if not aside.judged and aside.since <= before]

    def judge_all(self, everything: Evidence, view: TableView) -> None:
        """A broken rule explains the table: zones that fit now count again, the others are misread."""
        for zone in [zone for zone, aside in self.aside.items() if not aside.judged]:
            if everything.fits(view[zone]):
                del self.aside[zone]
            else:
                self.aside[zone] = replace(self.aside[zone], believed=view[zone], judged=True)

    def judge(self, zone: ZoneId) -> None:
        self.aside[zone] = replace(self.aside[zone], judged=True)

    def unasked(self, before: float) -> list[Aside]:
        """Zones that were judged and that the player was not asked about; asking begins here."""
        found = [a for a in self.aside.values() if a.judged and not a.asked and a.since <= before]
        for aside in found:
            self.aside[aside.sighting.zone] = replace(aside, asked=True)
        return found

    # Heaps

    def count_from(self, evidence: Evidence, views: Sequence[TableView], now: float) -> None:
        """The table is understood. Only where all views of it agree: others would be judged by a belief that
        is not theirs. Nor while it is open whether something is misread or a rule is broken: what has changed
        decides that."""
        if any(not aside.judged for aside in self.aside.values()):
            return
        for zone in self.heaps:
            sighting = evidence.sighting(zone)
            if sighting is None:
                continue
            first = views[0][zone]
            if self._may_be_explained(evidence, first, now):
                continue
            if all(view[zone].pieces == first.pieces for view in views):
                self._counted[zone] = understood(first, sighting, self._counted.get(zone))
        for zone in self.places:
            sighting, first = evidence.sighting(zone), views[0][zone]
            if sighting is not None and all(view[zone].cards == first.cards for view in views):
                self._counted[zone] = LastSeen(first, sighting)

    def _may_be_explained(self, evidence: Evidence, heap: ZoneView, now: float) -> bool:
        """Whether something came to a large heap or left it that the next sights may explain: a piece that
        was taken from the box may not be seen where it lies now."""
        if not too_many(heap) or not any(map(is_whole, evidence.strayed(heap).values())):
            self._strayed_since.pop(heap.zone, None)
            return False
        return now - self._strayed_since.setdefault(heap.zone, now) < EXPLAINED_S

    def stop_counting(self) -> None:
        """The game was told otherwise than it was understood."""
        self._counted.clear()
        self._strayed_since.clear()


def _changed(sighting: ZoneSighting, aside: Aside) -> bool:
    return appearance(sighting) not in (None, appearance(aside.sighting))
