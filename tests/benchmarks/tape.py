"""A measured game written down look by look, so that today's program can think it over again in a minute.

    python -m tests.benchmarks.tape record TAPE --seed 10200 --number 0          plays and writes, minutes
    python -m tests.benchmarks.tape record TAPE --game GAME --players 4 --seed 9990 --mistakes 0.12
    python -m tests.benchmarks.tape again TAPE                                   only thinks, no picture
    python -m tests.benchmarks.tape again TAPE --told 120 160                    what was told in that time

What was seen is taken as it was; only what was made of it is judged anew. Each error is told with its moment,
what was played, what was recorded instead and what was misread just then.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

from assistant.commands.own import bound_game
from assistant.discover import kit_named
from assistant.events import Observed, decode_event, encode_event
from assistant.kit import Mistake
from assistant.measure import VirtualMatch, read_right, style_of
from assistant.reconstruct import Line, StepKind
from vision.networks import Networks
from vision.observation import Observation, Sight, ZoneSighting
from vision.table import TableView


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("record", "again"))
    parser.add_argument("tape", type=Path)
    parser.add_argument("--game", default="yu")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, default=0)
    parser.add_argument("--mistakes", type=float, default=0.05)
    parser.add_argument("--moves", type=int, help="only the first moves")
    parser.add_argument("--told", type=float, nargs=2, metavar=("FROM", "TO"), help="seconds of the table")
    options = parser.parse_args()
    if options.what == "record":
        asked = ("game", "players", "seed", "number", "mistakes")
        match = record(options.tape, {name: getattr(options, name) for name in asked}, moves=options.moves)
    else:
        match = again(options.tape, told=options.told, moves=options.moves)
    report = match.score.report()
    kept = ("actions", "actions_right", "actions_invented", "mistakes", "false_findings", "latency_p95_s")
    print(json.dumps({name: report[name] for name in kept}))


def record(
    path: Path, asked: dict[str, Any], networks: Networks | None = None, moves: int | None = None
) -> "TapedMatch":
    """Plays a game as it is measured; being written down changes nothing."""
    with gzip.open(path, "wt", encoding="utf-8") as tape:
        tape.write(json.dumps(asked) + "\n")
        match = match_of(asked, networks)
        match.eye = cast(Any, _Writing(match, tape))
        match.play(moves)
    return match


def again(path: Path, told: tuple[float, float] | None = None, moves: int | None = None) -> "TapedMatch":
    """Thinks a game over that was written down, and tells what was made of it."""
    with gzip.open(path, "rt", encoding="utf-8") as tape:
        match = match_of(json.loads(tape.readline()), None)
        match.told = told
        reading = _Reading(tape)
        match.eye, match.table = cast(Any, reading), cast(Any, reading)
        try:
            match.play(moves)
        except _TapeError:
            print("the tape ends here")
            match.end()
    match.tell()
    return match


def match_of(asked: dict[str, Any], networks: Networks | None) -> "TapedMatch":
    kit = kit_named(asked["game"])
    game = bound_game(kit, None, {"players": str(asked["players"])} if asked["players"] else {})
    style = style_of(asked["seed"] + asked["number"], hard=True)
    seed = f"{asked['seed']}/{asked['number']}"
    return TapedMatch(kit, game, style, seed, mistakes=asked["mistakes"], networks=networks)


class _TapeError(Exception):
    """A game that was not written to its end."""


class _Writing:
    """An eye that writes down what it sees, and which zones of a calm table it misreads."""

    def __init__(self, match: "TapedMatch", tape: TextIO) -> None:
        self._match, self._eye, self._tape = match, match.eye, tape

    def observe(self, frame: Any) -> Observation:
        observation = self._eye.observe(frame)
        table = self._match.table
        look = {
            "now": table.now,
            "waiting": table.waiting,
            "idle": self._eye.idle,
            "wrong": self._misread(observation),
            "seen": encode_event(Observed(observation=observation)),
        }
        self._tape.write(json.dumps(look, separators=(",", ":")) + "\n")
        self._tape.flush()
        return observation

    def _misread(self, observation: Observation) -> dict[str, Any]:
        if not observation.calm:
            return {}
        truth = self._match.table.on_table.view([sighting.zone for sighting in observation.zones]).by_zone()
        return {
            sighting.zone: [[card.card for card in truth[sighting.zone].cards], truth[sighting.zone].counts()]
            for sighting in observation.zones
            if sighting.sight is Sight.SEEN
            and not read_right(self._match.game.layout, sighting, truth[sighting.zone], self._match.blank)
        }

    def __getattr__(self, name: str) -> Any:
        return getattr(self._eye, name)


class _Reading:
    """Table and eye of a game that was written down."""

    def __init__(self, tape: TextIO) -> None:
        self._tape = tape
        self.now = 0.0
        self.idle = False
        self.waiting = 0
        self.wrong: dict[str, Any] = {}

    def push(self, _view: TableView) -> None:
        self.waiting = 1

    def look(self, _seconds: float) -> dict[str, Any]:
        line = self._tape.readline()
        if not line:
            raise _TapeError
        look: dict[str, Any] = json.loads(line)
        self.now, self.waiting, self.idle = look["now"], look["waiting"], look["idle"]
        self.wrong = look["wrong"]
        return look

    def observe(self, look: dict[str, Any]) -> Observation:
        return cast(Observed, decode_event(look["seen"])).observation

    def take_as_bare(self, *_zones: Any) -> None:
        """What the eye learnt then is in what it saw."""


@dataclass(frozen=True, kw_only=True)
class _Played:
    """A move of the robot, and what was misread after it."""

    at: float
    text: str
    wrong: list[str]


class TapedMatch(VirtualMatch):
    """A measured game that also tells, moment by moment, what was played and what was made of it."""

    told: tuple[float, float] | None = None

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._played: list[_Played] = []
        self._remarks: list[tuple[float, str]] = []
        self._news: list[str] = []
        self._path: list[str] = []

    def end(self) -> None:
        self._judged()

    def _count_errors(self) -> None:
        if not isinstance(self.table, _Reading):
            super()._count_errors()

    def _move(self) -> None:
        begun, shown = self.table.now, len(self._shown)
        super()._move()
        if len(self._shown) > shown:
            self._played.append(_Played(at=begun, text=self._shown[-1][1], wrong=self._wrong()))
            self._remark(f"played {self._shown[-1][1]}")

    def _mistake(self) -> tuple[Mistake[Any], frozenset[str]] | None:
        slip = super()._mistake()
        if slip is not None:
            changed = [
                f"{before.zone}: {_short(before)} -> {_short(after)}"
                for before, after in zip(
                    self.game.view(self.state).zones, self.game.view(slip[0].state).zones, strict=True
                )
                if before != after
            ]
            self._remark(f"MISTAKE {sorted(slip[1])} {changed}")
        return slip

    def _slip(self) -> None:
        caught = self.score.caught.total()
        injected = self.score.injected.total()
        super()._slip()
        if self.score.injected.total() > injected:
            fate = "caught" if self.score.caught.total() > caught else "MISSED"
            self._remark(f"{fate}; misread {self._wrong()}")

    def _notice(self, at: float) -> None:
        before = [self._text(line) for line in self.session.path] if self.told else []
        known = {shown.id for shown in self._snapshot.findings}
        super()._notice(at)
        for shown in self._snapshot.findings:
            if shown.id not in known:
                self._remark(f"finding {shown.finding.rule} {shown.finding.severity.value}")
        if self.told and self.told[0] <= at <= self.told[1]:
            self._remark_news([f"aside {zone}" for zone in sorted(self.session.aside)] + self._wrong())
            self._remark_path(before)

    def _remark_news(self, news: list[str]) -> None:
        """What is misread or left aside and was not a look before."""
        for text in news:
            if text not in self._news:
                self._remark(f"  {text}")
        self._news = news

    def _remark_path(self, before: list[str]) -> None:
        path = [self._text(line) for line in self.session.path]
        before = self._path or before
        same = (n for n, (new, old) in enumerate(zip(path, before, strict=False)) if new != old)
        shared = next(same, min(len(path), len(before)))
        if path != before:
            gone = f" instead of {before[shared:]}" if before[shared:] else ""
            self._remark(f"  told {path[shared:]}{gone}")
        self._path = path

    def _wrong(self) -> list[str]:
        """What is misread just now: what lies there, and what is seen."""
        seen = {sighting.zone: sighting for sighting in self.last.zones} if self.last is not None else {}
        return [
            f"{zone} {difference}"
            for zone, (cards, counts) in getattr(self.table, "wrong", {}).items()
            if (difference := _difference(seen[zone], cards, counts))
        ]

    def _remark(self, text: str) -> None:
        self._remarks.append((self.table.now, text))

    def _text(self, line: Line) -> str:
        step = line.step
        if step is None:
            return ""
        if step.kind is StepKind.MISTAKE:
            return f"!{step.mistake.rule}" if step.mistake is not None else "!"
        return self.game.format(step.action) if step.action is not None else step.kind.value

    def tell(self) -> None:
        """Every mistake and accusation, the moves of the asked time, and what was not recorded as played."""
        for at, text in self._remarks:
            in_time = self.told is not None and self.told[0] <= at <= self.told[1]
            if in_time or text.startswith(("MISTAKE", "MISSED", "caught")) or text.endswith("violation"):
                print(f"{at:8.2f} {text}")
        for at, text in self._lost():
            print(f"{at:8.2f} {text}")

    def _lost(self) -> Iterator[tuple[float, str]]:
        for played, right in zip(self._played, self.rights, strict=False):
            if not right:
                yield played.at, f"LOST {played.text}; misread then {played.wrong}"


def _short(zone: Any) -> str:
    return f"{[card.card for card in zone.cards][-2:]}{len(zone.cards)} {zone.counts()}"


def _difference(seen: ZoneSighting, cards: list[str | None], counts: dict[str, int]) -> str:
    found = []
    for count in seen.pieces:
        if count.counts and count.counts[0][0] != counts.get(count.kind, 0):
            chances = ", ".join(f"{number}: {p:.2f}" for number, p in count.counts[:4])
            found.append(f"{counts.get(count.kind, 0)} {count.kind} ({chances})")
    guesses = [
        "/".join(f"{guess.card or guess.look.value} {guess.p:.2f}" for guess in card.guesses[:3])
        for card in seen.cards
    ]
    if not found and seen.cards:
        found.append(f"{cards} seen as {guesses}")
    return "; ".join(found)


if __name__ == "__main__":
    main()
