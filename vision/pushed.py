"""A camera that sends its pictures by itself, such as a phone: JPEG frames are pushed in, the newest wins."""

import threading
import time
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.feed import DEFAULTS, Closing, Health, SourceOptions, SourceState
from vision.frame import Frame

LARGEST_BYTES: Final = 4_000_000
LARGEST_SIDE: Final = 4_096
"""A picture may claim any size in its header; a larger one is refused before room is made for it."""

_SMOOTHING: Final = 0.1
_NO_SIZE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
_SIZES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


class PushedSource(Closing):
    """`offer` may be called from any thread; one camera at a time is listened to (see `take_turn`)."""

    def __init__(
        self, options: SourceOptions = DEFAULTS, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._options = options
        self._clock = clock
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._frames = 0
        self._dropped = 0
        self._interval = 0.0
        self._latest_at = clock()
        self._turn = 0
        self._closed = False

    def take_turn(self) -> int:
        """The newest sender is listened to: a phone that comes back must not wait for its old line."""
        with self._news:
            self._turn += 1
            return self._turn

    def offer(self, jpeg: bytes, turn: int | None = None) -> bool:
        """Takes in one picture; whether it was one that can be used."""
        size = jpeg_size(jpeg) if len(jpeg) <= LARGEST_BYTES else None
        if size is None or max(size) > LARGEST_SIDE or min(size) < 1:
            return False
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            return False
        now = self._clock()
        with self._news:
            if self._closed or turn not in (None, self._turn):
                return False
            if self._frames:
                gap = now - self._latest_at
                self._interval += (gap - self._interval) * (_SMOOTHING if self._interval else 1.0)
            self._dropped += self._frame is not None
            self._frame = Frame(index=self._frames, captured_at=now, image=np.asarray(image, np.uint8))
            self._frames += 1
            self._latest_at = now
            self._news.notify_all()
        return True

    def read(self, timeout: float = 0.0) -> Frame | None:
        with self._news:
            self._news.wait_for(lambda: self._frame is not None or self._closed, timeout)
            frame, self._frame = self._frame, None
            return frame

    def state(self) -> SourceState:
        with self._news:
            health, key, cause = self._judged(self._clock() - self._latest_at)
            return SourceState(
                health=health,
                key=key,
                cause=cause,
                frames=self._frames,
                dropped=self._dropped,
                fps=1 / self._interval if self._interval else 0.0,
            )

    def describe(self) -> str:
        return "a phone"

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _judged(self, silent: float) -> tuple[Health, str | None, str | None]:
        if self._closed:
            return Health.ENDED, None, None
        if not self._frames:
            return (
                Health.LOST,
                "source.no-phone",
                "no phone sends its picture yet: open the camera page.",
            )
        if silent > self._options.lost_after:
            return Health.LOST, "source.phone-gone", "the phone sends no pictures any more."
        if silent > self._options.stale_after:
            return Health.STALE, "source.silent", "the phone sends no pictures just now."
        return Health.LIVE, None, None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a JPEG says; None where it is none."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _NO_SIZE:
            at += 2
        elif marker in _SIZES:
            height, width = (int.from_bytes(data[at + i : at + i + 2], "big") for i in (5, 7))
            return width, height
        else:
            length = int.from_bytes(data[at + 2 : at + 4], "big")
            if length < 2:
                return None
            at += 2 + length
    return None
