"""Per zone: does it lie calm, does something move, does a hand cover it, did it change since it was read."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backdrop import Backdrop, strongest_change
from vision.frame import BgrImage, Frame, GrayImage
from vision.observation import Sight
from vision.pose import Pose
from vision.rectify import Small, grown, shrink
from vision.table import TableLayout, Zone, ZoneId, ZoneKind

_DARK = 10.0
_MOST_FOREIGN = 0.6
"""Beyond this part of the table it is neither a hand nor a card: the camera was moved or covered."""
_FEWEST_HAND_PX = 220
_FEWEST_CHANGED_PX = 4
_PART_CHANGED = 0.003
"""From this part of a zone on, something is new there,"""
_HALF_A_PIECE = 7e-5
"""or in a heap from so much of the board's width squared: half of the smallest piece, seen from above. A heap
is as wide as a player's own table, and a whole piece less than the part above."""
_FAINT = 5.0
_FAINT_PX = 5
_FEWEST_FAINT_PX = 8
"""A change too faint for single pixels shows in the mean of so many by so many: where a brown coin left brown
wood at least 21 such means differed by more than this many grey levels, and where a hand had only passed over
a zone, 485 times in two styles, none."""
_NEVER = -1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleTimes:
    """In seconds, so that slow and fast cameras behave alike."""

    calm_after: float = 0.25
    """A zone is calm when nothing has moved there for this long, in at least two frames."""
    hand_forgotten_after: float = 20.0
    """Something that reaches in from the edge and lies dead still for this long is no hand."""
    loose_hand_forgotten_after: float = 2.0
    """The same for something that moved in without any visible arm."""
    left_behind_within: float = 1.0
    """What lies still since an arm was there, or at most this long after, was put down by it."""
    laid_out_after: float = 0.5
    """What lies dead still within one place for cards for this long is cards, no hand."""
    ghost_forgotten_after: float = 0.6
    rebuilt_after: float = 2.0
    """A picture that changed as a whole and stays so is the new table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneStatus:
    zone: ZoneId
    sight: Sight
    why: str | None = None
    """For HIDDEN and UNREADABLE: a message key."""
    version: int = 0
    """Grows when a calm zone shows something new: read it again when this differs from what you read."""
    covered: float = 0.0
    """The part of the zone under a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    zones: tuple[ZoneStatus, ...]
    calm: bool
    """Every zone in view is calm and no hand is over the table."""
    still: bool
    """Nothing moves in the picture: the moment to look for drift."""
    hand: bool
    upset: bool
    """Most of the picture changed: moved camera, cover, another scene. Register before believing anything."""
    dark: bool

    def __getitem__(self, zone_id: ZoneId) -> ZoneStatus:
        for status in self.zones:
            if status.zone == zone_id:
                return status
        raise KeyError(f"no zone {zone_id!r} was watched")


@dataclass(slots=True)
class _Watch:
    """What is remembered of one zone."""

    zone: Zone
    box: tuple[slice, slice]
    inside: NDArray[np.bool_]
    area: int
    fewest: int
    """From so many pixels on a change is something new, and no noise."""
    visible: float
    disturbed_at: float = _NEVER
    calm_frames: int = 0
    handled: bool = False
    """Whether a hand was over it since it was compared with its picture."""
    dirty: bool = True
    version: int = 0
    picture: BgrImage | None = None
    """The zone as it looked when its version last grew."""

    def count(self, mask: NDArray[np.uint8]) -> int:
        part = mask[self.box]
        return int(np.count_nonzero(part[self.inside])) if part.any() else 0


@dataclass(slots=True)
class _Scene:
    """Everything that holds only for one pose, one layout and one picture size."""

    pose: Pose
    layout: TableLayout
    shape: tuple[int, ...]
    watches: list[_Watch]
    table: NDArray[np.uint8]
    """Where the board and the zones are."""
    table_area: int
    backdrop: Backdrop
    before: BgrImage
    moved_at: NDArray[np.float32]
    hand: NDArray[np.uint8]
    armed_at: NDArray[np.float32]
    """When a hand was last seen here that reached in from the edge: what it leaves behind is no hand."""
    started_at: float
    upset_since: float | None = None


