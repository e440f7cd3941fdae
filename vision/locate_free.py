"""Finds cards in any photograph: four straight sides that meet at corners, whatever the camera's place."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common_area import common_area
from vision.frame import BgrImage, GrayImage
from vision.locate_edges import Edges, certainty
from vision.pose import Points
from vision.shrink import shrunk

_SHORTEST = 0.022
"""The shortest segment that counts, as a share of the picture's diagonal."""
_SMALLEST = 0.0012
"""The smallest card, as a share of the picture."""
_LARGEST = 0.7
_MOST_SEGMENTS = 420
_MOST_QUADS = 6000
_PER_SIDE = 24
_BESIDE = 2.2
"""Pixels: pieces further off than this are not of one line."""
_GAP, _GAP_PX = 0.08, 4.0
"""Pieces farther apart, by their length, are not of one line: cards side by side have gaps too."""
_AT_ONCE, _SLACK = 128, 0.01
"""Pieces that are compared with all others at once; pixels by which that may be off."""
_PARTS = 5
_RIM = 0.08
"""So far from a card, by its size, an edge is still its own: its rim, its shadow."""
LEAST_SUPPORT = 0.6
"""A quadrilateral with less of its rim on edges is no card."""


def free_quads(edges: Edges, lines: Points) -> tuple[Points, NDArray[np.float64]]:
    """Quadrilaterals that may be cards, top left first, and how well edges bear them out; best first."""
    quads = _hypotheses(_segments(lines, edges.shape), edges.shape)
    if not len(quads):
        return np.empty((0, 4, 2)), np.empty(0)
    quads = quads[:_MOST_QUADS]
    sides = side_support(edges, quads)
    # One side may be hidden or fade into the ground.
    worth = (sides.sum(axis=1) - 0.5 * sides.min(axis=1)) / 3.5
    order = np.argsort(-worth)
    order = order[worth[order] > LEAST_SUPPORT - 0.08][:400]
    quads, worth = sharpened(edges, quads[order]), worth[order]
    likely = _is_card_like(quads, edges.shape)
    quads, worth = quads[likely], worth[likely]
    if not len(quads):
        return np.empty((0, 4, 2)), np.empty(0)
    sides = side_support(edges, quads, reach=1.5)
    worth = ((sides.sum(axis=1) - 0.5 * sides.min(axis=1)) / 3.5).astype(np.float64)
    order = np.argsort(-worth)
    order = order[worth[order] > LEAST_SUPPORT]
    return quads[order], worth[order]


def side_support(edges: Edges, quads: Points, reach: float = 2.5) -> NDArray[np.float32]:
    """For each quadrilateral and side, how much of it lies on edges, 0 to 1."""
    places, normals = _rims(quads)
    offsets = np.arange(-reach, reach + 0.1, 1.0)
    steepest = np.zeros(places.shape[:-1], np.float32)
    for off in offsets:
        steepest = np.maximum(steepest, edges.slope(places + normals * off, normals))
    height, width = edges.shape
    inside = ((places > 1) & (places < (width - 2, height - 2))).all(axis=-1)
    many = inside.sum(axis=2)
    # Of a side outside of the picture nothing can be said.
    return np.where(many > 3, (certainty(steepest) * inside).sum(axis=2) / np.maximum(many, 1), 0.5)


