"""What readers of heaps learn from: grounds of a piece's colour, bricks of a figure's red, glaring light."""

import random

import cv2
import numpy as np
import pytest

from assistant.games.yu import KIT
from models.grounds import draw_pattern
from models.pieces.grounds import alike
from models.pieces.patches import SIDE, Patches, any_light
from models.pieces.prints import WORKERS, lying, of_one_red, varied
from vision.table import PieceKind
from vision.virtual.drawn import load_table_art
from vision.virtual.pieces import Pose

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
