"""A calm table that is not understood: since when, and how much patience is left."""

from dataclasses import dataclass

from vision.table import ZoneView

SEARCH_AGAIN_S = 1.0
MANY_TABLES = 4
"""So many different tables, one after the other, that were not understood: the game went on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a calm table may stay unexplained, in seconds."""

    doubt_s: float = 1.0
    """Before a zone or two that nothing explains are left aside as misread, so that the game goes on."""
    grace_s: float = 4.0
    """Before a move half done is called a broken rule."""
    ask_s: float = 4.0
    """Before the player is asked about a zone that was left aside."""
    adopt_s: float = 10.0
    """Before the table is taken as it lies."""
    lost_s: float = 30.0
    """The same where the game went on meanwhile, and none of it was understood."""
    quiet_s: float = 120.0
    """The same finding is not raised again within this time."""


class Trouble:
    """Begins when a calm table is not understood and rests while hands move; over when it is understood."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._since: float | None = None
        self._looks: tuple[ZoneView, ...] | None = None
        self._searched_at = 0.0
        self._spent = 0
        self._lost_since: float | None = None
        self._tables: set[tuple[ZoneView, ...]] = set()

    @property
    def open(self) -> bool:
        return self._since is not None

    def begin(self, now: float) -> None:
        if self._since is None:
            self._since, self._spent = now, 0

    def rest(self) -> None:
        self._since, self._looks, self._spent = None, None, 0

    def end(self) -> None:
        self.rest()
        self.find_back()

    def find_back(self) -> None:
        """The game is no longer lost."""
        self._lost_since = None
        self._tables.clear()

    def forget_looks(self) -> None:
        """What the table looks like is worth a search again."""
        self._looks = None

    def is_new(self, looks: tuple[ZoneView, ...], now: float) -> bool:
        """Whether this is worth a search: not the same with every flicker of the camera."""
        if looks == self._looks and now - self._searched_at < SEARCH_AGAIN_S:
            return False
        self._looks, self._searched_at = looks, now
        if self._lost_since is None:
            self._lost_since = now
        self._tables.add(looks)
        return True

    def doubtful(self, now: float) -> bool:
        """Whether it has lain there long enough to think of a misreading."""
        return self._waited(now) >= self._patience.doubt_s

    def lost(self, now: float) -> bool:
        """Whether the game went on and on without being understood."""
        long = self._lost_since is not None and now - self._lost_since >= self._patience.lost_s
        return long and len(self._tables) >= MANY_TABLES and self.doubtful(now)

    def grace_is_over(self, now: float) -> bool:
        """Once: a broken rule may be named now."""
        return self._comes(1, self._waited(now) >= self._patience.grace_s)

    def must_be_taken(self, now: float) -> bool:
        """Once: the table is taken as it lies."""
        return self._comes(2, self._waited(now) >= self._patience.adopt_s)

    def _waited(self, now: float) -> float:
        return now - self._since if self._since is not None else 0.0

    def _comes(self, stage: int, ripe: bool) -> bool:
        if self._spent != stage - 1 or not ripe:
            return False
        self._spent = stage
        return True
