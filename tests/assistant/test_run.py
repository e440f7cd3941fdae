"""Watching: frames of a virtual table reach the session, and its snapshot says how the camera does."""

import time

from assistant.games.yu import KIT
from assistant.run import Rate, Watch
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.snapshot import CameraState, Snapshot
from tests.vision.test_observe import GAME, watched
from vision.observe import Eye
from vision.table import ZoneId
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource

DEADLINE_S = 60


def test_a_watched_table_is_live_registered_and_understood() -> None:
    shared = SharedSession(KIT, Session(GAME, "test"))
    art = load_table_art(KIT.folder)
    scene = drawn_scene(GAME.layout, GAME.pack, art, SceneStyle())
    known = watched().eye
    eye = Eye(layout=GAME.layout, find=known.find, places=known.places, pieces=known.pieces)
    watch = Watch(shared, eye, VirtualSource(scene, watched().view, seed=3, live=False))
    watch.start()
    try:
        last = _wait(shared)
    finally:
        watch.stop()
    assert last.camera.state is CameraState.LIVE
    assert last.camera.registered
    assert last.camera.calm
    assert {status.zone for status in last.zones} >= {"row-1", "canal-1", "supply"}
    assert shared.camera is not None
    picture = shared.camera.picture()
    assert picture is not None
    assert picture.jpeg.startswith(b"\xff\xd8")
    assert len({zone.zone for zone in picture.zones}) > 40
    assert len(picture.cards) > 10
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in picture.zones[0].outline)
    assert 0 < picture.sharpness <= 1
    assert 0 < picture.brightness <= 1
    crop = shared.camera.crop(ZoneId("row-1"))
    assert crop is not None
    assert crop.startswith(b"\xff\xd8")


def _wait(shared: SharedSession) -> Snapshot:
    """The first snapshot of a calm table."""
    ends = time.monotonic() + DEADLINE_S
    snapshot = shared.snapshot()
    while not snapshot.camera.calm and time.monotonic() < ends:
        snapshot = shared.wait_newer(snapshot.number, 1.0) or snapshot
    return snapshot


def test_the_rate_is_smooth_and_true() -> None:
    rate = Rate()
    assert rate.per_second == 0
    for frame in range(50):
        rate.tick(frame * 0.1)
    assert abs(rate.per_second - 10) < 1e-6
