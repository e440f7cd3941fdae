"""Short words for pieces of ink: filled contours, lines, tones, and shapes turned, mirrored or moved."""

from dataclasses import replace

import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape, move_shape, points, smooth

INK: Rgb = (34, 28, 26)
"""The dark brown of all outlines."""

Pair = tuple[float, float]


def filled(contour: Points, fill: Rgb, width: float = 0.0, stroke: Rgb = INK) -> Shape:
    """A filled contour, outlined where a width is given."""
    return Shape(contours=(contour,), fill=fill, stroke=stroke if width else None, stroke_width=width)


def ring(contour: Points, colour: Rgb, width: float) -> Shape:
    """Only the outline of a closed contour."""
    return Shape(contours=(contour,), stroke=colour, stroke_width=width)


def line(contour: Points, colour: Rgb, width: float) -> Shape:
    """An open line."""
    return Shape(contours=(contour,), stroke=colour, stroke_width=width, closed=False)


def stroke(width: float, colour: Rgb, *pairs: Pair, curved: bool = True) -> Shape:
    """An open line through the given points, softly curved unless asked otherwise."""
    contour = points(*pairs)
    if curved and len(pairs) > 2:
        contour = smooth(contour, closed=False)
    return line(contour, colour, width)


def outlined_stroke(width: float, colour: Rgb, *pairs: Pair, outline: float = 1.1) -> list[Shape]:
    return [stroke(width + 2 * outline, INK, *pairs), stroke(width, colour, *pairs)]


def tone(colour: Rgb, factor: float) -> Rgb:
    """The colour darker (below 1) or lighter."""
    red, green, blue = (min(255, int(channel * factor)) for channel in colour)
    return (red, green, blue)


def mix(a: Rgb, b: Rgb, share: float) -> Rgb:
    red, green, blue = (int(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return (red, green, blue)


def turned_points(contour: Points, degrees: float, about: Pair = (32.0, 32.0)) -> Points:
    angle = np.radians(degrees)
    matrix = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))), np.float32)
    return ((contour - about) @ matrix + about).astype(np.float32)


def turned(shapes: list[Shape], degrees: float, about: Pair = (32.0, 32.0)) -> list[Shape]:
    return [move_shape(shape, lambda contour: turned_points(contour, degrees, about)) for shape in shapes]


def mirrored(shapes: list[Shape], width: float) -> list[Shape]:
    """Left and right exchanged in a box of that width."""

    def flip(contour: Points) -> Points:
        return np.stack([width - contour[:, 0], contour[:, 1]], axis=1).astype(np.float32)

    return [move_shape(shape, flip) for shape in shapes]


def moved(shapes: list[Shape], dx: float, dy: float) -> list[Shape]:
    step = np.array((dx, dy), np.float32)
    return [move_shape(shape, lambda contour: contour + step) for shape in shapes]


def thinned(shape: Shape, factor: float) -> Shape:
    """The same ink with other stroke widths."""
    return shape if factor == 1.0 else replace(shape, stroke_width=shape.stroke_width * factor)
