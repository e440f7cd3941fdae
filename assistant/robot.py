"""A robot that plays a game by itself, at human pace or fast, and tells what lies on its table: no camera.

It serves the demo without a picture, and every test that needs a living game.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from assistant.amend import Retold, with_move, with_zone
from assistant.kit import Dice, Finding, Game, GameKit, Message, Severity
from assistant.reconstruct import Line, StepKind
from assistant.reconstruct import Step as PlayStep
from assistant.refused import RefusedError
from assistant.snapshot import (
    CameraState,
    CameraStatus,
    Certainty,
    FindingFate,
    LoggedAction,
    Progress,
    ShownFinding,
    Snapshot,
    ZoneStatus,
)
from vision.table import TableView, ZoneId, ZoneView

LOOK_SECONDS: Final = 0.6
"""How long a move is announced before it is done, as a share of the pace's second."""

REMEMBERED_FINDINGS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One move of the robot's game: what was done, and what the table is after it."""

    state: Any
    line: LoggedAction
    told: tuple[ZoneView, ...] = ()
    """All that the player has told us so far; it holds while the zone stays as it was told."""


class Robot:
    """Plays with a policy in a thread of its own; every change is one numbered `Snapshot`.

    All public methods may be called from any thread.
    """

    def __init__(
        self,
        kit: GameKit,
        *,
        seed: int | str = 0,
        pace: float = 1.5,
        mistakes: float = 0.0,
        rest: float | None = None,
        policy: str = "greedy",
        game: Game[Any, Any] | None = None,
        clock: Callable[[], float],
    ) -> None:
        """`pace` is the number of seconds a move takes; 0 plays as fast as it can.

        `game` is the kit bound otherwise than usual.
        After a game the robot rests for `rest` seconds and begins another; without `rest` it plays one.
        """
        self.kit = kit
        self.game: Game[Any, Any] = game or kit.bind(kit.demo_pack())
        self._policy = self.game.policies[policy]
        self._dice = Dice(seed)
        self._slips = Dice(f"{seed}/mistakes")
        self._pace = pace
        self._slip_odds = ((True, mistakes), (False, 1 - mistakes))
        self._rest = rest
        self._clock = clock
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._steps: list[Step] = []
        self._begin = self.game.initial()
        self._tried: list[Any] = []
        self._findings: tuple[ShownFinding, ...] = ()
        self._found = 0
        self._doing: Progress | None = None
        self._newest = self._drawn(1)
        self._thread = threading.Thread(target=self._play, name="robot", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def skip(self, moves: int) -> None:
        """Plays so many moves at once, or to the end of the game."""
        with self._changed:
            for _ in range(moves):
                if self.game.outcome(self._state) is not None:
                    break
                action = self._policy(self._state, self._dice)
                self._do(action, self.game.apply(self._state, action))
            self._publish()

    def stop(self) -> None:
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()

    def snapshot(self) -> Snapshot:
        with self._changed:
            return self._newest

    def wait_newer(self, number: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once it is newer than `number`; None if nothing happened in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest.number > number or self._stopped.is_set(), timeout)
            return self._newest if self._newest.number > number else None

    def state_after(self, move: int) -> Any:
        """The state after so many moves, 0 for the beginning; None where there is none."""
        with self._changed:
            if not 0 <= move <= len(self._steps):
                return None
            return self._steps[move - 1].state if move else self._begin

    def correct(self, told: ZoneView) -> None:
        """The player says what lies in a zone: the game goes on from there."""
        with self._changed:
            view = self.game.view(self._state)
            zones = tuple(told if zone.zone == told.zone else zone for zone in view.zones)
            state = self.game.adopt(self._state, TableView(zones))
            words = Message.of("web.log.told", zone=self._name_of(told.zone))
            kept = tuple(zone for zone in self._told if zone.zone != told.zone)
            self._steps.append(Step(state=state, line=self._line("", words), told=(*kept, told)))
            known = {(shown.finding.rule, shown.finding.message) for shown in self._open}
            for finding in self.game.check(state):
                if (finding.rule, finding.message) not in known:
                    self._raise(finding)
            self._publish()

    def correct_at(self, move: int, told: ZoneView) -> None:
        """What lay in a zone after an earlier move; what came later stands where it still can."""
        with self._changed:
            self._check_move(move)
            self._retell(with_zone(self.game, self._line_of_play(), move, told), told)

    def instead(self, move: int, notation: str) -> None:
        """An earlier move was another one; with an empty notation there was none."""
        with self._changed:
            self._check_move(move)
            action = self.game.parse(notation) if notation else None
            before = self.state_after(move - 1)
            if before is None:
                raise RefusedError(Message.of("session.no-move"))
            refusal = self.game.refusal(before, action) if notation else None
            if refusal is not None:
                raise RefusedError(refusal.message)
            self._retell(with_move(self.game, self._line_of_play(), move, action))

    def _check_move(self, move: int) -> None:
        if not 0 <= move <= len(self._steps):
            raise RefusedError(Message.of("session.no-move"))

    def _line_of_play(self) -> Line:
        line = Line(None, None, self._begin, self.game.view(self._begin), 0.0)
        for step in self._steps:
            taken = PlayStep(kind=StepKind.ADOPTED, told=True)
            if step.line.notation:
                taken = PlayStep(kind=StepKind.ACTION, action=self.game.parse(step.line.notation))
            line = Line(line, taken, step.state, self.game.view(step.state), 0.0)
        return line

    def _retell(self, retold: Retold, *told: ZoneView) -> None:
        """A robot sees nothing: what does not stand any more is forgotten, and it plays on from there."""
        lines = [line for line in retold.line.back() if line.step is not None][::-1]
        known = {step.state: step.line.words for step in self._steps if not step.line.notation}
        new = Message.of("web.log.told", zone=self._name_of(told[0].zone)) if told else None
        self._steps = []
        for line in lines:
            assert line.step is not None
            notation, words = "", known.get(line.state, new or Message.of("log.adopted"))
            if line.step.kind is StepKind.ACTION:
                notation = self.game.format(line.step.action)
                words = self.game.describe(line.step.action)
            self._steps.append(Step(state=line.state, line=self._line(notation, words), told=told))
        self._publish()

    def decide(self, finding: int, fate: FindingFate) -> None:
        """The player accepts or dismisses a finding."""
        with self._changed:
            if all(shown.id != finding for shown in self._findings):
                raise RefusedError(Message.of("session.no-finding", id=finding))
            self._settle(finding, fate)
            self._publish()

    def undo(self) -> None:
        """Back to the state before the last move."""
        with self._changed:
            if not self._steps:
                raise RefusedError(Message.of("session.no-move"))
            self._steps.pop()
            self._publish()

    def end_phase(self) -> None:
        raise RefusedError(Message.of("robot.own-phases"))

    def answer(self, question: int, answer: str) -> None:
        raise RefusedError(Message.of("robot.no-question", id=question, answer=answer))

    @property
    def _state(self) -> Any:
        return self._steps[-1].state if self._steps else self._begin

    @property
    def _told(self) -> tuple[ZoneView, ...]:
        return self._steps[-1].told if self._steps else ()

    @property
    def _open(self) -> tuple[ShownFinding, ...]:
        return tuple(shown for shown in self._findings if shown.fate is FindingFate.OPEN)

    def _play(self) -> None:
        while not self._stopped.is_set():
            if self.game.outcome(self._state) is not None:
                if self._rest is None or self._stopped.wait(self._rest):
                    return
                self._begin_anew()
            if self._pace and self._slips.weighted(self._slip_odds):
                self._slip()
            self._move()

    def _begin_anew(self) -> None:
        with self._changed:
            self._steps.clear()
            self._tried.clear()
            self._findings = ()
            self._publish()

    def _move(self) -> None:
        with self._changed:
            state = self._state
            action = self._policy(state, self._dice)
            after = self.game.apply(state, action)
            if self._pace:
                self._doing = self._announced(state, after, action)
                self._publish()
        if self._pace and self._stopped.wait(self._pace * LOOK_SECONDS):
            return
        with self._changed:
            if self._state is not state:  # the player spoke meanwhile: think again
                self._doing = None
                return
            self._do(action, after)
            self._doing = None
            self._publish()
        if self._pace:
            self._stopped.wait(self._pace * (1 - LOOK_SECONDS))

    def _do(self, action: Any, after: Any) -> None:
        if action not in {lucky for lucky, _ in self.game.chance(self._state)}:
            self._tried.append(action)
        line = self._line(self.game.format(action), self.game.describe(action))
        self._steps.append(Step(state=after, line=line, told=self._told))

    def _slip(self) -> None:
        """A move that was fine some time ago and breaks a rule now; a moment later it is put right."""
        with self._changed:
            action = self._forbidden()
            if action is None:
                return
            refusal = self.game.refusal(self._state, action)
            assert refusal is not None
            finding = Finding(rule=refusal.rule, severity=Severity.VIOLATION, message=refusal.message)
            self._doing = Progress(doing=self.game.describe(action), missing=(), zones=())
            self._raise(finding)
            self._publish()
            number = self._found
        if self._stopped.wait(self._pace * 4):
            return
        with self._changed:
            self._doing = None
            if any(shown.id == number for shown in self._open):
                self._settle(number, FindingFate.MENDED)
            self._publish()

    def _forbidden(self) -> Any:
        options = tuple(
            action for action in self._tried if self.game.refusal(self._state, action) is not None
        )
        return self._slips.choice(options) if options else None

    def _announced(self, before: Any, after: Any, action: Any) -> Progress:
        old, new = self.game.view(before).by_zone(), self.game.view(after).by_zone()
        zones = tuple(zone for zone, seen in new.items() if old.get(zone) != seen)
        return Progress(doing=self.game.describe(action), missing=(), zones=zones)

    def _raise(self, finding: Finding) -> None:
        self._found += 1
        shown = ShownFinding(id=self._found, finding=finding, fate=FindingFate.OPEN, raised_at=self._clock())
        self._findings = (*self._findings, shown)[-REMEMBERED_FINDINGS:]

    def _settle(self, finding: int, fate: FindingFate) -> None:
        self._findings = tuple(
            replace(shown, fate=fate) if shown.id == finding else shown for shown in self._findings
        )

    def _publish(self) -> None:
        self._newest = self._drawn(self._newest.number + 1)
        self._changed.notify_all()

    def _drawn(self, number: int) -> Snapshot:
        state = self._state
        view = self.game.view(state)
        told = {zone.zone for zone in self._told if zone in view.zones}
        return Snapshot(
            number=number,
            game=self.kit.name,
            round=self.game.round(state),
            phase=self.game.phase(state),
            state=self.game.encode(state),
            view=view,
            zones=tuple(
                ZoneStatus(zone=zone.zone, certainty=Certainty.TOLD if zone.zone in told else Certainty.SEEN)
                for zone in view.zones
            ),
            progress=self._doing,
            checklist=(),
            findings=self._findings,
            gauges=self.game.forecast(state).gauges,
            question=None,
            log=tuple(step.line for step in self._steps),
            outcome=self.game.outcome(state),
            camera=CameraStatus(
                state=CameraState.NONE, frames_per_second=0.0, registered=True, calm=self._doing is None
            ),
        )

    def _line(self, notation: str, words: Message) -> LoggedAction:
        return LoggedAction(number=len(self._steps) + 1, notation=notation, words=words, committed=True)

    def _name_of(self, zone: ZoneId) -> Message:
        family, _, number = zone.rpartition("-")
        if number.isdigit():
            return Message.of(f"{self.kit.name}.place.{family}", n=int(number))
        return Message.of(f"{self.kit.name}.place.{zone}")
