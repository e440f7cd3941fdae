"""`floodwatch bench`: how well the program follows whole games that it sees only through its eye."""

import json
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from assistant.commands.own import ChoicesOption, PlayersOption, bound_game, chosen_options
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.measure import Score, VirtualMatch, style_of
from vision.networks import Networks

app = typer.Typer(name="bench", help="Measure the program on the virtual table.", no_args_is_help=True)

BARS = (
    "actions_right",
    "games_perfect",
    "zone_errors",
    "questions_per_game",
    "mistakes_caught",
    "false_findings_per_game",
    "games_stuck",
    "latency_p95_s",
    "flood_warnings_in_time",
)
"""The measures of a run, in the order in which they are shown."""


@app.callback()
def bench() -> None:
    """Measure the program on the virtual table."""


@app.command()
def games(
    context: typer.Context,
    games: Annotated[int, typer.Option(min=1, max=1000, help="How many games.")] = 3,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 0,
    mistakes: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How often the robot breaks a rule, per move.")
    ] = 0.0,
    hard: Annotated[
        bool, typer.Option("--hard", help="Tables, light and print that no network was trained on.")
    ] = False,
    moves: Annotated[int | None, typer.Option(min=1, help="Only the first moves of each game.")] = None,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    players: PlayersOption = None,
    option: ChoicesOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """A robot plays whole games on the virtual table; only pixels reach the program."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    bound = bound_game(kit, None, chosen_options(kit, players, option))
    networks = Networks()
    total = Score()
    with _bar(terminal) as bar:
        task = bar.add_task(terminal.say("bench.playing", n=1, games=games), total=None)
        for number in range(games):
            bar.update(task, description=terminal.say("bench.playing", n=number + 1, games=games))
            style = style_of(seed + number, hard=hard)
            match = VirtualMatch(kit, bound, style, f"{seed}/{number}", mistakes=mistakes, networks=networks)
            total.add(match.play(moves, lambda: bar.advance(task)))
    report = total.report()
    if as_json:
        typer.echo(json.dumps(report))
    else:
        _show(terminal, report)


def _bar(terminal: Terminal) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}"),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=terminal.remarks, transient=True)


def _show(terminal: Terminal, report: dict[str, Any]) -> None:
    table = Table(title=terminal.say("bench.title", n=report["games"], actions=report["actions"]))
    table.add_column(terminal.say("bench.measure"))
    table.add_column(terminal.say("bench.value"), justify="right")
    for name in BARS:
        table.add_row(name, str(report[name]))
    terminal.out.print(table)
    for title, key in (
        ("bench.mistakes", "mistakes"),
        ("bench.false", "false_findings"),
        ("bench.missed", "actions_missed"),
    ):
        if report[key]:
            terminal.out.print(terminal.say(title), style="bold")
            for what, number in report[key].items():
                shown = (
                    f"{number['caught']}/{number['injected']}" if isinstance(number, dict) else str(number)
                )
                terminal.out.print(f"  {what}: {shown}", markup=False)
