"""The sheets to print: four markers to lay at the board's corners, a ruler, a QR code; lens and labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
import segno

from calibration.codes import CardCode, SheetCode
from calibration.paper import Box, Drawing, Sheet, Stroke, Words
from calibration.paper_picture import picture_of
from vision.frame import BgrImage
from vision.pose import Points
from vision.table import Rect

MARKER_MM: Final = 40.0
EDGE_MM: Final = 6.0
"""White between a marker and the edges of its paper that touch the board's."""
OUTER_MM: Final = 14.0
CARD_MM: Final = EDGE_MM + MARKER_MM + OUTER_MM
RULER_MM: Final = 100
CORNERS: Final = ("top-left", "top-right", "bottom-right", "bottom-left")
"""By the number of the marker."""

LENS_SQUARES: Final = (7, 9)
LENS_SQUARE_MM: Final = 25.0
LENS_MARKER_MM: Final = 18.0
LENS_FIRST_ID: Final = 10
_LABEL_MM = 18.0
"""Read from 46 pixels on: by a camera that shows the board about 1600 pixels wide."""


class Paper(Enum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size_mm(self) -> tuple[float, float]:
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetText:
    """The words on the sheets, in the player's language."""

    title: str
    how: Sequence[str]
    corners: Mapping[str, str]
    """By the names in CORNERS."""
    ruler: str
    code: str
    lens: Sequence[str]
    labels: str


def marker_sheet(paper: Paper, game: str, text: SheetText) -> Sheet:
    width, height = paper.size_mm
    left = (width - 2 * CARD_MM - 10) / 2
    top = 52.0
    drawings: list[Drawing] = [Words(x=left, y=20, text=text.title, height=7, bold=True)]
    drawings += [Words(x=left, y=28 + 5 * row, text=line, height=3.5) for row, line in enumerate(text.how)]
    for number, corner in enumerate(CORNERS):
        right, low = corner.endswith("right"), corner.startswith("bottom")
        x, y = left + (CARD_MM + 10) * right, top + (CARD_MM + 10) * low
        drawings += _corner_card(number, corner, x, y, text.corners[corner])
    below = top + 2 * CARD_MM + 10 + 12
    drawings += _ruler(left, below, text.ruler)
    code = SheetCode(kind="markers", marker_mm=round(MARKER_MM), game=game)
    drawings += _qr(str(code), left + 2 * CARD_MM + 10 - 24, below + 22, 24)
    drawings.append(Words(x=left, y=below + 20, text=text.code, height=3))
    drawings += _plan(left + 14, below + 25)
    return Sheet(width_mm=width, height_mm=height, drawings=tuple(drawings))


def lens_sheet(paper: Paper, game: str, text: SheetText) -> Sheet:
    """A chessboard with markers (ChArUco), for lenses that bend straight lines a lot."""
    width, height = paper.size_mm
    columns, rows = LENS_SQUARES
    left, top = (width - columns * LENS_SQUARE_MM) / 2, 30.0
    drawings: list[Drawing] = [
        Words(x=left, y=13 + 5 * row, text=line, height=4 if row == 0 else 3.4, bold=row == 0)
        for row, line in enumerate(text.lens)
    ]
    board = lens_board()
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * LENS_SQUARE_MM, top + row * LENS_SQUARE_MM
            if (row + column) % 2 == 0:
                drawings.append(Box(x=x, y=y, width=LENS_SQUARE_MM, height=LENS_SQUARE_MM))
    for number, corners in zip(np.asarray(board.getIds()).ravel(), board.getObjPoints(), strict=True):
        drawings += _marker(
            int(number), left + float(corners[0][0]), top + float(corners[0][1]), LENS_MARKER_MM
        )
    code = SheetCode(kind="lens", marker_mm=round(LENS_MARKER_MM), game=game)
    drawings += _qr(str(code), width - left - 18, top + rows * LENS_SQUARE_MM + 4, 18)
    return Sheet(width_mm=width, height_mm=height, drawings=tuple(drawings))


def label_sheets(paper: Paper, game: str, cards: Sequence[str], text: SheetText) -> Iterator[Sheet]:
    """Labels for sleeves: the last resort for cards that no camera can tell apart."""
    width, height = paper.size_mm
    across, down = int((width - 24) / (_LABEL_MM + 8)), int((height - 40) / (_LABEL_MM + 7))
    for start in range(0, len(cards), across * down):
        drawings: list[Drawing] = [Words(x=12, y=16, text=text.labels, height=4, bold=True)]
        for index, card in enumerate(cards[start : start + across * down]):
            x, y = 12 + (index % across) * (_LABEL_MM + 8), 24 + (index // across) * (_LABEL_MM + 7)
            drawings += _qr(str(CardCode(game=game, card=card)), x + 4, y, _LABEL_MM)
            name = card if len(card) <= 16 else f"{card[:15]}…"
            drawings.append(
                Words(x=x + 4 + _LABEL_MM / 2, y=y + _LABEL_MM + 2.6, text=name, height=2.2, centred=True)
            )
        yield Sheet(width_mm=width, height_mm=height, drawings=tuple(drawings))


def lens_board() -> "cv2.aruco.CharucoBoard":
    """The chessboard of the lens sheet, in millimetres."""
    columns, rows = LENS_SQUARES
    ids = np.arange(LENS_FIRST_ID, LENS_FIRST_ID + columns * rows // 2, dtype=np.int32)
    return cv2.aruco.CharucoBoard(LENS_SQUARES, LENS_SQUARE_MM, LENS_MARKER_MM, _dictionary(), ids)


def marker_places(board: Rect, unit_mm: float) -> dict[int, Points]:
    """Where the markers' corners are in board units if each lies at its corner and the unit is so long.

    Each paper lies beside the board: one edge along the board's side, another flush with the board's end.
    """
    edge, side = EDGE_MM / unit_mm, MARKER_MM / unit_mm
    places = {}
    for number, corner in enumerate(CORNERS):
        x0 = board.x1 + edge if corner.endswith("right") else board.x0 - edge - side
        y0 = board.y1 - edge - side if corner.startswith("bottom") else board.y0 + edge
        places[number] = np.array([(x0, y0), (x0 + side, y0), (x0 + side, y0 + side), (x0, y0 + side)])
    return places


def paper_place(number: int, board: Rect, unit_mm: float) -> Rect:
    """What the paper of one marker covers, in board units."""
    corner, side = CORNERS[number], CARD_MM / unit_mm
    x0 = board.x1 if corner.endswith("right") else board.x0 - side
    y0 = board.y1 - side if corner.startswith("bottom") else board.y0
    return Rect(x0, y0, x0 + side, y0 + side)


def marker_bits(number: int) -> tuple[tuple[bool, ...], ...]:
    """The six by six cells of a marker; True is white."""
    cells = cv2.aruco.generateImageMarker(_dictionary(), number, 6)
    return tuple(tuple(bool(cell > 127) for cell in row) for row in cells)


def _dictionary() -> "cv2.aruco.Dictionary":
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _marker(number: int, x: float, y: float, size: float) -> Iterator[Drawing]:
    """One black box with white cells in it: no hair lines between black cells."""
    yield Box(x=x, y=y, width=size, height=size)
    cell = size / 6
    for row, cells in enumerate(marker_bits(number)):
        start = None
        for column, white in enumerate((*cells, False)):
            if white and start is None:
                start = column
            elif not white and start is not None:
                yield Box(
                    x=x + start * cell, y=y + row * cell, width=(column - start) * cell, height=cell, grey=1.0
                )
                start = None


def _corner_card(number: int, corner: str, x: float, y: float, name: str) -> Iterator[Drawing]:
    right, low = corner.endswith("right"), corner.startswith("bottom")
    side = CARD_MM
    rim = ((x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y))
    yield Stroke(points=rim, width=0.2, grey=0.45, dashed=True)
    inner_x = x if right else x + side
    flush_y = y + side if low else y
    inward = 1 if right else -1
    down = -1 if low else 1
    bar = 0.9
    yield Box(x=x if right else x + side - bar, y=y, width=bar, height=side)
    # the corner that meets the board's corner
    yield Stroke(
        points=((inner_x, flush_y), (inner_x + 4 * inward, flush_y), (inner_x, flush_y + 4 * down)),
        filled=True,
    )
    marker_x = x + EDGE_MM if right else x + OUTER_MM
    marker_y = y + OUTER_MM if low else y + EDGE_MM
    yield from _marker(number, marker_x, marker_y, MARKER_MM)
    words_y = y + 7.5 if low else y + side - 4.5
    yield Words(x=x + side / 2, y=words_y, text=f"{number + 1} · {name}", height=4, bold=True, centred=True)


def _plan(x: float, y: float) -> Iterator[Drawing]:
    """The board from above with the four papers at its corners."""
    width, height, paper = 56.0, 28.0, 8.0
    yield Box(x=x, y=y, width=width, height=height, grey=0.82)
    for number, corner in enumerate(CORNERS):
        px = x + width if corner.endswith("right") else x - paper
        py = y + height - paper if corner.startswith("bottom") else y
        rim = ((px, py), (px + paper, py), (px + paper, py + paper), (px, py + paper), (px, py))
        yield Stroke(points=rim, width=0.25)
        yield Words(x=px + paper / 2, y=py + 5.4, text=str(number + 1), height=4, bold=True, centred=True)


def _ruler(x: float, y: float, words: str) -> Iterator[Drawing]:
    yield Stroke(points=((x, y), (x + RULER_MM, y)), width=0.3)
    for mm in range(RULER_MM + 1):
        length = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        yield Stroke(points=((x + mm, y), (x + mm, y + length)), width=0.15)
        if mm % 10 == 0:
            yield Words(x=x + mm, y=y + 8.4, text=str(mm), height=2.6, centred=True)
    yield Words(x=x, y=y + 14, text=words, height=3)


def _qr(text: str, x: float, y: float, size: float) -> Iterator[Drawing]:
    matrix = [[bool(cell) for cell in row] for row in segno.make(text, error="m", micro=False).matrix]
    cell = size / len(matrix)
    for row, cells in enumerate(matrix):
        start = None
        for column, black in enumerate((*cells, False)):
            if black and start is None:
                start = column
            elif not black and start is not None:
                yield Box(x=x + start * cell, y=y + row * cell, width=(column - start) * cell, height=cell)
                start = None


def corner_papers(board: Rect, unit_mm: float, pixels_per_mm: float = 8.0) -> list[tuple[Rect, BgrImage]]:
    """The four papers as they lie at a board's corners: for the virtual table."""
    papers = []
    for number, corner in enumerate(CORNERS):
        card = Sheet(
            width_mm=CARD_MM, height_mm=CARD_MM, drawings=tuple(_corner_card(number, corner, 0, 0, ""))
        )
        papers.append((paper_place(number, board, unit_mm), picture_of(card, pixels_per_mm)))
    return papers
