"""How much the advisor gets done: greedy steps and samples a second, on one core and on two."""

import os
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from assistant.advise.advisor import Advisor
from assistant.discover import kit_named
from assistant.kit import Dice, Game
from assistant.simulate import play_game
from tests.benchmarks.report import Report

SECONDS = 3.0


def tell_speed(report: Report, game: Game[Any, Any]) -> None:
    steps, games, seconds = rollouts(0)
    report.row("greedy steps/s, processor time of one core", steps / seconds)
    report.row("whole greedy games/s, processor time of one core", games / seconds)
    for rounds in (1, 2):
        report.row(f"samples of {rounds} rounds/s, processor time of one core", samples(game, rounds))
    alone = _steps_by_the_clock(1)
    both = _steps_by_the_clock(2)
    report.row("greedy steps/s by the clock, one process", alone)
    report.row("greedy steps/s by the clock, two processes", both)
    load = os.getloadavg()[0]
    report.note(
        f"By the clock: while others used the machine too (load {load:.1f} on {os.cpu_count()} cores)."
    )
    report.note("")


def rollouts(seed: int) -> tuple[int, int, float]:
    """Steps, games and processor seconds."""
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    policy, begun, steps, games = game.policies["greedy"], time.process_time(), 0, 0
    while time.process_time() - begun < SECONDS:
        steps += len(play_game(game, policy, f"speed/{seed}/{games}").actions)
        games += 1
    return steps, games, time.process_time() - begun


def samples(game: Game[Any, Any], rounds: int) -> float:
    """Weighed futures of a position in the middle of a game, as the advisor plays them."""
    dice, state = Dice("speed"), game.initial()
    while game.round(state) < 4 or game.chance(state) or len(game.legal_actions(state)) < 3:
        state = game.apply(state, game.policies["greedy"](state, dice))
    advisor, number, begun = Advisor(game), 0, time.process_time()
    for seed in range(4):
        thought = advisor.think(state, 1.0, seed=f"speed/{seed}", rounds=rounds)
        number += sum(len(weighed.chances) for weighed in thought.weighed)
    return number / (time.process_time() - begun)


def _steps_by_the_clock(processes: int) -> float:
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(abs, range(processes)))
        begun = time.perf_counter()
        done = list(pool.map(rollouts, range(processes)))
        return sum(steps for steps, _, _ in done) / (time.perf_counter() - begun)
