"""Numbers cut out of whole tables for training: they show what they say, and no held-out hand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.hands import MadeUpHand
from models.numbers import tables
from models.numbers.data import PLACES, SIGNS
from models.numbers.drawn import drawn, keep, moved
from models.numbers.tables import GAME, InManyHands, eye, renumbered, table_windows
from models.stream import Sample
from vision.cuts import NUMBER_PX
from vision.evidence import number_distributions
from vision.networks import Networks
from vision.virtual.digits import DESIGNS, NumberStyle, number_shapes
from vision.virtual.looks import HELD_OUT

WIDE_PX = NUMBER_PX + 32


@pytest.fixture(autouse=True)
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every machine has the fonts whose middle lines training follows."""
    monkeypatch.setattr(tables, "_OF_FONTS", 0.0)


def test_prints_of_tables_write_in_made_up_hands_and_never_in_one_held_out() -> None:
    styles = [InManyHands.sample(seed, glyph_pool=700) for seed in range(40)]
    numbers = [style.look(symbol).numbers for style in styles for symbol in ("stone", "turtle")]
    assert sum(isinstance(style.hand, MadeUpHand) for style in numbers) > 50
    assert all(style.design < DESIGNS for style in numbers)
    assert styles[0].look("stone") == styles[0].look("stone")


def test_every_print_of_a_table_is_one_of_training() -> None:
    rng = np.random.default_rng(1)
    pack = renumbered(GAME.pack, rng)
    for seed in (0, 7, 8_191, 1_000_000):
        prints = tables.ManyPrints(pack, eye()[1], InManyHands(), seed)
        assert all(prints.print_of(card.id).seed < HELD_OUT for card in (pack.cards[0], pack.cards[-1]))


def test_a_styles_own_hand_writes_instead_of_its_design() -> None:
    hand = MadeUpHand.sample(np.random.default_rng(3))
    plain = NumberStyle()
    for style, given in ((replace(plain, hand=hand), None), (plain, hand)):
        shapes = number_shapes("8", centre=(0, 0), height=14, colour=(0, 0, 0), style=style, hand=given)
        assert len(shapes) == len(hand("8"))
        drawn = number_shapes("8", centre=(0, 0), height=14, colour=(0, 0, 0), style=plain)
        assert not np.array_equal(shapes[0].contours[0], drawn[0].contours[0])


def test_a_window_may_be_moved_to_where_the_stone_stands() -> None:
    many = 400
    image = np.zeros((many, WIDE_PX, WIDE_PX, 3), np.uint8)
    image[:, 48 + 4, 48 - 9] = 255
    wide: Sample = {
        "image": image,
        "signs": np.zeros((many, PLACES), np.int64),
        "off": np.tile(np.array((-9.0, 4.0), np.float32), (many, 1)),
    }
    cuts = moved(np.random.default_rng(2), wide)["image"]
    assert cuts.shape == (many, NUMBER_PX, NUMBER_PX, 3)
    _, y, x, _ = np.nonzero(cuts[..., :1])
    middle = np.hypot(x - 32, y - 32) < 5
    assert 0.2 < middle.mean() < 0.5
    assert np.median(x) < 27  # the others stand where the eye looked


def test_a_part_of_the_pool_is_there_as_a_whole_and_is_learnt_from(tmp_path: Path) -> None:
    groups: list[Sample] = [
        {"image": np.full((3, 4, 4, 3), value, np.uint8), "signs": np.full((3, PLACES), value)}
        for value in (1, 2)
    ]
    keep(tmp_path / "numbers-000.npz", groups)
    assert [path.name for path in tmp_path.iterdir()] == ["numbers-000.npz"]
    learnt = next(drawn(tmp_path, 0))
    assert sorted(learnt["signs"][:, 0].tolist()) == [1, 1, 1, 2, 2, 2]
    assert (learnt["image"][:, 0, 0, 0] == learnt["signs"][:, 0]).all()


def test_parts_that_are_drawn_meanwhile_join_in_the_next_time_round(tmp_path: Path) -> None:
    groups: list[Sample] = [
        {"image": np.zeros((3, 4, 4, 3), np.uint8), "signs": np.full((3, PLACES), value)} for value in (1, 2)
    ]
    keep(tmp_path / "numbers-000.npz", groups[:1])
    learnt = drawn(tmp_path, 0)
    assert next(learnt)["signs"].max() == 1
    keep(tmp_path / "numbers-001.npz", groups[1:])
    assert {int(next(learnt)["signs"].max()) for _ in range(2)} == {1, 2}


def test_windows_of_a_table_show_the_numbers_that_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_WIDE_PX", (2_560, 2_560))
    monkeypatch.setattr(tables, "_MADE_UP", 0.0)
    windows = next(table_windows(*eye(), 3))
    signs = windows["signs"].astype(np.int64)
    assert len(signs) > 30
    assert ((signs >= 0) & (signs < SIGNS)).all()
    spare = (WIDE_PX - NUMBER_PX) // 2
    middle = windows["image"][:, spare:-spare, spare:-spare].astype(np.uint8)
    read = number_distributions(Networks().run("numbers", middle)).argmax(axis=1)
    said = [int("".join(str(sign) for sign in row if sign < 10) or 200) for row in signs.tolist()]
    assert np.mean(read == said) > 0.5
