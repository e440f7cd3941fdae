"""The virtual camera as a source of frames."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.virtual.tables import full_view, shapes, small_layout, up, zone_view
from vision.feed import FrameSource, Health
from vision.table import TableView, ZoneId
from vision.virtual.camera import Stand
from vision.virtual.mats import Mat, Weave
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle
from vision.virtual.source import VirtualSource
from vision.virtual.textures import PlainTextures

STYLE = replace(SceneStyle(), stand=Stand(width=640, height=360), mat=Mat(weave=Weave.PLAIN))


def taken() -> TableView:
    zones = full_view().by_zone()
    zones[ZoneId("row.3")] = zone_view("row.3")
    zones[ZoneId("hand")] = zone_view("hand", up("h1", "h2", "h3", "c3"))
    return TableView(tuple(zones.values()))


def source(**options: float) -> VirtualSource:
    scene = Scene(small_layout(), PlainTextures(), shapes(), STYLE)
    return VirtualSource(scene, full_view(), seed=1, live=False, **options)


def test_frames_are_numbered_and_of_the_cameras_size() -> None:
    with source() as frames:
        first, second = frames.read(), frames.read()
    assert first is not None
    assert second is not None
    assert (first.index, second.index) == (0, 1)
    assert first.image.shape == (360, 640, 3)
    assert first.image.dtype == np.uint8


def test_a_closed_source_has_no_more_frames_and_says_so() -> None:
    frames: FrameSource = source()
    assert frames.state().health is Health.LIVE
    frames.close()
    assert frames.read() is None
    assert frames.state().health is Health.ENDED


def test_a_live_source_gives_a_frame_only_when_it_is_due() -> None:
    scene = Scene(small_layout(), PlainTextures(), shapes(), STYLE)
    with VirtualSource(scene, full_view(), frames_per_s=0.01) as frames:
        assert frames.read() is not None
        assert frames.read() is None
        assert "640 × 360" in frames.describe()


def test_a_pushed_view_is_reached_by_way_of_a_hand() -> None:
    frames = source(frames_per_s=8)
    frames.push(taken())
    hands = 0
    for _ in range(200):
        frames.read()
        hands += frames.on_table.hand is not None
        if not frames.waiting:
            break
    assert not frames.waiting
    assert hands > 8
    assert frames.on_table.view([zone.zone for zone in taken().zones]) == taken()


def test_a_faster_pace_needs_fewer_frames() -> None:
    counts = []
    for pace in (1.0, 3.0):
        frames = source(pace=pace, frames_per_s=8)
        frames.push(taken())
        count = 0
        while frames.waiting:
            frames.read()
            count += 1
        counts.append(count)
    assert counts[1] < counts[0] / 2


def test_a_pace_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        source(pace=0.0)
