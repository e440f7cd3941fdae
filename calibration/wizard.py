"""The wizard: what a player's answer makes of the set-up, step by step, left and resumed at will."""

from collections.abc import Callable
from dataclasses import replace

from calibration.codes import find_sheet
from calibration.colours import colour_at
from calibration.locating import Located, locate_board, locate_from_corners, measured_lens
from calibration.profile import ConfirmedFact, LearntColour, MovedZone
from calibration.step_views import view
from calibration.steps import (
    STEPS,
    Back,
    ChooseCamera,
    ConfirmFact,
    DragZone,
    Event,
    FindBoard,
    GiveCorners,
    MeasureLens,
    MoveZone,
    Next,
    Said,
    Step,
    TapPiece,
)
from calibration.wizard_state import WizardState, pose_in
from calibration.zones import fit_zones, problem_of_move
from vision.frame import BgrImage
from vision.pose import Pose
from vision.table import Rect


def advance(state: WizardState, event: Event, image: BgrImage | None) -> WizardState:
    """The state after an answer of the player; one that cannot be used leaves all as it was and says why."""
    state = replace(state, trouble=None)
    if isinstance(event, Next):
        return _next(state, event, image)
    if isinstance(event, Back):
        index = STEPS.index(state.step)
        return replace(state, step=STEPS[max(index - 1, 0)])
    if isinstance(event, ChooseCamera):
        return _changed(state, camera=event.source.strip()[:1000] or None)
    if image is None:
        return _troubled(state, "calibrate.check.no-picture")
    answers: dict[type, Callable[..., WizardState]] = {
        FindBoard: _find_board,
        GiveCorners: _give_corners,
        MeasureLens: _measure_lens,
        MoveZone: _move_zone,
        DragZone: _drag_zone,
        TapPiece: _tap_piece,
        ConfirmFact: _confirm_fact,
    }
    return answers[type(event)](state, event, image)


def _next(state: WizardState, event: Next, image: BgrImage | None) -> WizardState:
    shown = view(state, image)
    if not shown.passable and not (event.anyway and shown.may_skip):
        return _troubled(state, "calibrate.trouble.not-yet")
    passed = tuple(dict.fromkeys((*state.profile.passed, state.step.value)))
    index = STEPS.index(state.step)
    after = replace(
        state, profile=replace(state.profile, passed=passed), step=STEPS[min(index + 1, len(STEPS) - 1)]
    )
    return _entered(after, image)


def _entered(state: WizardState, image: BgrImage | None) -> WizardState:
    """What a step finds out by itself before it asks."""
    if image is None:
        return state
    pose = pose_in(state, image)
    if state.step is Step.BOARD and pose is None:
        found = _find_board(state, FindBoard(), image)
        return replace(found, trouble=None)
    if state.step is Step.ZONES and pose is not None:
        papers = [_bounds(place.corners) for place in state.profile.markers]
        kept = [moved.zone for moved in state.profile.zones if str(moved.zone) in state.dragged]
        return _moved(state, fit_zones(state.layout, pose, papers, kept))
    return state


def _find_board(state: WizardState, _event: FindBoard, image: BgrImage) -> WizardState:
    board = state.table.layout.board
    located = locate_board(image, board, state.board_picture, state.measured)
    sheet = find_sheet(image) if located.registration.pose is None else None
    if sheet is not None:
        return _troubled(state, f"calibrate.trouble.{sheet.kind}-sheet")
    return _located(state, located, image)


def _give_corners(state: WizardState, event: GiveCorners, image: BgrImage) -> WizardState:
    height, width = image.shape[:2]
    pixels = tuple((x * width - 0.5, y * height - 0.5) for x, y in event.corners)
    board = state.table.layout.board
    return _located(state, locate_from_corners(image, pixels, board, state.measured), image)


def _located(state: WizardState, located: Located, image: BgrImage) -> WizardState:
    lost = located.registration.lost
    if lost is not None:
        return _troubled(state, lost.value)
    profile = located.kept_in(state.profile, image, state.table.layout.board)
    return replace(state, profile=profile, board_picture=located.board_picture)


def _measure_lens(state: WizardState, _event: MeasureLens, image: BgrImage) -> WizardState:
    lens = measured_lens(image)
    if lens is None:
        return _troubled(state, "calibrate.trouble.no-lens-sheet")
    return replace(_changed(state, lens=lens, corners=None), measured=lens)


def _move_zone(state: WizardState, event: MoveZone, _image: BgrImage) -> WizardState:
    problem = problem_of_move(state.layout, event.zone, event.rect)
    if problem is not None:
        return _troubled(state, f"calibrate.trouble.zone-{problem}")
    moved = _moved(state, (MovedZone(zone=event.zone, rect=event.rect),))
    return replace(moved, dragged=moved.dragged | {str(event.zone)})


def _drag_zone(state: WizardState, event: DragZone, image: BgrImage) -> WizardState:
    pose = pose_in(state, image)
    zone = next((zone for zone in state.layout.zones if zone.id == event.zone), None)
    if pose is None or zone is None:
        return _troubled(state, "calibrate.trouble.zone-fixed")
    x, y = _on_table(pose, event.at)
    half_w, half_h = zone.rect.width / 2, zone.rect.height / 2
    rect = Rect(x - half_w, y - half_h, x + half_w, y + half_h)
    return _move_zone(state, MoveZone(zone=event.zone, rect=rect), image)


def _tap_piece(state: WizardState, event: TapPiece, image: BgrImage) -> WizardState:
    pose = pose_in(state, image)
    if pose is None or event.piece not in state.table.taps:
        return _troubled(state, "calibrate.trouble.no-such-piece")
    x, y = _on_table(pose, event.at)
    learnt = LearntColour(piece=event.piece, rgb=colour_at(image, pose, x, y))
    others = tuple(colour for colour in state.profile.colours if colour.piece != event.piece)
    return _changed(state, colours=(*others, learnt))


def _confirm_fact(state: WizardState, event: ConfirmFact, _image: BgrImage) -> WizardState:
    fact = next((fact for fact in state.table.facts if fact.key == event.key), None)
    if fact is None or event.value not in fact.options:
        return _troubled(state, "calibrate.trouble.no-such-fact")
    others = tuple(known for known in state.profile.facts if known.key != event.key)
    return _changed(state, facts=(*others, ConfirmedFact(key=event.key, value=event.value)))


def _moved(state: WizardState, zones: tuple[MovedZone, ...]) -> WizardState:
    new = {moved.zone for moved in zones}
    kept = tuple(moved for moved in state.profile.zones if moved.zone not in new)
    return _changed(state, zones=(*kept, *zones))


def _changed(state: WizardState, **values: object) -> WizardState:
    return replace(state, profile=replace(state.profile, **values))  # type: ignore[arg-type]


def _troubled(state: WizardState, key: str) -> WizardState:
    return replace(state, trouble=Said.of(key))


def _on_table(pose: Pose, at: tuple[float, float]) -> tuple[float, float]:
    pixel = (at[0] * pose.lens.width - 0.5, at[1] * pose.lens.height - 0.5)
    x, y = pose.unproject([pixel])[0]
    return float(x), float(y)


def _bounds(corners: tuple[tuple[float, float], ...], margin: float = 0.03) -> Rect:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)
