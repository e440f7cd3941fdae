"""Signs of water, sun and stone drawn by code, and arrows."""

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, line, mirrored, ring, tone, turned
from vision.virtual.strokes import BOX, Rng, inked


def draw_flood(rng: Rng) -> list[Shape]:
    blue: Rgb = (int(rng.uniform(36, 80)), int(rng.uniform(146, 186)), int(rng.uniform(196, 230)))
    weight = float(rng.choice([1.6, 2.6, 3.2]))
    base = rng.uniform(54, 60)
    top = rng.uniform(5, 14)
    curl = rng.uniform(0.8, 1.2)
    wave = smooth(
        points(
            (4, base),
            (6, 40),
            (14, 22),
            (28, top + 3),
            (42, top),
            (54, top + 8),
            (58 * curl if curl < 1 else 58, top + 20),
            (50, top + 27),
            (43, top + 20),
            (48, top + 15),
            (40, top + 12),
            (34, top + 22),
            (38, 44),
            (60, 46),
            (61, base),
        )
    )
    shapes = [inked(wave, blue, weight)]
    for k in range(int(rng.integers(1, 4))):
        foam = smooth(
            points((10 + 6 * k, base - 4), (14 + 6 * k, 36), (28 + 4 * k, top + 8 + 3 * k)), closed=False
        )
        shapes.append(line(foam, (226, 244, 250), float(rng.uniform(1.6, 3.2))))
    for _ in range(int(rng.integers(0, 4))):
        shapes.append(inked(ellipse(rng.uniform(6, 24), rng.uniform(5, 18), 2.2, 2.2), (226, 244, 250), 1.0))
    return mirrored(shapes, BOX) if rng.random() < 0.3 else shapes


def draw_harvest(rng: Rng) -> list[Shape]:
    weight = float(rng.choice([1.6, 2.8, 3.4]))
    sand: Rgb = (int(rng.uniform(206, 238)), int(rng.uniform(146, 184)), int(rng.uniform(104, 150)))
    blue: Rgb = (int(rng.uniform(36, 84)), int(rng.uniform(110, 160)), int(rng.uniform(160, 210)))
    brown = tone(sand, 0.55)
    r, level = rng.uniform(25, 29), rng.uniform(30, 38)
    shapes = [inked(ellipse(32, 32, r, r), sand, weight)]
    rays = int(rng.integers(5, 10))
    for angle in np.linspace(np.pi, 2 * np.pi, rays):
        direction = np.array((np.cos(angle), np.sin(angle)))
        across = np.array((-direction[1], direction[0])) * 2.6
        start, tip = direction * r * 0.5 + (32, level), direction * r * 0.86 + (32, level)
        if np.hypot(*(tip - 32)) < r:
            shapes.append(inked(np.array([start + across, tip, start - across], np.float32), brown, 0))
    shapes.append(inked(ellipse(32, level, r * 0.38, r * 0.38), tone(sand, 1.12), 2.0, brown))
    angles = np.linspace(np.arcsin(min(1, (level - 32) / r)), np.pi - np.arcsin(min(1, (level - 32) / r)), 24)
    bowl = np.stack([32 + r * np.cos(angles), 32 + r * np.sin(angles)], axis=1)
    shapes.append(inked(bowl.astype(np.float32), blue, 0))
    for row in range(3):
        y = level + 5 + row * 6
        half = np.sqrt(max(1.0, (r - 3) ** 2 - (y - 32) ** 2))
        count = max(2, int(half / 5))
        for x in np.linspace(32 - half + 4, 32 + half - 4, count):
            arc = ellipse(x, y, 4.2, 4.0)[14:]
            shapes.append(line(arc, (206, 230, 240), 1.5))
    shapes.append(ring(ellipse(32, 32, r, r), INK, weight))
    return shapes


def draw_turtle(rng: Rng) -> list[Shape]:
    gold: Rgb = (int(rng.uniform(214, 244)), int(rng.uniform(182, 220)), int(rng.uniform(90, 160)))
    weight = float(rng.choice([1.6, 2.6]))
    rx, ry = rng.uniform(18, 23), rng.uniform(19, 24)
    shapes = [inked(ellipse(32, 33 - ry - 2, rng.uniform(4.5, 7), 6), gold, weight)]
    for angle in (-2.5, -0.64, 0.64, 2.5):
        x, y = 32 + rx * 1.08 * np.cos(angle), 33 + ry * 1.05 * np.sin(angle)
        shapes.append(
            inked(ellipse(x, y, rng.uniform(5.5, 8), rng.uniform(3, 4.5), turn=angle), gold, weight)
        )
    shapes.append(inked(points((29, 33 + ry - 2), (32, 33 + ry + 6), (35, 33 + ry - 2)), gold, weight))
    shapes.append(inked(ellipse(32, 33, rx, ry), tone(gold, float(rng.uniform(0.75, 1.0))), weight))
    if rng.random() < 0.7:
        shapes.append(
            inked(
                ellipse(32, 33, rx * 0.76, ry * 0.76),
                tone(gold, 1.1),
                float(rng.choice([0, 1.2])),
                tone(gold, 0.55),
            )
        )
    return turned(shapes, rng.uniform(-10, 22))


def draw_stone(rng: Rng) -> list[Shape]:
    grey = int(rng.uniform(140, 196))
    weight = float(rng.choice([1.8, 3.0]))
    angles = np.linspace(0, 2 * np.pi, 9, endpoint=False)
    radius = rng.uniform(23, 29, 9)
    blob = smooth(
        np.stack([32 + radius * np.cos(angles), 32 + radius * 0.95 * np.sin(angles)], 1).astype(np.float32),
        steps=4,
    )
    shapes = [inked(blob, (grey, grey, grey + 5), weight)]
    shapes.append(
        line(smooth(points((12, 26), (20, 14), (34, 10)), closed=False), (min(255, grey + 40),) * 3, 3.0)
    )
    shapes.append(line(smooth(points((18, 52), (34, 56), (50, 46)), closed=False), (grey - 40,) * 3, 4.0))
    return shapes


def draw_arrow(rng: Rng) -> list[Shape]:
    grey = int(rng.uniform(110, 220))
    half, head = rng.uniform(5, 11), rng.uniform(14, 24)
    neck = rng.uniform(26, 40)
    arrow = points(
        (5, 32 - half),
        (neck, 32 - half),
        (neck, 32 - head),
        (60, 32),
        (neck, 32 + head),
        (neck, 32 + half),
        (5, 32 + half),
    )
    return [inked(arrow, (grey, grey, grey), float(rng.choice([2.0, 3.5])))]
