"""Hands made up for training: digits stay what they are, and no held-out hand is ever learnt from."""

import numpy as np
import pytest

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
