"""Contact sheets of all our drawings, to be looked at: `python -m vision.virtual.contact_sheet OUT_DIR`."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.anatomy import Anatomy, load_anatomy
from vision.frame import BgrImage
from vision.virtual.board import board_face
from vision.virtual.boardart import load_board_art
from vision.virtual.drawing import BgraImage, blend
from vision.virtual.faces import card_back, card_face
from vision.virtual.glyphs import symbol_glyph
from vision.virtual.invent import invent_card
from vision.virtual.looks import GlyphLook
from vision.virtual.people import SITTERS
from vision.virtual.pictures import picture, picture_by_seed
from vision.virtual.styles import HOUSE_STYLE, FaceStyle
from vision.virtual.svg import SYMBOL_DIR, render_symbol
from vision.virtual.variants import VARIANTS

_SIZES = (16, 24, 48, 128)
_PAPER = (206, 230, 238)
_GRASS = (70, 120, 96)
_TABLE = (60, 48, 84)
_TEXTS = {"draw": "+1", "draw-pile": "+2", "barbarian": "+1", "turtle": "42", "stone": "7", "cards": "10"}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--anatomy", type=Path, help="a game's anatomy.toml: also draws its cards")
    parser.add_argument("--board", type=Path, help="a game's boardart.toml: also draws its board")
    options = parser.parse_args(arguments)
    options.out_dir.mkdir(parents=True, exist_ok=True)

    def save(name: str, image: BgrImage) -> None:
        cv2.imwrite(str(options.out_dir / f"{name}.png"), image)

    save("symbols", symbol_sheet())
    save("variants", variant_sheet())
    save("pictures", picture_sheet())
    if options.anatomy:
        anatomy = load_anatomy(options.anatomy)
        save("cards", card_sheet(anatomy, lambda _: HOUSE_STYLE))
        save("cards-sampled", card_sheet(anatomy, FaceStyle.sample))
    if options.board:
        art = load_board_art(options.board)
        save("board", board_face(art, 2000))
        save("board-sampled", board_face(art, 2000, FaceStyle.sample(1)))


def symbol_sheet() -> BgrImage:
    """Every symbol as drawn, at all sizes, on paper and on grass."""
    names = sorted(path.stem for path in SYMBOL_DIR.glob("*.svg"))
    return np.hstack([_symbols_on(names, ground) for ground in (_PAPER, _GRASS)])


def _symbols_on(names: list[str], ground: tuple[int, int, int]) -> BgrImage:
    columns, cell_w, cell_h = 4, sum(_SIZES) + 12 * len(_SIZES), _SIZES[-1] + 12
    rows = -(-len(names) // columns)
    sheet = np.full((rows * cell_h, columns * cell_w, 3), ground, np.uint8)
    for index, name in enumerate(names):
        x, y = index % columns * cell_w, (index // columns + 0.5) * cell_h
        for size in _SIZES:
            blend(sheet, render_symbol(name, size), (x + size / 2 + 6, y))
            x += size + 12
    return sheet


def variant_sheet(columns: int = 24, size_px: int = 56) -> BgrImage:
    """Each symbol's own line: the SVG first, then sampled looks."""

    def cell(name: str, column: int) -> BgraImage:
        look = GlyphLook() if column == 0 else GlyphLook.sample(column)
        return symbol_glyph(name, size_px, look, _TEXTS.get(name, ""))

    return _grid([[cell(name, column) for column in range(columns)] for name in VARIANTS], _PAPER)


def picture_sheet() -> BgrImage:
    named = [_opaque(picture(name, "portrait", 200, 237)) for name in sorted(SITTERS)]
    others = [_opaque(picture_by_seed(seed, 200, 237)) for seed in range(39)]
    every = named + others
    return _grid([every[i : i + 13] for i in range(0, len(every), 13)], _TABLE)


def card_sheet(anatomy: Anatomy, style: Callable[[int], FaceStyle], height_px: int = 400) -> BgrImage:
    """One row per kind: invented cards, and the back at the end."""
    rows = []
    for card in anatomy.kinds:
        faces = [
            card_face(invent_card(anatomy, card.kind, seed), anatomy, height_px=height_px, style=style(seed))
            for seed in range(8)
        ]
        rows.append([*faces, card_back(card.kind, anatomy, height_px=height_px, style=style(9))])
    return _grid(rows, _TABLE)


def _opaque(image: BgrImage) -> BgraImage:
    return np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])


def _grid(rows: list[list[BgraImage]], ground: tuple[int, int, int], gap: int = 10) -> BgrImage:
    height = max(image.shape[0] for row in rows for image in row) + gap
    width = max(image.shape[1] for row in rows for image in row) + gap
    sheet = np.full((height * len(rows), width * max(len(row) for row in rows), 3), ground, np.uint8)
    for y, row in enumerate(rows):
        for x, image in enumerate(row):
            blend(sheet, image, ((x + 0.5) * width, (y + 0.5) * height))
    return sheet


if __name__ == "__main__":
    main()
