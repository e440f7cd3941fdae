"""Learns how likely the thrifty policy wins from the beginning of a round: a logistic fit.

    nice python -m models.value.train thrifty.jsonl

The files come from models/value/play.py. A fifth of the games is held out while measuring; the weights that
are written have seen all. What is told to people is fitted afterwards, see calibrate.py.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from assistant.games.yu.kit import copy_with, game_of
from assistant.games.yu.outlook import NAMES, features_of
from assistant.games.yu.pack import demo_pack

RIDGE = 3.0
STEPS = 40
FOLDS = 5
TARGET = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "outlook.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    rounds = rounds_of(options.files)
    measure(rounds)
    write(fitted(rounds), rounds)


def rounds_of(files):
    """Features of each round, whether its game was won, and which game it was."""
    copy = copy_with(demo_pack())
    game, features = game_of(copy), features_of(copy)
    games = [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]
    rows = [
        (features(game.decode(state)), played["cause"] == "win", number)
        for number, played in enumerate(games)
        for state in played["rounds"]
    ]
    x, y, numbers = zip(*rows, strict=True)
    return np.array(x), np.array(y, float), np.array(numbers)


def fitted(rounds):
    """Logistic regression with a ridge, by Newton's steps."""
    x, y, _ = rounds
    weights = np.zeros(x.shape[1])
    pull = np.full(x.shape[1], RIDGE)
    pull[NAMES.index("one")] = 0.01
    for _ in range(STEPS):
        p = chance(x, weights)
        slope = x.T @ (p - y) + pull * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + np.diag(pull)
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def chance(x, weights):
    return 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))


def measure(rounds) -> None:
    """Each game judged by weights that have not seen it."""
    x, y, numbers = rounds
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        test = numbers % FOLDS == fold
        p[test] = chance(x[test], fitted((x[~test], y[~test], numbers[~test])))
    print(
        f"{numbers.max() + 1} games, {len(y)} rounds, won {y.mean():.1%}, said {p.mean():.1%}, held out: ",
        end="",
    )
    print(f"Brier {np.mean((p - y) ** 2):.4f} (always the mean: {y.var():.4f})")


def write(weights, rounds) -> None:
    _, y, numbers = rounds
    lines = [
        "# Written by models/value/train.py: how each feature of a position speaks for winning (log odds).",
        "# Learned from games of the demo pack:",
        f"# {numbers.max() + 1} by the thrifty policy ({len(y)} rounds)",
        "",
        "[weights]",
        *[f'"{name}" = {value:.4f}' for name, value in zip(NAMES, weights, strict=True)],
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
