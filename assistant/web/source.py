"""What the server needs of a running game: the newest snapshot, and the player's word taken in."""

from typing import Any, Protocol

from assistant.kit import Game, GameKit
from assistant.snapshot import FindingFate, Snapshot
from vision.table import ZoneView


class SnapshotSource(Protocol):
    """A game being played or watched. Every method may be called from any thread."""

    @property
    def kit(self) -> GameKit: ...

    @property
    def game(self) -> Game[Any, Any]: ...

    def snapshot(self) -> Snapshot: ...

    def wait_newer(self, number: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its number is higher; None after `timeout` seconds without one."""

    def state_after(self, move: int) -> Any:
        """The game's own state after so many logged moves, 0 for its beginning; None where there is none."""

    def correct(self, told: ZoneView) -> None: ...

    def correct_at(self, move: int, told: ZoneView) -> None:
        """What lay in a zone after an earlier move; later ones are kept where they can be."""

    def instead(self, move: int, notation: str) -> None:
        """An earlier move was another one; with an empty notation there was none."""

    def decide(self, finding: int, fate: FindingFate) -> None: ...

    def undo(self) -> None: ...

    def end_phase(self) -> None: ...

    def answer(self, question: int, answer: str) -> None: ...
