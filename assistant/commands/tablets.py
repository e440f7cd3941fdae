"""`floodwatch tablets`: which tablets are paired with this machine, and sending one away."""

from typing import Annotated

import typer
from rich.table import Table

from assistant.commands.terminal import terminal_of
from assistant.errors import FloodwatchError
from assistant.record.telling import moment
from assistant.web.tablets import kept_tablets


class NoTabletError(FloodwatchError):
    """A tablet that nobody paired."""


def tablets(
    context: typer.Context,
    forget: Annotated[
        str | None, typer.Option(metavar="ID", help="Send this tablet away; `all` sends all of them.")
    ] = None,
) -> None:
    """List the paired tablets, or send one away: it has to be paired again."""
    terminal = terminal_of(context)
    known = kept_tablets()
    if forget is not None:
        gone = [one.id for one in known.all()] if forget == "all" else [forget]
        for tablet in gone:
            if not known.forget(tablet):
                raise NoTabletError(terminal.say("tablets.unknown", id=tablet))
        terminal.out.print(terminal.say("tablets.forgotten", n=len(gone)))
        return
    if not known.all():
        terminal.out.print(terminal.say("tablets.none"))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column(terminal.say("tablets.id"), style="bold")
    table.add_column(terminal.say("tablets.paired"))
    for one in known.all():
        table.add_row(one.id, moment(one.paired_at))
    terminal.out.print(table)
