"""What commands share that show a running game: the server, the way in, one line that follows the game."""

import contextlib
import signal
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, TypeAlias

import typer
from fastapi import FastAPI
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from assistant.advise.process import ProcessAdviser
from assistant.advise.reviewer import Reviewer
from assistant.commands.terminal import Terminal
from assistant.kit import GameKit, Message
from assistant.record.store import Store
from assistant.sight import CameraView
from assistant.web.app import create_app
from assistant.web.begin import BeginsGames
from assistant.web.door import Pairing
from assistant.web.enrol import TakesCards
from assistant.web.join import NAME
from assistant.web.phone import TakesPictures
from assistant.web.serve import Served, hosts_of, kept_secret, qr_lines, serving
from assistant.web.source import SnapshotSource
from assistant.web.tablets import kept_tablets
from assistant.wording import Wording

GLANCE_SECONDS = 0.5
TROUBLE_SECONDS = 2.0
"""What spoils the sight for a shorter time is no trouble: a hand, or the lamp being switched."""

PortOption: TypeAlias = Annotated[int, typer.Option(min=1, max=65535, help="The port of the page.")]
LanOption: TypeAlias = Annotated[
    bool, typer.Option("--lan", help="Let tablets of this network in, not only this machine.")
]
HttpsOption: TypeAlias = Annotated[
    bool, typer.Option("--https", help="Serve over HTTPS, so that a phone's browser shows its camera.")
]
BrowserOption: TypeAlias = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page here.")]
PageLanguageOption: TypeAlias = Annotated[
    str | None, typer.Option(help="en or fr, for the terminal and the page opened here.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where and how the page is offered."""

    port: int
    lan: bool
    https: bool = False
    browser: bool
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What the page may show besides the game; what is not there is left out."""

    camera: CameraView | None = None
    phone: TakesPictures | None = None
    records: Store | None = None
    own_pack: Path | None = None
    enrolment: TakesCards | None = None
    table: BeginsGames | None = None


def show(
    terminal: Terminal,
    kit: GameKit,
    game: SnapshotSource,
    page: Page,
    title: str,
    begin: Callable[[], None],
    offered: Offered,
) -> None:
    """Serves the page until Ctrl-C; `begin` starts the game once the page is there."""
    pairing = Pairing(kept_secret(), kept_tablets())
    with contextlib.closing(_adviser(kit, game)) as adviser, contextlib.closing(Reviewer()) as reviewer:
        app = create_app(
            game,
            pairing=pairing,
            hosts=hosts_of(lan=page.lan),
            camera=offered.camera,
            phone=offered.phone,
            adviser=adviser if game.game.advising is not None else None,
            records=offered.records,
            reviewer=reviewer,
            own_pack=offered.own_pack,
            enrolment=offered.enrolment,
            table=offered.table,
        )
        _serve(terminal, kit, game, page, title, begin, app, pairing)


def _adviser(kit: GameKit, game: SnapshotSource) -> ProcessAdviser:
    """Its process begins to think when somebody first asks."""
    return ProcessAdviser(kit, game.game, lambda: game.game.decode(game.snapshot().state))


def _serve(
    terminal: Terminal,
    kit: GameKit,
    game: SnapshotSource,
    page: Page,
    title: str,
    begin: Callable[[], None],
    app: FastAPI,
    pairing: Pairing,
) -> None:
    with _interrupts() as interrupted, serving(app, page.port, lan=page.lan, https=page.https) as served:
        begin()
        wish = f"&language={page.language}" if page.language else ""
        addresses = [f"{address}#code={pairing.code}{wish}" for address in served.addresses]
        terminal.out.print(_panel(terminal, title, addresses, pairing.code, lan=page.lan))
        for remark in _remarks(terminal, served, page.port, lan=page.lan):
            terminal.out.print(remark, style="yellow")
        if page.browser:
            webbrowser.open(addresses[0])
        _follow(terminal, terminal.wording_of(kit), game, interrupted)
        terminal.remarks.print(terminal.say("demo.ended"))


def _remarks(terminal: Terminal, served: Served, port: int, *, lan: bool) -> Iterator[str]:
    """What is not as one would expect."""
    if served.port != port:
        yield terminal.say("demo.port-taken", port=port, found=served.port)
    if lan and served.name is None:
        yield terminal.say("demo.no-name", name=NAME)
    if served.certificate is not None:
        yield terminal.say("demo.certificate", fingerprint=served.certificate.fingerprint)


def speaking(terminal: Terminal, language: str | None) -> Terminal:
    if language is None:
        return terminal
    return Terminal(
        out=terminal.out, remarks=terminal.remarks, wording=Wording(language), quiet=terminal.quiet
    )


def _panel(terminal: Terminal, title: str, addresses: list[str], code: str, *, lan: bool) -> Panel:
    """The QR code is for the address that a tablet can reach; with the loopback only there is none."""
    lines = [Text(title, style="bold")]
    lines += [Text(address, style="cyan", overflow="fold") for address in addresses]
    if lan:
        lines += [Text(line, style="black on white") for line in qr_lines(addresses[-1])]
    lines.append(Text(terminal.say("demo.code", code=f"{code[:5]}-{code[5:]}")))
    lines.append(Text(terminal.say("demo.lan" if lan else "demo.loopback"), style="dim"))
    lines.append(Text(terminal.say("demo.stop"), style="dim"))
    return Panel(Group(*lines), expand=False, border_style="cyan")


@contextlib.contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Ctrl-C as something to ask for. As an exception it could come while a lock is held that is then never
    given back, and the program would not end. A second Ctrl-C ends it at once."""
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, before)


class LastingTrouble:
    """Tells a trouble once it has lasted, and not again before it was another one or gone."""

    def __init__(self) -> None:
        self._why: Message | None = None
        self._since = 0.0
        self._told = False

    def news(self, why: Message | None, now: float) -> Message | None:
        if why != self._why:
            self._why, self._since, self._told = why, now, False
        if why is None or self._told or now - self._since < TROUBLE_SECONDS:
            return None
        self._told = True
        return why


def _follow(
    terminal: Terminal, wording: Wording, game: SnapshotSource, interrupted: Callable[[], bool]
) -> None:
    """One line that follows the game, until Ctrl-C; above it what keeps it from being seen or saved."""
    unseen, unsaved = LastingTrouble(), LastingTrouble()
    with Live(console=terminal.remarks, refresh_per_second=4, transient=True) as line:
        while not interrupted():
            snapshot = game.snapshot()
            now = time.monotonic()
            for news in (unseen.news(snapshot.camera.why, now), unsaved.news(snapshot.trouble, now)):
                if news is not None:
                    line.console.print(wording.say(news), style="yellow")
            text = wording.say(
                Message.of("demo.status", round=snapshot.round, phase=snapshot.phase, n=len(snapshot.log))
            )
            if snapshot.outcome is not None:
                result = Message.of(f"{game.kit.name}.result.{snapshot.outcome.cause}")
                text = wording.say(Message.of("demo.over", result=result))
            line.update(Text(text))
            time.sleep(GLANCE_SECONDS)
