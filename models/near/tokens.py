"""Tokens as other illustrators would draw them: shells and filled baskets, no two alike."""

import colorsys
import math
import random
from collections.abc import Callable, Sequence

from vision.virtual.pieces import Colour, Mark, Outline

Points = list[tuple[float, float]]
Drawn = tuple[Outline, tuple[Mark, ...], Colour]
"""The outline of the token, what is printed on it, and the colour of its rim; in millimetres."""


def draw_shell(rng: random.Random) -> Drawn:
    """A pale shell in a rim, round or long, with a dark slit that winds from end to end, often with teeth."""
    long, aspect = rng.uniform(9.0, 13.0), rng.uniform(0.66, 1.0)
    edge = _blob(long, long * aspect, rng, rng.uniform(0.0, 0.035))
    rim, pale = _grey(rng, 0.3, 0.75), _grey(rng, 0.72, 1.0)
    marks = [Mark(_shrunk(edge, rng.uniform(0.76, 0.9)), pale)]
    if rng.random() < 0.6:  # one half lies in the shade of the other
        side = rng.choice((-1, 1))
        half = [(0.8 * x, 0.78 * y if side * y > 0 else 0.06 * long * side) for x, y in edge]
        marks.append(Mark(tuple(half), _toned(pale, rng, 0.9, 1.06)))
    marks += _spots(pale, 0.6 * long, 0.5 * long * aspect, rng)
    dark = _grey(rng, 0.05, 0.35)
    marks.append(Mark(_slit(0.75 * long, rng), dark))
    if rng.random() < 0.6:
        marks += _teeth(0.6 * long, dark, rng)
    turn = rng.uniform(0, 2 * math.pi)
    return _turned(edge, turn), tuple(Mark(_turned(mark.shape, turn), mark.colour) for mark in marks), rim


def draw_basket(rng: random.Random) -> Drawn:
    """A basket with a band and a pattern, filled with eggs, fish, leaves or grain, in a darker rim."""
    wide, high = rng.uniform(8.5, 12.0), rng.uniform(9.0, 12.5)
    foot = wide * rng.uniform(0.62, 1.0)
    corners = [(-foot, -high), (foot, -high), (wide, 0.75 * high), (0.9 * wide, high), (-0.9 * wide, high),
               (-wide, 0.75 * high)]  # fmt: skip
    edge = _rounded(_shaken(_between(corners, 2), rng, rng.uniform(0.0, 0.5)), 2)
    rim = _brown(rng, 0.15, 0.5)
    straw = _brown(rng, 0.55, 0.95)
    brim = rng.uniform(0.3, 0.55) * high
    inner = rng.uniform(0.74, 0.86)
    body = [(-foot, -high), (foot, -high), (0.97 * wide, brim), (-0.97 * wide, brim)]
    marks = [Mark(_rounded([(inner * x, inner * y) for x, y in _between(body, 1)], 1), straw)]
    marks += _pattern(inner * wide, inner * high, brim, straw, rng)
    marks += _filling(inner * wide, brim, inner * high, rng)
    band = rng.uniform(0.12, 0.24) * high
    hoop = [(-wide, brim - band), (wide, brim - band), (wide, brim), (-wide, brim)]
    marks.append(Mark(tuple((inner * x, inner * y) for x, y in hoop), _toned(straw, rng, 0.85, 1.2)))
    if rng.random() < 0.5:
        marks += _strokes(
            (-inner * wide, inner * wide),
            (brim - band) * inner,
            brim * inner,
            _toned(straw, rng, 0.4, 0.8),
            rng,
        )
    return edge, tuple(marks), rim


DRAWN: dict[str, Callable[[random.Random], Drawn]] = {"cowrie": draw_shell, "provision": draw_basket}


