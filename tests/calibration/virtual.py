"""A virtual table of the shipped game for the tests of calibration: small pictures, quick to draw."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from assistant.discover import default_game, kit_named
from assistant.kit import Game
from calibration.gametable import GameTable, load_game_table
from calibration.markers import corner_papers
from vision.frame import BgrImage
from vision.table import Rect, TableLayout, TableView
from vision.virtual.camera import Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle
from vision.virtual.shot import Shot

BOARD_MM = 600.0


@cache
def game() -> "Game[object, object]":
    kit = kit_named(default_game())
    return kit.bind(kit.demo_pack())


@cache
def game_table() -> GameTable:
    kit = kit_named(default_game())
    return load_game_table(kit.folder, kit.name, game().layout)


@cache
def scene(*, markers: bool = True, layout: TableLayout | None = None) -> Scene:
    layout = layout or game().layout
    return scene_with(corner_papers(layout.board, BOARD_MM) if markers else (), layout)


def scene_with(papers: Sequence[tuple[Rect, BgrImage]], layout: TableLayout | None = None) -> Scene:
    """The table with these papers on it."""
    return scene_in(Stand(width=1280, height=720, tilt_deg=15.0, margin=0.06), papers, layout)


def scene_in(
    stand: Stand, papers: Sequence[tuple[Rect, BgrImage]] = (), layout: TableLayout | None = None
) -> Scene:
    """The table as a camera on this stand sees it."""
    kit = kit_named(default_game())
    style = replace(SceneStyle(), stand=stand)
    return drawn_scene(layout or game().layout, game().pack, load_table_art(kit.folder), style, papers)


@cache
def empty_shot(*, markers: bool = True) -> Shot:
    return scene(markers=markers).shoot_view(TableView(()), 1)


@cache
def set_up_shot(*, markers: bool = True) -> Shot:
    return scene(markers=markers).shoot_view(game().view(game().initial()), 1)
