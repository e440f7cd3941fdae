"""Numbers as ink: digits drawn stroke by stroke in several hands, so that no system font is needed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape
from vision.virtual.svg import parse_path

# Skeletons in a box 10 wide and 14 high. A hand that lacks a sign borrows it from the first.
_HANDS: tuple[dict[str, str], ...] = (
    {  # round
        "0": "M5 0 C1 0 0 4 0 7 C0 10 1 14 5 14 C9 14 10 10 10 7 C10 4 9 0 5 0 Z",
        "1": "M2 3 L6 0 L6 14",
        "2": "M0.5 4 C0.5 -1 9.5 -1 9.5 4 C9.5 7.5 3 10 0 14 L10 14",
        "3": "M0.5 2 C3 -1 9.5 -0.5 9 3.5 C8.7 6 6 6.7 4 6.7 C7 6.7 10 7.5 10 10.2 C10 15 3 15 0 12",
        "4": "M7.5 14 L7.5 0 L0 9.6 L10 9.6",
        "5": "M9 0 L2 0 L1 6.4 C4 4.4 10 5 10 9.5 C10 15 3 15 0 12",
        "6": "M8.5 1 C3 -1 0 4 0 9 C0 15.5 10 15.5 10 9.6 C10 4.5 2 4.5 0.3 8.6",
        "7": "M0 0 L10 0 C7 4 4.5 8 4 14",
        "8": "M5 6.5 C-1 5.5 0 0 5 0 C10 0 11 5.5 5 6.5 C-1.5 7.5 -1 14 5 14 C11 14 11.5 7.5 5 6.5 Z",
        "9": "M9.7 5.4 C8 9.5 0 9.5 0 4.4 C0 -1.5 10 -1.5 10 5 C10 10 7 15 1.5 13",
        "+": "M5 3.5 L5 11.5 M1 7.5 L9 7.5",
    },
    {  # brush: open, a little careless
        "0": "M6 0 C2 1 -0.5 5 0 9 C0.5 13 4 15 7 13 C10 11 10.5 5 9 2 C8 0 7 -0.2 5 0.4",
        "1": "M3.5 2.5 C5 2 6 1 6.5 0 C6 5 5.5 9 5 14",
        "2": "M1 3.5 C2 -0.5 9 -1 8.7 3.5 C8.4 7.5 3 10.5 0 13.6 C3.5 12.4 7 13.6 10 13",
        "3": "M1.5 1 C5 -1 9.5 0.5 8.5 3.5 C8 5.5 5.5 6.4 4 6.6 C8 6 10 8.5 9.4 10.8 C8.6 14 3 15 0 13",
        "4": "M3.5 0 C2.5 4 1.2 7 0 9 C3 8.6 7 8.8 10 8.4 M7.8 3.5 C7.5 7 7 11 6.6 14",
        "5": "M9.6 0.2 C7 0.6 5 0.4 3 0.3 C2.5 2.5 2 4.5 1.4 6.2 C5 4.6 9.6 6 9 9.6 C8.8 13.6 3.5 15 0 13",
        "7": "M0.5 1.2 C4 0.4 7 0.8 10 0.2 C7.5 4.5 5 9 3.6 14",
        "8": "M8.6 2 C7 -0.8 1.5 -0.2 1.6 3 C1.8 6.4 9.2 7 9 10.8 C8.6 15 0.8 14.8 1 10.8 C1.2 7 8.8 6 8.6 2",
    },
    {  # carved: straight cuts
        "0": "M3 0 L7 0 L10 3.5 L10 10.5 L7 14 L3 14 L0 10.5 L0 3.5 Z",
        "1": "M2 3.5 L5.5 0 L5.5 14 M2 14 L9 14",
        "2": "M0 3 L3 0 L7 0 L10 3 L10 5.5 L0 14 L10 14",
        "3": "M0 0 L10 0 L5 5.5 L8 6.5 L10 9 L10 11 L7 14 L3 14 L0 11.5",
        "4": "M8 14 L8 0 L0 9.5 L10 9.5",
        "5": "M10 0 L1 0 L1 6 L7 6 L10 8.5 L10 11.5 L7 14 L3 14 L0 12",
        "6": "M9 0.5 L6 0 L2 3 L0 8 L0 11 L3 14 L7 14 L10 11 L10 9 L7 6.5 L3 6.5 L0 9",
        "7": "M0 0 L10 0 L4 14 M3 7.5 L9.5 7.5",
        "8": "M3 0 L7 0 L9 2 L9 4 L7 6 L3 6 L1 4 L1 2 Z M3 6 L7 6 L10 9 L10 11 L7 14 L3 14 L0 11 L0 9 Z",
        "9": "M1 13.5 L4 14 L8 11 L10 6 L10 3 L7 0 L3 0 L0 3 L0 5 L3 7.5 L7 7.5 L10 5",
    },
    {  # printed: old-style serifs on narrow bodies
        "0": "M5 0 C2.4 0 1 3 1 7 C1 11 2.4 14 5 14 C7.6 14 9 11 9 7 C9 3 7.6 0 5 0 Z",
        "1": "M2.5 2.4 L5.5 0.4 L5.5 14 M2.5 14 L8.5 14",
        "2": "M1 3.8 C1.4 -1.2 8.6 -1.2 8.6 3.6 C8.6 7.5 3.5 9.5 1 14 L9 14 L9.3 11.8",
        "4": "M6.8 14 L6.8 0 L0.5 9.8 L9.6 9.8 M4.6 14 L9 14",
        "5": "M8.6 -0.4 L8 0.6 L2.4 0.6 L1.6 6.6 C4 4.6 9.3 5 9.3 9.4 C9.3 15 2.5 15 0.8 12.4",
        "7": "M1 2.6 L1.4 0.4 L9.4 0.4 C6.6 4 4.8 8.5 4.4 14",
    },
)

_HELD_OUT_HANDS: tuple[dict[str, str], ...] = (
    {  # a clerk's: loops and hooks, crossed sevens
        "0": "M6.5 0.6 C2 -0.6 -0.4 4.6 0.4 8.6 C1.2 13.4 5 15 8 12.4 C11 9 10 1.6 6.5 0.6 Z",
        "1": "M1.4 4.4 C3.4 3.6 5 2 5.8 0 L4.6 14",
        "2": "M1.6 2.6 C3.4 -0.8 9.4 -0.4 9 3.6 C8.6 7.6 2 9.6 0.6 13 "
        "C2.4 10.8 4.4 11.4 5.8 12.6 C7.2 14 9 14 10 12",
        "3": "M1.4 0.4 L9 0.4 L4.4 5.4 C8 5.2 10 7.6 9.4 10.4 C8.6 14.2 3 15.2 0 12.4",
        "4": "M5.8 0 C4.4 4 2.4 7.4 0 9.4 L9.8 8.6 M7.4 5.6 L5.6 14.4",
        "5": "M2.6 0.8 C5 1.6 7.6 0.8 9.8 0 M2.6 0.8 L1.6 6.6 C5 4.2 9.8 5.6 9.2 9.6 C8.6 14 3.2 15 0 12.2",
        "6": "M9 0 C4.6 1.4 0.6 6 0.4 10 C0.4 15 8.6 15.4 9 10.4 C9.2 6.2 3.2 5.8 0.8 9.6",
        "7": "M0.4 2.4 C0.4 0.8 1.4 0.4 3 0.8 C5.4 1.6 7.6 1.6 10 0.2 "
        "C7.4 4.6 5.2 9 4.6 14 M2.4 7.4 L8.6 6.6",
        "8": "M8.8 1.8 C6 -1.2 0.8 0.4 1.8 3.6 C2.8 6.6 9.2 6.4 9.4 10.2 C9.4 14.6 0.8 15.4 0.6 10.8 "
        "C0.6 7 7.6 6.2 8.8 1.8 Z",
        "9": "M9.2 3.8 C8.6 -0.8 1.2 -0.8 0.8 4 C0.6 8.4 7.6 8.8 9.2 3.8 C9.4 8 8.6 11.4 7.6 14.2",
    },
    {  # stencilled: square, cut from tin
        "0": "M1.6 0 L8.4 0 L9.6 1.6 L9.6 12.4 L8.4 14 L1.6 14 L0.4 12.4 L0.4 1.6 Z",
        "1": "M1.6 1.8 L5 0 L5 14",
        "2": "M0.6 3.2 L0.6 1.6 L2 0 L8 0 L9.4 1.6 L9.4 5 L0.8 12 L0.8 14 L9.6 14",
        "3": "M0.6 0 L8.2 0 L9.4 1.4 L9.4 5.4 L8 6.8 L4 6.8 M8 6.8 L9.6 8.4 L9.6 12.4 L8.2 14 L0.4 14",
        "4": "M1.4 0 L0.6 9 L9.6 9 M7.2 4.4 L7.2 14",
        "5": "M9.2 0 L0.8 0 L0.8 6 L8 6 L9.5 7.5 L9.5 12.4 L8 14 L0.4 14",
        "6": "M8.6 0 L2.2 0 L0.5 1.8 L0.5 12.2 L2 14 L8 14 L9.5 12.4 L9.5 8 L8 6.4 L2.6 6.4",
        "7": "M0.2 0 L9.6 0 L9.6 1.6 L3.8 14",
        "8": "M2.2 0 L7.8 0 L9.2 1.4 L9.2 5 L7.8 6.6 L2.2 6.6 L0.8 5 L0.8 1.4 Z "
        "M2 6.6 L0.4 8.2 L0.4 12.4 L2 14 L8 14 L9.6 12.4 L9.6 8.2 L8 6.6",
        "9": "M1.4 14 L7.8 14 L9.5 12.2 L9.5 1.8 L8 0 L2 0 L0.5 1.6 L0.5 6 L2 7.6 L7.4 7.6",
    },
)
"""Only for styles held out from training: a reader must also read digits of a hand that it never saw."""

_BUILT_IN = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX)

HANDS = len(_HANDS)
DESIGNS = HANDS + len(_BUILT_IN)
"""Designs 0 to HANDS - 1 are our own, those up to this OpenCV's built-in fonts, all further ones held out."""

