"""The whole-game measure: a robot plays on the virtual table, only pixels reach the program, truth is known.

No clock but the table's own: a busy machine changes no result. Frames are drawn where they matter: some
while a hand moves, several right after it left, few while nothing happens.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from assistant.accuracy import MOST_PARTS, NOTHING, Change, align, change, wrong_cards
from assistant.kit import Dice, Finding, Game, GameKit, Mistake, Severity
from assistant.run import STILL_S
from assistant.session import Session
from assistant.snapshot import FindingFate, Snapshot
from assistant.virtual import (
    Visible,
    calibrated,
    eye_of,
    like_two_moves,
    scene_of,
    set_up,
    slip_of,
    visible,
)
from vision.cards import CardId
from vision.networks import Networks
from vision.observation import Guess, Look, Observation, Sight, ZoneSighting
from vision.table import PlacedCard, Side, TableLayout, TableView, ZoneId, ZoneKind, ZoneView
from vision.virtual.drawn import load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.source import VirtualSource

MOVING_S: Final = 0.4
"""Between two pictures while a hand moves: a camera gives four times as many."""
LOOKING_S: Final = 0.12
"""Between two pictures after a hand left, until the eye has read what is new."""
RESTING_S: Final = 0.9
LONGEST_LOOK_S: Final = 1.5
REST_S: Final = 2.2
"""How long the robot thinks before its next move."""
UNNOTICED_S: Final = 7.0
"""How long a mistake lies on the table before the robot puts it right."""
PACE: Final = 2.0
LARGEST_PX: Final = 1920
_EQUAL: Final = 1e-6
"""Guesses that differ by no more are equally likely."""
STUCK: Final = 10
"""A game of which none of the last so many moves was seen has been lost."""


@dataclass(kw_only=True)
class Score:
    """What came of one game, or of several together."""

    games: int = 0
    perfect: int = 0
    stuck: int = 0
    actions: int = 0
    right: int = 0
    invented: int = 0
    """Recorded steps that nobody played."""
    setup_wrong: int = 0
    """Places where another card was recorded than lay there after the set-up."""
    zones: int = 0
    zone_errors: int = 0
    wrong_zones: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    """Actions that were not recorded, by their first word."""
    questions: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    alike: int = 0
    """Of the mistakes: those that leave the table just as two legal moves do,"""
    alike_caught: int = 0
    """and were told nevertheless."""
    false_findings: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    ended: int = 0
    ends_known: int = 0
    """Games whose end, and how it came, the program knew by itself."""
    warnings_due: int = 0
    warnings_in_time: int = 0
    frames: int = 0

    def add(self, other: "Score") -> None:
        for name in self.__dataclass_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, mine + theirs)

    def report(self) -> dict[str, Any]:
        times = sorted(self.latencies)
        games = max(1, self.games)
        return {
            "games": self.games,
            "actions": self.actions,
            "actions_right": _share(self.right, self.actions),
            "actions_invented": self.invented,
            "setup_cards_wrong": self.setup_wrong,
            "games_perfect": _share(self.perfect, self.games),
            "zone_errors": _share(self.zone_errors, self.zones, 0.0),
            "questions_per_game": round(self.questions / games, 3),
            "mistakes_injected": self.injected.total(),
            "mistakes_caught": _share(self.caught.total(), self.injected.total()),
            "mistakes_like_two_moves": self.alike,
            "mistakes_caught_of_others": _share(
                self.caught.total() - self.alike_caught, self.injected.total() - self.alike
            ),
            "false_findings_per_game": round(self.false_findings.total() / games, 3),
            "games_stuck": _share(self.stuck, self.games, 0.0),
            "ends_recorded": _share(self.ends_known, self.ended),
            "latency_p95_s": round(times[int(0.95 * len(times))], 3) if times else None,
            "flood_warnings_due": self.warnings_due,
            "flood_warnings_in_time": _share(self.warnings_in_time, self.warnings_due),
            "frames": self.frames,
            "mistakes": {
                rule: {"injected": number, "caught": self.caught[rule]}
                for rule, number in sorted(self.injected.items())
            },
            "false_findings": dict(sorted(self.false_findings.items())),
            "actions_missed": dict(self.missed.most_common()),
            "zones_misread": dict(self.wrong_zones.most_common(12)),
        }


def _share(part: int, whole: int, otherwise: float = 1.0) -> float:
    return round(part / whole, 4) if whole else otherwise


def style_of(seed: int, *, hard: bool) -> SceneStyle:
    """A table of its own for each game; not larger than a usual camera's picture, which is not easier."""
    style = SceneStyle.sample(seed, Split.HELD_OUT if hard else Split.TRAIN)
    wide = style.stand.width
    if wide > LARGEST_PX:
        stand = replace(style.stand, width=LARGEST_PX, height=round(style.stand.height * LARGEST_PX / wide))
        style = replace(style, stand=replace(stand, whole=True))
    return replace(style, stand=replace(style.stand, whole=True))


