"""The shapes of a game's pieces, read from its file."""

from pathlib import Path

import pytest

from tests.vision.virtual.tables import shapes
from vision.errors import VisionError
from vision.table import PieceKind
from vision.virtual.pieces import Pose, load_shapes

KINDS = [
    "white",
    "red",
    "black",
    "blue",
    "yellow",
    "clay",
    "wood",
    "provision",
    "cowrie",
    "farm",
    "outpost",
    "hut",
    "flood",
    "barge",
]


def test_every_piece_of_the_game_has_a_shape() -> None:
    assert set(shapes()) == set(KINDS)


def test_workers_share_a_shape_and_differ_in_colour() -> None:
    workers = [shapes()[PieceKind(kind)] for kind in KINDS[:5]]
    assert len({worker.silhouette for worker in workers}) == 1
    assert len({worker.colour for worker in workers}) == 5


def test_a_worker_is_16_mm_high_standing_and_thinner_lying() -> None:
    worker = shapes()[PieceKind("white")]
    assert worker.height(Pose.STANDING) * 560 == pytest.approx(16)
    assert worker.height(Pose.LYING) < worker.height(Pose.STANDING)


def test_only_cardboard_is_flat() -> None:
    assert {kind for kind, shape in shapes().items() if shape.flat} == {"provision", "cowrie"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_stands_on_the_ground(kind: str) -> None:
    shape = shapes()[PieceKind(kind)]
    for pose, _ in shape.poses:
        body = shape.body(pose)
        lowest = min(body.front[:, 2].min(), body.back[:, 2].min())
        highest = max(body.front[:, 2].max(), body.back[:, 2].max())
        assert lowest == pytest.approx(0)
        assert highest == pytest.approx(shape.height(pose))


def test_a_file_that_is_not_about_pieces_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "pieces.toml"
    path.write_text("[white]\ncolour = '#ffffff'\n")
    with pytest.raises(VisionError, match=r"pieces\.toml"):
        load_shapes(path)
