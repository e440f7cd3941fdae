"""Setting up a table with a finger: the board's corners are dragged, spots of the board are confirmed."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, expect

from assistant.discover import default_game, kit_named
from assistant.setup import Setup
from assistant.web.door import Pairing
from assistant.web.serve import Server, free_socket
from assistant.web.wizard import create_wizard_app
from calibration.steps import ChooseCamera, Next, Step
from calibration.tables import Tables
from tests.browser.conftest import PORTS_FROM, SECRET
from tests.calibration.virtual import empty_shot


@pytest.fixture
def setup(tmp_path: Path) -> Iterator[Setup]:
    """At the step where the board is looked for, with a table that has no markers."""
    camera = tmp_path / "camera.png"
    cv2.imwrite(str(camera), empty_shot(markers=False).image)
    made = Setup(kit_named(default_game()), Tables(tmp_path / "tables"), "kitchen")
    made.tell(ChooseCamera(source=str(camera)))
    made.look()
    for _ in range(2):
        made.tell(Next(anyway=True))
    assert made.state.step is Step.BOARD
    yield made
    made.close()


def test_four_crosses_are_dragged_onto_the_boards_corners(browser: Browser, setup: Setup) -> None:
    pairing = Pairing(SECRET)
    app = create_wizard_app(setup, pairing=pairing, hosts=("localhost", "127.0.0.1"))
    with free_socket(PORTS_FROM, lan=False) as (listener, port), Server(app, listener):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"http://localhost:{port}/#code={pairing.code}&language=en")
        page.get_by_role("button", name="Give its corners").click()
        first = page.locator(".handle").first
        first.focus()
        for _ in range(2):
            with page.expect_response(lambda answer: "/api/setup?" in answer.url):
                pass
        expect(first).to_be_focused()  # a new picture takes nothing out of anybody's hands
        wide = page.locator("#marks").get_attribute("viewBox")
        page.set_viewport_size({"width": 900, "height": 800})
        expect(page.locator("#marks")).not_to_have_attribute("viewBox", str(wide))
        expect(first).to_be_focused()  # nor does a page of another size, for which the crosses are drawn anew
        picture = page.locator("#picture").bounding_box()
        assert picture is not None
        height, width = empty_shot(markers=False).image.shape[:2]
        for number, (x, y) in enumerate(empty_shot(markers=False).board):
            grip = page.locator(".handle .grip").nth(number).bounding_box()
            assert grip is not None
            page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
            page.mouse.down()
            to_x = picture["x"] + picture["width"] * (x + 0.5) / width
            to_y = picture["y"] + picture["height"] * (y + 0.5) / height
            page.mouse.move(to_x, to_y, steps=3)
            expect(page.locator("#loupe")).to_be_visible()
            page.mouse.up()
            expect(page.locator("#loupe")).to_be_hidden()
        page.get_by_role("button", name="These are its corners").click()
        expect(page.locator("#sentence")).to_contain_text("The board is found")
        page.close()
    corners = setup.state.profile.corners
    assert corners is not None
    for found, true in zip(corners, empty_shot(markers=False).board, strict=True):
        assert found == pytest.approx(true, abs=4)
