"""The page of a recorded game in a real browser: stepped through with keys, in two languages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.discover import default_game, kit_named
from assistant.record.pageview import as_page
from assistant.record.store import open_store
from tests.assistant.record.recorded import bound_game, record_simulated, simulated

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Page:
    with open_store(tmp_path) as store:
        recorded = store.load(record_simulated(store, 3))
    file = tmp_path / "game.html"
    file.write_text(as_page(recorded, kit_named(default_game()), bound_game(), "en"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(file.as_uri())
    assert complaints == [], "the page's own policy must allow all that the page does"
    return page


def test_keys_slider_and_log_step_through_the_game(page: Page) -> None:
    last = len(simulated(3).actions)
    expect(page.locator("#count")).to_have_text(f"0 / {last}")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text(f"2 / {last}")
    expect(page.locator("#log .at")).to_contain_text("2")
    page.keyboard.press("End")
    expect(page.locator("#count")).to_have_text(f"{last} / {last}")
    page.locator("#log li[data-step='5'] button").click()
    expect(page.locator("#count")).to_have_text(f"5 / {last}")
    expect(page.locator("#notation")).to_have_text(bound_game().format(simulated(3).actions[4]))


def test_what_is_drawn_follows_the_steps_forth_and_back(page: Page) -> None:
    def cards() -> int:
        return page.locator("#over use[href^='#c-']").count()

    assert cards() == 0
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert cards() == 7, "the row is revealed"
    page.keyboard.press("Home")
    assert cards() == 0


def test_the_page_speaks_both_languages(page: Page) -> None:
    page.select_option("#language", "fr")
    expect(page.locator(".seal")).to_contain_text(re.compile("vous (gagnez|perdez)"))
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_the_play_button_plays_and_stops(page: Page) -> None:
    page.locator("#go").click()
    expect(page.locator("#count")).not_to_have_text(f"0 / {len(simulated(3).actions)}")
    page.locator("#go").click()
    expect(page.locator("#go")).to_have_attribute("aria-pressed", "false")
