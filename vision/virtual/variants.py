"""Other drawings of the same symbols, made by code from a seed, so that a reader learns the meaning of
a symbol and not our one drawing of it."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from vision.virtual.drawing import Drawing, Points, Rgb, Shape, ellipse, points, smooth

Rng: TypeAlias = np.random.Generator
Draw: TypeAlias = Callable[[Rng], list[Shape]]

INK: Rgb = (33, 28, 25)
_BOX = 64.0

WORKER_COLOURS: dict[str, tuple[Rgb, Rgb]] = {
    "white": ((244, 242, 238), (168, 166, 163)),
    "red": ((222, 38, 34), (138, 20, 20)),
    "black": ((74, 72, 80), (36, 35, 41)),
    "blue": ((54, 164, 224), (28, 98, 146)),
    "yellow": ((246, 214, 26), (168, 136, 22)),
    "any": ((214, 196, 158), (140, 120, 86)),
}
_BANDS = ("red", "black", "blue", "yellow")
_PAPER: Rgb = (250, 249, 245)
_PAPER_DARK: Rgb = (216, 214, 208)
_MARK: Rgb = (150, 146, 140)
_TAG_RED: Rgb = (204, 36, 32)
_GOLD: Rgb = (226, 180, 62)


def variant_drawing(kind: str, seed: int) -> Drawing | None:
    """A drawing of `kind` of its own; None for kinds that only have their SVG."""
    draw = _DRAWERS.get(kind)
    if draw is None:
        return None
    return Drawing(_BOX, _BOX, tuple(draw(np.random.default_rng((seed, 0xA11)))))


def _filled(contour: Points, fill: Rgb, width: float = 2.6, stroke: Rgb = INK) -> Shape:
    return Shape(contours=(contour,), fill=fill, stroke=stroke if width else None, stroke_width=width)


def _line(contour: Points, colour: Rgb, width: float) -> Shape:
    return Shape(contours=(contour,), stroke=colour, stroke_width=width, closed=False)


def _turned(contour: Points, degrees: float, about: tuple[float, float] = (32.0, 32.0)) -> Points:
    angle = np.radians(degrees)
    matrix = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))), np.float32)
    return ((contour - about) @ matrix + about).astype(np.float32)


def _scaled_colour(colour: Rgb, factor: float) -> Rgb:
    return (min(255, int(colour[0] * factor)), min(255, int(colour[1] * factor)), min(255, int(colour[2] * factor)))


# --- workers -----------------------------------------------------------------------------------------


def _worker_outline(rng: Rng) -> Points:
    """A soldier's front seen from its right half downwards, then mirrored; about 28 wide, 56 high."""
    head, neck = rng.uniform(6, 10), rng.uniform(5, 8)
    shoulder, waist, foot = rng.uniform(10, 16), rng.uniform(8, 12.5), rng.uniform(9, 15)
    top = rng.choice([0.0, 3.0, 5.0])
    knob = rng.uniform(2, 4.5)
    half: list[tuple[float, float]] = [(knob, 4), (knob, 4 + top)] if top else [(head * 0.6, 4)]
    head_low = rng.uniform(17, 23)
    half += [(head, 7 + top + rng.uniform(0, 4)), (head, head_low - 2), (neck, head_low)]
    arm_low = rng.uniform(34, 44)
    half += [(shoulder, head_low + rng.uniform(1, 5)), (shoulder + rng.uniform(-1, 2), arm_low), (waist, arm_low + 1)]
    if rng.random() < 0.5:
        half += [(foot, 50), (foot - 1, 60)]
    else:
        half += [(foot, 60)]
    notch = rng.choice([0.0, rng.uniform(1.5, 4)])
    if notch:
        notch_top = rng.uniform(48, 54)
        half += [(notch, 60), (notch, notch_top)]
    right = np.array(half, np.float32)
    left = right[::-1] * (-1, 1)
    outline = np.vstack([right, left]).astype(np.float32)
    return smooth(outline, steps=2) if rng.random() < 0.4 else outline


def _extruded(rng: Rng) -> tuple[Points, list[Points]]:
    front = _worker_outline(rng)
    depth = rng.uniform(4, 15) * (-1 if rng.random() < 0.8 else 1)
    lift = rng.uniform(-3, 3)
    centre = 32 - depth / 2
    squash = rng.uniform(0.75, 1.0)
    front = (front * (squash, 0.97) + (centre, 1)).astype(np.float32)
    steps = 7
    sides = [(front + np.array((depth, lift), np.float32) * (1 - i / steps)).astype(np.float32) for i in range(steps)]
    return front, sides