def _pattern(wide: float, high: float, brim: float, straw: Colour, rng: random.Random) -> list[Mark]:
    """Zigzags, hoops or weaving below the brim, darker or paler than the straw."""
    ink = rng.choice((_grey(rng, 0.08, 0.35), _toned(straw, rng, 0.35, 0.75), _toned(straw, rng, 1.1, 1.5)))
    marks = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        y, step = rng.uniform(-0.8 * high, 0.5 * brim), rng.uniform(0.25, 0.7) * wide
        deep = rng.choice((0.0, rng.uniform(0.1, 0.35) * high, rng.uniform(0.1, 0.35) * high))
        count = max(2, math.ceil(1.7 * wide / step))
        line = [(-0.85 * wide + step * n, y + (deep if n % 2 else 0.0)) for n in range(count)]
        marks.append(Mark(_thick([p for p in line if p[0] < 0.9 * wide], rng.uniform(0.3, 1.1)), ink))
    if rng.random() < 0.4:
        marks += _strokes((-wide, wide), -0.9 * high, 0.8 * brim, _toned(straw, rng, 0.7, 1.2), rng)
    if rng.random() < 0.4:  # a handle or a cord
        x, y, r = rng.uniform(-0.7, 0.7) * wide, rng.uniform(-0.4, 0.4) * high, rng.uniform(1.5, 4.5)
        arc = [(x + r * math.cos(a / 3), y + 1.4 * r * math.sin(a / 3)) for a in range(rng.randint(6, 14))]
        marks.append(
            Mark(_thick(arc, rng.uniform(0.3, 0.8)), rng.choice((ink, _toned(straw, rng, 0.9, 1.3))))
        )
    return marks


def _filling(wide: float, low: float, high: float, rng: random.Random) -> list[Mark]:
    marks: list[Mark] = []
    for _ in range(rng.randint(2, 6)):
        x, y = rng.uniform(-0.8, 0.8) * wide, rng.uniform(low + 0.3, max(low + 0.4, high - 0.8))
        match rng.choice(("egg", "egg", "fish", "leaves", "leaves", "grain")):
            case "egg":
                size = rng.uniform(1.2, 3.0)
                marks.append(Mark(_blob(size, 0.75 * size, rng, 0.0, (x, y)), _grey(rng, 0.75, 1.0)))
            case "fish":
                size, tint = rng.uniform(1.6, 3.4), _grey(rng, 0.35, 0.8)
                marks.append(Mark(_blob(0.55 * size, size, rng, 0.05, (x, y)), tint))
                marks.append(
                    Mark(
                        _blob(0.25 * size, 0.3 * size, rng, 0.0, (x, y + 0.3 * size)),
                        _toned(tint, rng, 0.3, 1.3),
                    )
                )
            case "leaves":
                green = _hued(rng.uniform(0.2, 0.4), rng.uniform(0.4, 0.9), rng.uniform(0.3, 0.8))
                for _ in range(rng.randint(2, 6)):
                    way, long = rng.uniform(0.1, 3.0), rng.uniform(2.0, 5.0)
                    tip = (x + long * math.cos(way), y + long * math.sin(way))
                    aside = 0.35 * rng.uniform(0.5, 1.6)
                    leaf = ((x - aside, y), tip, (x + aside, y + 0.3))
                    marks.append(Mark(leaf, _toned(green, rng, 0.7, 1.3)))
            case "grain":
                size = rng.uniform(1.0, 2.4)
                marks.append(Mark(_blob(size, size, rng, 0.1, (x, y)), _brown(rng, 0.4, 0.95)))
    return marks


def _slit(long: float, rng: random.Random) -> Outline:
    """Tapered at its ends, thick in its middle, winding a little."""
    bend, phase, thick = rng.uniform(0.0, 0.2) * long, rng.uniform(0, 6.3), rng.uniform(0.04, 0.14) * long
    middle = [(long * (n / 6 - 1), bend * math.sin(phase + n / 3)) for n in range(13)]
    half = [thick * math.sin(math.pi * n / 12) ** rng.choice((0.5, 1.0)) + 0.02 * long for n in range(13)]
    upper = [(x, y + h) for (x, y), h in zip(middle, half, strict=True)]
    lower = [(x, y - h) for (x, y), h in zip(middle, half, strict=True)]
    return tuple(upper + lower[::-1])


