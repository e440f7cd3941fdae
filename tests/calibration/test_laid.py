"""Markers laid at the board's corners give the pose, whatever the board's size and the print's scale."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.edges import refine_by_edges
from calibration.laid import places_seen, register_laid
from calibration.locating import measured_lens
from calibration.markers import Paper, SheetText, corner_papers, lens_sheet
from calibration.paper_picture import picture_of
from tests.vision.scenes import (
    BOARD,
    Camera,
    board_picture,
    flat_table,
    paste,
    photograph,
    random_camera,
    straight_camera,
)
from tests.vision.test_register import off_by
from vision.frame import BgrImage
from vision.register import Lost, register_corners, register_markers
from vision.table import Rect

UNIT = 2000


def marked_table(unit_mm: float = 620.0, leave_out: tuple[int, ...] = ()) -> BgrImage:
    flat = flat_table(board_picture(np.random.default_rng(5)))
    for number, (rect, picture) in enumerate(corner_papers(BOARD, unit_mm)):
        if number not in leave_out:
            paste(flat, picture, rect, UNIT)
    return flat


@pytest.mark.parametrize("unit_mm", [480.0, 620.0, 620.0 / 0.97, 800.0])
def test_a_board_of_any_size_and_a_print_at_97_per_cent_are_registered(unit_mm: float) -> None:
    rng = np.random.default_rng(3)
    camera = random_camera(rng)
    laid = register_laid(photograph(marked_table(unit_mm), camera, rng), BOARD, camera.pose.lens)
    assert off_by(laid.registration.pose, camera.pose) < 0.012
    assert laid.unit_mm == pytest.approx(unit_mm, rel=0.01)


def test_three_markers_of_four_are_enough_and_two_are_told() -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    three = register_laid(photograph(marked_table(leave_out=(2,)), camera, rng), BOARD, camera.pose.lens)
    assert off_by(three.registration.pose, camera.pose) < 0.02
    two = register_laid(photograph(marked_table(leave_out=(1, 2)), camera, rng), BOARD, camera.pose.lens)
    assert two.registration.lost is Lost.FEW_MARKERS


def test_a_mirrored_picture_is_told_by_name() -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    image = np.ascontiguousarray(photograph(marked_table(), camera, rng)[:, ::-1])
    assert register_laid(image, BOARD, camera.pose.lens).registration.lost is Lost.MIRRORED


def test_two_papers_swapped_are_told() -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    flat = flat_table(board_picture(rng))
    papers = corner_papers(BOARD, 620)
    for (rect, _), (_, picture) in zip(papers, [papers[k] for k in (1, 0, 2, 3)], strict=True):
        paste(flat, picture, rect, UNIT)
    found = register_laid(photograph(flat, camera, rng), BOARD, camera.pose.lens).registration
    assert found.lost in (Lost.MISPLACED_MARKERS, Lost.MIRRORED)


def test_where_markers_really_lie_is_learnt_so_that_askew_papers_do_no_harm() -> None:
    rng = np.random.default_rng(8)
    camera = straight_camera()
    flat = flat_table(board_picture(rng))
    for rect, picture in corner_papers(BOARD, 620):
        turned = np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)
        paste(flat, turned, rect, UNIT)
    image = photograph(flat, camera, rng)
    places = {place.id: np.array(place.corners) for place in places_seen(image, camera.pose)}
    assert sorted(places) == [0, 1, 2, 3]
    assert off_by(register_markers(image, places, BOARD, camera.pose.lens).pose, camera.pose) < 0.01


@pytest.mark.parametrize("curve", [-0.1, 0.0, 0.03])
def test_tapped_corners_move_onto_the_edges_and_the_edges_tell_the_lens(curve: float) -> None:
    rng = np.random.default_rng(12)
    camera: Camera = random_camera(rng, curve=curve)
    flat = flat_table(board_picture(rng), mat=(120, 60, 20))
    image = photograph(flat, camera, rng)
    taps = camera.pose.quad(BOARD) + rng.normal(0, 3.0, (4, 2))
    given = register_corners(taps, BOARD, replace(camera.pose.lens, curve=0.0))
    pose = given.pose
    for _ in range(2):
        assert pose is not None
        found = refine_by_edges(image, pose, BOARD, fit_curve=True)
        assert found is not None
        pose = found.pose
    assert pose is not None
    assert abs(pose.lens.curve - curve) < 0.02
    assert off_by(pose, camera.pose) < 0.01


def test_without_edges_there_is_nothing_to_move_onto() -> None:
    camera = straight_camera()
    blank = np.full((720, 1280, 3), 128, np.uint8)
    assert refine_by_edges(blank, camera.pose, BOARD) is None


@pytest.mark.parametrize("curve", [-0.25, -0.1, 0.0])
def test_the_sheet_with_the_chessboard_tells_the_lens(curve: float) -> None:
    rng = np.random.default_rng(21)
    camera = replace(random_camera(rng, curve=curve), noise=2.0)
    flat = flat_table(board_picture(rng))
    paste(flat, lens_picture(), Rect(0.2, -0.15, 0.6, 0.4), UNIT)
    lens = measured_lens(photograph(flat, camera, rng))
    assert lens is not None
    assert (lens.width, lens.height) == (camera.pose.lens.width, camera.pose.lens.height)
    assert abs(lens.curve - curve) < 0.02


def test_a_chessboard_that_is_crumpled_covered_or_missing_tells_no_lens() -> None:
    rng = np.random.default_rng(22)
    camera = random_camera(rng, curve=-0.1)
    flat = flat_table(board_picture(rng))
    assert measured_lens(photograph(flat, camera, rng)) is None, "there is none"
    paste(flat, lens_picture(), Rect(0.2, -0.15, 0.6, 0.4), UNIT)
    whole = photograph(flat, camera, rng)
    covered = whole.copy()
    x0, y0 = camera.pose.project([(0.15, -0.2)])[0].astype(int)
    x1, y1 = camera.pose.project([(0.65, 0.31)])[0].astype(int)
    covered[max(y0, 0) : y1, max(x0, 0) : x1] = 90
    assert measured_lens(covered) is None, "too little of it is seen"
    rows, columns = np.indices(whole.shape[:2], np.float32)
    wavy = cv2.remap(
        whole, columns + 12 * np.sin(rows / 60), rows + 12 * np.sin(columns / 45), cv2.INTER_LINEAR
    )
    assert measured_lens(np.asarray(wavy, np.uint8)) is None, "it does not lie flat"


def lens_picture() -> BgrImage:
    text = SheetText(title="", how=(), corners={}, ruler="", code="", lens=(), labels="")
    return picture_of(lens_sheet(Paper.A4, "yu", text), 5.0)