def _worker(colour: str) -> Draw:
    def draw(rng: Rng) -> list[Shape]:
        front, sides = _extruded(rng)
        light, dark = WORKER_COLOURS[colour]
        dark = _scaled_colour(dark, float(rng.uniform(0.8, 1.35)))
        line = float(rng.choice([0.0, 1.2, 2.4]))
        shapes = [_filled(side, dark, line + 1.0 if line else 0) for side in sides[:1]]
        shapes += [_filled(side, dark, 0) for side in sides]
        shapes.append(_filled(front, light, line))
        if rng.random() < 0.5:  # steps on the side, as on turned wood
            for y in rng.uniform(15, 50, 2):
                x = float(sides[0][:, 0].min()) + 1
                shapes.append(_line(points((x, y), (x + 6, y + 1)), _scaled_colour(dark, 0.75), 1.6))
        if colour == "any":
            shapes.append(_line(smooth(points((27, 30), (32, 25), (38, 30), (33, 36), (33, 42)), closed=False), INK, 3.4))
            shapes.append(_filled(ellipse(33, 48, 2.2, 2.2), INK, 0))
        return shapes

    return draw


def _coloured_worker(rng: Rng) -> list[Shape]:
    """Four bands; each band is the silhouette cut at two heights."""
    front, sides = _extruded(rng)
    cuts = [0.0, rng.uniform(17, 22), rng.uniform(29, 35), rng.uniform(42, 48), 64.0]
    line = float(rng.choice([0.0, 1.6, 2.6]))
    shapes = [_filled(sides[0], INK, line + 1.0)] if line else []
    if line:
        shapes.append(_filled(front, INK, line))
    for band, low, high in zip(_BANDS, cuts, cuts[1:], strict=False):
        light, dark = WORKER_COLOURS[band]
        shapes += [_filled(_cut(side, low, high), dark, 0) for side in sides]
        shapes.append(_filled(_cut(front, low, high), light, 0))
    return shapes


def _cut(contour: Points, low: float, high: float) -> Points:
    """Clamping the heights keeps the part between two levels: what lies outside collapses onto the cut."""
    dense = np.vstack([contour, contour[:1]])
    steps = np.linspace(0, 1, 8, endpoint=False, dtype=np.float32)[None, :, None]
    dense = (dense[:-1, None] * (1 - steps) + dense[1:, None] * steps).reshape(-1, 2)
    dense[:, 1] = np.clip(dense[:, 1], low, high)
    return dense.astype(np.float32)


# --- goods -------------------------------------------------------------------------------------------


def _clay(rng: Rng) -> list[Shape]:
    base: Rgb = (int(rng.uniform(150, 190)), int(rng.uniform(42, 66)), int(rng.uniform(34, 56)))
    top, side = _scaled_colour(base, 1.22), _scaled_colour(base, 0.68)
    line = float(rng.choice([1.6, 2.6, 3.2]))
    w, h, d, lift = rng.uniform(30, 42), rng.uniform(13, 24), rng.uniform(8, 20), rng.uniform(6, 15)
    slope = rng.uniform(-2, 9)
    x0, y0 = 32 - (w + d) / 2, 32 - (h - lift + slope) / 2
    a, b = (x0, y0), (x0 + w, y0 + slope)
    back = (d, -lift)
    c, e = (b[0] + back[0], b[1] + back[1]), (a[0] + back[0], a[1] + back[1])
    shapes = [
        _filled(points(a, b, (b[0], b[1] + h), (a[0], a[1] + h)), base, line),
        _filled(points(a, b, c, e), top, line),
        _filled(points(b, c, (c[0], c[1] + h), (b[0], b[1] + h)), side, line),
    ]
    if rng.random() < 0.5:
        shapes.append(_line(points((x0 + 5, y0 + h * 0.4), (x0 + w * 0.4, y0 + h * 0.4 + slope * 0.4)), side, 1.6))
    if rng.random() < 0.45:
        shapes = [_mirrored(shape) for shape in shapes]
    return shapes


def _mirrored(shape: Shape) -> Shape:
    flipped = tuple((contour * (-1, 1) + (_BOX, 0)).astype(np.float32) for contour in shape.contours)
    return Shape(
        contours=flipped, fill=shape.fill, stroke=shape.stroke, stroke_width=shape.stroke_width, closed=shape.closed
    )


