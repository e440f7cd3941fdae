"""What the people on the cards hold: what is behind them, what is in front, and where both hands are."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from vision.virtual.drawing import Rgb, Shape, ellipse, points, smooth
from vision.virtual.ink import INK, Pair, outlined_stroke, stroke, tone
from vision.virtual.sitter import Sitter, inked

Held: TypeAlias = tuple[list[Shape], list[Shape], Pair, Pair]


def _flute(_: Sitter) -> Held:
    pipe = outlined_stroke(2.2, (150, 84, 48), (46, 40), (96, 56))
    holes = [inked(ellipse(x, 40 + (x - 46) * 0.32, 0.8, 0.8), INK, 0) for x in (66, 74, 82, 90)]
    return [], [*pipe, *holes], (68.0, 49.0), (84.0, 54.0)


def _staff(_: Sitter) -> Held:
    staff = outlined_stroke(3.2, (104, 128, 62), (44, 118), (60, 96), (86, 62))
    knob = [inked(ellipse(88, 59, 5, 4.4), (124, 150, 72)), inked(ellipse(92, 56, 2.6, 2.2), (124, 150, 72))]
    scroll = [
        inked(points((72, 78), (96, 88), (92, 97), (68, 86)), (236, 228, 206)),
        stroke(0.9, (120, 100, 80), (75, 83), (91, 90)),
    ]
    return scroll, [*staff, *knob], (56.0, 100.0), (74.0, 78.0)


def _backpack(_: Sitter) -> Held:
    straw: Rgb = (196, 164, 108)
    body = points((12, 62), (46, 58), (42, 114), (20, 116))
    rim = smooth(points((10, 60), (28, 54), (48, 56), (48, 63), (28, 62), (10, 67)))
    weave = [stroke(1.0, tone(straw, 0.6), (14, y), (28, y + 1.5), (45, y - 2)) for y in (74, 84, 94, 104)]
    ribs = [stroke(0.9, tone(straw, 0.72), (x, 66), (20 + (x - 14) * 0.72, 114)) for x in (20, 27, 34, 41)]
    fruit = [
        inked(ellipse(x, y, 5, 5), colour)
        for x, y, colour in ((19, 57, (196, 92, 62)), (29, 53, (214, 168, 74)), (38, 54, (150, 168, 84)))
    ]
    straps = [
        *outlined_stroke(2.4, (150, 70, 50), (44, 58), (46, 72), (46, 82)),
        *outlined_stroke(2.4, (150, 70, 50), (73, 58), (71, 72), (71, 82)),
    ]
    return (
        [*fruit, inked(body, straw), *ribs, *weave, inked(rim, tone(straw, 1.12))],
        straps,
        (47.0, 80.0),
        (71.0, 80.0),
    )


def _fan(s: Sitter) -> Held:
    disc = inked(ellipse(78, 74, 16, 17), (240, 232, 212), 1.3)
    ribs = [
        stroke(0.8, (160, 136, 100), (78, 92), (78 + 15 * np.cos(a), 74 + 16 * np.sin(a)))
        for a in np.linspace(np.pi * 1.05, np.pi * 1.95, 9)
    ]
    painted = [inked(smooth(points((68, 78), (74, 70), (80, 76), (86, 68), (90, 78))), s.trim, 0)]
    return (
        [],
        [*outlined_stroke(2.4, (120, 76, 44), (78, 90), (77, 110)), disc, *ribs, *painted],
        (46.0, 92.0),
        (77.0, 100.0),
    )


def _cloth(s: Sitter) -> Held:
    cloth = points((36, 84), (84, 80), (88, 112), (76, 108), (66, 114), (54, 109), (40, 116))
    bands = []
    for k, y in enumerate((88, 95, 102)):
        zigzag = [(39 + i * 5.6, y - i * 0.4 + (3 if i % 2 else 0)) for i in range(9)]
        bands.append(stroke(1.4, (s.robe, (196, 52, 44), (48, 104, 116))[k], *zigzag, curved=False))
    return [], [inked(cloth, (244, 226, 176)), *bands], (37.0, 84.0), (84.0, 80.0)


def _jar(_: Sitter) -> Held:
    jar = smooth(
        points(
            (50, 72),
            (66, 72),
            (65, 78),
            (78, 88),
            (76, 106),
            (66, 116),
            (50, 116),
            (40, 106),
            (38, 88),
            (51, 78),
        )
    )
    glaze = smooth(points((39, 88), (48, 92), (58, 86), (68, 93), (77, 88), (76, 98), (58, 101), (40, 98)))
    return (
        [],
        [
            inked(jar, (184, 104, 60)),
            inked(glaze, (66, 124, 122), 0.8),
            inked(ellipse(58, 72, 8.4, 2.6), (96, 52, 34)),
        ],
        (39.0, 98.0),
        (77.0, 98.0),
    )


def _rod(_: Sitter) -> Held:
    rod = outlined_stroke(1.5, (166, 130, 66), (44, 118), (72, 70), (97, 14))
    fish = smooth(points((86, 62), (93, 54), (97, 64), (94, 74), (96, 82), (88, 82), (90, 74)))
    return (
        [],
        [
            *rod,
            stroke(0.7, (236, 236, 230), (97, 14), (95, 34), (93, 55)),
            inked(fish, (136, 172, 186)),
            inked(ellipse(92, 61, 0.9, 0.9), INK, 0),
        ],
        (52.0, 106.0),
        (66.0, 84.0),
    )


def _drum(_: Sitter) -> Held:
    body = points((34, 88), (82, 88), (78, 118), (38, 118))
    laces = [
        stroke(1.0, (238, 214, 160), (36 + i * 6, 90), (39 + i * 6, 116), (42 + i * 6, 90), curved=False)
        for i in range(7)
    ]
    sticks = [
        *outlined_stroke(1.8, (222, 196, 140), (34, 66), (54, 84)),
        *outlined_stroke(1.8, (222, 196, 140), (88, 64), (64, 84)),
    ]
    return (
        [],
        [
            inked(body, (176, 44, 36)),
            *laces,
            inked(ellipse(58, 88, 24.4, 6.2), (240, 228, 200), 1.3),
            *sticks,
        ],
        (35.0, 67.0),
        (87.0, 65.0),
    )


def _bow(_: Sitter) -> Held:
    bow = outlined_stroke(2.6, (170, 96, 46), (86, 34), (95, 56), (92, 78), (80, 100), (70, 112))
    string = stroke(0.8, (240, 234, 220), (86, 34), (66, 72), (70, 112), curved=False)
    arrow = [
        *outlined_stroke(1.2, (206, 182, 140), (50, 74), (99, 66)),
        inked(points((96, 63), (100, 66), (97, 70)), (130, 132, 138)),
    ]
    return [], [string, *arrow, *bow], (62.0, 73.0), (93.0, 68.0)


def _horse(s: Sitter) -> Held:
    coat: Rgb = (112, 76, 50)
    neck = smooth(
        points(
            (20, 124),
            (22, 100),
            (34, 80),
            (30, 74),
            (40, 68),
            (46, 74),
            (60, 88),
            (58, 98),
            (50, 97),
            (46, 104),
            (52, 124),
        )
    )
    mane = smooth(points((22, 104), (30, 82), (38, 68), (42, 72), (34, 90), (28, 112)))
    bits = [
        stroke(1.4, s.trim, (50, 82), (48, 97)),
        stroke(1.4, s.trim, (49, 92), (66, 98)),
        inked(ellipse(45, 80, 1.4, 1.4), INK, 0),
        inked(ellipse(57, 92, 1.0, 0.8), INK, 0),
    ]
    spear = [
        *outlined_stroke(1.8, (150, 112, 66), (86, 120), (92, 12)),
        inked(points((89, 14), (92, 2), (95.5, 14)), (172, 176, 182)),
    ]
    return spear, [inked(neck, coat), inked(mane, (40, 32, 30)), *bits], (67.0, 98.0), (88.0, 82.0)


def _axe(_: Sitter) -> Held:
    haft = outlined_stroke(2.6, (134, 92, 54), (40, 112), (66, 84), (90, 46))
    blade = smooth(points((82, 48), (78, 34), (86, 26), (97, 32), (99, 46), (92, 56)))
    return (
        [],
        [*haft, inked(blade, (168, 172, 178)), stroke(1.0, (230, 232, 236), (80, 34), (87, 28), (96, 33))],
        (48.0, 103.0),
        (76.0, 71.0),
    )


def _shield(s: Sitter) -> Held:
    rings = [
        inked(ellipse(46, 92, 22 * k, 25 * k), c)
        for k, c in ((1.0, (130, 88, 48)), (0.78, s.trim), (0.5, (216, 184, 110)), (0.22, (60, 52, 48)))
    ]
    studs = [
        inked(ellipse(46 + 19.5 * np.cos(a), 92 + 22 * np.sin(a), 1.1, 1.1), (226, 206, 150), 0.5)
        for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ]
    spear = [
        *outlined_stroke(1.8, (150, 112, 66), (84, 120), (88, 16)),
        inked(points((85, 18), (88, 5), (91.5, 18)), (172, 176, 182)),
    ]
    return spear, [*rings, *studs], (62.0, 104.0), (86.0, 78.0)


def _banner(s: Sitter) -> Held:
    flag = smooth(points((88, 8), (99, 14), (97, 30), (101, 44), (88, 48)))
    blade = [
        inked(points((40, 110), (36, 102), (22, 62), (27, 60), (44, 100)), (178, 182, 188)),
        *outlined_stroke(2.0, (206, 160, 60), (35, 106), (48, 101)),
    ]
    return (
        [
            *outlined_stroke(2.0, (120, 84, 50), (86, 120), (87, 6)),
            inked(flag, s.trim),
            stroke(1.4, (150, 36, 30), (91, 20), (97, 24), (92, 32), (97, 38)),
        ],
        blade,
        (43.0, 106.0),
        (86.0, 80.0),
    )


def _hoe(_: Sitter) -> Held:
    return (
        [],
        [
            *outlined_stroke(2.2, (146, 106, 62), (42, 118), (88, 40)),
            inked(points((84, 42), (92, 34), (99, 46), (94, 52)), (142, 146, 150)),
        ],
        (52.0, 101.0),
        (72.0, 67.0),
    )


def _book(s: Sitter) -> Held:
    pages = points((40, 84), (58, 90), (76, 84), (78, 108), (58, 114), (38, 108))
    lines = [stroke(0.8, (110, 96, 84), (44 + i * 4, 90 + i), (43 + i * 4, 106 + i)) for i in range(3)]
    lines += [stroke(0.8, (110, 96, 84), (64 + i * 4, 92 - i), (65 + i * 4, 108 - i)) for i in range(3)]
    return (
        [],
        [inked(pages, (244, 234, 208)), stroke(1.2, s.trim, (58, 90), (58, 114)), *lines],
        (40.0, 100.0),
        (77.0, 100.0),
    )


TOOLS: dict[str, Callable[[Sitter], Held]] = {
    "flute": _flute,
    "staff": _staff,
    "backpack": _backpack,
    "fan": _fan,
    "cloth": _cloth,
    "jar": _jar,
    "rod": _rod,
    "drum": _drum,
    "bow": _bow,
    "horse": _horse,
    "axe": _axe,
    "shield": _shield,
    "banner": _banner,
    "hoe": _hoe,
    "book": _book,
}
