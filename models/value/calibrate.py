"""Fits what is told for a chance of the samples to how advised games really ended: two numbers.

    python -m models.value.calibrate advised.jsonl          writes assistant/games/yu/told.toml

The games come from models/value/play.py; they are not those of the benchmark, which measures what comes out.
Decisions of one game end alike, so each game counts once; half a game won and half a game lost, told like all
the others, are added, so that a few games without a loss do not make a certainty.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from assistant.games.yu.outlook import SURE

TARGET = Path(__file__).parents[2] / "assistant" / "games" / "yu" / "told.toml"
STEPS = 50
FOLDS = 5
RIDGE = 0.5
"""How strongly the slope is held near 1, in games."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    games = [json.loads(line) for path in options.files for line in path.read_text("utf-8").splitlines()]
    games = [(log_odds(game["told"]), game["cause"] == "win") for game in games if game["told"]]
    before = after = 0.0
    for number, (odds, won) in enumerate(games):
        others = [game for other, game in enumerate(games) if other % FOLDS != number % FOLDS]
        before += np.mean((chance(odds, (0.0, 1.0)) - won) ** 2) / len(games)
        after += np.mean((chance(odds, fitted(others)) - won) ** 2) / len(games)
    line = fitted(games)
    print(f"{len(games)} games, {sum(won for _, won in games)} won; Brier as sampled {before:.4f}, ", end="")
    print(f"as told, held out {after:.4f}; offset {line[0]:.3f}, slope {line[1]:.3f}")
    TARGET.write_text(
        "# Written by models/value/calibrate.py: log odds told = offset + slope * log odds of the samples.\n"
        f"# Fitted to {len(games)} advised games of the demo pack.\n"
        f"offset = {line[0]:.3f}\nslope = {line[1]:.3f}\n",
        encoding="utf-8",
    )


def log_odds(told) -> np.ndarray:
    p = np.clip(np.array(told), SURE, 1 - SURE)
    return np.log(p / (1 - p))


def chance(odds, line) -> np.ndarray:
    return 1 / (1 + np.exp(-line[0] - line[1] * odds))


def fitted(games) -> tuple[float, float]:
    """Logistic regression of one line by Newton's steps."""
    x = np.concatenate([odds for odds, _ in games])
    y = np.concatenate([np.full(len(odds), float(won)) for odds, won in games])
    w = np.concatenate([np.full(len(odds), 1 / len(odds)) for odds, _ in games])
    x, y = np.concatenate([x, x, x]), np.concatenate([y, np.zeros(len(x)), np.ones(len(x))])
    w = np.concatenate([w, w * 0.5 / len(games), w * 0.5 / len(games)])
    line = np.array([0.0, 1.0])
    rows = np.stack([np.ones(len(x)), x], axis=1)
    for _ in range(STEPS):
        p = chance(x, line)
        slope = rows.T @ (w * (p - y)) + np.array([0.0, RIDGE * (line[1] - 1)])
        curve = (rows * (w * p * (1 - p))[:, None]).T @ rows + np.diag([1e-6, RIDGE])
        line = line - np.linalg.solve(curve, slope)
    return float(line[0]), float(line[1])


if __name__ == "__main__":
    main()