def _wood(rng: Rng) -> list[Shape]:
    bark: Rgb = (int(rng.uniform(104, 150)), int(rng.uniform(66, 96)), int(rng.uniform(34, 62)))
    cut: Rgb = (int(rng.uniform(205, 238)), int(rng.uniform(165, 205)), int(rng.uniform(110, 155)))
    line = float(rng.choice([1.6, 2.6]))
    r, length = rng.uniform(9, 14), rng.uniform(34, 44)
    x0, x1, y = 32 - length / 2, 32 + length / 2, 34.0
    squash = rng.uniform(0.45, 0.9)
    body = np.vstack([points((x0, y - r)), ellipse(x1, y, r * 0.55, r)[21:], ellipse(x1, y, r * 0.55, r)[:8], points((x0, y + r))])
    shapes = []
    for i in range(int(rng.choice([0, 1, 1, 2, 3]))):
        bx = rng.uniform(x0 + 12, x1 - 6)
        size = rng.uniform(3, 6)
        lean = rng.uniform(-3, 7)
        up = -1 if i < 2 else 1
        stub = points((bx - size, y + up * (r - 2)), (bx - size * 0.7 + lean, y + up * (r + 8)), (bx + size * 0.8 + lean, y + up * (r + 6)), (bx + size, y + up * (r - 2)))
        shapes.append(_filled(stub, bark, line))
    shapes.append(_filled(body.astype(np.float32), bark, line))
    shade = np.vstack([points((x0, y + r * 0.35), (x1 + r * 0.4, y + r * 0.35), (x1, y + r), (x0, y + r))])
    shapes.append(_filled(shade, _scaled_colour(bark, 0.72), 0))
    for k in range(int(rng.integers(1, 5))):
        ly = y - r * 0.7 + k * r * 0.4
        lx = rng.uniform(x0 + r, x1 - 12)
        shapes.append(_line(points((lx, ly), (lx + rng.uniform(5, 12), ly + rng.uniform(-1, 1))), _scaled_colour(bark, 0.5), 1.4))
    shapes.append(_filled(ellipse(x0, y, r * squash, r), cut, line))
    for share in np.linspace(0.65, 0.25, int(rng.integers(1, 4))):
        shapes.append(Shape(contours=(ellipse(x0, y, r * squash * share, r * share),), stroke=_scaled_colour(cut, 0.62), stroke_width=1.6))
    turn = rng.uniform(-8, 38) if rng.random() < 0.85 else rng.uniform(-30, -8)
    return [Shape(contours=tuple(_turned(c, turn) for c in s.contours), fill=s.fill, stroke=s.stroke, stroke_width=s.stroke_width, closed=s.closed) for s in shapes]


def _provision(rng: Rng) -> list[Shape]:
    straw: Rgb = (int(rng.uniform(190, 228)), int(rng.uniform(152, 188)), int(rng.uniform(100, 140)))
    dark = _scaled_colour(straw, 0.42)
    line = float(rng.choice([1.6, 2.6]))
    top, bottom = rng.uniform(16, 23), rng.uniform(54, 60)
    wide, narrow = rng.uniform(19, 25), rng.uniform(13, 19)
    lean = rng.uniform(-4, 4)
    shapes = []
    for _ in range(int(rng.integers(2, 5))):
        cx = rng.uniform(32 - wide + 6, 32 + wide - 6)
        pick = rng.random()
        if pick < 0.35:
            shapes.append(_filled(ellipse(cx, top - 2, 5, 5), (240, 238, 230), line * 0.8))
        elif pick < 0.6:
            shapes.append(_filled(points((cx - 4, top + 2), (cx, top - 11), (cx + 5, top + 2)), (160, 176, 180), line * 0.8))
        else:
            leaf = smooth(points((cx - 4, top + 2), (cx + rng.uniform(-4, 4), top - 13), (cx + 5, top + 2)))
            shapes.append(_filled(leaf, (int(rng.uniform(70, 120)), int(rng.uniform(140, 180)), 60), line * 0.8))
    body = points((32 - wide, top), (32 + wide, top), (32 + narrow + lean, bottom), (32 - narrow + lean, bottom))
    shapes.append(_filled(body, straw, line))
    shade = points((32 + wide * 0.3, top), (32 + wide, top), (32 + narrow + lean, bottom), (32 + narrow * 0.4 + lean, bottom))
    shapes.append(_filled(shade, _scaled_colour(straw, 0.8), 0))
    rim = rng.uniform(4, 8)
    shapes.append(_filled(points((32 - wide, top), (32 + wide, top), (32 + wide - 1, top + rim), (32 - wide + 1, top + rim)), _scaled_colour(straw, 1.1), line * 0.7))
    for row in range(int(rng.integers(1, 4))):
        y = top + rim + 7 + row * rng.uniform(8, 11)
        if y > bottom - 4:
            break
        half = wide - 4 - row * 2
        teeth = int(rng.integers(4, 9))
        zigzag = [(32 - half + 2 * half * i / teeth, y + (3.2 if i % 2 else -3.2)) for i in range(teeth + 1)]
        shapes.append(_line(points(*zigzag), dark, float(rng.uniform(1.4, 2.6))))
    if rng.random() < 0.3:
        arch = smooth(points((32 - wide + 3, top), (32 - wide * 0.5, 6), (32 + wide * 0.5, 6), (32 + wide - 3, top)), closed=False)
        shapes.insert(0, _line(arch, dark, 2.4))
    return shapes


