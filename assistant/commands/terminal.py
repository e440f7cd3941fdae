"""How every command speaks to the person at the terminal: where, how much and in which language."""

from dataclasses import dataclass

import typer
from rich.console import Console

from assistant.kit import GameKit, Message, Value
from assistant.wording import Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    out: Console
    """For results: what a person asked for, or another program reads."""
    remarks: Console
    """For progress and remarks, on stderr so that they never mix with results; silent with --quiet."""
    wording: Wording
    quiet: bool

    def wording_of(self, kit: GameKit) -> Wording:
        """The machinery's sentences and those of a game, in this terminal's language."""
        return Wording(self.wording.language, [kit.messages])

    def say(self, key: str, **values: Value) -> str:
        return self.wording.say(Message.of(key, **values))


def open_terminal(*, language: str, quiet: bool) -> Terminal:
    """Rich itself respects NO_COLOR, and leaves out colour where nobody looks (a pipe, a file)."""
    return Terminal(
        out=Console(highlight=False),
        remarks=Console(stderr=True, highlight=False, quiet=quiet),
        wording=Wording(language),
        quiet=quiet,
    )


def terminal_of(context: typer.Context) -> Terminal:
    """The terminal that `assistant.cli` opened for this run."""
    terminal = context.find_object(Terminal)
    if terminal is None:
        raise LookupError("a command was started without assistant.cli's root options")
    return terminal
