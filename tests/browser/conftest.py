"""A real browser, a real server, a robot's game; without a browser these tests are skipped with a reason."""

import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.shared import SharedSession
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECRET = b"a secret for the browser tests"
PORTS_FROM = 18470
SLOW_MS = 30_000
"""Only how long a busy machine may take: a test goes on as soon as it can."""
ARGUMENTS = ["--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
"""A browser without a camera shows a test picture instead."""


expect.set_options(timeout=SLOW_MS)


@dataclass
class House:
    """A server with one game, that can be stopped and opened again at the same address."""

    robot: Robot
    port: int
    pairing: Pairing = field(default_factory=lambda: Pairing(SECRET))
    around: dict[str, Any] = field(default_factory=dict)
    """What `create_app` gets beside the game."""
    watched: SharedSession | None = None
    """Served in place of the robot's game."""
    _stack: ExitStack = field(default_factory=ExitStack)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/#code={self.pairing.code}"

    def open(self) -> None:
        listener, self.port = self._stack.enter_context(free_socket(self.port, lan=False))
        self._stack.enter_context(
            Server(create_app(self.watched or self.robot, pairing=self.pairing, **self.around), listener)
        )

    def close(self) -> None:
        self._stack.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after each module: while it is open its event loop counts as running in this thread."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    with sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        except Error as problem:
            pytest.skip(f"{found} does not start: {problem.message.splitlines()[0]}")
        yield opened
        opened.close()


@pytest.fixture
def house() -> Iterator[House]:
    robot = Robot(kit_named(default_game()), seed=3, pace=0.0, clock=lambda: 0.0)
    robot.skip(50)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = House(robot=robot, port=port)
    made.open()
    yield made
    robot.stop()
    made.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser's console complained about; a test that cuts the line clears it."""
    return []


Opener = Callable[..., Page]


@pytest.fixture
def open_tablet(browser: Browser, house: House, complaints: list[str]) -> Iterator[Opener]:
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text}")

    def open_page(address: str | None = None, **settings: Any) -> Page:
        wanted = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **settings}
        context = browser.new_context(**wanted)
        context.set_default_timeout(SLOW_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address or house.address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def tablet(open_tablet: Opener) -> Page:
    page = open_tablet()
    page.wait_for_selector("body[data-number]")
    return page
