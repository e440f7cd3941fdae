"""People for the cards' pictures, put together from robes, faces, hats and tools in one hand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vision.virtual.drawing import Points, Rgb, Shape, ellipse, points, smooth

INK: Rgb = (34, 28, 26)
_LINE = 1.1
_Pair: TypeAlias = tuple[float, float]

# The stage is 100 wide and 118 high. The sitter's head is at (58, 34): banners hang on the left.
_HEAD: _Pair = (58.0, 34.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter:
    """What makes one portrait differ from another."""

    robe: Rgb
    trim: Rgb
    tool: str
    hat: str
    hair: Rgb = (36, 32, 36)
    skin: Rgb = (232, 190, 150)
    beard: bool = False
    long_hair: bool = False
    pattern: str = "none"
    stern: bool = False
    broad: float = 1.0


SITTERS: dict[str, Sitter] = {
    "flute-player": Sitter(robe=(216, 168, 52), trim=(196, 48, 40), tool="flute", hat="bun", long_hair=True, pattern="flowers"),
    "elder": Sitter(robe=(96, 82, 74), trim=(228, 222, 208), tool="staff", hat="circlet", hair=(214, 212, 214), beard=True, long_hair=True),
    "basket-carrier": Sitter(robe=(92, 104, 66), trim=(216, 192, 96), tool="backpack", hat="cone"),
    "fan-bearer": Sitter(robe=(190, 128, 58), trim=(66, 74, 62), tool="fan", hat="topknot", pattern="stripes"),
    "weaver": Sitter(robe=(122, 62, 104), trim=(236, 206, 190), tool="cloth", hat="pins", pattern="flowers"),
    "potter": Sitter(robe=(74, 112, 128), trim=(190, 120, 76), tool="jar", hat="scarf", broad=1.1),
    "fisher": Sitter(robe=(148, 132, 98), trim=(64, 96, 108), tool="rod", hat="cone", beard=True),
    "drummer": Sitter(robe=(58, 76, 110), trim=(206, 74, 44), tool="drum", hat="band", broad=1.12, pattern="stripes"),
    "archer": Sitter(robe=(112, 28, 36), trim=(214, 96, 44), tool="bow", hat="cone", stern=True, long_hair=True, pattern="keys"),
    "rider": Sitter(robe=(78, 66, 58), trim=(168, 60, 40), tool="horse", hat="fur", stern=True, beard=True),
    "axeman": Sitter(robe=(66, 58, 62), trim=(150, 118, 70), tool="axe", hat="band", stern=True, beard=True, broad=1.25),
    "shield-bearer": Sitter(robe=(92, 72, 44), trim=(160, 40, 34), tool="shield", hat="helmet", stern=True, broad=1.1),
    "chieftain": Sitter(robe=(44, 42, 48), trim=(196, 148, 52), tool="banner", hat="crest", stern=True, beard=True, broad=1.2, pattern="keys"),
}  # fmt: skip

_HATS = ("bun", "circlet", "cone", "topknot", "pins", "scarf", "band", "fur", "helmet", "crest", "none")
_TOOLS = (
    "flute", "staff", "backpack", "fan", "cloth", "jar", "rod", "drum",
    "bow", "horse", "axe", "shield", "banner", "hoe", "book",
)  # fmt: skip
_PATTERNS = ("none", "flowers", "stripes", "keys", "dots")


def random_sitter(rng: np.random.Generator) -> Sitter:
    def colour(low: int, high: int) -> Rgb:
        red, green, blue = (int(value) for value in rng.integers(low, high, 3))
        return (red, green, blue)

    tone = float(rng.uniform(0.6, 1.08))
    return Sitter(
        robe=colour(30, 230),
        trim=colour(40, 250),
        tool=str(rng.choice(_TOOLS)),
        hat=str(rng.choice(_HATS)),
        hair=(36, 32, 36) if rng.random() < 0.7 else colour(60, 220),
        skin=(min(255, int(232 * tone)), int(190 * tone), int(150 * tone)),
        beard=bool(rng.random() < 0.4),
        long_hair=bool(rng.random() < 0.4),
        pattern=str(rng.choice(_PATTERNS)),
        stern=bool(rng.random() < 0.4),
        broad=float(rng.uniform(0.9, 1.3)),
    )


def draw_person(sitter: Sitter) -> list[Shape]:
    """Back to front: what hangs behind, hair, robe, head, hat, tool with the hands that hold it."""
    behind, front, left_hand, right_hand = _TOOL_DRAWERS[sitter.tool](sitter)
    return [
        *behind,
        *_back_hair(sitter),
        *_robe(sitter),
        *_sleeve(sitter, (37.0, 66.0), left_hand),
        *_sleeve(sitter, (79.0, 66.0), right_hand),
        *_head(sitter),
        *_HAT_DRAWERS[sitter.hat](sitter),
        *front,
        *_hand(sitter, left_hand),
        *_hand(sitter, right_hand),
    ]


def _ink(contour: Points, fill: Rgb | None, width: float = _LINE, stroke: Rgb = INK) -> Shape:
    return Shape(contours=(contour,), fill=fill, stroke=stroke if width else None, stroke_width=width)


def _stroke(width: float, colour: Rgb, *pairs: _Pair, curved: bool = True) -> Shape:
    line = points(*pairs)
    if curved and len(pairs) > 2:
        line = smooth(line, closed=False)
    return Shape(contours=(line,), stroke=colour, stroke_width=width, closed=False)


def _outlined_stroke(width: float, colour: Rgb, *pairs: _Pair) -> list[Shape]:
    return [_stroke(width + 2 * _LINE, INK, *pairs), _stroke(width, colour, *pairs)]


def _tone(colour: Rgb, factor: float) -> Rgb:
    return (min(255, int(colour[0] * factor)), min(255, int(colour[1] * factor)), min(255, int(colour[2] * factor)))


def _about(x: float, broad: float) -> float:
    return 58 + (x - 58) * broad


# --- body --------------------------------------------------------------------------------------------


def _robe(sitter: Sitter) -> list[Shape]:
    b = sitter.broad
    body = smooth(
        points(
            (52, 50), (_about(42, b), 58), (_about(34, b), 68), (_about(30, b), 96), (_about(26, b), 124),
            (_about(92, b), 124), (_about(88, b), 96), (_about(82, b), 68), (_about(74, b), 58), (64, 50),
        )
    )  # fmt: skip
    shapes = [_ink(body, sitter.robe)]
    dark = _tone(sitter.robe, 0.68)
    shapes.append(_ink(smooth(points((70, 60), (80, 70), (86, 96), (88, 122), (74, 122), (72, 90))), dark, 0))
    shapes += _pattern(sitter)
    for x, y in ((44, 82), (50, 104), (68, 106)):
        shapes.append(_stroke(0.8, _tone(sitter.robe, 0.5), (x, y), (x - 1.5, y + 7), (x - 4, y + 13)))
    for side in (-1, 1):
        collar = points((58 + side * 9, 50), (58 + side * 14, 54), (58 - side * 5, 86), (58 - side * 9, 80))
        shapes.append(_ink(collar, sitter.trim))
    shapes.append(_ink(points((56, 50), (60, 50), (61, 58), (58, 64), (55, 58)), (240, 236, 226), 0.8))
    belt = points((_about(34, b), 96), (_about(84, b), 96), (_about(85, b), 103), (_about(33, b), 103))
    shapes.append(_ink(belt, _tone(sitter.trim, 0.8)))
    shapes.append(_ink(points((55, 102), (61, 102), (63, 120), (54, 120)), sitter.trim))
    return shapes


def _pattern(sitter: Sitter) -> list[Shape]:
    ink = _tone(sitter.robe, 0.55) if sum(sitter.robe) > 240 else _tone(sitter.trim, 0.9)
    if sitter.pattern == "flowers":
        spots = ((40, 76), (46, 92), (38, 110), (72, 78), (78, 94), (72, 112), (49, 118))
        return [_ink(ellipse(x + dx, y + dy, 1.3, 1.3), ink, 0) for x, y in spots for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2))]
    if sitter.pattern == "stripes":
        return [_stroke(1.4, ink, (x, 66), (x - 2, 92), (x - 4, 124)) for x in (38, 45, 70, 77, 84)]
    if sitter.pattern == "keys":
        shapes = []
        for y in range(66, 122, 9):
            shapes.append(_stroke(1.2, sitter.trim, (41, y), (46, y), (46, y + 5), (43, y + 5), (43, y + 2.5), curved=False))
            shapes.append(_stroke(1.2, sitter.trim, (75, y), (70, y), (70, y + 5), (73, y + 5), (73, y + 2.5), curved=False))
        return shapes
    if sitter.pattern == "dots":
        return [_ink(ellipse(x, y, 1.2, 1.2), ink, 0) for x in range(36, 86, 8) for y in range(68, 122, 8)]
    return []


def _sleeve(sitter: Sitter, shoulder: _Pair, hand: _Pair) -> list[Shape]:
    sx = _about(shoulder[0], sitter.broad)
    sy = shoulder[1]
    along = np.array((hand[0] - sx, hand[1] - sy))
    length = float(np.hypot(*along)) or 1.0
    across = np.array((-along[1], along[0])) / length
    low = across if across[1] > 0 else -across
    start, end = np.array((sx, sy)), np.array(hand)
    elbow = (start + end) / 2 + low * 11
    contour = smooth(
        np.array(
            [start - low * 8, (start + end) / 2 - low * 3, end - low * 4, end + low * 9, elbow + low * 3, start + low * 9],
            np.float32,
        )
    )  # fmt: skip
    cuff = np.array([end - low * 4.5, end + low * 9.5, end + low * 8 - along / length * 4.5, end - low * 4 - along / length * 4], np.float32)
    fold = [tuple(elbow - low * 4), tuple((elbow + end) / 2 + low * 1)]
    return [
        _ink(contour, _tone(sitter.robe, 1.06)),
        _stroke(0.8, _tone(sitter.robe, 0.5), *fold),
        _ink(cuff, sitter.trim),
    ]


def _hand(sitter: Sitter, hand: _Pair) -> list[Shape]:
    x, y = hand
    return [
        _ink(ellipse(x, y, 4.0, 3.4), sitter.skin),
        _stroke(0.7, _tone(sitter.skin, 0.6), (x - 1.5, y - 1.8), (x - 1.2, y + 1.8)),
        _stroke(0.7, _tone(sitter.skin, 0.6), (x + 0.9, y - 1.8), (x + 1.1, y + 1.8)),
    ]


# --- head --------------------------------------------------------------------------------------------


def _back_hair(sitter: Sitter) -> list[Shape]:
    x, y = _HEAD
    if not sitter.long_hair:
        return [_ink(ellipse(x, y - 1, 13.5, 14.5), sitter.hair)]
    mane = smooth(points((x - 12, y - 10), (x + 12, y - 10), (x + 16, y + 10), (x + 18, y + 34), (x + 8, y + 40), (x - 10, y + 36), (x - 16, y + 12)))
    lines = [_stroke(0.8, _tone(sitter.hair, 1.7), (x + 13, y), (x + 14, y + 18), (x + 12, y + 34))]
    return [_ink(mane, sitter.hair), *lines]


def _head(sitter: Sitter) -> list[Shape]:
    x, y = _HEAD
    skin, dark = sitter.skin, _tone(sitter.skin, 0.72)
    face = smooth(points((x, y - 13), (x + 10, y - 8), (x + 10.5, y + 3), (x + 5.5, y + 12), (x, y + 15), (x - 5.5, y + 12), (x - 10.5, y + 3), (x - 10, y - 8)))
    shade = smooth(points((x + 4, y - 10), (x + 10, y - 6), (x + 10, y + 3), (x + 5, y + 11), (x + 2, y + 13), (x + 6, y + 2)))
    shapes = [
        _ink(points((x - 4.5, y + 10), (x + 4.5, y + 10), (x + 5.5, y + 20), (x - 5.5, y + 20)), dark),
        _ink(ellipse(x - 11, y + 1, 2.2, 3.6), skin),
        _ink(ellipse(x + 11, y + 1, 2.2, 3.6), dark),
        _ink(face, skin),
        _ink(shade, _tone(skin, 0.87), 0),
        _ink(smooth(points((x - 11, y - 2), (x - 11, y - 11), (x, y - 16), (x + 11, y - 11), (x + 11, y - 2), (x + 7, y - 8), (x, y - 10), (x - 7, y - 8))), sitter.hair),
    ]
    tilt = 1.6 if sitter.stern else -0.6
    for side in (-1, 1):
        ex = x + side * 5
        shapes.append(_stroke(1.3, INK, (ex - side * 2.6, y - 3 + tilt), (ex, y - 4.2), (ex + side * 3, y - 3.2 - tilt)))
        shapes.append(_ink(ellipse(ex, y + 0.2, 2.2, 1.3), (250, 246, 238), 0.7))
        shapes.append(_ink(ellipse(ex + 0.3, y + 0.2, 1.0, 1.2), INK, 0))
    shapes.append(_stroke(0.8, _tone(skin, 0.55), (x + 0.5, y), (x + 1.8, y + 4.6), (x - 0.6, y + 5)))
    mouth_end = 0.8 if sitter.stern else -0.8
    shapes.append(_stroke(1.2, (150, 52, 46), (x - 3, y + 8.6 + mouth_end), (x, y + 8.6), (x + 3, y + 8.6 + mouth_end)))
    return shapes + (_beard(sitter) if sitter.beard else [])


def _beard(sitter: Sitter) -> list[Shape]:
    x, y = _HEAD
    beard = smooth(points((x - 8, y + 6), (x - 3, y + 10.5), (x, y + 10), (x + 3, y + 10.5), (x + 8, y + 6), (x + 5, y + 17), (x, y + 25), (x - 5, y + 17)))
    return [
        _ink(beard, sitter.hair),
        _stroke(1.6, sitter.hair, (x - 5.5, y + 8.2), (x, y + 6.6), (x + 5.5, y + 8.2)),
        _stroke(0.8, _tone(sitter.hair, 0.6), (x, y + 12), (x, y + 21)),
    ]


def _hat_bun(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    return [
        _ink(ellipse(x, y - 18, 7, 5.5), s.hair),
        *_outlined_stroke(1.4, (214, 170, 60), (x - 12, y - 16), (x + 12, y - 20)),
        _ink(ellipse(x - 12, y - 16, 2, 2), s.trim),
    ]


def _hat_topknot(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    return [
        _ink(smooth(points((x - 4, y - 14), (x - 5, y - 24), (x + 2, y - 29), (x + 7, y - 22), (x + 4, y - 14))), s.hair),
        _ink(points((x - 5, y - 17), (x + 5, y - 17), (x + 5, y - 13), (x - 5, y - 13)), s.trim),
        _stroke(1.4, s.hair, (x + 9, y - 8), (x + 14, y + 4), (x + 13, y + 18)),
        _stroke(1.4, s.hair, (x - 9, y - 8), (x - 13, y + 4), (x - 12, y + 16)),
    ]


def _hat_cone(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    straw: Rgb = (214, 178, 112)
    brim = smooth(points((x - 27, y - 5), (x - 12, y - 17), (x, y - 27), (x + 12, y - 17), (x + 27, y - 5), (x + 12, y - 6.5), (x, y - 7), (x - 12, y - 6.5)))
    ribs = [_stroke(0.8, (132, 98, 48), (x, y - 26), (x + dx, y - 7)) for dx in (-20, -12, -5, 3, 11, 19)]
    return [_ink(brim, straw), *ribs, _stroke(1.3, s.trim, (x - 11, y - 5), (x - 8, y + 12)), _stroke(1.3, s.trim, (x + 11, y - 5), (x + 8, y + 12))]


def _hat_circlet(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    band = smooth(points((x - 12, y - 9), (x, y - 14), (x + 12, y - 9), (x + 12, y - 5), (x, y - 10), (x - 12, y - 5)))
    return [_ink(ellipse(x - 5, y - 17, 6, 4.5), s.hair), _ink(ellipse(x + 5, y - 17, 6, 4.5), s.hair), _ink(band, (150, 98, 50)), _ink(ellipse(x, y - 12, 2.8, 2.8), (86, 142, 92))]


def _hat_pins(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    loops = [_ink(ellipse(x + dx, y - 16, 5, 6), s.hair) for dx in (-9, 0, 9)]
    flowers = [_ink(ellipse(x + dx, y - 12, 2.4, 2.4), c) for dx, c in ((-11, (226, 96, 110)), (11, (240, 200, 90)))]
    return [*loops, *flowers, *_outlined_stroke(1.2, (222, 186, 80), (x + 4, y - 18), (x + 18, y - 24))]


def _hat_scarf(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    wrap = smooth(points((x - 13, y - 4), (x - 12, y - 14), (x, y - 20), (x + 12, y - 14), (x + 13, y - 4), (x, y - 9)))
    knot = smooth(points((x + 11, y - 8), (x + 20, y - 12), (x + 18, y - 4)))
    return [_ink(knot, _tone(s.trim, 0.85)), _ink(wrap, s.trim), _stroke(0.9, _tone(s.trim, 0.55), (x - 10, y - 11), (x, y - 13), (x + 10, y - 10))]


def _hat_band(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    band = points((x - 11.5, y - 9), (x + 11.5, y - 9), (x + 11.5, y - 5), (x - 11.5, y - 5))
    tails = [_stroke(2.4, s.trim, (x + 11, y - 7), (x + 19, y - 2), (x + 22, y + 8))]
    return [_ink(smooth(points((x - 9, y - 13), (x - 5, y - 21), (x + 5, y - 21), (x + 9, y - 13))), s.hair), *tails, _ink(band, s.trim)]


def _hat_fur(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    angles = np.linspace(np.pi, 2 * np.pi, 13)
    spikes = np.stack([x + np.where(np.arange(13) % 2, 16, 13) * np.cos(angles), y - 6 + np.where(np.arange(13) % 2, 17, 13) * np.sin(angles)], 1)
    fur: Rgb = (128, 92, 60)
    return [_ink(spikes.astype(np.float32), fur), _ink(smooth(points((x - 15, y - 8), (x, y - 12), (x + 15, y - 8), (x + 14, y - 2), (x, y - 6), (x - 14, y - 2))), _tone(fur, 1.3))]


def _hat_helmet(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    steel: Rgb = (134, 138, 142)
    dome = smooth(points((x - 13, y - 4), (x - 11, y - 16), (x, y - 22), (x + 11, y - 16), (x + 13, y - 4), (x, y - 8)))
    flaps = [_ink(points((x + d * 10, y - 5), (x + d * 14, y - 4), (x + d * 13, y + 10), (x + d * 9, y + 8)), _tone(steel, 0.8)) for d in (-1, 1)]
    return [*_outlined_stroke(2.0, s.trim, (x, y - 21), (x + 3, y - 30), (x + 12, y - 28)), _ink(dome, steel), *flaps, _stroke(1.0, INK, (x, y - 21), (x, y - 8))]


def _hat_crest(s: Sitter) -> list[Shape]:
    x, y = _HEAD
    feathers = [_ink(smooth(points((x + dx * 0.3, y - 12), (x + dx - 3, y - 26), (x + dx * 1.15, y - 33), (x + dx + 3, y - 24))), c) for dx, c in ((-14, (170, 44, 36)), (-5, (222, 190, 110)), (5, (170, 44, 36)), (14, (222, 190, 110)))]
    return [*feathers, _ink(points((x - 13, y - 6), (x - 13, y - 14), (x, y - 18), (x + 13, y - 14), (x + 13, y - 6), (x, y - 9)), s.trim), _ink(ellipse(x, y - 12.5, 2.6, 2.6), (170, 44, 36))]


_HAT_DRAWERS: dict[str, Callable[[Sitter], list[Shape]]] = {
    "bun": _hat_bun, "topknot": _hat_topknot, "cone": _hat_cone, "circlet": _hat_circlet, "pins": _hat_pins,
    "scarf": _hat_scarf, "band": _hat_band, "fur": _hat_fur, "helmet": _hat_helmet, "crest": _hat_crest,
    "none": lambda _: [],
}  # fmt: skip


# --- tools: what is behind, what is in front, and where both hands are ----------------------------------

_Held: TypeAlias = tuple[list[Shape], list[Shape], _Pair, _Pair]


def _flute(_: Sitter) -> _Held:
    pipe = _outlined_stroke(2.2, (150, 84, 48), (46, 40), (96, 56))
    holes = [_ink(ellipse(x, 40 + (x - 46) * 0.32, 0.8, 0.8), INK, 0) for x in (66, 74, 82, 90)]
    return [], [*pipe, *holes], (68.0, 49.0), (84.0, 54.0)


def _staff(_: Sitter) -> _Held:
    staff = _outlined_stroke(3.2, (104, 128, 62), (44, 118), (60, 96), (86, 62))
    knob = [_ink(ellipse(88, 59, 5, 4.4), (124, 150, 72)), _ink(ellipse(92, 56, 2.6, 2.2), (124, 150, 72))]
    scroll = [_ink(points((72, 78), (96, 88), (92, 97), (68, 86)), (236, 228, 206)), _stroke(0.9, (120, 100, 80), (75, 83), (91, 90))]
    return scroll, [*staff, *knob], (56.0, 100.0), (74.0, 78.0)


def _backpack(_: Sitter) -> _Held:
    body = smooth(points((14, 58), (38, 52), (44, 70), (42, 112), (20, 116), (12, 90)))
    weave = [_stroke(1.0, (110, 76, 40), (13, y), (28, y + 3), (43, y - 2)) for y in (66, 76, 86, 96, 106)]
    leaves = [_ink(smooth(points((x, 60), (x - 5, 44), (x + 4, 48))), (98, 144, 70)) for x in (20, 28, 36)]
    straps = [*_outlined_stroke(2.4, (190, 88, 46), (44, 58), (46, 72), (46, 82)), *_outlined_stroke(2.4, (190, 88, 46), (73, 58), (71, 72), (71, 82))]
    return [*leaves, _ink(body, (190, 146, 88)), *weave], straps, (47.0, 80.0), (71.0, 80.0)


def _fan(s: Sitter) -> _Held:
    disc = _ink(ellipse(78, 74, 16, 17), (240, 232, 212), 1.3)
    ribs = [_stroke(0.8, (160, 136, 100), (78, 92), (78 + 15 * np.cos(a), 74 + 16 * np.sin(a))) for a in np.linspace(np.pi * 1.05, np.pi * 1.95, 9)]
    painted = [_ink(smooth(points((68, 78), (74, 70), (80, 76), (86, 68), (90, 78))), s.trim, 0)]
    return [], [*_outlined_stroke(2.4, (120, 76, 44), (78, 90), (77, 110)), disc, *ribs, *painted], (46.0, 92.0), (77.0, 100.0)


def _cloth(s: Sitter) -> _Held:
    cloth = points((36, 84), (84, 80), (88, 112), (76, 108), (66, 114), (54, 109), (40, 116))
    bands = []
    for k, y in enumerate((88, 95, 102)):
        zigzag = [(39 + i * 5.6, y - i * 0.4 + (3 if i % 2 else 0)) for i in range(9)]
        bands.append(_stroke(1.4, (s.robe, (196, 52, 44), (48, 104, 116))[k], *zigzag, curved=False))
    return [], [_ink(cloth, (244, 226, 176)), *bands], (37.0, 84.0), (84.0, 80.0)


def _jar(s: Sitter) -> _Held:
    jar = smooth(points((50, 72), (66, 72), (65, 78), (78, 88), (76, 106), (66, 116), (50, 116), (40, 106), (38, 88), (51, 78)))
    glaze = smooth(points((39, 88), (48, 92), (58, 86), (68, 93), (77, 88), (76, 98), (58, 101), (40, 98)))
    return [], [_ink(jar, (184, 104, 60)), _ink(glaze, (66, 124, 122), 0.8), _ink(ellipse(58, 72, 8.4, 2.6), (96, 52, 34))], (39.0, 98.0), (77.0, 98.0)


def _rod(_: Sitter) -> _Held:
    rod = _outlined_stroke(1.5, (166, 130, 66), (44, 118), (72, 70), (97, 14))
    fish = smooth(points((86, 62), (93, 54), (97, 64), (94, 74), (96, 82), (88, 82), (90, 74)))
    return [], [*rod, _stroke(0.7, (236, 236, 230), (97, 14), (95, 34), (93, 55)), _ink(fish, (136, 172, 186)), _ink(ellipse(92, 61, 0.9, 0.9), INK, 0)], (52.0, 106.0), (66.0, 84.0)


def _drum(s: Sitter) -> _Held:
    body = points((34, 88), (82, 88), (78, 118), (38, 118))
    laces = [_stroke(1.0, (238, 214, 160), (36 + i * 6, 90), (39 + i * 6, 116), (42 + i * 6, 90), curved=False) for i in range(7)]
    sticks = [*_outlined_stroke(1.8, (222, 196, 140), (34, 66), (54, 84)), *_outlined_stroke(1.8, (222, 196, 140), (88, 64), (64, 84))]
    return [], [_ink(body, (176, 44, 36)), *laces, _ink(ellipse(58, 88, 24.4, 6.2), (240, 228, 200), 1.3), *sticks], (35.0, 67.0), (87.0, 65.0)


def _bow(_: Sitter) -> _Held:
    bow = _outlined_stroke(2.6, (170, 96, 46), (86, 34), (95, 56), (92, 78), (80, 100), (70, 112))
    string = _stroke(0.8, (240, 234, 220), (86, 34), (66, 72), (70, 112), curved=False)
    arrow = [*_outlined_stroke(1.2, (206, 182, 140), (50, 74), (99, 66)), _ink(points((96, 63), (100, 66), (97, 70)), (130, 132, 138))]
    return [], [string, *arrow, *bow], (62.0, 73.0), (93.0, 68.0)


def _horse(s: Sitter) -> _Held:
    coat: Rgb = (112, 76, 50)
    neck = smooth(points((20, 124), (22, 100), (34, 80), (30, 74), (40, 68), (46, 74), (60, 88), (58, 98), (50, 97), (46, 104), (52, 124)))
    mane = smooth(points((22, 104), (30, 82), (38, 68), (42, 72), (34, 90), (28, 112)))
    bits = [_stroke(1.4, s.trim, (50, 82), (48, 97)), _stroke(1.4, s.trim, (49, 92), (66, 98)), _ink(ellipse(45, 80, 1.4, 1.4), INK, 0), _ink(ellipse(57, 92, 1.0, 0.8), INK, 0)]
    spear = [*_outlined_stroke(1.8, (150, 112, 66), (86, 120), (92, 12)), _ink(points((89, 14), (92, 2), (95.5, 14)), (172, 176, 182))]
    return spear, [_ink(neck, coat), _ink(mane, (40, 32, 30)), *bits], (67.0, 98.0), (88.0, 82.0)


def _axe(_: Sitter) -> _Held:
    haft = _outlined_stroke(2.6, (134, 92, 54), (40, 112), (66, 84), (90, 46))
    blade = smooth(points((82, 48), (78, 34), (86, 26), (97, 32), (99, 46), (92, 56)))
    return [], [*haft, _ink(blade, (168, 172, 178)), _stroke(1.0, (230, 232, 236), (80, 34), (87, 28), (96, 33))], (48.0, 103.0), (76.0, 71.0)


def _shield(s: Sitter) -> _Held:
    rings = [_ink(ellipse(46, 92, 22 * k, 25 * k), c) for k, c in ((1.0, (130, 88, 48)), (0.78, s.trim), (0.5, (216, 184, 110)), (0.22, (60, 52, 48)))]
    studs = [_ink(ellipse(46 + 19.5 * np.cos(a), 92 + 22 * np.sin(a), 1.1, 1.1), (226, 206, 150), 0.5) for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)]
    spear = [*_outlined_stroke(1.8, (150, 112, 66), (84, 120), (88, 16)), _ink(points((85, 18), (88, 5), (91.5, 18)), (172, 176, 182))]
    return spear, [*rings, *studs], (62.0, 104.0), (86.0, 78.0)


def _banner(s: Sitter) -> _Held:
    flag = smooth(points((88, 8), (99, 14), (97, 30), (101, 44), (88, 48)))
    blade = [_ink(points((40, 110), (36, 102), (22, 62), (27, 60), (44, 100)), (178, 182, 188)), *_outlined_stroke(2.0, (206, 160, 60), (35, 106), (48, 101))]
    return [*_outlined_stroke(2.0, (120, 84, 50), (86, 120), (87, 6)), _ink(flag, s.trim), _stroke(1.4, (150, 36, 30), (91, 20), (97, 24), (92, 32), (97, 38))], blade, (43.0, 106.0), (86.0, 80.0)


def _hoe(_: Sitter) -> _Held:
    return [], [*_outlined_stroke(2.2, (146, 106, 62), (42, 118), (88, 40)), _ink(points((84, 42), (92, 34), (99, 46), (94, 52)), (142, 146, 150))], (52.0, 101.0), (72.0, 67.0)


def _book(s: Sitter) -> _Held:
    pages = points((40, 84), (58, 90), (76, 84), (78, 108), (58, 114), (38, 108))
    lines = [_stroke(0.8, (110, 96, 84), (44 + i * 4, 90 + i), (43 + i * 4, 106 + i)) for i in range(3)]
    lines += [_stroke(0.8, (110, 96, 84), (64 + i * 4, 92 - i), (65 + i * 4, 108 - i)) for i in range(3)]
    return [], [_ink(pages, (244, 234, 208)), _stroke(1.2, s.trim, (58, 90), (58, 114)), *lines], (40.0, 100.0), (77.0, 100.0)


_TOOL_DRAWERS: dict[str, Callable[[Sitter], _Held]] = {
    "flute": _flute, "staff": _staff, "backpack": _backpack, "fan": _fan, "cloth": _cloth, "jar": _jar,
    "rod": _rod, "drum": _drum, "bow": _bow, "horse": _horse, "axe": _axe, "shield": _shield,
    "banner": _banner, "hoe": _hoe, "book": _book,
}  # fmt: skip
