"""How fast the rules run: steps and whole games per second in random play, and the memory of a state."""

import time
import tracemalloc
from typing import Any

from assistant.discover import kits
from assistant.kit import Dice, Game
from tests.benchmarks.report import Report

SECONDS = 5.0
BARS = {"yu": 20_000}
"""Steps per second (legal_actions and apply together) that a game must reach on one core."""


def main() -> None:
    report = Report("rules", "The rules: random play on one core")
    for name, kit in kits().items():
        game = kit.bind(kit.demo_pack())
        steps, games, seconds = _random_play(game)
        report.row(f"{name}: legal_actions + apply, steps/s", steps / seconds, bar=BARS.get(name))
        report.row(f"{name}: whole random games/s", games / seconds)
        report.row(f"{name}: memory per state, bytes", _bytes_per_state(game))
    report.write()


def _random_play(game: Game[Any, Any]) -> tuple[int, int, float]:
    """Any legal action, decisions and chance alike, so that nothing but the rules is measured.

    In processor time: what else the machine does is not the rules' fault.
    """
    dice = Dice("bench")
    start = game.initial()
    steps = games = 0
    begun = time.process_time()
    while (seconds := time.process_time() - begun) < SECONDS:
        state = start
        while actions := game.legal_actions(state):
            state = game.apply(state, dice.choice(actions))
            steps += 1
        games += 1
    return steps, games, seconds


def _bytes_per_state(game: Game[Any, Any]) -> float:
    """What keeping every state of a game costs, shared parts counted once."""
    dice = Dice("memory")
    tracemalloc.start()
    states = []
    for _ in range(20):
        state = game.initial()
        while actions := game.legal_actions(state):
            states.append(state)
            state = game.apply(state, dice.choice(actions))
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / len(states)


if __name__ == "__main__":
    main()
