"""Land, water, trees and houses in the same hand: behind people, on the river and on the board."""

from typing import TypeAlias

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import filled, line, tone

_Rng: TypeAlias = np.random.Generator


def hills(rng: _Rng, y: float, height: float, colour: Rgb, *, bottom: float, rough: int = 7) -> Shape:
    """A ridge across the stage whose tops reach about `height` above `y`."""
    x = np.linspace(-8, 108, rough)
    ridge = y - height * rng.uniform(0.1, 1.0, rough)
    ridge[[0, -1]] = y
    skyline = smooth(np.stack([x, ridge], axis=1).astype(np.float32), closed=False)
    contour = np.vstack([skyline, points((108, bottom), (-8, bottom))])
    return filled(contour, colour)


def peaks(rng: _Rng, y: float, colour: Rgb, *, bottom: float) -> list[Shape]:
    """Steep rocks as in ink paintings, each with a lit side."""
    shapes: list[Shape] = []
    for x in rng.uniform(5, 95, 4):
        w, h = rng.uniform(9, 18), rng.uniform(20, 42)
        rock = smooth(
            points(
                (x - w, bottom),
                (x - w * 0.8, y - h * 0.4),
                (x - w * 0.2, y - h),
                (x + w * 0.4, y - h * 0.8),
                (x + w, bottom),
            )
        )
        shapes.append(filled(rock, colour))
        shapes.append(
            line(
                smooth(points((x, y - h * 0.85), (x + w * 0.1, y - h * 0.4), (x - w * 0.1, y)), closed=False),
                tone(colour, 0.82),
                1.0,
            )
        )
    return shapes


def grass(rng: _Rng, y: float, colour: Rgb, count: int = 26) -> list[Shape]:
    shapes: list[Shape] = []
    for x in rng.uniform(-2, 102, count):
        lean, h = rng.uniform(-5, 5), rng.uniform(6, 15)
        blade = points((x - 1.1, y + 3), (x + lean, y - h), (x + 1.1, y + 3))
        shapes.append(filled(blade, tone(colour, float(rng.uniform(0.7, 1.25)))))
    return shapes


def ripples(
    rng: _Rng, y0: float, y1: float, colour: Rgb, count: int, *, x1: float = 100.0, width: float = 0.8
) -> list[Shape]:
    shapes: list[Shape] = []
    for _ in range(count):
        x, y, w = rng.uniform(0, x1), rng.uniform(y0, y1), rng.uniform(3, 9)
        crest = smooth(points((x, y), (x + w * 0.4, y - 0.9), (x + w, y + 0.3)), closed=False, steps=4)
        shapes.append(line(crest, tone(colour, float(rng.uniform(1.05, 1.35))), width))
    return shapes


def tree(rng: _Rng, x: float, y: float, r: float, colour: Rgb, *, outline: float = 0.7) -> list[Shape]:
    """A round crown of leaf clusters lit from the upper left, on a short trunk."""
    shapes = [
        filled(
            points(
                (x - r * 0.14, y + r * 0.5),
                (x + r * 0.14, y + r * 0.5),
                (x + r * 0.2, y + r * 1.25),
                (x - r * 0.2, y + r * 1.25),
            ),
            (84, 62, 44),
        )
    ]
    lumps = int(rng.integers(7, 10))
    angles = np.linspace(0, 2 * np.pi, lumps, endpoint=False) + rng.uniform(0, 1)
    reach = r * rng.uniform(0.86, 1.12, lumps)
    dense = np.linspace(0, 2 * np.pi, lumps * 6, endpoint=False)
    radius = np.interp(
        dense, np.append(angles, angles[0] + 2 * np.pi), np.append(reach, reach[0]), period=2 * np.pi
    )
    radius = radius * (1 - 0.13 * np.abs(np.sin(dense * lumps / 2)))
    crown = np.stack([x + radius * np.cos(dense), y + 0.85 * radius * np.sin(dense)], axis=1).astype(
        np.float32
    )
    shapes.append(
        Shape(
            contours=(crown,),
            fill=tone(colour, 0.62),
            stroke=tone(colour, 0.3) if outline else None,
            stroke_width=outline,
        )
    )
    lit = ((crown - (x, y)) * 0.74 + (x - r * 0.14, y - r * 0.14)).astype(np.float32)
    shapes.append(filled(lit, colour))
    for _ in range(4):
        cx, cy = x + rng.uniform(-0.55, 0.35) * r, y + rng.uniform(-0.55, 0.3) * r
        arc = ellipse(cx, cy, r * 0.22, r * 0.18)[13:27]
        shapes.append(line(arc, tone(colour, 1.32), max(0.5, r * 0.06)))
    return shapes


