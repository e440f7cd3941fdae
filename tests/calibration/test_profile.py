"""A profile of a table: written, read again, and refused with one clear sentence where it is damaged."""

import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.profile import (
    LARGEST_BYTES,
    ConfirmedFact,
    LearntColour,
    MarkerPlace,
    MovedZone,
    Profile,
    fitted_layout,
    format_profile,
    parse_profile,
)
from calibration.tables import Tables
from tests.vision.scenes import card_layout
from vision.pose import Lens
from vision.table import PieceKind, Rect, ZoneId

FULL = Profile(
    table="kitchen",
    game="yu",
    camera="/dev/video0",
    lens=Lens(width=1280, height=720, curve=-0.08),
    corners=((100.0, 90.5), (1100.0, 95.0), (1200.0, 650.0), (50.25, 640.0)),
    markers=(MarkerPlace(id=3, corners=((-0.1, 0.0), (-0.02, 0.0), (-0.02, 0.08), (-0.1, 0.08))),),
    has_board_picture=True,
    zones=(MovedZone(zone=ZoneId("supply"), rect=Rect(1.1, 0.1, 1.4, 0.4)),),
    colours=(LearntColour(piece=PieceKind("red"), rgb=(180.5, 40.0, 35.0)),),
    facts=(ConfirmedFact(key="farm.1", value="white"),),
    cards_only=True,
    passed=("camera", "view"),
)


def changed(**values: Any) -> str:
    return json.dumps({**json.loads(format_profile(FULL)), **values})


def test_a_profile_reads_back_as_it_was_written() -> None:
    assert parse_profile(format_profile(FULL)) == FULL
    bare = Profile(table="new", game="yu")
    assert parse_profile(format_profile(bare)) == bare


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no profile"),
        ("[]", "no profile"),
        ("{" * 5000, "no profile"),
        ('{"version": "1"}', "version"),
        (changed(version=2), "version 2, this program reads version 1"),
        (changed(lens={"width": 1280, "height": 720, "curve": float("nan")}), "lens.curve"),
        (changed(lens={"width": 1280, "height": 720, "curve": -9.0}), "lens.curve"),
        (changed(lens={"width": 10**9, "height": 720, "curve": 0.0}), "lens.width"),
        (changed(corners=[[0, 0], [1, 0], [1, 1]]), "corners"),
        (changed(corners=[[float("inf"), 0], [1, 0], [1, 1], [0, 1]]), "corners"),
        (changed(table="../other"), "table"),
        (changed(zones={"supply": [0.4, 0, 0.1, 0.3]}), "x0 < x1"),
        (changed(zones={"supply": [True, 0, 1, 1]}), "zones.supply"),
        (changed(markers=[{"id": 50, "corners": [[0, 0]] * 4}]), "markers.0.id"),
        (changed(markers=[{"id": 1, "corners": [[0, 0]] * 4}] * 2), "same number"),
        (changed(facts={"farm.1": 7}), "facts"),
        (changed(surprise=1), "surprise"),
        (" " * (LARGEST_BYTES + 1), "too large"),
    ],
)
def test_a_damaged_profile_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_zones_that_may_move_are_moved() -> None:
    layout = card_layout()
    profile = Profile(
        table="t",
        game="g",
        zones=tuple(MovedZone(zone=zone.id, rect=Rect(2, 2, 3, 3)) for zone in layout.zones),
    )
    assert fitted_layout(layout, profile) == layout


def test_tables_are_kept_in_a_folder_that_only_the_player_reads(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    picture = np.random.default_rng(1).integers(0, 255, (40, 80, 3), dtype=np.uint8)
    path = tables.save(FULL, picture)
    assert tables.load("kitchen") == FULL
    assert (tables.board_picture("kitchen") == picture).all()
    assert tables.names() == ("kitchen",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_table_that_nobody_set_up_and_a_name_that_is_a_path_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="floodwatch calibrate"):
        Tables(tmp_path).load("attic")
    with pytest.raises(ProfileError, match="name"):
        Tables(tmp_path).load("../kitchen")
