"""Where the board is: by corners, by markers, by its own picture."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.scenes import (
    BOARD,
    CARD_WIDTH,
    MARKER_PLACES,
    Arm,
    Camera,
    board_picture,
    card_picture,
    flat_table,
    paste,
    photograph,
    random_camera,
    straight_camera,
)
from vision.drift import Drift, DriftWatch
from vision.frame import BgrImage
from vision.image import load_image
from vision.likeness import Likeness, register_picture
from vision.pose import Lens, Pose
from vision.rectify import rectify, shrink
from vision.register import Lost, find_markers, register_corners, register_markers
from vision.table import Rect

GRID = np.stack(np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 0.5, 5)), -1).reshape(-1, 2)
PHOTOS = (folder / "shared" / "photos" for folder in Path(__file__).parents)
PHOTO = next((folder for folder in PHOTOS if folder.is_dir()), Path("shared")) / "setup-done.jpg"


def off_by(pose: Pose | None, true: Pose) -> float:
    """The worst error on the board as a part of a card's width."""
    assert pose is not None
    return float(np.abs(pose.unproject(true.project(GRID)) - GRID).max() / CARD_WIDTH)


@pytest.fixture(scope="module")
def marked() -> BgrImage:
    return flat_table(board_picture(np.random.default_rng(5)), markers=True)


def test_four_corners_give_the_pose() -> None:
    pose = random_camera(np.random.default_rng(2), curve=-0.1).pose
    found = register_corners(pose.quad(BOARD), BOARD, pose.lens)
    assert off_by(found.pose, pose) < 1e-6


@pytest.mark.parametrize(
    ("corners", "lost"),
    [
        ([(0, 0), (9, 0), (9, 9)], Lost.BAD_CORNERS),
        ([(900, 100), (100, 100), (100, 600), (900, 600)], Lost.MIRRORED),
        ([(100, 100), (900, 600), (900, 100), (100, 600)], Lost.BAD_CORNERS),
        ([(100, 100), (110, 100), (110, 105), (100, 105)], Lost.BAD_CORNERS),
        ([(float("nan"), 0), (9, 0), (9, 9), (0, 9)], Lost.BAD_CORNERS),
    ],
)
def test_corners_that_make_no_board_are_refused_with_a_cause(
    corners: list[tuple[float, float]], lost: Lost
) -> None:
    found = register_corners(np.array(corners), BOARD, Lens(width=1280, height=720))
    assert found.pose is None
    assert found.lost is lost
    assert found.cause is not None
    assert found.cause.endswith((".", "?"))


@pytest.mark.parametrize("seed", range(6))
def test_markers_are_found_to_half_a_pixel_and_the_board_to_a_hundredth_of_a_card(
    marked: BgrImage, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    camera = random_camera(rng, curve=-0.06)
    image = photograph(marked, camera, rng)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8)
    markers = find_markers(gray)
    assert sorted(marker.id for marker in markers) == [0, 1, 2, 3]
    gaps = [marker.corners - camera.pose.project(MARKER_PLACES[marker.id]) for marker in markers]
    assert np.sqrt((np.concatenate(gaps) ** 2).sum(axis=1).mean()) < 0.5
    found = register_markers(image, MARKER_PLACES, BOARD, camera.pose.lens)
    assert off_by(found.pose, camera.pose) < 0.01
    assert found.error_px < 1.0


def test_the_lens_is_found_with_the_markers_where_nobody_measured_it(
    marked: BgrImage,
) -> None:
    rng = np.random.default_rng(11)
    camera = random_camera(rng, curve=-0.15)
    image = photograph(marked, camera, rng)
    plain = replace(camera.pose.lens, curve=0.0)
    assert (
        off_by(register_markers(image, MARKER_PLACES, BOARD, plain, fit_curve=True).pose, camera.pose) < 0.01
    )


def without_markers(image: BgrImage, pose: Pose, count: int) -> None:
    for key in range(count):
        centre = pose.project([MARKER_PLACES[key].mean(axis=0)])[0]
        cv2.circle(
            image, centre.astype(int).tolist(), round(pose.scale_at((0.5, 0.25))[0] * 0.06), (90, 90, 90), -1
        )


