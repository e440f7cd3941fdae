"""The icons of the player's own board name those of their cards where the network is in doubt."""

import cv2
import numpy as np
import pytest

from assistant.discover import default_game, kit_named
from calibration.icons import ITEMS, OwnIcons, harvest
from calibration.locating import pose_from_above
from models.photographs import ITEM_KINDS, any_style, draw_card, invent_facts, photograph
from tests.calibration.virtual import game_table
from vision.cuts import cut_window
from vision.frame import BgrImage
from vision.networks import Networks
from vision.virtual.board import board_face
from vision.virtual.drawn import load_table_art

BOARD = game_table().layout.board


@pytest.fixture(scope="module")
def networks() -> Networks:
    return Networks()


def harvested(board: BgrImage, networks: Networks) -> OwnIcons:
    return harvest(board, pose_from_above(board, BOARD), BOARD, game_table().icons, networks)


def printed(own: OwnIcons, networks: Networks) -> set[str]:
    return {networks.answers(ITEMS)[kind - 1] for kind in own.kinds}


def inked(picture: BgrImage) -> BgrImage:
    """Another printer's idea of the same drawing: pale, with thin dark lines."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    lines = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, 7, 4)
    pale = np.minimum(picture // 2 + 110, lines[..., None] // 2 + 127)
    return np.asarray(pale, np.uint8)


def test_on_a_style_that_training_never_saw_more_icons_of_cards_are_named_right(networks: Networks) -> None:
    rng = np.random.default_rng(5)
    style = any_style(rng, held_out=True)
    face = board_face(load_table_art(kit_named(default_game()).folder).board, 1000, style)
    own = harvested(inked(face), networks)
    names = ("", *networks.answers(ITEMS))
    windows, truth = [], []
    for _ in range(24):
        shot = photograph(rng, draw_card(invent_facts(rng, "canal"), style), gentle=True)
        for symbol in shot.symbols:
            if symbol.kind in ITEM_KINDS:
                windows.append(cut_window(inked(shot.card), symbol.x, symbol.y, symbol.size))
                truth.append(names.index(symbol.kind))
    answers = networks.run(ITEMS, np.stack(windows))[:, : len(names), 0, 0]
    without = int((answers.argmax(axis=1) == truth).sum())
    with_own = int((own.weighed(answers).argmax(axis=1) == truth).sum())
    assert with_own > without


def test_what_a_piece_covers_is_not_learnt(networks: Networks) -> None:
    face = board_face(load_table_art(kit_named(default_game()).folder).board, 1000)
    assert {"provision", "cowrie", "white", "wood", "clay"} <= printed(harvested(face, networks), networks)
    covered = face.copy()
    for icon in game_table().icons:
        if icon.kind == "provision":
            x, y = round(icon.x * 1000), round(icon.y * 1000)
            cv2.circle(covered, (x, y), round(icon.size * 1000), (200, 60, 60), -1)
    assert "provision" not in printed(harvested(covered, networks), networks)


def test_a_board_without_any_icon_teaches_nothing_and_changes_nothing(networks: Networks) -> None:
    blank = np.full((480, 960, 3), 127, np.uint8)
    own = harvested(blank, networks)
    answers = np.random.default_rng(1).normal(0, 3, (5, 1 + len(networks.answers(ITEMS)))).astype(np.float32)
    assert len(own.kinds) == 0
    assert own.weighed(answers) is answers


def test_a_sure_answer_stays_and_a_doubtful_one_follows_the_example() -> None:
    usual = np.array([[-1.0, 3.0, 1.5, -0.5]], np.float32)
    usual = usual - usual.mean()
    own = OwnIcons(kinds=np.array([2]), usual=usual / np.linalg.norm(usual))
    sure = np.array([[0.0, 9.0, 0.0, 0.0]], np.float32)
    assert (own.weighed(sure) == sure).all()
    doubtful = np.array([[-0.5, 1.5, 0.75, -0.25]], np.float32)
    assert doubtful.argmax() == 1
    assert own.weighed(doubtful).argmax() == 2
