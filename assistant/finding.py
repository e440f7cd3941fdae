"""How a camera's board is found: by corners that the player gives, or by the picture of the board."""

from typing import Any

import numpy as np

from assistant.errors import FloodwatchError
from assistant.kit import Game, GameKit
from vision.frame import BgrImage, Frame
from vision.likeness import Likeness, register_picture
from vision.observe import Finder
from vision.pose import Lens, Pose
from vision.register import Registration, register_corners
from vision.virtual.board import board_face
from vision.virtual.drawn import load_table_art

_BOARD_PX = 1600


class CornersError(FloodwatchError):
    """Corners that cannot be understood."""


def parse_corners(text: str) -> tuple[tuple[float, float], ...]:
    """Four points in pixels, `x,y` each: top left, top right, bottom right, bottom left of the board."""
    try:
        points = tuple((float(x), float(y)) for x, y in (pair.split(",") for pair in text.split()))
    except ValueError:
        points = ()
    if len(points) != 4:
        raise CornersError(
            f"Expected the board's four corners in pixels, such as '210,330 1700,325 1850,1010 90,1000' "
            f"(top left, top right, bottom right, bottom left), found {text!r}."
        )
    return points


def by_corners(game: Game[Any, Any], corners: tuple[tuple[float, float], ...]) -> Finder:
    def find(frame: Frame, _near: Pose | None) -> Registration:
        return register_corners(np.array(corners), game.layout.board, _lens_of(frame))

    return find


def by_picture(kit: GameKit, game: Game[Any, Any], picture: BgrImage | None = None) -> Finder:
    """By a picture of the board from above; without one by the board as this program draws it."""
    if picture is None:
        picture = board_face(load_table_art(kit.folder).board, _BOARD_PX)
    likeness = Likeness.from_picture(picture, game.layout.board)

    def find(frame: Frame, near: Pose | None) -> Registration:
        return register_picture(frame.image, likeness, _lens_of(frame), near=near, fit_curve=True)

    return find


def _lens_of(frame: Frame) -> Lens:
    height, width = frame.image.shape[:2]
    return Lens(width=width, height=height)
