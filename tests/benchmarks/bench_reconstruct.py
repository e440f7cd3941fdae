"""How well and how fast whole games are followed from observations without images.

Every game is looked at after each action. What counts as right is said in `assistant.accuracy`; here the
cards of the set-up are looked at one by one and count as actions too.

    python -m tests.benchmarks.bench_reconstruct --games 30
"""

import argparse
import json
import random
import time
from dataclasses import dataclass, field

from assistant.accuracy import NOTHING, align, change
from assistant.reconstruct import StepKind
from assistant.session import Session
from assistant.virtual import visible
from tests.assistant.observations import Eye
from tests.assistant.table import played, yu
from vision.table import TableView

EYES: dict[str, dict[str, float]] = {
    "perfect": {},
    "noisy": {"misread": 0.02, "miscount": 0.02, "hide": 0.02},
    "steady": {"misread": 0.02, "miscount": 0.02, "steady": True},
    "very noisy": {"misread": 0.03, "miscount": 0.05, "hide": 0.02},
}
"""Chances per card, per kind of piece in a heap or pile, and per zone, anew with every look."""


@dataclass(kw_only=True)
class Tally:
    actions: int = 0
    right: int = 0
    invented: int = 0
    games: int = 0
    perfect: int = 0
    ended_right: int = 0
    false_findings: int = 0
    adopted: int = 0
    questions: int = 0
    seconds: list[float] = field(default_factory=list)

    def report(self) -> dict[str, float]:
        times = sorted(self.seconds)
        return {
            "games": self.games,
            "actions_right": round(self.right / self.actions, 4),
            "actions_invented": self.invented,
            "games_perfect": round(self.perfect / self.games, 3),
            "games_ended_right": round(self.ended_right / self.games, 3),
            "false_findings_per_game": round(self.false_findings / self.games, 3),
            "adopted_per_game": round(self.adopted / self.games, 3),
            "questions_per_game": round(self.questions / self.games, 3),
            "ms_p50": round(1e3 * times[len(times) // 2], 1),
            "ms_p95": round(1e3 * times[int(0.95 * len(times))], 1),
            "ms_max": round(1e3 * times[-1], 1),
        }


def follow(policy: str, seed: int, eye: Eye, looks: int, tally: Tally) -> None:
    game = yu()
    session = Session(game, "yu")
    state = game.initial()
    at = 0.0
    shown: list[TableView] = [game.view(state)]
    asked: set[int] = set()
    for index, action in enumerate(played(policy, seed)):
        before, state = state, game.apply(state, action)
        for _ in range(looks):
            at += 1.0
            observation = eye.look(game.view(state), index, at)
            begun = time.process_time()
            session.observe(observation)
            tally.seconds.append(time.process_time() - begun)
            question = session.snapshot().question
            asked |= {question.id} if question is not None else set()
        if change(game.layout, game.view(before), game.view(state)) != NOTHING:
            shown.append(game.view(state))
    aligned = align(game.layout, shown, [line.view for line in session.lines[0].back()][::-1])
    right = sum(aligned.right)
    tally.games += 1
    tally.actions += len(aligned.right)
    tally.right += right
    tally.invented += aligned.invented
    tally.perfect += all(aligned.right) and not aligned.invented
    ends = (visible(game.layout, view) for view in (session.lines[0].view, game.view(state)))
    tally.ended_right += len(set(ends)) == 1
    tally.questions += len(asked)
    tally.adopted += sum(
        line.step is not None and line.step.kind is StepKind.ADOPTED for line in session.path
    )
    findings = session.snapshot().findings
    tally.false_findings += sum(shown.finding.severity.value == "violation" for shown in findings)


def measure(name: str, games: int, first: int) -> dict[str, float]:
    tally = Tally()
    for number in range(games):
        seed = first + number
        policy = "random" if number % 3 == 2 else "greedy"
        eye = Eye(layout=yu().layout, pack=yu().pack, dice=random.Random(seed), **EYES[name])  # type: ignore[arg-type]
        follow(policy, seed, eye, 1 if name == "perfect" else 2, tally)
    return tally.report()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--eye", choices=tuple(EYES), action="append")
    options = parser.parse_args()
    results = {name: measure(name, options.games, options.seed) for name in options.eye or EYES}
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
