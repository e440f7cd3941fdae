"""Looks at one table patiently: when to think, how long to wait, when to ask, and the player's word."""

from dataclasses import replace
from typing import Any

from assistant.amend import Retold, line_at, with_move, with_zone
from assistant.attention import Attention
from assistant.evidence import Evidence
from assistant.kit import Game
from assistant.questions import ask, ask_height
from assistant.reconstruct import Limits, Line, StepKind
from assistant.remembered import Sights
from assistant.singles import one_of_each
from assistant.snapshot import Progress, Question
from assistant.suspicion import Suspicion, suspicion
from assistant.tracker import Tracker, placed
from assistant.trouble import Patience, Trouble
from vision.observation import Observation, ZoneSighting
from vision.table import PlacedCard, Side, ZoneId, ZoneView

SURE_AGAINST = 3.0
"""A zone left aside is asked about only where it was read with confidence."""
MOST_ASIDE = 2
"""More zones than these, all at once, are no misreading."""


class Watcher:
    """From observations to lines of play; its clock is that of the observations."""

    def __init__(self, game: Game[Any, Any], state: Any, patience: Patience, limits: Limits | None) -> None:
        self._game = game
        self._patience = patience
        self._attention = Attention(game.layout)
        self.tracker = Tracker(game, state, limits)
        self.evidence: Evidence | None = None
        self.progress: Progress | None = None
        self.question: Question | None = None
        self.now = 0.0
        self._questions = 0
        self._at_first: tuple[Line, ...] = ()
        """What was believed before a table was looked at that is still looked at."""
        self._before_aside: tuple[Line, ...] = ()
        """What was believed before zones were left aside: a broken rule may explain more from there."""
        self._sights = Sights()
        self._trouble = Trouble(patience)
        self._suspicion: Suspicion | None = None
        self._more_is_done = False
        """Whole moves come before the one in progress: these are believed without waiting for its end."""

    @property
    def best(self) -> Line:
        return self.tracker.best

    @property
    def setting_up(self) -> bool:
        return self._game.round(self.best.state) == 0

    @property
    def just_set_up(self) -> bool:
        """Whether the first round has begun and nothing was done in it yet."""
        best = self.best
        if best.parent is None or best.step is None or best.step.kind is not StepKind.ACTION:
            return False
        return self._game.round(best.state) > 0 == self._game.round(best.parent.state)

    @property
    def everything(self) -> Evidence | None:
        """The last sight with all zones that were left aside."""
        if self.evidence is None:
            return None
        return self._attention.evidence(self.evidence.observation, with_aside=True)

    @property
    def told(self) -> frozenset[ZoneId]:
        """The zones of which the player said what lies there."""
        return self._attention.told

    @property
    def aside(self) -> frozenset[ZoneId]:
        """The zones that contradict the game and are left aside."""
        return frozenset(self._attention.aside)

    @property
    def bare(self) -> frozenset[ZoneId]:
        """Heaps, and places for cards, that hold nothing if the game went as it is told, on a calm table that
        is understood."""
        calm = self.evidence is not None and self.evidence.observation.calm
        if not calm or self.setting_up or self._trouble.open or self._suspicion is not None:
            return frozenset()
        view = self.best.view
        heaps = (heap for heap in self._attention.heaps if not view[heap].pieces)
        places = (place for place in self._attention.places if not view[place].cards)
        return frozenset((*heaps, *places))

    def see(self, observation: Observation) -> bool:
        """Takes in a sight; whether anything is different from the one before."""
        return self._see(one_of_each(observation, self.best.view, self._attention.zones))

    def _see(self, observation: Observation) -> bool:
        last = self.evidence.observation if self.evidence is not None else None
        self.now = max(self.now, observation.seen_at)
        new = last is None or not observation.says_the_same_as(last)
        if not observation.registered:
            self.evidence = self._attention.evidence(observation)
            return new
        if new:
            self._attention.forget(observation)
            self.evidence = self._attention.evidence(observation)
            if observation.calm:
                if observation.looking and not self._at_first:
                    self._at_first = self.tracker.lines
                self._remember(observation)
                self._think()
                if not observation.looking:
                    self._think_twice()
            elif not self.setting_up:
                self.tracker.glimpse(self.evidence)
        if not observation.calm:
            self._at_first = ()
            self._trouble.rest()
            if self._suspicion is not None:
                self._suspicion = replace(self._suspicion, since=self.now)
            return new
        return self._wait() or new

    def pass_time(self, at: float) -> bool:
        """The table looks as in the last sight; whether patience ran out."""
        return self.evidence is not None and self._see(replace(self.evidence.observation, seen_at=at))

    # The player's word

    def tell(self, action: Any) -> None:
        """The caller has asked whether the action is legal."""
        self.tracker.tell(action)
        self._rethink()

    def undo(self) -> None:
        self.tracker.undo()
        self._attention.stop_counting()
        self.question = None

    def adopt(self) -> None:
        """The table is right as it lies."""
        if self.evidence is not None:
            self._attention.aside.clear()
            self._attention.stop_counting()
            self.evidence = self._attention.evidence(self.evidence.observation)
            self.tracker.adopt(self.evidence, told=True)
            self._understood()

    def resume(self, round_number: int) -> None:
        """A game met in the middle; asks for what cannot be seen."""
        if self.evidence is not None:
            self.adopt()
            self.tracker.replace_state(self._game.watch.resume(self.best.state, round_number), told=True)
            self._questions += 1
            self.question = ask_height(self._game, self.best, self.evidence, self._questions)

    def set_height(self, zone: ZoneId, height: int) -> None:
        old = self.best.view[zone].cards
        side = old[-1].side if old else Side.DOWN
        cards = (*old[:height], *(PlacedCard(None, side),) * (height - len(old)))
        self.tracker.adopt_view(placed(self.best.view, ZoneView(zone=zone, cards=cards)), told=True)
        self.question = None
        self._rethink()

    def keep(self, zone: ZoneId) -> None:
        """The zone is as we show it, whatever it looks like."""
        sighting = self.evidence.sighting(zone) if self.evidence is not None else None
        self.question = None
        if zone in self._attention.aside:
            sighting = self._attention.aside[zone].sighting
        if sighting is not None:
            self._attention.tell(zone, None, sighting)
        self._rethink()

    def correct(self, told: ZoneView) -> None:
        """What really lies in a zone: all since it first looked as it does now is thought over again."""
        self.question = None
        sighting = self.evidence.sighting(told.zone) if self.evidence is not None else None
        if told.zone in self._attention.aside:
            sighting = self._attention.aside[told.zone].sighting
        if sighting is not None:
            self._attention.tell(told.zone, told, sighting)
            self._derive_again(told.zone, sighting)
        if self.best.view[told.zone] != told:
            self.tracker.adopt_view(placed(self.best.view, told), told=True)
            self._rethink()

    def correct_at(self, move: int, told: ZoneView) -> None:
        """What lay in a zone after an earlier move; later moves stand where they still can."""
        if self.best.depth < move or line_at(self.best, move).view[told.zone] == told:
            return
        self._retell(with_zone(self._game, self.best, move, told))

    def instead(self, move: int, action: Any) -> None:
        """An earlier move was this one, or (None) there was none; the caller asked whether it is legal."""
        if not 0 < move <= self.best.depth:
            return
        taken = line_at(self.best, move)
        assert taken.step is not None
        assert taken.parent is not None
        if action is not None and taken.step.action == action:
            return
        retold = with_move(self._game, self.best, move, action)
        if taken.step.action is not None:
            self.tracker.forbid(taken.parent.state, taken.step.action)
        self._retell(retold)

    def _retell(self, retold: Retold) -> None:
        """Remembered sights are put on the new line; those that it does not reach are thought over again."""
        self.question = None
        again = self._sights.retell(retold)
        self.tracker.retell(retold.line)
        self._carry_names(retold)
        if not retold.whole:
            self._think_again_from(again)
        self._rethink()

    def _carry_names(self, retold: Retold) -> None:
        """A card that was renamed is misread wherever it lies now, until something else lies there."""
        for zone in self.best.view.zones:
            sighting = self.evidence.sighting(zone.zone) if self.evidence is not None else None
            if sighting is not None and any(placed.card in retold.names for placed in zone.cards):
                self._attention.tell(zone.zone, zone, sighting)

    # Thinking

    def _think(self) -> None:
        """A calm table that looks new."""
        assert self.evidence is not None
        self._take_up_again()
        before = self.tracker.lines
        if self.tracker.weigh(self.evidence):
            self._understood(before)
        elif self._worth_a_search():
            if self.tracker.explain(self.evidence) or self._explain_with_aside():
                if self.best.depth != before[0].depth:
                    self._before_aside = ()
                self._understood(before)
            else:
                self.progress, self._more_is_done = self.tracker.half_done(self.evidence)
                self._trouble.begin(self.now)

    def _think_twice(self) -> None:
        """A heap was looked at a few times by now, and the first look is often its worst: what was told then
        is compared with what would be told now."""
        assert self.evidence is not None
        before, self._at_first = self._at_first, ()
        if not self._trouble.open and self.tracker.explain_rather(self.evidence, before):
            self._understood()

    def _take_up_again(self) -> None:
        """A zone that was left aside counts again as soon as it agrees with the game."""
        assert self.evidence is not None
        if self._attention.take_up_again(self.evidence.observation, self.best.view):
            self.evidence = self._attention.evidence(self.evidence.observation)

    def _explain_with_aside(self) -> bool:
        """What was left aside may have been right, and the game wrong: both together explain the table."""
        if not self._attention.aside:
            return False
        assert self.evidence is not None
        everything = self._attention.evidence(self.evidence.observation, with_aside=True)
        self.tracker.weigh(everything)
        if self.tracker.explain(everything):
            self._attention.aside.clear()
            self.evidence = everything
            return True
        self.tracker.weigh(self.evidence)
        return False

    def _rethink(self) -> None:
        self._attention.stop_counting()
        if self.evidence is not None and self.evidence.observation.calm:
            self.evidence = self._attention.evidence(self.evidence.observation)
            self._trouble.forget_looks()
            self._think()

    def _worth_a_search(self) -> bool:
        """The same trouble is not thought over with every flicker of the camera."""
        assert self.evidence is not None
        view = self.best.view
        if self.evidence.explained(view):
            return True
        looks = tuple(self.evidence.read(view[zone]) for zone in self.evidence.contradicted(view))
        return self._trouble.is_new(looks, self.now)

    def _understood(self, before: tuple[Line, ...] = ()) -> None:
        """The table is explained; `before` is what was believed until it looked like this."""
        assert self.evidence is not None
        self.tracker.remember(self.evidence)
        moved = self.evidence.moved(self.best.view)
        self._suspicion = suspicion(self._suspicion, before, self.best, moved, self.now)
        self._count_heaps()
        self._trouble.end()
        self.progress = None
        if self.question is not None and not self._attention.passes_over(self.question.zone):
            self.question = None  # else it is open until it is answered

    def _count_heaps(self) -> None:
        """Not while something is suspected: what has changed decides it. Nor from a first look."""
        assert self.evidence is not None
        if self.evidence.observation.looking:
            return
        if self._suspicion is None or self._suspicion.judged:
            views = [line.view for line in self.tracker.lines]
            self._attention.count_from(self.evidence, views, self.now)

    # Waiting

    def _wait(self) -> bool:
        """A calm table that is not understood: time passes, and patience with it."""
        if not self._trouble.open:
            return self._judge_suspicion() or self._judge_aside()
        if self._trouble.lost(self.now) and not self.setting_up:
            self._trouble.find_back()
            self._give_in()
            return True
        in_progress = self.progress is not None and not self._more_is_done
        if not in_progress and self._trouble.doubtful(self.now) and self._leave_aside():
            return True
        if self._trouble.grace_is_over(self.now):
            self._look_for_mistakes()
            return True
        if not self.setting_up and self._trouble.must_be_taken(self.now):
            self._give_in()
            return True
        return False

    def _look_for_mistakes(self) -> None:
        assert self.evidence is not None
        if self.setting_up:
            if self.tracker.accept_best():
                self.progress = None
        elif self.tracker.explain_mistake(self.evidence):
            self._understood()
        elif self.progress is None:
            self._questions += 1
            self.question = ask(self._game, self.best, self.evidence, self._questions)

    def _leave_aside(self) -> bool:
        """The line that explains most is believed, and the few zones that speak against it are misread."""
        assert self.evidence is not None
        likeliest = self.tracker.likeliest
        zones = self.evidence.contradicted(likeliest.view)
        if len(zones) > (len(self._attention.zones) if self.setting_up else MOST_ASIDE):
            return False
        if self.setting_up and self._game.round(likeliest.state) == 0:
            return False
        before = self.tracker.lines
        self._before_aside = before if self.tracker.accept_best() else ()
        sightings = [sighting for zone in zones if (sighting := self.evidence.sighting(zone)) is not None]
        self._attention.leave_aside(sightings, self.best.view, self.now)
        self.evidence = self._attention.evidence(self.evidence.observation)
        if self.tracker.weigh(self.evidence) or self.evidence.explained(self.best.view):
            self._understood()
        return True

    def _judge_suspicion(self) -> bool:
        """What is hard to believe has lain there for a while: was a rule broken, or a move taken back?"""
        assert self.evidence is not None
        open_case = self._suspicion
        if open_case is None or open_case.judged or self.setting_up:
            return False
        if self.now - open_case.since < self._patience.grace_s:
            return False
        self._suspicion = replace(open_case, judged=True)
        sought = open_case.hard or open_case.retold
        back = not sought and self.tracker.explain_taking_back(self.evidence)
        if back or self.tracker.explain_mistake(self.evidence, open_case.before, open_case.retold):
            self._understood()
            return True
        self._count_heaps()
        return False

    def _judge_aside(self) -> bool:
        """Zones left aside for the grace time: is a broken rule likelier than that they were misread?"""
        assert self.evidence is not None
        changed = False
        ripe = self._attention.ripe(self.now - self._patience.grace_s)
        if ripe and not self.setting_up:
            everything = self._attention.evidence(self.evidence.observation, with_fresh=True)
            wrong = not everything.explained(self.best.view)
            if wrong and self.tracker.explain_mistake(everything, self._before_aside):
                self._attention.judge_all(everything, self.best.view)
                self.evidence = self._attention.evidence(self.evidence.observation)
                self._understood()
                ripe, changed = [], True
            self.evidence = self._attention.evidence(self.evidence.observation)
            self.tracker.weigh(self.evidence)
        for zone in ripe:
            self._attention.judge(zone)
            self._before_aside = ()
        return self._ask_about_aside() or changed

    def _ask_about_aside(self) -> bool:
        """One question about a zone that is read with confidence and still cannot be."""
        assert self.evidence is not None
        for aside in self._attention.unasked(self.now - self._patience.ask_s):
            zone = aside.sighting.zone
            alone = Evidence(
                replace(self.evidence.observation, zones=(aside.sighting,)), self._attention.zones
            )
            if self.question is None and alone.worst(self.best.view[zone]) >= SURE_AGAINST:
                self._questions += 1
                self.question = ask(self._game, self.best, alone, self._questions)
                return True
        return False

    def _give_in(self) -> None:
        """Nothing explains the table: it is taken as it lies, and the game goes on."""
        assert self.evidence is not None
        if self._leave_aside():
            return
        self.tracker.adopt(self.evidence)
        self.question = None
        if self.tracker.weigh(self.evidence):
            self._understood()

    # Remembering

    def _remember(self, observation: Observation) -> None:
        self._sights.take_in(observation, self.tracker.lines, self.tracker.committed)

    def _derive_again(self, zone: ZoneId, sighting: ZoneSighting) -> None:
        """From the sight on in which the zone first looked as it does now."""
        first = self._sights.since(zone, sighting)
        if first == len(self._sights):
            self._rethink()
            return
        self.tracker.restore(self._sights[first].lines, self._sights[first].committed)
        self._think_again_from(first)

    def _think_again_from(self, first: int) -> None:
        self._attention.stop_counting()
        now = self.now
        for sight in self._sights.forget_from(first):
            self.now = sight.observation.seen_at
            self.evidence = self._attention.evidence(sight.observation)
            self._remember(sight.observation)
            self._trouble.forget_looks()
            self._think()
        self.now = now
