"""Lines and windows of cards with the items that stand on them, cut as a reader cuts them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from models.alone import FINE_PX, LOOKS, Grounds, carrier, put, seen, write_label, write_number
from models.photographs import (
    COUNTED,
    DRAWN_PX,
    ITEM_KINDS,
    Photograph,
    Rng,
    Symbol,
    anatomy,
    any_item,
    any_number,
    photograph,
)
from models.pool import Pool
from models.stream import Sample
from vision.anatomy import Along
from vision.cards import CardKind, Item, ItemKind
from vision.cuts import cut_line, cut_window
from vision.frame import BgrImage
from vision.scan import CELL, CELLS, ScanLine, scan_lines
from vision.virtual.looks import GlyphLook

NEAR, FAR = 0.32, 0.46
"""A symbol this near to a place (in its own sizes) is there; farther than the other it is not."""
_OFTEN = ("draw", "draw-pile", "barbarian", "turtle", "provision", "destroy", "exhaust", "black", "wood")


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    """From each photograph two lines in each direction and four windows; four more show one symbol alone."""
    rng = np.random.default_rng((seed, 0x17E))
    pool = Pool(folder)
    grounds = Grounds(pool, rng)
    while True:
        sort = "card" if rng.random() < 0.68 else "collage"
        sheet, kind = pool.pick(rng, sort)
        if kind:
            sheet = replace(sheet, symbols=(*sheet.symbols, *marks_of(CardKind(kind))))
        yield cuts_of(rng, photograph(rng, sheet, gentle=rng.random() < 0.7), kind, grounds)


def marks_of(kind: CardKind) -> tuple[Symbol, ...]:
    """Items that every card of a kind has printed somewhere, besides those of its fields."""
    width = DRAWN_PX * anatomy().ratio
    return tuple(
        Symbol(mark.symbol, 1, None, mark.x * width, mark.y * DRAWN_PX, mark.size * width)
        for mark in anatomy()[kind].marks
        if mark.symbol in ITEM_KINDS
    )


def cuts_of(rng: Rng, shot: Photograph, kind: str, grounds: Grounds) -> Sample:
    lines = scan_lines(anatomy(), CardKind(kind)) if kind else ()
    rows, columns = _pick(rng, lines, Along.RIGHT), _pick(rng, lines, Along.DOWN)
    symbols = [symbol for symbol in shot.symbols if symbol.kind in ITEM_KINDS]
    sample: Sample = {}
    for name, chosen in (("row", rows), ("column", columns)):
        cut = [_line(rng, shot, symbols, line, name == "row") for line in chosen]
        for part, values in zip(("image", "kind", "count", "off"), zip(*cut, strict=True), strict=True):
            sample[f"{name}.{part}"] = np.stack(values)[None]
    windows = [_window(rng, shot, symbols) for _ in range(4)]
    windows += [item_alone(rng, grounds) for _ in range(4)]
    for part, values in zip(("image", "kind", "count", "off"), zip(*windows, strict=True), strict=True):
        sample[f"window.{part}"] = np.stack(values)[None]
    return sample


def _pick(rng: Rng, lines: tuple[ScanLine, ...], along: Along) -> list[ScanLine | None]:
    """Two lines of a card as it will be read; None is a line anywhere."""
    fitting = [line for line in lines if line.along is along]
    picks: list[ScanLine | None] = [
        fitting[int(rng.integers(len(fitting)))] if fitting and rng.random() < 0.85 else None
        for _ in range(2)
    ]
    return picks


Labelled: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _line(rng: Rng, shot: Photograph, symbols: list[Symbol], line: ScanLine | None, row: bool) -> Labelled:
    height, width = shot.card.shape[:2]
    along = Along.RIGHT if row else Along.DOWN
    if line is None:
        size = float(np.mean([s.size for s in symbols])) if symbols else 0.16 * width
        anchor = symbols[int(rng.integers(len(symbols)))] if symbols else None
        x, y = (anchor.x, anchor.y) if anchor else (rng.uniform(0, width), rng.uniform(0, height))
        x, y = (rng.uniform(0, 0.3) * width, y) if row else (x, rng.uniform(0, 0.5) * height)
    else:
        size = line.size * width
        x, y = line.x * width, line.y * height
    x, y = x + rng.normal(0, 0.10) * size, y + rng.normal(0, 0.10) * size
    size *= any_scale(rng)
    image = cut_line(shot.card, x, y, size, along)
    step = CELL * size
    places = [(x + step * k * row, y + step * k * (not row)) for k in range(CELLS)]
    return image, *_labels(symbols, places, size)


def any_scale(rng: Rng) -> float:
    """Symbols may be printed larger than our anatomy says, seldom smaller: then the window is too small."""
    return float(np.exp(rng.uniform(np.log(0.7), np.log(1.15))))


def _window(rng: Rng, shot: Photograph, symbols: list[Symbol]) -> Labelled:
    height, width = shot.card.shape[:2]
    if symbols and rng.random() < 0.85:
        symbol = symbols[int(rng.integers(len(symbols)))]
        size = symbol.size * any_scale(rng)
        spread = 0.08 if rng.random() < 0.7 else 0.3
        x, y = symbol.x + rng.normal(0, spread) * size, symbol.y + rng.normal(0, spread) * size
    else:
        size = rng.uniform(0.13, 0.2) * width
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    image = cut_window(shot.card, x, y, size)
    return image, *_labels(symbols, [(x, y)], size)


def _labels(
    symbols: list[Symbol], places: list[tuple[float, float]], size: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kinds = np.zeros(len(places), np.int64)
    counts = np.full(len(places), -1, np.int64)
    off = np.zeros((2, len(places)), np.float32)
    for index, (x, y) in enumerate(places):
        ways = [((s.x - x) / size, (s.y - y) / size, s) for s in symbols]
        if not ways:
            continue
        dx, dy, symbol = min(ways, key=lambda way: way[0] ** 2 + way[1] ** 2)
        apart = max(abs(dx), abs(dy))
        if apart > FAR:
            continue
        off[:, index] = dx, dy
        kinds[index] = 1 + ITEM_KINDS.index(symbol.kind) if apart < NEAR else -1
        if apart < NEAR and symbol.kind in COUNTED:
            counts[index] = symbol.count - 1
    return kinds, counts, off


def item_alone(rng: Rng, grounds: Grounds) -> Labelled:
    """A symbol, often with a neighbour; those that are easily taken for each other most often."""
    item = any_item(rng) if rng.random() < 0.5 else Item(ItemKind(str(rng.choice(_OFTEN))))
    fine = grounds.any(rng)
    if rng.random() < 0.5:
        _put_item(rng, fine, any_item(rng), _beside(rng))
    count = int(rng.choice([1, 2, 3, 4], p=[0.4, 0.25, 0.2, 0.15])) if item.kind in COUNTED else 1
    _put_item(rng, fine, replace(item, count=count), (0.0, 0.0))
    patch, size = seen(rng, fine, float(np.exp(rng.uniform(np.log(13.5), np.log(31)))))
    middle = patch.shape[0] / 2
    spread = 0.08 if rng.random() < 0.7 else 0.2
    x, y = (middle + rng.normal(0, spread, 2) * size).tolist()
    size *= any_scale(rng)
    symbol = Symbol(item.kind, count, None, middle, middle, size)
    return cut_window(patch, x, y, size), *_labels([symbol], [(x, y)], size)


def _put_item(rng: Rng, fine: BgrImage, item: Item, off: tuple[float, float]) -> None:
    look = int(rng.integers(LOOKS))
    if item.kind in COUNTED and off == (0.0, 0.0) and rng.random() < 0.7:
        put(fine, carrier(item.kind, look), off)
        write_label(rng, fine, f"+{item.count}", item.kind, GlyphLook.sample(look))
    elif item.kind == "turtle" and off == (0.0, 0.0):
        put(fine, carrier(item.kind, look), off)
        write_number(rng, fine, str(any_number(rng)), item.kind)
    else:
        put(fine, carrier(item.kind, look, f"+{item.count}" if item.kind in COUNTED else ""), off)


def _beside(rng: Rng) -> tuple[float, float]:
    way = FINE_PX * float(rng.uniform(0.85, 1.4)) * float(rng.choice([-1, 1]))
    return (way, 0.0) if rng.random() < 0.6 else (0.0, way)
