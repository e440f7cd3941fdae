"""`floodwatch games`: the recorded games, and what they say together."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named, kits
from assistant.kit import GameKit, Message, Severity
from assistant.record.export import SIGNS
from assistant.record.statistics import Statistics, statistics
from assistant.record.store import Store
from assistant.record.telling import game_of, moment, result_of, say
from assistant.record.values import GameSummary

_STYLES = {Severity.NOTE: "dim", Severity.WARNING: "yellow", Severity.VIOLATION: "red"}


def games(
    context: typer.Context,
    show_statistics: Annotated[
        bool, typer.Option("--statistics", help="What the finished games say together.")
    ] = False,
    game: Annotated[str, typer.Option(help="Which game the statistics are about.")] = default_game(),
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    data: DataOption = None,
) -> None:
    """List the recorded games."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    with opened(terminal, data) as store:
        if show_statistics:
            told = _statistics(store, kit)
            if as_json:
                typer.echo(json.dumps(asdict(told), ensure_ascii=False))
            else:
                _show_statistics(terminal, kit, told)
        elif as_json:
            listed = [_as_data(summary) for summary in store.games()]
            typer.echo(json.dumps({"place": str(store.place), "games": listed}, ensure_ascii=False))
        else:
            _show(terminal, store)


def _statistics(store: Store, kit: GameKit) -> Statistics:
    ids = [summary.id for summary in store.games() if summary.header.game == kit.name and summary.ending]
    return statistics((store.load(number) for number in ids), lambda one: game_of(one, kit))


def _as_data(summary: GameSummary) -> dict[str, Any]:
    ending = summary.ending
    return {
        "id": summary.id,
        "game": summary.header.game,
        "table": summary.header.table,
        "started_at": summary.header.started_at,
        "seed": summary.header.seed,
        "result": ending.cause if ending else None,
        "won": ending.won if ending else None,
        "rounds": summary.rounds,
        "actions": summary.actions,
        "findings": {severity.value: summary.findings.get(severity, 0) for severity in Severity},
    }


def _show(terminal: Terminal, store: Store) -> None:
    summaries = store.games()
    if not summaries:
        terminal.out.print(terminal.say("games.none"))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column(terminal.say("games.number"), justify="right", style="bold")
    for name in ("when", "title", "result"):
        table.add_column(terminal.say(f"games.{name}"), overflow="fold")
    for name in ("rounds", "findings"):
        table.add_column(terminal.say(f"games.{name}"), justify="right")
    for summary in summaries:
        table.add_row(*_row(terminal, summary))
    terminal.out.print(table)
    terminal.remarks.print(terminal.say("games.place", place=str(store.place)), markup=False, soft_wrap=True)


def _row(terminal: Terminal, summary: GameSummary) -> tuple[str, ...]:
    kit = kits().get(summary.header.game)
    title = summary.header.game
    result = summary.ending.cause or "-" if summary.ending else "-"
    if kit is not None:
        wording = terminal.wording_of(kit)
        title, result = say(wording, kit.title), result_of(summary.ending, kit, wording)
    style = "green" if summary.ending and summary.ending.won else "dim" if summary.ending is None else ""
    found = "  ".join(
        f"[{_STYLES[severity]}]{number} {SIGNS[severity]}[/]"
        for severity in Severity
        if (number := summary.findings.get(severity))
    )
    return (
        str(summary.id),
        moment(summary.header.started_at),
        escape(title),
        f"[{style}]{escape(result)}[/]" if style else escape(result),
        str(summary.rounds),
        found,
    )


def _show_statistics(terminal: Terminal, kit: GameKit, told: Statistics) -> None:
    if not told.games:
        terminal.out.print(terminal.say("games.none-finished"))
        return
    wording = terminal.wording_of(kit)
    out = terminal.out
    out.print(_played(terminal, told), style="bold")
    out.print(
        terminal.say(
            "games.statistics.rounds", mean=told.rounds_mean, least=told.rounds_least, most=told.rounds_most
        )
    )
    for name, moves in told.moves.items():
        gauge = say(wording, Message.of(f"{kit.name}.gauge.{name}"), name)
        out.print(
            terminal.say("games.statistics.moves", gauge=gauge, mean=moves.per_game, first=moves.first_round)
        )
        out.print(_bars({str(number): count for number, count in moves.by_round.items()}))
    out.print(f"\n{terminal.say('games.statistics.causes')}", style="bold")
    out.print(_bars({result_sentence(wording, kit, cause): n for cause, n in told.causes.items()}))
    if told.findings:
        out.print(f"\n{terminal.say('games.statistics.rules')}", style="bold")
        out.print(_bars(told.findings))


def _played(terminal: Terminal, told: Statistics) -> str:
    """The share of wins is one of those games that can be won or lost."""
    decided = told.won + told.lost
    if not decided:
        return terminal.say("games.statistics.finished", n=told.games)
    return terminal.say("games.statistics.played", n=told.games, won=told.won / decided)


def result_sentence(wording: Any, kit: GameKit, cause: str) -> str:
    return say(wording, Message.of(f"{kit.name}.result.{cause}"), cause)


def _bars(counts: Any) -> Table:
    """Numbers with a bar each, the longest as wide as a finger."""
    table = Table(box=None, show_header=False, pad_edge=False)
    most = max(counts.values(), default=1)
    for name, number in counts.items():
        table.add_row(f"  {escape(name)}", str(number), f"[cyan]{'▇' * max(1, round(24 * number / most))}[/]")
    return table
