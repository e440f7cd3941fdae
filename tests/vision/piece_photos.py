"""Photographs of the real pieces, which are not ours to ship: where they lie, and what the reader says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from assistant.games.yu import KIT
from tests.vision.photo_truth import FOUR_CARDS, PHOTOS, SETUP
from vision.image import load_image
from vision.observation import CountSighting, ZoneSighting
from vision.photo import read_photo
from vision.photo_eyes import NetworkEyes, network_eyes
from vision.pieces import PIXELS_PER_UNIT, PieceReader
from vision.pose import Lens
from vision.rectify import rectify
from vision.register import fit_pose
from vision.virtual.camera import rect_corners

__all__ = [
    "COMPONENTS",
    "FOUR_CARDS",
    "SETUP",
    "eyes_for_photographs",
    "pieces_in",
    "pieces_of_components",
    "wrong_places_of_setup",
    "wrong_zones_of_setup",
]

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
    read = {}
    for zone in layout.zones:
        if zone.pieces and zone.id not in _BESIDE_THE_BOARD:
            picture = rectify(image, pose, reader.area(zone), PIXELS_PER_UNIT)
            read[str(zone.id)] = reader.read(zone, picture, layout.zones)
    return _misread(read)


def wrong_places_of_setup(zones: Sequence[ZoneSighting]) -> dict[str, dict[str, int]]:
    """The same of what somebody else saw there."""
    return _misread({str(seen.zone): seen.pieces for seen in zones if seen.zone not in _BESIDE_THE_BOARD})


def _misread(counts: Mapping[str, Sequence[CountSighting]]) -> dict[str, dict[str, int]]:
    found = {
        zone: {str(seen.kind): seen.counts[0][0] for seen in pieces if seen.counts[0][0]}
        for zone, pieces in counts.items()
    }
    return {zone: pieces for zone, pieces in found.items() if pieces != _SETUP.get(zone, {})}


def pieces_of_components(eyes: NetworkEyes) -> tuple[Counter[str], Counter[str]]:
    """What `floodwatch read` finds on the table of that photograph, and what lies there."""
    return pieces_in(COMPONENTS, eyes), _COMPONENTS


def pieces_in(photo: Path, eyes: NetworkEyes) -> Counter[str]:
    """What `floodwatch read` finds beside the cards of a photograph."""
    image = load_image(photo)
    _, pieces = eyes.with_pieces(image, read_photo(image, eyes=eyes))
    return Counter(str(piece.kind) for piece in pieces)


def eyes_for_photographs() -> NetworkEyes:
    return network_eyes(KIT.folder / "anatomy.toml", KIT.pack_rules, KIT.demo_pack())
