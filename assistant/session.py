"""One game being watched: takes what is seen and told, and always has an answer for the tablet."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from assistant.errors import FloodwatchError
from assistant.events import Corrected, Event, Observed, Told, Word
from assistant.evidence import Evidence, zones_of
from assistant.findings import Findings, wanted_findings
from assistant.kit import Game, Refusal
from assistant.questions import answers_of, ask, ask_height, lone_reading
from assistant.reconstruct import Limits, Line
from assistant.snapshot import (
    CameraState,
    CameraStatus,
    FindingFate,
    LoggedAction,
    Progress,
    Question,
    Snapshot,
)
from assistant.status import logged, setup_items, zone_statuses
from assistant.tracker import Tracker, placed
from vision.cards import CardId
from vision.observation import Look, Observation, Sight, ZoneSighting
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneKind, ZoneView

REMEMBERED = 60
"""Calm sights that are kept for a correction by the player."""

SEARCH_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a calm table may stay unexplained, in seconds."""

    grace_s: float = 4.0
    """Before a move half done is called a broken rule."""
    adopt_s: float = 10.0
    """Before the table is taken as it lies."""
    quiet_s: float = 120.0
    """The same finding is not raised again within this time."""


class SessionError(FloodwatchError):
    """Something that a player said and that makes no sense here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sight:
    """A calm sight, and what was thought before it."""

    observation: Observation
    lines: tuple[Line, ...]
    committed: int


class Session:
    """A fold over events. Deterministic: the same events give the same game (see `replay`)."""

    def __init__(
        self,
        game: Game[Any, Any],
        name: str,
        *,
        state: Any = None,
        patience: Patience | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.game = game
        self.name = name
        self._patience = patience or Patience()
        self._zones = zones_of(game.layout)
        self._tracker = Tracker(game, game.initial() if state is None else state, limits)
        self._findings = Findings(self._patience.quiet_s)
        self._listeners: list[Callable[[Event], None]] = []
        self._evidence: Evidence | None = None
        self._told: dict[ZoneId, tuple[CardId | None, ZoneSighting]] = {}
        """The player's word on a zone, None for "as you show it", as long as the zone looks the same."""
        self._sights: list[_Sight] = []
        self._trouble_since: float | None = None
        self._trouble: tuple[ZoneView, ...] | None = None
        self._searched_at = 0.0
        self._patience_spent = 0
        self._progress: Progress | None = None
        self._question: Question | None = None
        self._questions = 0
        self._camera: CameraStatus | None = None
        self._now = 0.0
        self._number = 0
        self._snapshot: Snapshot | None = None

    @classmethod
    def replay(cls, game: Game[Any, Any], name: str, events: Iterable[Event], **settings: Any) -> "Session":
        """The session that these events make."""
        session = cls(game, name, **settings)
        for event in events:
            session.take(event)
        return session

    def listen(self, listener: Callable[[Event], None]) -> None:
        """The listener gets every event before it is worked on."""
        self._listeners.append(listener)

    # What is seen and told

    def observe(self, observation: Observation) -> None:
        self.take(Observed(observation=observation))

    def correct(self, zone: ZoneId, card: CardId) -> None:
        """The player says which card lies in a zone; all since its first sight is thought over again."""
        if zone not in self._zones:
            raise SessionError(f"There is no zone {zone!r} on this table.")
        if card not in self.game.pack:
            raise SessionError(f"There is no card {card!r} in the pack {self.game.pack.name!r}.")
        self.take(Corrected(at=self._now, zone=zone, card=card))

    def tell(self, notation: str) -> Refusal | None:
        """The player says what was done; the refusal where the rules forbid it."""
        return self.take(Told(at=self._now, word=Word.ACTION, argument=notation))

    def end_phase(self) -> Refusal | None:
        return self.take(Told(at=self._now, word=Word.END_PHASE))

    def undo(self) -> None:
        self.take(Told(at=self._now, word=Word.UNDO))

    def adopt_table(self) -> None:
        self.take(Told(at=self._now, word=Word.ADOPT))

    def resume_here(self, round_number: int) -> None:
        """A game met in the middle: the table is taken as it lies."""
        self.take(Told(at=self._now, word=Word.RESUME, argument=str(round_number)))

    def accept(self, finding_id: int) -> None:
        self.take(Told(at=self._now, word=Word.ACCEPT, argument=str(finding_id)))

    def dismiss(self, finding_id: int) -> None:
        self.take(Told(at=self._now, word=Word.DISMISS, argument=str(finding_id)))

    def answer(self, question_id: int, choice: str) -> None:
        """One of the answers of the open question."""
        question = self._question
        if question is None or question.id != question_id:
            raise SessionError(f"Question {question_id} is not open any more.")
        event = answers_of(question, self._now).get(choice)
        if event is None:
            raise SessionError(f"{choice!r} is no answer to question {question_id}.")
        self.take(event)

    def show_camera(self, camera: CameraStatus) -> None:
        """The state of the camera is shown, and is no part of the game."""
        if camera != self._camera:
            self._camera = camera
            self._changed()

    def take(self, event: Event) -> Refusal | None:
        """One more event; all others of these methods end here."""
        for listener in self._listeners:
            listener(event)
        match event:
            case Observed(observation=observation):
                self._see(observation)
            case Corrected(at=at, zone=zone, card=card):
                self._now = max(self._now, at)
                self._put_right(zone, card)
            case Told(at=at):
                self._now = max(self._now, at)
                return self._hear(event)
        return None

    # What can be asked

    @property
    def state(self) -> Any:
        """The most likely position."""
        return self._tracker.best.state

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._tracker.lines

    @property
    def path(self) -> list[Line]:
        """The most likely game, step by step."""
        return self._tracker.steps()

    @property
    def committed(self) -> int:
        """How many steps of the path will not be revised again."""
        return self._tracker.committed

    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            self._snapshot = self._drawn()
        return self._snapshot

    # Seeing

    def _see(self, observation: Observation) -> None:
        last = self._evidence.observation if self._evidence is not None else None
        self._now = max(self._now, observation.seen_at)
        if not observation.registered:
            self._evidence = Evidence(observation, self._zones)
            self._changed()
            return
        if last is None or not last.registered or not _alike(last, observation):
            self._forget_words(observation)
            self._evidence = self._evidence_of(observation)
            self._changed()
            if observation.calm:
                self._remember(observation)
                self._think()
        if observation.calm:
            self._wait()
        else:
            self._start_waiting(None)

    def _evidence_of(self, observation: Observation) -> Evidence:
        return Evidence(observation, self._zones, {zone: word for zone, (word, _) in self._told.items()})

    def _think(self) -> None:
        """A calm table that looks new."""
        assert self._evidence is not None
        if self._tracker.weigh(self._evidence):
            self._understood()
        elif self._worth_a_search():
            if self._tracker.explain(self._evidence):
                self._understood()
            else:
                self._progress = self._tracker.half_done(self._evidence)
                if self._trouble_since is None:
                    self._start_waiting(self._now)
        self._judge()

    def _worth_a_search(self) -> bool:
        """The same trouble is not thought over with every flicker of the camera."""
        assert self._evidence is not None
        best = self._tracker.best
        if self._evidence.explained(best.view):
            return True
        trouble = tuple(
            self._evidence.read(best.view[zone]) for zone in self._evidence.contradicted(best.view)
        )
        if trouble == self._trouble and self._now - self._searched_at < SEARCH_AGAIN_S:
            return False
        self._trouble, self._searched_at = trouble, self._now
        return True

    def _understood(self) -> None:
        self._start_waiting(None)
        self._progress = None
        if not self._passed_over():
            self._question = None

    def _passed_over(self) -> bool:
        """Whether the open question is about a zone that is left aside until it is answered."""
        zone = self._question.zone if self._question is not None else None
        return zone in self._told and self._told[zone][0] is None

    def _start_waiting(self, since: float | None) -> None:
        if since is None:
            self._trouble = None
        self._trouble_since = since
        self._patience_spent = 0

    def _wait(self) -> None:
        """A calm table that still looks the same: time passes, and patience with it."""
        if self._trouble_since is None:
            return
        waited = self._now - self._trouble_since
        if self._patience_spent == 0 and waited >= self._patience.grace_s:
            self._patience_spent = 1
            self._look_for_mistakes()
        elif self._patience_spent == 1 and waited >= self._patience.adopt_s:
            self._patience_spent = 2
            self._give_in()

    @property
    def _setting_up(self) -> bool:
        return self.game.round(self.state) == 0

    def _look_for_mistakes(self) -> None:
        assert self._evidence is not None
        if self._setting_up:
            if self._tracker.accept_best():
                self._progress = None
        elif self._tracker.explain_mistake(self._evidence):
            self._understood()
        elif self._progress is None:
            self._ask()
        self._judge()
        self._changed()

    def _give_in(self) -> None:
        """Nothing explains the table: it is taken as it lies, and the game goes on."""
        assert self._evidence is not None
        if self._setting_up:
            return
        zones = self._evidence.contradicted(self._tracker.best.view)
        alone = lone_reading(zones, self._tracker.best.view, self._evidence)
        if alone is not None:
            # One card that looks different while nothing else moved: rather a bad reading than a new card.
            sighting = self._evidence.sighting(alone)
            assert sighting is not None
            self._told[alone] = (None, sighting)
            self._evidence = self._evidence_of(self._evidence.observation)
        else:
            self._tracker.adopt(self._evidence)
        question = self._question
        if self._tracker.weigh(self._evidence):
            self._understood()
        self._question = question if alone is not None else None
        self._judge()
        self._changed()

    def _ask(self) -> None:
        assert self._evidence is not None
        self._questions += 1
        self._question = ask(self.game, self._tracker.best, self._evidence, self._questions)

    def _judge(self) -> None:
        if self._findings.update(wanted_findings(self.game, self._tracker.best), self._now):
            self._changed()

    def _remember(self, observation: Observation) -> None:
        self._sights.append(
            _Sight(observation=observation, lines=self._tracker.lines, committed=self._tracker.committed)
        )
        del self._sights[:-REMEMBERED]

    def _forget_words(self, observation: Observation) -> None:
        """A word about a zone holds until something else lies there."""
        for sighting in observation.zones:
            if sighting.zone in self._told and _top(sighting) not in (
                None,
                _top(self._told[sighting.zone][1]),
            ):
                del self._told[sighting.zone]

    # Hearing

    def _hear(self, told: Told) -> Refusal | None:
        refusal: Refusal | None = None
        match told.word:
            case Word.ACTION:
                refusal = self._do(self.game.parse(told.argument))
            case Word.END_PHASE:
                action = self.game.watch.ending(self.state)
                refusal = None if action is None else self._do(action)
            case Word.UNDO:
                self._tracker.undo()
                self._question = None
            case Word.ADOPT if self._evidence is not None:
                self._tracker.adopt(self._evidence, told=True)
                self._understood()
            case Word.RESUME:
                self._resume(int(told.argument))
            case Word.HEIGHT:
                zone, _, number = told.argument.partition(" ")
                self._set_height(ZoneId(zone), int(number))
            case Word.KEEP:
                self._keep(ZoneId(told.argument))
            case Word.ACCEPT | Word.DISMISS:
                fate = FindingFate.ACCEPTED if told.word is Word.ACCEPT else FindingFate.DISMISSED
                self._findings.settle(int(told.argument), fate)
        self._judge()
        self._changed()
        return refusal

    def _do(self, action: Any) -> Refusal | None:
        refusal = self.game.refusal(self.state, action)
        if refusal is None:
            self._tracker.tell(action)
            self._rethink()
        return refusal

    def _resume(self, round_number: int) -> None:
        if self._evidence is None:
            raise SessionError("There is no sight of the table yet, so it cannot be taken as it lies.")
        self._tracker.adopt(self._evidence, told=True)
        self._tracker.replace_state(self.game.watch.resume(self.state, round_number), told=True)
        self._understood()
        self._questions += 1
        self._question = ask_height(self.game, self._tracker.best, self._evidence, self._questions)

    def _set_height(self, zone: ZoneId, height: int) -> None:
        old = self._tracker.best.view[zone]
        side = old.cards[-1].side if old.cards else Side.DOWN
        cards = (*old.cards[:height], *(PlacedCard(None, side),) * (height - len(old.cards)))
        self._tracker.adopt_view(placed(self._tracker.best.view, ZoneView(zone=zone, cards=cards)), told=True)
        self._question = None
        self._rethink()

    def _keep(self, zone: ZoneId) -> None:
        sighting = self._evidence.sighting(zone) if self._evidence is not None else None
        if sighting is not None:
            self._told[zone] = (None, sighting)
        self._question = None
        self._rethink()

    def _rethink(self) -> None:
        if self._evidence is not None and self._evidence.observation.calm:
            self._evidence = self._evidence_of(self._evidence.observation)
            self._think()

    def _put_right(self, zone: ZoneId, card: CardId) -> None:
        self._question = None
        sighting = self._evidence.sighting(zone) if self._evidence is not None else None
        if sighting is None or self._zones[zone].kind is ZoneKind.SPREAD:
            self._tracker.adopt_view(_with_card(self._tracker.best.view, zone, card), told=True)
            self._rethink()
        else:
            self._told[zone] = (card, sighting)
            self._derive_again(zone, sighting)
        self._judge()
        self._changed()

    def _derive_again(self, zone: ZoneId, sighting: ZoneSighting) -> None:
        """From the sight on in which the zone first looked as it does now."""
        first = len(self._sights)
        while first and _looks_like(self._sights[first - 1].observation, zone, sighting):
            first -= 1
        again = self._sights[first:]
        if not again:
            self._rethink()
            return
        self._tracker.restore(again[0].lines, again[0].committed)
        del self._sights[first:]
        now = self._now
        for sight in again:
            self._now = sight.observation.seen_at
            self._evidence = self._evidence_of(sight.observation)
            self._remember(sight.observation)
            self._think()
        self._now = now

    # Showing

    def _changed(self) -> None:
        self._number += 1
        self._snapshot = None

    def _drawn(self) -> Snapshot:
        best = self._tracker.best
        state = best.state
        told = frozenset(zone for zone, (word, _) in self._told.items() if word is not None)
        return Snapshot(
            number=self._number,
            game=self.name,
            round=self.game.round(state),
            phase=self.game.phase(state),
            state=self.game.encode(state),
            view=best.view,
            zones=zone_statuses(self.game.layout, best.view, self._evidence, told),
            progress=self._progress,
            checklist=self._checklist(),
            findings=self._findings.shown,
            gauges=self.game.forecast(state).gauges,
            question=self._question,
            log=self._log(),
            outcome=self.game.outcome(state),
            camera=self._camera or self._camera_seen(),
        )

    def _checklist(self) -> tuple[Any, ...]:
        if self._setting_up and self._evidence is not None:
            return setup_items(self.game, self._tracker.best.view, self._evidence)
        return self.game.watch.checklist(self.state)

    def _log(self) -> tuple[LoggedAction, ...]:
        over = self.game.outcome(self.state) is not None
        return tuple(
            logged(self.game, line, committed=over or line.depth <= self._tracker.committed)
            for line in self._tracker.steps()
        )

    def _camera_seen(self) -> CameraStatus:
        observation = self._evidence.observation if self._evidence is not None else None
        return CameraStatus(
            state=CameraState.NONE if observation is None else CameraState.LIVE,
            frames_per_second=0.0,
            registered=observation is not None and observation.registered,
            calm=observation is not None and observation.calm,
        )


def _alike(one: Observation, other: Observation) -> bool:
    return one.calm == other.calm and one.zones == other.zones


def _top(sighting: ZoneSighting) -> tuple[Look, CardId | None] | None:
    """What a zone seems to show; None where it could not be seen."""
    if sighting.sight is not Sight.SEEN or not sighting.cards or not sighting.cards[0].guesses:
        return None
    guess = sighting.cards[0].guesses[0]
    return guess.look, guess.card


def _looks_like(observation: Observation, zone: ZoneId, sighting: ZoneSighting) -> bool:
    for other in observation.zones:
        if other.zone == zone:
            return _top(other) in (None, _top(sighting))
    return True


def _with_card(view: TableView, zone: ZoneId, card: CardId) -> TableView:
    """The view with this card in the zone: in place of one that nobody could read, or of the top one."""
    cards = list(view[zone].cards)
    unread = [index for index, placed_card in enumerate(cards) if placed_card.card is None]
    if cards:
        cards[unread[0] if unread else -1] = PlacedCard(card)
    else:
        cards = [PlacedCard(card)]
    return placed(view, ZoneView(zone=zone, cards=tuple(cards), pieces=view[zone].pieces))