def sharpened(edges: Edges, quads: Points, reaches: Sequence[float] = (4.0, 2.0)) -> Points:
    """Each side moved onto the edge beside it; corners are where the sides then meet."""
    for reach in reaches:
        places, normals = _rims(quads)
        offsets = np.arange(-reach, reach + 0.1, 1.0)
        aside = places[..., None, :] + normals[..., None, :] * offsets[:, None]
        slopes = edges.slope(aside, normals[..., None, :])
        best = (slopes * (1 - 0.4 * np.abs(offsets) / (reach + 1))).argmax(axis=-1)
        weight = certainty(np.take_along_axis(slopes, best[..., None], axis=-1)[..., 0]).astype(np.float64)
        off = offsets[best]
        along = np.linspace(-1, 1, _PER_SIDE)
        for _ in range(2):
            # A straight line through the offsets: at the side's middle, and how it tilts.
            w, wx, wxx = weight.sum(-1) + 0.5, (weight * along).sum(-1), (weight * along**2).sum(-1) + 0.5
            wy, wxy = (weight * off).sum(-1), (weight * along * off).sum(-1)
            det = w * wxx - wx**2
            middle, tilt = (wxx * wy - wx * wxy) / det, (w * wxy - wx * wy) / det
            misfit = np.abs(off - middle[..., None] - tilt[..., None] * along)
            weight = weight / (1 + (misfit / 1.0) ** 2)
        ends = np.stack([places[:, :, 0], places[:, :, -1]], axis=2)
        shift = np.stack([middle - tilt, middle + tilt], axis=-1)
        moved = ends + normals[:, :, :1] * np.clip(shift, -reach, reach)[..., None]
        quads = corners_of_sides(moved)
    return quads


def apart(quads: Points, worth: NDArray[np.float64], *, alike: float, most: int = 90) -> list[int]:
    """The best of each place; quadrilaterals come best first.

    Of two nearly as good the larger is the card: the smaller runs along its frame or its picture.
    """
    shapes = quads.astype(np.float32)
    areas = np.array([abs(float(cv2.contourArea(quad))) for quad in shapes])
    near = _may_be_alike(quads, areas, alike)
    kept: list[int] = []
    taken = np.empty(min(most, len(quads)), np.int64)
    for one in range(len(quads)):
        close = np.flatnonzero(near[one, taken[: len(kept)]]).tolist()
        same = next((k for k in close if _common(shapes, areas, one, kept[k]) >= alike), None)
        if same is None and len(kept) < most:
            taken[len(kept)] = one
            kept.append(one)
        elif (
            same is not None
            and areas[one] > 1.03 * areas[kept[same]]
            and worth[one] > 0.93 * worth[kept[same]]
        ):
            kept[same] = taken[same] = one
    # What took the place of a smaller one may be like another that was not like that one.
    lone: list[int] = []
    for one in kept:
        if all(_common(shapes, areas, one, other) < alike for other in lone if near[one, other]):
            lone.append(one)
    return lone


def _may_be_alike(quads: Points, areas: NDArray[np.float64], alike: float) -> NDArray[np.bool_]:
    """Which pairs are worth a closer look: what lies elsewhere or is much smaller has little in common."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    near = np.minimum(areas[:, None], areas) >= alike * np.maximum(areas[:, None], areas)
    for axis in (0, 1):
        near &= high[:, None, axis] >= low[:, axis]
        near &= high[:, axis] >= low[:, None, axis]
    return np.asarray(near)


def _common(shapes: NDArray[np.float32], areas: NDArray[np.float64], one: int, other: int) -> float:
    """The common area of two by that of both together."""
    common = common_area(shapes[one], shapes[other])
    total = float(areas[one] + areas[other]) - common
    return common / total if total > 0 else 0.0


def is_apart(one: Points, others: Points, least: float) -> bool:
    """Whether a quadrilateral has less than this in common with each of the others, N × 4 × 2."""
    near = (one.max(axis=0) >= others.min(axis=1)).all(axis=1)
    near &= (others.max(axis=1) >= one.min(axis=0)).all(axis=1)
    return all(overlap(one, other) < least for other in others[near])


def overlap(one: Points, other: Points) -> float:
    """The common area by that of both together."""
    if np.any(one.max(axis=0) < other.min(axis=0)) or np.any(other.max(axis=0) < one.min(axis=0)):
        return 0.0
    common = common_area(one, other)
    total = (
        abs(cv2.contourArea(one.astype(np.float32))) + abs(cv2.contourArea(other.astype(np.float32))) - common
    )
    return float(common / total) if total > 0 else 0.0


# --- from segments to quadrilaterals -------------------------------------------------------------------


def straight_lines(gray: GrayImage) -> Points:
    """Straight pieces of edges, N × 2 ends × 2, longest first."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(gray)[0]
    if found is None:
        return np.empty((0, 2, 2))
    lines = np.asarray(found, np.float64).reshape(-1, 2, 2)
    lines = lines[_length(lines) > 0.35 * _SHORTEST * float(np.hypot(*gray.shape))]
    return lines[np.argsort(-_length(lines))][:1500]


