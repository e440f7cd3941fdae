"""The tablet's page in a real browser: it shows the game, and mends it with two taps."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant.kit import Message
from assistant.robot import Robot
from assistant.session import Session
from assistant.shared import SharedSession
from assistant.snapshot import FindingFate
from tests.assistant.table import Table
from tests.assistant.test_demo import demo, shown
from tests.browser.conftest import SLOW_MS, House, Opener
from vision.table import PieceKind, ZoneId, ZoneView, counted

pytestmark = pytest.mark.browser

LARGEST_PAGE = 250_000
SOON_MS = 700
BUSY_MS = 150
FINGER = 48


def zone(page: Page, name: str) -> object:
    return page.locator(f'[data-zone="{name}"]')


def steal(robot: Robot) -> None:
    """More Workers than the box holds: a broken rule."""
    robot.correct(ZoneView(zone=ZoneId("supply"), pieces=counted({PieceKind("white"): 40})))


def test_the_page_shows_the_game(tablet: Page, house: House) -> None:
    snapshot = house.robot.snapshot()
    (flood,) = [gauge for gauge in snapshot.gauges if gauge.name == "flood"]
    expect(tablet.locator("#hero-left")).to_have_text(str(flood.values["cards_left"]))
    expect(tablet.locator("#round")).to_have_text(f"Round {snapshot.round}")
    expect(tablet.locator("#supply .stock")).to_have_count(9)
    for number in range(1, 8):
        cards = snapshot.view[ZoneId(f"row-{number}")].cards
        expect(tablet.locator(f'[data-zone="row-{number}"] .card')).to_have_count(len(cards))
    expect(tablet.locator("#live")).to_contain_text("live")


def test_the_code_leaves_the_address_once_it_was_used(tablet: Page) -> None:
    assert "code" not in tablet.url


def test_a_game_is_followed_from_its_start_to_its_end(open_tablet: Opener, house: House) -> None:
    house.close()
    house.robot = Robot(house.robot.kit, seed=3, pace=0.0, clock=lambda: 0.0)
    house.open()
    page = open_tablet()
    expect(page.locator("#round")).to_have_text("Round 0")
    house.robot.start()
    expect(page.locator("#verdict")).to_have_text(re.compile("Won|Lost"), timeout=4 * SLOW_MS)
    outcome = house.robot.snapshot().outcome
    assert outcome is not None
    expect(page.locator("#verdict")).to_have_text("Won" if outcome.won else "Lost")
    page.click("#tab-log")
    expect(page.locator(".log li")).to_have_count(len(house.robot.snapshot().log))


def test_the_demo_is_the_real_program_from_its_first_picture_on(browser: Browser, tmp_path: Path) -> None:
    """`floodwatch demo` as a program of its own: a virtual camera, the real eye, and a robot's hands."""
    complaints: list[str] = []
    with demo(tmp_path, "--port", "18720", "--mistakes", "0") as process:
        (address,) = shown(process, r"(http://localhost:\d+/#code=[0-9A-Z]{10})").groups()
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        context.set_default_timeout(4 * SLOW_MS)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        expect(page.locator("#round")).to_have_text("Round 1", timeout=4 * SLOW_MS)
        expect(page.locator("#live")).to_contain_text("f/s")
        page.click("#tab-camera")
        page.wait_for_selector("#camera-view[data-number]")
        expect(page.locator(".seen-zone").first).to_be_attached()
        assert complaints == []
        context.close()


def test_a_stranger_is_asked_for_the_code(open_tablet: Opener, house: House, complaints: list[str]) -> None:
    page = open_tablet(f"http://localhost:{house.port}/")
    page.fill("#pair-code", "WRONG")
    page.click("#pair-form button")
    expect(page.locator("#pair-problem")).to_contain_text("not the code")
    page.fill("#pair-code", house.pairing.code.lower())
    page.click("#pair-form button")
    expect(page.locator("#hero-left")).to_be_visible()
    complaints.clear()  # the browser logs the refused code


def test_a_misread_card_is_mended_with_two_taps(tablet: Page, house: House) -> None:
    lying = {card.card for view in house.robot.snapshot().view.zones for card in view.cards}
    townsfolk = house.robot.game.layout.zone(ZoneId("row-1")).cards[0]
    right = next(card.id for card in house.robot.game.pack.of_kind(townsfolk) if card.id not in lying)
    tablet.click('[data-zone="row-1"]')
    tablet.click(f'#sheet [data-card="{right}"]')
    expect(tablet.locator("#sheet")).to_be_hidden()
    expect(tablet.locator('[data-zone="row-1"]')).to_have_class(re.compile("is-told"))
    assert [card.card for card in house.robot.snapshot().view[ZoneId("row-1")].cards] == [right]


