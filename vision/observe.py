"""From a frame to an observation: where the board is, what changed, and only that is read again."""

import logging
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from vision.bare import BarePlaces, Glance, around, coarse, ground_goes_on, patch_of
from vision.blend import blended_cards, blended_counts
from vision.drift import Drift, DriftWatch
from vision.frame import Frame
from vision.marks import Mark
from vision.observation import (
    CardSighting,
    CountSighting,
    DoubtfulPiece,
    Observation,
    Sight,
    ZoneSighting,
)
from vision.phantoms import Phantoms
from vision.pieces import PIXELS_PER_UNIT, PieceReader, counted, doubtful, pieces_of
from vision.places import PlacePicture, PlaceReader
from vision.pose import Pose
from vision.rectify import Rectified, Rectifier, Small, rectify, shrink
from vision.register import Registration
from vision.settle import Settle, TableStatus, ZoneStatus
from vision.standing import Bodies, probable
from vision.table import TableLayout, Zone, ZoneId, ZoneKind

_LOG = logging.getLogger(__name__)

_READS = 3
"""So many calm frames add up to what we say about a zone."""
_READS_OF_SPREAD = 1
"""Finding cards that lie anyhow takes longest, and their edges do not get clearer with time."""
_AGAIN_PER_FRAME = 4
"""So many zones are read a second or third time in one frame, so that no frame takes long."""
_PLACES = (ZoneKind.CARD, ZoneKind.PILE)
"""Where one card is read at most, and all of it."""
_COARSER = 4
"""Ground is looked at in a picture so much smaller than those in which cards are read."""

_NEXT = 1.5
"""Spaces of a track are neighbours if their middles are no farther apart than so many times their size."""

Finder = Callable[[Frame, Pose | None], Registration]
"""Finds the board in a frame; given where it was last, if anywhere."""


@dataclass(slots=True)
class _Memory:
    """What was read in one zone, and of which version of it."""

    version: int = -1
    reads: int = 0
    cards: tuple[CardSighting, ...] = ()
    pieces: tuple[CountSighting, ...] = ()
    looks: tuple[Sequence[Mark], ...] = ()
    """The pieces of each look that adds up to them."""
    doubtful: tuple[DoubtfulPiece, ...] = ()
    marks: tuple[Mark, ...] = ()
    """Where the last look saw pieces, phantoms among them."""
    bare: bool = False
    """Nothing lies here, whatever it looks like."""
    glance: Glance | None = None
    """How a place for a card looked last."""
    ground: Rectified | None = None
    """How a spread looked last, where no card seems to lie in it."""
    standing: tuple[Mark, ...] = ()
    """Pieces that probably stand there, as last seen."""


