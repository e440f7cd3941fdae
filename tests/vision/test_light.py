"""Focus, glare, darkness, distance and tilt as a player would be told."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import (
    Camera,
    board_picture,
    card_layout,
    card_picture,
    flat_table,
    paste,
    photograph,
    straight_camera,
)
from vision.frame import BgrImage
from vision.light import Advice, measure_light
from vision.table import ZoneId

LAYOUT = card_layout()
CAMERA = Camera(pose=straight_camera(1920, 1080).pose, noise=2.0, blur=0.6)


@pytest.fixture(scope="module")
def picture() -> BgrImage:
    rng = np.random.default_rng(0)
    flat = flat_table(board_picture(rng))
    for zone in LAYOUT.zones[:14]:
        paste(flat, np.minimum(card_picture(rng), 225), zone.rect)
    return photograph(np.minimum(flat, 225), CAMERA, rng)


def advice_for(image: BgrImage, camera: Camera = CAMERA) -> dict[str, Advice]:
    return {advice.key: advice for advice in measure_light(image, camera.pose, LAYOUT).advice}


def test_a_well_lit_table_needs_no_advice(picture: BgrImage) -> None:
    assert set(advice_for(picture)) <= {"sight.far"}


def test_glare_is_found_where_it_is(picture: BgrImage) -> None:
    shining = picture.copy()
    place = np.array(LAYOUT.zone(ZoneId("canal.4")).rect.centre)
    centre = CAMERA.pose.project([place])[0]
    cv2.ellipse(shining, centre.astype(int).tolist(), (26, 18), 20, 0, 360, (255, 255, 255), -1)
    advice = advice_for(shining)["sight.glare"]
    assert advice.zones == ("canal.4",)
    assert advice.at is not None
    assert np.hypot(*(np.array(advice.at) - place)) < 0.01


def test_a_picture_out_of_focus_is_called_blurred(picture: BgrImage) -> None:
    blurred = cv2.GaussianBlur(picture, (0, 0), 4.0).astype(np.uint8)
    advice = advice_for(blurred)["sight.blur"]
    assert len(advice.zones) >= 10
    grain = np.random.default_rng(1).normal(0, 3, blurred.shape)
    assert "sight.blur" in advice_for(np.clip(blurred + grain, 0, 255).astype(np.uint8))


def test_a_dim_room_and_a_burnt_out_picture_are_told_apart(picture: BgrImage) -> None:
    assert "sight.dark" in advice_for((picture * 0.2).astype(np.uint8))
    assert "sight.bright" in advice_for(np.clip(picture * 0.2 + 210, 0, 255).astype(np.uint8))


def test_a_camera_too_far_away_is_told_by_the_height_of_the_digits() -> None:
    camera = Camera(pose=straight_camera(640, 360).pose)
    advice = advice_for(np.full((360, 640, 3), 128, np.uint8), camera)["sight.far"]
    assert advice.value < 5


def test_a_camera_that_looks_along_the_table_is_told_to_be_raised() -> None:
    pose = CAMERA.pose
    flat = np.array([[1, 0, 0], [0, 0.35, 300], [0, 0, 1]])
    low = Camera(pose=type(pose).of(flat @ pose.matrix, pose.lens))
    assert "sight.tilt" in advice_for(np.full((1080, 1920, 3), 128, np.uint8), low)
