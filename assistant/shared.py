"""A session that several threads may use: the camera tells what it sees, tablets wait for what is new."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from assistant.kit import Game, GameKit, Refusal
from assistant.refused import RefusedError
from assistant.session import Session
from assistant.sight import CameraView
from assistant.snapshot import CameraStatus, FindingFate, Snapshot
from vision.observation import Observation
from vision.table import ZoneId, ZoneView

T = TypeVar("T")


class SharedSession:
    """Every method may be called from any thread; what the web server needs of a running game."""

    def __init__(self, kit: GameKit, session: Session, *, after: Callable[[], None] = lambda: None) -> None:
        """`after` is called after all that happens, by the thread that made it happen: to record it."""
        self.kit = kit
        self.camera: CameraView | None = None
        """What the tablet may show of the camera; None where there is none."""
        self._session = session
        self._newest = session.snapshot()
        self._after = after
        self._changed = threading.Condition()

    def change(self, begin: Callable[[], tuple[Session, Callable[[], None]]]) -> None:
        """Another game begins on the same table; pages go on counting where they are.

        Nothing is seen or told while `begin` ends the old one and makes the new one.
        """
        with self._changed:
            number = self._session.snapshot().number
            session, after = begin()
            session.number_from(number + 1)
            self._session, self._after = session, after
            self._newest = session.snapshot()
            self._changed.notify_all()

    @property
    def game(self) -> Game[Any, Any]:
        return self._session.game

    def observe(self, observation: Observation) -> Snapshot:
        """Takes in a sight, and tells what is thought after it."""
        self._do(lambda session: session.observe(observation))
        return self.snapshot()

    def wait(self, at: float) -> None:
        """Time passes, and the table looks as before."""
        self._do(lambda session: session.wait(at))

    def now(self) -> float:
        """The clock of what was seen; a game that is taken up again goes on where it was."""
        with self._changed:
            return self._session.now

    def bare(self) -> tuple[frozenset[ZoneId], frozenset[ZoneId]]:
        """Heaps where nothing lies, and zones that speak against the game."""
        with self._changed:
            return self._session.bare, self._session.aside

    def show_camera(self, camera: CameraStatus) -> None:
        self._do(lambda session: session.show_camera(camera))

    def snapshot(self) -> Snapshot:
        """What was thought last: nobody waits here while the session thinks."""
        return self._newest

    def wait_newer(self, number: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once it is newer than `number`; None if nothing happened in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._session.snapshot().number > number, timeout)
            newest = self._session.snapshot()
            return newest if newest.number > number else None

    def state_after(self, move: int) -> Any:
        """The most likely position after so many logged moves; None where there are not so many."""
        with self._changed:
            return self._session.state_after(move)

    def correct(self, told: ZoneView) -> None:
        self._do(lambda session: session.correct(told))

    def correct_at(self, move: int, told: ZoneView) -> None:
        self._do(lambda session: session.correct_at(move, told))

    def instead(self, move: int, notation: str) -> None:
        """Raises where the rules do not allow that move there: the page says why."""
        refusal: Refusal | None = self._do(lambda session: session.instead(move, notation))
        if refusal is not None:
            raise RefusedError(refusal.message)

    def decide(self, finding: int, fate: FindingFate) -> None:
        self._do(lambda session: session.decide(finding, fate))

    def undo(self) -> None:
        self._do(lambda session: session.undo())

    def end_phase(self) -> None:
        """Raises where the rules do not allow it yet: the page says why."""
        refusal: Refusal | None = self._do(lambda session: session.end_phase())
        if refusal is not None:
            raise RefusedError(refusal.message)

    def resume_here(self, round_number: int) -> None:
        """Raises where there is no sight of the table yet: the page says so."""
        self._do(lambda session: session.resume_here(round_number))

    def take_as_it_lies(self) -> None:
        """The player says that the table is right, whatever we make of it."""
        self._do(lambda session: session.adopt_table())

    def has_seen(self) -> bool:
        """Whether this game had a sight of its table."""
        with self._changed:
            return self._session.has_seen

    def answer(self, question: int, answer: str) -> None:
        self._do(lambda session: session.answer(question, answer))

    def _do(self, work: Callable[[Session], T]) -> T:
        with self._changed:
            before = self._session.snapshot().number
            try:
                return work(self._session)
            finally:
                self._after()
                self._newest = self._session.snapshot()
                if self._newest.number != before:
                    self._changed.notify_all()
