"""One printed symbol alone on some ground, seen small by a camera: samples without end, cheap to draw.

Drawing whole cards for the sake of one symbol each is slow. Numbers come here in more hands than the virtual
table has: also in free fonts of Debian's packages, each time a little bent.
"""

import functools

import cv2
import numpy as np
from numpy.typing import NDArray

from models.fonts import fonts
from models.hands import MadeUpHand, any_pen
from models.photographs import CARD_PX, Rng, develop, webcam
from models.pool import Pool
from vision.cuts import Original, Points
from vision.frame import BgrImage
from vision.virtual.digits import NumberStyle, number_shapes
from vision.virtual.drawing import BgraImage, Drawing, Rgb, paint, rasterise
from vision.virtual.faces import stone_sticks
from vision.virtual.glyphs import symbol_glyph
from vision.virtual.looks import GlyphLook
from vision.virtual.numbering import number_place

LOOKS = 700
"""Looks of each symbol; drawn once, then kept in memory."""
FINE_PX = 72
"""Size of a symbol when it is drawn, before a camera sees it much smaller."""
SPAN = 2.2
"""How much around a symbol is drawn, in its sizes."""
SIDE = round(SPAN * FINE_PX)

_DIGIT_PX = 56
_OWN_HANDS = 300
"""So many hands are drawn, of all designs, pens and widths; the rest is printed in fonts."""
_PENNED = 0.6
"""So many numbers of stones and turtles are written with a pen."""
_OF_FONTS = 0.6
"""And so many of the made-up hands among these follow the middle lines of a font."""
_STONE_OVER_RIM = 0.8
"""Of rims so many run below the stone, as on printed cards; the others may hide the foot of its number."""
_PEN_FINER = 3
_STONE_ON_CARD = 0.136 * 0.645 * CARD_PX

Gray = NDArray[np.uint8]


class Grounds:
    """What symbols stand on: pieces of drawn cards, taken from the pool."""

    def __init__(self, pool: Pool, rng: Rng, count: int = 60) -> None:
        self._images = [
            np.ascontiguousarray(pool.pick(rng, "collage" if k % 3 == 0 else "card")[0].image[..., :3])
            for k in range(count)
        ]

    def any(self, rng: Rng, side: int = SIDE) -> BgrImage:
        image = self._images[int(rng.integers(len(self._images)))]
        height, width = image.shape[:2]
        part = int(rng.integers(24, 90))
        x, y = int(rng.integers(width - part)), int(rng.integers(height - part))
        ground = cv2.resize(image[y : y + part, x : x + part], (side, side), interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.35:  # plain paper or wood
            colour = ground[side // 2, side // 2].astype(np.int16) + rng.integers(-20, 20, 3)
            ground = cv2.addWeighted(ground, 0.12, np.full_like(ground, np.clip(colour, 0, 255)), 0.88, 0)
        return np.asarray(ground, np.uint8)


@functools.lru_cache(maxsize=8 * LOOKS)
def carrier(kind: str, look: int, text: str = "") -> BgraImage:
    """A symbol large; kept here only, since training asks for more of them than the table ever does."""
    return symbol_glyph.__wrapped__(kind, FINE_PX, GlyphLook.sample(look), text)


def put(canvas: BgrImage, image: BgraImage, off: tuple[float, float] = (0.0, 0.0)) -> None:
    """Lays a symbol so far from the canvas's middle; what sticks out is cut off."""
    side, (height, width) = canvas.shape[0], image.shape[:2]
    x, y = round((side - width) / 2 + off[0]), round((side - height) / 2 + off[1])
    image = image[max(0, -y) : max(0, side - y), max(0, -x) : max(0, side - x)]
    part = canvas[max(0, y) : max(0, y) + image.shape[0], max(0, x) : max(0, x) + image.shape[1]]
    alpha = image[..., 3:].astype(np.float32) / 255
    part[:] = (image[..., :3] * alpha + part * (1 - alpha)).astype(np.uint8)


def put_sticks(rng: Rng, canvas: BgrImage) -> None:
    """What stands behind a stone on cards: upright strokes above the number that are no digits."""
    middle = (canvas.shape[0] / 2,) * 2
    radius = FINE_PX / 2.25
    bamboo: Rgb = tuple(rng.integers((150, 120, 70), 256, 3).tolist())
    paint(canvas, stone_sticks(bamboo), (radius, radius), middle)


def seen(rng: Rng, fine: BgrImage, seen_px: float) -> tuple[BgrImage, float]:
    """As a camera saw it, then as on a rectified card; also how wide the carrier is there."""
    small, angle = _taken(rng, fine, seen_px)
    height, width = small.shape[:2]
    per_size = _STONE_ON_CARD * float(rng.uniform(0.95, 1.3))
    back = (round(per_size * SPAN),) * 2
    again = cv2.getRotationMatrix2D((back[0] / 2, back[1] / 2), -_noticed(rng, angle), 1.0)
    to_card = np.array([(back[0] / width, 0, 0), (0, back[1] / height, 0), (0, 0, 1)])
    patch = cv2.warpAffine(
        small, again @ to_card, back, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8), back[0] / SPAN


def seen_in_frame(rng: Rng, fine: BgrImage, seen_px: float) -> Original:
    """As a camera saw it, to be cut out there in one step: in pixels of what was drawn."""
    small, angle = _taken(rng, fine, seen_px)
    side = fine.shape[0]
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), _noticed(rng, angle), 1.0)
    scale = np.array((small.shape[1] / side, small.shape[0] / side))

    def to_pixels(points: Points) -> Points:
        return np.asarray((points @ turn[:, :2].T + turn[:, 2]) * scale - 0.5)

    return Original(small, to_pixels)


