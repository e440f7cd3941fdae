"""Rules broken on purpose, without images: how many are named, and what else is told wrongly.

python -m tests.benchmarks.bench_mistakes --games 4 --seed 320 --eye steady
"""

import argparse
import json
import random

from tests.assistant.careless import Careless
from tests.assistant.observations import Eye
from tests.assistant.table import yu
from tests.benchmarks.bench_reconstruct import EYES


def measure(name: str, games: int, first: int, moves: int) -> dict[str, float]:
    tables = []
    for seed in range(first, first + games):
        settings = dict(EYES[name])
        eye = Eye(
            layout=yu().layout,
            pack=yu().pack,
            heights=False,
            dice=random.Random(seed),
            **settings,  # type: ignore[arg-type]
        )
        tables.append(Careless(seed, eye))
        tables[-1].play(moves)
    aligned = [table.aligned() for table in tables]
    return {
        "games": games,
        "actions": sum(len(game.right) for game in aligned),
        "actions_right": sum(sum(game.right) for game in aligned),
        "actions_invented": sum(game.invented for game in aligned),
        "mistakes": sum(len(table.slips) for table in tables),
        "mistakes_caught": sum(sum(table.slips) for table in tables),
        "false_findings": sum(len(table.false_findings) for table in tables),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=320)
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--eye", choices=tuple(EYES), action="append")
    options = parser.parse_args()
    eyes = options.eye or ("perfect", "steady")
    results = {name: measure(name, options.games, options.seed, options.moves) for name in eyes}
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
