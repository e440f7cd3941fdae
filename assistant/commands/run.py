"""`floodwatch run`: watches a real table through a camera, a stream, a video or a folder of pictures."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from assistant.commands.doctor import DEFAULT_PORT
from assistant.commands.own import PackOption, bound_game
from assistant.commands.page import (
    BrowserOption,
    HttpsOption,
    LanOption,
    Offered,
    Page,
    PageLanguageOption,
    PortOption,
    show,
    speaking,
)
from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import terminal_of
from assistant.discover import default_game, kit_named
from assistant.enrolling import CardsShown
from assistant.finding import by_corners, by_picture, parse_corners
from assistant.keep import RecordedTable
from assistant.run import Watch
from assistant.virtual import eye_of
from calibration.finder import finder_of
from calibration.profile import fitted_layout
from calibration.tables import Tables
from vision.feed import SourceOptions
from vision.image import load_image
from vision.networks import Networks
from vision.pushed import PushedSource
from vision.source import open_source

TABLE = "home"
PHONE = "phone"
"""As a camera: the phone that opens the camera page sends its picture."""


def run(
    context: typer.Context,
    camera: Annotated[
        str,
        typer.Option(
            help="A camera's number, a video or picture, a folder of pictures, an address, or `phone`."
        ),
    ] = "0",
    corners: Annotated[
        str | None,
        typer.Option(help="The board's corners in pixels: 'x,y x,y x,y x,y', clockwise from its top left."),
    ] = None,
    board: Annotated[
        Path | None, typer.Option(help="A picture of your board from above, to find it by.")
    ] = None,
    table: Annotated[str, typer.Option(help="The table's name: each has one game at a time.")] = TABLE,
    port: PortOption = DEFAULT_PORT,
    lan: LanOption = False,
    https: HttpsOption = False,
    browser: BrowserOption = True,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    pack: PackOption = None,
    language: PageLanguageOption = None,
    data: DataOption = None,
) -> None:
    """Watch a game on a real table, show it on a page for your tablet, and record it."""
    terminal = speaking(terminal_of(context), language)
    kit = kit_named(game)
    bound = bound_game(kit, pack)
    tables = Tables.of_player()
    if corners is not None:
        find = by_corners(bound, parse_corners(corners))
    elif board is None and table in tables.names():
        profile = tables.load(table)
        bound = replace(bound, layout=fitted_layout(bound.layout, profile))
        find = finder_of(tables, profile, bound.layout)
    else:
        find = by_picture(kit, bound, None if board is None else load_image(board))
    networks = Networks().with_own(kit.folder)
    phone = PushedSource() if camera == PHONE else None
    with (
        opened(terminal, data) as store,
        phone or open_source(camera, SourceOptions(realtime=True)) as source,
    ):
        watched = RecordedTable(store, kit, bound, table, networks.hashes())
        watch = Watch(watched.shared, eye_of(kit, bound, find, networks), source)
        if (resumed := watched.resumed) is not None:
            terminal.out.print(terminal.say("watch.resumed", game=resumed.id, n=len(resumed.actions)))
        name = terminal.wording_of(kit).say(kit.title)
        title = terminal.say("watch.title", title=name, source=source.describe())
        page = Page(port=port, lan=lan, https=https, browser=browser, language=language)
        offered = Offered(
            camera=watched.shared.camera,
            phone=phone,
            records=store,
            own_pack=pack,
            enrolment=CardsShown(kit, pack) if pack is not None else None,
        )
        try:
            show(terminal, kit, watched.shared, page, title, watch.start, offered)
        finally:
            watch.stop()
            watched.close()
