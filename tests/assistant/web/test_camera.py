"""The camera's routes: the picture with its overlays on one line, crops of zones, and a phone that sends."""

import json
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from tests.assistant.web.sights import GLARING, VirtualCamera
from vision.pushed import PushedSource

LINE = "ws://localhost:8470"
JPEG = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def phone() -> PushedSource:
    return PushedSource()


@pytest.fixture
def watched(robot: Robot, pairing: Pairing, phone: PushedSource) -> Iterator[TestClient]:
    app = create_app(robot, pairing=pairing, camera=VirtualCamera(numbers=True), phone=phone)
    with TestClient(app, base_url="http://localhost:8470") as client:
        client.post("/api/pair", json={"code": pairing.code})
        yield client


def test_what_was_made_of_the_picture_is_told_in_words(watched: TestClient) -> None:
    seen = watched.get("/api/camera", params={"language": "en"}).json()
    states = {zone["zone"]: zone for zone in seen["zones"]}
    assert states[GLARING]["state"] == "unreadable"
    assert states[GLARING]["why"] == "light glares on it"
    assert 0 <= seen["sharpness"] <= 1
    assert all(0 <= x <= 1 for zone in seen["zones"] for x, _ in zone["outline"] if zone["zone"] == GLARING)


def test_the_picture_and_the_crop_of_a_zone_are_jpegs_that_nobody_keeps(watched: TestClient) -> None:
    for path in ("/api/camera/picture", "/api/zones/row-3/crop"):
        answer = watched.get(path)
        assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("image/jpeg", "no-store")
        assert cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR) is not None
    assert watched.get("/api/zones/nowhere/crop").json()["code"] == "no-zone"


def test_a_picture_is_sent_for_each_time_that_the_tablet_is_ready(watched: TestClient) -> None:
    with watched.websocket_connect(f"{LINE}/api/camera/live?language=fr") as line:
        numbers = []
        for _ in range(3):
            line.send_text("next")
            numbers.append(json.loads(line.receive_text())["number"])
            assert line.receive_bytes()[:2] == b"\xff\xd8"
    assert numbers == sorted(set(numbers))


def test_a_stranger_sees_no_picture(robot: Robot, pairing: Pairing) -> None:
    watched = create_app(robot, pairing=pairing, camera=VirtualCamera())
    with TestClient(watched, base_url="http://localhost:8470") as stranger:
        assert stranger.get("/api/camera/picture").status_code == 401
        assert stranger.get("/api/zones/row-3/crop").status_code == 401
        with pytest.raises(WebSocketDisconnect), stranger.websocket_connect(f"{LINE}/api/camera/live"):
            pass
        assert stranger.get("/camera").status_code == 200
        assert stranger.get("/api/phone/words").json()["title"]


def test_the_pictures_of_a_phone_become_frames(watched: TestClient, phone: PushedSource) -> None:
    with watched.websocket_connect(f"{LINE}/api/camera/push") as line:
        line.send_bytes(JPEG)
        assert line.receive_text() == "ok"
        line.send_bytes(b"not a picture")
        assert line.receive_text() == "bad"
    frame = phone.read()
    assert frame is not None
    assert frame.image.shape == (240, 320, 3)


def test_the_newest_phone_is_listened_to(watched: TestClient, phone: PushedSource) -> None:
    with (
        watched.websocket_connect(f"{LINE}/api/camera/push") as old,
        watched.websocket_connect(f"{LINE}/api/camera/push") as new,
    ):
        new.send_bytes(JPEG)
        assert new.receive_text() == "ok"
        old.send_bytes(JPEG)
        assert old.receive_text() == "bad"
    assert phone.state().frames == 1
