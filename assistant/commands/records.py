"""What the commands about recorded games share: where the games are, and what is told on opening them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

import typer
from rich.markup import escape

from assistant.commands.terminal import Terminal
from assistant.record.store import Store, open_store

DataOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--data",
        envvar="FLOODWATCH_DATA",
        help="Where games are recorded: a folder, or postgresql://host/name; otherwise your usual place.",
    ),
]


@contextmanager
def opened(terminal: Terminal, data: str | None) -> Iterator[Store]:
    """The store, and a word to the player where a damaged record had to be rescued."""
    with open_store(data) as store:
        if store.rescue is not None:
            remark = terminal.say("record.trouble.rescued", path=str(store.rescue.kept), n=store.rescue.games)
            terminal.remarks.print(escape(remark), style="yellow", soft_wrap=True)
        yield store
