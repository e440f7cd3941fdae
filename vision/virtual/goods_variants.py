"""Goods drawn by code: bricks, logs, baskets and shells."""

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import line, mirrored, ring, tone, turned, turned_points
from vision.virtual.strokes import BOX, Rng, inked


def draw_clay(rng: Rng) -> list[Shape]:
    base: Rgb = (int(rng.uniform(150, 190)), int(rng.uniform(42, 66)), int(rng.uniform(34, 56)))
    top, side = tone(base, 1.22), tone(base, 0.68)
    weight = float(rng.choice([1.6, 2.6, 3.2]))
    w, h, d, lift = rng.uniform(30, 42), rng.uniform(13, 24), rng.uniform(8, 20), rng.uniform(6, 15)
    slope = rng.uniform(-2, 9)
    x0, y0 = 32 - (w + d) / 2, 32 - (h - lift + slope) / 2
    a, b = (x0, y0), (x0 + w, y0 + slope)
    back = (d, -lift)
    c, e = (b[0] + back[0], b[1] + back[1]), (a[0] + back[0], a[1] + back[1])
    shapes = [
        inked(points(a, b, (b[0], b[1] + h), (a[0], a[1] + h)), base, weight),
        inked(points(a, b, c, e), top, weight),
        inked(points(b, c, (c[0], c[1] + h), (b[0], b[1] + h)), side, weight),
    ]
    if rng.random() < 0.5:
        shapes.append(
            line(points((x0 + 5, y0 + h * 0.4), (x0 + w * 0.4, y0 + h * 0.4 + slope * 0.4)), side, 1.6)
        )
    if rng.random() < 0.45:
        shapes = mirrored(shapes, BOX)
    return shapes


def draw_wood(rng: Rng) -> list[Shape]:
    bark: Rgb = (int(rng.uniform(104, 150)), int(rng.uniform(66, 96)), int(rng.uniform(34, 62)))
    cut: Rgb = (int(rng.uniform(205, 238)), int(rng.uniform(165, 205)), int(rng.uniform(110, 155)))
    weight = float(rng.choice([1.6, 2.6]))
    r, length = rng.uniform(9, 14), rng.uniform(34, 44)
    x0, x1, y = 32 - length / 2, 32 + length / 2, 34.0
    squash = rng.uniform(0.45, 0.9)
    body = np.vstack(
        [
            points((x0, y - r)),
            ellipse(x1, y, r * 0.55, r)[21:],
            ellipse(x1, y, r * 0.55, r)[:8],
            points((x0, y + r)),
        ]
    )
    shapes = []
    for i in range(int(rng.choice([0, 1, 1, 2, 3]))):
        bx = rng.uniform(x0 + 12, x1 - 6)
        size = rng.uniform(3, 6)
        lean = rng.uniform(-3, 7)
        up = -1 if i < 2 else 1
        stub = points(
            (bx - size, y + up * (r - 2)),
            (bx - size * 0.7 + lean, y + up * (r + 8)),
            (bx + size * 0.8 + lean, y + up * (r + 6)),
            (bx + size, y + up * (r - 2)),
        )
        shapes.append(inked(stub, bark, weight))
    shapes.append(inked(body.astype(np.float32), bark, weight))
    shade = np.vstack([points((x0, y + r * 0.35), (x1 + r * 0.4, y + r * 0.35), (x1, y + r), (x0, y + r))])
    shapes.append(inked(shade, tone(bark, 0.72), 0))
    for k in range(int(rng.integers(1, 5))):
        ly = y - r * 0.7 + k * r * 0.4
        lx = rng.uniform(x0 + r, x1 - 12)
        shapes.append(
            line(
                points((lx, ly), (lx + rng.uniform(5, 12), ly + rng.uniform(-1, 1))),
                tone(bark, 0.5),
                1.4,
            )
        )
    shapes.append(inked(ellipse(x0, y, r * squash, r), cut, weight))
    for share in np.linspace(0.65, 0.25, int(rng.integers(1, 4))):
        shapes.append(ring(ellipse(x0, y, r * squash * share, r * share), tone(cut, 0.62), 1.6))
    turn = rng.uniform(-8, 38) if rng.random() < 0.85 else rng.uniform(-30, -8)
    return [
        Shape(
            contours=tuple(turned_points(c, turn) for c in s.contours),
            fill=s.fill,
            stroke=s.stroke,
            stroke_width=s.stroke_width,
            closed=s.closed,
        )
        for s in shapes
    ]


