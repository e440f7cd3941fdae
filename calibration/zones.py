"""Puts the zones that may lie anywhere where they fit: in view, beside each other, not under a marker."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.profile import MovedZone
from vision.pose import Pose
from vision.table import Rect, TableLayout, Zone, ZoneId

_STEP = 0.02
_FURTHEST = 1.2
_MOST = 4.0
"""Board units from the board's corner beyond which no zone can lie."""


def fit_zones(
    layout: TableLayout, pose: Pose, blocked: Sequence[Rect] = (), kept: Sequence[ZoneId] = ()
) -> tuple[MovedZone, ...]:
    """The zones that had to move, each as little as will do. `kept` were put there by the player."""
    moved: list[MovedZone] = []
    zones = list(layout.zones)
    for index, zone in enumerate(zones):
        if not zone.movable or zone.id in kept:
            continue
        others = [other.rect for other in zones if other.id != zone.id and not _stacked(zone, other)]
        taken = [layout.board, *others, *blocked]
        if pose.in_view(zone.rect) and not any(_overlap(zone.rect, rect) for rect in taken):
            continue
        free = _nearest_free(zone.rect, pose, taken)
        if free is not None:
            zones[index] = replace(zone, rect=free)
            moved.append(MovedZone(zone=zone.id, rect=free))
    return tuple(moved)


def problem_of_move(layout: TableLayout, zone_id: ZoneId, rect: Rect) -> str | None:
    """Why a zone may not lie there: a word for a message; None where it may."""
    zone = next((zone for zone in layout.zones if zone.id == zone_id), None)
    if zone is None or not zone.movable:
        return "fixed"
    if max(abs(value) for value in (rect.x0, rect.y0, rect.x1, rect.y1)) > _MOST:
        return "far"
    if zone.cards and (rect.width < 0.9 * layout.card_width or rect.height < 0.9 * layout.card_height):
        return "small"
    if min(rect.width, rect.height) < 0.03:
        return "small"
    if _overlap(rect, layout.board):
        return "on-board"
    return None


def _stacked(zone: Zone, other: Zone) -> bool:
    return zone.above == other.id or other.above == zone.id


def _nearest_free(rect: Rect, pose: Pose, taken: Sequence[Rect]) -> Rect | None:
    steps = np.arange(-_FURTHEST, _FURTHEST + _STEP / 2, _STEP)
    shifts = [(float(dx), float(dy)) for dx in steps for dy in steps]
    for dx, dy in sorted(shifts, key=lambda shift: shift[0] ** 2 + shift[1] ** 2):
        there = Rect(rect.x0 + dx, rect.y0 + dy, rect.x1 + dx, rect.y1 + dy)
        if not any(_overlap(there, other) for other in taken) and pose.in_view(there):
            return there
    return None


def _overlap(one: Rect, other: Rect) -> bool:
    slack = 1e-6
    return (
        one.x0 < other.x1 - slack
        and other.x0 < one.x1 - slack
        and one.y0 < other.y1 - slack
        and other.y0 < one.y1 - slack
    )
