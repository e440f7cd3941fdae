"""`floodwatch replay`: a recorded game under today's rules, and where it would go another way."""

import json
from dataclasses import replace
from typing import Annotated

import typer
from rich.markup import escape

from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import terminal_of
from assistant.discover import kit_named
from assistant.keep import watched_again
from assistant.record.replay import replay as replay_game
from assistant.record.telling import game_of, say


def replay(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The number of a game in `floodwatch games`, or `last`.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    data: DataOption = None,
) -> None:
    """Play a recorded game again with today's program; exit code 1 where it goes another way."""
    terminal = terminal_of(context)
    with opened(terminal, data) as store:
        recorded = store.load(store.find(game))
    kit = kit_named(recorded.header.game)
    wording = terminal.wording_of(kit)
    played = game_of(recorded, kit)
    done = replay_game(recorded, played)
    done = replace(done, deviations=(*done.deviations, *watched_again(recorded, played)))
    if as_json:
        deviations = [
            {
                "kind": one.kind.value,
                "number": one.number,
                "notation": one.notation,
                "rule": one.rule,
                "words": say(wording, one.message),
            }
            for one in done.deviations
        ]
        answer = {
            "same": done.same,
            "actions": done.actions,
            "adopted": done.adopted,
            "deviations": deviations,
        }
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        for one in done.deviations:
            terminal.out.print(escape(say(wording, one.message)), style="red", soft_wrap=True)
        if done.adopted:
            terminal.out.print(terminal.say("replay.adopted", n=done.adopted), soft_wrap=True)
        if done.same:
            terminal.out.print(terminal.say("replay.same", n=done.actions), style="green", soft_wrap=True)
    if not done.same:
        raise typer.Exit(1)