BODY_WIDTH, BODY_HEIGHT = 10.0, 14.0
_GAP = 2.6

Strokes: TypeAlias = tuple[tuple[Points, bool], ...]
"""Lines of a sign in a box of BODY_WIDTH × BODY_HEIGHT, and whether each is closed."""
Hand: TypeAlias = Callable[[str], Strokes]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberStyle:
    design: int = 0
    pen: float = 2.1
    """Thickness of the stroke where the digit's height is 14."""
    slant: float = 0.0
    """How far the top leans to the right, as a share of the height."""
    width: float = 0.9
    """Stretch in x."""
    nib: float = 0.0
    """A broad nib: how much thicker strokes are that run against it."""
    hand: Hand | None = None
    """Writes the signs otherwise than the design does."""

    @classmethod
    def sample(cls, rng: np.random.Generator, *, held_out: bool = False) -> "NumberStyle":
        designs = range(DESIGNS, DESIGNS + len(_HELD_OUT_HANDS)) if held_out else range(DESIGNS)
        return cls(
            design=int(rng.integers(designs.start, designs.stop)),
            pen=float(rng.uniform(1.5, 3.1)),
            slant=float(rng.choice([0.0, rng.uniform(-0.05, 0.3)])),
            width=float(rng.uniform(0.7, 1.1)),
            nib=float(rng.choice([0.0, rng.uniform(0.3, 1.3)])),
        )


