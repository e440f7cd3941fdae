"""A script walks through the wizard on the virtual table, and every step refuses what it cannot use."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
import segno

from assistant.games.yu.board import shipped_board
from calibration.finder import register_with
from calibration.markers import Paper, corner_papers, lens_sheet, marker_sheet
from calibration.overlay import drawn
from calibration.paper import Sheet
from calibration.paper_picture import picture_of
from calibration.profile import Profile, format_profile, parse_profile
from calibration.step_views import view
from calibration.steps import (
    STEPS,
    Back,
    ChooseCamera,
    ConfirmFact,
    DragZone,
    FindBoard,
    GiveCorners,
    MeasureLens,
    MoveZone,
    Next,
    Said,
    Step,
    TapPiece,
)
from calibration.wizard import advance
from calibration.wizard_state import WizardState, pose_in, start
from tests.calibration.test_sheets import TEXT
from tests.calibration.virtual import BOARD_MM, empty_shot, game, game_table, scene_with, set_up_shot
from vision.frame import BgrImage, Frame
from vision.pose import corners_of
from vision.table import PieceKind, Rect, TableView, ZoneId
from vision.virtual.shot import Shot

CARD = 0.125


def fresh() -> WizardState:
    return start(game_table(), Profile(table="t", game="yu"))


def at(step: Step, shot: Shot) -> WizardState:
    """The wizard at a later step, its board found by the markers."""
    state = advance(advance(fresh(), ChooseCamera(source="0"), None), FindBoard(), shot.image)
    assert state.trouble is None
    passed = tuple(other.value for other in STEPS[: STEPS.index(step)])
    return start(state.table, replace(state.profile, passed=passed), state.board_picture)


def off(state: WizardState, shot: Shot) -> float:
    """How far off the board is, as a part of a card's width."""
    pose = pose_in(state, shot.image)
    assert pose is not None
    board = state.table.layout.board
    return float(np.abs(pose.unproject(np.array(shot.board)) - corners_of(board)).max() / CARD)


