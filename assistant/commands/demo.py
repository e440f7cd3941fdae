"""`floodwatch demo`: a robot plays on a virtual table; eye, session, record and page are the real program."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.commands.doctor import DEFAULT_PORT
from assistant.commands.own import ChoicesOption, PlayersOption, bound_game, chosen_options
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
from assistant.keep import RecordedTable
from assistant.kit import Dice, Game
from assistant.player import TablePlayer
from assistant.record.values import RecordedGame
from assistant.robot import Robot
from assistant.run import Watch
from assistant.virtual import calibrated, eye_of, scene_of, set_up
from vision.networks import Networks
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource

TABLE = "demo"
ROBOT = "robot"
"""The kind of event in which the robot's own position is recorded: it can go on after a power cut."""
PACE_SECONDS = 2.5
MISTAKES = 0.04
REST_SECONDS = 20.0
"""How long a finished game stays on the page before the next one begins."""
FRAMES_PER_S = 10.0
FAST = 4.0


def demo(
    context: typer.Context,
    seed: Annotated[int, typer.Option(help="The same seed plays the same game.")] = 3,
    pace: Annotated[float, typer.Option(min=0.0, max=60.0, help="Seconds between two moves.")] = PACE_SECONDS,
    mistakes: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How often the robot breaks a rule, per move.")
    ] = MISTAKES,
    fast: Annotated[bool, typer.Option("--fast", help="Quicker hands and no long thoughts.")] = False,
    port: PortOption = DEFAULT_PORT,
    lan: LanOption = False,
    https: HttpsOption = False,
    browser: BrowserOption = True,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    players: PlayersOption = None,
    option: ChoicesOption = None,
    language: PageLanguageOption = None,
    data: DataOption = None,
) -> None:
    """Watch a robot play, on a page for your tablet; nothing else is needed."""
    terminal = speaking(terminal_of(context), language)
    kit = kit_named(game)
    bound = bound_game(kit, None, chosen_options(kit, players, option))
    page = Page(port=port, lan=lan, https=https, browser=browser, language=language)
    title = terminal.say("demo.watching", title=terminal.wording_of(kit).say(kit.title))
    networks = Networks().with_own(kit.folder)
    if not can_be_watched(bound, kit.folder, networks):
        rate = 0.1 if fast else 1.0
        robot = Robot(
            kit,
            game=bound,
            seed=seed,
            pace=pace * rate,
            mistakes=mistakes,
            rest=REST_SECONDS * rate,
            clock=time.time,
        )
        try:
            show(terminal, kit, robot, page, title, robot.start, Offered())
        finally:
            robot.stop()
        return
    with opened(terminal, data) as store:
        table = RecordedTable(store, kit, bound, TABLE, networks.hashes())
        dice = Dice(seed)
        state = robots_position(bound, table.resumed)
        if state is None:
            state = table.begin_anew(set_up(bound, dice)) if table.resumed else set_up(bound, dice)
        scene = scene_of(kit, bound, SceneStyle())
        speed = FAST if fast else 1.0
        source = VirtualSource(scene, bound.view(state), seed=seed, pace=speed, frames_per_s=FRAMES_PER_S)
        eye = eye_of(kit, bound, calibrated(bound.layout.board, scene), networks)
        watch = Watch(table.shared, eye, source)
        player = TablePlayer(
            bound,
            source,
            state,
            seed=seed,
            pause_s=pace / speed,
            mistakes=mistakes,
            moved=lambda position: table.note(ROBOT, bound.encode(position)),
            over=lambda: table.begin_anew(set_up(bound, dice)),
            rest_s=REST_SECONDS / speed,
            calm_at=lambda: watch.calm_at,
        )
        if table.resumed is not None:
            moves = len(table.shared.snapshot().log)
            terminal.out.print(terminal.say("watch.resumed", game=table.resumed.id, n=moves))

        def begin() -> None:
            table.note(ROBOT, bound.encode(state))
            watch.start()
            player.start()

        try:
            offered = Offered(camera=table.shared.camera, records=store)
            show(terminal, kit, table.shared, page, title, begin, offered)
        finally:
            player.stop()
            watch.stop()
            table.close()


def can_be_watched(game: Game[Any, Any], folder: Path, networks: Networks) -> bool:
    """Whether a game's table can be drawn and its pieces read; if not, the robot plays without a picture."""
    drawn = all((folder / name).exists() for name in ("anatomy.toml", "boardart.toml", "pieces.toml"))
    pieces = {str(kind) for zone in game.layout.zones for kind in zone.pieces}
    return drawn and pieces <= set(networks.answers("pieces"))


def robots_position(game: Game[Any, Any], recorded: RecordedGame | None) -> Any:
    """Where the robot was when the program ended; None where nobody knows."""
    for event in reversed(recorded.events if recorded is not None else ()):
        if event.kind == ROBOT:
            return game.decode(event.payload)
    return None
