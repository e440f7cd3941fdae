"""Looks at a table in a thread of its own: frames become observations, and those go to the session."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from assistant.camera import WatchedCamera
from assistant.kit import Message
from assistant.shared import SharedSession
from assistant.snapshot import CameraState, CameraStatus
from vision.feed import FrameSource, Health
from vision.memory import give_back
from vision.observation import Observation
from vision.observe import Eye

WAIT_S: Final = 0.5
STILL_S: Final = 0.4
"""How often the session hears that nothing changed."""
UNSEEN_S: Final = 2.0
"""Time between two sights beyond this does not pass for the session: nobody can be called slow meanwhile."""
HANGING_S: Final = 60.0
"""A picture that is being read for longer is given up: even a busy machine needs only seconds."""
GUARD_S: Final = 1.0
TIDY_S: Final = 30.0
"""How often memory that pictures needed is given back."""
MOST_HUNG: Final = 3
"""A thread cannot be ended from outside; so many may hang before only a new start helps."""

_STATES: Final = {
    Health.LIVE: CameraState.LIVE,
    Health.STALE: CameraState.STALE,
    Health.LOST: CameraState.LOST,
    Health.ENDED: CameraState.LOST,
}

_BLIND: Final = {"sight.dark", "sight.colours"}
"""What spoils all of the picture at once."""

log = logging.getLogger(__name__)


class Watch:
    """Frames wait in a slot of one inside the source, so a slow eye skips frames and never falls behind.

    Two threads: one looks, the other guards it. A look that hangs or dies is begun again with a fresh eye.
    """

    def __init__(
        self,
        session: SharedSession,
        eye: Eye,
        source: FrameSource,
        *,
        clock: Callable[[], float] = time.monotonic,
        hanging_s: float = HANGING_S,
    ) -> None:
        self._session = session
        self._camera = WatchedCamera(session.game, eye)
        session.camera = self._camera
        self._last: Observation | None = None
        self._told_at = self._unseen_s = 0.0
        self._seen_at: float | None = None
        self._eye = eye
        self._source = source
        self._clock = clock
        self._hanging_s = hanging_s
        self.pictures = 0
        """How many were looked at."""
        self._stopped = threading.Event()
        self._rate = Rate()
        self._registered = False
        self.calm_at = 0.0
        """When the newest frame of a calm table was taken."""
        self._trouble: Message | None = None
        self._tidied_at = clock()
        self._look_id = 0
        self._busy_since: float | None = None
        self._looks: list[threading.Thread] = []
        self._guard = threading.Thread(target=self._keep_guard, name="watchdog", daemon=True)

    def start(self) -> None:
        self._begin_looking()
        self._guard.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._guard.ident is not None:
            self._guard.join()
        if self._looks and not self._is_hanging():
            self._looks[-1].join(self._hanging_s)
        self._source.close()

    def look(self, timeout: float = WAIT_S) -> None:
        """One turn of the watch: the newest frame, if one comes in time, is read and told."""
        self._look_once(self._look_id, timeout)

    def _guard_look(self) -> None:
        """Looks after the thread that looks: begins again where it hangs or has died."""
        if self._stopped.is_set() or not self._looks:
            return
        if self._is_hanging():
            hung = sum(thread.is_alive() for thread in self._looks)
            if hung >= MOST_HUNG:
                self._complain("watch.stuck")
                return
            log.error("a picture is being read for more than %g s; begun again", self._hanging_s)
        elif self._looks[-1].is_alive():
            return
        else:
            log.error("the watch of the table ended by itself; begun again")
        self._complain("watch.again")
        self._begin_looking()

    @property
    def busy(self) -> bool:
        """Whether a picture is being read just now."""
        return self._busy_since is not None

    def _is_hanging(self) -> bool:
        since = self._busy_since
        return since is not None and self._clock() - since > self._hanging_s

    def _complain(self, key: str) -> None:
        self._trouble = Message.of(key)
        self._show_camera(None)

    def _begin_looking(self) -> None:
        if self._looks:
            self._eye = self._eye.fresh()
            self._camera.look_through(self._eye)
        self._look_id += 1
        self._busy_since = None
        thread = threading.Thread(target=self._look_on, args=(self._look_id,), name="watch", daemon=True)
        self._looks = [old for old in self._looks if old.is_alive()] + [thread]
        thread.start()

    def _keep_guard(self) -> None:
        while not self._stopped.wait(GUARD_S):
            self._guard_look()

    def _look_on(self, look_id: int) -> None:
        while not self._stopped.is_set() and look_id == self._look_id:
            self._look_once(look_id, WAIT_S)

    def _look_once(self, look_id: int, timeout: float) -> None:
        frame = self._source.read(timeout=timeout)
        if frame is None:
            self._show_camera(None)
            if self._source.state().health is Health.ENDED:
                self._stopped.wait(timeout)
            return
        self._busy_since = self._clock()
        observation = self._eye.observe(frame)
        if look_id != self._look_id:
            return  # given up in the meantime: another thread looks now
        self._busy_since = self._trouble = None
        self._rate.tick(self._clock())
        self._camera.show(frame, observation)
        self._show_camera(observation)
        state = self._source.state()
        if state.health is Health.LIVE and not state.repeats:  # a frozen half of a move looks calm
            self._tell(observation)
            self._eye.take_as_bare(*self._session.bare())
            if observation.calm:
                self.calm_at = frame.captured_at
        self.pictures += 1
        if self._clock() - self._tidied_at > TIDY_S:
            self._tidied_at = self._clock()
            give_back()

    def _tell(self, observation: Observation) -> None:
        """What looks as before is only told now and then, so that time passes: a record stays small."""
        observation = replace(observation, seen_at=self._watched_time(observation.seen_at))
        new = self._last is None or not observation.says_the_same_as(self._last)
        if new or not self._session.has_seen():  # or another game began at a table that lies as before
            self._session.observe(observation)
        elif observation.seen_at - self._told_at >= STILL_S:
            self._session.wait(observation.seen_at)
        else:
            return
        self._last, self._told_at = observation, observation.seen_at

    def _watched_time(self, at: float) -> float:
        """The time of a sight without the time in which nothing could be seen, before the start as well."""
        if self._seen_at is None:
            self._unseen_s = at - self._session.now()
        else:
            self._unseen_s += max(0.0, at - self._seen_at - UNSEEN_S)
        self._seen_at = at
        return at - self._unseen_s

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
                why=self._trouble or self._cause(state.key, observation),
            )
        )

    def _cause(self, key: str | None, observation: Observation | None) -> Message | None:
        """Why the table cannot be seen, as one sentence that says what to do."""
        if key is not None:
            return Message.of(key)
        registration = self._eye.registration
        if registration is not None and registration.lost is not None:
            return Message.of(registration.lost.value)
        whys = {zone.why for zone in observation.zones} if observation is not None else set()
        return Message.of(f"{whys.pop()}-advice") if len(whys) == 1 and whys <= _BLIND else None


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