class VirtualMatch:
    """One game: the robot's truth on the one side, eye and session on the other."""

    def __init__(
        self,
        kit: GameKit,
        game: Game[Any, Any],
        style: SceneStyle,
        seed: int | str,
        *,
        mistakes: float = 0.0,
        networks: Networks | None = None,
    ) -> None:
        self.game = game
        self._dice = Dice(seed)
        self._slips = Dice(f"{seed}/mistakes")
        self._slip_odds = ((True, mistakes), (False, 1 - mistakes))
        self.state = set_up(game, self._dice)
        scene = scene_of(kit, game, style)
        self.table = VirtualSource(
            scene, game.view(self.state), seed=style.seed, live=False, pace=PACE, pause_s=0
        )
        self.eye = eye_of(kit, game, calibrated(game.layout.board, scene), networks)
        self.session = Session(game, kit.name)
        self.blank = blank_cards(kit, game)
        self.score = Score(games=1)
        self.last: Observation | None = None
        self._shown: list[tuple[TableView, str]] = []
        self._begun = game.view(self.state)
        self._slipped: set[Visible] = set()
        self._waiting: list[tuple[Change, float, int]] = []
        self._injected = ""
        self._alike = False
        self._asked: set[int] = set()
        self._known: set[int] = set()
        self._snapshot: Snapshot = self.session.snapshot()
        self.rights: tuple[bool, ...] = ()
        """For each action that could be seen, once the game is judged, whether it was recorded."""

    def play(self, moves: int | None = None, progress: Callable[[], None] = lambda: None) -> Score:
        """The whole game, or its first moves; `progress` is called after each."""
        self._rest(UNNOTICED_S)
        done = 0
        while self.game.outcome(self.state) is None and (moves is None or done < moves):
            if self._slips.weighted(self._slip_odds):
                self._slip()
            self._move()
            done += 1
            progress()
        self._rest(UNNOTICED_S)
        return self._judged()

    def _move(self) -> None:
        """One action of the robot; what nobody can see takes no time."""
        game = self.game
        before = self.state
        action = game.policies["greedy"](before, self._dice)
        self.state = game.apply(before, action)
        self._count_warning(before)
        seen = change(game.layout, game.view(before), game.view(self.state))
        if seen == NOTHING:
            return
        steps = len(self.session.path)
        self._lay(game.view(self.state))
        self._shown.append((game.view(self.state), game.format(action)))
        self._waiting.append((seen, self.table.now, steps))
        self._count_latency(self.table.now)  # the last picture of the hand leaving may have told it
        self._rest(REST_S)

    def _slip(self) -> None:
        """A mistake that shows, left on the table for a while, then put right."""
        slip = self._mistake()
        if slip is None:
            return
        mistake, rules = slip
        view = self.game.view(self.state)
        self._slipped.add(visible(self.game.layout, self.game.view(mistake.state)))
        self._lay(self.game.view(mistake.state))
        self._rest(UNNOTICED_S, accusing=rules)
        self._lay(view)
        self._rest(REST_S, accusing=rules)

    def _mistake(self) -> tuple[Mistake[Any], frozenset[str]] | None:
        slip = slip_of(self.game, self.state, self._slips)
        if slip is not None:
            self.score.injected[slip[0].rule] += 1
            self._injected = slip[0].rule
            self._alike = like_two_moves(self.game, self.state, slip[0])
            self.score.alike += self._alike
        return slip

    def _lay(self, view: TableView) -> None:
        self.table.push(view)
        while self.table.waiting:
            self._look(MOVING_S)

    def _rest(self, seconds: float, accusing: frozenset[str] | None = None) -> None:
        """Nobody touches the table: looked at closely first, then now and then."""
        left_at = self.table.now
        caught = False
        while self.table.now - left_at < seconds:
            fresh = self.table.now - left_at < LONGEST_LOOK_S and not self.eye.idle
            if not fresh:
                self._pass_time(RESTING_S)
            self._look(LOOKING_S if fresh else RESTING_S)
            for finding in self._accusations():
                if accusing is None:
                    self.score.false_findings[finding.rule] += 1
                elif finding.rule in accusing:
                    caught = True
        if accusing is not None and caught:
            self.score.caught[self._injected] += 1
            self.score.alike_caught += self._alike
        self._count_errors()

    def _accusations(self) -> Iterator[Finding]:
        """Broken rules that the page has just begun to show, or shows again."""
        opened = {shown.id: shown for shown in self._snapshot.findings if shown.fate is FindingFate.OPEN}
        for number in opened.keys() - self._known:
            if opened[number].finding.severity is Severity.VIOLATION:
                yield opened[number].finding
        self._known = set(opened)

    def _look(self, seconds: float) -> None:
        observation = self.eye.observe(self.table.look(seconds))
        self.score.frames += 1
        self.session.observe(observation)
        self.eye.take_as_bare(self.session.bare, self.session.aside)
        self.last = observation
        self._notice(self.table.now)

    def _pass_time(self, seconds: float) -> None:
        """A watch at a camera's pace tells the session that nothing changes; no picture is drawn for that."""
        begun = self.table.now
        for still in range(1, int(seconds / STILL_S) + 1):
            self.session.wait(begun + still * STILL_S)
            self._notice(begun + still * STILL_S)

    def _notice(self, at: float) -> None:
        number = self._snapshot.number
        self._snapshot = self.session.snapshot()
        if self._snapshot.question is not None:
            self._asked.add(self._snapshot.question.id)
        if self._waiting and self._snapshot.number != number:
            self._count_latency(at)

    def _count_latency(self, now: float) -> None:
        """A move is on the tablet once steps that do the same to the table were added to the game."""
        views = self._recorded()
        for entry in list(self._waiting):
            done, left_at, steps = entry
            ends = range(max(steps + 1, len(views) - STUCK), len(views))
            spans = ((start, end) for end in ends for start in range(max(steps, end - MOST_PARTS), end))
            if any(change(self.game.layout, views[start], views[end]) == done for start, end in spans):
                self._waiting.remove(entry)
                self.score.latencies.append(now - left_at)

    def _recorded(self) -> list[TableView]:
        """The positions of the recorded game, the beginning included."""
        return [line.view for line in self.session.lines[0].back()][::-1]

    def _count_warning(self, before: Any) -> None:
        """The danger that the game's first gauge measures comes a step nearer: was it announced?"""
        old, new = (self.game.forecast(state).gauges[:1] for state in (before, self.state))
        if not old or not new or old[0].values.get("next_space") == new[0].values.get("next_space"):
            return
        self.score.warnings_due += 1
        self.score.warnings_in_time += any(
            shown.fate is FindingFate.OPEN and shown.finding.rule == old[0].rule
            for shown in self._snapshot.findings
        )

    def _count_errors(self) -> None:
        if self.last is None or not self.last.calm:
            return
        truth = self.table.on_table.view([sighting.zone for sighting in self.last.zones]).by_zone()
        for sighting in self.last.zones:
            if sighting.sight is Sight.SEEN:
                self.score.zones += 1
                if not read_right(self.game.layout, sighting, truth[sighting.zone], self.blank):
                    self.score.zone_errors += 1
                    self.score.wrong_zones[sighting.zone] += 1

    def _judged(self) -> Score:
        """Positions in which a mistake lay on the table are no part of the game: it was put right."""
        score, layout = self.score, self.game.layout
        recorded = [view for view in self._recorded() if visible(layout, view) not in self._slipped]
        begun = min(range(len(recorded)), key=lambda at: (self._setup_errors(recorded[at]), at))
        score.setup_wrong = self._setup_errors(recorded[begun])
        aligned = align(layout, [self._begun, *(view for view, _ in self._shown)], recorded[begun:])
        self.rights = aligned.right
        for right, (_, notation) in zip(aligned.right, self._shown, strict=True):
            if not right:
                score.missed[notation.split()[0]] += 1
        score.actions, score.right = len(aligned.right), sum(aligned.right)
        score.invented = aligned.invented
        score.perfect = int(all(aligned.right) and not score.invented and not score.setup_wrong)
        score.stuck = int(len(aligned.right) >= STUCK and not any(aligned.right[-STUCK:]))
        score.questions = len(self._asked)
        ending = self.game.outcome(self.state)
        if ending is not None:
            score.ended = 1
            score.ends_known = int(self.game.outcome(self.session.lines[0].state) == ending)
        return score

    def _setup_errors(self, view: TableView) -> int:
        return wrong_cards(self.game.layout, self._begun, view)


