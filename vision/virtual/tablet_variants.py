"""Cards, tags and broken tablets drawn by code."""

import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, line, tone, turned, turned_points
from vision.virtual.strokes import Rng, inked

_PAPER: Rgb = (250, 249, 245)
_PAPER_DARK: Rgb = (216, 214, 208)
_MARK: Rgb = (150, 146, 140)
_TAG_RED: Rgb = (204, 36, 32)
_GOLD: Rgb = (226, 180, 62)
_STRING: Rgb = (206, 186, 140)


def _card(
    rng: Rng, x: float, y: float, w: float, h: float, fill: Rgb, turn: float, weight: float
) -> list[Shape]:
    contour = points(
        (x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)
    )
    contour = (contour + rng.normal(0, 0.7, contour.shape)).astype(np.float32)
    shapes = [inked(turned_points(contour, turn, (x, y)), fill, weight)]
    for _ in range(int(rng.integers(1, 4))):
        sx, sy = x - w * 0.3 + rng.uniform(0, w * 0.2), y - h * 0.38 + rng.uniform(0, h * 0.75)
        scribble = smooth(
            points((sx, sy), (sx + 4, sy - 2), (sx + 7, sy + 2), (sx + 4, sy + 3)), closed=False, steps=3
        )
        shapes.append(line(turned_points(scribble, turn, (x, y)), _MARK, 1.4))
    return shapes


def _tag(rng: Rng, x: float, y: float, w: float, h: float, fill: Rgb, weight: float) -> list[Shape]:
    """A hanging tag; the number goes to its middle."""
    cut = rng.uniform(0.0, 0.35) * min(w, h)
    contour = points(
        (x - w / 2, y - h / 2 + cut),
        (x - w / 2 + cut, y - h / 2),
        (x + w / 2, y - h / 2 + rng.uniform(-1, 2)),
        (x + w / 2, y + h / 2),
        (x - w / 2, y + h / 2 + rng.uniform(-2, 1)),
    )
    loop = smooth(
        points(
            (x - w * 0.2, y - h / 2), (x - w * 0.35, y - h * 0.8), (x, y - h * 0.95), (x + w * 0.1, y - h / 2)
        ),
        closed=False,
    )
    string = _STRING if rng.random() < 0.5 else tone(fill, 0.6)
    return [line(loop, string, 2.2), inked(contour, fill, weight)]


def is_written(rng: Rng) -> bool:
    """Drawings of tags ask this first: a tablet with the number written across it, or a tag with a label."""
    return bool(rng.random() < 0.65)


def _tablet(rng: Rng, fill: Rgb, string: Rgb, weight: float) -> list[Shape]:
    """An upright tablet with a string through its upper left corner."""
    w, h, turn = rng.uniform(30, 42), rng.uniform(42, 52), rng.uniform(-10, 10)
    x, y = rng.uniform(28, 33), 35.0
    loop_x, top = x - w * rng.uniform(0.1, 0.35), y - h / 2
    loop = points((loop_x - 6, top + 6), (loop_x - 7, top - 4), (loop_x + 2, top - 9), (loop_x + 9, top - 1))
    ring = turned_points(smooth(loop, closed=False), turn, (x, y))
    card = _card(rng, x, y, w, h, fill, turn, weight)
    return [line(ring, INK, 4.6), line(ring, string, 2.6), *card]


def draw_draw(rng: Rng) -> list[Shape]:
    written = is_written(rng)
    weight = float(rng.choice([1.2, 1.8, 2.6]))
    turn = rng.uniform(-9, 9)
    shapes = []
    for i in range(int(rng.integers(0, 3)) if rng.random() < 0.5 else 0, 0, -1):
        shapes += _card(rng, 29 - 3 * i, 32 + 1.5 * i, 34, 48, _PAPER_DARK, turn + 3 * i, weight)
    if written:
        return shapes + _tablet(rng, _PAPER, _TAG_RED, weight)
    w, h = rng.uniform(30, 40), rng.uniform(44, 52)
    shapes += _card(rng, 30, 32, w, h, _PAPER, turn, weight)
    return shapes + _tag(rng, 42, 37, 34, 23, _TAG_RED, weight)


def draw_draw_pile(rng: Rng) -> list[Shape]:
    written = is_written(rng)
    weight = float(rng.choice([1.2, 1.8, 2.6]))
    gold = tone(_GOLD, float(rng.uniform(0.9, 1.1)))
    if written:
        return _tablet(rng, gold, _STRING if rng.random() < 0.5 else tone(gold, 0.7), weight)
    return _tag(rng, 32, 38, 46, 36, gold, weight)


def draw_barbarian(rng: Rng) -> list[Shape]:
    written = is_written(rng)
    weight = float(rng.choice([1.2, 1.8, 2.6]))
    if written:
        return _tablet(rng, _TAG_RED, _STRING, weight)
    return _tag(rng, 32, 38, rng.uniform(40, 50), rng.uniform(30, 40), _TAG_RED, weight)


