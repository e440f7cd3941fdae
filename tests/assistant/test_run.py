"""Watching: frames of a virtual table reach the session, and its snapshot says how the camera does."""

import time
from pathlib import Path

import cv2
import numpy as np

from assistant.finding import by_corners, parse_corners
from assistant.games.yu import KIT
from assistant.keep import RecordedTable
from assistant.kit import Dice
from assistant.record.store import open_store
from assistant.run import Rate, Watch
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.snapshot import CameraState, Snapshot
from assistant.virtual import scene_of, set_up
from tests.vision.test_observe import GAME, watched
from vision.feed import Health, SourceOptions
from vision.observe import Eye
from vision.source import open_source
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


def test_a_video_of_a_table_with_given_corners_is_watched_understood_and_recorded(tmp_path: Path) -> None:
    """The parts of `floodwatch run --camera table.avi --corners …`; every frame is looked at, however long
    it takes."""
    state = set_up(GAME, Dice(5))
    scene = scene_of(KIT, GAME, SceneStyle())
    film(tmp_path / "table.avi", VirtualSource(scene, GAME.view(state), seed=3, live=False))
    board = GAME.layout.board
    places = [(board.x0, board.y0), (board.x1, board.y0), (board.x1, board.y1), (board.x0, board.y1)]
    corners = scene.camera.project(np.array([(x, y, 0.0) for x, y in places]))
    said = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    known = watched().eye
    eye = Eye(
        layout=GAME.layout,
        find=by_corners(GAME, parse_corners(said)),
        places=known.places,
        pieces=known.pieces,
    )
    with (
        open_store(tmp_path) as store,
        open_source(str(tmp_path / "table.avi"), SourceOptions(realtime=False)) as source,
    ):
        table = RecordedTable(store, KIT, GAME, "home", {})
        watch = Watch(table.shared, eye, source)
        watch.start()
        ends = time.monotonic() + 5 * DEADLINE_S
        while source.state().health is not Health.ENDED and time.monotonic() < ends:
            table.shared.wait_newer(table.shared.snapshot().number, 0.5)
        watch.stop()
        assert table.flush()
        snapshot = table.shared.snapshot()
        table.close()
        assert [record.header.game for record in store.games()] == ["yu"]
    assert snapshot.round == 1, "the set-up was seen to be done"
    rows = [ZoneId(f"row-{number}") for number in range(1, 8)]
    assert [snapshot.view[row] for row in rows] == [GAME.view(state)[row] for row in rows]


def film(path: Path, table: VirtualSource) -> None:
    """Two seconds of a table that nobody touches."""
    frames = [table.look(0.2) for _ in range(10)]
    height, width = frames[0].image.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (width, height))
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 95)
    for frame in frames:
        writer.write(frame.image)
    writer.release()


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
