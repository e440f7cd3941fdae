"""Robe, sleeves, hands, head and hair of a person."""

import numpy as np

from vision.virtual.drawing import Shape, ellipse, points, smooth
from vision.virtual.ink import INK, Pair, stroke, tone
from vision.virtual.sitter import HEAD, Sitter, inked, spread


def draw_robe(sitter: Sitter) -> list[Shape]:
    b = sitter.broad
    body = smooth(
        points(
            (52, 50),
            (spread(42, b), 58),
            (spread(34, b), 68),
            (spread(30, b), 96),
            (spread(26, b), 124),
            (spread(92, b), 124),
            (spread(88, b), 96),
            (spread(82, b), 68),
            (spread(74, b), 58),
            (64, 50),
        )
    )
    shapes = [inked(body, sitter.robe)]
    dark = tone(sitter.robe, 0.68)
    shapes.append(
        inked(smooth(points((70, 60), (80, 70), (86, 96), (88, 122), (74, 122), (72, 90))), dark, 0)
    )
    shapes += _pattern(sitter)
    for x, y in ((44, 82), (50, 104), (68, 106)):
        shapes.append(stroke(0.8, tone(sitter.robe, 0.5), (x, y), (x - 1.5, y + 7), (x - 4, y + 13)))
    for side in (-1, 1):
        collar = points((58 + side * 9, 50), (58 + side * 14, 54), (58 - side * 5, 86), (58 - side * 9, 80))
        shapes.append(inked(collar, sitter.trim))
    shapes.append(inked(points((56, 50), (60, 50), (61, 58), (58, 64), (55, 58)), (240, 236, 226), 0.8))
    belt = points((spread(34, b), 96), (spread(84, b), 96), (spread(85, b), 103), (spread(33, b), 103))
    shapes.append(inked(belt, tone(sitter.trim, 0.8)))
    shapes.append(inked(points((55, 102), (61, 102), (63, 120), (54, 120)), sitter.trim))
    return shapes


def _pattern(sitter: Sitter) -> list[Shape]:
    ink = tone(sitter.robe, 0.55) if sum(sitter.robe) > 240 else tone(sitter.trim, 0.9)
    if sitter.pattern == "flowers":
        spots = ((40, 76), (46, 92), (38, 110), (72, 78), (78, 94), (72, 112), (49, 118))
        return [
            inked(ellipse(x + dx, y + dy, 1.3, 1.3), ink, 0)
            for x, y in spots
            for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))
        ]
    if sitter.pattern == "stripes":
        return [stroke(1.4, ink, (x, 66), (x - 2, 92), (x - 4, 124)) for x in (38, 45, 70, 77, 84)]
    if sitter.pattern == "keys":
        shapes = []
        for y in range(66, 122, 9):
            shapes.append(
                stroke(
                    1.2, sitter.trim, (41, y), (46, y), (46, y + 5), (43, y + 5), (43, y + 2.5), curved=False
                )
            )
            shapes.append(
                stroke(
                    1.2, sitter.trim, (75, y), (70, y), (70, y + 5), (73, y + 5), (73, y + 2.5), curved=False
                )
            )
        return shapes
    if sitter.pattern == "dots":
        return [inked(ellipse(x, y, 1.2, 1.2), ink, 0) for x in range(36, 86, 8) for y in range(68, 122, 8)]
    return []


def draw_sleeve(sitter: Sitter, shoulder: Pair, hand: Pair) -> list[Shape]:
    sx = spread(shoulder[0], sitter.broad)
    sy = shoulder[1]
    along = np.array((hand[0] - sx, hand[1] - sy))
    length = float(np.hypot(*along)) or 1.0
    across = np.array((-along[1], along[0])) / length
    low = across if across[1] > 0 else -across
    start, end = np.array((sx, sy)), np.array(hand)
    elbow = (start + end) / 2 + low * 11
    contour = smooth(
        np.array(
            [
                start - low * 8,
                (start + end) / 2 - low * 3,
                end - low * 4,
                end + low * 9,
                elbow + low * 3,
                start + low * 9,
            ],
            np.float32,
        )
    )
    cuff = np.array(
        [
            end - low * 4.5,
            end + low * 9.5,
            end + low * 8 - along / length * 4.5,
            end - low * 4 - along / length * 4,
        ],
        np.float32,
    )
    fold = [tuple(elbow - low * 4), tuple((elbow + end) / 2 + low * 1)]
    return [
        inked(contour, tone(sitter.robe, 1.06)),
        stroke(0.8, tone(sitter.robe, 0.5), *fold),
        inked(cuff, sitter.trim),
    ]