@dataclass(slots=True)
class Eye:
    """Feed it every frame that there is time for; each gives one observation of the whole table."""

    layout: TableLayout
    find: Finder
    places: PlaceReader
    pieces: PieceReader
    bodies: Bodies = field(default_factory=Bodies)
    """How large the pieces are that may stand on cards."""
    pose: Pose | None = None
    registration: Registration | None = None
    """The last answer to where the board is; says why where there is none."""
    _settle: Settle = field(default_factory=Settle)
    _rectifier: Rectifier = field(default_factory=Rectifier)
    _drift: DriftWatch | None = None
    _memory: dict[ZoneId, _Memory] = field(default_factory=dict)
    _phantoms: Phantoms = field(default_factory=Phantoms)
    _bare: BarePlaces = field(default_factory=BarePlaces)
    idle: bool = False
    """The last frame showed a calm table, and nothing in it needs another look."""

    def fresh(self) -> "Eye":
        """Another eye for the same table that has seen nothing yet, but knows how it looks bare."""
        return Eye(
            layout=self.layout,
            find=self.find,
            places=self.places,
            pieces=self.pieces,
            bodies=self.bodies,
            _phantoms=self._phantoms,
            _bare=self._bare,
        )

    def take_as_bare(self, zones: Iterable[ZoneId], against: Collection[ZoneId] = ()) -> None:
        """Nothing lies in these zones, as who knows the game says: what seems to is print or ground.

        `against` are zones where something seems to lie all the same: that is believed of a place only once.
        """
        for zone in zones:
            memory = self._memory.get(zone)
            if memory is None or not memory.reads or memory.bare:
                continue
            memory.bare = True
            if self._is_news(zone, memory, doubted=zone in against):
                memory.reads = 0  # looked at again, now that it is known

    def _is_news(self, zone: ZoneId, memory: _Memory, *, doubted: bool) -> bool:
        if self.layout.zone(zone).kind is ZoneKind.SPREAD:
            if memory.ground is not None:
                self._bare.learn_ground(zone, memory.ground)
            return False
        if memory.glance is not None:
            return self._bare.learn(zone, memory.glance, doubted=doubted)
        if doubted and self._phantoms.knows(zone):
            return False
        return self._phantoms.learn(self.layout.zone(zone), memory.marks)

    def observe(self, frame: Frame) -> Observation:
        small = shrink(frame.image)
        if self.pose is not None and not self.pose.is_for(frame.image):
            self.pose = None  # the camera sends pictures of another size now
        if self.pose is None and not self._register(frame, small):
            return _nowhere(frame)
        assert self.pose is not None
        status = self._settle.update(frame, self.pose, self.layout, small)
        if self._has_moved(status, small):
            if not self._register(frame, small):
                return _nowhere(frame)
            status = self._settle.update(frame, self.pose, self.layout, small)
        self._read(frame, status)
        return Observation(
            index=frame.index,
            seen_at=frame.captured_at,
            registered=True,
            calm=status.calm,
            zones=tuple(self._sighting(zone) for zone in status.zones),
            looking=any(self._is_unsure(zone) for zone in status.zones),
        )

    def hands(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Where hands were in the last frame: outlines as fractions of the picture."""
        return self._settle.hands()

    def _register(self, frame: Frame, small: Small) -> bool:
        self.registration = self.find(frame, self.pose)
        if self.registration.pose is None:
            _LOG.info("the board is lost: %s", self.registration.cause)
            self.pose = None
            return False
        self.pose = self.registration.pose
        self._drift = DriftWatch(small, self.pose, self.layout.board)
        return True

    def _has_moved(self, status: TableStatus, small: Small) -> bool:
        if status.upset:
            return not status.hand
        if not status.still or self._drift is None:
            return False
        return self._drift.check(small).drift is not Drift.STEADY

    def _read(self, frame: Frame, status: TableStatus) -> None:
        new, again = self._due(status)
        zones = [*new, *again[:_AGAIN_PER_FRAME]]
        self.idle = status.calm and not zones
        if not zones:
            return
        # Pieces first: they stand on cards and hide some of their print.
        self._read_pieces(frame, [zone for zone in zones if zone.pieces])
        self._read_cards(frame, [zone for zone in zones if zone.cards and self.places.can_read(zone)])
        for zone in zones:
            self._memory[zone.id].reads += 1

    def _due(self, status: TableStatus) -> tuple[list[Zone], list[Zone]]:
        """Zones that show something new, and zones that a further look would make surer of."""
        new: list[Zone] = []
        again: list[Zone] = []
        for seen in status.zones:
            if seen.sight is not Sight.SEEN:
                continue
            memory = self._memory.setdefault(seen.zone, _Memory())
            if status.hand and memory.reads:
                continue  # its shadow may lie here; nobody thinks before it is gone
            zone = self.layout.zone(seen.zone)
            if memory.version != seen.version:
                self._memory[seen.zone] = _Memory(version=seen.version)
                new.append(zone)
            elif not memory.reads:
                new.append(zone)  # what was read there no longer holds: nothing is known of it
            elif self._is_unsure(seen):
                again.append(zone)
        beside = self._beside(new, status) if new else []
        return [*new, *beside], [zone for zone in again if zone not in beside]

    def _is_unsure(self, status: ZoneStatus) -> bool:
        """Whether a zone that lies open was looked at too few times."""
        if status.sight is not Sight.SEEN:
            return False
        memory = self._memory.get(status.zone)
        is_spread = self.layout.zone(status.zone).kind is ZoneKind.SPREAD
        return memory is None or memory.reads < (_READS_OF_SPREAD if is_spread else _READS)

    def _beside(self, new: Sequence[Zone], status: TableStatus) -> list[Zone]:
        """The spaces beside those that show something new: a marker that leaned over two was seen on both,
        and of the one that it never lay on nothing else may change when it goes."""
        seen = {zone.zone: zone for zone in status.zones if zone.sight is Sight.SEEN}
        others = [zone for zone in self.layout.zones if zone.track and zone.id in seen and zone not in new]
        beside = [zone for zone in others if any(_are_next(zone, one) for one in new)]
        for zone in beside:
            self._memory[zone.id] = _Memory(version=seen[zone.id].version)
        return beside

    def _read_cards(self, frame: Frame, zones: Sequence[Zone]) -> None:
        assert self.pose is not None
        scale = self.places.pixels_per_unit
        pictures = []
        standing = [mark for memory in self._memory.values() for mark in memory.standing]
        for zone in zones:
            area = self.places.area(zone)
            picture = self._rectifier.rectify(frame.image, self.pose, area, scale)
            finer = None if self.places.label is None else rectify(frame.image, self.pose, area, 2 * scale)
            fine = None if finer is None else finer.image
            shades = self.bodies.shades_on(area, standing, self.pose)
            pictures.append(
                PlacePicture(zone=zone, picture=picture, fine=fine, shades=shades, frame=frame.image)
            )
        read = self.places.read(pictures, self.pose) if pictures else ()
        for place, cards in zip(pictures, read, strict=True):
            memory = self._memory[place.zone.id]
            if place.zone.kind in _PLACES:
                memory.glance = self._glance(frame, place, cards[0])
                cards = (memory.glance.card,)
            elif place.zone.kind is ZoneKind.SPREAD:
                picture = coarse(place.picture, _COARSER)
                cards = self._bare.cards_on(place.zone.id, picture, cards, self.pose)
                memory.ground = picture if all(card.seems_none for card in cards) else None
            memory.cards = blended_cards(memory.cards, cards, memory.reads)

    def _glance(self, frame: Frame, place: PlacePicture, card: CardSighting) -> Glance:
        """The place beside what was read there: it may be known to look so while it is bare."""
        assert self.pose is not None
        zone = place.zone
        patch = patch_of(place.picture, zone.rect)
        glance = Glance(patch=patch, card=self._bare.told(zone.id, patch, card))
        if glance.seems_bare or self._bare.knows(zone.id):
            return glance
        scale = self.places.pixels_per_unit / _COARSER
        ground = self._rectifier.rectify(frame.image, self.pose, around(zone.rect), scale)
        return replace(glance, goes_on=ground_goes_on(ground, zone.rect))

    def _read_pieces(self, frame: Frame, zones: Sequence[Zone]) -> None:
        assert self.pose is not None
        for zone in zones:
            area = self.pieces.area(zone)
            picture = self._rectifier.rectify(frame.image, self.pose, area, PIXELS_PER_UNIT)
            memory = self._memory[zone.id]
            memory.marks = tuple(self.pieces.marks_in(zone, picture, memory.reads))
            marks = pieces_of(zone, self._phantoms.without(zone.id, memory.marks), self.layout.zones)
            memory.pieces = blended_counts(memory.pieces, counted(zone, marks), memory.reads)
            memory.looks = (*memory.looks, marks) if memory.reads else (marks,)
            memory.doubtful = doubtful(zone, memory.looks)
            memory.standing = probable(marks)

    def _sighting(self, status: ZoneStatus) -> ZoneSighting:
        memory = self._memory.get(status.zone)
        unread = memory is None or not memory.reads or memory.version != status.version
        if status.sight is not Sight.SEEN or memory is None or unread:
            sight = Sight.MOVING if status.sight is Sight.SEEN else status.sight
            return ZoneSighting(zone=status.zone, sight=sight, why=status.why)
        zone = self.layout.zone(status.zone)
        if zone.cards and not self.places.can_read(zone) and not zone.pieces:
            return ZoneSighting(zone=status.zone, sight=Sight.UNREADABLE, why="sight.spread")
        return ZoneSighting(
            zone=status.zone,
            sight=Sight.SEEN,
            cards=memory.cards,
            pieces=memory.pieces,
            doubtful=memory.doubtful,
        )


def _are_next(zone: Zone, other: Zone) -> bool:
    """Whether they are neighbouring spaces of one track."""
    size = max(zone.rect.width, zone.rect.height)
    return zone.track == other.track and math.dist(zone.rect.centre, other.rect.centre) < _NEXT * size


def _nowhere(frame: Frame) -> Observation:
    return Observation(index=frame.index, seen_at=frame.captured_at, registered=False, calm=False, zones=())
