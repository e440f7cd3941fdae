"""Whatever words reach the page, from a pack, a record or a card's name, they stay words on every view."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from assistant.enrolling import CardsShown
from assistant.games.yu import KIT
from tests.assistant.web.furniture import GreedyAdviser, own_pack, recorded_store
from tests.browser.conftest import House, Opener

pytestmark = pytest.mark.browser

TRAP = "<img src=x onerror='window.trapped=1'>"
SAID = frozenset(
    {
        "name", "title", "sentence", "text", "phase", "result", "place", "plain", "summary", "why", "label",
        "rule", "section", "message", "advice", "short", "help",
    }
)  # fmt: skip
"""Fields that hold words for people."""


def trapped(value: Any, key: str = "") -> Any:
    """The same answer, in which everything that is said ends with a trap."""
    if isinstance(value, dict):
        words = key in ("words", "names")
        return {name: trapped(one, "name" if words else name) for name, one in value.items()}
    if isinstance(value, list):
        return [trapped(one, key) for one in value]
    return f"{value}{TRAP}" if isinstance(value, str) and key in SAID else value


@pytest.fixture
def furnished(house: House, tmp_path: Path) -> Iterator[House]:
    own_pack(tmp_path / "mine")
    with recorded_store(tmp_path / "games", 2) as store:
        house.close()
        house.around = {
            "adviser": GreedyAdviser(house.robot),
            "records": store,
            "own_pack": tmp_path / "mine",
            "enrolment": CardsShown(KIT, tmp_path / "mine"),
        }
        house.open()
        yield house


def _set_traps(page: Page) -> None:
    def answer(route: Route) -> None:
        got = route.fetch()
        if got.status != 200 or "json" not in got.headers.get("content-type", ""):
            route.fulfill(response=got)
        else:
            route.fulfill(response=got, body=json.dumps(trapped(got.json())))

    def line(mine: WebSocketRoute) -> None:
        theirs = mine.connect_to_server()
        theirs.on_message(lambda said: mine.send(json.dumps(trapped(json.loads(said)))))

    page.route("**/api/**", answer)
    page.route_web_socket("**/api/live*", line)


def test_words_of_strangers_stay_words_on_every_view(open_tablet: Opener, furnished: House) -> None:
    page = open_tablet("about:blank")
    _set_traps(page)
    page.goto(furnished.address)
    page.wait_for_selector("body[data-number]")
    tabs = page.locator("[role=tab]")
    assert tabs.count() >= 4
    seen = 0
    for number in range(tabs.count()):
        tabs.nth(number).click()
        page.wait_for_timeout(300)
        assert page.locator("img[src=x]").count() == 0
        seen += TRAP in (page.locator("body").inner_text())
    assert seen >= 3, "the traps were on the page"
    page.locator("#tab-cards").click()
    page.locator("[data-card]").first.click()
    expect(page.locator("#sheet")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("window.trapped") is None
    page.unroute_all(behavior="wait")  # an answer on its way would find the page closed
    page.context.close()