def test_three_markers_of_four_are_enough_and_two_are_not(
    marked: BgrImage,
) -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    image = photograph(marked, camera, rng)
    without_markers(image, camera.pose, 1)
    assert off_by(register_markers(image, MARKER_PLACES, BOARD, camera.pose.lens).pose, camera.pose) < 0.01
    without_markers(image, camera.pose, 2)
    found = register_markers(image, MARKER_PLACES, BOARD, camera.pose.lens)
    assert found.lost is Lost.FEW_MARKERS
    assert found.cause == "only 2 of 4 markers are clear, 3 are needed; not seen: 0, 1."


def test_a_mirrored_picture_is_refused_by_name(marked: BgrImage) -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    image = np.ascontiguousarray(photograph(marked, camera, rng)[:, ::-1])
    assert register_markers(image, MARKER_PLACES, BOARD, camera.pose.lens).lost is Lost.MIRRORED


def test_one_misplaced_marker_is_left_out(marked: BgrImage) -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    places = {**MARKER_PLACES, 2: MARKER_PLACES[2] + 0.05}
    found = register_markers(photograph(marked, camera, rng), places, BOARD, camera.pose.lens)
    assert off_by(found.pose, camera.pose) < 0.01
    assert found.support == 12


def test_a_table_without_markers_says_so() -> None:
    rng = np.random.default_rng(3)
    camera = straight_camera()
    image = photograph(flat_table(board_picture(rng)), camera, rng)
    assert register_markers(image, MARKER_PLACES, BOARD, camera.pose.lens).lost is Lost.NO_MARKERS


def covered_board(seed: int) -> tuple[Likeness, BgrImage, Camera]:
    """A likeness learnt in one view, and another view with ten cards and an arm on the board."""
    rng = np.random.default_rng(seed)
    flat = flat_table(board_picture(rng))
    first, second = random_camera(rng), random_camera(rng, curve=-0.06)
    likeness = Likeness.learn(photograph(flat, first, rng), first.pose, BOARD)
    for x, y in zip(rng.uniform(-0.05, 0.92, 10), rng.uniform(-0.05, 0.35, 10), strict=True):
        paste(flat, card_picture(rng), Rect(x, y, x + 0.125, y + 0.195))
    image = photograph(flat, second, rng)
    height, width = image.shape[:2]
    return likeness, Arm(entry=(0, 0), tip=(width / 2, height / 2), width=0.1).drawn_on(image), second


@pytest.mark.parametrize("seed", range(6))
def test_the_board_is_found_by_its_picture_under_cards_and_an_arm(seed: int) -> None:
    likeness, image, camera = covered_board(seed)
    found = register_picture(image, likeness, camera.pose.lens)
    assert off_by(found.pose, camera.pose) < 0.01
    assert found.error_px < 2.0


def test_after_a_nudge_the_board_is_found_from_where_it_was() -> None:
    likeness, image, camera = covered_board(20)
    nudge = np.array([[1, 0.008, -9], [-0.008, 1, 7], [0, 0, 1]])
    before = Pose.of(nudge @ camera.pose.matrix, camera.pose.lens)
    assert off_by(register_picture(image, likeness, camera.pose.lens, near=before).pose, camera.pose) < 0.01


def test_print_that_repeats_itself_does_not_hold_a_pushed_board_at_its_old_place() -> None:
    camera = replace(straight_camera(), noise=2.0, blur=0.5)
    board = board_picture(np.random.default_rng(31))
    step = 60  # pixels of 2000: what lies one step aside looks the same
    tile = np.random.default_rng(32).integers(0, 255, (step, step, 3), dtype=np.uint8)
    tile = cv2.GaussianBlur(tile, (0, 0), 5, borderType=cv2.BORDER_WRAP).astype(np.float32)
    tile = np.clip((tile - 127) * 6 + 127, 0, 255).astype(np.uint8)
    board[:, 600:1320] = np.tile(tile, (17, 12, 1))[:1000]
    rng = np.random.default_rng(33)
    likeness = Likeness.learn(photograph(flat_table(board), camera, rng), camera.pose, BOARD)
    shift = np.eye(3)
    shift[0, 2] = step / 2000
    pushed = replace(camera, pose=Pose.of(camera.pose.matrix @ shift, camera.pose.lens))
    image = photograph(flat_table(board), pushed, rng)
    found = register_picture(image, likeness, camera.pose.lens, near=camera.pose)
    assert off_by(found.pose, pushed.pose) < 0.01


