"""`floodwatch run`: watches a real table through a camera, a stream, a video or a folder of pictures."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

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
from assistant.kit import Game, GameKit
from assistant.run import Watch
from assistant.virtual import eye_of
from calibration.codes import card_labelled
from calibration.enrol import twins
from calibration.errors import ProfileError
from calibration.finder import register_with
from calibration.gametable import load_game_table
from calibration.icons import OwnIcons, harvest
from calibration.locating import pose_from_above
from calibration.profile import LearntColour, Profile, fitted_layout
from calibration.tables import DEFAULT_TABLE, Tables
from vision.embedding import embeddings_of
from vision.feed import SourceOptions
from vision.frame import BgrImage
from vision.image import load_image
from vision.networks import Networks
from vision.observe import Finder
from vision.pack_images import pictures_of
from vision.pushed import PushedSource
from vision.source import open_source
from vision.witness import Witness

PHONE = "phone"
"""As a camera: the phone that opens the camera page sends its picture."""
FIRST_CAMERA = "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTable:
    """A player's table as far as it is set up: the game as it lies there, and how it is looked at."""

    game: Game[Any, Any]
    find: Finder
    camera: str = FIRST_CAMERA
    board_picture: BgrImage | None = None
    """The player's own board from above, empty."""
    colours: tuple[LearntColour, ...] = ()

    def own_icons(self, kit: GameKit, networks: Networks) -> OwnIcons | None:
        """How the network answers to the icons of this copy; None where its board was not seen."""
        if self.board_picture is None:
            return None
        board = self.game.layout.board
        icons = load_game_table(kit.folder, kit.name, self.game.layout).icons
        above = pose_from_above(self.board_picture, board)
        return harvest(self.board_picture, above, board, icons, networks)


def run(
    context: typer.Context,
    camera: Annotated[
        str | None,
        typer.Option(
            help="A camera's number, a video or picture, a folder of pictures, an address, or `phone`; "
            "else the one that the table was set up with."
        ),
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(help="The board's corners in pixels: 'x,y x,y x,y x,y', clockwise from its top left."),
    ] = None,
    board: Annotated[
        Path | None, typer.Option(help="A picture of your board from above, to find it by.")
    ] = None,
    table: Annotated[
        str, typer.Option(help="The table's name: each has one game at a time.")
    ] = DEFAULT_TABLE,
    cards_only: Annotated[
        bool | None,
        typer.Option(
            "--cards-only/--all-pieces",
            help="Whether your pieces lie out of view and are counted by the rules; a table that was set up "
            "remembers it.",
        ),
    ] = None,
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
    tables = Tables.of_player()
    known = known_table(kit, tables, table, pack=pack, corners=corners, board=board, cards_only=cards_only)
    bound = known.game
    networks = Networks().with_own(kit.folder)
    camera = camera or known.camera
    phone = PushedSource() if camera == PHONE else None
    with (
        opened(terminal, data) as store,
        phone or open_source(camera, SourceOptions(realtime=True)) as source,
    ):
        watched = RecordedTable(store, kit, bound, table, networks.hashes())
        own = known.own_icons(kit, networks)
        pictures = {} if pack is None else pictures_of(pack, bound.pack)
        # Labels on sleeves take time to look for: only where two cards look the same.
        label = partial(card_labelled, pack=bound.pack) if twins(bound.pack, pictures) else None
        looks = embeddings_of(bound.pack, pictures)
        witness = Witness(pictures, looks) if looks else None
        eye = eye_of(kit, bound, known.find, networks, own, known.colours, witness, label)
        watch = Watch(watched.shared, eye, source)
        if (resumed := watched.resumed) is not None:
            terminal.out.print(
                terminal.say("watch.resumed", game=resumed.id, n=len(watched.shared.snapshot().log))
            )
        name = terminal.wording_of(kit).say(kit.title)
        title = terminal.say("watch.title", title=name, source=source.describe())
        page = Page(port=port, lan=lan, https=https, browser=browser, language=language)
        offered = Offered(
            camera=watched.shared.camera,
            phone=phone,
            records=store,
            own_pack=pack,
            enrolment=CardsShown(kit, pack) if pack is not None else None,
            table=watched,
        )
        try:
            show(terminal, kit, watched.shared, page, title, watch.start, offered)
        finally:
            watch.stop()
            watched.close()


def known_table(
    kit: GameKit,
    tables: Tables,
    name: str,
    *,
    pack: Path | None = None,
    corners: str | None = None,
    board: Path | None = None,
    cards_only: bool | None = None,
) -> KnownTable:
    """All that `floodwatch calibrate` found out about this table; what is given by hand goes before it."""
    is_set_up = name in tables.names()
    profile = tables.load(name) if is_set_up else Profile(table=name, game=kit.name)
    if profile.game != kit.name:
        raise ProfileError(
            f"the table {name!r} was set up for {profile.game!r}, not for {kit.name!r}: "
            "choose another --table, or set it up anew with floodwatch calibrate --anew."
        )
    if cards_only is not None and cards_only != profile.cards_only:
        profile = replace(profile, cards_only=cards_only)
        if is_set_up:
            tables.save(profile)
    game = bound_game(kit, pack, profile.confirmed())
    game = replace(game, layout=fitted_layout(game.layout, profile))
    picture = tables.board_picture(name) if profile.has_board_picture else None
    if corners is not None:
        find = by_corners(game, parse_corners(corners))
    elif board is None and profile.is_registered:
        find = register_with(profile, game.layout, picture)
    else:
        find = by_picture(kit, game, None if board is None else load_image(board))
    return KnownTable(
        game=game,
        find=find,
        camera=profile.camera or FIRST_CAMERA,
        board_picture=picture,
        colours=profile.colours,
    )
