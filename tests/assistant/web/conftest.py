"""A server with a robot's game behind it, and a tablet that is paired with it."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing


@pytest.fixture
def robot() -> Iterator[Robot]:
    """Some way into a game, and standing still."""
    made = Robot(kit_named(default_game()), seed=3, pace=0.0, clock=lambda: 0.0)
    made.skip(40)
    yield made
    made.stop()


@pytest.fixture
def pairing() -> Pairing:
    return Pairing(b"a secret for the tests only")


@pytest.fixture
def app(robot: Robot, pairing: Pairing) -> FastAPI:
    return create_app(robot, pairing=pairing)


@pytest.fixture
def stranger(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost:8470") as client:
        yield client


@pytest.fixture
def tablet(stranger: TestClient, pairing: Pairing) -> TestClient:
    assert stranger.post("/api/pair", json={"code": pairing.code}).status_code == 204
    return stranger