def _cowrie(rng: Rng) -> list[Shape]:
    shell: Rgb = (int(rng.uniform(232, 252)),) * 2 + (int(rng.uniform(226, 252)),)
    line = float(rng.choice([1.4, 2.4, 3.0]))
    rx, ry = rng.uniform(22, 28), rng.uniform(13, 24)
    turn = rng.uniform(-38, 38)
    egg = ellipse(32, 32, rx, ry)
    egg[:, 1] = 32 + (egg[:, 1] - 32) * (1 + rng.uniform(-0.18, 0.18) * (egg[:, 0] - 32) / rx)
    shapes = [_filled(egg, shell, line)]
    low = ellipse(32, 32, rx * 0.95, ry * 0.95)[1:13]
    inner = ellipse(32, 32 - ry * 0.25, rx * 0.95, ry * 0.8)[1:13][::-1]
    shapes.append(_filled(np.vstack([low, inner]).astype(np.float32), _scaled_colour(shell, float(rng.uniform(0.7, 0.9))), 0))
    swing, thick = rng.uniform(0.05, 0.3) * ry, rng.uniform(1.2, 4.2)
    reach = rng.uniform(0.62, 0.9) * rx
    t = np.linspace(-1, 1, 14)
    middle = np.stack([32 + reach * t, 32 + swing * np.sin(t * np.pi * rng.uniform(0.5, 1.0)) + rng.uniform(-0.15, 0.15) * ry], axis=1)
    width = thick * (1 - t**2) * rng.uniform(0.6, 1.0)
    slit = np.vstack([middle - np.stack([0 * t, width], 1), (middle + np.stack([0 * t, width], 1))[::-1]])
    shapes.append(_filled(slit.astype(np.float32), (40, 38, 38), 1.0, (40, 38, 38)))
    if rng.random() < 0.4:
        for x in np.linspace(-0.5, 0.5, int(rng.integers(3, 7))):
            shapes.append(_line(points((32 + x * rx, 31 - thick), (32 + x * rx + 1, 28.5 - thick)), (130, 130, 130), 1.2))
    return _all_turned(shapes, turn)


def _all_turned(shapes: list[Shape], degrees: float) -> list[Shape]:
    return [
        Shape(
            contours=tuple(_turned(contour, degrees) for contour in shape.contours),
            fill=shape.fill, stroke=shape.stroke, stroke_width=shape.stroke_width, closed=shape.closed,
        )
        for shape in shapes
    ]  # fmt: skip


# --- cards and tags ----------------------------------------------------------------------------------


def _card(rng: Rng, x: float, y: float, w: float, h: float, fill: Rgb, turn: float, line: float) -> list[Shape]:
    contour = points((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))
    contour = (contour + rng.normal(0, 0.7, contour.shape)).astype(np.float32)
    shapes = [_filled(_turned(contour, turn, (x, y)), fill, line)]
    for _ in range(int(rng.integers(1, 4))):
        sx, sy = x - w * 0.3 + rng.uniform(0, w * 0.2), y - h * 0.38 + rng.uniform(0, h * 0.75)
        scribble = smooth(points((sx, sy), (sx + 4, sy - 2), (sx + 7, sy + 2), (sx + 4, sy + 3)), closed=False, steps=3)
        shapes.append(_line(_turned(scribble, turn, (x, y)), _MARK, 1.4))
    return shapes


