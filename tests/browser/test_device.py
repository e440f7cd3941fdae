"""What the page asks of the tablet itself: sound, voice, vibration, a screen that stays on, installation."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from assistant.robot import Robot
from tests.browser.conftest import House, Opener
from vision.table import PieceKind, ZoneId, ZoneView, counted

pytestmark = pytest.mark.browser

LISTEN = """
  window.heard = { buzz: [], said: [], chimes: 0 };
  navigator.vibrate = (pattern) => { heard.buzz.push(pattern); return true; };
  speechSynthesis.speak = (said) => { document.body.dataset.said = heard.said.push([said.lang, said.text]); };
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { heard.chimes += 1; return make.call(this); };
  const request = async (what) => { document.body.dataset.awake = what; };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
"""
"""A headless browser has no loudspeaker and no motor: what the page asks of them is noted instead."""


def steal(robot: Robot, **pieces: int) -> None:
    """More pieces than the box holds: a broken rule for each kind."""
    counts = {PieceKind(kind): number for kind, number in pieces.items()}
    robot.correct(ZoneView(zone=ZoneId("supply"), pieces=counted(counts)))


def heard(page: Page) -> dict[str, Any]:
    return dict(page.evaluate("heard"))


@pytest.fixture
def listening(open_tablet: Opener, house: House) -> Page:
    page = open_tablet("about:blank")
    page.add_init_script(LISTEN)
    page.goto(house.address)
    page.wait_for_selector("body[data-number]")
    return page


def test_a_broken_rule_is_silent_until_the_player_wants_to_hear_it(listening: Page, house: House) -> None:
    steal(house.robot, white=40)
    expect(listening.locator("#alarm")).to_be_visible()
    assert heard(listening)["chimes"] == 0
    assert heard(listening)["buzz"] == []
    assert heard(listening)["said"] == []


def test_a_broken_rule_chimes_buzzes_and_is_spoken_in_the_pages_language(
    listening: Page, house: House
) -> None:
    listening.click("#sound")
    listening.click("#sound")
    expect(listening.locator("#sound")).to_have_attribute("aria-label", "Sound: warnings spoken")
    steal(house.robot, white=40)
    listening.wait_for_selector('body[data-said="1"]')
    (language, sentence), buzz = heard(listening)["said"][0], heard(listening)["buzz"]
    assert language == "en"
    assert sentence == listening.locator(".finding.wrong p >> nth=1").inner_text()
    assert len(buzz) == 1
    assert len(buzz[0]) > 1, "a broken rule does not feel like a warning"


def test_a_second_warning_waits_and_is_told_after_the_pause(listening: Page, house: House) -> None:
    listening.click("#sound")
    listening.click("#sound")
    listening.clock.install()
    steal(house.robot, white=40)
    listening.wait_for_selector('body[data-said="1"]')
    steal(house.robot, white=40, red=40)
    expect(listening.locator(".finding.wrong")).to_have_count(2)
    listening.clock.run_for(4_000)
    assert len(heard(listening)["said"]) == 1, "never more often than every eight seconds"
    listening.clock.run_for(6_000)
    assert len(heard(listening)["said"]) == 2


def test_the_screen_stays_awake(listening: Page) -> None:
    listening.wait_for_selector('body[data-awake="screen"]')


def test_the_page_can_be_installed(tablet: Page) -> None:
    tablet.evaluate("navigator.serviceWorker.ready")
    session = tablet.context.new_cdp_session(tablet)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}, "which every window of a test is"


def test_a_decision_about_a_finding_can_be_taken_back(tablet: Page, house: House) -> None:
    steal(house.robot, white=40)
    expect(tablet.locator(".rule-words")).to_contain_text("Every piece is in exactly one place")
    expect(tablet.locator(".rule-words cite")).to_have_text("Rulebook: Components")
    tablet.click(".finding >> text=It is meant so")
    expect(tablet.locator(".finding.settled")).to_contain_text("meant so")
    tablet.click(".finding.settled >> text=Undo")
    expect(tablet.locator("#alarm")).to_be_visible()
    expect(tablet.locator(".finding.settled")).to_have_count(0)
