"""A webcam over the virtual table that can be unplugged, covered, bumped or hung, on a clock of its own.

The program's own reader thread reads it as it reads any camera: what is pretended here is the hardware.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.faults.table import TableProcess
from vision.feed import SourceOptions
from vision.frame import BgrImage
from vision.live import LiveSource
from vision.virtual.source import VirtualSource

PATIENCE_S: Final = 120.0
"""How long the reader's thread may take for one step on a busy machine."""
OPTIONS: Final = SourceOptions(retry_first=0.01, retry_most=0.02)

Spoil = Callable[[BgrImage, float], BgrImage]
"""What a fault makes of a picture, so many seconds after it began."""


class TableCamera:
    """`tick` lets time pass and gives the reader one picture; it returns when the reader is done with it."""

    def __init__(self, table: VirtualSource | TableProcess, device: Path) -> None:
        self.table = table
        self.spoil: Spoil | None = None
        self.sending = True
        """Whether pictures come at all while the camera is open."""
        self.hanging = False
        """The driver does not come back from a read before the camera is opened again."""
        self._device = device
        device.touch()
        self._seconds = 0.0
        self._spoilt_at = 0.0
        self._change = threading.Condition()
        self._image: BgrImage | None = None
        self._waiting = False
        self._refused = self._opens = 0
        self._broken = False
        self._closed = False
        self._last: BgrImage | None = None

    def clock(self) -> float:
        return self._seconds

    def source(self) -> LiveSource:
        return LiveSource(str(self._device), OPTIONS, opened=self._opened, clock=self.clock)

    # What goes wrong

    def unplug(self, *, taken: bool = False) -> None:
        """Gone; or `taken`: still there, but another program has it."""
        if not taken:
            self._device.unlink()
        with self._change:
            self._broken = True
            self._change.notify_all()

    def plug_in(self) -> None:
        self._device.touch()
        with self._change:
            self._broken = False
            self._waiting = False

    def begin(self, spoil: Spoil) -> None:
        self.spoil, self._spoilt_at = spoil, self._seconds

    @property
    def last(self) -> BgrImage | None:
        """The newest picture as it was sent."""
        return self._last

    # Time

    def tick(self, seconds: float) -> None:
        """So many seconds pass on the table; then the camera sends a picture, if it can."""
        self._seconds += seconds
        image = self.table.look(seconds).image
        if self._broken:
            self._await(lambda refused=self._refused: self._refused > refused)  # type: ignore[misc]
            return
        if not self.sending:
            return
        if self.spoil is not None:
            image = self.spoil(image, self._seconds - self._spoilt_at)
        self._last = image
        if self.hanging and not self._waiting:
            return  # the thread that hangs still has the last one
        self._await(lambda: self._waiting)
        with self._change:
            self._image, self._waiting = image, False
            self._change.notify_all()
        if not self.hanging:
            self._await(lambda: self._waiting)

    def pass_time(self, seconds: float) -> None:
        """Time passes and nobody looks."""
        self._seconds += seconds

    def close(self) -> None:
        with self._change:
            self._closed = self._broken = True
            self._change.notify_all()

    def _await(self, condition: Callable[[], bool]) -> None:
        with self._change:
            if not self._change.wait_for(condition, PATIENCE_S):
                raise TimeoutError("the reader of the camera did not come back")

    # What the reader calls

    def _opened(self, _address: int | str, _options: SourceOptions) -> "_Line":
        with self._change:
            self.hanging = self._waiting = False
            self._opens += 1
            self._change.notify_all()
            if self._broken:
                self._refused += 1
                self._change.notify_all()
            return _Line(self, is_open=not self._broken)

    def read(self) -> BgrImage | None:
        with self._change:
            self._waiting = True
            self._change.notify_all()
            self._change.wait_for(lambda: self._image is not None or self._broken)
            if self.hanging:
                self._image = None
                opens = self._opens
                self._change.wait_for(lambda: self._closed or self._opens > opens)
                return None
            image, self._image = self._image, None
            return None if self._broken else image


class _Line:
    """One connection to the camera, as `cv2.VideoCapture` gives it."""

    def __init__(self, camera: TableCamera, *, is_open: bool) -> None:
        self._camera = camera
        self._is_open = is_open

    def isOpened(self) -> bool:  # noqa: N802
        return self._is_open

    def read(self) -> tuple[bool, Any]:
        image = self._camera.read()
        return image is not None, image

    def release(self) -> None:
        self._is_open = False
