"""Cards made up, drawn and photographed at random: what the readers of cards are trained and measured on."""

import functools
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.anatomy import PAIR_STEP, Anatomy, load_anatomy, place_fields, symbols_of
from vision.cards import CardFacts, CardField, CardId, CardKind, Item, ItemKind, Source
from vision.frame import BgrImage
from vision.virtual.drawing import BgraImage, blend
from vision.virtual.faces import card_back, card_face
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.looks import HELD_OUT, GlyphLook
from vision.virtual.pictures import picture_by_seed
from vision.virtual.styles import FaceStyle

Rng = np.random.Generator
Floats = NDArray[np.float64]

CARD_PX = 256
"""Height of a rectified card."""
DRAWN_PX = 288
LOOKS = 4_000
"""Looks of each symbol while training."""
STYLES = 50_000_000

ITEM_KINDS = tuple(
    ItemKind(kind)
    for kind in (
        "white", "red", "black", "blue", "yellow", "coloured", "any", "wood", "clay", "provision", "cowrie",
        "draw", "draw-pile", "barbarian", "exhaust", "destroy", "flood", "harvest", "turtle",
        "meat", "fish", "wheat", "milk",
    )
)  # fmt: skip
_SELDOM = frozenset({"coloured", "any", "draw-pile", "barbarian", "exhaust", "flood", "harvest"})
_SHARES = np.array([0.35 if kind in _SELDOM else 1.0 for kind in ITEM_KINDS])
_SHARES /= _SHARES.sum()
"""How often items are printed: a reader in doubt should believe in the usual ones."""
FOODS = ITEM_KINDS[-4:]
WORKERS = ITEM_KINDS[:5]
COUNTED = ("draw", "draw-pile", "barbarian")
SIGNS = (
    "arrow", "slash", "plus", "equals", "stone", "shuffle", "each", "cards", "farm",
    "outpost", "hut", "barge",
)  # fmt: skip
"""Printed symbols that are no items."""
_LOPSIDED = frozenset({"draw", "draw-pile", "barbarian", "turtle", "harvest"})
"""Symbols that are never printed mirrored: they carry a number, or would be another sign."""
_PICTURES = (
    "flute-player", "elder", "basket-carrier", "fan-bearer", "potter",
    "weaver", "fisher", "drummer", "archer", "spearman",
)  # fmt: skip
_ANATOMY = Path(__file__).parents[1] / "assistant" / "games" / "yu" / "anatomy.toml"


@functools.cache
def anatomy() -> Anatomy:
    return load_anatomy(_ANATOMY)


@dataclass(frozen=True, slots=True)
class Symbol:
    """One printed symbol on a sheet: what, where its middle is, and how wide, in pixels of the sheet."""

    kind: str
    count: int
    number: int | None
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A drawn card, or glyphs on any ground, and the truth about it."""

    image: BgraImage
    symbols: tuple[Symbol, ...]
    facts: CardFacts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Photograph:
    """A sheet after a camera has seen it, rectified as well as one could find its corners."""

    card: BgrImage
    symbols: tuple[Symbol, ...]
    facts: CardFacts | None
    frame: BgrImage = field(repr=False)
    quad: Floats
    """The sheet's true corners in the frame."""


# --- facts -------------------------------------------------------------------------------------------


def invent_facts(rng: Rng, kind: str | None = None) -> CardFacts:
    """A card with any item in any field, the usual ones more often."""
    kind = kind or str(rng.choice(["townsfolk", "barbarian", "canal", "hut"], p=[0.45, 0.25, 0.25, 0.05]))
    makers = {
        "townsfolk": lambda: {
            "brown": _some(rng, [1, 2, 3], [0.6, 0.36, 0.04]),
            "red": _some(rng, [1, 2], [0.95, 0.05]),
            "food": (Item(ItemKind(str(rng.choice(FOODS)))),),
            "harvest": _some(rng, [1, 2], [0.5, 0.5]),
        },
        "barbarian": lambda: {
            "cost": tuple(Item(ItemKind(str(rng.choice(ITEM_KINDS[:7])))) for _ in range(3)),
            "reward": _some(rng, [1, 2, 3], [0.3, 0.4, 0.3]),
            "damage": (Item(ItemKind("destroy"), 1 + int(rng.random() < 0.2)),),
            "bribe": _some(rng, [0, 1, 2], [0.15, 0.5, 0.35]),
        },
        "canal": lambda: {
            "cost": tuple(Item(ItemKind(str(rng.choice(ITEM_KINDS[:7])))) for _ in range(rng.integers(1, 6)))
            + (Item(ItemKind("cowrie")),) * int(rng.integers(0, 5)),
            "effects": _some(rng, [1, 2, 3], [0.2, 0.4, 0.4]),
        },
    }
    fields = makers.get(kind, lambda: {"effects": _some(rng, [1, 2, 3], [0.3, 0.4, 0.3])})()
    return CardFacts(
        id=CardId(f"made-up-{rng.integers(1 << 30)}"),
        kind=CardKind(kind),
        fields=tuple(
            CardField(name=name, items=items, source=Source.INVENTED) for name, items in fields.items()
        ),
        stone=any_number(rng),
        picture=str(rng.choice(_PICTURES)),
    )