def blank_cards(kit: GameKit, game: Game[Any, Any]) -> frozenset[CardId]:
    """Cards whose print has no fields, such as story cards: a front without a name is all that is said."""
    anatomy = load_table_art(kit.folder).anatomy
    bare = {card.kind for card in anatomy.kinds if not card.fields}
    return frozenset(card.id for card in game.pack.cards if card.kind in bare)


def read_right(
    layout: TableLayout, sighting: ZoneSighting, truth: ZoneView, blank: frozenset[CardId] = frozenset()
) -> bool:
    """Whether the likeliest reading of a zone is what lies there."""
    zone = layout.zone(ZoneId(sighting.zone))
    counts = truth.counts()
    if any(seen.counts[0][0] != counts.get(seen.kind, 0) for seen in sighting.pieces if seen.counts):
        return False
    if not zone.cards:
        return True
    cards = truth.cards if zone.kind is ZoneKind.SPREAD else truth.cards[-1:]
    lying = sorted((_placed(card, blank) for card in cards), key=repr)
    read = [_reading(card.guesses, lying) for card in sighting.cards if card.guesses]
    return sorted((card for card in read if card is not None), key=repr) == lying


def _reading(guesses: Sequence[Guess], lying: Sequence[tuple[str, Any]]) -> tuple[str, Any] | None:
    """The likeliest guess; of cards printed alike, which nobody can tell apart, the one that lies there."""
    alike = [_named(guess.look, guess.card) for guess in guesses if guess.p >= guesses[0].p - _EQUAL]
    return next((named for named in alike if named in lying), alike[0])


def _named(look: Look, card: Any) -> tuple[str, Any] | None:
    return None if look is Look.EMPTY else (look.value, card if look is Look.FRONT else None)


def _placed(card: PlacedCard, blank: frozenset[CardId]) -> tuple[str, Any]:
    return ("back", None) if card.side is Side.DOWN else ("front", None if card.card in blank else card.card)
