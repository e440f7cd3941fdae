"""Sources of frames: files, folders, and streams that break off and come back."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.feed import masked
from vision.frame import BgrImage, Frame
from vision.image import ImageError
from vision.source import (
    FrameSource,
    Health,
    LiveSource,
    SourceError,
    SourceOptions,
    list_cameras,
    open_source,
)

QUICK = SourceOptions(retry_first=0.05, retry_most=0.2, stale_after=0.5, lost_after=30.0, frozen_after=0.3)
DEADLINE = 20.0


def numbered(value: int, size: tuple[int, int] = (320, 240)) -> BgrImage:
    """A picture whose brightness is its number."""
    return np.full((size[1], size[0], 3), value, np.uint8)


def write_video(path: Path, frames: int = 12) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240))
    assert writer.isOpened()
    for number in range(frames):
        writer.write(numbered(20 * number))
    writer.release()


def drained(source: FrameSource) -> list[Frame]:
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    return frames


def wait_for(condition: Callable[[], bool], source: FrameSource) -> None:
    """Reads frames until something is true; the wait inside `read` is the source's own condition."""
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, source.state()
        source.read(timeout=0.05)


def test_every_frame_of_a_video_file_comes_in_turn_with_its_own_time(tmp_path: Path) -> None:
    write_video(tmp_path / "game.avi")
    with open_source(str(tmp_path / "game.avi")) as source:
        frames = drained(source)
        assert source.state().health is Health.ENDED
    assert [frame.index for frame in frames] == list(range(12))
    assert np.allclose([b.captured_at - a.captured_at for a, b in pairwise(frames)], 0.1)
    assert [round(float(frame.image.mean()) / 20) for frame in frames] == list(range(12))


def test_a_folder_gives_its_pictures_in_order_and_leaves_out_what_is_none(tmp_path: Path) -> None:
    for name, value in (("b.png", 20), ("a.png", 10), ("d.png", 30)):
        cv2.imwrite(str(tmp_path / name), numbered(value))
    (tmp_path / "c.jpg").write_text("not a picture")
    (tmp_path / "notes.txt").write_text("ignored")
    with open_source(str(tmp_path)) as source:
        assert [int(frame.image[0, 0, 0]) for frame in drained(source)] == [10, 20, 30]
        assert source.state().health is Health.ENDED
        assert source.state().dropped == 1


def test_a_single_picture_is_a_camera_that_looks_at_a_still_table(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), numbered(77))
    with open_source(str(tmp_path / "table.png")) as source:
        first, second = source.read(), source.read()
        assert first is not None
        assert second is not None
        assert second.index == first.index + 1
        assert second.captured_at > first.captured_at


def test_a_picture_that_vanishes_is_lost_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), numbered(77))
    with open_source(str(path)) as source:
        assert source.read() is not None
        path.unlink()
        assert source.read() is None
        assert source.state().health is Health.LOST
        assert source.state().key == "source.vanished"
        cv2.imwrite(str(path), numbered(78))
        assert source.read() is not None
        assert source.state().health is Health.LIVE


def test_things_that_are_no_source_are_refused_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("hello")
    (tmp_path / "text.mp4").write_text("hello")
    (tmp_path / "empty").mkdir()
    for name, error, words in (
        ("text.jpg", ImageError, "not a picture"),
        ("text.mp4", SourceError, "not a video"),
        ("empty", SourceError, "no picture is in the folder"),
        ("nowhere", SourceError, "no camera, picture or video"),
    ):
        with pytest.raises(error, match=words):
            open_source(str(tmp_path / name))
    with pytest.raises(SourceError, match="expected an http"):
        open_source("file:///etc/passwd")


def test_a_camera_that_is_not_there_is_lost_with_a_cause() -> None:
    with open_source("/dev/video97", QUICK) as source:
        wait_for(lambda: source.state().health is Health.LOST, source)
        state = source.state()
    assert state.key == "source.none"
    assert state.cause == (
        "camera /dev/video97 cannot be opened: is it plugged in, and does no other program use it?"
    )


