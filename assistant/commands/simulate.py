"""`floodwatch simulate`: many games played by a policy, and how they ended."""

import json
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import GameKit, Message
from assistant.simulate import Tally, policy_named
from assistant.simulate import simulate as simulate_games


def simulate(
    context: typer.Context,
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")] = 100,
    policy: Annotated[str, typer.Option(help="Who plays: random or greedy.")] = "random",
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 0,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play many games without a table and count how they end."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    bound = kit.bind(kit.demo_pack())
    player = policy_named(bound, policy)
    with _bar(terminal) as bar:
        task = bar.add_task(terminal.say("simulate.playing", policy=policy), total=games)
        tally = simulate_games(bound, player, games, seed, lambda: bar.advance(task))
    if as_json:
        typer.echo(json.dumps(_as_data(tally)))
    else:
        _show(terminal, kit, tally)


def _bar(terminal: Terminal) -> Progress:
    """Only where somebody looks: a pipe gets no bar."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=terminal.remarks,
        transient=True,
        disable=not terminal.remarks.is_terminal,
    )


def _as_data(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "results": tally.results,
        "rounds_mean": round(tally.rounds_mean, 3),
        "steps_per_second": round(tally.steps_per_second, 1),
    }


def _show(terminal: Terminal, kit: GameKit, tally: Tally) -> None:
    wording = terminal.wording_of(kit)
    table = Table(box=None, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    for cause, number in tally.results.items():
        sentence = wording.say(Message.of(f"{kit.name}.result.{cause}"))
        table.add_row(sentence, str(number), f"{number / tally.games:.1%}")
    terminal.out.print(table)
    terminal.out.print(
        terminal.say("simulate.summary", rounds=tally.rounds_mean, steps=round(tally.steps_per_second))
    )