def any_number(rng: Rng) -> int:
    """Short and long numbers alike often, and the 0 of the starting cards more than that."""
    spans = ((0, 1), (0, 10), (10, 100), (100, 200))
    low, high = spans[int(rng.choice(4, p=[0.15, 0.2, 0.4, 0.25]))]
    return int(rng.integers(low, high))


def any_item(rng: Rng) -> Item:
    kind = ItemKind(str(rng.choice(ITEM_KINDS, p=_SHARES)))
    if kind in COUNTED:
        return Item(kind, int(rng.choice([1, 2, 3, 4], p=[0.4, 0.3, 0.18, 0.12])))
    if kind == "turtle":
        return Item(kind, number=any_number(rng))
    return Item(kind, 2 if kind in ("destroy", "exhaust") and rng.random() < 0.3 else 1)


def _some(rng: Rng, counts: list[int], p: list[float]) -> tuple[Item, ...]:
    return tuple(any_item(rng) for _ in range(int(rng.choice(counts, p=p))))


# --- drawing -----------------------------------------------------------------------------------------


def any_style(rng: Rng, *, held_out: bool = False) -> FaceStyle:
    return FaceStyle.sample(int(rng.integers(STYLES)) + (HELD_OUT if held_out else 0), glyph_pool=LOOKS)


def any_look(rng: Rng, *, held_out: bool = False) -> GlyphLook:
    return GlyphLook.sample(int(rng.integers(LOOKS)) + (HELD_OUT if held_out else 0))


def draw_card(facts: CardFacts, style: FaceStyle) -> Sheet:
    image = card_face(facts, anatomy(), height_px=DRAWN_PX, style=style)
    return Sheet(image=image, symbols=card_symbols(facts, style), facts=facts)


def card_symbols(facts: CardFacts, style: FaceStyle) -> tuple[Symbol, ...]:
    """Every symbol of a drawn card, pairs as two; the stone is one too."""
    width = round(DRAWN_PX * anatomy().ratio)
    dx, dy = style.field_shift
    symbols = []
    for placed in place_fields(anatomy(), facts):
        for item, slot in placed.slots:
            many = symbols_of(item)
            for index in range(many):
                x = slot.x + dx + (index - (many - 1) / 2) * PAIR_STEP * slot.size * style.glyph_scale
                count = 1 if many > 1 else item.count
                at = (x * width, (slot.y + dy) * DRAWN_PX, slot.size * width)
                symbols.append(Symbol(item.kind, count, item.number, *at))
    stone = anatomy()[facts.kind].stone
    if stone is not None:
        at = ((stone.x + dx) * width, (stone.y + dy) * DRAWN_PX, 2 * stone.radius * width)
        symbols.append(Symbol("stone", 1, facts.stone, *at))
    return tuple(symbols)


def draw_back(kind: str, style: FaceStyle) -> Sheet:
    return Sheet(image=card_back(CardKind(kind), anatomy(), height_px=DRAWN_PX, style=style), symbols=())


