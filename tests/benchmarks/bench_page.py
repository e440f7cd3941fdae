"""How quick the page is in a real browser: first paint, bytes, and how soon a change is on the screen."""

import os
import shutil
import statistics
import time

from playwright.sync_api import Page, sync_playwright

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket
from tests.benchmarks.bench_tablets import TABLETS, eight_tablets
from tests.benchmarks.report import Report

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
    load = os.getloadavg()[0]
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
    _, share = eight_tablets()
    report = Report("page", "The page: how soon it is there, and what it costs")
    report.row("first contentful paint on localhost, ms", paint, 700, at_most=True)
    report.row("the whole page without pictures of a camera, KB", taken / 1000, 250, at_most=True)
    report.row("a change is on the screen after, ms (median)", statistics.median(delays), 100, at_most=True)
    report.row("nine of ten changes within, ms", statistics.quantiles(delays, n=10)[-1])
    report.row(f"{TABLETS} tablets, four changes a second: % of one core", share * 100, 10, at_most=True)
    report.note(
        f"`python -m tests.benchmarks.bench_page`; Chromium runs on the same machine, {len(delays)} changes. "
        f"Load of the machine before: {load:.1f} (with more than 1.5 others were working, too)."
    )
    report.note("The share of a core includes the eight clients, which run in the same process.")
    report.write()


if __name__ == "__main__":
    main()
