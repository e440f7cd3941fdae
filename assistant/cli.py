"""The command `floodwatch`: its root options, the list of its commands, and how it fails."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from typer.core import TyperGroup

from assistant import __version__
from assistant.commands.asked import OnceAsked
from assistant.commands.terminal import open_terminal
from assistant.errors import FloodwatchError
from assistant.frugal import be_frugal
from assistant.wording import language_of
from vision.errors import VisionError

COMMANDS: Final[tuple[str, ...]] = (
    "demo",
    "run",
    "simulate",
    "play",
    "advise",
    "games",
    "export",
    "replay",
    "campaign",
    "read",
    "tablets",
    "markers",
    "calibrate",
    "enrol",
    "doctor",
)
"""Every command is a function of its own module in `assistant.commands`, called as it is named."""

GROUPS: Final[tuple[str, ...]] = ("pack", "bench")
"""Commands with commands of their own, each the `app` of its own module."""

PROBLEM: Final = 2
"""The exit code for everything that the person at the terminal can mend."""


class _Commands(TyperGroup):
    """All of them, none loaded before it is asked for: together they need more than a second."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = OnceAsked(COMMANDS, GROUPS)


app = typer.Typer(
    name="floodwatch",
    cls=_Commands,
    help="Watches a real board game through a webcam and keeps the score of its rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command. A problem of the world around us is one sentence on stderr, never a traceback."""
    be_frugal()
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