def draw_collage(rng: Rng, style: FaceStyle, *, numbers: bool = False, held_out: bool = False) -> Sheet:
    """Symbols anyhow on any ground: the same symbol must be known wherever it stands."""
    width = round(DRAWN_PX * anatomy().ratio)
    canvas = any_ground(rng, width, DRAWN_PX, style)
    symbols: list[Symbol] = []
    size = int(rng.integers(24, 38))
    y = float(rng.uniform(0.5, 0.9)) * size
    while y < DRAWN_PX - 0.4 * size:
        x = float(rng.uniform(0.4, 1.2)) * size
        while x < width - 0.4 * size:
            if rng.random() < 0.85:
                symbols += _put_anything(rng, canvas, x, y, size, numbers, held_out)
            x += float(rng.uniform(0.9, 1.6)) * size
        y += float(rng.uniform(1.0, 1.5)) * size
    alpha = np.full((*canvas.shape[:2], 1), 255, np.uint8)
    return Sheet(image=np.dstack([canvas, alpha]), symbols=tuple(symbols))


def _put_anything(
    rng: Rng, canvas: BgrImage, x: float, y: float, size: int, numbers: bool, held_out: bool
) -> list[Symbol]:
    look = any_look(rng, held_out=held_out)
    width = 2 * round(size * float(rng.uniform(0.85, 1.12)) / 2)
    if numbers:
        kind = str(rng.choice(["stone", "turtle"]))
        number = any_number(rng) if rng.random() < 0.95 else None
        image = symbol_glyph(kind, width, look, "" if number is None else str(number))
        blend(canvas, image, (x, y))
        return [Symbol(kind, 1, number, x, y, size)]
    if rng.random() < 0.12:
        sign = str(rng.choice(SIGNS))
        blend(canvas, _any_pose(rng, sign, symbol_glyph(sign, width, look)), (x, y))
        return []
    item = replace(any_item(rng), count=1) if rng.random() < 0.6 else any_item(rng)
    if item.kind in ("destroy", "exhaust"):
        item = replace(item, count=1)
    blend(canvas, _any_pose(rng, item.kind, item_glyph(item, width, look)), (x, y))
    return [Symbol(item.kind, item.count, item.number, x, y, size)]


def _any_pose(rng: Rng, kind: str, image: BgraImage) -> BgraImage:
    if kind not in _LOPSIDED and rng.random() < 0.35:
        image = np.ascontiguousarray(image[:, ::-1])
    if rng.random() < 0.4:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 9)), 1.0)
        image = cv2.warpAffine(image, turn, (width, height)).astype(np.uint8)
    return image


def any_ground(rng: Rng, width: int, height: int, style: FaceStyle) -> BgrImage:
    """What symbols may stand on: paper, wood, cloth, plain colours, noise, pictures."""
    choice = rng.random()
    if choice < 0.25:
        return picture_by_seed(int(rng.integers(300)), width, height, style.picture).copy()
    if choice < 0.7:
        colour = (style.paper, style.paper, style.wood, style.cloth)[int(rng.integers(4))][::-1]
    else:
        red, green, blue = (int(c) for c in rng.integers(0, 256, 3))
        colour = (red, green, blue)
    ground = np.full((height, width, 3), colour, np.float32)
    coarse = rng.normal(0, 1, (int(rng.integers(2, 40)), int(rng.integers(2, 30)))).astype(np.float32)
    waves = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    ground += waves * float(rng.choice([4, 12, 40], p=[0.5, 0.3, 0.2]))
    return np.clip(ground, 0, 255).astype(np.uint8)


# --- the camera --------------------------------------------------------------------------------------


def photograph(
    rng: Rng,
    sheet: Sheet,
    *,
    jitter: float = 0.012,
    ground: BgrImage | None = None,
    gentle: bool = False,
    least_px: float | None = None,
) -> Photograph:
    """The sheet through a webcam or a telephone, then rectified with corners that are a little off.

    A card is seen at least `least_px` high; if nobody says, 150 pixels by a good camera, 100 by any.
    """
    least_px = least_px or (150 if gentle else 100)
    height_px = float(np.exp(rng.uniform(np.log(least_px), np.log(270))))
    quad, size = _any_quad(rng, height_px)
    frame = _laid(rng, sheet.image, quad, size, ground)
    frame = develop(rng, frame, gentle=gentle, sharp=min(1.0, height_px / 190))
    off = rng.normal(0, jitter * height_px, (4, 2)) * 0.5 + rng.normal(0, jitter * height_px * 0.7, 2)
    card, to_card = rectified(frame, quad + off)
    corners = _corners(sheet.image.shape[1], sheet.image.shape[0])
    whole = to_card @ cv2.getPerspectiveTransform(corners.astype(np.float32), quad.astype(np.float32))
    return Photograph(
        card=card, symbols=_moved(sheet.symbols, whole), facts=sheet.facts, frame=frame, quad=quad
    )


