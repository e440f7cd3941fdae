"""Free fonts of Debian's packages: digits that training prints, and the strokes that they were made of.

The middle lines of a printed digit are strokes that a pen can follow, in more hands than anybody here wrote.
"""

import functools
import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.virtual.digits import BODY_HEIGHT, BODY_WIDTH, Strokes

_FONTS = Path(os.environ.get("FONTS", "/usr/share/fonts"))
"""Where Debian's packages put them, or wherever they were unpacked."""
FONT_PACKAGES = (
    *("averia-sans-gwf", "averia-serif-gwf", "bebas-neue", "cabin", "cabinsketch", "cantarell", "comic-neue"),
    *("courier-prime", "crosextra-caladea", "crosextra-carlito", "dancingscript", "dejavu", "dosis"),
    *("goudybookletter", "humor-sans", "inter", "junction", "kristi", "lato", "league-spartan", "liberation"),
    *("lobster", "lobstertwo", "open-sans", "prociono", "quattrocento", "roboto-slab", "sil-andika"),
    *("sil-gentium-basic", "vollkorn", "yanone-kaffeesatz"),
    *("comfortaa", "ebgaramond", "ecolier-court", "jura", "karla", "ocr-b", "okolaks", "oxygen", "play"),
    *("sora", "tuffy"),
)
"""Debian's, each called fonts-…: under the Open Font, Apache or Bitstream Vera licence, or public domain."""
_FAMILIES = (
    *(
        "andika",
        "averia-gwf",
        "bebas-neue",
        "cabin",
        "cabinsketch",
        "cantarell",
        "comic-neue",
        "courier-prime",
    ),
    *(
        "crosextra",
        "dancingscript",
        "dejavu",
        "dosis",
        "fonts-prociono",
        "gentium-basic",
        "humor-sans",
        "inter",
    ),
    *("junction", "kristi", "lato", "league-spartan", "liberation", "lobster", "lobstertwo", "open-sans"),
    *("quattrocento", "slab", "sortsmill", "vollkorn", "yanone-kaffeesatz"),
    *("comfortaa", "ebgaramond", "ecolier-court", "jura", "karla", "ocr-b", "okolaks", "oxygen", "play"),
    *("sora", "tuffy"),
)
"""The folders that these packages fill."""
_TOO_THIN = ("thin", "hairline", "light")
_TALL_PX = 84
"""Height of a digit when its middle lines are looked for."""
_SHORTEST = 0.4
"""A side branch shorter than this share of the stroke's width comes from a corner or a serif."""
_MOST_LINES = 5


@functools.cache
def fonts() -> tuple[tuple["cv2.FontFace", ...], ...]:
    """All printed fonts by family, without the thinnest."""
    families: dict[str, list[Path]] = {}
    for path in sorted(_FONTS.rglob("*.[to]tf")):
        if path.parent.name in _FAMILIES and not any(thin in path.name.lower() for thin in _TOO_THIN):
            families.setdefault(path.parent.name, []).append(path)
    if missing := set(_FAMILIES) - set(families):
        raise SystemExit(
            f"expected Debian's font packages {FONT_PACKAGES}; nothing of {sorted(missing)} is here"
        )
    return tuple(tuple(cv2.FontFace(str(path)) for path in paths) for _, paths in sorted(families.items()))


@functools.cache
def font_strokes(family: int, face: int, digit: str) -> Strokes:
    """The middle lines of a printed digit, in the box that our own hands write in."""
    canvas = np.zeros((200, 200), np.uint8)
    cv2.putText(canvas, digit, (50, 150), (255,), fonts()[family][face], 110)
    return strokes_of(canvas)


def strokes_of(canvas: NDArray[np.uint8]) -> Strokes:
    """The middle lines of one sign in white on black."""
    rows, columns = np.flatnonzero(canvas.max(1) > 127), np.flatnonzero(canvas.max(0) > 127)
    cut = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = _TALL_PX / cut.shape[0]
    ink = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) > 127
    ink = np.pad(ink, 2)
    broad = 2 * float(cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 5).max())
    lines = _traced(_thinned(ink), _SHORTEST * broad)
    low = np.vstack([line for line, _ in lines]).min(0)
    high = np.vstack([line for line, _ in lines]).max(0)
    unit = np.array((1.0, 1.0)) * BODY_HEIGHT / max(1.0, float(high[1] - low[1]))
    unit[0] = min(unit[0], BODY_WIDTH / max(1.0, float(high[0] - low[0])))
    scaled = [(((line - low) * unit).astype(np.float32), closed) for line, closed in lines]
    strokes = [(cv2.approxPolyDP(line[:, None], 0.12, closed)[:, 0], closed) for line, closed in scaled]
    return tuple((line, closed) for line, closed in strokes if len(line) > (2 if closed else 1))


@functools.cache
def has_strokes(family: int, face: int) -> bool:
    """Whether its digits are strokes: sketched, broken or struck-through ones fall into pieces."""
    return len(font_strokes(family, face, "0")) == 1 and len(font_strokes(family, face, "5")) <= _MOST_LINES


def _thinned(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Lines of one pixel, after Zhang and Suen."""
    ink = ink.copy()
    while True:
        before = ink.copy()
        for first in (True, False):
            around = _around(ink)
            n, e, s, w = around[0], around[2], around[4], around[6]
            many = around.sum(0)
            turns = (~around & np.roll(around, -1, axis=0)).sum(0)
            ends = ~(n & e & s) & ~(e & s & w) if first else ~(n & e & w) & ~(n & s & w)
            ink &= ~((many >= 2) & (many <= 6) & (turns == 1) & ends)
        if (before == ink).all():
            return ink


def _around(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The eight neighbours of each pixel, clockwise from above."""
    return np.stack([np.roll(ink, (-dy, -dx), (0, 1)) for dx, dy in _WAYS])


_WAYS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def _traced(thin: NDArray[np.bool_], shortest: float) -> list[tuple[NDArray[np.float64], bool]]:
    """Lines from crossing to crossing or to an end, without side branches shorter than so many pixels."""
    left = {(int(x), int(y)): set[tuple[int, int]]() for y, x in np.argwhere(thin)}
    for x, y in left:
        straight = {(x + dx, y + dy) for dx, dy in _WAYS[::2]} & left.keys()
        slanted = {(x + dx, y + dy) for dx, dy in _WAYS[1::2]} & left.keys()
        # a step aside and one ahead says the same as the slanted one
        slanted = {(a, b) for a, b in slanted if (a, y) not in straight and (x, b) not in straight}
        left[x, y] = straight | slanted
    lines: list[tuple[NDArray[np.float64], bool]] = []
    nodes = [at for at, near in left.items() if len(near) != 2]
    for start in [*nodes, *left]:
        while left[start]:
            line, at = [start], start
            while left[at]:
                following = min(left[at])
                left[at].discard(following)
                left[following].discard(at)
                line.append(following)
                at = following
                if at in nodes or at == start:
                    break
            lines.append((np.array(line, float), line[0] == line[-1]))
    ends = {at for at in nodes if _degree(at, lines) == 1}
    kept = [
        (line, closed)
        for line, closed in lines
        if closed or len(line) > shortest or not {tuple(line[0]), tuple(line[-1])} & ends or len(lines) == 1
    ]
    return kept or lines


def _degree(at: tuple[int, int], lines: list[tuple[NDArray[np.float64], bool]]) -> int:
    return sum((tuple(line[0]) == at) + (tuple(line[-1]) == at) for line, _ in lines)
