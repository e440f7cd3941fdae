"""Where frames come from: cameras, streams, video files and pictures, opened by what the player typed."""

import logging
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.feed import (
    DEFAULTS,
    Closing,
    FrameSource,
    Health,
    SourceError,
    SourceOptions,
    SourceState,
    masked,
    quiet_opencv,
)
from vision.frame import Frame
from vision.image import IMAGE_SUFFIXES, ImageError, load_image
from vision.live import LiveSource

log = logging.getLogger(__name__)

_STREAM = re.compile(r"(https?|rtsps?)://", re.IGNORECASE)
_CAMERA = re.compile(r"\d{1,2}|/dev/video\d{1,2}")
_MOST_IMAGES = 100_000

__all__ = [
    "CameraDevice",
    "FrameSource",
    "Health",
    "LiveSource",
    "PictureSource",
    "SourceError",
    "SourceOptions",
    "SourceState",
    "VideoSource",
    "list_cameras",
    "open_source",
]


def open_source(text: str, options: SourceOptions = DEFAULTS) -> FrameSource:
    """A camera by number or device, a stream by address, or a video, picture or folder by path."""
    text = text.strip()
    if _CAMERA.fullmatch(text):
        return LiveSource(int(text) if text.isdigit() else text, options)
    if _STREAM.match(text):
        return LiveSource(text, options)
    if "://" in text:
        raise SourceError(f"expected an http, https, rtsp or rtsps address, found {masked(text)!r}.")
    return _open_path(Path(text), options)


def _open_path(path: Path, options: SourceOptions) -> FrameSource:
    if path.is_dir():
        return PictureSource(_images_in(path), str(path), repeat=False, fps=options.fps)
    if not path.is_file():
        raise SourceError(
            f"no camera, picture or video is called {str(path)!r}: expected a camera number such as 0, "
            "an address, or the path of a file or folder."
        )
    if path.suffix.lower() in IMAGE_SUFFIXES:
        load_image(path)  # a bad picture is said at once, not at the first frame
        return PictureSource((path,), str(path), repeat=True, fps=options.fps)
    return VideoSource(path, options)


class PictureSource(Closing):
    """One picture for ever, as of a still table, or a folder's pictures one after the other."""

    def __init__(self, paths: tuple[Path, ...], name: str, *, repeat: bool, fps: float) -> None:
        self._paths = paths
        self._name = name
        self._repeat = repeat
        self._step = 1 / fps
        self._next = 0
        self._frames = 0
        self._unreadable = 0
        self._started_at = time.monotonic()

    def read(self, timeout: float = 0.0) -> Frame | None:
        del timeout  # pictures are there at once or never
        while self._next < len(self._paths):
            path = self._paths[self._next]
            self._next += not self._repeat
            try:
                image = load_image(path)
            except ImageError as error:
                log.warning("%s", error)
                self._unreadable += 1
                if self._repeat:
                    return None
                continue
            self._unreadable *= not self._repeat
            frame = Frame(
                index=self._frames, captured_at=self._started_at + self._frames * self._step, image=image
            )
            self._frames += 1
            return frame
        return None

    def state(self) -> SourceState:
        if self._next >= len(self._paths):
            return SourceState(health=Health.ENDED, frames=self._frames, dropped=self._unreadable)
        if self._repeat and self._unreadable:
            cause = f"{self._name} has vanished or can no longer be read."
            return SourceState(health=Health.LOST, key="source.vanished", cause=cause, frames=self._frames)
        return SourceState(health=Health.LIVE, frames=self._frames, dropped=self._unreadable)

    def describe(self) -> str:
        return f"picture {self._name}" if self._repeat else f"{len(self._paths)} pictures in {self._name}"

    def close(self) -> None:
        self._next = len(self._paths)


class VideoSource(Closing):
    """A video file: every frame in turn, or at its own speed."""

    def __init__(self, path: Path, options: SourceOptions = DEFAULTS) -> None:
        quiet_opencv()
        self._name = path.name
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise SourceError(f"{path.name} is not a video or picture we can read.")
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = fps if np.isfinite(fps) and 0.1 <= fps <= 1000 else 30.0
        self._realtime = options.realtime
        self._started_at = time.monotonic()
        self._position = 0
        self._frames = 0
        self._ended = False

    def read(self, timeout: float = 0.0) -> Frame | None:
        if self._ended or (self._realtime and not self._reach_now(timeout)):
            return None
        good, image = self._capture.read()
        if not good or image is None:
            self._ended = True
            return None
        at = self._started_at + self._position / self._fps
        self._position += 1
        self._frames += 1
        return Frame(index=self._position - 1, captured_at=at, image=np.asarray(image, np.uint8))

    def _reach_now(self, timeout: float) -> bool:
        """Skips frames whose time has passed; waits for the next one where it is not due yet."""
        due_in = self._started_at + self._position / self._fps - time.monotonic()
        if due_in > timeout:
            return False
        if due_in > 0:
            time.sleep(due_in)
        late = int((time.monotonic() - self._started_at) * self._fps) - self._position
        for _ in range(late):
            if not self._capture.grab():
                self._ended = True
                return False
            self._position += 1
        return True

    def state(self) -> SourceState:
        health = Health.ENDED if self._ended else Health.LIVE
        dropped = self._position - self._frames
        return SourceState(health=health, frames=self._frames, dropped=dropped, fps=self._fps)

    def describe(self) -> str:
        return f"video {self._name}"

    def close(self) -> None:
        self._ended = True
        self._capture.release()


@dataclass(frozen=True, slots=True)
class CameraDevice:
    source: str
    """What to give to `open_source`."""
    name: str


def list_cameras(
    devices: Path = Path("/dev"), names: Path = Path("/sys/class/video4linux")
) -> tuple[CameraDevice, ...]:
    """The cameras of this machine; on Linux without opening them, so that none lights up."""
    if sys.platform.startswith("linux"):
        return tuple(_linux_cameras(devices, names))
    return tuple(_probed_cameras())


def _linux_cameras(devices: Path, names: Path) -> Iterator[CameraDevice]:
    found = [path for path in devices.glob("video*") if re.fullmatch(r"video\d+", path.name)]
    for path in sorted(found, key=lambda path: int(path.name[5:])):
        # One camera makes several nodes; those with another index carry no pictures.
        if _text_of(names / path.name / "index") not in ("", "0"):
            continue
        yield CameraDevice(str(path), _text_of(names / path.name / "name") or path.name)


def _probed_cameras() -> Iterator[CameraDevice]:
    quiet_opencv()
    for index in range(6):
        capture = cv2.VideoCapture(index)
        if capture.isOpened():
            yield CameraDevice(str(index), f"camera {index}")
        capture.release()


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _images_in(folder: Path) -> tuple[Path, ...]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES)
    except OSError as error:
        raise SourceError(f"cannot look into the folder {folder}: {error.strerror or error}.") from error
    if not paths:
        raise SourceError(f"no picture is in the folder {folder}: expected files such as 0001.jpg.")
    return tuple(paths[:_MOST_IMAGES])
