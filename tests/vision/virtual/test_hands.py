"""Hands made up for training: digits stay what they are, and no held-out hand is ever learnt from."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.fonts import strokes_of
from models.hands import MadeUpHand, any_pen
from vision.virtual.digits import BODY_HEIGHT, BODY_WIDTH, DESIGNS, HANDS, number_shapes, written
from vision.virtual.drawing import Drawing, rasterise

DIGITS = "0123456789"


def hands(count: int) -> list[MadeUpHand]:
    rng = np.random.default_rng(5)
    return [MadeUpHand.sample(rng) for _ in range(count)]


def test_digits_of_made_up_hands_stay_about_in_their_box() -> None:
    for hand in hands(40):
        for digit in DIGITS:
            every = np.vstack([line for line, _ in hand(digit)])
            assert np.isfinite(every).all()
            assert every.min() > -3, digit
            assert (every.max(axis=0) < (BODY_WIDTH + 4, BODY_HEIGHT + 3)).all(), digit
            assert np.ptp(every[:, 1]) > 0.6 * BODY_HEIGHT, digit


def test_a_made_up_hand_writes_a_sign_alike_each_time() -> None:
    hand = hands(1)[0]
    for (one, _), (other, _) in zip(hand("8"), hand("8"), strict=True):
        assert np.array_equal(one, other)


def test_two_made_up_hands_write_differently() -> None:
    rng = np.random.default_rng(6)
    pen = any_pen(rng)
    one, other = (
        rasterise(
            Drawing(
                64,
                64,
                number_shapes(
                    "158",
                    centre=(32, 32),
                    height=30,
                    colour=(255, 255, 255),
                    style=pen,
                    max_width=44,
                    hand=hand,
                ),
            ),
            64,
        )[..., 3].astype(int)
        for hand in hands(2)
    )
    assert one.sum() > 20_000
    assert np.abs(one - other).sum() > 8_000


@pytest.mark.parametrize("design", [-1, HANDS, DESIGNS, DESIGNS + 1])
def test_hands_that_are_held_out_cannot_be_learnt_from(design: int) -> None:
    with pytest.raises(ValueError, match="expected a hand from 0"):
        written("3", design)


def drawn(*lines: tuple[tuple[int, int], ...], closed: bool = False, pen: int = 9) -> NDArray[np.uint8]:
    canvas = np.zeros((120, 100), np.uint8)
    for line in lines:
        cv2.polylines(canvas, [np.array(line)], closed, 255, pen)
    return canvas


def test_the_middle_line_of_a_stroke_is_found_again() -> None:
    ((line, closed),) = strokes_of(drawn(((20, 20), (70, 20), (40, 100))))
    assert not closed
    assert np.ptp(line[:, 1]) == pytest.approx(BODY_HEIGHT, abs=0.1)
    corner = line[line[:, 0].argmax()]
    assert corner[1] < 0.15 * BODY_HEIGHT, "the seven's corner is at its upper right"


def test_a_ring_is_one_closed_line() -> None:
    ((line, closed),) = strokes_of(drawn(((20, 20), (70, 20), (70, 100), (20, 100)), closed=True))
    assert closed
    assert (np.ptp(line, axis=0) > (6, 13)).all()


def test_lines_that_cross_are_parted_where_they_meet() -> None:
    lines = strokes_of(drawn(((60, 20), (60, 100)), ((10, 70), (90, 70))))
    assert len(lines) >= 4
    ends = np.vstack([line[[0, -1]] for line, _ in lines])
    assert (np.hypot(*(ends - (5.5, 8.8)).T) < 1.5).sum() >= 4, "four of them begin or end there"
