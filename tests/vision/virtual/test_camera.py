"""The virtual lens: a real pinhole, told to stand where the whole table is in view."""

import numpy as np
import pytest

from vision.table import Rect
from vision.virtual.camera import Camera, Stand, put_up, rect_corners

TABLE = Rect(-0.3, -0.25, 1.4, 0.95)
BOARD = Rect(0, 0, 1, 0.497)


def test_a_camera_right_above_shows_x_to_the_right_and_y_down() -> None:
    camera = Camera(position=(0.5, 0.25, 1.5), target=(0.5, 0.25))
    left, right, below = camera.project([(0.2, 0.25, 0), (0.8, 0.25, 0), (0.5, 0.4, 0)])
    assert left[0] < right[0]
    assert left[1] == pytest.approx(right[1])
    assert below[1] > left[1]


@pytest.mark.parametrize("k1", [0.0, -0.08, 0.03])
def test_quads_agree_with_the_homography_after_distortion(k1: float) -> None:
    camera = put_up(Stand(tilt_deg=35, azimuth_deg=15, roll_deg=3, k1=k1), TABLE)
    corners = np.array([(x, y, 1.0) for x, y in rect_corners(BOARD)])
    ideal = corners @ camera.homography().T
    slopes = (ideal[:, :2] / ideal[:, 2:] - np.array(camera.centre)) / camera.focal_px
    assert np.abs(camera.distort(slopes) - np.array(camera.rect_quad(BOARD))).max() < 0.01


def test_undistorting_a_pixel_undoes_the_lens() -> None:
    camera = put_up(Stand(k1=-0.09), TABLE)
    spots = [(0.1, 0.1, 0.0), (1.3, 0.9, 0.0), (-0.25, -0.2, 0.0)]
    assert np.abs(camera.undistort(camera.project(spots)) - camera.project_ideal(spots)).max() < 0.05


def test_a_ray_through_a_pixel_meets_the_table_where_it_came_from() -> None:
    camera = put_up(Stand(tilt_deg=30, k1=-0.05), TABLE)
    spots = np.array([(0.3, 0.2), (1.0, 0.497)])
    pixels = camera.project(np.column_stack([spots, [0.03, 0.03]]))
    assert np.abs(camera.ground(pixels, z=0.03) - spots).max() < 1e-4


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("fov_deg", [40.0, 70.0])
def test_the_whole_table_is_in_the_picture(tilt_deg: float, fov_deg: float) -> None:
    camera = put_up(Stand(tilt_deg=tilt_deg, fov_deg=fov_deg, azimuth_deg=20), TABLE)
    pixels = np.array(camera.rect_quad(TABLE))
    assert pixels.min() >= 0
    assert np.all(pixels <= (camera.width, camera.height))


def test_a_camera_below_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="above the table"):
        Camera(position=(0.5, 0.5, -0.1))
