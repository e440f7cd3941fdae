"""Colours of this player's pieces: learnt in this light, told where alike, and used to undo a cast."""

import numpy as np
import pytest

from calibration.colours import Recolour, alike, colour_at, icon_colours, mistaken
from calibration.gametable import Icon
from calibration.profile import LearntColour
from vision.cards import ItemKind
from vision.frame import BgrImage
from vision.pose import Lens, Pose
from vision.table import PieceKind

COLOURS = {
    "white": (230.0, 229.0, 224.0),
    "red": (194.0, 36.0, 51.0),
    "black": (52.0, 53.0, 58.0),
    "blue": (23.0, 145.0, 180.0),
    "yellow": (242.0, 207.0, 14.0),
}
USUAL = {PieceKind(kind): rgb for kind, rgb in COLOURS.items()}
POSE = Pose.of(np.diag([800.0, 800.0, 1.0]), Lens(width=800, height=400))


def painted(cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> BgrImage:
    """Five squares on green with a glint and a shadow on each; the cast is for red, green, blue."""
    picture = np.full((400, 800, 3), (60, 140, 90), np.float32)
    for k, rgb in enumerate(COLOURS.values()):
        x = 80 + 140 * k
        picture[180:220, x : x + 40] = rgb[::-1]
        picture[180:184, x : x + 40] = 255
        picture[216:220, x : x + 40] = 20
    return np.clip(picture * np.array(cast[::-1], np.float32), 0, 255).astype(np.uint8)


def learnt(picture: BgrImage) -> tuple[LearntColour, ...]:
    icons = [
        Icon(kind=ItemKind(kind), x=(100 + 140 * k) / 800, y=0.25, size=0.05)
        for k, kind in enumerate(COLOURS)
    ]
    return icon_colours(picture, POSE, icons, tuple(USUAL))


def test_colours_are_learnt_from_icons_whatever_glints_on_them() -> None:
    for colour in learnt(painted()):
        assert colour.rgb == pytest.approx(COLOURS[colour.piece], abs=3)


def test_an_icon_outside_the_picture_teaches_nothing() -> None:
    icon = Icon(kind=ItemKind("red"), x=5.0, y=0.2, size=0.05)
    assert icon_colours(painted(), POSE, [icon], tuple(USUAL)) == ()


def test_a_tap_tells_the_colour_of_what_lies_there() -> None:
    assert colour_at(painted(), POSE, 240 / 800, 0.25) == pytest.approx(COLOURS["red"], abs=3)


def test_only_colours_that_a_camera_could_confuse_are_told() -> None:
    assert alike(learnt(painted())) == ()
    twice = (LearntColour(piece=PieceKind("clay"), rgb=(190.0, 40.0, 50.0)), *learnt(painted()))
    assert alike(twice) == (("clay", "red"),)


def test_warm_light_is_undone() -> None:
    warm = painted((1.0, 0.8, 0.55))
    mended = Recolour.fitted(learnt(warm), USUAL)(warm)
    before = np.abs(warm.astype(int) - painted()).mean()
    assert np.abs(mended.astype(int) - painted()).mean() < 0.35 * before


def test_too_few_or_absurd_colours_change_little() -> None:
    picture = painted()
    assert (Recolour.fitted(learnt(picture)[:2], USUAL)(picture) == picture).all()
    dark = tuple(LearntColour(piece=kind, rgb=(1.0, 1.0, 1.0)) for kind in USUAL)
    assert max(Recolour.fitted(dark, USUAL).gains) <= 1.8


def test_a_tap_on_the_wrong_piece_is_told_by_the_printed_icons() -> None:
    printed = learnt(painted())
    assert mistaken(printed, printed) == ()
    wrong = LearntColour(piece=PieceKind("red"), rgb=COLOURS["blue"])
    assert mistaken([wrong], printed) == ((PieceKind("red"), PieceKind("blue")),)
    assert mistaken([wrong], ()) == ()