def test_a_camera_that_is_there_but_cannot_be_opened_is_thought_to_be_taken(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    with LiveSource(str(tmp_path / "video0"), QUICK) as source:
        wait_for(lambda: source.state().key == "source.taken", source)


def test_closing_does_not_wait_for_the_next_attempt() -> None:
    patient = SourceOptions(retry_first=60.0, retry_most=60.0)
    source = open_source("/dev/video97", patient)
    wait_for(lambda: source.state().key == "source.none", source)
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 1.5


class Stream:
    """An MJPEG camera on the loopback that can be switched off and on again at the same address."""

    def __init__(self) -> None:
        self.picture: Callable[[int], BgrImage] = lambda number: numbered(number % 200 + 20, (640, 480))
        self.port = 0
        self._server: ThreadingHTTPServer | None = None
        self._off = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/stream.mjpg"

    def switch_on(self) -> None:
        stream, self._off = self, threading.Event()
        off = self._off

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                number = 0
                try:
                    while not off.is_set():
                        data = cv2.imencode(".jpg", stream.picture(number))[1].tobytes()
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                        number += 1
                        off.wait(0.02)
                except OSError:
                    return

            def log_message(self, format: str, *args: object) -> None:
                del format, args

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    def switch_off(self) -> None:
        self._off.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@pytest.fixture
def stream() -> Iterator[Stream]:
    camera = Stream()
    camera.switch_on()
    yield camera
    camera.switch_off()


def test_a_stream_that_breaks_off_is_told_and_found_again(stream: Stream) -> None:
    with open_source(stream.address, QUICK) as source:
        first = source.read(timeout=DEADLINE)
        assert first is not None
        assert first.image.shape == (480, 640, 3)
        assert source.state().health is Health.LIVE
        stream.switch_off()
        wait_for(lambda: source.state().key == "source.stream-gone", source)
        assert source.state().health in (Health.STALE, Health.LOST)
        before = source.state().frames
        stream.switch_on()
        wait_for(lambda: source.state().frames > before and source.state().health is Health.LIVE, source)


def test_an_address_from_which_nothing_comes_is_told_once_and_in_our_words_only() -> None:
    nobody = "http://name:secret@127.0.0.1:9/stream.mjpg"
    program = (
        "from vision.source import SourceOptions, open_source\n"
        f"with open_source({nobody!r}, SourceOptions(retry_first=0.01, retry_most=0.01)) as source:\n"
        "    while source.state().key != 'source.no-stream':\n"
        "        source.read(timeout=0.05)\n"
        "    print(source.state().cause)\n"
    )
    # FFmpeg is silenced before its first use in a process, and writes past Python
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE, check=True
    )
    assert run.stderr == ""
    assert "is the address right" in run.stdout
    assert "secret" not in run.stdout


def test_the_newest_frame_wins_and_the_others_are_dropped(stream: Stream) -> None:
    with open_source(stream.address, QUICK) as source:
        first = source.read(timeout=DEADLINE)
        assert first is not None
        end = time.monotonic() + DEADLINE
        while source.state().frames < first.index + 20:
            assert time.monotonic() < end
            threading.Event().wait(0.01)
        newest = source.read()
        assert newest is not None
        assert newest.index >= first.index + 19
        assert source.state().dropped >= 15


def test_a_frozen_stream_is_stale_and_a_living_one_is_not(stream: Stream) -> None:
    with open_source(stream.address, QUICK) as source:
        wait_for(lambda: source.state().health is Health.LIVE, source)
        assert not source.state().repeats
        stream.picture = lambda _: numbered(90, (640, 480))
        wait_for(lambda: source.state().repeats, source)
        wait_for(lambda: source.state().key == "source.frozen", source)
        assert source.state().health is Health.STALE


@pytest.mark.parametrize(
    ("value", "size", "key"), [(0, (640, 480), "source.black"), (90, (160, 120), "source.tiny")]
)
def test_black_and_tiny_pictures_are_named(
    stream: Stream, value: int, size: tuple[int, int], key: str
) -> None:
    stream.picture = lambda number: numbered(value + number % 2, size)
    with open_source(stream.address, QUICK) as source:
        wait_for(lambda: source.state().key == key, source)


def test_no_reader_is_left_behind(stream: Stream) -> None:
    before = threading.active_count()
    for _ in range(3):
        with open_source(stream.address, QUICK) as source:
            assert source.read(timeout=DEADLINE) is not None
    readers = [thread for thread in threading.enumerate() if thread.name.startswith("reader of")]
    assert not readers
    assert threading.active_count() <= before + 3  # the server's own


def test_cameras_are_listed_by_name_without_their_second_nodes(tmp_path: Path) -> None:
    devices, names = tmp_path / "dev", tmp_path / "names"
    devices.mkdir()
    for number, index, name in (
        (0, "0", "Desk camera"),
        (1, "1", "Desk camera"),
        (10, "0", "Overhead"),
        (2, "0", ""),
    ):
        (devices / f"video{number}").touch()
        node = names / f"video{number}"
        node.mkdir(parents=True)
        (node / "index").write_text(index + "\n")
        (node / "name").write_text(name + "\n")
    found = [(Path(camera.source).name, camera.name) for camera in list_cameras(devices, names)]
    assert found == [("video0", "Desk camera"), ("video2", "video2"), ("video10", "Overhead")]


def test_a_password_in_an_address_is_not_described() -> None:
    assert masked("rtsp://anna:secret@camera.local:554/live") == "rtsp://…@camera.local:554/live"
    assert "secret" not in masked("rtsp://anna:secret@[::1/live"), "which is no address"
