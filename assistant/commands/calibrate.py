"""`floodwatch calibrate`: walks through setting up a table, in the terminal and on a tablet."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape

from assistant.commands.doctor import DEFAULT_PORT
from assistant.commands.page import LanOption, PortOption
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.setup import Setup
from assistant.web.door import Pairing
from assistant.web.serve import Server, addresses_of, free_socket, hosts_of, kept_secret
from assistant.web.tablets import kept_tablets
from assistant.web.wizard import create_wizard_app
from assistant.wording import Wording
from calibration.overlay import drawn
from calibration.steps import (
    Back,
    ChooseCamera,
    ConfirmFact,
    DragZone,
    Event,
    FindBoard,
    GiveCorners,
    MeasureLens,
    Next,
    Step,
    TapPiece,
)
from calibration.tables import DEFAULT_TABLE, Tables
from vision.draw import save_picture
from vision.source import list_cameras
from vision.table import PieceKind, ZoneId

WAIT_SECONDS: Final = 3.0
PICTURE_FILE: Final = "view.png"


def calibrate(
    context: typer.Context,
    camera: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help="A camera's number, a stream's address, or a picture."),
    ] = None,
    table: Annotated[str, typer.Option(help="A name for this table.")] = DEFAULT_TABLE,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    anew: Annotated[bool, typer.Option("--anew", help="Forget what was set up before.")] = False,
    port: PortOption = DEFAULT_PORT,
    lan: LanOption = False,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Offer the same on a page.")] = True,
) -> None:
    """Set up a table: camera, board, places, light and colours; can be left and resumed."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    setup = Setup(kit, Tables.of_player(), table, anew=anew)
    try:
        if camera is not None:
            setup.tell(ChooseCamera(source=camera))
        if not page:
            _walk(terminal, setup)
            return
        pairing = Pairing(kept_secret(), kept_tablets())
        with free_socket(port, lan=lan) as (listener, found):
            app = create_wizard_app(setup, pairing=pairing, hosts=hosts_of(lan=lan))
            with Server(app, listener):
                address = addresses_of(found, lan=lan)[-1]
                link = f"{address}#code={pairing.code}"
                terminal.out.print(terminal.say("calibrate.page", address=link), markup=False, soft_wrap=True)
                _walk(terminal, setup)
    finally:
        setup.close()


def _walk(terminal: Terminal, setup: Setup) -> None:
    """One step after the other until the player leaves or all is ready."""
    wording = terminal.wording_of(setup.kit)
    while True:
        setup.look(WAIT_SECONDS)
        _show(terminal, wording, setup)
        if setup.state.step is Step.READY:
            path = setup.path
            table = setup.state.profile.table
            terminal.out.print(terminal.say("calibrate.saved", table=table, path=path), soft_wrap=True)
            return
        try:
            answer = terminal.out.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            answer = "q"
        if answer in ("q", "quit"):
            step = terminal.say(f"calibrate.name.{setup.state.step.value}")
            terminal.out.print(terminal.say("calibrate.left", step=step))
            return
        event = understood(answer, setup.state.step)
        if event is None:
            if answer:
                terminal.out.print(
                    escape(terminal.say("calibrate.unknown-answer", answer=answer)), style="yellow"
                )
            continue
        trouble = setup.tell(event)
        if trouble is not None:
            terminal.out.print(escape(wording.say(trouble)), style="yellow")


def _show(terminal: Terminal, wording: Wording, setup: Setup) -> None:
    shown = setup.view()
    name = terminal.say(f"calibrate.name.{shown.step.value}")
    terminal.out.print(f"\n[bold]{escape(name)}[/]  {escape(setup.say(shown.said, wording))}", soft_wrap=True)
    for check in shown.checks:
        sign = "[green]✓[/]" if check.good else "[yellow]![/]"
        terminal.out.print(f" {sign} {escape(setup.say(check.said, wording))}", soft_wrap=True)
    if shown.step is Step.CAMERA:
        devices = list_cameras()
        for device in devices:
            terminal.out.print(f"   camera {device.source}   {device.name}", markup=False)
        if not devices and setup.state.profile.camera is None:
            terminal.out.print(f"   {terminal.say('calibrate.word.no-camera')}", markup=False, soft_wrap=True)
    for swatch in shown.swatches:
        if swatch.rgb is None:
            terminal.out.print(f"   tap {swatch.piece} X,Y", markup=False)
    for crop in shown.crops:
        if crop.answer is None:
            name = "" if crop.zone is None else f"   ({wording.say(setup.zone_name(crop.zone))})"
            terminal.out.print(f"   fact {crop.key} = {' | '.join(crop.options)}{name}", markup=False)
    _, image = setup.look()
    if image is not None:
        path = Path(setup.path) / PICTURE_FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        save_picture(path, drawn(image, shown))
        terminal.remarks.print(terminal.say("calibrate.picture", path=str(path)), soft_wrap=True)
    terminal.remarks.print(terminal.say("calibrate.prompt"), style="dim", soft_wrap=True)


def understood(answer: str, step: Step) -> Event | None:
    """What was typed, as an answer to the wizard; points are shares of the picture such as 0.31,0.72."""
    word, _, rest = answer.partition(" ")
    if not answer:
        return Next()
    plain: dict[str, Callable[[], Event]] = {
        "b": Back,
        "anyway": lambda: Next(anyway=True),
        "find": FindBoard,
        "lens": MeasureLens,
    }
    if answer in plain:
        return plain[answer]()
    if word == "camera" and rest:
        return ChooseCamera(source=rest)
    points = _points(rest)
    name = rest.split(" ")[0]
    if word == "corners" and len(points) == 4:
        return GiveCorners(corners=points)
    if word == "tap" and len(points) == 1:
        return TapPiece(piece=PieceKind(name), at=points[0])
    if word == "zone" and len(points) == 1:
        return DragZone(zone=ZoneId(name), at=points[0])
    if word == "fact" and "=" in rest and step is Step.FACTS:
        key, _, value = rest.partition("=")
        return ConfirmFact(key=key.strip(), value=value.strip())
    return None


def _points(text: str) -> tuple[tuple[float, float], ...]:
    """Every x,y among the words."""
    points = []
    for word in text.split():
        x, comma, y = word.partition(",")
        try:
            point = (float(x), float(y))
        except ValueError:
            continue
        if comma and all(-1.0 <= value <= 2.0 for value in point):
            points.append(point)
    return tuple(points)