def _tag(rng: Rng, x: float, y: float, w: float, h: float, fill: Rgb, line: float) -> list[Shape]:
    """A hanging tag; the number goes to its middle."""
    cut = rng.uniform(0.0, 0.35) * min(w, h)
    contour = points((x - w / 2, y - h / 2 + cut), (x - w / 2 + cut, y - h / 2), (x + w / 2, y - h / 2 + rng.uniform(-1, 2)), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2 + rng.uniform(-2, 1)))
    loop = smooth(points((x - w * 0.2, y - h / 2), (x - w * 0.35, y - h * 0.8), (x, y - h * 0.95), (x + w * 0.1, y - h / 2)), closed=False)
    string: Rgb = (206, 186, 140) if rng.random() < 0.5 else _scaled_colour(fill, 0.6)
    return [_line(loop, string, 2.2), _filled(contour, fill, line)]


def _draw(rng: Rng) -> list[Shape]:
    line = float(rng.choice([1.6, 2.6]))
    turn = rng.uniform(-9, 9)
    shapes = []
    for i in range(int(rng.integers(0, 3)), 0, -1):
        shapes += _card(rng, 29 - 3 * i, 32 - 1.5 * i, 34, 48, _PAPER_DARK, turn + 3 * i, line)
    w, h = rng.uniform(30, 40), rng.uniform(44, 52)
    shapes += _card(rng, 30, 32, w, h, _PAPER, turn, line)
    return shapes + _tag(rng, 42, 37, 34, 23, _TAG_RED, line)


def _draw_pile(rng: Rng) -> list[Shape]:
    line = float(rng.choice([1.6, 2.6]))
    gold = _scaled_colour(_GOLD, float(rng.uniform(0.9, 1.1)))
    shapes: list[Shape] = []
    if rng.random() < 0.35:
        shapes += _card(rng, 28, 30, 34, 46, _scaled_colour(gold, 1.12), rng.uniform(-6, 6), line)
    return shapes + _tag(rng, 32, 38, 46, 36, gold, line)


def _barbarian(rng: Rng) -> list[Shape]:
    return _tag(rng, 32, 38, rng.uniform(40, 50), rng.uniform(30, 40), _TAG_RED, float(rng.choice([1.6, 2.6])))


def _exhaust(rng: Rng) -> list[Shape]:
    line = float(rng.choice([1.6, 2.6]))
    w, h, turn = rng.uniform(34, 42), rng.uniform(46, 54), rng.uniform(-8, 8)
    shapes = _card(rng, 32, 32, w, h, _PAPER, turn, line)
    bar = rng.uniform(3.5, 6.5)
    reach = rng.uniform(0.42, 0.56)
    for sign in (-1, 1):
        cross = _turned(points((32 - w * reach, 32 - sign * h * reach * 0.9), (32 + w * reach, 32 + sign * h * reach * 0.9)), turn)
        shapes += [_line(cross, INK, bar + 2.4)] if line > 2 else []
        shapes.append(_line(cross, (214, 40, 36), bar))
    return shapes


def _destroy(rng: Rng) -> list[Shape]:
    """A tablet cut by lines through a point near its middle; the pieces drift apart."""
    line = float(rng.choice([1.6, 2.4]))
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
        rim = [_on_rim(tablet, a), *(tablet[k % 4] for k in range(int(np.floor(a)) + 1, int(np.ceil(b)))), _on_rim(tablet, b)]
        piece = np.array([middle + rng.uniform(-2, 2, 2), *rim], np.float64)
        away = piece.mean(0) - middle
        piece = piece + away / (np.linalg.norm(away) + 0.1) * drift
        piece = _turned(piece.astype(np.float32), rng.uniform(-14, 14), tuple(piece.mean(0)))
        shapes.append(_filled(piece * np.float32(0.92) + 32, _scaled_colour(_PAPER, float(rng.uniform(0.92, 1.0))), line))
        if len(rim) > 2:
            centre = piece.mean(0) * 0.92 + 32
            shapes.append(_line(points((centre[0] - 4, centre[1]), (centre[0] + 4, centre[1] - 1)), _MARK, 1.6))
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.choice([8.0, 55.0]) + rng.uniform(-3, 3), rng.uniform(10, 54)
        shapes.append(_filled(points((x - 4, y + 3), (x, y - 4), (x + 4, y + 2)), _PAPER, line * 0.8))
    if rng.random() < 0.8:
        tx, ty = rng.uniform(14, 30), rng.uniform(8, 14)
        shapes.append(_filled(ellipse(tx, ty, rng.uniform(4, 8), rng.uniform(4, 6)), _TAG_RED, line * 0.9))
    return _all_turned(shapes, rng.uniform(-14, 14))