def _teeth(long: float, dark: Colour, rng: random.Random) -> list[Mark]:
    count, deep = rng.randint(4, 10), rng.uniform(0.6, 1.8)
    side = rng.choice((-1, 1, 0))
    marks = []
    for n in range(count):
        x = long * (2 * n / max(1, count - 1) - 1)
        low, high = (-deep if side <= 0 else 0.0), (deep if side >= 0 else 0.0)
        marks.append(Mark(((x - 0.16, low), (x + 0.16, low), (x + 0.16, high), (x - 0.16, high)), dark))
    return marks


def _spots(pale: Colour, wide: float, high: float, rng: random.Random) -> list[Mark]:
    return [
        Mark(_blob(rng.uniform(0.3, 2.5), rng.uniform(0.3, 2.0), rng, 0.1,
                   (rng.uniform(-wide, wide), rng.uniform(-high, high))), _toned(pale, rng, 0.8, 1.08))
        for _ in range(rng.choice((0, 0, 2, 5)))
    ]  # fmt: skip


def _strokes(xs: tuple[float, float], low: float, high: float, ink: Colour, rng: random.Random) -> list[Mark]:
    count, lean, thin = rng.randint(4, 12), rng.uniform(-1.5, 1.5), rng.uniform(0.1, 0.3)
    places = [xs[0] + (xs[1] - xs[0]) * (n + 0.5) / count for n in range(count)]
    return [Mark(_thick([(0.85 * x, low), (0.85 * x + lean, high)], thin), ink) for x in places]


def _thick(line: Sequence[tuple[float, float]], half: float) -> Outline:
    """A line as a thin area."""
    return tuple([(x, y + half) for x, y in line] + [(x + 0.4 * half, y - half) for x, y in reversed(line)])


def _blob(
    wide: float, high: float, rng: random.Random, rough: float, at: tuple[float, float] = (0.0, 0.0)
) -> Outline:
    """Round, a little uneven: waves of a few lengths run around it."""
    waves = [(n, rng.gauss(0, rough), rng.uniform(0, 6.3)) for n in (2, 3, 4)]
    turns = [2 * math.pi * n / 30 for n in range(30)]
    reach = [1 + sum(deep * math.sin(n * turn + phase) for n, deep, phase in waves) for turn in turns]
    return tuple(
        (at[0] + wide * r * math.cos(turn), at[1] + high * r * math.sin(turn))
        for r, turn in zip(reach, turns, strict=True)
    )


def _shrunk(outline: Outline, share: float) -> Outline:
    return tuple((share * x, share * y) for x, y in outline)


def _between(corners: Sequence[tuple[float, float]], more: int) -> Points:
    """The same outline with so many points more on each side."""
    points = []
    for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True):
        points += [(x + (u - x) * n / (more + 1), y + (v - y) * n / (more + 1)) for n in range(more + 1)]
    return points


def _shaken(points: Sequence[tuple[float, float]], rng: random.Random, much: float) -> Points:
    return [(x + rng.gauss(0, much), y + rng.gauss(0, much)) for x, y in points]


def _rounded(points: Sequence[tuple[float, float]], times: int) -> Outline:
    """Corners cut, each time softer (Chaikin)."""
    for _ in range(times):
        cut: Points = []
        for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True):
            cut += [(0.75 * x + 0.25 * u, 0.75 * y + 0.25 * v), (0.25 * x + 0.75 * u, 0.25 * y + 0.75 * v)]
        points = cut
    return tuple(points)


def _turned(outline: Outline, turn: float) -> Outline:
    cos, sin = math.cos(turn), math.sin(turn)
    return tuple((x * cos - y * sin, x * sin + y * cos) for x, y in outline)


def _hued(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return blue, green, red


def _grey(rng: random.Random, low: float, high: float) -> Colour:
    return _hued(rng.random(), rng.uniform(0.0, 0.12), rng.uniform(low, high))


def _brown(rng: random.Random, low: float, high: float) -> Colour:
    return _hued(rng.uniform(0.03, 0.14), rng.uniform(0.15, 0.65), rng.uniform(low, high))


def _toned(colour: Colour, rng: random.Random, low: float, high: float) -> Colour:
    level = rng.uniform(low, high)
    blue, green, red = (min(1.0, part * level) for part in colour)
    return blue, green, red
