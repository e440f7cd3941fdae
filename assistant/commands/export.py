"""`floodwatch export`: a recorded game as a file for people or for programs."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from assistant.commands.records import DataOption, opened
from assistant.commands.simulate import progress_bar
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import kit_named
from assistant.errors import FloodwatchError
from assistant.record.export import as_csv, as_json, as_text
from assistant.record.pageview import as_page
from assistant.record.telling import game_of
from assistant.record.values import RecordedGame


class Form(StrEnum):
    JSON = "json"
    TEXT = "text"
    HTML = "html"
    CSV = "csv"
    MP4 = "mp4"


_ENDINGS = {Form.JSON: "json", Form.TEXT: "txt", Form.HTML: "html", Form.CSV: "csv", Form.MP4: "mp4"}


class ExportError(FloodwatchError):
    """A file that cannot be written."""


def export(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The number of a game in `floodwatch games`, or `last`.")],
    form: Annotated[Form, typer.Option("--as", help="What to make of it.")] = Form.TEXT,
    out: Annotated[Path | None, typer.Option(help="The file; - means the terminal.")] = None,
    data: DataOption = None,
) -> None:
    """Write a recorded game to a file: text, csv, json, a page to step through, or a time lapse."""
    terminal = terminal_of(context)
    with opened(terminal, data) as store:
        recorded = store.load(store.find(game))
    if out is None and form in (Form.TEXT, Form.CSV, Form.JSON):
        out = Path("-")
    path = out or Path(f"game-{recorded.id}.{_ENDINGS[form]}")
    if form is Form.MP4:
        _film(recorded, path, terminal)
    else:
        _write(_written(recorded, form, terminal), path)
    if path != Path("-"):
        terminal.remarks.print(escape(terminal.say("export.saved", path=str(path))), soft_wrap=True)


def _written(recorded: RecordedGame, form: Form, terminal: Terminal) -> str:
    if form is Form.JSON:
        return as_json(recorded)
    kit = kit_named(recorded.header.game)
    wording = terminal.wording_of(kit)
    if form is Form.HTML:
        return as_page(recorded, kit, game_of(recorded, kit), wording.language)
    return (as_csv if form is Form.CSV else as_text)(recorded, kit, wording)


def _write(text: str, path: Path) -> None:
    if path == Path("-"):
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as problem:
        raise ExportError(f"Expected a file that can be written, found {path}: {problem.strerror}.") from None


def _film(recorded: RecordedGame, path: Path, terminal: Terminal) -> None:
    # Only a film needs the libraries that draw pictures: the other forms start without them.
    from vision.timelapse import write_time_lapse

    kit = kit_named(recorded.header.game)
    game = game_of(recorded, kit)
    wording = terminal.wording_of(kit)
    views = [game.view(game.decode(action.state)) for action in recorded.actions]
    captions = [f"{action.number}  {action.notation}" for action in recorded.actions]
    titles = [terminal.say("record.round", round=action.round) for action in recorded.actions]
    with progress_bar(terminal) as bar:
        task = bar.add_task(terminal.say("export.drawing"), total=len(views))
        write_time_lapse(
            path,
            views,
            titles=titles,
            captions=captions,
            crops=[action.crop for action in recorded.actions],
            layout=game.layout.on_table(),
            pack=game.pack,
            folder=kit.folder,
            title=wording.say(kit.title),
            progress=lambda: bar.advance(task),
        )
