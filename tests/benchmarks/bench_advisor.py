"""Who wins how often on the same seeds (random, greedy, UCT, advisor), and how true the chances are.

    make bench ARGS="--games 200 --minutes 600"     all that the issue asks for; takes hours
    python -m tests.benchmarks.bench_advisor        what fits: each slow player stops after --minutes

Budgets are processor time, so that a busy machine changes no result, only how long the benchmark takes.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from assistant.advise.advisor import Thought, advisor_policy
from assistant.discover import kit_named
from assistant.kit import Game, Policy
from assistant.simulate import play_game
from tests.benchmarks.report import Report
from tests.benchmarks.uct import uct_policy

BINS = 5


@dataclass(slots=True)
class Results:
    won: dict[int, bool] = field(default_factory=dict)
    forecasts: list[tuple[float, bool]] = field(default_factory=list)
    """The chance that was told at a decision, and how the game ended."""
    seconds: float = 0.0
    stopped: bool = False

    @property
    def rate(self) -> float:
        return sum(self.won.values()) / len(self.won) if self.won else 0.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--budgets", type=int, nargs="*", default=[100, 1000, 5000], help="milliseconds")
    parser.add_argument("--uct", type=int, nargs="*", default=[100, 1000], help="milliseconds")
    parser.add_argument("--minutes", type=float, default=4.0, help="processor minutes for each slow player")
    options = parser.parse_args()
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    report = Report("advisor", "The advisor on the demo pack: win rates on the same seeds")
    greedy = _play(lambda _heard: game.policies["greedy"], game, options.games, math.inf)
    random = _play(lambda _heard: game.policies["random"], game, options.games, math.inf)
    _tell(report, "random", random, options.games)
    _tell(report, "greedy", greedy, options.games, note="tuned to 10–30 %")
    for budget in options.uct:
        player = _play(_uct(game, budget), game, options.games, options.minutes)
        _tell(report, f"plain UCT, {budget} ms", player, options.games)
    for budget in options.budgets:
        player = _play(_advised(game, budget), game, options.games, options.minutes)
        _tell(report, f"advisor, {budget} ms", player, options.games)
        lost = sum(greedy.won[n] and not won for n, won in player.won.items())
        beaten = sum(greedy.won[n] for n in player.won)
        if beaten:
            report.note(f"Advisor, {budget} ms: lost {lost} of the {beaten} of its games that greedy won.")
        _calibration(report, f"advisor, {budget} ms", player)
    _speed(report, game)
    report.write()


Heard: TypeAlias = Callable[[Any, Thought], None]
"""Is told what the player thought of each position."""


def _uct(game: Game[Any, Any], budget: int) -> Callable[[Heard], Policy]:
    return lambda _heard: uct_policy(game, budget / 1000)


def _advised(game: Game[Any, Any], budget: int) -> Callable[[Heard], Policy]:
    return lambda heard: advisor_policy(game, budget / 1000, heard=heard)


def _listening(told: list[float]) -> Heard:
    """Notes the chance that the player gave itself."""
    return lambda _state, thought: told.append(thought.weighed[0].chance.p)


def _play(
    player: Callable[[Heard], Policy],
    game: Game[Any, Any],
    games: int,
    minutes: float,
) -> Results:
    results = Results()
    begun = time.process_time()
    for number in range(games):
        if results.won and time.process_time() - begun > 60 * minutes:
            results.stopped = True
            break
        told: list[float] = []
        policy = player(_listening(told))
        won = game.outcome(play_game(game, policy, f"0/{number}").last)
        assert won is not None
        results.won[number] = won.won
        results.forecasts += [(p, won.won) for p in told]
    results.seconds = time.process_time() - begun
    return results


def _tell(report: Report, who: str, results: Results, wanted: int, note: str = "") -> None:
    low, high = _wilson(sum(results.won.values()), len(results.won))
    report.row(f"{who}: games won, % of {len(results.won)}", 100 * results.rate)
    each = results.seconds / len(results.won)
    text = f"{who}: {low:.0%} to {high:.0%} (95 %), {each:.1f} s of processor a game"
    if results.stopped:
        text += f"; stopped after {len(results.won)} of {wanted} games for want of time"
    report.note(f"{text}{f'; {note}' if note else ''}.")


def _wilson(won: int, games: int) -> tuple[float, float]:
    p, z = won / games, 1.96
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _calibration(report: Report, who: str, results: Results) -> None:
    """None of these games was used in learning the outlook: their seeds are others."""
    told = results.forecasts
    if not told:
        return
    brier = sum((p - won) ** 2 for p, won in told) / len(told)
    mean = sum(won for _, won in told) / len(told)
    report.row(f"{who}: Brier score of the chance to win", brier)
    report.row(f"{who}: Brier score of always saying the mean", mean * (1 - mean))
    for index in range(BINS):
        part = [(p, won) for p, won in told if min(BINS - 1, int(p * BINS)) == index]
        if part:
            said = sum(p for p, _ in part) / len(part)
            came = sum(won for _, won in part) / len(part)
            report.note(f"{who}: said {said:.0%}, came true {came:.0%} ({len(part)} decisions).")


def _speed(report: Report, game: Game[Any, Any]) -> None:
    policy, begun, steps, games = game.policies["greedy"], time.process_time(), 0, 0
    while time.process_time() - begun < 5:
        steps += len(play_game(game, policy, f"speed/{games}").actions)
        games += 1
    seconds = time.process_time() - begun
    report.row("greedy rollouts, whole games/s on one core", games / seconds)
    report.row("greedy rollouts, steps/s on one core", steps / seconds)


if __name__ == "__main__":
    main()
