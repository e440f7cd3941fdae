"""What was set up with `floodwatch calibrate` is what `floodwatch run` plays with."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from assistant.commands.run import known_table
from assistant.discover import default_game, kit_named
from assistant.kit import Game
from calibration.errors import ProfileError
from calibration.profile import ConfirmedFact, MovedZone, Profile
from calibration.tables import DEFAULT_TABLE, Tables
from tests.calibration.virtual import empty_shot, game
from vision.cards import CardPack
from vision.frame import Frame
from vision.pose import Lens
from vision.register import Means
from vision.table import Rect, ZoneId

KIT = kit_named(default_game())


def profile() -> Profile:
    shot = empty_shot()
    height, width = shot.image.shape[:2]
    return Profile(
        table=DEFAULT_TABLE,
        game=KIT.name,
        camera="rtsp://camera.example/live",
        lens=Lens(width=width, height=height),
        corners=tuple((float(x), float(y)) for x, y in shot.board),
        zones=(MovedZone(zone=ZoneId("supply"), rect=Rect(0.1, 0.8, 0.6, 1.0)),),
        facts=(ConfirmedFact(key="farm.1", value="clay"),),
    )


def frame() -> Frame:
    return Frame(index=0, captured_at=0.0, image=empty_shot().image)


def test_camera_places_facts_and_board_are_those_of_the_profile(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.save(profile())
    told: list[Mapping[str, str]] = []

    def bind(pack: CardPack, confirmed: Mapping[str, str] = MappingProxyType({})) -> Game[Any, Any]:
        told.append(confirmed)
        return KIT.bind(pack, confirmed)

    known = known_table(replace(KIT, bind=bind), tables, DEFAULT_TABLE)
    assert told == [{"farm.1": "clay"}]
    assert known.camera == "rtsp://camera.example/live"
    assert known.game.layout.zone(ZoneId("supply")).rect == Rect(0.1, 0.8, 0.6, 1.0)
    found = known.find(frame(), None)
    assert found.pose is not None
    assert np.abs(found.pose.quad(known.game.layout.board) - np.array(empty_shot().board)).max() < 0.01


def test_a_table_that_nobody_set_up_is_looked_for_by_the_boards_own_picture(tmp_path: Path) -> None:
    known = known_table(KIT, Tables(tmp_path), "garden")
    assert known.camera == "0"
    assert known.game.layout == game().layout
    assert known.find(frame(), None).means is Means.PICTURE


def test_corners_given_by_hand_go_before_those_of_the_profile(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.save(profile())
    known = known_table(KIT, tables, DEFAULT_TABLE, corners="100,100 900,100 900,500 100,500")
    found = known.find(frame(), None)
    assert found.pose is not None
    assert found.pose.quad(known.game.layout.board)[0].tolist() == pytest.approx([100, 100])


def test_a_table_of_another_game_is_told(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.save(replace(profile(), game="chess"))
    with pytest.raises(ProfileError, match="was set up for 'chess'"):
        known_table(KIT, tables, DEFAULT_TABLE)


def test_pieces_out_of_view_are_remembered_by_a_table_that_was_set_up(tmp_path: Path) -> None:
    tables = Tables(tmp_path)
    tables.save(profile())

    def in_view(cards_only: bool | None = None, table: str = DEFAULT_TABLE) -> bool:
        layout = known_table(KIT, tables, table, cards_only=cards_only).game.layout
        return ZoneId("supply") in {zone.id for zone in layout.on_table().zones}

    assert in_view()
    assert not in_view(cards_only=True)
    assert not in_view(), "said once"
    assert in_view(cards_only=False)
    assert in_view()
    assert not in_view(cards_only=True, table="garden")
    assert tables.names() == (DEFAULT_TABLE,), "a table that nobody set up is not set up by this"
