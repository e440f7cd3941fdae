"""A game's own table, drawn from the files in its folder."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.games.yu import KIT
from vision.cards import CardId, CardKind
from vision.errors import VisionError
from vision.table import Side
from vision.virtual.camera import Stand
from vision.virtual.drawn import DrawnTextures, TableArt, drawn_scene, face_style, load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.show import main
from vision.virtual.styles import FaceStyle

FOLDER = Path(__file__).parents[3] / "assistant" / "games" / "yu"


@cache
def art() -> TableArt:
    return load_table_art(FOLDER)


@cache
def textures() -> DrawnTextures:
    return DrawnTextures(KIT.demo_pack(), art(), FaceStyle())


def test_the_game_can_be_drawn_from_its_first_view() -> None:
    game = KIT.bind(KIT.demo_pack())
    style = replace(SceneStyle(), stand=Stand(width=960, height=540))
    shot = drawn_scene(game.layout, game.pack, art(), style).shoot_view(game.view(game.initial()), 1)
    assert shot.image.shape == (540, 960, 3)
    assert {zone.id for zone in game.layout.zones} == set(shot.zones)
    x, y = (round(v) for v in shot.camera.project([(0.5, 0.14, 0.0)])[0])
    blue, _, red = (int(c) for c in shot.image[y, x])
    assert blue > red + 40, "the river is blue"


def test_two_cards_differ_and_a_back_tells_nothing_but_the_kind() -> None:
    first, second = (card.id for card in list(KIT.demo_pack().of_kind(CardKind("townsfolk")))[:2])
    face, other_face = (textures().card(card, None, Side.UP) for card in (first, second))
    back, other_back = (textures().card(card, None, Side.DOWN) for card in (first, second))
    assert not np.array_equal(face, other_face)
    assert np.array_equal(back, other_back)


def test_a_card_that_nobody_has_read_still_has_a_face() -> None:
    stranger = textures().card(None, CardKind("townsfolk"), Side.UP)
    assert stranger.shape[2] == 4
    assert stranger[..., 3].max() == 255


def test_a_card_without_name_and_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a card of the pack"):
        textures().card(CardId("nobody"), None, Side.UP)


def test_the_default_table_is_printed_in_the_house_style_and_samples_are_not() -> None:
    assert face_style(SceneStyle()) == FaceStyle()
    train, held_out = (face_style(SceneStyle.sample(2, split)) for split in Split)
    assert train != held_out
    assert train.strange_picture is None
    assert held_out.strange_picture is None


def test_a_folder_without_art_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VisionError):
        load_table_art(tmp_path)


def test_the_command_writes_pictures_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--game", "assistant.games.yu", "--seed", "4", "--style", "held_out"]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert {path.name for path in written} >= {"calm.png", "hand.png"}
    assert all(cv2.imread(str(path)) is not None for path in written)
