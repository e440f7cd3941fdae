"""axe-core finds nothing serious on any view, light or dark, large or small."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import House, Opener
from vision.table import PieceKind, ZoneId, ZoneView, counted

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("(tags) => axe.run({runOnly: {type: 'tag', values: tags}})", RULES)
    return [
        f"{problem['impact']} {problem['id']}: {node['target']} {node['failureSummary']}"
        for problem in found["violations"]
        for node in problem["nodes"]
        if problem["impact"] in ("serious", "critical", "moderate")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_no_view_has_a_serious_problem(
    open_tablet: Opener, house: House, scheme: str, size: tuple[int, int]
) -> None:
    page = open_tablet(
        color_scheme=scheme, reduced_motion="reduce", viewport={"width": size[0], "height": size[1]}
    )
    page.wait_for_selector("body[data-number]")
    assert violations(page) == []
    house.robot.correct(ZoneView(zone=ZoneId("supply"), pieces=counted({PieceKind("white"): 40})))
    page.wait_for_selector("#alarm:not([hidden])")
    page.locator('[data-zone="row-3"] .touch').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet:not([hidden])")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.click("#tab-log")
    assert violations(page) == []


def test_the_pairing_form_has_no_serious_problem(
    open_tablet: Opener, house: House, complaints: list[str]
) -> None:
    page = open_tablet(f"http://localhost:{house.port}/")
    page.wait_for_selector("#pair:not([hidden])")
    assert violations(page) == []
    complaints.clear()  # the browser logs that a stranger was refused