@dataclass(frozen=True, slots=True)
class _Maps:
    """What one frame shows, as masks."""

    motion: NDArray[np.uint8]
    foreign: NDArray[np.uint8]
    hand: NDArray[np.uint8]
    settled: NDArray[np.uint8]
    """Foreign, no hand, and still for long enough: part of the table from now on."""


@dataclass(slots=True)
class Settle:
    """Feed it every frame; it works on a picture of about 640 pixels' width."""

    times: SettleTimes = field(default_factory=SettleTimes)
    _scene: _Scene | None = None
    _versions: dict[ZoneId, int] = field(default_factory=dict)

    def update(
        self, frame: Frame, pose: Pose, layout: TableLayout, small: Small | None = None
    ) -> TableStatus:
        """`small` may be given by a caller that has shrunk the frame already."""
        small = small or shrink(frame.image)
        view = np.asarray(cv2.GaussianBlur(small.image, (3, 3), 0), np.uint8)
        scene = self._scene_for(view, small, pose, layout, frame.captured_at)
        now = frame.captured_at - scene.started_at
        if float(small.gray[::4, ::4].mean()) < _DARK:
            return self._blind(scene, now, "sight.dark")
        if not scene.backdrop.has_colours_of(view):
            return self._blind(scene, now, "sight.colours")
        maps = self._compare(scene, view, small.gray, now)
        upset = self._is_upset(scene, maps, view, now)
        self._remember(scene, maps, view, upset)
        zones = tuple(self._judge(watch, maps, scene, now, upset) for watch in scene.watches)
        return _summary(zones, maps, scene.table, upset)

    def hands(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Outlines of what covers the table in the last frame, as fractions of the picture."""
        if self._scene is None or not self._scene.hand.any():
            return ()
        height, width = self._scene.hand.shape
        contours, _ = cv2.findContours(self._scene.hand, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        rough = [cv2.approxPolyDP(contour, 2.0, True).reshape(-1, 2) for contour in contours]
        return tuple(tuple((float(x) / width, float(y) / height) for x, y in outline) for outline in rough)

    def _scene_for(self, view: BgrImage, small: Small, pose: Pose, layout: TableLayout, at: float) -> _Scene:
        old = self._scene
        if old and old.pose == pose and old.layout is layout and old.shape == view.shape:
            return old
        little = small.pose(pose)
        watches = [_watch(zone, little, self._versions.get(zone.id, 0)) for zone in layout.zones]
        table = np.zeros(view.shape[:2], np.uint8)
        for rect in (layout.board, *(zone.rect for zone in layout.zones)):
            cv2.fillPoly(table, [little.outline(rect).round().astype(np.int32)], 255)
        self._scene = _Scene(
            pose=pose,
            layout=layout,
            shape=view.shape,
            watches=watches,
            table=table,
            table_area=max(1, cv2.countNonZero(table)),
            backdrop=Backdrop(view),
            before=view,
            moved_at=np.zeros(view.shape[:2], np.float32),
            hand=np.zeros(view.shape[:2], np.uint8),
            armed_at=np.full(view.shape[:2], _NEVER, np.float32),
            started_at=at,
        )
        return self._scene

    def _compare(self, scene: _Scene, view: BgrImage, gray: GrayImage, now: float) -> _Maps:
        change = strongest_change(scene.before, view)
        scene.before = view
        scene.backdrop.measure_noise(change)
        limit = max(10.0, 6.0 * scene.backdrop.noise)
        motion = np.asarray(cv2.threshold(change, limit, 255, cv2.THRESH_BINARY)[1], np.uint8)
        scene.moved_at[motion > 0] = now
        foreign = scene.backdrop.difference(view)
        hand = self._hands(scene, foreign, gray, now)
        settled = np.zeros_like(foreign)
        if foreign.any():
            quiet = (now - scene.moved_at >= self.times.calm_after).astype(np.uint8) * 255
            settled = np.asarray(
                cv2.bitwise_and(foreign, cv2.bitwise_and(quiet, cv2.bitwise_not(hand))), np.uint8
            )
        return _Maps(motion, foreign, hand, settled)

    def _hands(
        self, scene: _Scene, foreign: NDArray[np.uint8], gray: GrayImage, now: float
    ) -> NDArray[np.uint8]:
        """Foreign regions that reach in from the picture's edge, and others that move or just moved."""
        hand = np.zeros_like(foreign)
        if cv2.countNonZero(foreign) >= _FEWEST_HAND_PX:
            body = cv2.morphologyEx(foreign, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
            body = cv2.morphologyEx(body, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            count, labels, stats, _ = cv2.connectedComponentsWithStats(body, connectivity=8)
            for label in range(1, count):
                box = _box_of(stats[label])
                region = labels[box] == label
                if self._is_hand(scene, region, box, stats[label], gray, now):
                    hand[box][region] = 255
                    if _at_border(stats[label], gray.shape):
                        scene.armed_at[box][region] = now
            hand = np.asarray(cv2.dilate(hand, np.ones((5, 5), np.uint8)), np.uint8)
        scene.hand = hand
        return hand

    def _is_hand(
        self,
        scene: _Scene,
        region: NDArray[np.bool_],
        box: tuple[slice, slice],
        stats: NDArray[np.int32],
        gray: GrayImage,
        now: float,
    ) -> bool:
        area = int(stats[cv2.CC_STAT_AREA])
        if area < _FEWEST_HAND_PX:
            return False
        moved_at = scene.moved_at[box][region]
        still_for = now - float(moved_at.max())
        if not _at_border(stats, gray.shape):
            if still_for > self.times.calm_after:
                armed_for = now - scene.armed_at[box][region]
                if np.count_nonzero(armed_for < still_for + self.times.left_behind_within) > 0.5 * area:
                    return False
            # An arm in a sleeve of the mat's colour cannot be seen, so a hand may come without one.
            if np.count_nonzero(now - moved_at < self.times.calm_after) > 0.02 * area:
                return True
            was_hand = np.count_nonzero(scene.hand[box][region]) > 0.3 * area
            if not was_hand or still_for > self.times.loose_hand_forgotten_after:
                return False
        elif still_for > self.times.hand_forgotten_after:
            return False
        if still_for > self.times.calm_after and _fills_places(scene.watches, region, box, area):
            return False
        if still_for > self.times.laid_out_after and _within_one_place(scene.watches, region, box, area):
            return False
        if still_for > self.times.ghost_forgotten_after:
            whole = np.zeros(gray.shape, np.uint8)
            whole[box][region] = 255
            return not scene.backdrop.is_ghost(gray, whole)
        return True

    def _is_upset(self, scene: _Scene, maps: _Maps, view: BgrImage, now: float) -> bool:
        foreign = cv2.countNonZero(cv2.bitwise_and(maps.foreign, scene.table))
        if foreign < _MOST_FOREIGN * scene.table_area:
            scene.upset_since = None
            return False
        if scene.upset_since is None or cv2.countNonZero(maps.motion) > 0.01 * maps.motion.size:
            scene.upset_since = now
        if now - scene.upset_since < self.times.rebuilt_after:
            return True
        scene.backdrop = Backdrop(view)
        scene.upset_since = None
        for watch in scene.watches:
            watch.dirty = True
            watch.disturbed_at = now
        return True

    def _remember(self, scene: _Scene, maps: _Maps, view: BgrImage, upset: bool) -> None:
        if upset:
            return
        scene.backdrop.follow(view, np.asarray(cv2.bitwise_or(maps.foreign, maps.hand), np.uint8))
        if maps.settled.any():
            scene.backdrop.adopt(
                view, np.asarray(cv2.dilate(maps.settled, np.ones((3, 3), np.uint8)), np.uint8)
            )

    def _judge(self, watch: _Watch, maps: _Maps, scene: _Scene, now: float, upset: bool) -> ZoneStatus:
        if watch.visible < 0.6:
            return self._status(watch, Sight.UNREADABLE, "sight.out-of-view")
        # Part of a zone may settle while a hand covers the rest: it is part of the backdrop from now on,
        # and would never be noticed again.
        watch.dirty |= watch.count(maps.settled) >= watch.fewest
        covered = watch.count(maps.hand)
        if upset or covered > max(_FEWEST_CHANGED_PX, 0.015 * watch.area):
            self._disturb(watch, now)
            watch.handled |= not upset
            why = "sight.upset" if upset else "sight.hand"
            return self._status(watch, Sight.HIDDEN, why, min(1.0, covered / watch.area))
        if watch.count(maps.motion) > max(3, 0.01 * watch.area):
            self._disturb(watch, now)
        watch.calm_frames += 1
        if now - watch.disturbed_at < self.times.calm_after or watch.calm_frames < 3:
            return self._status(watch, Sight.MOVING)
        compare = watch.calm_frames == 3 or watch.handled
        is_new = watch.dirty or (compare and _looks_new(watch, scene))
        watch.handled = False
        if is_new:
            watch.dirty = False
            watch.version += 1
            watch.picture = scene.before[watch.box].copy()
            self._versions[watch.zone.id] = watch.version
        return self._status(watch, Sight.SEEN)

    def _disturb(self, watch: _Watch, now: float) -> None:
        watch.disturbed_at = now
        watch.calm_frames = 0

    def _status(
        self, watch: _Watch, sight: Sight, why: str | None = None, covered: float = 0.0
    ) -> ZoneStatus:
        return ZoneStatus(zone=watch.zone.id, sight=sight, why=why, version=watch.version, covered=covered)

    def _blind(self, scene: _Scene, now: float, why: str) -> TableStatus:
        """Nothing is compared and nothing forgotten: when it can be seen again, the game goes on."""
        for watch in scene.watches:
            self._disturb(watch, now)
        zones = tuple(self._status(watch, Sight.UNREADABLE, why) for watch in scene.watches)
        dark = why == "sight.dark"
        return TableStatus(zones=zones, calm=False, still=False, hand=False, upset=False, dark=dark)


def _looks_new(watch: _Watch, scene: _Scene) -> bool:
    """Whether a zone that was disturbed is another one than before, however the change crept in."""
    if watch.picture is None:
        return True
    now, then = scene.before[watch.box], watch.picture
    gains = (np.mean(now, axis=(0, 1)) + 1) / (np.mean(then, axis=(0, 1)) + 1)
    lit = np.asarray(np.clip(then * np.clip(gains, 0.8, 1.25), 0, 255), np.uint8)
    change = strongest_change(now, lit)
    edges = cv2.morphologyEx(cv2.cvtColor(then, cv2.COLOR_BGR2GRAY), cv2.MORPH_GRADIENT, np.ones((3, 3)))
    limit = max(14.0, 6.0 * scene.backdrop.noise)
    new = (change > limit + 0.25 * np.asarray(edges)) & watch.inside
    if int(np.count_nonzero(new)) >= watch.fewest:
        return True
    if not watch.handled:
        return False
    means = cv2.blur(now.astype(np.float32) - lit, (_FAINT_PX, _FAINT_PX))
    faint = np.abs(means).max(axis=2) > max(_FAINT, 3.0 * scene.backdrop.noise)
    return int(np.count_nonzero(faint & watch.inside)) >= _FEWEST_FAINT_PX


def _summary(
    zones: tuple[ZoneStatus, ...], maps: _Maps, table: NDArray[np.uint8], upset: bool
) -> TableStatus:
    over = cv2.countNonZero(cv2.bitwise_and(maps.hand, table)) if maps.hand.any() else 0
    hand = over >= _FEWEST_HAND_PX // 2
    still = cv2.countNonZero(maps.motion) < 0.002 * maps.motion.size
    watched = (status for status in zones if status.why != "sight.out-of-view")
    calm = not hand and not upset and all(status.sight is Sight.SEEN for status in watched)
    return TableStatus(zones=zones, calm=calm, still=still, hand=hand, upset=upset, dark=False)


def _watch(zone: Zone, pose: Pose, version: int) -> _Watch:
    """The zone's pixels; a card may lie a little beside its place, so card zones get a rim."""
    card = zone.kind in (ZoneKind.CARD, ZoneKind.PILE, ZoneKind.STRIP)
    outline = pose.outline(grown(zone.rect, 0.004 if card else 0.0)).round().astype(np.int32)
    height, width = pose.lens.height, pose.lens.width
    whole = max(1.0, float(cv2.contourArea(outline.astype(np.float32))))
    x0, y0 = np.clip(outline.min(axis=0), 0, (width - 1, height - 1)).tolist()
    x1, y1 = np.clip(outline.max(axis=0) + 1, 1, (width, height)).tolist()
    mask = np.zeros((height, width), np.uint8)
    if pose.faces(zone.rect):
        cv2.fillPoly(mask, [outline], 255)
    inside = mask[y0:y1, x0:x1] > 0
    area = int(np.count_nonzero(inside))
    box = (slice(y0, y1), slice(x0, x1))
    visible = min(1.0, area / whole) if area else 0.0
    changed = _PART_CHANGED * area
    if zone.kind is ZoneKind.HEAP:
        changed = min(changed, whole * _HALF_A_PIECE / (zone.rect.width * zone.rect.height))
    fewest = max(_FEWEST_CHANGED_PX, round(changed))
    return _Watch(zone, box, inside, max(area, 1), fewest, visible, version=version)


def _fills_places(
    watches: list[_Watch], region: NDArray[np.bool_], box: tuple[slice, slice], area: int
) -> bool:
    """Whether a region is what cards look like in their places: within them, and each well filled.

    A card laid where the picture ends touches its edge as an arm does, and two cards laid side by side
    make one region as large as a hand.
    """
    mask = np.zeros((box[0].stop, box[1].stop), bool)
    mask[box] = region
    within = 0
    for watch in watches:
        if watch.zone.kind in (ZoneKind.SPOT, ZoneKind.STRIP, ZoneKind.SPREAD):
            continue
        part = mask[watch.box]
        overlap = (
            int(np.count_nonzero(part & watch.inside[: part.shape[0], : part.shape[1]])) if part.size else 0
        )
        well_filled = watch.zone.kind is ZoneKind.HEAP or overlap > 0.5 * watch.area
        if overlap > 0.1 * watch.area and not well_filled:
            return False
        within += overlap
    return within > 0.85 * area


def _within_one_place(
    watches: list[_Watch], region: NDArray[np.bool_], box: tuple[slice, slice], area: int
) -> bool:
    """Whether a region keeps to one place for cards, which a hand hardly does.

    A card on another one much like it differs in a part of its picture only; and the zone where cards lie
    anyhow often ends with the picture, so that its cards touch the edge as an arm does.
    """
    mask = np.zeros((box[0].stop, box[1].stop), bool)
    mask[box] = region
    for watch in watches:
        if watch.zone.kind not in (ZoneKind.SPREAD, ZoneKind.CARD, ZoneKind.PILE):
            continue
        part = mask[watch.box]
        inside = watch.inside[: part.shape[0], : part.shape[1]]
        if int(np.count_nonzero(part & inside)) > 0.85 * area:
            return True
    return False


def _box_of(stats: NDArray[np.int32]) -> tuple[slice, slice]:
    x, y, width, height = (int(stats[key]) for key in range(4))
    return slice(y, y + height), slice(x, x + width)


def _at_border(stats: NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    x, y, width, height = (int(stats[key]) for key in range(4))
    return x <= 2 or y <= 2 or x + width >= shape[1] - 2 or y + height >= shape[0] - 2