def _segments(lines: Points, shape: tuple[int, int]) -> Points:
    """Pieces of one line joined, longest first."""
    joined = _joined(lines)
    joined = joined[_length(joined) > _SHORTEST * float(np.hypot(*shape))]
    return joined[np.argsort(-_length(joined))][:_MOST_SEGMENTS]


def _joined(lines: Points) -> Points:
    """Adds to each long piece the shorter ones that continue it."""
    left = np.ones(len(lines), bool)
    alone = ~_have_others_beside(lines)
    x, y = np.ascontiguousarray(lines[..., 0].T), np.ascontiguousarray(lines[..., 1].T)
    joined = []
    for index in range(len(lines)):
        if not left[index]:
            continue
        line = lines[index]
        left[index] = False
        for _ in range(0 if alone[index] else 3):
            length = float(np.hypot(*(line[1] - line[0])))
            way = (line[1] - line[0]) / length
            off_x, off_y = x - line[0, 0], y - line[0, 1]
            beside = np.abs(off_x * way[1] - off_y * way[0])
            near = np.flatnonzero(left & (beside[0] < _BESIDE) & (beside[1] < _BESIDE))
            along = off_x[:, near] * way[0] + off_y[:, near] * way[1]
            reach = _GAP * length + _GAP_PX
            mine = near[(along.max(axis=0) > -reach) & (along.min(axis=0) < length + reach)]
            if not len(mine):
                break
            left[mine] = False
            ends = np.concatenate([line, lines[mine].reshape(-1, 2)])
            at = (ends - line[0]) @ way
            line = np.stack([ends[at.argmin()], ends[at.argmax()]])
        joined.append(line)
    return np.array(joined).reshape(-1, 2, 2)


def _have_others_beside(lines: Points) -> NDArray[np.bool_]:
    """Whether any other piece lies so that it may continue it: many need no closer look."""
    ends = lines.astype(np.float32).transpose(1, 2, 0)
    ways = ends[1] - ends[0]
    lengths = np.hypot(*ways)
    ways /= lengths
    found = np.zeros(len(lines), bool)
    for first in range(0, len(lines), _AT_ONCE):
        mine = slice(first, first + _AT_ONCE)
        length, (way_x, way_y) = lengths[mine, None], ways[:, mine, None]
        reach = _GAP * length + _GAP_PX + _SLACK
        beside = np.ones((len(length), len(lines)), bool)
        before, behind = beside.copy(), beside.copy()
        for end in ends:
            off_x, off_y = (to - start[mine, None] for to, start in zip(end, ends[0], strict=True))
            beside &= np.abs(off_x * way_y - off_y * way_x) < _BESIDE + _SLACK
            along = off_x * way_x + off_y * way_y
            before &= along <= -reach
            behind &= along >= length + reach
        # Each lies beside itself.
        found[mine] = np.count_nonzero(beside & ~before & ~behind, axis=1) > 1
    return found


def _hypotheses(segments: Points, shape: tuple[int, ...]) -> Points:
    """Three sides in a row tell a card: the fourth is where the arms end."""
    if len(segments) < 3:
        return np.empty((0, 4, 2))
    arms = [
        (*first[1:], *second[1:])
        for starts, ends in _corners(segments)
        for first in starts
        for second in ends
        if first[0] != second[0]
    ]
    if not arms:
        return np.empty((0, 4, 2))
    found = _from_top_left(_closed(np.array(arms)))
    return found[_is_card_like(found, shape)]


