"""A game that is met in the middle, and the next one: both are begun on the page's set-up view."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assistant.games.yu import KIT
from assistant.keep import RecordedTable
from assistant.record.store import open_store
from tests.assistant.observations import Eye
from tests.assistant.table import SCRIPT, Table, yu
from tests.browser.conftest import House
from vision.table import ZoneId

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path, house: House) -> Iterator[RecordedTable]:
    """A watched table in place of the robot's, with a game on it that nobody saw the beginning of."""
    house.close()
    with open_store(tmp_path) as store:
        watched = RecordedTable(store, KIT, yu(), "kitchen", {})
        script = Table()
        script.do(*SCRIPT[:25])
        eye = Eye(layout=yu().layout, pack=yu().pack, heights=False)
        watched.shared.observe(eye.look(yu().view(script.state), 1, 1.0))
        house.watched, house.around = watched.shared, {"table": watched}
        house.open()
        yield watched
        house.close()
        watched.close()


def test_a_game_under_way_is_begun_in_its_round_and_another_one_after_it(
    table: RecordedTable, tablet: Page
) -> None:
    tablet.click("#tab-setup")
    expect(tablet.locator("#begin-here")).to_be_visible()
    for control in ("#begin-round", "#begin-here"):
        box = tablet.locator(control).bounding_box()
        assert box is not None
        assert box["height"] >= 48
    tablet.fill("#begin-round", "4")
    tablet.click("#begin-here")
    expect(tablet.locator("#begin-another")).to_be_visible()
    assert table.shared.snapshot().round == 4
    expect(tablet.locator("#begin-sure")).to_be_hidden()
    tablet.click("#begin-another")
    tablet.click("#begin-sure")
    expect(tablet.locator("#begin-here")).to_be_visible()
    assert table.shared.snapshot().round == 0


def test_a_game_that_was_lost_from_sight_goes_on_from_the_table_as_it_lies(
    table: RecordedTable, tablet: Page
) -> None:
    table.shared.resume_here(4)
    later = Table()
    later.do(*SCRIPT[:41])
    eye = Eye(layout=yu().layout, pack=yu().pack, heights=False)
    table.shared.observe(eye.look(yu().view(later.state), 2, 2.0))
    row = yu().view(later.state)[ZoneId("row-4")]
    assert table.shared.snapshot().view[ZoneId("row-4")] != row, "sixteen moves at once explain nothing yet"
    tablet.click("#tab-setup")
    with tablet.expect_response("**/api/game/as-it-lies?*") as answered:
        tablet.click("#as-it-lies")
    assert answered.value.status == 204
    assert table.shared.snapshot().view[ZoneId("row-4")] == row