def draw_hand(sitter: Sitter, hand: Pair) -> list[Shape]:
    x, y = hand
    return [
        inked(ellipse(x, y, 4.0, 3.4), sitter.skin),
        stroke(0.7, tone(sitter.skin, 0.6), (x - 1.5, y - 1.8), (x - 1.2, y + 1.8)),
        stroke(0.7, tone(sitter.skin, 0.6), (x + 0.9, y - 1.8), (x + 1.1, y + 1.8)),
    ]


def draw_back_hair(sitter: Sitter) -> list[Shape]:
    x, y = HEAD
    if not sitter.long_hair:
        return [inked(ellipse(x, y - 1, 13.5, 14.5), sitter.hair)]
    mane = smooth(
        points(
            (x - 12, y - 10),
            (x + 12, y - 10),
            (x + 16, y + 10),
            (x + 18, y + 34),
            (x + 8, y + 40),
            (x - 10, y + 36),
            (x - 16, y + 12),
        )
    )
    lines = [stroke(0.8, tone(sitter.hair, 1.7), (x + 13, y), (x + 14, y + 18), (x + 12, y + 34))]
    return [inked(mane, sitter.hair), *lines]


def draw_head(sitter: Sitter) -> list[Shape]:
    x, y = HEAD
    skin, dark = sitter.skin, tone(sitter.skin, 0.72)
    face = smooth(
        points(
            (x, y - 13),
            (x + 10, y - 8),
            (x + 10.5, y + 3),
            (x + 5.5, y + 12),
            (x, y + 15),
            (x - 5.5, y + 12),
            (x - 10.5, y + 3),
            (x - 10, y - 8),
        )
    )
    shade = smooth(
        points(
            (x + 4, y - 10),
            (x + 10, y - 6),
            (x + 10, y + 3),
            (x + 5, y + 11),
            (x + 2, y + 13),
            (x + 6, y + 2),
        )
    )
    shapes = [
        inked(points((x - 4.5, y + 10), (x + 4.5, y + 10), (x + 5.5, y + 20), (x - 5.5, y + 20)), dark),
        inked(ellipse(x - 11, y + 1, 2.2, 3.6), skin),
        inked(ellipse(x + 11, y + 1, 2.2, 3.6), dark),
        inked(face, skin),
        inked(shade, tone(skin, 0.87), 0),
        inked(
            smooth(
                points(
                    (x - 11, y - 2),
                    (x - 11, y - 11),
                    (x, y - 16),
                    (x + 11, y - 11),
                    (x + 11, y - 2),
                    (x + 7, y - 8),
                    (x, y - 10),
                    (x - 7, y - 8),
                )
            ),
            sitter.hair,
        ),
    ]
    tilt = 1.6 if sitter.stern else -0.6
    for side in (-1, 1):
        ex = x + side * 5
        shapes.append(
            stroke(1.3, INK, (ex - side * 2.6, y - 3 + tilt), (ex, y - 4.2), (ex + side * 3, y - 3.2 - tilt))
        )
        shapes.append(inked(ellipse(ex, y + 0.2, 2.2, 1.3), (250, 246, 238), 0.7))
        shapes.append(inked(ellipse(ex + 0.3, y + 0.2, 1.0, 1.2), INK, 0))
    shapes.append(stroke(0.8, tone(skin, 0.55), (x + 0.5, y), (x + 1.8, y + 4.6), (x - 0.6, y + 5)))
    mouth_end = 0.8 if sitter.stern else -0.8
    shapes.append(
        stroke(1.2, (150, 52, 46), (x - 3, y + 8.6 + mouth_end), (x, y + 8.6), (x + 3, y + 8.6 + mouth_end))
    )
    return shapes + (_beard(sitter) if sitter.beard else [])


def _beard(sitter: Sitter) -> list[Shape]:
    x, y = HEAD
    beard = smooth(
        points(
            (x - 8, y + 6),
            (x - 3, y + 10.5),
            (x, y + 10),
            (x + 3, y + 10.5),
            (x + 8, y + 6),
            (x + 5, y + 17),
            (x, y + 25),
            (x - 5, y + 17),
        )
    )
    return [
        inked(beard, sitter.hair),
        stroke(1.6, sitter.hair, (x - 5.5, y + 8.2), (x, y + 6.6), (x + 5.5, y + 8.2)),
        stroke(0.8, tone(sitter.hair, 0.6), (x, y + 12), (x, y + 21)),
    ]