def draw_provision(rng: Rng) -> list[Shape]:
    straw: Rgb = (int(rng.uniform(190, 228)), int(rng.uniform(152, 188)), int(rng.uniform(100, 140)))
    dark = tone(straw, 0.42)
    weight = float(rng.choice([1.6, 2.6]))
    top, bottom = rng.uniform(16, 23), rng.uniform(54, 60)
    wide, narrow = rng.uniform(19, 25), rng.uniform(13, 19)
    lean = rng.uniform(-4, 4)
    shapes = []
    for _ in range(int(rng.integers(2, 5))):
        cx = rng.uniform(32 - wide + 6, 32 + wide - 6)
        pick = rng.random()
        if pick < 0.35:
            shapes.append(inked(ellipse(cx, top - 2, 5, 5), (240, 238, 230), weight * 0.8))
        elif pick < 0.6:
            shapes.append(
                inked(
                    points((cx - 4, top + 2), (cx, top - 11), (cx + 5, top + 2)),
                    (160, 176, 180),
                    weight * 0.8,
                )
            )
        else:
            leaf = smooth(points((cx - 4, top + 2), (cx + rng.uniform(-4, 4), top - 13), (cx + 5, top + 2)))
            shapes.append(
                inked(leaf, (int(rng.uniform(70, 120)), int(rng.uniform(140, 180)), 60), weight * 0.8)
            )
    body = points(
        (32 - wide, top), (32 + wide, top), (32 + narrow + lean, bottom), (32 - narrow + lean, bottom)
    )
    shapes.append(inked(body, straw, weight))
    shade = points(
        (32 + wide * 0.3, top),
        (32 + wide, top),
        (32 + narrow + lean, bottom),
        (32 + narrow * 0.4 + lean, bottom),
    )
    shapes.append(inked(shade, tone(straw, 0.8), 0))
    rim = rng.uniform(4, 8)
    shapes.append(
        inked(
            points(
                (32 - wide, top), (32 + wide, top), (32 + wide - 1, top + rim), (32 - wide + 1, top + rim)
            ),
            tone(straw, 1.1),
            weight * 0.7,
        )
    )
    for row in range(int(rng.integers(1, 4))):
        y = top + rim + 7 + row * rng.uniform(8, 11)
        if y > bottom - 4:
            break
        half = wide - 4 - row * 2
        teeth = int(rng.integers(4, 9))
        zigzag = [(32 - half + 2 * half * i / teeth, y + (3.2 if i % 2 else -3.2)) for i in range(teeth + 1)]
        shapes.append(line(points(*zigzag), dark, float(rng.uniform(1.4, 2.6))))
    if rng.random() < 0.3:
        arch = smooth(
            points((32 - wide + 3, top), (32 - wide * 0.5, 6), (32 + wide * 0.5, 6), (32 + wide - 3, top)),
            closed=False,
        )
        shapes.insert(0, line(arch, dark, 2.4))
    return shapes


def draw_cowrie(rng: Rng) -> list[Shape]:
    shell: Rgb = (int(rng.uniform(232, 252)),) * 2 + (int(rng.uniform(226, 252)),)
    weight = float(rng.choice([1.4, 2.4, 3.0]))
    rx, ry = rng.uniform(22, 28), rng.uniform(13, 24)
    turn = rng.uniform(-38, 38)
    egg = ellipse(32, 32, rx, ry)
    egg[:, 1] = 32 + (egg[:, 1] - 32) * (1 + rng.uniform(-0.18, 0.18) * (egg[:, 0] - 32) / rx)
    shapes = [inked(egg, shell, weight)]
    low = ellipse(32, 32, rx * 0.95, ry * 0.95)[1:13]
    inner = ellipse(32, 32 - ry * 0.25, rx * 0.95, ry * 0.8)[1:13][::-1]
    shapes.append(
        inked(np.vstack([low, inner]).astype(np.float32), tone(shell, float(rng.uniform(0.7, 0.9))), 0)
    )
    swing, thick = rng.uniform(0.05, 0.3) * ry, rng.uniform(1.2, 4.2)
    reach = rng.uniform(0.62, 0.9) * rx
    t = np.linspace(-1, 1, 14)
    middle = np.stack(
        [
            32 + reach * t,
            32 + swing * np.sin(t * np.pi * rng.uniform(0.5, 1.0)) + rng.uniform(-0.15, 0.15) * ry,
        ],
        axis=1,
    )
    width = thick * (1 - t**2) * rng.uniform(0.6, 1.0)
    slit = np.vstack([middle - np.stack([0 * t, width], 1), (middle + np.stack([0 * t, width], 1))[::-1]])
    shapes.append(inked(slit.astype(np.float32), (40, 38, 38), 1.0, (40, 38, 38)))
    if rng.random() < 0.4:
        for x in np.linspace(-0.5, 0.5, int(rng.integers(3, 7))):
            shapes.append(
                line(points((32 + x * rx, 31 - thick), (32 + x * rx + 1, 28.5 - thick)), (130, 130, 130), 1.2)
            )
    return turned(shapes, turn)
