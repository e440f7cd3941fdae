"""`floodwatch demo`: a robot plays, and the tablet's page shows it; no camera, no cards."""

import time
import webbrowser
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from assistant.commands.doctor import DEFAULT_PORT
from assistant.commands.own import ChoicesOption, PlayersOption, bound_game, chosen_options
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import Message
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.join import NAME
from assistant.web.serve import Served, hosts_of, kept_secret, qr_lines, serving
from assistant.web.tablets import kept_tablets
from assistant.wording import Wording

PACE_SECONDS = 1.6
MISTAKES = 0.06
GLANCE_SECONDS = 0.5
REST_SECONDS = 20.0
"""How long a finished game stays on the page before the next one begins."""


def demo(
    context: typer.Context,
    seed: Annotated[int, typer.Option(help="The same seed plays the same game.")] = 3,
    pace: Annotated[float, typer.Option(min=0.0, max=60.0, help="Seconds for one move.")] = PACE_SECONDS,
    fast: Annotated[bool, typer.Option("--fast", help="Ten times as fast.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of the page.")] = DEFAULT_PORT,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let tablets of this network in, not only this machine.")
    ] = False,
    https: Annotated[
        bool, typer.Option("--https", help="Serve over HTTPS, so that a phone's browser shows its camera.")
    ] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page here.")] = True,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    players: PlayersOption = None,
    option: ChoicesOption = None,
    language: Annotated[
        str | None, typer.Option(help="en or fr, for the terminal and the page opened here.")
    ] = None,
) -> None:
    """Watch a robot play, on a page for your tablet; nothing else is needed."""
    terminal = _speaking(terminal_of(context), language)
    kit = kit_named(game)
    pairing = Pairing(kept_secret(), kept_tablets())
    speed = 0.1 if fast else 1.0
    robot = Robot(
        kit,
        game=bound_game(kit, None, chosen_options(kit, players, option)),
        seed=seed,
        pace=pace * speed,
        mistakes=MISTAKES,
        rest=REST_SECONDS * speed,
        clock=time.time,
    )
    app = create_app(robot, pairing=pairing, hosts=hosts_of(lan=lan))
    with serving(app, port, lan=lan, https=https) as served:
        robot.start()
        wish = f"&language={language}" if language else ""
        addresses = [f"{address}#code={pairing.code}{wish}" for address in served.addresses]
        title = terminal.wording_of(kit).say(kit.title)
        terminal.out.print(_panel(terminal, title, addresses, pairing.code, lan=lan))
        for remark in _remarks(terminal, served, port, lan=lan):
            terminal.out.print(remark, style="yellow")
        if browser:
            webbrowser.open(addresses[0])
        try:
            _watch(terminal, terminal.wording_of(kit), robot)
        except KeyboardInterrupt:
            terminal.remarks.print(terminal.say("demo.ended"))
        finally:
            robot.stop()


def _remarks(terminal: Terminal, served: Served, port: int, *, lan: bool) -> Iterator[str]:
    """What is not as one would expect."""
    if served.port != port:
        yield terminal.say("demo.port-taken", port=port, found=served.port)
    if lan and served.name is None:
        yield terminal.say("demo.no-name", name=NAME)
    if served.certificate is not None:
        yield terminal.say("demo.certificate", fingerprint=served.certificate.fingerprint)


def _speaking(terminal: Terminal, language: str | None) -> Terminal:
    if language is None:
        return terminal
    return Terminal(
        out=terminal.out, remarks=terminal.remarks, wording=Wording(language), quiet=terminal.quiet
    )


def _panel(terminal: Terminal, title: str, addresses: list[str], code: str, *, lan: bool) -> Panel:
    """The QR code is for the address that a tablet can reach; with the loopback only there is none."""
    lines = [Text(terminal.say("demo.watching", title=title), style="bold")]
    lines += [Text(address, style="cyan", overflow="fold") for address in addresses]
    if lan:
        lines += [Text(line, style="black on white") for line in qr_lines(addresses[-1])]
    lines.append(Text(terminal.say("demo.code", code=f"{code[:5]}-{code[5:]}")))
    lines.append(Text(terminal.say("demo.lan" if lan else "demo.loopback"), style="dim"))
    lines.append(Text(terminal.say("demo.stop"), style="dim"))
    return Panel(Group(*lines), expand=False, border_style="cyan")


def _watch(terminal: Terminal, wording: Wording, robot: Robot) -> None:
    """One line that follows the game, until Ctrl-C."""
    with Live(console=terminal.remarks, refresh_per_second=4, transient=True) as line:
        while True:
            snapshot = robot.snapshot()
            text = wording.say(
                Message.of("demo.status", round=snapshot.round, phase=snapshot.phase, n=len(snapshot.log))
            )
            if snapshot.outcome is not None:
                result = Message.of(f"{robot.kit.name}.result.{snapshot.outcome.cause}")
                text = wording.say(Message.of("demo.over", result=result))
            line.update(Text(text))
            time.sleep(GLANCE_SECONDS)
