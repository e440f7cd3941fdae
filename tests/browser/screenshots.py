"""Makes the pictures of the docs: `python -m tests.browser.screenshots docs/pictures [name …]`."""

import shutil
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket
from tests.assistant.web.furniture import GreedyAdviser, recorded_store
from tests.assistant.web.sights import VirtualCamera
from vision.table import PieceKind, ZoneId, ZoneView, counted

TABLET = (1280, 800)
PHONE = (390, 844)
FILM_SIZE = (800, 500)
FILM_FRAMES = 40
FILM_STEP_MS = 250
GAMES = 24
LARGEST = 200_000
"""Bytes of one picture."""


def nothing(_page: Page, _robot: Robot) -> None:
    pass


def open_sheet(page: Page, _robot: Robot) -> None:
    page.click('[data-zone="row-3"]')
    page.wait_for_selector(".crop:not([hidden])")


def break_a_rule(page: Page, robot: Robot) -> None:
    robot.correct(ZoneView(zone=ZoneId("supply"), pieces=counted({PieceKind("white"): 14})))
    page.wait_for_selector("#alarm:not([hidden])")


def ask_for_the_best_move(page: Page, _robot: Robot) -> None:
    page.click('[data-strength="best"]')
    page.wait_for_selector(".hint-move.best")


def open_camera(page: Page, _robot: Robot) -> None:
    page.click("#tab-camera")
    page.wait_for_selector("#camera-view[data-number]")


def go_back(page: Page, _robot: Robot) -> None:
    page.click("#tab-log")
    page.wait_for_selector("#log-view[data-move]")
    page.click('[data-move="96"]')
    page.wait_for_selector('#log-view[data-move="96"]')


def open_games(page: Page, _robot: Robot) -> None:
    page.click("#tab-games")
    page.wait_for_selector(".game-list")


def open_cards(page: Page, _robot: Robot) -> None:
    page.click("#tab-cards")
    page.wait_for_selector(".cell")


def open_setup(page: Page, _robot: Robot) -> None:
    page.click("#tab-setup")
    page.wait_for_selector(".setup-item")


Act = Callable[[Page, Robot], None]

SHOTS: dict[str, tuple[tuple[int, int], str, str, tuple[int, int], Act]] = {
    "tablet": (TABLET, "light", "en", (11, 150), nothing),
    "tablet-dark": (TABLET, "dark", "en", (4, 130), nothing),
    "tablet-correct": (TABLET, "light", "en", (11, 150), open_sheet),
    "tablet-wrong": (TABLET, "light", "fr", (7, 110), break_a_rule),
    "tablet-alarm": (TABLET, "light", "en", (10, 114), nothing),
    "tablet-hint": (TABLET, "light", "en", (11, 118), ask_for_the_best_move),
    "tablet-camera": (TABLET, "dark", "en", (11, 150), open_camera),
    "tablet-log": (TABLET, "light", "en", (11, 150), go_back),
    "tablet-games": (TABLET, "light", "en", (11, 150), open_games),
    "tablet-cards": (TABLET, "light", "fr", (11, 150), open_cards),
    "tablet-setup": (TABLET, "light", "en", (11, 0), open_setup),
    "phone": (PHONE, "light", "en", (8, 100), nothing),
    "phone-dark": (PHONE, "dark", "fr", (4, 130), nothing),
    "phone-camera": (PHONE, "light", "en", (11, 150), open_camera),
    "phone-log": (PHONE, "light", "en", (11, 150), go_back),
    "phone-cards": (PHONE, "dark", "en", (11, 150), open_cards),
}
"""Screen, colours, language, seed and moves played, and what is done before the picture is taken."""

WATCHED = (open_sheet, open_camera)
RECORDED = (open_games,)
"""These need more than the game: a camera, games of the past."""


def main(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name in names or SHOTS:
            if name in SHOTS:
                path = folder / f"{name}.png"
                take(browser, name, path)
                shrink(path)
                size = path.stat().st_size
                print(f"{path} {size // 1000} KB{' TOO LARGE' if size > LARGEST else ''}")
        if not names or "demo" in names:
            film(browser, folder / "demo.webp")
        browser.close()


def take(browser: Browser, name: str, path: Path) -> None:
    (width, height), scheme, language, (seed, moves), act = SHOTS[name]
    robot = Robot(kit_named(default_game()), seed=seed, pace=0.0, clock=lambda: 0.0)
    robot.skip(moves)
    with served(robot, watched=act in WATCHED, recorded=act in RECORDED) as address:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=language,
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-number]")
        act(page, robot)
        page.wait_for_timeout(300)
        page.screenshot(path=path)
        context.close()


@contextmanager
def served(robot: Robot, *, watched: bool = False, recorded: bool = False) -> Iterator[str]:
    pairing = Pairing(b"a secret for the pictures")
    with ExitStack() as stack:
        around: dict[str, Any] = {"adviser": GreedyAdviser(robot)}
        if watched:
            around["camera"] = VirtualCamera()
        if recorded:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="floodwatch-")))
            around["records"] = stack.enter_context(recorded_store(folder, GAMES))
        listener, port = stack.enter_context(free_socket(18470, lan=False))
        stack.enter_context(Server(create_app(robot, pairing=pairing, **around), listener))
        yield f"http://localhost:{port}/#code={pairing.code}"


def film(browser: Browser, path: Path) -> None:
    """A few moves of the demo as a short animation."""
    robot = Robot(kit_named(default_game()), seed=11, pace=1.2, clock=lambda: 0.0)
    robot.skip(112)
    with served(robot) as address:
        page = browser.new_page(viewport={"width": TABLET[0], "height": TABLET[1]}, locale="en")
        page.goto(address)
        page.wait_for_selector("body[data-number]")
        robot.start()
        frames = []
        for _ in range(FILM_FRAMES):
            picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            frames.append(cv2.resize(picture, FILM_SIZE, interpolation=cv2.INTER_AREA))
            page.wait_for_timeout(FILM_STEP_MS)
        robot.stop()
    animation = cv2.Animation()
    animation.frames = frames
    animation.durations = [FILM_STEP_MS + 100] * len(frames)
    cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, 60])


def shrink(path: Path) -> None:
    """The same picture with a palette of 256 colours: a third of the bytes, and nobody sees it."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert image is not None, path
    pixels = image.reshape(-1, 3)
    colours, which, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    common = colours[np.argsort(-counts)[:96]].astype(np.float32)
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    _, _, rest = cv2.kmeans(colours.astype(np.float32), 160, None, stop, 1, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    palette = np.vstack([common, rest])
    nearest = np.concatenate(
        [
            ((part[:, None, :].astype(np.float32) - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
            for part in np.array_split(colours, max(1, len(colours) // 4000))
        ]
    ).astype(np.uint8)
    indices = nearest[which.reshape(-1)].reshape(image.shape[:2])
    path.write_bytes(palette_png(indices, palette.round().astype(np.uint8)[:, ::-1]))


def palette_png(indices: np.ndarray, palette: np.ndarray) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = indices.shape
    rows = b"".join(b"\0" + row.tobytes() for row in indices)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        chunk(b"IHDR", header) + chunk(b"PLTE", palette.tobytes()) + chunk(b"IDAT", zlib.compress(rows, 9))
    )
    return b"\x89PNG\r\n\x1a\n" + parts + chunk(b"IEND", b"")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures"), *sys.argv[2:])
