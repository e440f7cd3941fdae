"""What readers of heaps learn from: grounds of a piece's colour, veins, bricks of a figure's red, glare."""

import random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.closer.points import any_point, between, wrong_of
from models.grounds import draw_pattern, draw_veined, winding_lines
from models.pieces import patches
from models.pieces.grounds import PIXELS_PER_UNIT, alike
from models.pieces.patches import SIDE, Patches, any_light, ground_kind
from models.pieces.prints import WORKERS, lying, of_one_red, varied
from vision.table import PieceKind
from vision.virtual.drawn import load_table_art
from vision.virtual.pieces import Colour, Pose

SHAPES = load_table_art(KIT.folder).shapes
BRICK, FIGURE = PieceKind("clay"), PieceKind("red")


@pytest.mark.parametrize("kind", ["blue", "red", "yellow"])
def test_a_ground_alike_has_the_hue_of_the_piece_whatever_it_had_before(kind: str) -> None:
    rng = random.Random(1)
    colour = np.array(SHAPES[PieceKind(kind)].colour, np.float32)
    hue = cv2.cvtColor(colour[None, None], cv2.COLOR_BGR2HSV)[0, 0, 0]
    for _ in range(8):
        ground = alike(draw_pattern(rng)[:200, :200], SHAPES[PieceKind(kind)].colour, rng)
        mean = (ground.mean(axis=(0, 1)) / 255).astype(np.float32)
        found = cv2.cvtColor(mean[None, None], cv2.COLOR_BGR2HSV)[0, 0, 0]
        assert abs((found - hue + 180) % 360 - 180) < 40


def test_bricks_of_one_red_keep_their_shape_and_nothing_else_changes() -> None:
    run = varied(SHAPES, random.Random(2))
    red = of_one_red(run, random.Random(3))
    assert red[BRICK].colour == pytest.approx(run[FIGURE].colour, abs=0.2)
    assert red[BRICK].silhouette == run[BRICK].silhouette
    assert {kind for kind in run if red[kind] != run[kind]} == {BRICK}


def test_workers_that_lie_seldom_stand() -> None:
    laid = lying(SHAPES)
    assert all(dict(laid[PieceKind(kind)].poses)[Pose.LYING] > 0.8 for kind in WORKERS)
    assert laid[BRICK] == SHAPES[BRICK]


def test_light_may_be_brighter_than_in_the_middle_of_any_table() -> None:
    usual = max(any_light(random.Random(seed)).exposure for seed in range(40))
    assert any_light(random.Random(1), brighter=(2.0, 2.0)).exposure > usual


def test_the_same_seed_draws_the_same_patches_and_names_what_lies_there() -> None:
    grounds = [draw_pattern(random.Random(seed)) for seed in range(2)]
    first, again = (list(Patches(grounds, grounds, SHAPES, 7).draw()) for _ in range(2))
    assert all(
        (one == other).all() and rows == same for (one, rows), (other, same) in zip(first, again, strict=True)
    )
    assert all(picture.shape == (SIDE, SIDE, 3) and rows for picture, rows in first)


def test_grounds_have_the_colour_of_a_piece_that_lies_there_as_often_as_of_one_that_does_not() -> None:
    """Such ground drawn only below the piece spoke for it: Blue and Clay were invented on bare ground."""
    rng, laid = random.Random(5), [BRICK, BRICK, FIGURE]
    found = [ground_kind(laid, rng) in laid for _ in range(400)]
    assert 160 < sum(found) < 240
    assert {ground_kind([], rng) for _ in range(200)} >= {
        BRICK,
        FIGURE,
        PieceKind("blue"),
        PieceKind("white"),
    }


def test_nothing_of_its_kind_lies_on_half_of_the_grounds_in_a_pieces_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds, used = sorted(SHAPES), list[Colour]()

    def noted(ground: NDArray[np.uint8], colour: Colour, _rng: random.Random) -> NDArray[np.uint8]:
        used.append(colour)
        return ground

    for name, stand_in in (
        ("alike", noted),
        ("varied", lambda run, _: run),
        ("of_one_red", lambda run, _: run),
    ):
        monkeypatch.setattr(patches, name, stand_in)
    grounds = [draw_pattern(random.Random(1))]
    drawn = Patches(grounds, grounds, SHAPES, 3)
    owners = []
    for _ in range(12):
        for _, rows in drawn.draw():
            there = {SHAPES[kinds[int(kind)]].colour for kind, *_ in rows}
            owners += [colour in there for colour in used]
            used.clear()
    assert 0.25 < np.mean(owners) < 0.75


def test_veins_wind_and_many_close_to_loops_as_large_as_pieces() -> None:
    least, most = (0.008 * PIXELS_PER_UNIT) ** 2, (0.08 * PIXELS_PER_UNIT) ** 2
    looped = 0
    for seed in range(8):
        lines = winding_lines(np.random.default_rng(seed), random.Random(seed), finest=4.7, widest=5.0)
        found, nested = cv2.findContours(
            (lines > 0.5).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
        )
        holes = [cv2.contourArea(line) for line, of in zip(found, nested[0], strict=True) if of[3] >= 0]
        looped += any(least < area < most for area in holes)
    assert looped >= 6


def test_stone_is_pale_or_deep_and_its_veins_are_paler_or_darker() -> None:
    stones = [draw_veined(random.Random(seed)).mean(axis=2) for seed in range(8)]
    levels = [float(np.median(stone)) for stone in stones]
    assert min(levels) < 90
    assert max(levels) > 200
    leaning = [float(stone.mean() - np.median(stone)) for stone in stones]
    assert min(leaning) < -1
    assert max(leaning) > 1
    assert all(stone.std() > 1 for stone in stones)


def test_half_of_the_new_cloths_are_veined_stone(monkeypatch: pytest.MonkeyPatch) -> None:
    stone = np.full((64, 64, 3), 7, np.uint8)
    monkeypatch.setattr(patches, "draw_veined", lambda _rng: stone)
    monkeypatch.setattr(patches, "jointed", lambda cloth, _rng: cloth)
    cloths = patches.new_cloths(random.Random(1))
    assert sum(cloth is stone for cloth in cloths) == len(cloths) / 2


FEET = np.array([(60, 60), (82, 60), (140, 140)], np.float32)


def test_marks_on_nothing_are_those_far_from_every_foot() -> None:
    marks = np.array([(61, 62), (71, 60), (100, 100)], np.float32)
    assert wrong_of(marks, FEET).tolist() == [[71, 60], [100, 100]]
    assert wrong_of(marks, FEET[:0]).tolist() == marks.tolist()
    assert not len(wrong_of(marks[:0], FEET))


def test_the_closer_look_learns_gaps_between_pieces_and_marks_on_bare_ground() -> None:
    rng = random.Random(2)
    gaps = [between(FEET[:2], rng) for _ in range(50)]
    assert all(60 < x < 82 and abs(y - 60) < 10 for x, y in gaps)
    none, wrong = FEET[:0], np.array([(100, 30)], np.float32)
    points = [any_point(none, wrong, wrong, SIDE, rng) for _ in range(100)]
    assert sum(point is not None and abs(point[0] - 100) < 6 for point in points) > 60
