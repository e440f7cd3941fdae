"""The table from straight above."""

import numpy as np
import pytest

from tests.vision.scenes import (
    BOARD,
    TABLE,
    board_picture,
    card_layout,
    flat_table,
    photograph,
    random_camera,
    straight_camera,
)
from vision.pose import Lens, Pose
from vision.rectify import Rectified, Rectifier, grown, rectify, shrink, table_rect
from vision.table import Rect


@pytest.mark.parametrize("seed", range(3))
def test_a_rectified_board_is_the_drawn_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flat = flat_table(board_picture(rng))
    camera = random_camera(rng, curve=-0.08)
    seen = rectify(photograph(flat, camera, rng), camera.pose, BOARD, 600.0).image
    drawn = rectify(flat, _from_above(), BOARD, 600.0).image
    likeness = np.corrcoef(seen.mean(axis=2).ravel(), drawn.mean(axis=2).ravel())[0, 1]
    assert likeness > 0.93


def _from_above() -> Pose:
    matrix = np.array([[2000, 0, -TABLE.x0 * 2000 - 0.5], [0, 2000, -TABLE.y0 * 2000 - 0.5], [0, 0, 1]])
    return Pose.of(matrix, Lens(width=3000, height=2200))


def test_pixels_of_a_rectified_zone_lead_back_to_the_board() -> None:
    camera = straight_camera()
    image = np.zeros((720, 1280, 3), np.uint8)
    zone = grown(Rect(0.2, 0.1, 0.325, 0.295), 0.02)
    part = rectify(image, camera.pose, zone, 800.0)
    assert part.image.shape[:2] == (188, 132)
    assert np.allclose(part.to_board(np.array([[-0.5, -0.5]])), [[0.18, 0.08]])
    assert np.allclose(part.to_pixels(part.to_board(np.array([[17.0, 40.0]]))), [[17.0, 40.0]])


def test_a_crop_knows_its_own_place() -> None:
    part = rectify(np.zeros((720, 1280, 3), np.uint8), straight_camera().pose, BOARD, 500.0)
    crop = part.crop(Rect(0.5, 0.1, 0.7, 0.3))
    assert crop.image.shape == (100, 100, 3)
    assert (crop.rect.x0, crop.rect.y0) == pytest.approx((0.5, 0.1))
    with pytest.raises(ValueError, match="outside"):
        part.crop(Rect(1.5, 0.1, 1.7, 0.3))


def test_a_pose_for_another_picture_size_is_refused() -> None:
    with pytest.raises(ValueError, match="1280 × 720"):
        rectify(np.zeros((1080, 1920, 3), np.uint8), straight_camera().pose, BOARD, 500.0)


def test_sampling_tables_are_kept_but_not_without_end() -> None:
    keeper = Rectifier(most_pixels_kept=300_000)
    image = np.zeros((720, 1280, 3), np.uint8)
    pose = straight_camera().pose
    for step in range(8):
        keeper.rectify(image, pose, BOARD, 500.0 + step)
    assert 1 <= len(keeper._maps) <= 3


def test_a_moved_camera_leaves_no_sampling_tables_of_its_old_place_behind() -> None:
    """They once stayed, 30 MB after a bump of the camera."""
    keeper = Rectifier()
    image = np.zeros((720, 1280, 3), np.uint8)
    pose = straight_camera().pose
    moved = random_camera(np.random.default_rng(1)).pose.resized(1280, 720)
    for scale in (400.0, 500.0):
        keeper.rectify(image, pose, BOARD, scale)
    keeper.rectify(image, moved, BOARD, 400.0)
    assert [kept for kept, _, _ in keeper._maps] == [moved]


@pytest.mark.parametrize("width", [500, 640, 1280, 1920, 3840])
def test_a_shrunk_frame_is_at_most_640_wide_and_its_pose_fits(width: int) -> None:
    height = width * 9 // 16
    small = shrink(np.zeros((height, width, 3), np.uint8))
    assert small.image.shape[1] == min(width, 640)
    pose = straight_camera(width, height).pose
    corner = small.pose(pose).quad(BOARD)[0]
    expected = (pose.quad(BOARD)[0] + 0.5) * (small.image.shape[1] / width) - 0.5
    assert np.allclose(corner, expected, atol=0.02)


def test_the_table_holds_the_board_and_every_zone() -> None:
    layout = card_layout()
    whole = table_rect(layout)
    assert all(whole.x0 <= zone.rect.x0 and whole.y1 >= zone.rect.y1 for zone in layout.zones)


@pytest.mark.parametrize("quarters", range(4))
def test_a_turned_picture_knows_where_its_pixels_lie_on_the_board(quarters: int) -> None:
    image = np.arange(30 * 40 * 3, dtype=np.uint32).reshape(30, 40, 3).astype(np.uint8)
    straight = Rectified(image=image, rect=Rect(1.0, 2.0, 5.0, 5.0), pixels_per_unit=10.0)
    turned = straight.turned(quarters)
    for x, y in ((0, 0), (3, 4), (20, 7)):
        board = turned.to_board(np.array([(x, y)], float))
        assert turned.to_pixels(board)[0] == pytest.approx((x, y))
        column, row = straight.to_pixels(board)[0].round().astype(int)
        assert (turned.image[y, x] == straight.image[row, column]).all()