def _on_rim(corners: Points, at: float) -> Points:
    k, share = int(np.floor(at)) % 4, at - np.floor(at)
    edge: Points = (corners[k] * (1 - share) + corners[(k + 1) % 4] * share).astype(np.float32)
    return edge


# --- water, animals, food ----------------------------------------------------------------------------


def _flood(rng: Rng) -> list[Shape]:
    blue: Rgb = (int(rng.uniform(36, 80)), int(rng.uniform(146, 186)), int(rng.uniform(196, 230)))
    line = float(rng.choice([1.6, 2.6, 3.2]))
    base = rng.uniform(54, 60)
    top = rng.uniform(5, 14)
    curl = rng.uniform(0.8, 1.2)
    wave = smooth(points((4, base), (6, 40), (14, 22), (28, top + 3), (42, top), (54, top + 8), (58 * curl if curl < 1 else 58, top + 20), (50, top + 27), (43, top + 20), (48, top + 15), (40, top + 12), (34, top + 22), (38, 44), (60, 46), (61, base)))
    shapes = [_filled(wave, blue, line)]
    for k in range(int(rng.integers(1, 4))):
        foam = smooth(points((10 + 6 * k, base - 4), (14 + 6 * k, 36), (28 + 4 * k, top + 8 + 3 * k)), closed=False)
        shapes.append(_line(foam, (226, 244, 250), float(rng.uniform(1.6, 3.2))))
    for _ in range(int(rng.integers(0, 4))):
        shapes.append(_filled(ellipse(rng.uniform(6, 24), rng.uniform(5, 18), 2.2, 2.2), (226, 244, 250), 1.0))
    return [_mirrored(shape) for shape in shapes] if rng.random() < 0.3 else shapes


def _harvest(rng: Rng) -> list[Shape]:
    line = float(rng.choice([1.6, 2.8, 3.4]))
    sand: Rgb = (int(rng.uniform(206, 238)), int(rng.uniform(146, 184)), int(rng.uniform(104, 150)))
    blue: Rgb = (int(rng.uniform(36, 84)), int(rng.uniform(110, 160)), int(rng.uniform(160, 210)))
    brown = _scaled_colour(sand, 0.55)
    r, level = rng.uniform(25, 29), rng.uniform(30, 38)
    shapes = [_filled(ellipse(32, 32, r, r), sand, line)]
    rays = int(rng.integers(5, 10))
    for angle in np.linspace(np.pi, 2 * np.pi, rays):
        direction = np.array((np.cos(angle), np.sin(angle)))
        across = np.array((-direction[1], direction[0])) * 2.6
        start, tip = direction * r * 0.5 + (32, level), direction * r * 0.86 + (32, level)
        if np.hypot(*(tip - 32)) < r:
            shapes.append(_filled(np.array([start + across, tip, start - across], np.float32), brown, 0))
    shapes.append(_filled(ellipse(32, level, r * 0.38, r * 0.38), _scaled_colour(sand, 1.12), 2.0, brown))
    angles = np.linspace(np.arcsin(min(1, (level - 32) / r)), np.pi - np.arcsin(min(1, (level - 32) / r)), 24)
    bowl = np.stack([32 + r * np.cos(angles), 32 + r * np.sin(angles)], axis=1)
    shapes.append(_filled(bowl.astype(np.float32), blue, 0))
    for row in range(3):
        y = level + 5 + row * 6
        half = np.sqrt(max(1.0, (r - 3) ** 2 - (y - 32) ** 2))
        count = max(2, int(half / 5))
        for x in np.linspace(32 - half + 4, 32 + half - 4, count):
            arc = ellipse(x, y, 4.2, 4.0)[14:]
            shapes.append(_line(arc, (206, 230, 240), 1.5))
    shapes.append(Shape(contours=(ellipse(32, 32, r, r),), stroke=INK, stroke_width=line))
    return shapes