def number_shapes(
    text: str,
    *,
    centre: tuple[float, float],
    height: float,
    colour: Rgb,
    style: NumberStyle,
    max_width: float | None = None,
    rim: Rgb | None = None,
    hand: Hand | None = None,
) -> tuple[Shape, ...]:
    """The signs of `text` (digits and +) centred on a point; squeezed if wider than `max_width`.

    `hand` writes them otherwise than the style does.
    """
    hand = hand or style.hand
    signs = [_sign(sign, style.design) if hand is None else hand(sign) for sign in text]
    widths = [float(max(line[:, 0].max() for line, _ in sign)) for sign in signs]
    total = (sum(widths) + _GAP * (len(signs) - 1)) * style.width
    scale = height / BODY_HEIGHT
    squeeze = min(1.0, max_width / (total * scale)) if max_width else 1.0
    shapes: list[Shape] = []
    x = -total / 2
    for sign, width in zip(signs, widths, strict=True):
        for line, closed in sign:
            placed = np.empty_like(line)
            placed[:, 0] = x + line[:, 0] * style.width + (BODY_HEIGHT / 2 - line[:, 1]) * style.slant
            placed[:, 1] = line[:, 1] - BODY_HEIGHT / 2
            # a squeezed number needs a thinner pen, or its holes close
            pen = scale * (0.3 + 0.7 * squeeze)
            shapes.extend(_penned(placed * (scale * squeeze, scale) + centre, closed, colour, style, pen))
        x += (width + _GAP) * style.width
    return tuple(shapes) if rim is None else (*(_rimmed(shape, rim, scale) for shape in shapes), *shapes)


