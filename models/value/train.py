"""Learns how likely a game of Legacy of Yu is won from the beginning of a round: play, then a logistic fit.

    nice python models/value/train.py --games 400          plays, fits, writes assistant/games/yu/outlook.toml
    nice python models/value/train.py --data games.jsonl   fits games that were played before

The games are played by the greedy policy; every second one with its weights shaken, so that the value also
knows positions that greedy itself would rarely reach. A tenth of the games is held out.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np

from assistant.games.yu.kit import copy_with, game_of
from assistant.games.yu.outlook import NAMES, features_of
from assistant.games.yu.pack import demo_pack
from assistant.games.yu.policies import greedy_policy, playable
from assistant.games.yu.state import Phase
from assistant.games.yu.worth import Weights
from assistant.kit import Dice

SHAKEN = 0.2
RIDGE = 3.0
STEPS = 40
TARGET = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "outlook.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--data", type=Path, nargs="*")
    options = parser.parse_args()
    copy = copy_with(demo_pack())
    game, features = game_of(copy), features_of(copy)
    if options.data:
        lines = [json.loads(line) for path in options.data for line in path.read_text("utf-8").splitlines()]
        rounds = [(name, cause == "win", features(game.decode(state))) for name, cause, _, state in lines]
    else:
        rounds = [row for number in range(options.games) for row in play(copy, game, features, number)]
    fit(rounds)


def play(copy, game, features, number):
    """The beginnings of all rounds of one game, and whether it was won."""
    shake = random.Random(number)
    weights = Weights()
    if number % 2:
        weights = Weights(*[value * (1 + shake.gauss(0, SHAKEN)) for value in weights])
    policy, dice, state = (
        playable(copy, greedy_policy(copy, weights)),
        Dice(f"value/{number}"),
        game.initial(),
    )
    seen, rows = 0, []
    while state.result is None:
        if state.round != seen and state.phase is Phase.HARVEST:
            seen = state.round
            rows.append(features(state))
        state = game.apply(state, policy(state, dice))
    return [(number, game.outcome(state).won, row) for row in rows]


def fit(rounds) -> None:
    names = list(dict.fromkeys(name for name, _, _ in rounds))
    held = set(names[::10])
    x = np.array([row for _, _, row in rounds])
    y = np.array([won for _, won, _ in rounds], float)
    test = np.array([name in held for name, _, _ in rounds])
    weights = newton(x[~test], y[~test])
    for what, part in (("trained on", ~test), ("held out", test)):
        p, won = chance(x[part], weights), y[part]
        print(
            f"{what}: {part.sum()} rounds, {won.mean():.1%} won, Brier {np.mean((p - won) ** 2):.4f}, ",
            end="",
        )
        print(f"always the mean {np.mean((won.mean() - won) ** 2):.4f}")
    write(newton(x, y), len(names), len(y))


def newton(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Logistic regression with a ridge."""
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = chance(x, weights)
        slope = x.T @ (p - y) + RIDGE * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(x.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


def chance(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))


def write(weights: np.ndarray, games: int, rounds: int) -> None:
    lines = [
        "# Written by models/value/train.py: how each feature of a position speaks for winning (log odds).",
        f"# Learned from {rounds} rounds of {games} games of the demo pack, played by the greedy policy.",
        "",
        "[weights]",
        *[f'"{name}" = {value:.4f}' for name, value in zip(NAMES, weights, strict=True)],
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
