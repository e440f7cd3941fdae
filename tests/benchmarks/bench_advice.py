"""Advice in very many positions: is it always legal, is there always an answer, and how soon?

    python -m tests.benchmarks.bench_advice                       two minutes of it, then tells
    python -m tests.benchmarks.bench_advice --minutes 60          all 100,000 positions; goes on where it was

Positions of random, greedy and thrifty games, many with unread cards, some adopted from the table.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from assistant.advice import Strength
from assistant.advise.advisor import Advisor
from assistant.advise.process import ProcessAdviser
from assistant.advise.say import nothing_to_advise
from assistant.discover import kit_named
from assistant.kit import Game
from tests.assistant.advise.strange import illegal_steps, positions
from tests.benchmarks.advisor_games import ROOT
from tests.benchmarks.report import Report

RESULTS = ROOT / "build" / "advice-positions.jsonl"
WANTED = 100_000
GLANCE_S = 0.004
"""What is asked for is legality, not wisdom: each position gets a glance."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=2.0, help="processor minutes of this run")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--quiet", action="store_true", help="only look, tell nothing")
    options = parser.parse_args()
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    sums = _kept(options.results)
    until = time.process_time() + 60 * options.minutes
    options.results.parent.mkdir(parents=True, exist_ok=True)
    with options.results.open("a", encoding="utf-8") as file:
        while sums["positions"] < WANTED and time.process_time() < until:
            looked = look(game, sums["games"])
            file.write(json.dumps(looked) + "\n")
            file.flush()
            sums.update(looked)
    if not options.quiet:
        tell(sums, game)


def _kept(path: Path) -> Counter[str]:
    sums: Counter[str] = Counter({"positions": 0, "games": 0})
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        sums.update(json.loads(line))
    return sums


def look(game: Game[Any, Any], number: int) -> dict[str, int]:
    """What became of all positions of one game, counted."""
    advisor, sums = Advisor(game), Counter({"games": 1})
    for state in positions(game, number):
        sums["positions"] += 1
        sums["with an unread card"] += '"?' in json.dumps(game.encode(state)).replace(": ", ":")
        plain = nothing_to_advise(game, state)
        if plain is not None:
            sums[plain.key] += 1
            continue
        thought = advisor.think(state, GLANCE_S, rounds=1)
        lines = [weighed.line.actions for weighed in thought.weighed]
        sums["advised"] += bool(lines)
        sums["without any answer"] += not lines
        sums["advised actions"] += sum(map(len, lines))
        wrong = illegal_steps(game, state, iter(lines))
        sums["illegal"] += len(wrong)
        for text in wrong[:1]:
            print(f"game {number}: {text}")
    return dict(sums)


def tell(sums: Counter[str], game: Game[Any, Any]) -> None:
    report = Report("advice", "Advice in many positions: legal, never missing, and soon")
    report.row("positions", sums["positions"], WANTED)
    report.row("illegal advice", sums["illegal"], 0, at_most=True)
    report.row("positions without any answer", sums["without any answer"], 0, at_most=True)
    names = ("games", "with an unread card", "advised", "advised actions")
    for name in (*names, *sorted(key for key in sums if key.startswith("advise."))):
        report.row(name, sums[name])
    first, processor = first_answers(game)
    report.row(
        "first answer after, ms by the clock (median)", 1000 * first[len(first) // 2], 300, at_most=True
    )
    report.row("first answer after, ms by the clock (slowest)", 1000 * first[-1], 300, at_most=True)
    report.row("processor of the asking process for that, ms", 1000 * processor)
    report.write()


def first_answers(game: Game[Any, Any]) -> tuple[list[float], float]:
    """How long ten questions to a process that is awake wait for their first move, and what asking costs."""
    kit, waited = kit_named("yu"), []
    states = [state for state in positions(game, 2) if nothing_to_advise(game, state) is None]
    current = [states[0]]
    adviser = ProcessAdviser(kit, game, lambda: current[0])
    try:
        adviser.ask(Strength.BEST)
        adviser.wait(120)
        spent = time.process_time()
        for state in states[1 :: max(1, len(states) // 10)]:
            current[0] = state
            begun = time.perf_counter()
            adviser.ask(Strength.BEST)
            assert adviser.wait(120)
            waited.append(time.perf_counter() - begun)
        spent = (time.process_time() - spent) / len(waited)
    finally:
        adviser.close()
    return sorted(waited), spent


if __name__ == "__main__":
    main()
