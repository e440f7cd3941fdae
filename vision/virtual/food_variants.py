"""Food drawn by code."""

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, line, mirrored, tone, turned, turned_points
from vision.virtual.strokes import BOX, Rng, inked


def draw_meat(rng: Rng) -> list[Shape]:
    red: Rgb = (int(rng.uniform(196, 232)), int(rng.uniform(60, 100)), int(rng.uniform(70, 110)))
    fat: Rgb = (244, int(rng.uniform(180, 216)), int(rng.uniform(176, 206)))
    weight = float(rng.choice([1.6, 2.8]))
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    radius = rng.uniform(0.85, 1.1, 8)
    blob = smooth(
        np.stack(
            [32 + 27 * radius * np.cos(angles), 32 + rng.uniform(15, 21) * radius * np.sin(angles)], 1
        ).astype(np.float32),
        steps=4,
    )
    inner = ((blob - 32) * rng.uniform(0.68, 0.86) + 32).astype(np.float32)
    shapes = [inked(blob, fat, weight), inked(inner, red, 0)]
    bx, by = rng.uniform(22, 46), rng.uniform(27, 36)
    shapes.append(inked(ellipse(bx, by, rng.uniform(3, 7), rng.uniform(3, 5)), (252, 244, 232), 1.6))
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(16, 40), rng.uniform(26, 38)
        shapes.append(line(smooth(points((x, y), (x + 5, y - 3), (x + 10, y - 2)), closed=False), fat, 1.8))
    return turned(shapes, rng.uniform(-25, 25))


def draw_fish(rng: Rng) -> list[Shape]:
    grey: Rgb = (int(rng.uniform(120, 180)), int(rng.uniform(150, 190)), int(rng.uniform(165, 205)))
    weight = float(rng.choice([1.6, 2.8]))
    h = rng.uniform(11, 19)
    body = smooth(
        points(
            (4, 32), (18, 32 - h), (36, 32 - h * 0.8), (48, 29), (48, 35), (36, 32 + h * 0.8), (18, 32 + h)
        )
    )
    tail = points((45, 32), (60, 32 - h * 0.9), (56, 32), (60, 32 + h * 0.9))
    shapes = [inked(tail, tone(grey, 0.85), weight)]
    shapes.append(
        inked(
            points((24, 32 - h * 0.8), (32, 32 - h * 1.5), (40, 32 - h * 0.6)),
            tone(grey, 0.8),
            weight,
        )
    )
    shapes.append(inked(body, grey, weight))
    shapes.append(
        line(smooth(points((17, 32 - h * 0.7), (21, 32), (17, 32 + h * 0.7)), closed=False), INK, 1.8)
    )
    for x in np.linspace(25, 40, int(rng.integers(2, 5))):
        shapes.append(
            line(
                smooth(points((x, 32 - h * 0.45), (x + 3, 32), (x, 32 + h * 0.45)), closed=False),
                tone(grey, 0.6),
                1.5,
            )
        )
    shapes.append(inked(ellipse(12, 29, 2.4, 2.4), INK, 0))
    if rng.random() < 0.5:
        shapes = mirrored(shapes, BOX)
    return turned(shapes, rng.uniform(-30, 30))


def draw_wheat(rng: Rng) -> list[Shape]:
    gold: Rgb = (int(rng.uniform(206, 238)), int(rng.uniform(168, 200)), int(rng.uniform(36, 90)))
    weight = float(rng.choice([1.2, 2.0]))
    shapes: list[Shape] = []
    ears = int(rng.integers(1, 4))
    for ear in range(ears):
        turn = (ear - (ears - 1) / 2) * rng.uniform(18, 30)
        part: list[Shape] = [
            line(smooth(points((32, 62), (33, 40), (32, 20)), closed=False), tone(gold, 0.55), 2.4)
        ]
        for k in range(int(rng.integers(3, 6))):
            y = 16 + k * 7.5
            for side in (-1, 1):
                part.append(inked(ellipse(32 + side * 4.2, y, 3.0, 5.8, turn=side * 0.5), gold, weight))
        part.append(inked(ellipse(32, 10, 3, 6), gold, weight))
        shapes += [
            Shape(
                contours=tuple(turned_points(c, turn, (32, 60)) for c in s.contours),
                fill=s.fill,
                stroke=s.stroke,
                stroke_width=s.stroke_width,
                closed=s.closed,
            )
            for s in part
        ]
    tilt = rng.uniform(10, 60) * (1 if rng.random() < 0.8 else -1)
    return turned(shapes, -tilt)


def draw_milk(rng: Rng) -> list[Shape]:
    clay: Rgb = (int(rng.uniform(150, 200)), int(rng.uniform(92, 128)), int(rng.uniform(44, 78)))
    weight = float(rng.choice([1.6, 2.8]))
    top = rng.uniform(22, 30)
    wide, deep = rng.uniform(23, 28), rng.uniform(18, 26)
    shapes = [inked(ellipse(32, top, wide - 2, rng.uniform(6, 10)), (250, 249, 246), weight)]
    for _ in range(int(rng.integers(1, 4))):
        shapes.append(
            inked(
                ellipse(rng.uniform(18, 46), top - rng.uniform(3, 9), rng.uniform(4, 8), rng.uniform(3, 6)),
                (252, 252, 250),
                weight * 0.7,
            )
        )
    bowl = smooth(
        points(
            (32 - wide, top),
            (32 - wide * 0.8, top + deep * 0.6),
            (32 - wide * 0.4, top + deep),
            (32 + wide * 0.4, top + deep),
            (32 + wide * 0.8, top + deep * 0.6),
            (32 + wide, top),
        ),
        closed=False,
    )
    foot = points(
        (32 - wide * 0.42, top + deep - 2),
        (32 + wide * 0.42, top + deep - 2),
        (32 + wide * 0.55, top + deep + 7),
        (32 - wide * 0.55, top + deep + 7),
    )
    shapes += [inked(foot, tone(clay, 0.8), weight), inked(bowl, clay, weight)]
    shapes.append(line(points((32 - wide * 0.9, top + 4), (32 + wide * 0.9, top + 4)), tone(clay, 0.55), 1.8))
    if rng.random() < 0.6:
        teeth = [(32 - wide * 0.75 + i * wide * 0.25, top + 10 + (3 if i % 2 else -2)) for i in range(7)]
        shapes.append(line(points(*teeth), tone(clay, 0.55), 1.8))
    return shapes
