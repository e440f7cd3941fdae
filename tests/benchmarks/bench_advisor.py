"""Who wins how often on the same seeds (random, greedy, UCT, advisor), and how true the told chances are.

    python -m tests.benchmarks.bench_advisor                        goes on for four minutes, then tells
    python -m tests.benchmarks.bench_advisor --minutes 600          all that the issue asks for; takes hours
    python -m tests.benchmarks.bench_advisor --players advisor-1000 --games 50

Players take turns, game by game, and every game is kept in --results at once: a run that was stopped goes on
where it was. Budgets are processor time: a busy machine changes hardly any result, only how long it takes.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from assistant.discover import kit_named
from assistant.games.yu.outlook import told
from assistant.kit import Game
from tests.benchmarks.advisor_games import ROOT, Ledger, PlayedOnce, play_once
from tests.benchmarks.advisor_plots import reliability_plot, strength_plot
from tests.benchmarks.advisor_speed import tell_speed
from tests.benchmarks.report import Report
from tests.benchmarks.shares import brier, reliability, wilson

PLAYERS = ("random", "greedy", "uct-100", "advisor-100", "advisor-1000", "uct-1000", "advisor-5000")
RESULTS = ROOT / "docs" / "benchmarks" / "advisor-games.jsonl"
"""In the repository: runs of several sessions add up, as long as the players are the same."""
PICTURES = ROOT / "docs" / "pictures"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", nargs="*", default=PLAYERS)
    parser.add_argument("--minutes", type=float, default=4.0, help="processor minutes of this run")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--no-speed", action="store_true", help="leave out what takes a quiet machine")
    parser.add_argument("--quiet", action="store_true", help="only play, tell nothing")
    options = parser.parse_args()
    kit = kit_named("yu")
    game = kit.bind(kit.demo_pack())
    ledger = Ledger(options.results)
    play(game, ledger, options.players, options.games, options.minutes)
    if not options.quiet:
        tell(game, ledger, options.games, speed=not options.no_speed)


def play(game: Game[Any, Any], ledger: Ledger, players: list[str], games: int, minutes: float) -> None:
    until = time.process_time() + 60 * minutes
    for number in range(games):
        for player in players:
            if time.process_time() > until:
                return
            if not ledger.has(player, number):
                ledger.add(play_once(game, player, number))


def tell(game: Game[Any, Any], ledger: Ledger, wanted: int, *, speed: bool) -> None:
    report = Report("advisor", "The advisor on the demo pack: win rates on the same seeds")
    known = sorted(ledger.games, key=_by_kind_and_budget)
    for player in known:
        _tell_bars(report, ledger, player, wanted)
    _tell_players(report, ledger, known, wanted)
    _tell_losses(report, ledger, known)
    for player in known:
        _tell_reliability(report, player, list(ledger.games[player].values()))
    if speed:
        tell_speed(report, game)
    report.write()
    advised = {p: _won_of(ledger, p) for p in known if p.startswith("advisor")}
    plain = {p: _won_of(ledger, p) for p in known if p.startswith("uct")}
    greedy = _won_of(ledger, "greedy") if "greedy" in known else None
    picture = strength_plot({"advisor": advised, "plain UCT": plain}, greedy)
    (PICTURES / "advisor-strength.svg").write_text(picture, encoding="utf-8")
    if advised:
        most = max(advised, key=lambda player: advised[player][1])
        told = _told(list(ledger.games[most].values()))
        picture = reliability_plot(reliability(told), f"{most}: {len(told)} decisions")
        (PICTURES / "advisor-reliability.svg").write_text(picture, encoding="utf-8")


def _by_kind_and_budget(player: str) -> tuple[int, int]:
    name, _, budget = player.partition("-")
    return ("random", "greedy", "uct", "advisor").index(name), int(budget or 0)


def _won_of(ledger: Ledger, player: str) -> tuple[int, int]:
    games = ledger.games[player].values()
    return sum(played.won for played in games), len(games)


def _tell_bars(report: Report, ledger: Ledger, player: str, wanted: int) -> None:
    """What the issue sets a bar for, on the games that both have played; fewer than wanted reach no bar."""
    if player == "greedy":
        won, games = _won_of(ledger, player)
        report.row(f"greedy: won, % of {games} (asked for: 10 to 30)", 100 * won / games)
    if player == "advisor-1000":
        won, games = _won_of(ledger, player)
        plain = _won_of(ledger, "uct-1000") if "uct-1000" in ledger.games else None
        twice = 200 * plain[0] / plain[1] if plain else 90.0
        note = f"twice plain UCT's {plain[0]} of {plain[1]}, or 90" if plain else "90"
        report.row(
            f"advisor, 1 s: won, % of {games} (bar: {note})",
            100 * won / games,
            min(90.0, twice) if games >= wanted else None,
        )
    if player.startswith("advisor"):
        both = [n for n in ledger.games[player] if ledger.has("greedy", n)]
        theirs = [n for n in both if ledger.games["greedy"][n].won]
        lost = sum(not ledger.games[player][n].won for n in theirs)
        if both:
            what = f"{player}: lost {lost} of the {len(theirs)} games that greedy won, % of all {len(both)}"
            report.row(what, 100 * lost / len(both), 1.0 if len(both) >= wanted else None, at_most=True)


def _tell_players(report: Report, ledger: Ledger, players: list[str], wanted: int) -> None:
    report.note("| player | games | won | % | 95 % interval | rounds | processor s a game |")
    report.note("|---|---:|---:|---:|---|---:|---:|")
    for player in players:
        won, games = _won_of(ledger, player)
        low, high = wilson(won, games)
        played = ledger.games[player].values()
        rounds = sum(one.rounds for one in played) / games
        seconds = sum(one.seconds for one in played) / games
        share = f"{100 * won / games:.1f} | {100 * low:.1f} to {100 * high:.1f}"
        report.note(f"| {player} | {games} | {won} | {share} | {rounds:.1f} | {seconds:.1f} |")
    report.note("")
    few = [player for player in players if len(ledger.games[player]) < wanted]
    if few:
        report.note(f"Fewer than {wanted} games, for want of time: {', '.join(few)}.")
        report.note("")


def _tell_losses(report: Report, ledger: Ledger, players: list[str]) -> None:
    causes = sorted({one.cause for games in ledger.games.values() for one in games.values()} - {"win"})
    report.note("How games are lost:")
    report.note("")
    report.note(f"| player | {' | '.join(causes)} | lost in rounds 1 to 4 |")
    report.note(f"|---{'|---:' * (len(causes) + 1)}|")
    for player in players:
        lost = [one for one in ledger.games[player].values() if not one.won]
        numbers = [sum(one.cause == cause for one in lost) for cause in causes]
        early = sum(one.rounds <= 4 for one in lost)
        report.note(f"| {player} | {' | '.join(map(str, numbers))} | {early} |")
    report.note("")


def _told(games: list[PlayedOnce]) -> list[tuple[float, bool]]:
    """As the advisor says it; kept is what its samples said, so that the saying can be fitted anew."""
    return [(told(p), played.won) for played in games for p in played.told]


def _tell_reliability(report: Report, player: str, games: list[PlayedOnce]) -> None:
    """None of these games was used in learning the outlook: their seeds are others."""
    told = _told(games)
    if not told:
        return
    mean = sum(won for _, won in told) / len(told)
    report.row(f"{player}: Brier score of the told chance, {len(told)} decisions", brier(told))
    report.row(f"{player}: Brier score of always saying the mean", mean * (1 - mean))
    bins = [f"{part.said:.0%} → {part.came_true:.0%} ({part.number})" for part in reliability(told)]
    report.note(f"{player}, said → came true (decisions): {', '.join(bins)}.")
    report.note("")


if __name__ == "__main__":
    main()