def test_the_supply_is_counted_again_by_tapping(tablet: Page, house: House) -> None:
    before = house.robot.snapshot().view[ZoneId("supply")].pieces
    whites = next((piece.count for piece in before if piece.kind == "white"), 0)
    tablet.click("#supply .stock-button >> nth=0")
    tablet.click('#sheet button[aria-label="more: White Worker"]')
    tablet.click("#sheet .strong")
    expect(tablet.locator("#supply .number >> nth=0")).to_have_text(str(whites + 1))


def test_a_broken_rule_takes_the_width_of_the_page_until_it_is_accepted(tablet: Page, house: House) -> None:
    expect(tablet.locator("#alarm")).to_be_hidden()
    steal(house.robot)
    expect(tablet.locator("#alarm")).to_be_visible()
    expect(tablet.locator("#verdict")).to_have_text("Wrong")
    tablet.click(".finding >> text=It is meant so")
    expect(tablet.locator("#alarm")).to_be_hidden()
    expect(tablet.locator(".finding.settled")).to_contain_text("meant so")
    assert house.robot.snapshot().findings[0].fate is FindingFate.ACCEPTED


def test_a_move_that_breaks_a_rule_is_not_ticked_off(open_tablet: Opener, house: House) -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.wait()
    slip = next(slip for slip in table.game.watch.mistakes(table.state) if slip.rule == "Y-A10")
    table.wait(table.game.view(slip.state))
    assert table.recorded()[-2:] == ["recruit 1", "! Y-A10"]
    house.close()
    house.watched = SharedSession(house.robot.kit, table.session)
    house.open()
    page = open_tablet()
    expect(page.locator("#doing")).to_contain_text("✕")
    page.click("#tab-log")
    expect(page.locator(".log .log-number >> nth=0")).to_contain_text("✕")
    expect(page.locator(".log .log-number >> nth=1")).not_to_contain_text("✕")


def test_the_language_is_switched_everywhere_and_remembered(tablet: Page, house: House) -> None:
    steal(house.robot)
    expect(tablet.locator("#verdict")).to_have_text("Wrong")
    tablet.click("#language")
    expect(tablet.locator("#verdict")).to_have_text("Erreur")
    expect(tablet.locator("#tab-log")).to_have_text("Journal")
    expect(tablet.locator(".finding")).to_contain_text("enfreint une règle")
    expect(tablet.locator("html")).to_have_attribute("lang", "fr")
    tablet.reload()
    expect(tablet.locator("#verdict")).to_have_text("Erreur")


def test_two_tablets_see_the_same_game(open_tablet: Opener, house: House) -> None:
    first, second = open_tablet(), open_tablet(locale="fr-FR", viewport={"width": 390, "height": 844})
    for page in (first, second):
        page.wait_for_selector("body[data-number]")
    house.robot.skip(1)
    for page in (first, second):
        page.wait_for_selector(f'body[data-number="{house.robot.snapshot().number}"]')
    expect(second.locator("#tab-log")).to_have_text("Journal")


def test_the_page_comes_back_by_itself_after_the_server_was_away(
    tablet: Page, house: House, complaints: list[str]
) -> None:
    house.close()
    expect(tablet.locator("#cut")).to_be_visible()
    expect(tablet.locator("#live")).to_have_text("not connected")
    house.robot.skip(2)
    house.open()
    tablet.wait_for_selector(f'body[data-line="live"][data-number="{house.robot.snapshot().number}"]')
    expect(tablet.locator("#cut")).to_be_hidden()
    complaints.clear()  # the browser logs each vain attempt


def test_a_new_game_after_a_restart_is_shown_although_it_counts_from_the_beginning(
    tablet: Page, house: House, complaints: list[str]
) -> None:
    house.close()
    house.robot.stop()
    expect(tablet.locator("#cut")).to_be_visible()
    house.robot = Robot(house.robot.kit, seed=4, pace=0.0, clock=lambda: 0.0)
    house.open()
    tablet.wait_for_selector(f'body[data-line="live"][data-number="{house.robot.snapshot().number}"]')
    expect(tablet.locator("#round")).to_have_text("Round 0")
    complaints.clear()  # the browser logs each vain attempt


def test_a_reload_without_a_server_shows_the_last_that_was_known(
    tablet: Page, house: House, complaints: list[str]
) -> None:
    shown = tablet.locator("#hero-sentence").inner_text()
    tablet.evaluate("navigator.serviceWorker.ready")
    while not tablet.evaluate("JSON.parse(localStorage.getItem('floodwatch')).snapshot?.number"):
        tablet.wait_for_timeout(50)
    house.close()
    tablet.reload()
    expect(tablet.locator("#hero-sentence")).to_have_text(shown)
    expect(tablet.locator("#cut")).to_be_visible()
    tablet.close()  # or it would go on trying, and complaining, until the end
    complaints.clear()  # the browser logs each vain attempt


