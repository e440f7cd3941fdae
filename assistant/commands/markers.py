"""`floodwatch markers`: sheets to print, with markers for the board's corners and a ruler."""

from pathlib import Path
from typing import Annotated, Final

import typer

from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.errors import FloodwatchError
from assistant.packs import open_pack
from calibration.enrol import twins
from calibration.markers import CORNERS, Paper, SheetText, label_sheets, lens_sheet, marker_sheet
from calibration.paper import Sheet, write_pdf
from vision.pack_images import pictures_of

MOST_LABELS: Final = 1000


def markers(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="Where to write the sheets.")] = Path(
        "floodwatch-markers.pdf"
    ),
    paper: Annotated[Paper, typer.Option(help="The size of your paper.")] = Paper.A4,
    lens: Annotated[bool, typer.Option("--lens", help="Also a sheet to measure a wide lens with.")] = False,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Also QR labels for sleeves: for those cards of this pack that look the same."
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
) -> None:
    """Write sheets with markers for the board's corners, to print at 100 %."""
    terminal = terminal_of(context)
    text = _text(terminal)
    sheets: list[Sheet] = [marker_sheet(paper, kit_named(game).name, text)]
    if lens:
        sheets.append(lens_sheet(paper, game, text))
    if labels is not None:
        pack = open_pack(labels)[0]
        pairs = twins(pack, pictures_of(labels, pack))
        cards = sorted({card for pair in pairs for card in pair})
        sheets += label_sheets(paper, pack.game, cards[:MOST_LABELS], text)
        said = terminal.say("markers.labelled", n=len(cards), cards=", ".join(cards))
        terminal.out.print(
            said if cards else terminal.say("markers.unlabelled"), markup=False, soft_wrap=True
        )
    try:
        out.write_bytes(write_pdf(sheets, text.title))
    except OSError as problem:
        raise FloodwatchError(f"{out} cannot be written: {problem.strerror or problem}.") from None
    terminal.out.print(
        terminal.say("markers.written", n=len(sheets), path=str(out)), markup=False, soft_wrap=True
    )
    terminal.remarks.print(terminal.say("markers.next"), markup=False)


def _text(terminal: Terminal) -> SheetText:
    say = terminal.say
    return SheetText(
        title=say("markers.title"),
        how=(say("markers.print"), say("markers.lay"), say("markers.order")),
        corners={corner: say(f"markers.corner.{corner}") for corner in CORNERS},
        ruler=say("markers.ruler"),
        code=say("markers.code"),
        lens=(say("markers.lens.title"), say("markers.lens.how")),
        labels=say("markers.labels"),
    )
