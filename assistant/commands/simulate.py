"""`floodwatch simulate`: many games played by a policy, and how they ended."""

import json
import time
from typing import Annotated, Any, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from assistant.advise.advisor import advisor_policy
from assistant.commands.own import ChoicesOption, PackOption, PlayersOption, bound_game, chosen_options
from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import Game, GameKit, Message, Policy
from assistant.record.feed import header_of, record_actions
from assistant.simulate import Tally, played, policy_named
from assistant.simulate import simulate as simulate_games

TABLE: Final = "simulated"
ADVISOR: Final = "advisor"


def simulate(
    context: typer.Context,
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many games.")] = 100,
    policy: Annotated[
        str, typer.Option(help="Who plays: random, greedy, advisor, or another of the game.")
    ] = "random",
    budget: Annotated[
        int,
        typer.Option(min=1, max=600_000, metavar="MS", help="How long the advisor thinks at each decision."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 0,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    players: PlayersOption = None,
    option: ChoicesOption = None,
    pack: PackOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record each game as if it had been played.")
    ] = False,
    data: DataOption = None,
) -> None:
    """Play many games without a table and count how they end."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    bound = bound_game(kit, pack, chosen_options(kit, players, option))
    player = advisor_policy(bound, budget / 1000) if policy == ADVISOR else policy_named(bound, policy)
    if record:
        _record(terminal, bound, player, games, seed, data)
        return
    with progress_bar(terminal) as bar:
        task = bar.add_task(terminal.say("simulate.playing", policy=policy), total=games)
        tally = simulate_games(bound, player, games, seed, lambda: bar.advance(task))
    if as_json:
        typer.echo(json.dumps(_as_data(tally)))
    else:
        _show(terminal, kit, tally)


def _record(
    terminal: Terminal, game: Game[Any, Any], player: Policy, games: int, seed: int, data: str | None
) -> None:
    """Games of their own table, so that they never meet the one in the living room."""
    with opened(terminal, data) as store, progress_bar(terminal) as bar:
        task = bar.add_task(terminal.say("simulate.recording"), total=games)
        for number, played_game in enumerate(played(game, player, games, seed)):
            header = header_of(game, table=TABLE, started_at=time.time(), seed=f"{seed}/{number}")
            recorder = record_actions(store, game, played_game.actions, header)
            recorder.leave()
            if recorder.trouble is not None:
                raise recorder.trouble
            bar.advance(task)
            typer.echo(recorder.id)


def progress_bar(terminal: Terminal) -> Progress:
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