def _rimmed(shape: Shape, rim: Rgb, scale: float) -> Shape:
    """The same stroke a little wider, to be drawn underneath."""
    return replace(shape, stroke=rim, stroke_width=shape.stroke_width + 1.8 * scale)


def _penned(line: Points, closed: bool, colour: Rgb, style: NumberStyle, scale: float) -> list[Shape]:
    line = line.astype(np.float32)
    if HANDS <= style.design < DESIGNS:  # a built-in font: the outline is filled, a thin pen only fattens it
        fat = max(0.0, style.pen - 1.6) * scale
        return [Shape(contours=(line,), fill=colour, stroke=colour if fat else None, stroke_width=fat)]
    offsets = (0.0,) if not style.nib else (-style.nib / 2, 0.0, style.nib / 2)
    return [
        Shape(
            contours=((line + np.array((o * scale, -o * scale * 0.6), np.float32)),),
            stroke=colour,
            stroke_width=style.pen * scale,
            closed=closed,
        )
        for o in offsets
    ]


def written(sign: str, design: int) -> Strokes:
    """A sign as one of our own hands writes it, of those that may be learnt from."""
    if not 0 <= design < HANDS:
        raise ValueError(f"expected a hand from 0 to {HANDS - 1}, found {design}")
    return _sign(sign, design)


@lru_cache(maxsize=256)
def _sign(sign: str, design: int) -> Strokes:
    if HANDS <= design < DESIGNS:
        return _built_in_sign(sign, _BUILT_IN[design - HANDS])
    hand = _HANDS[design] if design < HANDS else _HELD_OUT_HANDS[design - DESIGNS]
    return tuple(parse_path(hand.get(sign) or _HANDS[0][sign], name=f"digit {sign}"))


def _built_in_sign(sign: str, font: int) -> Strokes:
    """Outlines of a built-in glyph, joined across holes so that each can be filled by itself."""
    canvas = np.zeros((220, 200), np.uint8)
    cv2.putText(canvas, sign, (40, 170), font, 5.0, 255, 9, cv2.LINE_AA)
    contours, tree = cv2.findContours(
        (canvas > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1
    )
    if not contours:
        return _sign(sign, 0)
    flat = [contour[:, 0, :].astype(np.float32) for contour in contours]
    every = np.vstack(flat)
    low, high = every.min(0), every.max(0)
    scale = BODY_HEIGHT / max(1.0, float(high[1] - low[1])) if sign != "+" else 8.0 / float(high[1] - low[1])
    top = 0.0 if sign != "+" else 3.5
    outlines: list[tuple[Points, bool]] = []
    for index, outline in enumerate(flat):
        if tree[0][index][3] >= 0:
            continue
        holes = [flat[other] for other in range(len(flat)) if tree[0][other][3] == index]
        if sign == "0":  # newer OpenCV strikes its zero through, which no printed card does
            holes = [(outline - outline.mean(0)) * (0.5, 0.66) + outline.mean(0)]
        ring = np.vstack(
            [outline, outline[:1], *(np.vstack([hole, hole[:1], outline[:1]]) for hole in holes)]
        )
        outlines.append((((ring - low) * scale + (0, top)).astype(np.float32), True))
    return tuple(outlines)