def rectified(frame: BgrImage, quad: Floats) -> tuple[BgrImage, Floats]:
    """The quadrilateral as an upright card, and the way from the frame's pixels to the card's."""
    width = round(CARD_PX * anatomy().ratio)
    to_card = cv2.getPerspectiveTransform(
        quad.astype(np.float32), _corners(width, CARD_PX).astype(np.float32)
    )
    card = cv2.warpPerspective(
        frame, to_card, (width, CARD_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(card, np.uint8), np.asarray(to_card)


def _corners(width: float, height: float) -> Floats:
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)


def _moved(symbols: tuple[Symbol, ...], whole: Floats) -> tuple[Symbol, ...]:
    if not symbols:
        return ()
    at = np.array([[(s.x, s.y)] for s in symbols], np.float64)
    to = cv2.perspectiveTransform(at, whole)[:, 0]
    scale = CARD_PX / DRAWN_PX
    return tuple(
        replace(s, x=float(x), y=float(y), size=s.size * scale) for s, (x, y) in zip(symbols, to, strict=True)
    )


def _any_quad(rng: Rng, height_px: float) -> tuple[Floats, tuple[int, int]]:
    width_px = height_px * anatomy().ratio
    lean = float(rng.uniform(0.68, 1.0)) if rng.random() < 0.6 else 1.0
    quad = (_corners(1, 1) - 0.5) * (width_px, height_px * lean)
    quad[:, 0] *= 1 + float(rng.normal(0, 0.04)) * np.sign(quad[:, 1])
    quad[:, 1] *= 1 + float(rng.normal(0, 0.03)) * np.sign(quad[:, 0])
    quad[:, 0] += quad[:, 1] * float(rng.normal(0, 0.12))
    angle = np.radians(rng.normal(0, 30) if rng.random() < 0.15 else rng.normal(0, 6))
    quad = quad @ np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    margin = 0.14 * height_px
    low = quad.min(0) - margin
    size = np.ceil(quad.max(0) + margin - low).astype(int)
    return quad - low, (int(size[0]), int(size[1]))


def _laid(
    rng: Rng, image: BgraImage, quad: Floats, size: tuple[int, int], ground: BgrImage | None
) -> BgrImage:
    height, width = image.shape[:2]
    longest = max(np.linalg.norm(quad[1] - quad[0]) / width, np.linalg.norm(quad[3] - quad[0]) / height)
    if longest < 0.8:
        scale = 1.1 * longest
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        image = np.asarray(small, np.uint8)
        height, width = image.shape[:2]
    to_frame = cv2.getPerspectiveTransform(
        _corners(width, height).astype(np.float32), quad.astype(np.float32)
    )
    colour = cv2.warpPerspective(
        np.ascontiguousarray(image[..., :3]), to_frame, size, borderMode=cv2.BORDER_REPLICATE
    )
    alpha = cv2.warpPerspective(np.ascontiguousarray(image[..., 3]), to_frame, size)
    below = any_ground(rng, *size, FaceStyle()) if ground is None else cv2.resize(ground, size)
    if rng.random() < 0.5:  # the card's shadow
        shift = rng.normal(0, 3, 2)
        move = np.array([(1, 0, shift[0]), (0, 1, shift[1])])
        shadow = cv2.GaussianBlur(cv2.warpAffine(alpha, move, size), (0, 0), float(rng.uniform(0.8, 4)))
        below = (below * (1 - 0.6 * (shadow / 255.0))[..., None]).astype(np.uint8)
    share = cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR)
    over = cv2.multiply(colour, share, scale=1 / 255)
    return np.asarray(cv2.add(over, cv2.multiply(below, cv2.bitwise_not(share), scale=1 / 255)), np.uint8)