def fractions(shot: Shot, points: BgrImage | list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    height, width = shot.image.shape[:2]
    return tuple(((float(x) + 0.5) / width, (float(y) + 0.5) / height) for x, y in points)


def test_a_script_walks_from_an_empty_table_to_a_watched_one() -> None:
    empty, full = empty_shot(), set_up_shot()
    state = advance(fresh(), ChooseCamera(source="0"), None)
    steps = [state.step]
    while state.step is not Step.READY:
        shot = empty if STEPS.index(state.step) <= STEPS.index(Step.BOARD) else full
        if state.step is Step.COLOURS:
            for kind in state.table.taps:
                piece = next(piece for piece in shot.pieces if piece.kind == kind and piece.visible > 0.8)
                middle = np.mean([piece.base, piece.top], axis=0)
                state = advance(
                    state, TapPiece(piece=kind, at=fractions(shot, [tuple(middle)])[0]), shot.image
                )
        if state.step is Step.FACTS:
            shown = view(state, shot.image)
            assert all(crop.picture.size for crop in shown.crops)
            for crop in shown.crops:
                state = advance(state, ConfirmFact(key=crop.key, value=crop.options[0]), shot.image)
        shown = view(state, shot.image)
        assert drawn(shot.image, shown).shape == shot.image.shape
        after = advance(state, Next(anyway=state.step is Step.LIGHT), shot.image)
        assert after.trouble is None, (state.step, shown.checks)
        state = after
        steps.append(state.step)
    assert tuple(steps) == STEPS
    assert off(state, empty) < 0.03
    profile = parse_profile(format_profile(state.profile))
    assert len(profile.markers) == 4
    find = register_with(profile, state.layout, state.board_picture)
    found = find(Frame(index=0, captured_at=0.0, image=full.image), None)
    assert found.pose is not None
    assert (
        np.abs(found.pose.unproject(np.array(full.board)) - corners_of(state.layout.board)).max()
        < 0.03 * CARD
    )


def test_it_can_be_left_at_any_step_and_resumed_there() -> None:
    state = at(Step.LIGHT, empty_shot())
    again = start(game_table(), parse_profile(format_profile(state.profile)), state.board_picture)
    assert again.step is Step.LIGHT
    assert view(again, empty_shot().image).step is Step.LIGHT


def test_without_a_picture_nothing_goes_on() -> None:
    state = advance(fresh(), Next(anyway=True), None)
    assert state.step is Step.CAMERA
    assert state.trouble == Said.of("calibrate.trouble.not-yet")


def test_a_black_picture_is_told_in_the_view_and_cannot_be_skipped() -> None:
    state = replace(fresh(), step=Step.VIEW)
    black = np.zeros((720, 1280, 3), np.uint8)
    shown = view(state, black)
    assert {check.said.key for check in shown.checks} >= {"calibrate.light.dark", "calibrate.light.blank"}
    assert advance(state, Next(anyway=True), black).step is Step.VIEW


def test_without_markers_four_tapped_corners_will_do() -> None:
    shot = empty_shot(markers=False)
    state = replace(fresh(), step=Step.BOARD)
    assert advance(state, FindBoard(), shot.image).trouble == Said.of("register.no-markers")
    rng = np.random.default_rng(1)
    taps = fractions(shot, [(x + rng.normal(0, 3), y + rng.normal(0, 3)) for x, y in shot.board])
    found = advance(state, GiveCorners(corners=taps), shot.image)
    assert found.trouble is None
    assert off(found, shot) < 0.03


def test_a_board_seen_before_is_found_by_its_picture() -> None:
    before = advance(
        replace(fresh(), step=Step.BOARD),
        GiveCorners(corners=fractions(empty_shot(markers=False), list(empty_shot(markers=False).board))),
        empty_shot(markers=False).image,
    )
    shot = set_up_shot(markers=False)
    again = replace(before, profile=Profile(table="t", game="yu"))
    found = advance(again, FindBoard(), shot.image)
    assert found.trouble is None
    assert off(found, shot) < 0.03


@pytest.mark.parametrize(
    ("corners", "trouble"),
    [
        (((0.9, 0.1), (0.1, 0.1), (0.1, 0.9), (0.9, 0.9)), "register.mirrored"),
        (((0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)), "register.bad-corners"),
        (((float("nan"), 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)), "register.bad-corners"),
        (((0.1, 0.1), (0.9, 0.1)), "register.bad-corners"),
    ],
)
def test_corners_that_make_no_board_are_refused(
    corners: tuple[tuple[float, float], ...], trouble: str
) -> None:
    state = replace(fresh(), step=Step.BOARD)
    after = advance(state, GiveCorners(corners=corners), empty_shot().image)
    assert after.trouble == Said.of(trouble)
    assert after.profile == state.profile


def test_zones_make_room_for_the_markers_and_stay_in_view() -> None:
    shot = empty_shot()
    state = advance(at(Step.BOARD, shot), Next(), shot.image)
    assert state.step is Step.ZONES
    pose = pose_in(state, shot.image)
    assert pose is not None
    main = state.layout.zone(ZoneId("main")).rect
    assert main != game().layout.zone(ZoneId("main")).rect, "a marker's paper lies where it was"
    for place in state.profile.markers:
        assert not any(main.x0 < x < main.x1 and main.y0 < y < main.y1 for x, y in place.corners)
    assert pose.in_view(main)


def test_a_dragged_zone_stays_where_the_player_put_it() -> None:
    shot = empty_shot()
    state = advance(at(Step.BOARD, shot), Next(), shot.image)
    pose = pose_in(state, shot.image)
    assert pose is not None
    place = fractions(shot, pose.project([(0.65, 0.66)]).tolist())[0]
    state = advance(state, DragZone(zone=ZoneId("supply"), at=place), shot.image)
    assert state.trouble is None
    assert state.layout.zone(ZoneId("supply")).rect.centre == pytest.approx((0.65, 0.66), abs=0.002)
    again = advance(advance(state, Back(), shot.image), Next(), shot.image)
    assert again.layout.zone(ZoneId("supply")) == state.layout.zone(ZoneId("supply"))


@pytest.mark.parametrize(
    ("zone", "rect", "trouble"),
    [
        ("row-1", Rect(0, 0.6, 0.2, 0.9), "zone-fixed"),
        ("nowhere", Rect(0, 0.6, 0.2, 0.9), "zone-fixed"),
        ("draw", Rect(-0.5, 0.6, -0.45, 0.9), "zone-small"),
        ("supply", Rect(0.2, 0.1, 0.6, 0.4), "zone-on-board"),
        ("supply", Rect(90, 90, 91, 91), "zone-far"),
    ],
)
def test_a_zone_goes_only_where_it_can_be(zone: str, rect: Rect, trouble: str) -> None:
    state = at(Step.ZONES, empty_shot())
    after = advance(state, MoveZone(zone=ZoneId(zone), rect=rect), empty_shot().image)
    assert after.trouble == Said.of(f"calibrate.trouble.{trouble}")
    assert after.profile == state.profile


def test_two_pieces_of_one_colour_are_told() -> None:
    shot = set_up_shot()
    state = at(Step.COLOURS, shot)
    piece = next(piece for piece in shot.pieces if piece.kind == "red" and piece.visible > 0.8)
    place = fractions(shot, [piece.base])[0]
    for kind in state.table.taps:
        state = advance(state, TapPiece(piece=kind, at=place), shot.image)
    shown = view(state, shot.image)
    assert not shown.passable
    assert "calibrate.check.alike" in {check.said.key for check in shown.checks}


def test_pieces_facts_and_answers_that_do_not_exist_are_refused() -> None:
    shot = empty_shot()
    state = at(Step.FACTS, shot)
    for event in (
        TapPiece(piece=PieceKind("dragon"), at=(0.5, 0.5)),
        ConfirmFact(key="farm.9", value="white"),
        ConfirmFact(key="farm.1", value="a dragon"),
        MeasureLens(),
    ):
        after = advance(state, event, shot.image)
        assert after.trouble is not None
        assert after.profile == state.profile


def test_what_is_asked_is_exactly_what_the_board_file_assumes() -> None:
    board = shipped_board()
    asked = {fact.key: fact for fact in game_table().facts}
    assert set(asked) == set(board.assumed())
    for key, fact in asked.items():
        assert fact.options[0] == board.facts[key].value
        for value in fact.options:
            board.confirmed({key: value})


def on_the_table(sheet: BgrImage) -> BgrImage:
    """An empty table with nothing but a printed sheet on it."""
    picture = np.full((1080, 1920, 3), (60, 80, 40), np.uint8)
    scale = 1000 / sheet.shape[0]
    small = cv2.resize(sheet, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture[40 : 40 + small.shape[0], 600 : 600 + small.shape[1]] = small
    return picture


@pytest.mark.parametrize(
    ("sheet", "trouble"),
    [
        (marker_sheet(Paper.A4, "yu", TEXT), "calibrate.trouble.markers-sheet"),
        (lens_sheet(Paper.A4, "yu", TEXT), "calibrate.trouble.lens-sheet"),
    ],
)
def test_a_whole_sheet_instead_of_the_board_is_told_by_its_code(sheet: Sheet, trouble: str) -> None:
    state = replace(fresh(), step=Step.BOARD)
    after = advance(state, FindBoard(), on_the_table(picture_of(sheet, 6.0)))
    assert after.trouble == Said.of(trouble)
    assert after.profile == state.profile


def foreign_code() -> BgrImage:
    cells = np.array(list(segno.make("https://example.org/floodwatch:sheet").matrix_iter(scale=8, border=4)))
    return np.repeat(np.where(cells > 0, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


@pytest.mark.parametrize("missing", [0, 2])
def test_three_markers_printed_at_97_per_cent_among_codes_of_other_programs_are_enough(missing: int) -> None:
    board = game().layout.board
    papers = list(corner_papers(board, BOARD_MM / 0.97))
    del papers[missing]
    papers.append((Rect(0.4, -0.15, 0.5, -0.05), foreign_code()))
    shot = scene_with(tuple(papers)).shoot_view(TableView(()), 1)
    state = replace(fresh(), step=Step.BOARD)
    assert view(state, shot.image).checks[0].good
    after = advance(state, FindBoard(), shot.image)
    assert after.trouble is None
    assert off(after, shot) < 0.03  # a thick board is still taken at its foot


def test_two_markers_are_too_few_and_the_step_says_which_are_seen() -> None:
    papers = tuple(corner_papers(game().layout.board, BOARD_MM)[:2])
    image = scene_with(papers).shoot_view(TableView(()), 1).image
    state = replace(fresh(), step=Step.BOARD)
    check = view(state, image).checks[0]
    assert not check.good
    assert check.said == Said.of("calibrate.check.markers", n=2, which="1, 2")
    after = advance(state, FindBoard(), image)
    assert after.trouble == Said.of("register.few-markers")
    assert after.profile == state.profile


def test_codes_of_other_programs_change_nothing_about_a_missing_board() -> None:
    code = foreign_code()
    picture = np.full((720, 1280, 3), (60, 80, 40), np.uint8)
    picture[100 : 100 + code.shape[0], 200 : 200 + code.shape[1]] = code
    after = advance(replace(fresh(), step=Step.BOARD), FindBoard(), picture)
    assert after.trouble == Said.of("register.no-markers")


def test_in_a_mirrored_picture_the_board_is_not_found_and_the_mirror_is_named() -> None:
    mirrored = np.ascontiguousarray(empty_shot().image[:, ::-1])
    after = advance(replace(fresh(), step=Step.BOARD), FindBoard(), mirrored)
    assert after.trouble == Said.of("register.mirrored")


def test_a_spot_of_the_board_is_shown_as_it_was_before_pieces_stood_on_it() -> None:
    state = at(Step.FACTS, empty_shot())
    before = {crop.key: crop.picture for crop in view(state, empty_shot().image).crops}
    now = {crop.key: crop.picture for crop in view(state, set_up_shot().image).crops}
    assert before.keys() == now.keys()
    assert all((before[key] == now[key]).all() for key in before)
