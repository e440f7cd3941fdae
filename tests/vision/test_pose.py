"""Board units to pixels and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.scenes import BOARD, random_camera, straight_camera
from vision.pose import Lens, Pose
from vision.table import Rect

POINTS = np.stack(np.meshgrid(np.linspace(-0.1, 1.1, 7), np.linspace(-0.1, 0.6, 5)), -1).reshape(-1, 2)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.4, 0.05))
def test_unprojecting_undoes_projecting_for_any_lens(seed: int, curve: float) -> None:
    pose = random_camera(np.random.default_rng(seed), curve=curve).pose
    assert np.abs(pose.unproject(pose.project(POINTS)) - POINTS).max() < 1e-6


def test_a_barrel_lens_bends_the_boards_edge_outwards() -> None:
    straight = straight_camera().pose
    bent = Pose.of(straight.matrix, Lens(width=1280, height=720, curve=-0.2))
    left, middle, right = bent.project([(0, 0), (0.5, 0), (1, 0)])
    assert middle[1] < (left[1] + right[1]) / 2 - 1


def test_a_pose_in_a_smaller_picture_points_at_the_same_places() -> None:
    pose = random_camera(np.random.default_rng(4), curve=-0.1).pose
    width, height = pose.lens.width // 2, pose.lens.height // 2
    small = pose.resized(width, height)
    assert np.abs((small.project(POINTS) + 0.5) * 2 - 0.5 - pose.project(POINTS)).max() < 1e-6


def test_a_camera_looking_straight_down_has_no_tilt_and_one_at_an_angle_has() -> None:
    down = Pose.of([[800, 0, 200], [0, 800, 100], [0, 0, 1]], Lens(width=1280, height=720))
    assert down.tilt_at(BOARD.centre) == pytest.approx(0, abs=1.0)
    assert straight_camera().pose.tilt_at(BOARD.centre) == pytest.approx(20, abs=4)


def test_a_zone_outside_of_the_picture_is_not_in_view() -> None:
    pose = straight_camera().pose
    assert pose.in_view(BOARD)
    assert not pose.in_view(Rect(-2.9, 0.0, -2.2, 0.2))


def test_a_mirrored_pose_is_recognised() -> None:
    pose = straight_camera().pose
    flip = np.array([[-1.0, 0, 1279], [0, 1, 0], [0, 0, 1]])
    assert not pose.mirrored(BOARD)
    assert Pose.of(flip @ pose.matrix, pose.lens).mirrored(BOARD)


@pytest.mark.parametrize(
    "numbers", [(1.0,) * 8, (float("nan"),) * 9, (0.0,) * 9, (1.0, 1, 0, 1, 1, 0, 0, 0, 1)]
)
def test_numbers_that_make_no_pose_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="pose"):
        Pose(homography=numbers, lens=Lens(width=10, height=10))


def test_poses_are_values() -> None:
    assert straight_camera().pose == straight_camera().pose
    assert len({straight_camera().pose, straight_camera().pose}) == 1