def webcam(rng: Rng, frame: BgrImage) -> BgrImage:
    """Light, lens, sensor and JPEG as the virtual table has them: soft, noise smoothed, never sharpened."""
    image: NDArray[Any] = cv2.GaussianBlur(_lit(rng, frame, 0.6), (0, 0), float(rng.uniform(0.3, 1.15)))
    grain = cv2.GaussianBlur(_noise(rng, image.shape), (0, 0), 0.55)
    image = cv2.scaleAdd(grain, float(rng.uniform(0.6, 5.0)) / max(float(grain.std()), 1e-6), image)
    small = cv2.convertScaleAbs(np.maximum(image, 0))
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 97))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def develop(rng: Rng, frame: BgrImage, *, gentle: bool = False, sharp: float = 1.0) -> BgrImage:
    """Light, lens, sensor and JPEG; `gentle` is a good webcam in a lit room, `sharp` scales all blur."""
    image: NDArray[Any] = _lit(rng, frame, 0.5 if gentle else 1.0)
    image = cv2.GaussianBlur(image, (0, 0), sharp * float(rng.uniform(0.25, 0.8 if gentle else 1.25)))
    if not gentle and rng.random() < 0.12:
        image = _smeared(rng, image)
    if rng.random() < 0.45:  # telephones and webcams sharpen
        soft = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.8, 2.0)))
        amount = float(rng.uniform(0.3, 1.6))
        image = cv2.addWeighted(image, 1 + amount, soft, -amount, 0)
    image = cv2.scaleAdd(_noise(rng, image.shape), float(rng.uniform(0.3, 4.0 if gentle else 7.0)), image)
    small: NDArray[Any] = cv2.convertScaleAbs(np.maximum(image, 0))
    if rng.random() < 0.88:
        quality = int(rng.integers(70 if gentle else 45, 97))
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
        small = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return np.asarray(small, np.uint8)


@functools.cache
def _noise_bank() -> NDArray[np.float32]:
    return np.random.default_rng(7).standard_normal(1 << 22, dtype=np.float32)


def _noise(rng: Rng, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Noise cut from one long tape: drawing it anew would cost more than all the rest."""
    bank, size = _noise_bank(), int(np.prod(shape))
    start = int(rng.integers(len(bank) - size))
    return bank[start : start + size].reshape(shape)


def _lit(rng: Rng, frame: BgrImage, strength: float) -> NDArray[np.float32]:
    """Level, white balance and saturation as one matrix, gamma and haze as one curve, then light, glare."""
    height, width = frame.shape[:2]
    level = float(rng.uniform(1 - 0.45 * strength, 1 + 0.15 * strength))
    warm = float(rng.normal(0, 0.07 * strength))
    white = rng.normal(1, 0.05 * strength, 3) * (1 - warm, 1, 1 + warm) * level
    vivid = float(rng.uniform(1 - 0.4 * strength, 1 + 0.25 * strength))
    mixing = (np.eye(3) * vivid + (1 - vivid) / 3) * white
    curve = np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.2 * strength))
    if rng.random() < 0.3:  # telephones like contrast
        curve = curve + rng.uniform(0, 0.8) * (curve**2 * (3 - 2 * curve) - curve)
    if rng.random() < 0.25:  # a sleeve, or light straight into the lens
        curve = curve + (1 - curve) * rng.uniform(0, 0.2 * strength)
    image = cv2.LUT(cv2.transform(frame, mixing), np.rint(255 * curve).astype(np.uint8)).astype(np.float32)
    y, x = np.mgrid[-0.5:0.5:16j, -0.5:0.5:16j].astype(np.float32)
    slope = rng.normal(0, 0.22 * strength, 2)
    light = (1 + slope[0] * x + slope[1] * y).astype(np.float32)
    image *= cv2.resize(light, (width, height))[..., None]
    if rng.random() < 0.25:
        cx, cy, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.08, 0.5)
        spot = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * r * r)) * rng.uniform(0.1, 0.6 * strength)
        image += (255 - image) * cv2.resize(spot.astype(np.float32), (width, height))[..., None]
    return np.asarray(image, np.float32)


def _smeared(rng: Rng, image: NDArray[Any]) -> NDArray[Any]:
    length = int(rng.integers(2, 5))
    kernel = np.zeros((7, 7), np.float32)
    angle = rng.uniform(0, np.pi)
    way = np.array((np.cos(angle), np.sin(angle))) * length / 2
    start, end = np.rint(3 - way).astype(int), np.rint(3 + way).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()))