def _turtle(rng: Rng) -> list[Shape]:
    gold: Rgb = (int(rng.uniform(214, 244)), int(rng.uniform(182, 220)), int(rng.uniform(90, 160)))
    line = float(rng.choice([1.6, 2.6]))
    rx, ry = rng.uniform(18, 23), rng.uniform(19, 24)
    shapes = [_filled(ellipse(32, 33 - ry - 2, rng.uniform(4.5, 7), 6), gold, line)]
    for angle in (-2.5, -0.64, 0.64, 2.5):
        x, y = 32 + rx * 1.08 * np.cos(angle), 33 + ry * 1.05 * np.sin(angle)
        shapes.append(_filled(ellipse(x, y, rng.uniform(5.5, 8), rng.uniform(3, 4.5), turn=angle), gold, line))
    shapes.append(_filled(points((29, 33 + ry - 2), (32, 33 + ry + 6), (35, 33 + ry - 2)), gold, line))
    shapes.append(_filled(ellipse(32, 33, rx, ry), _scaled_colour(gold, float(rng.uniform(0.75, 1.0))), line))
    if rng.random() < 0.7:
        shapes.append(_filled(ellipse(32, 33, rx * 0.76, ry * 0.76), _scaled_colour(gold, 1.1), float(rng.choice([0, 1.2])), _scaled_colour(gold, 0.55)))
    return _all_turned(shapes, rng.uniform(-10, 22))


def _stone(rng: Rng) -> list[Shape]:
    grey = int(rng.uniform(140, 196))
    line = float(rng.choice([1.8, 3.0]))
    angles = np.linspace(0, 2 * np.pi, 9, endpoint=False)
    radius = rng.uniform(23, 29, 9)
    blob = smooth(np.stack([32 + radius * np.cos(angles), 32 + radius * 0.95 * np.sin(angles)], 1).astype(np.float32), steps=4)
    shapes = [_filled(blob, (grey, grey, grey + 5), line)]
    shapes.append(_line(smooth(points((12, 26), (20, 14), (34, 10)), closed=False), (min(255, grey + 40),) * 3, 3.0))
    shapes.append(_line(smooth(points((18, 52), (34, 56), (50, 46)), closed=False), (grey - 40,) * 3, 4.0))
    return shapes


def _meat(rng: Rng) -> list[Shape]:
    red: Rgb = (int(rng.uniform(196, 232)), int(rng.uniform(60, 100)), int(rng.uniform(70, 110)))
    fat: Rgb = (244, int(rng.uniform(180, 216)), int(rng.uniform(176, 206)))
    line = float(rng.choice([1.6, 2.8]))
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    radius = rng.uniform(0.85, 1.1, 8)
    blob = smooth(np.stack([32 + 27 * radius * np.cos(angles), 32 + rng.uniform(15, 21) * radius * np.sin(angles)], 1).astype(np.float32), steps=4)
    inner = ((blob - 32) * rng.uniform(0.68, 0.86) + 32).astype(np.float32)
    shapes = [_filled(blob, fat, line), _filled(inner, red, 0)]
    bx, by = rng.uniform(22, 46), rng.uniform(27, 36)
    shapes.append(_filled(ellipse(bx, by, rng.uniform(3, 7), rng.uniform(3, 5)), (252, 244, 232), 1.6))
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(16, 40), rng.uniform(26, 38)
        shapes.append(_line(smooth(points((x, y), (x + 5, y - 3), (x + 10, y - 2)), closed=False), fat, 1.8))
    return _all_turned(shapes, rng.uniform(-25, 25))


def _fish(rng: Rng) -> list[Shape]:
    grey: Rgb = (int(rng.uniform(120, 180)), int(rng.uniform(150, 190)), int(rng.uniform(165, 205)))
    line = float(rng.choice([1.6, 2.8]))
    h = rng.uniform(11, 19)
    body = smooth(points((4, 32), (18, 32 - h), (36, 32 - h * 0.8), (48, 29), (48, 35), (36, 32 + h * 0.8), (18, 32 + h)))
    tail = points((45, 32), (60, 32 - h * 0.9), (56, 32), (60, 32 + h * 0.9))
    shapes = [_filled(tail, _scaled_colour(grey, 0.85), line)]
    shapes.append(_filled(points((24, 32 - h * 0.8), (32, 32 - h * 1.5), (40, 32 - h * 0.6)), _scaled_colour(grey, 0.8), line))
    shapes.append(_filled(body, grey, line))
    shapes.append(_line(smooth(points((17, 32 - h * 0.7), (21, 32), (17, 32 + h * 0.7)), closed=False), INK, 1.8))
    for x in np.linspace(25, 40, int(rng.integers(2, 5))):
        shapes.append(_line(smooth(points((x, 32 - h * 0.45), (x + 3, 32), (x, 32 + h * 0.45)), closed=False), _scaled_colour(grey, 0.6), 1.5))
    shapes.append(_filled(ellipse(12, 29, 2.4, 2.4), INK, 0))
    if rng.random() < 0.5:
        shapes = [_mirrored(shape) for shape in shapes]
    return _all_turned(shapes, rng.uniform(-30, 30))


