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
from playwright.sync_api import Browser, FilePayload, Page, sync_playwright

from assistant.camera import WatchedCamera
from assistant.discover import default_game, kit_named
from assistant.enrolling import CardsShown
from assistant.games.yu import KIT
from assistant.kit import Dice
from assistant.robot import Robot
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.sight import CameraView
from assistant.snapshot import CameraState, CameraStatus
from assistant.virtual import calibrated, eye_of, scene_of, visible
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket
from assistant.web.source import SnapshotSource
from tests.assistant.web.furniture import GreedyAdviser, own_pack, photograph, recorded_store
from tests.assistant.web.sights import VirtualCamera
from vision.table import PieceKind, ZoneId, ZoneView, counted
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource

TABLET = (1280, 800)
PHONE = (390, 844)
FILM_SIZE = (800, 500)
FILM_SEED, FILM_MOVES = 11, 37
FILM_FRAMES = 72
FILM_CAMERA_FRAMES = 18
FILM_STEP_S = 0.45
FILM_HANDS = 1.8
CALM_LOOKS = 2
"""The robot lets the eye look at each move."""
FILM_SHOWN_MS = 300
PATIENCE_MS = 600_000
SETTLED_MS = 500
"""Longer than any movement on the page."""
GAMES = 24
SHOWN_CARD = "weaver-wood-yellow"
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
    page.wait_for_selector(".share-ring")


def open_cards(page: Page, _robot: Robot) -> None:
    page.click("#tab-cards")
    page.wait_for_selector(".cell")


def ask_what_it_was(page: Page, robot: Robot) -> None:
    go_back(page, robot)
    page.click("#another-move")
    page.wait_for_selector(".other")


def take_in_a_card(page: Page, robot: Robot) -> None:
    open_cards(page, robot)
    page.click("#enrol")
    picture = FilePayload(name="card.png", mimeType="image/png", buffer=photograph(SHOWN_CARD))
    page.set_input_files("#enrol-file", picture)
    page.wait_for_selector(".enrol-photo:not([width='300'])")


def open_setup(page: Page, _robot: Robot) -> None:
    page.click("#tab-setup")
    page.wait_for_selector(".setup-item")


Act = Callable[[Page, Robot], None]

SHOTS: dict[str, tuple[tuple[int, int], str, str, tuple[int, int], Act]] = {
    "tablet": (TABLET, "light", "en", (11, 150), nothing),
    "tablet-dark": (TABLET, "dark", "en", (4, 130), nothing),
    "tablet-correct": (TABLET, "light", "en", (11, 150), open_sheet),
    "tablet-wrong": (TABLET, "light", "fr", (7, 110), break_a_rule),
    "tablet-alarm": (TABLET, "light", "en", (7, 204), nothing),
    "tablet-hint": (TABLET, "light", "en", (11, 118), ask_for_the_best_move),
    "tablet-camera": (TABLET, "dark", "en", (11, 150), open_camera),
    "tablet-log": (TABLET, "light", "en", (11, 150), go_back),
    "tablet-another": (TABLET, "light", "en", (11, 150), ask_what_it_was),
    "tablet-enrol": (TABLET, "light", "en", (11, 150), take_in_a_card),
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

WATCHED = (open_sheet, open_camera, take_in_a_card)
RECORDED = (open_games,)
OWN = (take_in_a_card,)
"""These need more than the game: a camera, games of the past, a pack of one's own."""


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
    camera = VirtualCamera() if act in WATCHED else None
    with served(robot, camera=camera, recorded=act in RECORDED, own=act in OWN) as address:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=language,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-number]")
        act(page, robot)
        page.wait_for_timeout(300)
        page.screenshot(path=path)
        context.close()


@contextmanager
def served(
    robot: SnapshotSource, *, camera: CameraView | None = None, recorded: bool = False, own: bool = False
) -> Iterator[str]:
    pairing = Pairing(b"a secret for the pictures")
    with ExitStack() as stack:
        around: dict[str, Any] = {"adviser": GreedyAdviser(robot), "camera": camera}
        if own:
            mine = Path(stack.enter_context(TemporaryDirectory(prefix="floodwatch-")))
            own_pack(mine, unread=SHOWN_CARD)
            around |= {"own_pack": mine, "enrolment": CardsShown(KIT, mine)}
        if recorded:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="floodwatch-")))
            around["records"] = stack.enter_context(recorded_store(folder, GAMES))
        listener, port = stack.enter_context(free_socket(18470, lan=False))
        stack.enter_context(Server(create_app(robot, pairing=pairing, **around), listener))
        yield f"http://localhost:{port}/#code={pairing.code}"


class FilmedDemo:
    """The demo's parts on the table's own clock: a busy machine films the same game."""

    def __init__(self, seed: int, moves: int) -> None:
        kit = kit_named(default_game())
        self.game = kit.bind(kit.demo_pack())
        self._dice = Dice(seed)
        self._state = self.game.initial()
        for _ in range(moves):
            self._play()
        scene = scene_of(kit, self.game, SceneStyle())
        self._source = VirtualSource(
            scene, self.game.view(self._state), seed=seed, pace=FILM_HANDS, live=False
        )
        self._eye = eye_of(kit, self.game, calibrated(self.game.layout.board, scene))
        self.session = SharedSession(kit, Session(self.game, kit.name, state=self._state))
        self.camera = WatchedCamera(self.game, self._eye)
        self._calm = 0
        while self._calm < CALM_LOOKS:
            self.pass_time()

    def _play(self) -> None:
        self._state = self.game.apply(self._state, self.game.policies["greedy"](self._state, self._dice))

    def pass_time(self) -> None:
        if not self._source.waiting and self._calm >= CALM_LOOKS:
            self._calm = 0
            before = visible(self.game.layout, self.game.view(self._state))
            while visible(self.game.layout, self.game.view(self._state)) == before:
                self._play()
            self._source.push(self.game.view(self._state))
        frame = self._source.look(FILM_STEP_S)
        observation = self._eye.observe(frame)
        self._calm += observation.calm and not self._source.waiting
        self.camera.show(frame, observation)
        self.session.show_camera(
            CameraStatus(
                state=CameraState.LIVE, frames_per_second=10.0, registered=True, calm=observation.calm
            )
        )
        self.session.observe(observation)


def film(browser: Browser, path: Path) -> None:
    """A few moves of the demo as a short animation: what the camera sees, then what is made of it."""
    demo = FilmedDemo(FILM_SEED, FILM_MOVES)
    frames = []
    with served(demo.session, camera=demo.camera) as address:
        page = browser.new_page(viewport={"width": TABLET[0], "height": TABLET[1]}, locale="en")
        page.goto(address)
        page.wait_for_selector("body[data-number]")
        page.click("#tab-camera")
        page.wait_for_selector("#camera-view[data-number]")
        for number in range(FILM_FRAMES):
            if number == FILM_CAMERA_FRAMES:
                page.click("#tab-table")
            demo.pass_time()
            page.wait_for_selector(f'body[data-number="{demo.session.snapshot().number}"]')
            page.wait_for_timeout(SETTLED_MS)
            picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            frames.append(cv2.resize(picture, FILM_SIZE, interpolation=cv2.INTER_AREA))
    animation = cv2.Animation()
    animation.frames = frames
    animation.durations = [FILM_SHOWN_MS] * len(frames)
    cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, 58])
    print(f"{path} {path.stat().st_size // 1000} KB")


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
