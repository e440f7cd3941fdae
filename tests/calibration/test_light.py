"""What is wrong with the light and the view, said by name and marked on the picture."""

import cv2
import numpy as np
import pytest

from calibration.light import table_remarks, view_remarks
from tests.vision.scenes import (
    TABLE,
    board_picture,
    card_layout,
    card_picture,
    flat_table,
    paste,
    photograph,
    straight_camera,
)
from vision.cards import CardKind
from vision.frame import BgrImage
from vision.pose import Pose
from vision.table import Rect, TableLayout, Zone

UNIT = 2000


def layout() -> TableLayout:
    plain = card_layout()
    zones = tuple(
        Zone(
            id=zone.id,
            kind=zone.kind,
            rect=zone.rect,
            cards=(CardKind("card"),) if zone.id.startswith("row") else (),
        )
        for zone in plain.zones
    )
    return TableLayout(
        board=plain.board, card_width=plain.card_width, card_height=plain.card_height, zones=zones
    )


def table(width: int = 3200) -> tuple[BgrImage, Pose]:
    rng = np.random.default_rng(2)
    flat = flat_table(board_picture(rng))
    for zone in layout().zones:
        if zone.cards:
            paste(flat, card_picture(rng), zone.rect, UNIT)
    camera = straight_camera(width, width * 9 // 16, seen=TABLE)
    return photograph(flat, camera, rng), camera.pose


def names(image: BgrImage, pose: Pose) -> set[str]:
    return {remark.name for remark in table_remarks(image, pose, layout())}


def test_a_good_picture_needs_no_words() -> None:
    image, pose = table()
    assert names(image, pose) == set()
    assert view_remarks(image) == ()


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (lambda image: (image * 0.12).astype(np.uint8), "dark"),
        (lambda image: np.clip(image * 0.1 + 228, 0, 255).astype(np.uint8), "bright"),
        (lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 7), np.uint8), "blur"),
    ],
    ids=["dark", "bright", "blur"],
)
def test_what_is_wrong_is_called_by_its_name(spoil: object, name: str) -> None:
    image, pose = table()
    assert callable(spoil)
    assert name in names(spoil(image), pose)


def test_glare_is_marked_where_it_is() -> None:
    image, pose = table()
    place = Rect(0.03, -0.17, 0.15, -0.05)
    centre = pose.project([place.centre])[0]
    cv2.circle(image, centre.astype(int).tolist(), 60, (255, 255, 255), -1)
    remark = next(one for one in table_remarks(image, pose, layout()) if one.name == "glare")
    assert remark.zones[0] == "row.1"
    middle = np.mean(remark.outlines[0], axis=0) * (image.shape[1], image.shape[0])
    assert np.hypot(*(middle - centre)) < 25


def test_a_camera_too_far_away_marks_only_the_worst_places_with_digits() -> None:
    image, pose = table(width=960)
    remark = next(one for one in table_remarks(image, pose, layout()) if one.name == "far")
    assert remark.value < 10
    assert all(zone.startswith("row") for zone in remark.zones)
    assert 1 <= len(remark.outlines) <= 4


def test_the_whole_picture_is_judged_before_the_board_is_known() -> None:
    black = np.zeros((720, 1280, 3), np.uint8)
    assert {remark.name for remark in view_remarks(black)} == {"dark", "blank"}
    assert all(remark.serious for remark in view_remarks(black))
    rng = np.random.default_rng(1)
    small = rng.integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert {remark.name for remark in view_remarks(small)} == {"small"}