_Arm = tuple[int, Points, Points]


def _corners(segments: Points) -> list[tuple[list[_Arm], list[_Arm]]]:
    """For each segment the others that meet its two ends: which, where, and how far they reach."""
    ways = segments[:, 1] - segments[:, 0]
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    units = ways / lengths[:, None]
    off_x, off_y = (segments[None, :, 0, axis] - segments[:, None, 0, axis] for axis in (0, 1))
    cross = units[:, None, 0] * units[:, 1] - units[:, None, 1] * units[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        at_base = (off_x * units[:, 1] - off_y * units[:, 0]) / cross
        at_other = (off_x * units[:, None, 1] - off_y * units[:, None, 0]) / cross
        near_end = np.abs(at_other) < np.abs(at_other - lengths)
        meets = np.minimum(np.abs(at_other), np.abs(at_other - lengths))
        usable = meets < 5 + 0.12 * np.minimum(lengths, lengths[:, None])
    usable &= (np.abs(cross) > 0.6) & (lengths > 0.3 * lengths[:, None])
    found: list[tuple[list[_Arm], list[_Arm]]] = []
    for base in range(len(segments)):
        others = np.flatnonzero(usable[base])
        at = at_base[base, others]
        ends: tuple[list[_Arm], list[_Arm]] = ([], [])
        for side, where in ((0, np.abs(at)), (1, np.abs(at - lengths[base]))):
            near = np.flatnonzero(where < 5 + 0.12 * lengths[base])
            for k in near[np.argsort(where[near])][:6].tolist():
                other = int(others[k])
                place = segments[base, 0] + units[base] * at[k]
                ends[side].append((other, place, segments[other, int(near_end[base, other])]))
        found.append(ends)
    return found


def _closed(arms: Points) -> Points:
    """Quadrilaterals over sides a-b with arms from a and from b, closed at the end of either arm.

    `arms` are N × (a, its arm's end, b, its arm's end) × 2.
    """
    a, b = arms[:, 0], arms[:, 2]
    arm_a, arm_b = arms[:, 1] - a, arms[:, 3] - b
    long_a, long_b = np.hypot(arm_a[:, 0], arm_a[:, 1]), np.hypot(arm_b[:, 0], arm_b[:, 1])
    level = (arm_a * arm_b).sum(axis=1) >= 0.85 * long_a * long_b
    quads, usable = [], []
    for long in (long_a, long_b):
        with np.errstate(divide="ignore", invalid="ignore"):  # an arm of no length is not usable either
            far_a, far_b = a + arm_a * (long / long_a)[:, None], b + arm_b * (long / long_b)[:, None]
        quads.append(np.stack([a, b, far_b, far_a], axis=1))
        usable.append(level & (long < 3 * np.minimum(long_a, long_b)))
    usable[1] &= long_b != long_a  # the same once more
    return np.asarray(np.stack(quads, axis=1)[np.stack(usable, axis=1)], np.float64)


def _from_top_left(quads: Points) -> Points:
    """Clockwise, the top left corner of the card first: its top is a short side, the one higher up."""
    turned = np.roll(quads, -1, axis=1)
    area = (quads[..., 0] * turned[..., 1] - quads[..., 1] * turned[..., 0]).sum(axis=1)
    quads = np.where((area < 0)[:, None, None], quads[:, ::-1], quads)
    ways = np.roll(quads, -1, axis=1) - quads
    sides = np.hypot(ways[..., 0], ways[..., 1])
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    quads = np.where(lying[:, None, None], np.roll(quads, -1, axis=1), quads)
    y = quads[..., 1]
    low = y[:, 0] + y[:, 1] > y[:, 2] + y[:, 3]
    return np.asarray(np.where(low[:, None, None], np.roll(quads, 2, axis=1), quads))


def _is_card_like(quads: Points, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Of a sensible size and shape, with most of it inside the picture."""
    height, width = shape[:2]
    sides = np.roll(quads, -1, axis=1) - quads
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    turn = sides[..., 0] * np.roll(sides[..., 1], -1, axis=1) - sides[..., 1] * np.roll(
        sides[..., 0], -1, axis=1
    )
    area = 0.5 * np.abs(
        (
            quads[..., 0] * np.roll(quads[..., 1], -1, axis=1)
            - quads[..., 1] * np.roll(quads[..., 0], -1, axis=1)
        ).sum(1)
    )
    short, long = lengths[:, 0] + lengths[:, 2], lengths[:, 1] + lengths[:, 3]
    ratio = short / np.maximum(long, 1e-6)
    likely = (turn > 0).all(axis=1) & (area > _SMALLEST * width * height) & (area < _LARGEST * width * height)
    likely &= (ratio > 0.36) & (ratio < 1.02)
    likely &= np.maximum(lengths[:, 0] / lengths[:, 2], lengths[:, 2] / lengths[:, 0]) < 1.6
    likely &= np.maximum(lengths[:, 1] / lengths[:, 3], lengths[:, 3] / lengths[:, 1]) < 1.6
    inside = (quads > -0.12 * max(width, height)).all(axis=(1, 2))
    inside &= (quads < 1.12 * np.array([width, height])).all(axis=(1, 2))
    return np.asarray(likely & inside)


def _rims(quads: Points) -> tuple[Points, Points]:
    """Points along the sides without the rounded corners, and the outward normal of each: N × 4 × points."""
    ends = np.roll(quads, -1, axis=1)
    at = np.linspace(0.08, 0.92, _PER_SIDE)[None, None, :, None]
    places = quads[:, :, None] * (1 - at) + ends[:, :, None] * at
    sides = ends - quads
    lengths = np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-6)
    normals = np.stack([sides[..., 1], -sides[..., 0]], axis=-1) / lengths[..., None]
    return places, np.broadcast_to(normals[:, :, None], places.shape)


def corners_of_sides(sides: Points) -> Points:
    """Where each side, N × 4 × 2 ends × 2, meets the one before it."""
    before = np.roll(sides, 1, axis=1)
    p, r = sides[:, :, 0], sides[:, :, 1] - sides[:, :, 0]
    q, s = before[:, :, 0], before[:, :, 1] - before[:, :, 0]
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    off = q - p
    t = (off[..., 0] * s[..., 1] - off[..., 1] * s[..., 0]) / np.where(np.abs(cross) < 1e-6, 1e-6, cross)
    return np.asarray(p + r * t[..., None])


def length_outside(lines: Points, cards: Points) -> tuple[Points, NDArray[np.float64]]:
    """The parts of lines on none of the cards, N × 4 × 2, nor at their rims: where, and how long each is."""
    at = (np.arange(_PARTS) + 0.5)[:, None, None] / _PARTS
    places = (lines[:, 0] * (1 - at) + lines[:, 1] * at).reshape(-1, 2)
    lengths = np.tile(_length(lines) / _PARTS, _PARTS)
    sides = np.roll(cards, -1, axis=1) - cards
    normals = np.stack([-sides[..., 1], sides[..., 0]], axis=-1)
    normals /= np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-6)[..., None]
    rims = _RIM * np.sqrt([abs(cv2.contourArea(card.astype(np.float32))) for card in cards])
    depths = ((places[:, None, None] - cards) * normals).sum(axis=-1)
    outside = ~(depths > -rims[:, None]).all(axis=2).any(axis=1)
    return places[outside], lengths[outside]


def _length(lines: Points) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(lines[:, 1] - lines[:, 0]).T))


def work_picture(image: BgrImage, longest: int = 1100) -> tuple[BgrImage, float]:
    """Small enough to look at all of it, and how much smaller it is."""
    return shrunk(image, max(image.shape[:2]) / longest)
