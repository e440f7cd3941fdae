"""Every symbol is drawn in the subset of SVG that we render, and can be seen at the smallest size."""

import re
from pathlib import Path

import numpy as np
import pytest

from vision.virtual.drawing import rasterise
from vision.virtual.svg import SYMBOL_DIR, SvgError, load_symbol, parse_path, parse_svg, render_symbol

SYMBOLS = sorted(path.stem for path in SYMBOL_DIR.glob("*.svg"))


def test_all_items_pieces_and_signs_have_a_symbol() -> None:
    wanted = (
        "white red black blue yellow coloured any clay wood provision cowrie draw draw-pile barbarian "
        "exhaust destroy flood harvest turtle stone meat fish wheat milk farm outpost hut barge arrow"
    )
    assert set(wanted.split()) <= set(SYMBOLS)


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_symbol_can_be_seen_at_16_pixels(name: str) -> None:
    image = render_symbol(name, 16)
    assert image.shape == (16, 16, 4)
    assert (image[..., 3] > 128).mean() > 0.12
    assert image[..., :3][image[..., 3] > 128].std() > 10


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_symbol_keeps_inside_its_box(name: str) -> None:
    for shape in load_symbol(name).shapes:
        for contour in shape.contours:
            assert contour.min() - shape.stroke_width / 2 >= -0.5
            assert contour.max() + shape.stroke_width / 2 <= 64.5


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_symbol_says_what_it_means(name: str) -> None:
    text = (SYMBOL_DIR / f"{name}.svg").read_text(encoding="utf-8")
    assert re.search(r"<title>[^<]+</title>", text)


def test_no_two_symbols_look_the_same_at_24_pixels() -> None:
    small = {name: render_symbol(name, 24).astype(float) for name in SYMBOLS}
    for first in SYMBOLS:
        for second in SYMBOLS:
            if first < second:
                assert np.abs(small[first] - small[second]).mean() > 5, (first, second)


def test_relative_and_absolute_paths_mean_the_same() -> None:
    absolute = parse_path("M10 10 L20 10 H30 V20 C30 30 20 30 20 20 Q15 15 10 20 Z")
    relative = parse_path("m10 10 l10 0 h10 v10 c0 10 -10 10 -10 0 q-5 -5 -10 0 z")
    assert len(absolute) == len(relative) == 1
    assert absolute[0][1] is relative[0][1] is True
    np.testing.assert_allclose(absolute[0][0], relative[0][0], atol=1e-4)


def test_transforms_of_groups_are_applied_from_the_inside_out() -> None:
    drawing = parse_svg(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<g transform="translate(10 20) scale(2)">'
        '<rect x="1" y="2" width="3" height="4" fill="#ff0000"/></g></svg>'
    )
    (contour,) = drawing.shapes[0].contours
    assert contour.min(0).tolist() == [12, 24]
    assert contour.max(0).tolist() == [18, 32]


def test_a_filled_square_covers_exactly_its_pixels() -> None:
    square = '<rect x="16" y="16" width="32" height="32" fill="#0000ff"/>'
    image = rasterise(
        parse_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{square}</svg>'), 64
    )
    assert image[20, 20].tolist() == [255, 0, 0, 255]
    assert image[10, 10, 3] == 0
    assert abs(float(image[..., 3].sum()) / 255 - 32 * 32) < 70


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<svg", "well-formed"),
        ('<svg viewBox="0 0 64"/>', "viewBox"),
        ('<svg viewBox="0 0 64 64"><text>a</text></svg>', "outside the subset"),
        ('<svg viewBox="0 0 64 64"><path d="M0 0 L1" fill="none"/></svg>', "needs 2 numbers"),
        ('<svg viewBox="0 0 64 64"><circle r="3" fill="red"/></svg>', "expected a colour"),
        ('<svg viewBox="0 0 64 64"><g transform="skewX(3)"><circle r="3"/></g></svg>', "transform"),
    ],
)
def test_what_we_cannot_render_is_refused_with_its_cause(text: str, cause: str) -> None:
    with pytest.raises(SvgError, match=cause):
        parse_svg(text)


def test_a_missing_symbol_is_named() -> None:
    with pytest.raises(SvgError, match=r"no-such-thing\.svg"):
        load_symbol("no-such-thing")


def test_symbols_are_files_beside_the_code() -> None:
    assert Path(SYMBOL_DIR, "cowrie.svg").is_file()
