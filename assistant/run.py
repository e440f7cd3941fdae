"""Looks at a table in a thread of its own: frames become observations, and those go to the session."""

import threading
import time
from typing import Final

from assistant.camera import WatchedCamera
from assistant.kit import Message
from assistant.shared import SharedSession
from assistant.snapshot import CameraState, CameraStatus
from vision.feed import FrameSource, Health
from vision.observation import Observation
from vision.observe import Eye

WAIT_S: Final = 0.5
STILL_S: Final = 0.4
"""How often the session hears that nothing changed."""

_STATES: Final = {
    Health.LIVE: CameraState.LIVE,
    Health.STALE: CameraState.STALE,
    Health.LOST: CameraState.LOST,
    Health.ENDED: CameraState.LOST,
}


class Watch:
    """Frames wait in a slot of one inside the source, so a slow eye skips frames and never falls behind."""

    def __init__(self, session: SharedSession, eye: Eye, source: FrameSource) -> None:
        self._session = session
        self._camera = WatchedCamera(session.game, eye)
        session.camera = self._camera
        self._last: Observation | None = None
        self._told_at = 0.0
        self._eye = eye
        self._source = source
        self._stopped = threading.Event()
        self._rate = Rate()
        self._registered = False
        self.calm_at = 0.0
        """When the newest frame of a calm table was taken."""
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._source.close()

    def _look(self) -> None:
        while not self._stopped.is_set():
            frame = self._source.read(timeout=WAIT_S)
            if frame is None:
                self._show_camera(None)
                if self._source.state().health is Health.ENDED:
                    self._stopped.wait(WAIT_S)
                continue
            observation = self._eye.observe(frame)
            self._rate.tick(time.monotonic())
            self._camera.show(frame, observation)
            self._show_camera(observation)
            self._tell(observation)
            if observation.calm:
                self.calm_at = frame.captured_at

    def _tell(self, observation: Observation) -> None:
        """What looks as before is only told now and then, so that time passes: a record stays small."""
        if self._last is None or not _same(self._last, observation):
            self._session.observe(observation)
        elif observation.seen_at - self._told_at >= STILL_S:
            self._session.wait(observation.seen_at)
        else:
            return
        self._last, self._told_at = observation, observation.seen_at

    def _show_camera(self, observation: Observation | None) -> None:
        state = self._source.state()
        if observation is not None:
            self._registered = observation.registered
        self._session.show_camera(
            CameraStatus(
                state=_STATES[state.health],
                frames_per_second=float(round(self._rate.per_second)),
                registered=self._registered,
                calm=observation is not None and observation.calm,
                why=Message.of(state.key) if state.key is not None else self._lost_board(),
            )
        )

    def _lost_board(self) -> Message | None:
        registration = self._eye.registration
        if registration is None or registration.lost is None:
            return None
        return Message.of(registration.lost.value)


def _same(one: Observation, other: Observation) -> bool:
    return (one.registered, one.calm, one.zones) == (other.registered, other.calm, other.zones)


class Rate:
    """Frames per second, smoothed so that a number on a page does not flicker."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._interval = 0.0

    def tick(self, now: float) -> None:
        if self._last is not None:
            spent = now - self._last
            self._interval = 0.9 * self._interval + 0.1 * spent if self._interval else spent
        self._last = now

    @property
    def per_second(self) -> float:
        return 1 / self._interval if self._interval else 0.0
