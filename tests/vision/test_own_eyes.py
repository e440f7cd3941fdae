"""What the networks of a game's own learn from: patches wherever pieces lie, grounds of no style."""

import random

import cv2
import numpy as np

from models.game.pool import Patch
from models.game.strewn import centres
from models.grounds import WEAVES, any_mat
from vision.table import PieceKind, Rect, TableLayout, Zone, ZoneId, ZoneKind
from vision.virtual.mats import Mat
from vision.virtual.scene_style import SceneStyle, Split

SIDE = 0.2


def patch_with_one_piece() -> Patch:
    """A white dot and its mark; two more marks, right of it and below, tell a mirrored picture."""
    image = np.zeros((192, 192, 3), np.uint8)
    cv2.circle(image, (90, 96), 3, (255, 255, 255), -1)
    jpeg = cv2.imencode(".png", image)[1].reshape(-1)
    return Patch(jpeg=np.asarray(jpeg, np.uint8), marks=np.array([(0, 90, 96), (1, 100, 96), (2, 90, 106)]))


def test_marks_follow_their_piece_and_half_of_the_patches_are_mirrored() -> None:
    patch, handed = patch_with_one_piece(), []
    for seed in range(40):
        image, marks = patch.shown(random.Random(seed))
        lit = cv2.GaussianBlur(image[..., 0], (0, 0), 2)
        y, x = np.unravel_index(int(lit.argmax()), lit.shape)
        assert np.abs(marks[0, 1:] - (x, y)).max() < 1.5
        along, down = marks[1, 1:] - marks[0, 1:], marks[2, 1:] - marks[0, 1:]
        handed.append(along[0] * down[1] - along[1] * down[0] > 0)
    assert 10 < sum(handed) < 30


def test_patches_are_cut_all_over_a_heap_larger_than_one() -> None:
    bank = Zone(
        id=ZoneId("bank"), kind=ZoneKind.HEAP, rect=Rect(0.4, 0.5, 1.0, 0.7), pieces=(PieceKind("coin"),)
    )
    layout = TableLayout(board=Rect(0.0, 0.0, 1.0, 0.4), card_width=0.15, card_height=0.21, zones=(bank,))
    cut = centres(layout, SIDE, random.Random(1))
    assert len(cut) >= 3
    assert min(x for x, _ in cut) < bank.rect.x0 + SIDE
    assert max(x for x, _ in cut) > bank.rect.x1 - SIDE


def test_table_tops_of_no_style_use_no_weave_that_is_held_out_and_can_be_drawn_again() -> None:
    held_out = {SceneStyle.sample(seed, Split.HELD_OUT).mat.weave for seed in range(40)}
    assert len(held_out) > 2
    assert not held_out & set(WEAVES)
    tops = [any_mat(Mat(), random.Random(seed)) for seed in range(6)]
    pictures = [top.tile() for top in tops]
    assert all(np.array_equal(top.tile(), picture) for top, picture in zip(tops, pictures, strict=True))
    assert len({picture.tobytes() for picture in pictures}) == len(pictures)
