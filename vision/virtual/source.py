"""A camera over the virtual table: plays one view after the other at a human pace."""

import math
import time
from collections import deque
from collections.abc import Iterator

from vision.feed import Closing, Health, SourceState
from vision.frame import Frame
from vision.table import TableView
from vision.virtual.placing import Placements
from vision.virtual.scene import Scene
from vision.virtual.script import Phase, SceneState, at_rest, between, steps

_SECONDS = {
    Phase.REACH: 0.30,
    Phase.GRASP: 0.28,
    Phase.CARRY: 0.35,
    Phase.RELEASE: 0.22,
    Phase.WITHDRAW: 0.45,
}
_SPEED = 0.95
"""Board widths that a hand crosses in a second."""
_SHUTTER_S = 1 / 60


class VirtualSource(Closing):
    """Frames of a table that a player sets and changes: `push` a view and it will be played.

    With `live` frames come no faster than `frames_per_s` and motion follows the clock, as with a real camera;
    without, each frame is one step further on a clock of the table's own, and nothing waits: `look` takes a
    picture after any number of seconds.
    """

    def __init__(
        self,
        scene: Scene,
        view: TableView,
        *,
        seed: int = 0,
        pace: float = 1.0,
        frames_per_s: float = 15.0,
        live: bool = True,
        pause_s: float = 0.8,
    ) -> None:
        if pace <= 0 or frames_per_s <= 0:
            raise ValueError(f"pace and frames_per_s must be above 0, found {pace} and {frames_per_s}")
        self._scene = scene
        self._placements: Placements = scene.lay(view, seed)
        self._seed = seed
        self._pace = pace
        self._interval_s = 1 / frames_per_s
        self._live = live
        self._pause_s = pause_s
        self._queue: deque[TableView] = deque()
        self._shown = at_rest(self._placements)
        self._start = self._shown
        self._goal: SceneState | None = None
        self._steps: Iterator[SceneState] | None = None
        self._leg_s = self._spent_s = self._rest_s = 0.0
        self._index = 0
        self._played = 0
        self._seconds = 0.0
        self._due_at: float | None = None
        self._closed = False

    def push(self, view: TableView) -> None:
        """The player will bring the table to this view once all earlier ones are reached."""
        self._queue.append(view.within(self._scene.layout))

    def lay(self, view: TableView) -> None:
        """Clears the table and lays this view at once: another game begins. For a source that nobody reads
        just now."""
        self._queue.clear()
        self._placements = self._scene.lay(view, self._seed + self._played)
        self._steps = self._goal = None
        self._start = at_rest(self._placements)

    @property
    def waiting(self) -> int:
        """Views that the table has not reached yet, counting the one being played."""
        return len(self._queue)

    @property
    def on_table(self) -> SceneState:
        """What is on the table in the newest frame."""
        return self._shown

    def read(self, timeout: float = 0.0) -> Frame | None:
        """The next frame; waits up to `timeout` seconds until it is due. None: not due yet, or closed."""
        if self._closed:
            return None
        elapsed_s = self._await_due(timeout)
        return None if elapsed_s is None else self.look(elapsed_s)

    @property
    def now(self) -> float:
        """Seconds on the table's clock."""
        return self._seconds

    def look(self, elapsed_s: float) -> Frame:
        """Lets so many seconds pass on the table and takes a picture of it."""
        before = self._shown
        self._shown = self._advance(elapsed_s)
        motion = self._motion_px(before, self._shown, elapsed_s)
        image = self._scene.render(self._shown, moment=self._index, motion=motion)
        self._seconds += elapsed_s
        at = time.monotonic() if self._live else self._seconds
        frame = Frame(index=self._index, captured_at=at, image=image)
        self._index += 1
        return frame

    def state(self) -> SourceState:
        health = Health.ENDED if self._closed else Health.LIVE
        return SourceState(health=health, frames=self._index, fps=self._index / max(self._seconds, 1e-6))

    def describe(self) -> str:
        camera = self._scene.camera
        return f"virtual table, {camera.width} × {camera.height}"

    def close(self) -> None:
        self._closed = True

    def _await_due(self, timeout: float) -> float | None:
        """Seconds of play since the last frame; None while the next one is not due."""
        if not self._live:
            return self._interval_s
        now = time.monotonic()
        if self._due_at is None:
            self._due_at = now
        wait_s = self._due_at - now
        if wait_s > 0:
            time.sleep(min(wait_s, timeout))
            if wait_s > timeout:
                return None
            now = self._due_at
        # A slow machine shows fewer frames of the same motion; it does not slow the player down.
        elapsed_s = now - self._due_at + self._interval_s
        self._due_at = now + self._interval_s
        return elapsed_s

    def _advance(self, elapsed_s: float) -> SceneState:
        """Let so much time pass on the table."""
        left_s = elapsed_s * self._pace
        while left_s > 0 and (self._goal is not None or self._choose_goal(left_s)):
            step_s = min(left_s, self._leg_s - self._spent_s)
            self._spent_s += step_s
            left_s -= step_s
            if self._spent_s >= self._leg_s:
                self._start = self._start if self._goal is None else self._goal
                self._goal = None
        if self._goal is None:
            return self._start
        return between(self._start, self._goal, self._spent_s / self._leg_s)

    def _choose_goal(self, left_s: float) -> bool:
        """The next state to move to; False while there is none."""
        if self._steps is None:
            self._rest_s -= left_s
            if self._rest_s > 0 or not self._queue:
                return False
            view = self._queue[0]
            self._played += 1
            self._steps = steps(
                self._placements.view(),
                view,
                self._scene.layout,
                self._seed + self._played,
                shapes=self._scene.shapes,
                placements=self._placements,
            )
        self._goal = next(self._steps, None)
        if self._goal is None:
            self._queue.popleft()
            self._steps = None
            self._rest_s = self._pause_s
            return False
        self._leg_s, self._spent_s = _leg_s(self._start, self._goal), 0.0
        return True

    def _motion_px(self, before: SceneState, after: SceneState, elapsed_s: float) -> tuple[float, float]:
        if before.hand is None or after.hand is None or elapsed_s <= 0:
            return 0.0, 0.0
        ends = self._scene.camera.project(
            [(before.hand.x, before.hand.y, before.hand.z), (after.hand.x, after.hand.y, after.hand.z)]
        )
        share = min(1.0, _SHUTTER_S / elapsed_s)
        return float(ends[1][0] - ends[0][0]) * share, float(ends[1][1] - ends[0][1]) * share


def _leg_s(start: SceneState, goal: SceneState) -> float:
    """How long a hand takes from one state to the next."""
    if start.hand is None or goal.hand is None:
        return 0.02
    distance = math.hypot(goal.hand.x - start.hand.x, goal.hand.y - start.hand.y)
    return _SECONDS[goal.phase] + distance / _SPEED
