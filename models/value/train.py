"""Learns how likely a game of Legacy of Yu is won from the beginning of a round: two logistic fits.

    nice python -m models.value.train --thrifty thrifty.jsonl --advised advised.jsonl

The files come from models/value/play.py. Games of the thrifty policy are cheap and many: they say what
matters. The advisor's are few: fitted with a ridge towards the first weights, they say how much it matters to
somebody who follows the advice. A fifth of the games is held out while measuring; the weights that are written
have seen all.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from assistant.games.yu.kit import copy_with, game_of
from assistant.games.yu.outlook import NAMES, features_of
from assistant.games.yu.pack import demo_pack

RIDGE = 3.0
TOWARDS_FIRST = 1.0
STEPS = 40
FOLDS = 5
TARGET = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "outlook.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--thrifty", type=Path, nargs="+", required=True)
    parser.add_argument("--advised", type=Path, nargs="*", default=[])
    parser.add_argument("--dry", action="store_true", help="only measure")
    options = parser.parse_args()
    thrifty = rounds_of(options.thrifty)
    weights = fitted(thrifty)
    measure("thrifty games, held out", thrifty, fitted)
    source = [("the thrifty policy", thrifty)]
    if options.advised:
        advised, first = rounds_of(options.advised), weights
        measure("advised games, by the thrifty weights", advised, lambda _part: first)
        measure("advised games, held out", advised, lambda part: fitted(part, first, TOWARDS_FIRST))
        weights = fitted(advised, first, TOWARDS_FIRST)
        source.append(("somebody who follows the advisor", advised))
    if not options.dry:
        write(weights, source)


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


def fitted(rounds, towards=None, ridge=RIDGE):
    """Logistic regression by Newton's steps; the ridge pulls towards given weights, or towards nothing."""
    x, y, _ = rounds
    towards = np.zeros(x.shape[1]) if towards is None else towards
    weights = towards.copy()
    pull = np.full(x.shape[1], ridge)
    pull[NAMES.index("one")] = 0.01
    for _ in range(STEPS):
        p = chance(x, weights)
        slope = x.T @ (p - y) + pull * (weights - towards)
        curve = (x * (p * (1 - p))[:, None]).T @ x + np.diag(pull)
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def chance(x, weights):
    return 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))


def measure(what, rounds, fit) -> None:
    """Each game judged by weights that have not seen it."""
    x, y, numbers = rounds
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        test = numbers % FOLDS == fold
        p[test] = chance(x[test], fit((x[~test], y[~test], numbers[~test])))
    loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
    print(
        f"{what}: {numbers.max() + 1} games, {len(y)} rounds, {y.mean():.1%} won, said {p.mean():.1%}, ",
        end="",
    )
    print(f"Brier {np.mean((p - y) ** 2):.4f} (always the mean: {y.var():.4f}), log loss {loss:.4f}")


def write(weights, source) -> None:
    lines = [
        "# Written by models/value/train.py: how each feature of a position speaks for winning (log odds).",
        "# Learned from games of the demo pack:",
        *[f"# {numbers.max() + 1} by {who} ({len(y)} rounds)" for who, (_, y, numbers) in source],
        "",
        "[weights]",
        *[f'"{name}" = {value:.4f}' for name, value in zip(NAMES, weights, strict=True)],
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
