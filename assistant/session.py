"""One game being watched: a fold over what is seen and told, with an answer for the tablet at any time."""

from collections.abc import Callable, Iterable
from typing import Any

from assistant.events import Corrected, Event, Observed, Still, Told, Word
from assistant.findings import Findings, wanted_findings
from assistant.kit import Game, Message, Refusal, Value
from assistant.questions import answers_of
from assistant.reconstruct import Limits, Line
from assistant.refused import RefusedError
from assistant.snapshot import (
    CameraState,
    CameraStatus,
    FindingFate,
    LoggedAction,
    ShownFinding,
    Snapshot,
)
from assistant.status import logged, setup_items, zone_statuses
from assistant.trouble import Patience
from assistant.watcher import Watcher
from vision.observation import Observation
from vision.table import TableView, ZoneId, ZoneView

_DECISIONS = {
    FindingFate.ACCEPTED: Word.ACCEPT,
    FindingFate.DISMISSED: Word.DISMISS,
    FindingFate.OPEN: Word.REOPEN,
}


class Session:
    """Deterministic: the same events give the same game (see `replay`). Not made for several threads."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        *,
        state: Any = None,
        patience: Patience | None = None,
        limits: Limits | None = None,
        history: Line | None = None,
    ) -> None:
        """`state` is where the game begins, if not with its set-up; a game taken up again has a `history`."""
        patience = patience or Patience()
        self.game = game
        self.name = name
        self._watcher = Watcher(game, game.initial() if state is None else state, patience, limits)
        if history is not None:
            self._watcher.tracker.restore((history,), history.depth)
        self._findings = Findings(patience.quiet_s)
        self._listeners: list[Callable[[Event], None]] = []
        self._camera: CameraStatus | None = None
        self._trouble: Message | None = None
        self._number = 1
        self._snapshot: Snapshot | None = None

    @classmethod
    def replay(cls, game: Game[Any, Any], name: str, events: Iterable[Event], **settings: Any) -> "Session":
        """The session that these events make."""
        session = cls(game, name, **settings)
        for event in events:
            session.take(event)
        return session

    def remember_findings(self, shown: Iterable[ShownFinding]) -> None:
        """Those of a game that is taken up again, instead of what was found in it just now: each keeps its
        number and what the player decided."""
        self._findings.remember(shown, self.now)
        self._findings.update(wanted_findings(self.game, self._watcher.best), self.now)
        self._changed()

    def number_from(self, number: int) -> None:
        """Snapshots count from here: pages take only newer ones."""
        self._number = max(self._number, number)
        self._snapshot = None

    def listen(self, listener: Callable[[Event], None]) -> None:
        """The listener gets every event before it is worked on: a recorder misses nothing."""
        self._listeners.append(listener)

    # What is seen and told

    def observe(self, observation: Observation) -> None:
        self.take(Observed(observation=observation))

    def wait(self, at: float) -> None:
        """Time passes, and the table looks as before."""
        self.take(Still(at=at))

    def correct(self, told: ZoneView) -> None:
        """The player says what really lies in a zone; all that followed from it is thought over again."""
        self._check(told)
        self.take(Corrected(at=self._watcher.now, told=told))

    def correct_at(self, move: int, told: ZoneView) -> None:
        """The player says what lay in a zone after an earlier move; what came later is derived again."""
        self._check(told)
        self._check_move(move)
        self.take(Corrected(at=self._watcher.now, told=told, after=move))

    def instead(self, move: int, notation: str) -> Refusal | None:
        """An earlier move was another one, or with an empty notation did not happen; later ones are kept
        where they can be. The refusal where the rules forbid it."""
        self._check_move(move)
        if not move:
            raise _refused("no-beginning")
        refusal = None
        if notation:
            refusal = self.game.refusal(self.state_after(move - 1), self.game.parse(notation))
        if refusal is None:
            self._say(Word.INSTEAD, f"{move} {notation}".rstrip())
        return refusal

    def _check(self, told: ZoneView) -> None:
        if told.zone not in {zone.id for zone in self.game.layout.zones}:
            raise _refused("no-zone", zone=told.zone)
        unknown = [placed.card for placed in told.cards if placed.card and placed.card not in self.game.pack]
        if unknown:
            raise _refused("no-card", card=unknown[0], pack=self.game.pack.name)

    def _check_move(self, move: int) -> None:
        if self.state_after(move) is None:
            raise _refused("no-such-move", move=move, n=self._watcher.best.depth)

    def tell(self, notation: str) -> Refusal | None:
        """The player says what was done; the refusal where the rules forbid it."""
        refusal = self.game.refusal(self.state, self.game.parse(notation))
        if refusal is None:
            self._say(Word.ACTION, notation)
        return refusal

    def end_phase(self) -> Refusal | None:
        """A tap on "done"; the refusal where something is still to be done."""
        action = self.game.watch.ending(self.state)
        return None if action is None else self.tell(self.game.format(action))

    def undo(self) -> None:
        """The last step was not so; it is not believed again from the same position."""
        if not self.path:
            raise _refused("no-move")
        self._say(Word.UNDO)

    def adopt_table(self) -> None:
        """The table is right as it lies."""
        self._check_seen()
        self._say(Word.ADOPT)

    def resume_here(self, round_number: int) -> None:
        """A game met in the middle: the table is taken as it lies, and what cannot be seen is asked."""
        self._check_seen()
        self._say(Word.RESUME, str(round_number))

    def _check_seen(self) -> None:
        if self._watcher.evidence is None:
            raise _refused("nothing-seen")

    def accept(self, finding: int) -> None:
        """The player meant it so: a house rule, or the story said so."""
        self.decide(finding, FindingFate.ACCEPTED)

    def dismiss(self, finding: int) -> None:
        self.decide(finding, FindingFate.DISMISSED)

    def decide(self, finding: int, fate: FindingFate) -> None:
        """Accepted, dismissed, or open: a decision taken back."""
        if all(shown.id != finding for shown in self._findings.shown):
            raise _refused("no-finding", id=finding)
        self._say(_DECISIONS[fate], str(finding))

    def answer(self, question: int, answer: str) -> None:
        """One of the answers of the open question."""
        asked = self._watcher.question
        if asked is None or asked.id != question:
            raise _refused("no-question", id=question)
        event = answers_of(asked, self._watcher.best.view, self._watcher.now).get(answer)
        if event is None:
            raise _refused("no-answer", id=question, answer=answer)
        self.take(event)

    def show_camera(self, camera: CameraStatus) -> None:
        """The state of the camera is shown, and is no part of the game."""
        if camera != self._camera:
            self._camera = camera
            self._changed()

    def show_trouble(self, trouble: Message | None) -> None:
        """Why the game is not being saved just now; shown, and no part of the game either."""
        if trouble != self._trouble:
            self._trouble = trouble
            self._changed()

    def _say(self, word: Word, argument: str = "") -> None:
        self.take(Told(at=self._watcher.now, word=word, argument=argument))

    def take(self, event: Event) -> None:
        """One more event; all others of these methods end here."""
        for listener in self._listeners:
            listener(event)
        changed = True
        match event:
            case Observed(observation=observation):
                changed = self._watcher.see(observation)
            case Still(at=at):
                changed = self._watcher.pass_time(at)
            case Corrected(at=at, told=told, after=after):
                self._watcher.now = max(self._watcher.now, at)
                if after is None:
                    self._watcher.correct(told)
                else:
                    self._watcher.correct_at(after, told)
            case Told(at=at):
                self._watcher.now = max(self._watcher.now, at)
                self._hear(event)
        if changed:
            self._findings.update(wanted_findings(self.game, self._watcher.best), self._watcher.now)
            self._changed()

    def _hear(self, told: Told) -> None:
        watcher, argument = self._watcher, told.argument
        match told.word:
            case Word.ACTION:
                watcher.tell(self.game.parse(argument))
            case Word.INSTEAD:
                move, _, notation = argument.partition(" ")
                watcher.instead(int(move), self.game.parse(notation) if notation else None)
            case Word.UNDO:
                watcher.undo()
            case Word.ADOPT:
                watcher.adopt()
            case Word.RESUME:
                watcher.resume(int(argument))
            case Word.HEIGHT:
                zone, _, number = argument.partition(" ")
                watcher.set_height(ZoneId(zone), int(number))
            case Word.KEEP:
                watcher.keep(ZoneId(argument))
            case Word.ACCEPT:
                self._findings.settle(int(argument), FindingFate.ACCEPTED)
            case Word.DISMISS:
                self._findings.settle(int(argument), FindingFate.DISMISSED)
            case Word.REOPEN:
                self._findings.reopen(int(argument))

    # What can be asked

    @property
    def now(self) -> float:
        """The clock of what was seen."""
        return self._watcher.now

    @property
    def has_seen(self) -> bool:
        return self._watcher.evidence is not None

    @property
    def state(self) -> Any:
        """The most likely position."""
        return self._watcher.best.state

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of play that are still possible, the likeliest first."""
        return self._watcher.tracker.lines

    @property
    def path(self) -> list[Line]:
        """The most likely game, step by step."""
        return self._watcher.tracker.steps()

    def state_after(self, move: int) -> Any:
        """The position after so many steps of the path, 0 for the beginning; None where there is none."""
        line = next((line for line in self._watcher.best.back() if line.depth == move), None)
        return None if line is None else line.state

    @property
    def committed(self) -> int:
        """How many steps of the path will not be revised again."""
        return self._watcher.tracker.committed

    @property
    def aside(self) -> frozenset[ZoneId]:
        """Zones that contradict the game and are thought to be misread."""
        return self._watcher.aside

    @property
    def bare(self) -> frozenset[ZoneId]:
        """Heaps where nothing lies now: what looks like pieces there is the table's own print."""
        return self._watcher.bare

    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            self._snapshot = self._drawn()
        return self._snapshot

    def _changed(self) -> None:
        self._number += 1
        self._snapshot = None

    def _drawn(self) -> Snapshot:
        watcher = self._watcher
        state, view = watcher.best.state, watcher.best.view
        return Snapshot(
            number=self._number,
            game=self.name,
            round=self.game.round(state),
            phase=self.game.phase(state),
            state=self.game.encode(state),
            view=view,
            zones=zone_statuses(self.game.layout, view, watcher.evidence, watcher.told, watcher.aside),
            progress=watcher.progress,
            checklist=self._checklist(view),
            findings=self._findings.shown,
            gauges=self.game.forecast(state).gauges,
            question=watcher.question,
            log=self._log(),
            outcome=self.game.outcome(state),
            camera=self._camera or self._camera_seen(),
            trouble=self._trouble,
        )

    def _checklist(self, view: TableView) -> tuple[tuple[Message, bool], ...]:
        """What is wrong with the set-up stays on the list until it is right, or until the first move."""
        watcher, due = self._watcher, self.game.watch.checklist(self.state)
        if watcher.setting_up and watcher.evidence is not None:
            return setup_items(self.game, view, watcher.evidence)
        if watcher.just_set_up and (everything := watcher.everything) is not None:
            return (*(item for item in setup_items(self.game, view, everything) if not item[1]), *due)
        return due

    def _log(self) -> tuple[LoggedAction, ...]:
        over = self.game.outcome(self.state) is not None
        return tuple(
            logged(self.game, line, committed=over or line.depth <= self.committed) for line in self.path
        )

    def _camera_seen(self) -> CameraStatus:
        evidence = self._watcher.evidence
        observation = evidence.observation if evidence is not None else None
        return CameraStatus(
            state=CameraState.NONE if observation is None else CameraState.LIVE,
            frames_per_second=0.0,
            registered=observation is not None and observation.registered,
            calm=observation is not None and observation.calm,
        )


def _refused(key: str, **values: Value) -> RefusedError:
    """Something that a player said and that makes no sense here."""
    return RefusedError(Message.of(f"session.{key}", **values))
