"""Records a watched game while it is played, and takes it up again after the program was ended anyhow."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.events import Event, Observed, Still, encode_event
from assistant.kit import Game, GameKit, Message
from assistant.reconstruct import Line, Step
from assistant.record.feed import header_of
from assistant.record.keeper import Keeper, Move
from assistant.record.recorder import Recorder
from assistant.record.replay import Deviation, Difference
from assistant.record.sights import SightWriter
from assistant.record.store import Store
from assistant.record.values import RecordedEvent, RecordedGame
from assistant.resume import RESUMED, SEEN, read_events, session_of
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.status import logged
from vision.table import TableView, ZoneId

Crop = Callable[[ZoneId], bytes | None]


@dataclass(slots=True)
class Keeping:
    """One recorded game: a session whose every event and settled step is written down."""

    session: Session
    recorder: Recorder
    keeper: Keeper
    resumed: RecordedGame | None = None
    crop: Crop = lambda _zone: None
    _sights: SightWriter | None = None
    _told: tuple[int, int] = (-1, -1)
    _crops: dict[int, tuple[Step, bytes | None]] = field(default_factory=dict)
    """Pictures of the steps that are not settled yet, by their number: later their places look otherwise."""

    def listen(self) -> None:
        """From now on nothing happens that is not recorded."""
        self._sights = SightWriter()
        self.session.listen(self._hear)

    def _hear(self, event: Event) -> None:
        assert self._sights is not None
        at = time.time()
        if isinstance(event, Observed):
            self.recorder.event(SEEN, self._sights.write(event.observation), at)
        elif isinstance(event, Still):
            self.recorder.event("still", {"at": round(event.at, 3)}, at)
        else:
            data = encode_event(event)
            self.recorder.event(str(data["event"]), data, at)

    def update(self) -> None:
        """After an event: steps that will not be revised again, findings, the end."""
        session = self.session
        trouble = self.recorder.trouble
        session.show_trouble(
            None if trouble is None else Message.of(f"record.trouble.{trouble.trouble.value}")
        )
        snapshot = session.snapshot()
        over = snapshot.outcome is not None
        settled = len(session.path) if over else session.committed
        mark = (snapshot.number, settled)
        if mark == self._told:
            return
        self._told = mark
        self._take_crops(session.path[self.keeper.kept :])
        moves = [self._move(line) for line in session.path[:settled]]
        now = time.time()
        self.keeper.keep(moves, at=now)
        self.keeper.keep_findings(snapshot.findings, after=len(session.path), at=now)
        if over:
            self.keeper.end(snapshot.outcome, rounds=snapshot.round, at=now)

    def forgo_crops(self) -> None:
        """The steps so far were seen before the program was started: their moments are gone."""
        self._crops = {line.depth: (line.step, None) for line in self.session.path if line.step is not None}

    def _take_crops(self, path: Sequence[Line]) -> None:
        """A picture of each new step as soon as it is believed."""
        taken, self._crops = self._crops, {}
        for line in path:
            assert line.step is not None
            step, crop = taken.get(line.depth, (None, None))
            if step != line.step:
                zone = _changed_zone(line)
                crop = None if zone is None else self.crop(zone)
            self._crops[line.depth] = (line.step, crop)

    def _move(self, line: Line) -> Move:
        entry = logged(self.session.game, line, committed=True)
        _, crop = self._crops.get(line.depth, (None, None))
        return Move(notation=entry.notation, words=entry.words, state=line.state, crop=crop)

    def close(self) -> None:
        self.update()
        self.recorder.leave()


def begin(
    store: Store, kit: GameKit, game: Game[Any, Any], table: str, *, hashes: Mapping[str, str] | None = None
) -> Keeping:
    """The game that was being played on this table, or a new one."""
    unfinished = store.unfinished(table)
    if unfinished is not None:
        recorded = store.load(unfinished)
        if recorded.header.game == game.pack.game:
            return _taken_up(store, kit, game, recorded)
    session = Session(game, kit.name)
    header = header_of(game, table=table, started_at=time.time(), model_hashes=dict(hashes or {}))
    recorder = store.begin(header, game.encode(session.state), game.pack)
    keeping = Keeping(session, recorder, Keeper(game, recorder))
    keeping.listen()
    return keeping


def _taken_up(store: Store, kit: GameKit, game: Game[Any, Any], recorded: RecordedGame) -> Keeping:
    recorder = store.resume(recorded.id)
    session = session_of(game, kit.name, recorded)
    keeper = Keeper(game, recorder, recorded)
    keeping = Keeping(session, recorder, keeper, resumed=recorded)
    keeping.forgo_crops()
    recorder.event(RESUMED, {})
    keeping.listen()
    return keeping


def _changed_zone(line: Line) -> ZoneId | None:
    """Where a step shows best: the first place for cards that it changed, else the first zone."""
    if line.parent is None:
        return None
    changed = _changed(line.parent.view, line.view)
    return next((zone for zone, cards in changed if cards), changed[0][0] if changed else None)


def _changed(before: TableView, after: TableView) -> list[tuple[ZoneId, bool]]:
    pairs = zip(before.zones, after.zones, strict=True)
    return [(new.zone, new.cards != old.cards) for old, new in pairs if new is not old and new != old]


def watched_again(recorded: RecordedGame, game: Game[Any, Any]) -> tuple[Deviation, ...]:
    """What was seen and told then, through today's program: the first action that is understood otherwise.

    Nothing where the game was not watched, or where it is understood the same.
    """
    if not any(event.kind == SEEN for event in recorded.events):
        return ()
    name, parts = recorded.header.game, _parts(recorded)
    session = Session(game, name, state=game.decode(recorded.start))
    for began, events in parts:
        if began:
            session = session_of(game, name, recorded, until=began)
        for _, event in read_events(events):
            session.take(event)
    then = [action.notation for action in recorded.actions]
    now = [logged(game, line, committed=True).notation for line in session.path]
    for number, notation in enumerate(then, 1):
        today = now[number - 1] if number <= len(now) else "-"
        if today != notation:
            message = Message.of("replay.watched", number=number, notation=notation, today=today)
            return (Deviation(kind=Difference.WATCHED, number=number, notation=notation, message=message),)
    return ()


def _parts(recorded: RecordedGame) -> list[tuple[int, list[RecordedEvent]]]:
    """The events from one start of the program to the next, and the number of the event that tells of it."""
    parts: list[tuple[int, list[RecordedEvent]]] = [(0, [])]
    for event in recorded.events:
        if event.kind == RESUMED:
            parts.append((event.sequence, []))
        else:
            parts[-1][1].append(event)
    return parts


class RecordedTable:
    """One table with its record: the session that pages see, and one game after the other."""

    def __init__(
        self, store: Store, kit: GameKit, game: Game[Any, Any], table: str, hashes: Mapping[str, str]
    ) -> None:
        self._store, self._kit, self._game, self._table, self._hashes = store, kit, game, table, hashes
        self._keeping = begin(store, kit, game, table, hashes=hashes)
        self.resumed = self._keeping.resumed
        """The game that was taken up again, if any."""
        self.shared = SharedSession(kit, self._keeping.session, after=self._keeping.update)
        self._keeping.crop = self._crop

    def note(self, kind: str, payload: Any) -> None:
        """Something else worth recording with the game, such as the position of a robot."""
        self._keeping.recorder.event(kind, payload)

    def begin_anew(self, state: Any) -> Any:
        """The table was cleared: the game ends as it stands, and another one begins. Gives back the state."""
        self.begin_another()
        return state

    def begin_another(self) -> None:
        """The game ends as it stands, and the next one is set up."""
        self.shared.change(self._another)

    def _another(self) -> tuple[Session, Callable[[], None]]:
        old = self._keeping
        old.keeper.end(None, rounds=self.shared.snapshot().round, at=time.time())
        old.recorder.leave()
        self._keeping = begin(self._store, self._kit, self._game, self._table, hashes=self._hashes)
        self._keeping.crop = self._crop
        return self._keeping.session, self._keeping.update

    def resume_here(self, round_number: int) -> None:
        """The game is under way: the table is taken as it lies, in this round."""
        self.shared.resume_here(round_number)

    def take_as_it_lies(self) -> None:
        """The table is right, whatever the page shows."""
        self.shared.take_as_it_lies()

    def flush(self) -> bool:
        """Waits until everything told so far is safe on the disk."""
        return self._keeping.recorder.flush()

    def close(self) -> None:
        self._keeping.close()

    def _crop(self, zone: ZoneId) -> bytes | None:
        return None if self.shared.camera is None else self.shared.camera.crop(zone)