def roof_house(x: float, y: float, s: float, wall: Rgb, roof: Rgb, *, outline: float = 0.6) -> list[Shape]:
    """A small house with a swung roof."""
    eaves = smooth(
        points(
            (x - 1.3 * s, y),
            (x - 0.6 * s, y - 0.5 * s),
            (x - 0.35 * s, y - 0.95 * s),
            (x + 0.35 * s, y - 0.95 * s),
            (x + 0.6 * s, y - 0.5 * s),
            (x + 1.3 * s, y),
        )
    )
    return [
        filled(
            points(
                (x - 0.8 * s, y - 0.2 * s),
                (x + 0.8 * s, y - 0.2 * s),
                (x + 0.8 * s, y + s),
                (x - 0.8 * s, y + s),
            ),
            wall,
            outline,
        ),
        filled(
            points(
                (x - 0.2 * s, y + 0.3 * s),
                (x + 0.2 * s, y + 0.3 * s),
                (x + 0.2 * s, y + s),
                (x - 0.2 * s, y + s),
            ),
            tone(wall, 0.4),
        ),
        filled(eaves, roof, outline),
    ]


def willow(rng: _Rng, x: float, y: float, s: float, colour: Rgb) -> list[Shape]:
    trunk = smooth(points((x, y), (x - 0.1 * s, y - 0.6 * s), (x + 0.15 * s, y - 1.3 * s)), closed=False)
    shapes = [line(trunk, (78, 58, 42), 0.16 * s)]
    for _ in range(14):
        top_x, top_y = x + rng.uniform(-0.3, 0.5) * s, y - rng.uniform(1.1, 1.6) * s
        out = rng.uniform(-0.9, 0.9) * s
        strand = smooth(
            points(
                (top_x, top_y),
                (top_x + out * 0.7, top_y - 0.05 * s),
                (top_x + out, top_y + rng.uniform(0.5, 1.1) * s),
            ),
            closed=False,
        )
        shapes.append(line(strand, tone(colour, float(rng.uniform(0.75, 1.2))), 0.07 * s))
    return shapes


def boat(x: float, y: float, s: float, hull: Rgb, sail: Rgb) -> list[Shape]:
    return [
        filled(
            smooth(
                points(
                    (x, y - 2.2 * s),
                    (x + 1.2 * s, y - 1.4 * s),
                    (x + 1.0 * s, y - 0.3 * s),
                    (x, y - 0.2 * s),
                )
            ),
            sail,
            0.5,
        ),
        filled(
            points(
                (x - 1.5 * s, y - 0.3 * s),
                (x + 1.6 * s, y - 0.3 * s),
                (x + 1.1 * s, y + 0.5 * s),
                (x - 0.9 * s, y + 0.5 * s),
            ),
            hull,
            0.6,
        ),
    ]


def tent(x: float, y: float, s: float, colour: Rgb) -> list[Shape]:
    return [
        filled(points((x - s, y), (x, y - 1.2 * s), (x + s, y)), colour, 0.6),
        filled(points((x - 0.2 * s, y), (x, y - 0.7 * s), (x + 0.2 * s, y)), tone(colour, 0.45)),
    ]


def cloud(x: float, y: float, s: float, colour: Rgb) -> list[Shape]:
    return [
        filled(ellipse(x + dx * s, y + dy * s, rx * s, 0.42 * s), colour)
        for dx, dy, rx in ((-0.8, 0.1, 1.0), (0.1, -0.2, 1.1), (0.9, 0.1, 0.9), (0, 0.3, 1.6))
    ]
