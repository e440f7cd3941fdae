"""The printed sheets: what a camera reads off them, and that the PDF is sound."""

import re
import zlib
from dataclasses import replace

import cv2
import numpy as np
import pytest
import segno

from calibration.codes import (
    CardCode,
    SheetCode,
    card_labelled,
    find_sheet,
    parse_code,
    read_codes,
    read_with_opencv,
)
from calibration.markers import (
    CORNERS,
    MARKER_MM,
    Paper,
    SheetText,
    label_sheets,
    lens_board,
    lens_sheet,
    marker_places,
    marker_sheet,
)
from calibration.paper import POINTS_PER_MM, Box, Sheet, Words, write_pdf
from calibration.paper_picture import picture_of
from vision.cards import CardFacts, CardId, CardKind, CardPack
from vision.frame import BgrImage
from vision.register import find_markers
from vision.table import Rect

TEXT = SheetText(
    title="Markers (four)",
    how=("Print at 100 %.",),
    corners={corner: corner for corner in CORNERS},
    ruler="100 mm",
    code="the code",
    lens=("Lens", "Lay it flat."),
    labels="Labels",
)


def gray(image: BgrImage) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8)


@pytest.mark.parametrize("paper", Paper)
def test_a_camera_reads_markers_of_forty_millimetres_and_the_code_off_the_sheet(paper: Paper) -> None:
    picture = picture_of(marker_sheet(paper, "yu", TEXT), 5.0)
    found = find_markers(gray(picture))
    assert sorted(marker.id for marker in found) == [0, 1, 2, 3]
    assert all(abs(marker.size_px / 5.0 - MARKER_MM) < 0.15 for marker in found)
    assert find_sheet(picture) == SheetCode(kind="markers", marker_mm=40, game="yu")


def test_the_code_is_read_without_zbar_too() -> None:
    picture = picture_of(marker_sheet(Paper.A4, "yu", TEXT), 6.0)
    assert [parse_code(code.text) for code in read_with_opencv(gray(picture))] == [
        SheetCode(kind="markers", marker_mm=40, game="yu")
    ]


def test_the_lens_sheet_shows_all_its_inner_corners() -> None:
    picture = picture_of(lens_sheet(Paper.LETTER, "yu", TEXT), 5.0)
    corners, _, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(gray(picture))
    assert len(corners) == 6 * 8


def test_every_card_has_a_label_that_can_be_read() -> None:
    cards = [f"card-{number}" for number in range(100)]
    sheets = list(label_sheets(Paper.A4, "yu", cards, TEXT))
    seen = [parse_code(code.text) for sheet in sheets for code in read_codes(picture_of(sheet, 6.0))]
    assert len(sheets) > 1
    assert {code.card for code in seen if isinstance(code, CardCode)} == set(cards)


def test_codes_of_other_programs_are_passed_over() -> None:
    canvas = np.full((700, 1500, 3), 255, np.uint8)
    others = ["https://example.org/?q=floodwatch:sheet", "floodwatch:sheet?v=2&kind=markers&mm=40&game=yu"]
    for column, text in enumerate([*others, str(SheetCode(kind="markers", marker_mm=40, game="yu"))]):
        cells = np.array([list(row) for row in segno.make(text, micro=False).matrix_iter(scale=8, border=4)])
        part = np.where(cells > 0, 0, 255).astype(np.uint8)
        canvas[50 : 50 + part.shape[0], 20 + 480 * column : 20 + 480 * column + part.shape[1]] = part[
            ..., None
        ]
    assert len(read_codes(canvas)) == 3
    assert find_sheet(canvas) == SheetCode(kind="markers", marker_mm=40, game="yu")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "floodwatch:",
        "floodwatch:sheet?v=1&kind=markers&mm=0&game=yu",
        "floodwatch:sheet?v=1&kind=markers&mm=40&game=../x",
        "FW1:YU:A/B",
        "FW1:yu:a",
        "FW2:YU:A",
        "floodwatch:sheet?v=1&kind=markers&mm=40&game=yu\n",
        "x" * 5000,
    ],
)
def test_a_text_that_is_nearly_ours_is_not_ours(text: str) -> None:
    assert parse_code(text) is None


def test_markers_lie_beside_the_board_and_never_on_it() -> None:
    board = Rect(0, 0, 1, 0.497)
    for corners in marker_places(board, 600).values():
        assert (corners[:, 0] < 0).all() or (corners[:, 0] > 1).all()
        assert ((corners[:, 1] > 0) & (corners[:, 1] < 0.497)).all()


def test_the_pdf_is_sound_and_true_to_scale() -> None:
    sheet = Sheet(
        width_mm=210,
        height_mm=297,
        drawings=(Box(x=10, y=20, width=40, height=40), Words(x=5, y=5, text="(é) \\ “a”\n")),
    )
    pdf = write_pdf([sheet, sheet], "Title (one)")
    assert pdf == write_pdf([sheet, sheet], "Title (one)")
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[0])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n ", pdf[start:])]
    assert all(pdf[place:].startswith(b"%d 0 obj" % number) for number, place in enumerate(places, 1))
    assert f"[0 0 {210 * POINTS_PER_MM:.3f} {297 * POINTS_PER_MM:.3f}]".encode() in pdf
    content = zlib.decompress(re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)[0]).decode("cp1252")
    assert "10.0000 20.0000 40.0000 40.0000 re f" in content
    assert r"(\(é\) \\ “a” ) Tj" in content


def labelled(picture: BgrImage, label: str, size: int) -> BgrImage:
    """A card with a label on its sleeve, so many pixels wide."""
    cells = np.array(list(segno.make(label, error="m", micro=False).matrix_iter(scale=16, border=3)))
    code = cv2.resize(
        np.where(cells > 0, 0, 255).astype(np.uint8),
        (round(size * cells.shape[1] / (cells.shape[1] - 96)),) * 2,
        interpolation=cv2.INTER_AREA,
    )
    card = picture.copy()
    card[20 : 20 + code.shape[0], 30 : 30 + code.shape[1]] = code[..., None]
    return card


def test_a_label_is_read_from_forty_six_pixels_on_and_others_are_passed_over() -> None:
    card = np.full((300, 200, 3), 170, np.uint8)
    seen = labelled(card, str(CardCode(game="yu", card="flute-player-2-wood-red")), 46)
    fine = cv2.resize(seen, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    facts = CardFacts(id=CardId("flute-player-2-wood-red"), kind=CardKind("townsfolk"))
    pack = CardPack(game="yu", name="own", cards=(facts,))
    assert card_labelled(fine, pack) == facts.id
    assert card_labelled(fine, replace(pack, game="another")) is None
    assert card_labelled(fine, replace(pack, cards=())) is None
    assert card_labelled(card, pack) is None
    assert card_labelled(labelled(card, "https://example.org/", 120), pack) is None
