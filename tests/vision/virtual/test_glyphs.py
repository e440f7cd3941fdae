"""A symbol may be printed in many looks, yet stays the same symbol, and its number can be read off it."""

import colorsys

import numpy as np
import pytest

from vision.cards import Item, ItemKind, parse_items
from vision.virtual.digits import DESIGNS, NumberStyle, number_shapes
from vision.virtual.drawing import Drawing, rasterise
from vision.virtual.glyphs import item_glyph, symbol_glyph
from vision.virtual.invent import ITEM_KINDS
from vision.virtual.looks import GlyphLook
from vision.virtual.variants import VARIANTS

HUES = {"red": 0.0, "blue": 200.0, "yellow": 50.0}


@pytest.mark.parametrize("kind", ITEM_KINDS)
def test_every_item_has_other_drawings_than_its_svg(kind: str) -> None:
    house = symbol_glyph(kind, 40, GlyphLook())
    assert kind in VARIANTS
    others = [symbol_glyph(kind, 40, GlyphLook(variant=1, seed=seed)) for seed in range(3)]
    assert all(np.abs(other.astype(int) - house).mean() > 3 for other in others)
    assert np.abs(others[0].astype(int) - others[1]).mean() > 3


@pytest.mark.parametrize("kind", ITEM_KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_a_sampled_look_is_never_empty(kind: str, seed: int) -> None:
    assert (symbol_glyph(kind, 24, GlyphLook.sample(seed))[..., 3] > 128).mean() > 0.08


def test_a_look_is_the_same_for_the_same_seed() -> None:
    assert GlyphLook.sample(5) == GlyphLook.sample(5)
    assert GlyphLook.sample(5) != GlyphLook.sample(6)


@pytest.mark.parametrize("colour", HUES)
def test_workers_keep_their_colour_in_every_look(colour: str) -> None:
    for seed in range(60):
        image = symbol_glyph(colour, 40, GlyphLook.sample(seed))
        solid = image[image[..., 3] > 200][:, :3][:, ::-1] / 255
        lively = [colorsys.rgb_to_hsv(*pixel) for pixel in solid]
        hues = [360 * hue for hue, saturation, value in lively if saturation > 0.45 and value > 0.2]
        away = np.abs((np.array(hues) - HUES[colour] + 180) % 360 - 180)
        assert np.median(away) < 25, seed


def test_a_count_is_written_on_tags_and_repeated_for_tablets() -> None:
    look = GlyphLook()
    one, two = (item_glyph(Item(ItemKind("draw"), count), 40, look) for count in (1, 2))
    assert one.shape == two.shape
    assert np.abs(one.astype(int) - two).max() > 60
    single, pair = (item_glyph(item, 40, look) for item in parse_items("destroy destroy+2"))
    assert pair.shape[1] > 1.5 * single.shape[1]


def test_turtles_with_different_numbers_differ() -> None:
    look = GlyphLook.sample(3)
    images = [item_glyph(item, 32, look) for item in parse_items("turtle#12 turtle#42 turtle#142")]
    assert np.abs(images[0].astype(int) - images[1]).max() > 60
    assert np.abs(images[1].astype(int) - images[2]).max() > 60


@pytest.mark.parametrize("design", range(DESIGNS))
def test_the_ten_digits_of_a_design_all_differ(design: int) -> None:
    def drawn(digit: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        shapes = number_shapes(
            str(digit), centre=(10, 14), height=20, colour=(0, 0, 0), style=NumberStyle(design=design)
        )
        return rasterise(Drawing(20, 28, shapes), 20)[..., 3].astype(int)

    digits = [drawn(digit) for digit in range(10)]
    for first in range(10):
        assert digits[first].sum() > 2000
        for second in range(first):
            assert np.abs(digits[first] - digits[second]).sum() > 2500, (first, second)


def test_wide_numbers_are_squeezed_into_their_place() -> None:
    shapes = number_shapes(
        "199", centre=(0, 0), height=20, colour=(0, 0, 0), style=NumberStyle(), max_width=20
    )
    reach = max(float(np.abs(contour[:, 0]).max()) for shape in shapes for contour in shape.contours)
    assert reach <= 10.5