def test_another_board_is_not_taken_for_ours() -> None:
    likeness, _, camera = covered_board(21)
    rng = np.random.default_rng(99)
    other = photograph(flat_table(board_picture(rng)), camera, rng)
    assert register_picture(other, likeness, camera.pose.lens).lost is Lost.UNLIKE
    assert register_picture(other, likeness, camera.pose.lens, near=camera.pose).lost is Lost.UNLIKE


def test_a_mirrored_board_and_a_board_without_print_are_refused_by_name() -> None:
    likeness, image, camera = covered_board(22)
    mirrored = np.ascontiguousarray(image[:, ::-1])
    assert register_picture(mirrored, likeness, camera.pose.lens).lost is Lost.MIRRORED
    plain = Likeness.from_picture(np.full((500, 1000, 3), 90, np.uint8), BOARD)
    assert register_picture(image, plain, camera.pose.lens).lost is Lost.PLAIN


@pytest.mark.parametrize("seed", range(4))
def test_a_nudge_is_noticed_in_two_calm_frames_and_a_new_card_is_no_nudge(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flat = flat_table(board_picture(rng))
    camera = random_camera(rng)
    watch = DriftWatch(shrink(photograph(flat, camera, rng)), camera.pose, BOARD)
    paste(flat, card_picture(rng), Rect(0.3, 0.1, 0.425, 0.295))
    darker = replace(camera, gain=camera.gain * 0.6)
    steady = [watch.check(shrink(photograph(flat, darker, rng))).drift for _ in range(3)]
    assert steady == [Drift.STEADY] * 3
    turn = np.array([[1, -0.004, 3], [0.004, 1, 0], [0, 0, 1]])
    nudged = shrink(
        photograph(flat, replace(camera, pose=Pose.of(turn @ camera.pose.matrix, camera.pose.lens)), rng)
    )
    assert [watch.check(nudged).drift for _ in range(2)][-1] is Drift.MOVED


def test_after_a_blow_to_the_camera_nothing_is_sure() -> None:
    rng = np.random.default_rng(1)
    flat = flat_table(board_picture(rng))
    camera = straight_camera()
    watch = DriftWatch(shrink(photograph(flat, camera, rng)), camera.pose, BOARD)
    blow = np.array([[1, 0.06, 120], [-0.06, 1, -80], [0, 0, 1]])
    thrown = replace(camera, pose=Pose.of(blow @ camera.pose.matrix, camera.pose.lens))
    assert watch.check(shrink(photograph(flat, thrown, rng))).drift is Drift.UNSURE


@pytest.mark.skipif(not PHOTO.exists(), reason="the photographs stay outside of the repository")
def test_the_photographed_board_is_registered_from_four_corners_and_found_again_by_its_picture() -> None:
    image = load_image(PHOTO)
    lens = Lens(width=1440, height=960)
    board = Rect(0.0, 0.0, 1.0, 0.497)
    corners = np.array([(247.7, 146.2), (1233.5, 297.0), (1223.2, 851.3), (0.0, 575.6)])
    given = register_corners(corners, board, lens)
    assert given.pose is not None
    river = rectify(image, given.pose, Rect(0.60, 0.13, 0.66, 0.16), 800.0).image.reshape(-1, 3).mean(axis=0)
    assert river[0] > 150 > river[2]  # blue water where the layout has the river
    likeness = Likeness.learn(image, given.pose, board)
    push = np.array([[0.97, 0.05, 30], [-0.05, 0.97, 40], [0.00002, 0, 1]])
    pushed = np.asarray(cv2.warpPerspective(image, push, (1440, 960)), np.uint8)
    found = register_picture(pushed, likeness, lens)
    assert off_by(found.pose, Pose.of(push @ given.pose.matrix, lens)) < 0.01
