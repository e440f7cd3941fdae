"""The command `floodwatch`: its root options, the list of its commands, and how it fails."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Final

import typer
from rich.console import Console

from assistant import __version__
from assistant.commands.advise import advise
from assistant.commands.bench import app as bench
from assistant.commands.calibrate import calibrate
from assistant.commands.campaign import campaign
from assistant.commands.demo import demo
from assistant.commands.doctor import doctor
from assistant.commands.enrol import enrol
from assistant.commands.export import export
from assistant.commands.games import games
from assistant.commands.markers import markers
from assistant.commands.pack import app as pack
from assistant.commands.play import play
from assistant.commands.read import read
from assistant.commands.replay import replay
from assistant.commands.run import run
from assistant.commands.simulate import simulate
from assistant.commands.tablets import tablets
from assistant.commands.terminal import open_terminal
from assistant.errors import FloodwatchError
from assistant.wording import language_of
from vision.errors import VisionError

COMMANDS: Final[tuple[Callable[..., None], ...]] = (
    demo,
    run,
    simulate,
    play,
    advise,
    games,
    export,
    replay,
    campaign,
    read,
    tablets,
    markers,
    calibrate,
    enrol,
    doctor,
)
"""Every command is a function of its own module in `assistant.commands`, called as it is named."""

GROUPS: Final[tuple[typer.Typer, ...]] = (pack, bench)
"""Commands with commands of their own, each in its own module too."""

PROBLEM: Final = 2
"""The exit code for everything that the person at the terminal can mend."""

app = typer.Typer(
    name="floodwatch",
    help="Watches a real board game through a webcam and keeps the score of its rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in COMMANDS:
    app.command()(command)
for group in GROUPS:
    app.add_typer(group)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command. A problem of the world around us is one sentence on stderr, never a traceback."""
    try:
        app(sys.argv[1:] if arguments is None else list(arguments))
    except (FloodwatchError, VisionError) as problem:
        # Rich would take [brackets] in a message for markup, and wrap a path that somebody wants to copy.
        Console(stderr=True).print(f"floodwatch: {problem}", markup=False, highlight=False, soft_wrap=True)
        raise SystemExit(PROBLEM) from None


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"floodwatch {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only results and problems.")] = False,
    language: Annotated[
        str | None, typer.Option(help="en or fr; otherwise the language of your system.")
    ] = None,
    version: Annotated[  # noqa: ARG001 - the callback answers it
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    context.obj = open_terminal(language=language or language_of(os.environ), quiet=quiet)


if __name__ == "__main__":
    main()
