"""Workers drawn by code: soldiers of many builds with a shaded side, in each colour and in four bands."""

import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, line, tone
from vision.virtual.strokes import Draw, Rng, inked

WORKER_COLOURS: dict[str, tuple[Rgb, Rgb]] = {
    "white": ((244, 242, 238), (168, 166, 163)),
    "red": ((222, 38, 34), (138, 20, 20)),
    "black": ((74, 72, 80), (36, 35, 41)),
    "blue": ((54, 164, 224), (28, 98, 146)),
    "yellow": ((246, 214, 26), (168, 136, 22)),
    "any": ((214, 196, 158), (140, 120, 86)),
}


_BANDS = ("red", "black", "blue", "yellow")


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
    half += [
        (shoulder, head_low + rng.uniform(1, 5)),
        (shoulder + rng.uniform(-1, 2), arm_low),
        (waist, arm_low + 1),
    ]
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
    sides = [
        (front + np.array((depth, lift), np.float32) * (1 - i / steps)).astype(np.float32)
        for i in range(steps)
    ]
    return front, sides


def draw_worker(colour: str) -> Draw:
    def draw(rng: Rng) -> list[Shape]:
        front, sides = _extruded(rng)
        light, dark = WORKER_COLOURS[colour]
        dark = tone(dark, float(rng.uniform(0.8, 1.35)))
        weight = float(rng.choice([1.0, 1.4, 2.4] if colour == "white" else [0.0, 1.2, 2.4]))
        shapes = [inked(side, dark, weight + 1.0 if weight else 0) for side in sides[:1]]
        shapes += [inked(side, dark, 0) for side in sides]
        shapes.append(inked(front, light, weight))
        if rng.random() < 0.5:  # steps on the side, as on turned wood
            for y in rng.uniform(15, 50, 2):
                x = float(sides[0][:, 0].min()) + 1
                shapes.append(line(points((x, y), (x + 6, y + 1)), tone(dark, 0.75), 1.6))
        if colour == "any":
            shapes.append(
                line(smooth(points((27, 30), (32, 25), (38, 30), (33, 36), (33, 42)), closed=False), INK, 3.4)
            )
            shapes.append(inked(ellipse(33, 48, 2.2, 2.2), INK, 0))
        return shapes

    return draw


def draw_coloured_worker(rng: Rng) -> list[Shape]:
    """Four bands; each band is the silhouette cut at two heights."""
    front, sides = _extruded(rng)
    cuts = [0.0, rng.uniform(17, 22), rng.uniform(29, 35), rng.uniform(42, 48), 64.0]
    weight = float(rng.choice([0.0, 1.6, 2.6]))
    shapes = [inked(sides[0], INK, weight + 1.0)] if weight else []
    if weight:
        shapes.append(inked(front, INK, weight))
    for band, low, high in zip(_BANDS, cuts, cuts[1:], strict=False):
        light, dark = WORKER_COLOURS[band]
        shapes += [inked(_cut(side, low, high), dark, 0) for side in sides]
        shapes.append(inked(_cut(front, low, high), light, 0))
    return shapes


def _cut(contour: Points, low: float, high: float) -> Points:
    """Clamping the heights keeps the part between two levels: what lies outside collapses onto the cut."""
    dense = np.vstack([contour, contour[:1]])
    steps = np.linspace(0, 1, 8, endpoint=False, dtype=np.float32)[None, :, None]
    dense = (dense[:-1, None] * (1 - steps) + dense[1:, None] * steps).reshape(-1, 2)
    dense[:, 1] = np.clip(dense[:, 1], low, high)
    return dense.astype(np.float32)
