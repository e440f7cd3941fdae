"""Pictures of the virtual table, and the truth that comes with them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.virtual.tables import full_view, shapes, small_layout, up, view, zone_view
from vision.table import PieceKind, Rect, Side, ZoneId
from vision.virtual.camera import Stand
from vision.virtual.mats import Mat, Weave
from vision.virtual.pieces import Pose
from vision.virtual.placing import TABLE_Z, PieceAt, painting_order
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import HandAt, at_rest
from vision.virtual.sensor import Sensor
from vision.virtual.textures import PlainTextures

SMALL = replace(
    SceneStyle(),
    stand=Stand(width=960, height=540, tilt_deg=30),
    sensor=Sensor(noise=0, drift=0, jpeg=None),
    mat=Mat(weave=Weave.PLAIN),
)


@cache
def scene(style: SceneStyle = SMALL) -> Scene:
    return Scene(small_layout(), PlainTextures(), shapes(), style)


def test_a_shot_has_the_size_and_type_of_a_webcam_frame() -> None:
    image = scene().shoot_view(full_view(), 1).image
    assert image.shape == (540, 960, 3)
    assert image.dtype == np.uint8


def test_the_same_seed_gives_the_same_picture_and_another_seed_another() -> None:
    style = replace(SMALL, sensor=Sensor())
    first = Scene(small_layout(), PlainTextures(), shapes(), style).shoot_view(full_view(), 4).image
    again = Scene(small_layout(), PlainTextures(), shapes(), style).shoot_view(full_view(), 4).image
    other = scene(style).shoot_view(full_view(), 5).image
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_card_is_drawn_inside_its_quad_and_nowhere_else() -> None:
    table = scene()
    empty = table.shoot_view(view(zone_view("row.4")), 1)
    shot = table.shoot_view(view(zone_view("row.4", up("c4"))), 1)
    ys, xs = np.nonzero(np.abs(shot.image.astype(int) - empty.image).max(axis=2) > 40)
    (card,) = shot.cards
    corners = np.array(card.quad)
    assert abs(xs.min() - corners[:, 0].min()) < 2.5
    assert abs(xs.max() - corners[:, 0].max()) < 2.5
    assert abs(ys.min() - corners[:, 1].min()) < 2.5
    assert abs(ys.max() - corners[:, 1].max()) < 2.5


def test_the_quads_of_cards_agree_with_the_homography_of_their_height() -> None:
    table = scene()
    state = at_rest(table.lay(full_view(), 3))
    shot = table.shoot(state)
    for card, truth in zip(state.cards, shot.cards, strict=True):
        corners = card.corners(0.125, 0.195)
        flat = np.column_stack([corners[:, :2], np.ones(4)]) @ shot.camera.homography(float(corners[0, 2])).T
        slopes = (flat[:, :2] / flat[:, 2:] - np.array(shot.camera.centre)) / shot.camera.focal_px
        assert np.abs(shot.camera.distort(slopes) - np.array(truth.quad)).max() < 0.5


def test_zones_beside_the_board_lie_as_deep_as_the_table() -> None:
    shot = scene().shoot_view(full_view(), 1)
    rect = small_layout().zone(ZoneId("row.1")).rect
    assert shot.zones[ZoneId("row.1")] == shot.camera.rect_quad(rect, TABLE_Z)


def test_the_top_of_a_standing_piece_leans_away_from_the_camera_foot() -> None:
    shot = scene().shoot_view(full_view(), 1)
    foot = shot.camera.project([(*shot.camera.foot, 0.0)])[0]
    floods = [piece for piece in shot.pieces if piece.kind == PieceKind("flood")]
    assert floods
    for piece in floods:
        away = np.array(piece.base) - foot
        lean = np.array(piece.top) - np.array(piece.base)
        assert lean @ away > 0
        assert np.linalg.norm(lean) > 5


def test_a_piece_is_drawn_in_its_own_colour_between_foot_and_top() -> None:
    table = scene(replace(SMALL, light=replace(SMALL.light, glare=0.0)))
    shot = table.shoot_view(view(zone_view("barge", barge=1), zone_view("farm.1", farm=1)), 2)
    for piece in shot.pieces:
        x = round((piece.base[0] + piece.top[0]) / 2)
        y = round((piece.base[1] + piece.top[1]) / 2)
        blue, _, red = (int(c) for c in shot.image[y, x])
        assert red > blue + 40


def test_near_pieces_are_painted_over_far_ones_but_never_below_what_they_lie_on() -> None:
    token = PieceAt(
        key=1, kind=PieceKind("cowrie"), zone=None, x=0.5, y=0.5, angle_deg=0, pose=Pose.LYING, z=0.0
    )
    upper = replace(token, key=2, y=0.49, z=0.0036)
    near = replace(token, key=3, kind=PieceKind("white"), pose=Pose.STANDING, y=0.56)
    order = painting_order([near, upper, token], shapes(), (0.5, 1.0))
    assert [piece.key for piece in order] == [1, 2, 3]


def test_a_tucked_card_shows_only_its_foot() -> None:
    table = scene()
    empty = table.shoot_view(view(zone_view("tuck.1")), 1).image.astype(int)
    shot = table.shoot_view(view(zone_view("tuck.1", up("t1"))), 1)
    changed = np.abs(shot.image - empty).max(axis=2) > 25
    edge = shot.camera.project([(0.36, 0.497, 0.0)])[0]
    ys, _ = np.nonzero(changed)
    assert ys.min() >= edge[1] - 3
    quad = np.array(shot.cards[0].quad)
    assert quad[:, 1].min() < edge[1] - 30, "the hidden part still has a place"


def test_a_higher_pile_is_taller() -> None:
    table = scene()
    low = table.shoot_view(view(zone_view("draw", full_view()[ZoneId("draw")].cards[:1])), 1)
    high = table.shoot_view(full_view(), 1)
    lowest = next(card for card in low.cards if card.zone == "draw")
    highest = [card for card in high.cards if card.zone == "draw"][-1]
    assert highest.top
    assert highest.side is Side.DOWN
    widths = [np.linalg.norm(np.subtract(card.quad[1], card.quad[0])) for card in (lowest, highest)]
    assert widths[1] > widths[0], "nearer to the camera means larger"


def test_a_hand_over_a_zone_is_reported_and_a_far_zone_is_not() -> None:
    table = scene()
    state = at_rest(table.lay(full_view(), 1))
    calm = table.shoot(state)
    covered = table.shoot(replace(state, hand=HandAt(x=0.6, y=0.6, z=0.03)))
    assert not any(calm.is_covered(zone.id) for zone in small_layout().zones)
    assert covered.is_covered(ZoneId("supply"))
    assert not covered.is_covered(ZoneId("row.1"))
    assert not np.array_equal(calm.image, covered.image)


def test_the_truth_says_how_much_of_each_card_and_piece_can_be_seen() -> None:
    table = scene()
    state = at_rest(table.lay(full_view(), 1))
    shot = table.shoot(state)
    by_zone = {card.zone: card for card in shot.cards}
    assert by_zone[ZoneId("row.1")].visible > 0.98
    assert 0.1 < by_zone[ZoneId("tuck.1")].visible < 0.4
    assert 0.85 < by_zone[ZoneId("hut.1")].visible < 0.99, "a piece stands on it"
    assert [card.visible for card in shot.cards if card.zone == "draw"][:-1] == [0.0] * 21
    assert next(piece for piece in shot.pieces if piece.zone == "flood").visible > 0.98
    flood = shot.camera.ground([next(piece for piece in shot.pieces if piece.zone == "flood").base])[0]
    below_hand = table.shoot(replace(state, hand=HandAt(x=float(flood[0]), y=float(flood[1]) - 0.1, z=0.05)))
    assert next(piece for piece in below_hand.pieces if piece.zone == "flood").visible < 0.6


def test_when_the_hand_is_gone_the_table_looks_as_before() -> None:
    table = scene()
    state = at_rest(table.lay(full_view(), 1))
    before = table.render(state)
    table.render(replace(state, hand=HandAt(x=0.6, y=0.6, z=0.03)))
    assert np.array_equal(table.render(state), before)


def test_redrawing_only_what_changed_gives_the_same_picture_as_drawing_all() -> None:
    first = at_rest(scene().lay(full_view(), 1))
    second = replace(first, cards=first.cards[3:], pieces=first.pieces[2:])
    table = scene()
    table.render(first)
    partly = table.render(second).astype(int)
    whole = Scene(small_layout(), PlainTextures(), shapes(), SMALL).render(second)
    assert np.abs(partly - whole).max() <= 1


@pytest.mark.parametrize("split", list(Split))
def test_sampled_styles_are_repeatable_and_draw_a_picture(split: Split) -> None:
    style = SceneStyle.sample(3, split)
    assert style == SceneStyle.sample(3, split)
    small = replace(style, stand=replace(style.stand, width=640, height=360))
    image = Scene(small_layout(), PlainTextures(), shapes(), small).shoot_view(full_view(), 1).image
    assert 15 < image.mean() < 240


def test_training_and_held_out_styles_share_no_mat_and_no_lamp_sector() -> None:
    train = [SceneStyle.sample(seed, Split.TRAIN) for seed in range(60)]
    held_out = [SceneStyle.sample(seed, Split.HELD_OUT) for seed in range(60)]
    assert not {style.mat.weave for style in train} & {style.mat.weave for style in held_out}
    assert not {style.stand.fov_deg for style in train} & {style.stand.fov_deg for style in held_out}
    assert not {style.faces for style in train} & {style.faces for style in held_out}


def test_a_table_seen_without_its_optional_zones_is_seen_from_nearer() -> None:
    layout = small_layout()
    far = replace(layout.zones[-1], id=ZoneId("far"), rect=Rect(1.2, 0.5, 2.0, 1.2), optional=True)
    wide = replace(layout, zones=(*layout.zones, far))
    heights = [
        Scene(
            wide, PlainTextures(), shapes(), replace(SMALL, stand=replace(SMALL.stand, whole=whole))
        ).camera.position[2]
        for whole in (True, False)
    ]
    assert heights[1] < heights[0]
