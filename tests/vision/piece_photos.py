"""Photographs of the real pieces, which are not ours to ship: where they lie, and what the reader says."""

import math
from collections import Counter

import cv2
import numpy as np

from assistant.games.yu import KIT
from tests.vision.photo_truth import PHOTOS, SETUP
from vision.image import load_image
from vision.pieces import PIXELS_PER_UNIT, PieceReader
from vision.pose import Lens, Pose
from vision.rectify import rectify
from vision.register import fit_pose
from vision.table import Rect
from vision.virtual.camera import Camera, rect_corners

__all__ = ["COMPONENTS", "SETUP", "pieces_of_components", "wrong_zones_of_setup"]

COMPONENTS = PHOTOS / "components.jpg"
_CORNERS = ((247.7, 146.2), (1233.5, 297.0), (1223.2, 851.3), (0.0, 575.6))
_SETUP = {
    "river-0": {"flood": 1},
    "river-1": {"barge": 1},
    **{f"farm-home-{n}": {"farm": 1} for n in (1, 2, 3)},
    **{f"outpost-home-{n}": {"outpost": 1} for n in (1, 2, 3, 4)},
    **{f"hut-home-{n}": {"hut": 1} for n in (1, 2, 3, 4)},
}
_COMPONENTS = Counter(yellow=1, red=1, blue=1, white=2, cowrie=2, wood=3, clay=1, provision=3)
_BESIDE_THE_BOARD = ("supply", "main", "barge-rest")


def wrong_zones_of_setup(reader: PieceReader) -> dict[str, dict[str, int]]:
    """All places on the board where something else is read than stands there, with what is read."""
    image = load_image(SETUP)
    layout = KIT.bind(KIT.demo_pack()).layout
    corners = np.array(rect_corners(layout.board))
    pose = fit_pose(corners, np.array(_CORNERS), Lens(width=image.shape[1], height=image.shape[0]))
    wrong = {}
    for zone in layout.zones:
        if zone.pieces and zone.id not in _BESIDE_THE_BOARD:
            picture = rectify(image, pose, reader.area(zone), PIXELS_PER_UNIT)
            counts = reader.read(zone, picture, layout.zones)
            found = {str(seen.kind): seen.counts[0][0] for seen in counts if seen.counts[0][0]}
            if found != _SETUP.get(zone.id, {}):
                wrong[str(zone.id)] = found
    return wrong


def pieces_of_components(reader: PieceReader) -> tuple[Counter[str], Counter[str]]:
    """What is found on the table of that photograph, and what lies there."""
    image = load_image(COMPONENTS)
    rect = Rect(-0.15, -0.12, 0.15, 0.12)
    small = np.asarray(cv2.resize(image, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8)
    flat = rectify(small, _close_view(small.shape[1], small.shape[0]), rect, PIXELS_PER_UNIT)
    found = Counter(str(mark.kind) for mark in reader.marks(flat) if mark.p >= 0.5)
    return found, _COMPONENTS


def _close_view(width: int, height: int, tilt_deg: float = 34.0, distance: float = 0.16) -> Pose:
    """A telephone held over the table, with the lens that telephones have."""
    tilt = math.radians(tilt_deg)
    camera = Camera(
        width=width,
        height=height,
        fov_deg=66.0,
        position=(0.0, distance * math.sin(tilt), distance * math.cos(tilt)),
        target=(0.0, 0.0),
    )
    grid = np.array([(x, y) for x in (-0.03, 0.0, 0.03) for y in (-0.03, 0.0, 0.03)])
    pixels = camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    return fit_pose(grid, pixels, Lens(width=width, height=height))
