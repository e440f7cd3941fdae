"""The views beside the table in a real browser: camera, hints, the way back, games, cards, set-up."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from assistant.advise.reviewer import Reviewed, Reviewer
from assistant.enrolling import CardsShown
from assistant.games.yu import KIT
from assistant.record.store import Store
from tests.assistant.web.furniture import GreedyAdviser, own_pack, photograph, recorded_store
from tests.assistant.web.sights import VirtualCamera
from tests.browser.conftest import SLOW_MS, House, Opener
from tests.browser.test_accessible import violations
from vision.cards import CardId
from vision.pack import load_pack
from vision.pushed import PushedSource
from vision.table import ZoneId

pytestmark = pytest.mark.browser

UNREAD = "weaver-wood-yellow"
PNG = "image/png"
SEVERAL_PICTURES = re.compile(r"^([3-9]|\d\d+)$")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with recorded_store(tmp_path_factory.mktemp("records"), 3) as store:
        yield store


@pytest.fixture
def furnished(house: House, records: Store, tmp_path: Path) -> House:
    """The same house with everything in it."""
    own_pack(tmp_path / "mine", unread=UNREAD)
    house.close()
    house.around = {
        "adviser": GreedyAdviser(house.robot),
        "records": records,
        "phone": PushedSource(),
        "own_pack": tmp_path / "mine",
        "enrolment": CardsShown(KIT, tmp_path / "mine"),
    }
    house.open()
    return house


@pytest.fixture
def watched(house: House) -> House:
    """The same house with a camera over a virtual table."""
    house.close()
    house.around = {"camera": VirtualCamera(numbers=True)}
    house.open()
    return house


@pytest.fixture
def visit(open_tablet: Opener, furnished: House) -> Opener:
    """Opens a tablet in the furnished house."""

    return lambda **settings: entered(open_tablet(furnished.address, **settings))


def entered(page: Page) -> Page:
    page.wait_for_selector("body[data-number]")
    return page


def test_only_what_the_server_has_is_on_the_bar(tablet: Page) -> None:
    expect(tablet.locator("[role=tab]")).to_have_text(["Table", "Log", "Cards", "Set-up"])
    expect(tablet.locator("#hints")).to_be_hidden()


def test_tabs_are_walked_with_the_arrow_keys(tablet: Page) -> None:
    tablet.focus("#tab-table")
    tablet.keyboard.press("ArrowRight")
    expect(tablet.locator("#log-view")).to_be_visible()
    expect(tablet.locator("#tab-log")).to_be_focused()
    tablet.keyboard.press("ArrowLeft")
    expect(tablet.locator("#table-view")).to_be_visible()


def test_the_camera_is_live_while_its_tab_is_open_and_only_then(open_tablet: Opener, watched: House) -> None:
    page = entered(open_tablet(watched.address))
    page.click("#tab-camera")
    expect(page.locator("#camera-view")).to_have_attribute("data-number", SEVERAL_PICTURES, timeout=30_000)
    expect(page.locator(".seen-zone.unreadable")).to_have_count(1)
    expect(page.locator(".sentences")).to_contain_text("Row space 5: light glares on it")
    expect(page.locator(".meters")).to_contain_text("good")
    assert page.evaluate(
        "document.querySelector('.camera-picture').getContext('2d').getImageData(9, 9, 1, 1).data[3]"
    )
    page.click('[data-layer="zones"]')
    expect(page.locator(".seen-zone")).to_have_count(0)
    page.click("#tab-table")
    camera = watched.around["camera"]
    for _ in range(60):  # a busy machine may have a look or two on its way
        looks = camera.looks
        page.wait_for_timeout(500)
        if camera.looks == looks:
            break
    assert camera.looks == looks


def test_the_sheet_of_a_place_shows_what_the_camera_sees(open_tablet: Opener, watched: House) -> None:
    page = entered(open_tablet(watched.address))
    page.click('[data-zone="row-3"]')
    expect(page.locator(".crop")).to_be_visible()
    assert page.evaluate("document.querySelector('.crop canvas').width") > 50


def test_hints_are_off_until_asked_for_and_never_say_more(visit: Opener, furnished: House) -> None:
    game, robot = furnished.robot.game, furnished.robot
    while len(game.legal_actions(game.decode(robot.snapshot().state))) < 3:
        robot.skip(1)
    page = visit()
    expect(page.locator('[data-strength="off"]')).to_have_attribute("aria-checked", "true")
    expect(page.locator("#hint")).to_be_empty()
    assert furnished.around["adviser"].asked == []
    page.click('[data-strength="nudge"]')
    expect(page.locator(".nudge")).to_be_visible()
    expect(page.locator(".hint-move, .plan, .win")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".plan")).to_be_visible()
    expect(page.locator(".hint-move, .win")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".hint-move.best")).to_be_visible()
    expect(page.locator(".win")).to_contain_text("44 %")
    expect(page.locator(".runners li")).to_have_count(2)
    page.reload()
    expect(page.locator(".hint-move.best")).to_be_visible()


def test_the_past_is_scrubbed_and_the_game_taken_back_to_it(tablet: Page, house: House) -> None:
    tablet.click("#tab-log")
    tablet.wait_for_selector('#log-view[data-move="50"]')
    tablet.locator(".scrub").focus()
    tablet.keyboard.press("ArrowLeft")
    tablet.wait_for_selector('#log-view[data-move="49"][data-past="true"]')
    tablet.click('[data-move="20"]')
    tablet.wait_for_selector('#log-view[data-move="20"]')
    expect(tablet.locator(".replay-where")).to_contain_text("After move 20")
    row = house.robot.game.view(house.robot.state_after(20))[ZoneId("hand")].cards
    expect(tablet.locator('#past-table [data-zone="hand"] .card')).to_have_count(len(row))
    house.robot.skip(1)
    tablet.wait_for_selector('[data-move="51"]')
    expect(tablet.locator("#log-view")).to_have_attribute("data-move", "20")
    tablet.click("text=Take back to here")
    tablet.wait_for_selector('#log-view[data-past="false"][data-move="20"]')
    assert len(house.robot.snapshot().log) == 20


def test_an_earlier_move_is_put_right_by_tapping_its_table(tablet: Page, house: House) -> None:
    moves = len(house.robot.snapshot().log)
    tablet.click("#tab-log")
    tablet.wait_for_selector("#log-view[data-move]")
    tablet.click('[data-move="30"]')
    tablet.wait_for_selector('#log-view[data-move="30"]')
    tablet.click('#past-table [data-zone="exhausted"]')
    tablet.click("#sheet >> text=a card, unknown which")
    expect(tablet.locator("#sheet")).to_be_hidden()
    tablet.wait_for_selector('#log-view[data-move="31"][data-past="true"]')
    assert house.robot.snapshot().log[30].words.key == "web.log.told"
    assert len(house.robot.snapshot().log) > 31, "later moves stand"
    expect(tablet.locator(".log li")).to_have_count(len(house.robot.snapshot().log))
    assert moves == 50


def test_a_move_that_was_another_one_is_chosen_from_what_it_could_have_been(
    tablet: Page, house: House
) -> None:
    tablet.click("#tab-log")
    tablet.wait_for_selector("#log-view[data-move]")
    tablet.click('[data-move="2"]')
    tablet.wait_for_selector('#log-view[data-move="2"]')
    tablet.click("#another-move")
    assert violations(tablet) == []
    other = tablet.locator(".other >> nth=0")
    notation = other.get_attribute("data-notation")
    other.click()
    expect(tablet.locator("#sheet")).to_be_hidden()
    expect(tablet.locator('.log-line[data-move="2"]')).to_have_attribute("title", str(notation))
    assert house.robot.snapshot().log[1].notation == notation
    tablet.click("#another-move")
    expect(tablet.locator("#sheet")).to_be_visible()
    tablet.keyboard.press("Escape")
    expect(tablet.locator("#another-move")).to_be_focused()


def test_games_are_listed_summed_up_and_kept_as_files(visit: Opener) -> None:
    page = visit()
    page.click("#tab-games")
    expect(page.locator(".game")).to_have_count(3)
    expect(page.locator(".tile .plot")).to_have_count(2)
    with page.expect_download() as download:
        page.click(".game >> nth=0 >> text=table")
    assert download.value.suggested_filename == "floodwatch-game-3.csv"


def test_what_cost_most_is_told_below_the_game(open_tablet: Opener, house: House, tmp_path: Path) -> None:
    found = Reviewed(number=30, round=2, played=("end",), better=("trade 2",), win_played=0.4, win_better=0.7)
    script = f"import sys; sys.stdin.read(); print({json.dumps([asdict(found)])!r})"
    with (
        recorded_store(tmp_path, 1) as store,
        closing(Reviewer(command=(sys.executable, "-c", script))) as one,
    ):
        house.close()
        house.around = {"records": store, "reviewer": one}
        house.open()
        page = entered(open_tablet(house.address))
        page.click("#tab-games")
        page.click("text=What cost most?")
        expect(page.locator(".costly-list li")).to_have_count(1, timeout=SLOW_MS)
        expect(page.locator(".costly-list")).to_contain_text("Round 2, step 31")
        page.context.close()  # before the server: a page that lost it complains
        house.close()


def test_a_game_is_kept_as_a_film(open_tablet: Opener, house: House, tmp_path: Path) -> None:
    with recorded_store(tmp_path, 1, moves=6) as store:
        house.close()
        house.around = {"records": store}
        house.open()
        page = entered(open_tablet(house.address))
        page.click("#tab-games")
        with page.expect_download(timeout=2 * SLOW_MS) as download:
            page.click(".game >> text=film")
        expect(page.locator("#toast")).to_contain_text("film")
        assert download.value.suggested_filename == "floodwatch-game-1.mp4"
        assert download.value.path().read_bytes()[4:8] == b"ftyp", "what every film of this kind begins with"
        page.context.close()  # before the server: a page that lost it complains
        house.close()


def test_a_campaign_is_begun_and_noted_on_the_page(visit: Opener) -> None:
    page = visit()
    page.click("#tab-games")
    page.click("text=Begin a campaign")
    expect(page.locator(".bead")).to_have_count(14)
    page.fill("#note-entry", "12")
    page.fill("#note-words", "<b>the well</b>")
    page.click(".note-form button")
    expect(page.locator(".notes li")).to_contain_text("<b>the well</b>")
    page.click("text=Count game 3")
    expect(page.locator(".bead.good, .bead.bad")).to_have_count(1)


def test_a_fact_is_confirmed_by_tapping_items(visit: Opener, tmp_path: Path) -> None:
    page = visit()
    page.click("#tab-cards")
    expect(page.locator(".pack-note")).to_contain_text("1 with gaps")
    page.click(f'[data-card="{UNREAD}"]')
    expect(page.locator("#sheet")).to_contain_text("not read yet")
    page.click(".fact:has-text('red field') summary")
    page.click(".fact:has-text('red field') [aria-label='Add: Yellow Worker']")
    page.click("#confirm-card")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(f'.cell:has([data-card="{UNREAD}"])')).to_contain_text("confirmed")
    kept = load_pack(tmp_path / "mine", KIT.pack_rules)[CardId(UNREAD)]
    assert [item.kind for item in kept.items("red") or ()] == ["yellow"]


def test_a_card_is_taken_in_by_a_photograph_and_confirmed(
    visit: Opener, tmp_path: Path, complaints: list[str]
) -> None:
    page = visit()
    page.click("#tab-cards")
    page.click("#enrol")
    page.set_input_files("#enrol-file", FilePayload(name="0.png", mimeType=PNG, buffer=photograph(None)))
    expect(page.locator("#sheet .problem")).to_contain_text("No card is seen")
    page.set_input_files("#enrol-file", FilePayload(name="1.png", mimeType=PNG, buffer=photograph(UNREAD)))
    expect(page.locator("#sheet-title")).to_have_text("Weaver (wood · yellow)")
    expect(page.locator(".fact:has-text('red field')")).to_contain_text("read by the camera")
    expect(page.locator(".enrol-photo")).to_be_visible()
    assert violations(page) == []
    page.click("#enrol-take")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(f'.cell:has([data-card="{UNREAD}"])')).to_contain_text("confirmed")
    expect(page.locator(f'.cell:has([data-card="{UNREAD}"]) .enrolled')).to_be_visible()
    kept = load_pack(tmp_path / "mine", KIT.pack_rules)[CardId(UNREAD)]
    assert [item.kind for item in kept.items("red") or ()] == ["yellow"]
    assert (tmp_path / "mine" / f"{UNREAD}.png").stat().st_size > 10_000
    complaints.clear()  # the browser logs that the empty picture was refused


def test_the_set_up_is_shown_item_by_item(tablet: Page) -> None:
    tablet.click("#tab-setup")
    expect(tablet.locator(".setup-item")).to_have_count(11)
    expect(tablet.locator(".setup-summary")).to_have_text("The game has begun.")
    expect(tablet.locator(".setup-item >> nth=2 >> .card")).to_have_count(6)


def test_a_phone_sends_its_picture(browser: Browser, furnished: House) -> None:
    context = browser.new_context(permissions=["camera"], locale="en-GB")
    page = context.new_page()
    page.goto(f"http://localhost:{furnished.port}/camera#code={furnished.pairing.code}")
    page.click("#start")
    expect(page.locator("body")).to_have_attribute("data-sent", re.compile(r"[2-9]|\d\d+"))
    page.click("#stop")
    context.close()
    frame = furnished.around["phone"].read()
    assert frame is not None
    assert frame.image.shape[0] > 100


def test_a_phones_start_waits_until_a_tap_is_heard(browser: Browser, furnished: House) -> None:
    context = browser.new_context(permissions=["camera"], locale="en-GB")
    page = context.new_page()
    held: list[Route] = []
    page.route("**/api/pair?*", lambda route: held.append(route))
    with page.expect_request("**/api/pair?*"):
        page.goto(f"http://localhost:{furnished.port}/camera#code={furnished.pairing.code}")
    expect(page.locator("#start")).to_have_text("Start")
    expect(page.locator("#start")).to_be_disabled()
    held[0].continue_()
    expect(page.locator("#start")).to_be_enabled()
    context.close()


SMALL = {"locale": "fr-FR", "viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}


@pytest.mark.parametrize("name", ["log", "games", "cards", "setup"])
def test_every_view_speaks_french_fits_a_phone_and_is_accessible(visit: Opener, name: str) -> None:
    check_view(visit(**SMALL, color_scheme="dark" if name == "games" else "light"), name)


def test_the_cameras_view_is_accessible_too(open_tablet: Opener, watched: House) -> None:
    check_view(entered(open_tablet(watched.address, **SMALL, color_scheme="dark")), "camera")


def check_view(page: Page, name: str) -> None:
    page.click(f"#tab-{name}")
    page.wait_for_selector(f"#{name}-view > *")
    expect(page.locator(f"#tab-{name}")).to_have_text(re.compile("Caméra|Journal|Parties|Cartes|Départ"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    assert violations(page) == []
