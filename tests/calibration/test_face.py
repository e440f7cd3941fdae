"""A thick board seen from aside: its face is found, not its foot or its shadow; flat boards stay."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.edges import refine_by_edges
from calibration.face import onto_face
from tests.calibration.virtual import game, scene_in
from tests.vision.scenes import BOARD, board_picture, flat_table, paste, photograph, random_camera
from vision.frame import BgrImage
from vision.pose import Lens, Pose, corners_of
from vision.register import Registration, register_corners
from vision.table import Rect, TableView
from vision.virtual.camera import Stand

UNIT = 2000


def off_card(pose: Pose | None, corners: np.ndarray, board: Rect) -> float:
    """The worst corner in per cent of a card's width."""
    assert pose is not None
    return float(np.abs(pose.unproject(corners) - corners_of(board)).max() / game().layout.card_width * 100)


def on_edges(image: BgrImage, corners: np.ndarray, board: Rect) -> Registration:
    height, width = image.shape[:2]
    given = register_corners(corners, board, Lens(width=width, height=height))
    for _ in range(2):
        assert given.pose is not None
        found = refine_by_edges(image, given.pose, board, fit_curve=True)
        assert found is not None
        given = found
    return given


@pytest.mark.parametrize("tilt_deg", [20.0, 35.0])
def test_a_thick_board_is_moved_from_its_foot_onto_its_face(tilt_deg: float) -> None:
    stand = Stand(width=1600, height=900, tilt_deg=tilt_deg, margin=0.06)
    shot = scene_in(stand).shoot_view(TableView(()), 3)
    board, corners = game().layout.board, np.array(shot.board)
    found = on_edges(shot.image, corners, board)
    before = off_card(found.pose, corners, board)
    after = off_card(onto_face(shot.image, found, board).pose, corners, board)
    assert before > 2.0
    assert after < 0.6 * before


@pytest.mark.parametrize("seed", [31, 32, 33])
def test_a_flat_board_stays_where_its_edges_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = random_camera(rng, curve=-0.05)
    image = photograph(flat_table(board_picture(rng), mat=(120, 60, 20)), camera, rng)
    corners = camera.pose.quad(BOARD)
    found = onto_face(image, on_edges(image, corners, BOARD), BOARD)
    assert off_card(found.pose, corners, BOARD) < 1.0


def test_a_border_that_is_printed_around_the_whole_board_is_no_wall() -> None:
    rng = np.random.default_rng(34)
    camera = replace(random_camera(rng, curve=0.0), noise=1.0)
    flat = flat_table(np.full((1200, 2400, 3), (40, 90, 160), np.uint8), mat=(120, 60, 20))
    rim = 0.006
    paste(
        flat, board_picture(rng), Rect(BOARD.x0 + rim, BOARD.y0 + rim, BOARD.x1 - rim, BOARD.y1 - rim), UNIT
    )
    image = photograph(flat, camera, rng)
    found = on_edges(image, camera.pose.quad(BOARD), BOARD)
    assert onto_face(image, found, BOARD).pose == found.pose


def test_a_board_without_any_print_tells_nothing() -> None:
    rng = np.random.default_rng(35)
    camera = random_camera(rng, curve=0.0)
    image = photograph(
        flat_table(np.full((1200, 2400, 3), (40, 90, 160), np.uint8), mat=(120, 60, 20)), camera, rng
    )
    found = on_edges(image, camera.pose.quad(BOARD), BOARD)
    assert onto_face(image, found, BOARD).pose == found.pose
