"""A thick board seen from aside: its face is found, not its foot, which is the clearer edge."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.discover import default_game, kit_named
from calibration.laid import register_laid
from calibration.locating import onto_edges
from calibration.markers import corner_papers
from calibration.slab import THICKNESS, face_on, focal_px, onto_face
from tests.calibration.virtual import BOARD_MM, game
from vision.pose import Lens, Points, Pose, corners_of
from vision.register import fit_pose
from vision.table import Rect, TableView
from vision.virtual.camera import Camera, Stand, put_up
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene import table_extent
from vision.virtual.scene_style import SceneStyle

BOARD: Rect = game().layout.board
ASIDE = Stand(width=1920, height=1080, fov_deg=55.0, tilt_deg=40.0, azimuth_deg=15.0, k1=0.0)


def camera_aside(tilt_deg: float = 40.0) -> Camera:
    return put_up(replace(ASIDE, tilt_deg=tilt_deg), table_extent(game().layout))


def pose_at(camera: Camera, height: float) -> Pose:
    corners = corners_of(BOARD)
    pixels = camera.project(np.column_stack([corners, np.full(4, height)]))
    return fit_pose(corners, pixels, Lens(width=camera.width, height=camera.height))


def sides_of(pose: Pose) -> list[Points]:
    corners = corners_of(BOARD)
    shares = np.linspace(0.1, 0.9, 9)[:, None]
    return [pose.project(a + shares * (b - a)) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]


def off_rims(sides: Sequence[Points], pose: Pose) -> NDArray[np.float64]:
    """How far points are off the board's four rims, in board units."""
    rims = (BOARD.y0, BOARD.x1, BOARD.y1, BOARD.x0)
    return np.array(
        [
            np.abs(pose.unproject(side)[:, 1 - k % 2] - rim).mean()
            for k, (side, rim) in enumerate(zip(sides, rims, strict=True))
        ]
    )


@pytest.mark.parametrize("tilt_deg", [20.0, 40.0])
def test_a_leaning_board_tells_the_lens_and_where_its_face_is(tilt_deg: float) -> None:
    camera = camera_aside(tilt_deg)
    table, face = pose_at(camera, -THICKNESS), pose_at(camera, 0.0)
    assert focal_px(table) == pytest.approx(camera.focal_px, rel=0.01)
    assert face_on(table).project(corners_of(BOARD)) == pytest.approx(face.quad(BOARD), abs=0.05)


def test_from_straight_above_a_usual_lens_is_believed() -> None:
    assert focal_px(pose_at(camera_aside(0.0), 0.0)) == pytest.approx(0.87 * 1920)


@pytest.mark.parametrize("thickness", [0.0025, 0.004, 0.006])
def test_the_foot_of_the_near_side_moves_onto_the_face_as_the_far_side_tells(thickness: float) -> None:
    camera = camera_aside()
    table, face = pose_at(camera, -thickness), pose_at(camera, 0.0)
    top, right, _, left = sides_of(face)
    foot = sides_of(table)[2]
    assert off_rims((top, right, foot, left), face).max() > 0.5 * thickness
    assert off_rims(onto_face((top, right, foot, left), table, BOARD), face).max() < 0.0004


def test_a_thin_mat_and_a_face_that_was_found_stay_where_they_are() -> None:
    camera = camera_aside()
    table = pose_at(camera, -0.004)
    for found in (sides_of(table), sides_of(pose_at(camera, 0.0))):
        moved = onto_face(found, table, BOARD)
        assert np.abs(off_rims(moved, table) - off_rims(found, table)).max() < 0.0004


def test_on_the_virtual_table_the_face_is_found_within_a_hundredth_and_a_half_of_a_card() -> None:
    style = replace(SceneStyle(), stand=ASIDE)
    art = load_table_art(kit_named(default_game()).folder)
    scene = drawn_scene(game().layout, game().pack, art, style, corner_papers(BOARD, BOARD_MM))
    shot = scene.shoot_view(TableView(()), 1)
    laid = register_laid(shot.image, BOARD, Lens(width=1920, height=1080), fit_curve=True)
    found = onto_edges(shot.image, laid.registration, BOARD, laid)
    assert found.pose is not None
    off = found.pose.unproject(np.array(shot.board)) - corners_of(BOARD)
    assert np.abs(off).max() / game().layout.card_width < 0.015
