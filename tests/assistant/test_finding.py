"""The board of a camera is found by corners that the player gives."""

import numpy as np
import pytest

from assistant.finding import CornersError, by_corners, parse_corners
from tests.assistant.table import yu
from vision.frame import Frame

CORNERS = "200,300 1700,310 1800,1000 100,990"


def test_corners_are_four_points() -> None:
    assert parse_corners(CORNERS)[2] == (1800.0, 1000.0)


@pytest.mark.parametrize("text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "a,b c,d e,f g,h"])
def test_other_corners_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(CornersError, match="four corners"):
        parse_corners(text)


def test_the_board_lies_where_its_corners_are() -> None:
    find = by_corners(yu(), parse_corners(CORNERS))
    found = find(Frame(index=0, captured_at=0.0, image=np.zeros((1080, 1920, 3), np.uint8)), None)
    assert found.pose is not None
    board = yu().layout.board
    assert np.allclose(found.pose.project([(board.x0, board.y0)])[0], (200, 300), atol=0.5)