def _noticed(rng: Rng, angle: float) -> float:
    """About how far a card is turned, as its corners tell."""
    return angle * float(rng.uniform(0.4, 1.3))


def _taken(rng: Rng, fine: BgrImage, seen_px: float) -> tuple[BgrImage, float]:
    """The camera's own picture, and by how many degrees the card is turned in it."""
    lean = float(rng.uniform(0.7, 1.0)) if rng.random() < 0.6 else 1.0
    angle, shear = float(rng.normal(0, 5)), float(rng.normal(0, 0.06))
    side = fine.shape[0]
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1.0)
    turn[0, 1] += shear
    turn[0, 2] -= shear * side / 2
    scale = seen_px / FINE_PX
    width, height = round(side * scale), round(side * scale * lean)
    soft = cv2.warpAffine(fine, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(soft, (width, height), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        return webcam(rng, np.asarray(small, np.uint8)), angle
    gentle = bool(rng.random() < 0.8)
    return develop(rng, np.asarray(small, np.uint8), gentle=gentle, sharp=min(1.0, seen_px / 17)), angle


def cornered(rng: Rng, fine: BgrImage, beyond: BgrImage, stone: BgraImage) -> BgrImage:
    """The card's corner right below a stone: a rim that mostly runs below it, and the table beyond."""
    side = fine.shape[0]
    right, foot = side / 2 + FINE_PX * rng.normal((0.61, 0.53), (0.065, 0.115))
    ground = beyond * np.float32(rng.choice([1.0, rng.uniform(0.3, 1.0)]))
    card = _corner_mask(side, right, foot, 0.47 * FINE_PX)
    if rng.random() < 0.5:
        rim = float(rng.uniform(0.03, 0.2)) * FINE_PX
        inner = _corner_mask(side, right - rim, foot - rim, 0.47 * FINE_PX - rim)
        if rng.random() < _STONE_OVER_RIM:
            whole = np.zeros_like(fine)
            put(whole, np.dstack([np.full_like(stone[..., :3], 255), stone[..., 3]]))
            inner = np.maximum(inner, whole[..., :1] / np.float32(255))
        colour = (
            rng.integers(150, 256) + rng.integers(-25, 26, 3)
            if rng.random() < 0.8
            else rng.integers(0, 256, 3)
        )
        fine = np.asarray(fine * inner + np.clip(colour, 0, 255).astype(np.float32) * (1 - inner), np.uint8)
    return np.asarray(fine * card + ground * (1 - card), np.uint8)


def _corner_mask(side: int, right: float, foot: float, radius: float) -> NDArray[np.float32]:
    mask = np.zeros((side, side), np.uint8)
    x, y, r = round(right), round(foot), round(max(1.0, radius))
    cv2.rectangle(mask, (-1, -1), (x - r, y), 255, -1)
    cv2.rectangle(mask, (-1, -1), (x, y - r), 255, -1)
    cv2.circle(mask, (x - r, y - r), r, 255, -1, cv2.LINE_AA)
    return np.asarray(mask / 255, np.float32)[..., None]


# --- digits ------------------------------------------------------------------------------------------


def write_number(rng: Rng, canvas: BgrImage, text: str, kind: str) -> None:
    """The number of a stone or turtle in any hand, dark or pale, sometimes with a rim."""
    tall = FINE_PX * float(rng.uniform(0.36, 0.54) if kind == "stone" else rng.uniform(0.27, 0.40))
    widest = FINE_PX * (0.7 if kind == "stone" else 0.48)
    if rng.random() < _PENNED:
        ink = _penned(rng, text, canvas.shape[0], tall, widest)
    else:
        ink = _laid(rng, _text_mask(rng, text, own=0.1), canvas.shape[0], (0.0, 0.0), tall, widest)
    dark = rng.random() < 0.9
    colour = rng.integers(0, 75, 3) if dark else rng.integers(190, 256, 3)
    if rng.random() < (0.15 if dark else 0.7):
        edge = rng.integers(190, 256, 3) if dark else rng.integers(0, 60, 3)
        _ink(canvas, cv2.dilate(ink, np.ones((5, 5), np.uint8)), edge, float(rng.uniform(0.3, 1)))
    _ink(canvas, ink, colour, float(rng.uniform(0.75, 1)))


def write_label(rng: Rng, canvas: BgrImage, text: str, kind: str, look: GlyphLook) -> None:
    """The +n of a tag, where and in which ink its drawing has it."""
    place = number_place(kind, look)
    unit = FINE_PX / 64
    off = ((place.centre[0] - 32) * unit, (place.centre[1] - 32) * unit)
    tall = place.height * unit * float(rng.uniform(0.85, 1.3))
    ink = _laid(rng, _text_mask(rng, text), canvas.shape[0], off, tall, place.widest * unit * 1.15)
    if place.rim is not None:
        _ink(canvas, cv2.dilate(ink, np.ones((4, 4), np.uint8)), np.array(place.rim[::-1]), 1.0)
    _ink(canvas, ink, np.array(place.colour[::-1]), float(rng.uniform(0.8, 1)))


def _laid(rng: Rng, mask: Gray, side: int, off: tuple[float, float], tall: float, widest: float) -> Gray:
    scale_y = tall / _DIGIT_PX
    scale_x = min(scale_y * float(rng.uniform(0.8, 1.15)), widest / mask.shape[1])
    lean = float(rng.choice([0.0, rng.uniform(-0.05, 0.3)])) * scale_y
    x, y = side / 2 + rng.normal(0, 0.025 * FINE_PX, 2) + off
    height, width = mask.shape
    matrix = np.array(
        [
            (scale_x, -lean, x - scale_x * width / 2 + lean * height / 2),
            (0, scale_y, y - scale_y * height / 2),
        ]
    )
    return np.asarray(cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_AREA), np.uint8)


def _ink(canvas: BgrImage, mask: NDArray[np.generic], colour: NDArray[np.int64], strength: float) -> None:
    x, y, width, height = cv2.boundingRect(np.asarray(mask, np.uint8))
    part = canvas[y : y + height, x : x + width]
    alpha = (mask[y : y + height, x : x + width].astype(np.float32) * np.float32(strength / 255))[..., None]
    part[:] = (part * (1 - alpha) + colour.astype(np.float32) * alpha).astype(np.uint8)


def _penned(rng: Rng, text: str, side: int, tall: float, widest: float) -> Gray:
    """Written with a pen that stays round where three digits are squeezed, as in drawn prints; by made-up
    hands mostly, for a reader must also read hands that it never saw."""
    made_up = rng.random() < 0.8
    shapes = number_shapes(
        text,
        centre=tuple((side / 2 + rng.normal(0, 0.025 * FINE_PX, 2)).tolist()),
        height=tall,
        max_width=widest,
        colour=(255, 255, 255),
        style=any_pen(rng) if made_up else NumberStyle.sample(rng),
        hand=MadeUpHand.sample(rng, printed=rng.random() < _OF_FONTS) if made_up else None,
    )
    large = np.zeros((_PEN_FINER * side, _PEN_FINER * side), np.uint8)
    paint(large, shapes, (_PEN_FINER, _PEN_FINER))
    return np.asarray(cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _text_mask(rng: Rng, text: str, own: float = 0.4) -> Gray:
    """Digits side by side, one hand for all; so many of our own, the rest printed."""
    drawn = rng.random() < own
    family = -1 if drawn else int(rng.integers(len(fonts())))
    face = int(rng.integers(_OWN_HANDS if drawn else len(fonts()[family])))
    mask = _side_by_side([_digit(family, face, digit) for digit in text], _any_gap(rng))
    mask = np.asarray(cv2.copyMakeBorder(mask, 4, 4, 4, 4, cv2.BORDER_CONSTANT), np.uint8)
    weight = int(rng.integers(-2, 4 if drawn else 6))
    if weight > 0:  # a number squeezed into its carrier has fat uprights
        fat = np.ones((1 + int(rng.integers(weight + 1)), weight + 1), np.uint8)
        mask = np.asarray(cv2.dilate(mask, fat), np.uint8)
    elif weight < 0 and not drawn:
        mask = np.asarray(cv2.erode(mask, np.ones((2, 2), np.uint8)), np.uint8)
    return bent(rng, np.asarray(mask, np.uint8)) if rng.random() < 0.7 else np.asarray(mask, np.uint8)


def _any_gap(rng: Rng) -> int:
    """Broad pens let digits touch, and run into each other where three have to stand on one stone."""
    return int(rng.integers(2, 9) if rng.random() < 0.6 else rng.integers(-8, 2))


def _side_by_side(digits: list[Gray], gap: int) -> Gray:
    starts = np.cumsum([0, *(max(3, digit.shape[1] + gap) for digit in digits)])
    wide = max(int(start) + digit.shape[1] for start, digit in zip(starts, digits, strict=False))
    mask = np.zeros((_DIGIT_PX, wide), np.uint8)
    for start, digit in zip(starts, digits, strict=False):
        part = mask[:, int(start) : int(start) + digit.shape[1]]
        np.maximum(part, digit, out=part)
    return mask


def bent(rng: Rng, mask: Gray) -> Gray:
    """The same strokes a little displaced, as another hand would draw them."""
    height, width = mask.shape
    coarse = rng.normal(0, rng.uniform(0.5, 2.6), (2, 4, 2 + round(3 * width / height))).astype(np.float32)
    off_x, off_y = (cv2.resize(plane, (width, height), interpolation=cv2.INTER_CUBIC) for plane in coarse)
    rows, columns = np.indices(mask.shape, np.float32)
    return np.asarray(cv2.remap(mask, columns + off_x, rows + off_y, cv2.INTER_LINEAR), np.uint8)


@functools.cache
def _digit(family: int, face: int, digit: str) -> Gray:
    """One digit in white on black, `_DIGIT_PX` high; a family below 0 is one of our own hands."""
    canvas = np.zeros((120, 120), np.uint8)
    if family < 0:
        style = NumberStyle.sample(np.random.default_rng((face, 0xD161)))
        shapes = number_shapes(digit, centre=(60, 60), height=66, colour=(255, 255, 255), style=style)
        canvas = rasterise(Drawing(120, 120, shapes), 120)[..., 3]
    else:
        cv2.putText(canvas, digit, (25, 95), (255,), fonts()[family][face], 80)
    rows, columns = np.flatnonzero(canvas.max(1) > 40), np.flatnonzero(canvas.max(0) > 40)
    cut = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    tall = _DIGIT_PX if digit != "+" else round(0.6 * _DIGIT_PX)
    size = (max(4, round(cut.shape[1] * tall / cut.shape[0])), tall)
    above = (_DIGIT_PX - tall) // 2
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.copyMakeBorder(small, above, _DIGIT_PX - tall - above, 0, 0, cv2.BORDER_CONSTANT), np.uint8
    )
