"""People for the cards' pictures, put together from robes, faces, hats and tools in one hand."""

import numpy as np

from vision.virtual.drawing import Rgb, Shape
from vision.virtual.figure import draw_back_hair, draw_hand, draw_head, draw_robe, draw_sleeve
from vision.virtual.hats import HATS
from vision.virtual.sitter import Sitter
from vision.virtual.tools import TOOLS

SITTERS: dict[str, Sitter] = {
    "flute-player": Sitter(
        robe=(216, 168, 52), trim=(196, 48, 40), tool="flute", hat="bun", long_hair=True, pattern="flowers"
    ),
    "elder": Sitter(
        robe=(96, 82, 74),
        trim=(228, 222, 208),
        tool="staff",
        hat="circlet",
        hair=(214, 212, 214),
        beard=True,
        long_hair=True,
    ),
    "basket-carrier": Sitter(robe=(92, 104, 66), trim=(216, 192, 96), tool="backpack", hat="cone"),
    "fan-bearer": Sitter(
        robe=(190, 128, 58), trim=(66, 74, 62), tool="fan", hat="topknot", pattern="stripes"
    ),
    "weaver": Sitter(robe=(122, 62, 104), trim=(236, 206, 190), tool="cloth", hat="pins", pattern="flowers"),
    "potter": Sitter(robe=(74, 112, 128), trim=(190, 120, 76), tool="jar", hat="scarf", broad=1.1),
    "fisher": Sitter(robe=(148, 132, 98), trim=(64, 96, 108), tool="rod", hat="cone", beard=True),
    "drummer": Sitter(
        robe=(58, 76, 110), trim=(206, 74, 44), tool="drum", hat="band", broad=1.12, pattern="stripes"
    ),
    "archer": Sitter(
        robe=(112, 28, 36),
        trim=(214, 96, 44),
        tool="bow",
        hat="cone",
        stern=True,
        long_hair=True,
        pattern="keys",
    ),
    "rider": Sitter(robe=(78, 66, 58), trim=(168, 60, 40), tool="horse", hat="fur", stern=True, beard=True),
    "axeman": Sitter(
        robe=(66, 58, 62), trim=(150, 118, 70), tool="axe", hat="band", stern=True, beard=True, broad=1.25
    ),
    "shield-bearer": Sitter(
        robe=(92, 72, 44), trim=(160, 40, 34), tool="shield", hat="helmet", stern=True, broad=1.1
    ),
    "chieftain": Sitter(
        robe=(44, 42, 48),
        trim=(196, 148, 52),
        tool="banner",
        hat="crest",
        stern=True,
        beard=True,
        broad=1.2,
        pattern="keys",
    ),
}


_PATTERNS = ("none", "flowers", "stripes", "keys", "dots")


def random_sitter(rng: np.random.Generator) -> Sitter:
    def colour(low: int, high: int) -> Rgb:
        red, green, blue = (int(value) for value in rng.integers(low, high, 3))
        return (red, green, blue)

    tone = float(rng.uniform(0.6, 1.08))
    return Sitter(
        robe=colour(30, 230),
        trim=colour(40, 250),
        tool=str(rng.choice(list(TOOLS))),
        hat=str(rng.choice(list(HATS))),
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
    behind, front, left_hand, right_hand = TOOLS[sitter.tool](sitter)
    return [
        *behind,
        *draw_back_hair(sitter),
        *draw_robe(sitter),
        *draw_sleeve(sitter, (37.0, 66.0), left_hand),
        *draw_sleeve(sitter, (79.0, 66.0), right_hand),
        *draw_head(sitter),
        *HATS[sitter.hat](sitter),
        *front,
        *draw_hand(sitter, left_hand),
        *draw_hand(sitter, right_hand),
    ]
