"""How well whole games are followed from pictures alone, on tables that no network was trained on.

    python -m tests.benchmarks.bench_games                      goes on for four minutes, then tells
    python -m tests.benchmarks.bench_games --minutes 600        all ten games; takes hours
    python -m tests.benchmarks.bench_games --seed 77 --games 3  other games
    python -m tests.benchmarks.bench_games --tapes FOLDER       keeps what was seen, for tests.benchmarks.tape

Every game is kept in --results as soon as it is over: a run that was stopped goes on where it was. Change the
seed after the program was changed because of these games: they are no longer unseen.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from assistant.measure import Score
from tests.benchmarks.report import DOCS, Report
from tests.benchmarks.tape import match_of, record
from vision.networks import Networks

SEED = 12400
RESULTS = DOCS / "whole-games.jsonl"
MISTAKES = 0.05


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of the games to play")
    parser.add_argument("--minutes", type=float, default=4.0, help="no game is begun after so many")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--tapes", type=Path, help="a folder for what is seen of each game")
    parser.add_argument("--quiet", action="store_true", help="only play, tell nothing")
    options = parser.parse_args()
    until = time.process_time() + 60 * options.minutes
    networks = Networks()
    for number in range(options.games) if options.only is None else options.only:
        if number not in played(options.results, options.seed) and time.process_time() < until:
            score = play(options.seed, number, networks, options.tapes)
            keep(options.results, options.seed, number, score)
    if not options.quiet:
        tell(played(options.results, options.seed), options.seed)


def play(seed: int, number: int, networks: Networks, tapes: Path | None = None) -> Score:
    asked = {"game": "yu", "players": None, "seed": seed, "number": number, "mistakes": MISTAKES}
    if tapes is None:
        return match_of(asked, networks).play(None)
    tapes.mkdir(parents=True, exist_ok=True)
    return record(tapes / f"{seed}-{number}.gz", asked, networks).score


def keep(results: Path, seed: int, number: int, score: Score) -> None:
    """One line a game, added at once: several processes may play different games."""
    line = json.dumps({"seed": seed, "number": number, "score": vars(score)}, sort_keys=True)
    with results.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def played(results: Path, seed: int) -> dict[int, Score]:
    """The games that were kept, by their number."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    entries = [entry for entry in map(json.loads, lines) if entry["seed"] == seed]
    return {entry["number"]: _score(entry["score"]) for entry in entries}


def _score(kept: dict[str, Any]) -> Score:
    whole: dict[str, Any] = {
        name: Counter(value) if isinstance(value, dict) else value for name, value in kept.items()
    }
    return Score(**whole)


def tell(scores: dict[int, Score], seed: int) -> None:
    report = Report("whole-games", f"{len(scores)} whole games followed from pictures alone (seed {seed})")
    every = Score()
    report.note("| game | actions right | invented | mistakes | false | missed | 95 of 100, s | end |")
    report.note("|---:|---:|---:|---:|---|---|---:|---|")
    for number, score in sorted(scores.items()):
        every.add(score)
        one = score.report()
        false = ", ".join(score.false_findings) or "none"
        missed = ", ".join((score.injected - score.caught).elements()) or "none"
        end = "known" if score.ends_known else "not known"
        actions = f"{score.right} of {score.actions} | {score.invented}"
        mistakes = f"{score.caught.total()} of {score.injected.total()}"
        report.note(
            f"| {number} | {actions} | {mistakes} | {false} | {missed} | {one['latency_p95_s']} | {end} |"
        )
    told = every.report()
    report.row(f"actions right, % of {every.actions}", 100 * told["actions_right"], 98)
    report.row("recorded steps that nobody played", every.invented)
    report.row("games without any error, %", 100 * told["games_perfect"], 80)
    report.row(f"mistakes caught, % of {every.injected.total()}", 100 * told["mistakes_caught"], 95)
    others = every.injected.total() - every.alike
    of_others = 100 * told["mistakes_caught_of_others"]
    report.row(f"mistakes caught, % of the {others} that no two legal moves look like", of_others)
    report.row("false findings a game", told["false_findings_per_game"], 1, at_most=True)
    report.row("questions a game", told["questions_per_game"])
    report.row(f"Flood moves warned of, % of {every.warnings_due}", 100 * told["flood_warnings_in_time"], 100)
    report.row("hand leaving to the new state, 95 of 100, s", told["latency_p95_s"] or 0.0, 1.5, at_most=True)
    report.row("games that ended stuck, %", 100 * told["games_stuck"], 0, at_most=True)
    report.row(f"ends known, % of {every.ended}", 100 * told["ends_recorded"])
    report.write()


if __name__ == "__main__":
    main()