def _wheat(rng: Rng) -> list[Shape]:
    gold: Rgb = (int(rng.uniform(206, 238)), int(rng.uniform(168, 200)), int(rng.uniform(36, 90)))
    line = float(rng.choice([1.2, 2.0]))
    shapes: list[Shape] = []
    ears = int(rng.integers(1, 4))
    for ear in range(ears):
        turn = (ear - (ears - 1) / 2) * rng.uniform(18, 30)
        part: list[Shape] = [_line(smooth(points((32, 62), (33, 40), (32, 20)), closed=False), _scaled_colour(gold, 0.55), 2.4)]
        for k in range(int(rng.integers(3, 6))):
            y = 16 + k * 7.5
            for side in (-1, 1):
                part.append(_filled(ellipse(32 + side * 4.2, y, 3.0, 5.8, turn=side * 0.5), gold, line))
        part.append(_filled(ellipse(32, 10, 3, 6), gold, line))
        shapes += [Shape(contours=tuple(_turned(c, turn, (32, 60)) for c in s.contours), fill=s.fill, stroke=s.stroke, stroke_width=s.stroke_width, closed=s.closed) for s in part]
    tilt = rng.uniform(10, 60) * (1 if rng.random() < 0.8 else -1)
    return _all_turned(shapes, -tilt)


def _milk(rng: Rng) -> list[Shape]:
    clay: Rgb = (int(rng.uniform(150, 200)), int(rng.uniform(92, 128)), int(rng.uniform(44, 78)))
    line = float(rng.choice([1.6, 2.8]))
    top = rng.uniform(22, 30)
    wide, deep = rng.uniform(23, 28), rng.uniform(18, 26)
    shapes = [_filled(ellipse(32, top, wide - 2, rng.uniform(6, 10)), (250, 249, 246), line)]
    for _ in range(int(rng.integers(1, 4))):
        shapes.append(_filled(ellipse(rng.uniform(18, 46), top - rng.uniform(3, 9), rng.uniform(4, 8), rng.uniform(3, 6)), (252, 252, 250), line * 0.7))
    bowl = smooth(points((32 - wide, top), (32 - wide * 0.8, top + deep * 0.6), (32 - wide * 0.4, top + deep), (32 + wide * 0.4, top + deep), (32 + wide * 0.8, top + deep * 0.6), (32 + wide, top)), closed=False)
    foot = points((32 - wide * 0.42, top + deep - 2), (32 + wide * 0.42, top + deep - 2), (32 + wide * 0.55, top + deep + 7), (32 - wide * 0.55, top + deep + 7))
    shapes += [_filled(foot, _scaled_colour(clay, 0.8), line), _filled(bowl, clay, line)]
    shapes.append(_line(points((32 - wide * 0.9, top + 4), (32 + wide * 0.9, top + 4)), _scaled_colour(clay, 0.55), 1.8))
    if rng.random() < 0.6:
        teeth = [(32 - wide * 0.75 + i * wide * 0.25, top + 10 + (3 if i % 2 else -2)) for i in range(7)]
        shapes.append(_line(points(*teeth), _scaled_colour(clay, 0.55), 1.8))
    return shapes


def _arrow(rng: Rng) -> list[Shape]:
    grey = int(rng.uniform(110, 220))
    half, head = rng.uniform(5, 11), rng.uniform(14, 24)
    neck = rng.uniform(26, 40)
    arrow = points((5, 32 - half), (neck, 32 - half), (neck, 32 - head), (60, 32), (neck, 32 + head), (neck, 32 + half), (5, 32 + half))
    return [_filled(arrow, (grey, grey, grey), float(rng.choice([2.0, 3.5])))]


_DRAWERS: dict[str, Draw] = {
    **{colour: _worker(colour) for colour in WORKER_COLOURS},
    "coloured": _coloured_worker,
    "clay": _clay,
    "wood": _wood,
    "provision": _provision,
    "cowrie": _cowrie,
    "draw": _draw,
    "draw-pile": _draw_pile,
    "barbarian": _barbarian,
    "exhaust": _exhaust,
    "destroy": _destroy,
    "flood": _flood,
    "harvest": _harvest,
    "turtle": _turtle,
    "stone": _stone,
    "meat": _meat,
    "fish": _fish,
    "wheat": _wheat,
    "milk": _milk,
    "arrow": _arrow,
}
