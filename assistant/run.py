"""A game being watched: frames become observations, observations become the game, each in its own time."""

import threading
import time
from typing import Any, Final

from assistant.errors import FloodwatchError
from assistant.kit import Game, GameKit, Message
from assistant.session import Session
from assistant.snapshot import CameraState, CameraStatus, FindingFate, Snapshot
from vision.feed import FrameSource, Health
from vision.frame import Frame
from vision.observation import Observation
from vision.observe import Eye
from vision.table import ZoneView

WAIT_S: Final = 0.5
_STATES: Final = {
    Health.LIVE: CameraState.LIVE,
    Health.STALE: CameraState.STALE,
    Health.LOST: CameraState.LOST,
    Health.ENDED: CameraState.LOST,
}


class WatchError(FloodwatchError):
    """Something the player asked for that cannot be done now."""


class Watch:
    """Looks at a table in a thread of its own; every change is one numbered snapshot.

    All public methods may be called from any thread. Frames wait in a slot of one inside the source, so a
    slow eye skips frames and never falls behind.
    """

    def __init__(self, kit: GameKit, session: Session, eye: Eye, source: FrameSource) -> None:
        self.kit = kit
        self.game: Game[Any, Any] = session.game
        self._session = session
        self._eye = eye
        self._source = source
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._rate = _Rate()
        self._frame: Frame | None = None
        self._observation: Observation | None = None
        self._newest = session.snapshot()
        self._thread = threading.Thread(target=self._look, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()
        self._source.close()

    def snapshot(self) -> Snapshot:
        with self._changed:
            return self._newest

    def wait_newer(self, number: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its number is higher; None after `timeout` seconds without one."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest.number > number or self._stopped.is_set(), timeout)
            return self._newest if self._newest.number > number else None

    @property
    def frame(self) -> Frame | None:
        """The newest frame that was looked at."""
        with self._changed:
            return self._frame

    @property
    def observation(self) -> Observation | None:
        with self._changed:
            return self._observation

    def correct(self, told: ZoneView) -> None:
        """The player says which card lies in a zone."""
        cards = [placed.card for placed in told.cards if placed.card is not None]
        if not cards:
            raise WatchError("Only a card can be corrected here: name the card that lies in this place.")
        with self._changed:
            self._session.correct(told.zone, cards[-1])
            self._publish()

    def decide(self, finding: int, fate: FindingFate) -> None:
        with self._changed:
            if fate is FindingFate.ACCEPTED:
                self._session.accept(finding)
            else:
                self._session.dismiss(finding)
            self._publish()

    def undo(self) -> None:
        with self._changed:
            self._session.undo()
            self._publish()

    def end_phase(self) -> None:
        with self._changed:
            refusal = self._session.end_phase()
            self._publish()
        if refusal is not None:
            raise WatchError(f"{refusal.rule}: this phase cannot be ended yet.")

    def answer(self, question: int, answer: str) -> None:
        with self._changed:
            self._session.answer(question, answer)
            self._publish()

    def _look(self) -> None:
        while not self._stopped.is_set():
            frame = self._source.read(timeout=WAIT_S)
            if frame is None:
                self._show_camera(None)
                continue
            observation = self._eye.observe(frame)
            with self._changed:
                self._frame, self._observation = frame, observation
                self._session.observe(observation)
            self._rate.tick()
            self._show_camera(observation)

    def _show_camera(self, observation: Observation | None) -> None:
        """The session's newest word, with what the camera does at this moment."""
        state = self._source.state()
        camera = CameraStatus(
            state=_STATES[state.health],
            frames_per_second=round(self._rate.per_second, 1),
            registered=observation.registered if observation is not None else self._newest.camera.registered,
            calm=observation is not None and observation.calm,
            why=Message.of(state.key) if state.key is not None else self._lost_board(),
        )
        with self._changed:
            self._session.show_camera(camera)
            self._publish()

    def _lost_board(self) -> Message | None:
        registration = self._eye.registration
        if registration is None or registration.lost is None:
            return None
        return Message.of(registration.lost.value)

    def _publish(self) -> None:
        """With the lock held: wakes everyone who waits for something newer."""
        newest = self._session.snapshot()
        if newest.number > self._newest.number:
            self._newest = newest
            self._changed.notify_all()


class _Rate:
    """Frames per second, smoothed so that a number on a page does not flicker."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._interval = 0.0

    def tick(self) -> None:
        now = time.monotonic()
        if self._last is not None:
            spent = now - self._last
            self._interval = spent if not self._interval else 0.9 * self._interval + 0.1 * spent
        self._last = now

    @property
    def per_second(self) -> float:
        return 1 / self._interval if self._interval else 0.0
