"""A camera or stream read by a thread of its own: the newest frame wins, and a lost one is sought again."""

import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeGuard

import cv2
import numpy as np

from vision.feed import DEFAULTS, Closing, Health, SourceOptions, SourceState, masked, quiet_opencv
from vision.frame import BgrImage, Frame

log = logging.getLogger(__name__)

_SMALLEST = (320, 200)
_BLACK_MEAN, _BLACK_SPREAD = 6.0, 4.0
_FAILED_READS = 5
_MOST_THREADS = 3


class Capture(Protocol):
    """What we use of a `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: N802

    def read(self) -> tuple[bool, Any]: ...

    def release(self) -> None: ...


Opener = Callable[[int | str, SourceOptions], Capture]


@dataclass(frozen=True, slots=True)
class _Trouble:
    key: str
    cause: str


@dataclass(slots=True)
class _Slot:
    """The one frame that waits, and what is known about those before it."""

    frame: Frame | None = None
    frames: int = 0
    dropped: int = 0
    latest_at: float = 0.0
    differed_at: float = 0.0
    """When a frame last differed from the one before: a real sensor always has grain."""
    sample: bytes = b""
    black: bool = False
    size: tuple[int, int] = (0, 0)
    interval: float = 0.0
    trouble: _Trouble | None = None
    """Why there is no connection just now."""


class LiveSource(Closing):
    def __init__(
        self,
        address: int | str,
        options: SourceOptions = DEFAULTS,
        *,
        opened: Opener | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`opened` and `clock` are given by those who put another camera or another time in their place."""
        quiet_opencv()
        self._address = address
        self._options = options
        self._opened = opened or _opened
        self._clock = clock
        self._slot = _Slot(latest_at=clock())
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._generation = 0
        self._threads: list[threading.Thread] = []
        self._start_reader()

    def read(self, timeout: float = 0.0) -> Frame | None:
        with self._news:
            self._news.wait_for(lambda: self._slot.frame is not None or self._stop.is_set(), timeout)
            frame, self._slot.frame = self._slot.frame, None
        if frame is None:
            self._replace_hung_reader()
        return frame

    def state(self) -> SourceState:
        with self._news:
            slot = replace(self._slot)
        health, trouble = self._judged(slot, self._clock())
        return SourceState(
            health=health,
            key=trouble.key if trouble else None,
            cause=trouble.cause if trouble else None,
            frames=slot.frames,
            dropped=slot.dropped,
            fps=1 / slot.interval if slot.interval else 0.0,
            repeats=slot.latest_at - slot.differed_at > self._options.repeats_after,
        )

    def describe(self) -> str:
        if isinstance(self._address, int):
            return f"camera {self._address}"
        return f"stream {masked(self._address)}" if _is_stream(self._address) else f"camera {self._address}"

    def close(self) -> None:
        self._stop.set()
        with self._news:
            self._news.notify_all()
        for thread in self._threads:
            thread.join(timeout=2.0)

    def _judged(self, slot: _Slot, now: float) -> tuple[Health, _Trouble | None]:
        name, options = self.describe(), self._options
        silent = now - slot.latest_at
        if slot.trouble or silent > options.stale_after:
            trouble = slot.trouble or _Trouble("source.silent", f"{name} sends no pictures any more.")
            if not slot.frames and not slot.trouble:
                trouble = _Trouble("source.connecting", f"waiting for the first picture from {name}.")
            never_came = not slot.frames and slot.trouble is not None
            lost = silent > options.lost_after or never_came
            return Health.LOST if lost else Health.STALE, trouble
        if not slot.frames:
            return Health.STALE, _Trouble("source.connecting", f"waiting for the first picture from {name}.")
        if slot.black:
            return Health.STALE, _Trouble("source.black", f"{name} shows only black: is its cover closed?")
        if slot.latest_at - slot.differed_at > options.frozen_after:
            return Health.STALE, _Trouble(
                "source.frozen", f"{name} shows the same picture again and again: unplug it."
            )
        if slot.size[0] < _SMALLEST[0] or slot.size[1] < _SMALLEST[1]:
            size = f"{slot.size[0]} × {slot.size[1]}"
            return Health.LIVE, _Trouble(
                "source.tiny", f"{name} sends only {size} pixels: choose a larger picture."
            )
        return Health.LIVE, None

    def _start_reader(self) -> None:
        self._generation += 1
        thread = threading.Thread(
            target=self._run, args=(self._generation,), name=f"reader of {self.describe()}", daemon=True
        )
        self._threads = [old for old in self._threads if old.is_alive()] + [thread]
        thread.start()

    def _replace_hung_reader(self) -> None:
        """A driver may never return from a read; then another thread takes over, but not without end."""
        hung = self._clock() - self._slot.latest_at > 3 * self._options.lost_after
        busy = [thread for thread in self._threads if thread.is_alive()]
        if hung and self._slot.trouble is None and not self._stop.is_set() and len(busy) < _MOST_THREADS:
            log.warning("%s hangs; starting another reader", self.describe())
            with self._news:
                self._slot.trouble = _Trouble(
                    "source.silent", f"{self.describe()} sends no pictures any more."
                )
            self._start_reader()

    def _current(self, generation: int) -> bool:
        return generation == self._generation and not self._stop.is_set()

    def _run(self, generation: int) -> None:
        wait = self._options.retry_first
        while self._current(generation):
            capture = self._opened(self._address, self._options)
            if capture.isOpened() and self._drain(capture, generation):
                wait = self._options.retry_first
            capture.release()
            if self._current(generation):
                self._tell_trouble()
                self._stop.wait(wait)
                wait = min(2 * wait, self._options.retry_most)

    def _drain(self, capture: Capture, generation: int) -> bool:
        """Reads until the connection breaks; says whether any frame came."""
        came, failed = False, 0
        while self._current(generation) and failed < _FAILED_READS:
            good, image = capture.read()
            if not good or image is None or image.ndim != 3:
                failed += 1
                self._stop.wait(0.01)
                continue
            failed, came = 0, True
            self._offer(np.asarray(image, np.uint8), generation)
        return came

    def _offer(self, image: BgrImage, generation: int) -> None:
        now = self._clock()
        sample = image[::16, ::16]
        grain = sample.tobytes()
        with self._news:
            if not self._current(generation):
                return
            slot = self._slot
            if grain != slot.sample:
                slot.differed_at, slot.sample = now, grain
            gap = now - slot.latest_at
            if slot.frames:
                slot.interval = slot.interval + 0.1 * (gap - slot.interval) if slot.interval else gap
            slot.black = float(sample.mean()) < _BLACK_MEAN and float(sample.std()) < _BLACK_SPREAD
            slot.size = (image.shape[1], image.shape[0])
            slot.dropped += slot.frame is not None
            slot.frame = Frame(index=slot.frames, captured_at=now, image=image)
            slot.frames += 1
            slot.latest_at, slot.trouble = now, None
            self._news.notify_all()

    def _tell_trouble(self) -> None:
        with self._news:
            self._slot.trouble = self._no_connection(came=self._slot.frames > 0)
        log.info("%s", self._slot.trouble.cause)

    def _no_connection(self, *, came: bool) -> _Trouble:
        name = self.describe()
        if _is_stream(self._address):
            if came:
                return _Trouble(
                    "source.stream-gone", f"{name} has broken off, we keep trying: is its camera on?"
                )
            return _Trouble(
                "source.no-stream", f"{name} gives no pictures: is the address right, and its camera on?"
            )
        if _is_there(self._address):
            return _Trouble(
                "source.taken", f"{name} gives no pictures: another program may be using it, close that one."
            )
        if came:
            return _Trouble("source.vanished", f"{name} has vanished: plug it in, we keep trying.")
        return _Trouble(
            "source.none", f"{name} cannot be opened: is it plugged in, and does no other program use it?"
        )


def _is_stream(address: int | str) -> TypeGuard[str]:
    return isinstance(address, str) and "://" in address


def _is_there(address: int | str) -> bool:
    """Whether the camera is plugged in, where the system tells us by a file for each."""
    if not sys.platform.startswith("linux"):
        return False
    return Path(f"/dev/video{address}" if isinstance(address, int) else address).exists()


def _opened(address: int | str, options: SourceOptions) -> cv2.VideoCapture:
    if _is_stream(address):
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 4000]
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    backend = cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY
    capture = cv2.VideoCapture(address, backend)
    if capture.isOpened():
        _configure(capture, options)
    return capture


def _configure(capture: cv2.VideoCapture, options: SourceOptions) -> None:
    """Unknown settings are ignored. MJPG first: raw pictures of this size do not fit through USB 2."""
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, options.width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, options.height)
    capture.set(cv2.CAP_PROP_FPS, options.fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    if options.steady:
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
