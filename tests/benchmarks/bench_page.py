"""How quick the page is in a real browser: first paint, bytes, and how soon a change is on the screen."""

import shutil
import statistics
import time

from playwright.sync_api import Page, sync_playwright

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket

CHANGES = 40
PAUSE_MS = 100

WATCH = """() => {
  window.drawn = {};
  new MutationObserver(() => requestAnimationFrame(() => {
    window.drawn[document.body.dataset.number] ??= performance.timeOrigin + performance.now();
  })).observe(document.body, { attributes: true, attributeFilter: ["data-number"] });
}"""
"""Notes when a snapshot was drawn, in the frame that shows it."""


def first_paint(page: Page, address: str) -> tuple[float, int]:
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())) if answer.status == 200 else None)
    page.goto(address)
    page.wait_for_selector("body[data-number]")
    paints = []
    taken = sum(sizes)
    for _ in range(5):
        page.reload()
        page.wait_for_selector("body[data-number]")
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    return statistics.median(paints), taken


def changes(page: Page, robot: Robot) -> list[float]:
    page.evaluate(WATCH)
    made = {}
    for _ in range(CHANGES):
        robot.skip(1)
        made[str(robot.snapshot().number)] = time.time() * 1000
        page.wait_for_timeout(PAUSE_MS)
    drawn = page.evaluate("window.drawn")
    return [drawn[number] - at for number, at in made.items() if number in drawn]


def main() -> None:
    robot = Robot(kit_named(default_game()), seed=3, pace=0.0, clock=time.time)
    robot.skip(20)
    pairing = Pairing(b"a secret for the benchmark")
    found = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    with (
        sync_playwright() as playwright,
        free_socket(18580, lan=False) as (listener, port),
        Server(create_app(robot, pairing=pairing), listener),
    ):
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        paint, taken = first_paint(page, f"http://localhost:{port}/#code={pairing.code}")
        delays = changes(page, robot)
        browser.close()
    print(
        f"first contentful paint {paint:.0f} ms, {taken / 1000:.0f} KB for the whole page; "
        f"a change is on the screen after {statistics.median(delays):.0f} ms "
        f"(9 of 10 within {statistics.quantiles(delays, n=10)[-1]:.0f} ms, {len(delays)} changes)"
    )


if __name__ == "__main__":
    main()