def draw_exhaust(rng: Rng) -> list[Shape]:
    weight = float(rng.choice([1.6, 2.6]))
    w, h, turn = rng.uniform(34, 42), rng.uniform(46, 54), rng.uniform(-8, 8)
    shapes = _card(rng, 32, 32, w, h, _PAPER, turn, weight)
    bar = rng.uniform(3.5, 6.5)
    reach = rng.uniform(0.42, 0.56)
    for sign in (-1, 1):
        cross = turned_points(
            points(
                (32 - w * reach, 32 - sign * h * reach * 0.9), (32 + w * reach, 32 + sign * h * reach * 0.9)
            ),
            turn,
        )
        shapes += [line(cross, INK, bar + 2.4)] if weight > 2 else []
        shapes.append(line(cross, (214, 40, 36), bar))
    return shapes


def draw_destroy(rng: Rng) -> list[Shape]:
    return _split_tablet(rng) if rng.random() < 0.5 else _shattered_tablet(rng)


def _split_tablet(rng: Rng) -> list[Shape]:
    """Broken in two across, the pieces slid apart, a few splinters, the string still on the upper one."""
    weight = float(rng.choice([1.2, 1.8, 2.6]))
    upper = points((8, 18), (35, 10), (39, 22), (32, 29), (35, 37), (15, 44))
    lower = points((36, 34), (43, 24), (59, 31), (53, 52), (31, 56), (27, 45))
    splinters = [points((46, 10), (56, 14), (49, 19)), points((10, 49), (19, 47), (16, 56))]
    shapes: list[Shape] = []
    for piece in (lower, upper, *splinters[: int(rng.integers(3))]):
        rough = (piece + rng.normal(0, 1.5, piece.shape)).astype(np.float32)
        shapes.append(inked(rough, tone(_PAPER, float(rng.uniform(0.93, 1.0))), weight))
    for mark_x, mark_y in ((18, 24), (22, 33), (40, 42)):
        mark = points((mark_x, mark_y), (mark_x + rng.uniform(3, 8), mark_y - 2))
        shapes.append(line(mark, _MARK, float(rng.uniform(1.2, 2.2))))
    x, y = rng.uniform(14, 26), rng.uniform(11, 16)
    if rng.random() < 0.6:
        loop = smooth(points((x - 6, y + 4), (x - 5, y - 6), (x + 3, y - 8), (x + 7, y)), closed=False)
        shapes += [line(loop, INK, 5.0), line(loop, _TAG_RED, 3.2)]
    else:
        shapes.append(inked(ellipse(x, y - 1, rng.uniform(5, 8), rng.uniform(4, 6)), _TAG_RED, weight))
    return turned(shapes, rng.uniform(-12, 12))


def _shattered_tablet(rng: Rng) -> list[Shape]:
    """A tablet cut by lines through a point near its middle; the pieces drift apart."""
    weight = float(rng.choice([1.6, 2.4]))
    w, h = rng.uniform(30, 42), rng.uniform(34, 46)
    corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    tablet = np.array(corners, np.float32)
    cracks = sorted(rng.uniform(0, 4, int(rng.integers(2, 5))))
    if cracks[-1] - cracks[0] < 1.2:
        cracks[-1] = (cracks[0] + 2.0) % 4
        cracks.sort()
    middle = np.array((rng.uniform(-4, 4), rng.uniform(-4, 4)))
    shapes: list[Shape] = []
    drift = rng.uniform(3, 7)
    for a, b in zip(cracks, [*cracks[1:], cracks[0] + 4], strict=True):
        rim = [
            _on_rim(tablet, a),
            *(tablet[k % 4] for k in range(int(np.floor(a)) + 1, int(np.ceil(b)))),
            _on_rim(tablet, b),
        ]
        corner_ring = np.array([middle + rng.uniform(-2, 2, 2), *rim], np.float64)
        away = corner_ring.mean(0) - middle
        corner_ring = corner_ring + away / (np.linalg.norm(away) + 0.1) * drift
        pivot = (float(corner_ring[:, 0].mean()), float(corner_ring[:, 1].mean()))
        piece = turned_points(corner_ring.astype(np.float32), rng.uniform(-14, 14), pivot)
        shapes.append(
            inked(piece * np.float32(0.92) + 32, tone(_PAPER, float(rng.uniform(0.92, 1.0))), weight)
        )
        if len(rim) > 2:
            centre = piece.mean(0) * 0.92 + 32
            shapes.append(
                line(points((centre[0] - 4, centre[1]), (centre[0] + 4, centre[1] - 1)), _MARK, 1.6)
            )
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.choice([8.0, 55.0]) + rng.uniform(-3, 3), rng.uniform(10, 54)
        shapes.append(inked(points((x - 4, y + 3), (x, y - 4), (x + 4, y + 2)), _PAPER, weight * 0.8))
    if rng.random() < 0.8:
        tx, ty = rng.uniform(14, 30), rng.uniform(8, 14)
        shapes.append(inked(ellipse(tx, ty, rng.uniform(4, 8), rng.uniform(4, 6)), _TAG_RED, weight * 0.9))
    return turned(shapes, rng.uniform(-14, 14))


def _on_rim(corners: Points, at: float) -> Points:
    k, share = int(np.floor(at)) % 4, at - np.floor(at)
    edge: Points = (corners[k] * (1 - share) + corners[(k + 1) % 4] * share).astype(np.float32)
    return edge
