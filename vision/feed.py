"""What every source of frames offers, and how it says that it is in trouble."""

import os
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import urlsplit

import cv2

from vision.errors import VisionError
from vision.frame import Frame

_FFMPEG_SILENT = "-8"


class SourceError(VisionError):
    """A source that cannot be opened at all; the message says what to do."""


class Health(Enum):
    LIVE = "live"
    STALE = "stale"
    """Frames fail to come, or are of no use; it may pass."""
    LOST = "lost"
    """Nothing comes; we keep trying."""
    ENDED = "ended"
    """A file has no more frames."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    health: Health
    key: str | None = None
    """The message key of the trouble, such as `source.frozen`."""
    cause: str | None = None
    """The same as one plain sentence."""
    frames: int = 0
    dropped: int = 0
    """Frames that nobody read in time: the newest wins."""
    fps: float = 0.0
    repeats: bool = False
    """The same picture has come for a while, too short to call it frozen: it is no news of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    width: int = 1920
    height: int = 1080
    fps: float = 30.0
    steady: bool = True
    """Switch off autofocus where the camera lets us: a hunting lens looks like motion."""
    realtime: bool = False
    """Play a video file at its own speed and drop what comes too late."""
    stale_after: float = 2.0
    lost_after: float = 6.0
    repeats_after: float = 0.5
    """Some drivers send a picture twice; more than that is no news."""
    frozen_after: float = 3.0
    retry_first: float = 0.5
    retry_most: float = 8.0
    """Seconds between attempts to connect again grow from the first to the most."""


DEFAULTS = SourceOptions()


class FrameSource(Protocol):
    def read(self, timeout: float = 0.0) -> Frame | None:
        """The newest frame not read before; waits up to `timeout` seconds for one, else None."""

    def state(self) -> SourceState: ...

    def describe(self) -> str:
        """What it is, in words fit for a log: no passwords."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Closing:
    """Lets a source be used in a `with` statement."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def masked(address: str) -> str:
    """An address without the name and password in it."""
    try:
        parts = urlsplit(address)
    except ValueError:  # no address, such as http://[
        return "…"
    if not (parts.username or parts.password):
        return address
    return address.replace(parts.netloc, "…@" + parts.netloc.rpartition("@")[2], 1)


def quiet_opencv() -> None:
    """OpenCV and its FFmpeg write complaints of their own to the terminal, at each attempt; ours say more.

    FFmpeg is asked before its first use, and only so; whoever wants its words may set the variable.
    """
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _FFMPEG_SILENT)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
