"""Other drawings of the same symbols, made by code from a seed, so that a reader learns the meaning of
a symbol and not our one drawing of it."""

import numpy as np

from vision.virtual.drawing import Drawing
from vision.virtual.food_variants import draw_fish, draw_meat, draw_milk, draw_wheat
from vision.virtual.goods_variants import draw_clay, draw_cowrie, draw_provision, draw_wood
from vision.virtual.nature_variants import draw_arrow, draw_flood, draw_harvest, draw_stone, draw_turtle
from vision.virtual.strokes import BOX, Draw, Rng
from vision.virtual.tablet_variants import (
    draw_barbarian,
    draw_destroy,
    draw_draw,
    draw_draw_pile,
    draw_exhaust,
    is_written,
)
from vision.virtual.worker_variants import WORKER_COLOURS, draw_coloured_worker, draw_worker

VARIANTS: dict[str, Draw] = {
    **{colour: draw_worker(colour) for colour in WORKER_COLOURS},
    "coloured": draw_coloured_worker,
    "clay": draw_clay,
    "wood": draw_wood,
    "provision": draw_provision,
    "cowrie": draw_cowrie,
    "draw": draw_draw,
    "draw-pile": draw_draw_pile,
    "barbarian": draw_barbarian,
    "exhaust": draw_exhaust,
    "destroy": draw_destroy,
    "flood": draw_flood,
    "harvest": draw_harvest,
    "turtle": draw_turtle,
    "stone": draw_stone,
    "meat": draw_meat,
    "fish": draw_fish,
    "wheat": draw_wheat,
    "milk": draw_milk,
    "arrow": draw_arrow,
}


def variant_drawing(kind: str, seed: int) -> Drawing | None:
    """A drawing of `kind` of its own; None for kinds that only have their SVG."""
    draw = VARIANTS.get(kind)
    if draw is None:
        return None
    return Drawing(BOX, BOX, tuple(draw(_rng(seed))))


def is_written_on_tablet(seed: int) -> bool:
    """Whether this drawing of a tag is a tablet across which its number is written."""
    return is_written(_rng(seed))


def _rng(seed: int) -> Rng:
    return np.random.default_rng((seed, 0xA11))