def test_the_log_tells_all_moves_and_undo_takes_one_back(tablet: Page, house: House) -> None:
    tablet.click("#tab-log")
    moves = len(house.robot.snapshot().log)
    expect(tablet.locator(".log li")).to_have_count(moves)
    tablet.click("#undo")
    expect(tablet.locator(".log li")).to_have_count(moves - 1)
    house.robot.skip(2)
    expect(tablet.locator(".log li")).to_have_count(moves + 1)


def test_everything_can_be_reached_by_keyboard(tablet: Page) -> None:
    tablet.locator('[data-zone="row-1"] .touch').focus()
    tablet.keyboard.press("ArrowRight")
    assert focused(tablet) == "row-2"
    tablet.keyboard.press("Enter")
    expect(tablet.locator("#sheet-title")).to_have_text("Row space 2")
    tablet.keyboard.press("Escape")
    expect(tablet.locator("#sheet")).to_be_hidden()
    assert focused(tablet) == "row-2"


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.closest('[data-zone]')?.dataset.zone"))


def test_nothing_moves_for_those_who_ask_for_less(open_tablet: Opener, house: House) -> None:
    page = open_tablet(reduced_motion="reduce")
    page.wait_for_selector("body[data-number]")
    steal(house.robot)
    house.robot.skip(3)
    page.wait_for_selector(f'body[data-number="{house.robot.snapshot().number}"]')
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (820, 1180), (1280, 800), (844, 390)])
def test_the_page_fits_every_screen(open_tablet: Opener, width: int, height: int) -> None:
    page = open_tablet(viewport={"width": width, "height": height}, has_touch=True)
    page.wait_for_selector("body[data-number]")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll("button")].filter((button) => button.offsetParent)
             .map((button) => [button.textContent, button.getBoundingClientRect()])
             .filter(([, box]) => box.width < 48 || box.height < 48).map(([text]) => text)"""
    )
    assert small == [], f"smaller than a finger ({FINGER} px)"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (600, 960), (820, 1180), (1024, 1366)])
def test_nothing_of_the_gauge_is_cut_off_on_a_tablet_held_upright(
    open_tablet: Opener, width: int, height: int
) -> None:
    """Before a tab was tapped it was drawn as small as beside other views, without its sentence."""
    page = open_tablet(viewport={"width": width, "height": height}, has_touch=True)
    page.wait_for_selector("body[data-number]")
    page.add_style_tag(url="/static/views.css")  # as hints and the camera bring it along
    expect(page.locator("#hero-sentence")).to_be_visible()
    for tab in ("log", "table"):
        page.click(f"#tab-{tab}")
        page.wait_for_selector(f"#{tab}-view > *")
        hero, seal = (page.locator(name).bounding_box() for name in ("#hero", "#hero .seal"))
        assert hero is not None
        assert seal is not None
        assert seal["y"] + seal["height"] <= hero["y"] + hero["height"]


def test_a_finding_is_shown_whole_on_a_tablet_held_upright(open_tablet: Opener, house: House) -> None:
    """The page scrolls there: a list that scrolls by itself hid what to do, and half of the sentence."""
    page = open_tablet(viewport={"width": 820, "height": 1180}, has_touch=True)
    steal(house.robot)
    house.robot.skip(3)
    page.wait_for_selector(".finding")
    assert (
        page.evaluate("(list => list.scrollHeight - list.clientHeight)(document.querySelector('.findings'))")
        <= 0
    )


def test_the_page_is_small_and_quick(open_tablet: Opener, house: House) -> None:
    page = open_tablet("about:blank")
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())) if answer.status == 200 else None)
    page.goto(house.address)
    page.wait_for_selector("body[data-number]")
    assert sum(sizes) < LARGEST_PAGE
    if first_paint(page, "data:text/html,x") > BUSY_MS:
        return  # on a machine that needs so long for one letter a time says nothing
    page.goto(house.address)
    assert min(first_paint(page) for _ in range(4)) < SOON_MS


def first_paint(page: Page, address: str | None = None) -> float:
    if address is None:
        page.reload()
    else:
        page.goto(address)
    while not page.evaluate("performance.getEntriesByName('first-contentful-paint').length"):
        page.wait_for_timeout(20)
    return float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))


def test_a_game_that_cannot_be_saved_says_so_on_every_page_until_it_can(
    open_tablet: Opener, house: House
) -> None:
    kit = house.robot.kit
    session = Session(kit.bind(kit.demo_pack()), kit.name)
    trouble: list[Message | None] = [Message.of("record.trouble.full")]
    shared = SharedSession(kit, session, after=lambda: session.show_trouble(trouble[0]))
    house.close()
    house.watched = shared
    house.open()
    page = open_tablet()
    notice = page.locator("#cut")
    expect(notice).to_be_hidden()
    shared.wait(1.0)
    expect(notice).to_contain_text("The disk is full")
    page.click("#tab-log")
    expect(notice).to_be_visible()
    trouble[0] = None
    shared.wait(2.0)
    expect(notice).to_be_hidden()
