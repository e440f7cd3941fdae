"""The wizard as a state machine: from an empty table to a profile, step by step, left and resumed at will."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.codes import find_sheet
from calibration.colours import alike, colour_at, icon_colours, mistaken
from calibration.gametable import GameTable
from calibration.light import outline_of, table_remarks, view_remarks
from calibration.locating import (
    Located,
    locate_board,
    locate_from_corners,
    measured_lens,
    pose_from_above,
)
from calibration.profile import ConfirmedFact, LearntColour, MovedZone, Profile, fitted_layout
from calibration.steps import (
    STEPS,
    Back,
    Check,
    ChooseCamera,
    ConfirmFact,
    Crop,
    DragZone,
    Event,
    FindBoard,
    GiveCorners,
    Look,
    Mark,
    MeasureLens,
    MoveZone,
    Next,
    Said,
    Step,
    StepView,
    Swatch,
    TapPiece,
)
from calibration.zones import fit_zones, problem_of_move
from vision.frame import BgrImage
from vision.pose import Lens, Pose
from vision.rectify import grown, rectify
from vision.register import find_markers, register_corners
from vision.table import Rect, TableLayout

_CROP_PX = 240.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WizardState:
    table: GameTable
    profile: Profile
    step: Step
    board_picture: BgrImage | None = None
    trouble: Said | None = None
    """Why the last answer of the player could not be used."""
    measured: Lens | None = None
    """The lens by its sheet; otherwise it is fitted whenever the board is found."""
    dragged: frozenset[str] = field(default_factory=frozenset)
    """Zones that the player put somewhere: they stay there."""

    @property
    def layout(self) -> TableLayout:
        return fitted_layout(self.table.layout, self.profile)


def start(table: GameTable, profile: Profile, board_picture: BgrImage | None = None) -> WizardState:
    """At the first step that is not behind the player."""
    step = next((step for step in STEPS if step.value not in profile.passed), Step.READY)
    dragged = frozenset(str(moved.zone) for moved in profile.zones)
    return WizardState(table=table, profile=profile, step=step, board_picture=board_picture, dragged=dragged)


def pose_in(state: WizardState, image: BgrImage) -> Pose | None:
    """Where the board is according to the profile, for pictures of this size."""
    lens, corners = state.profile.lens, state.profile.corners
    if lens is None or corners is None:
        return None
    found = register_corners(np.array(corners), state.table.layout.board, lens)
    height, width = image.shape[:2]
    if found.pose is None or abs(width / height - lens.width / lens.height) > 0.01 * width / height:
        return None
    return found.pose.resized(width, height)


# --- what is shown ---------------------------------------------------------------------------------------


def view(state: WizardState, image: BgrImage | None) -> StepView:
    """The step with a sentence, checks and marks for the newest picture; None: no picture has come yet."""
    if image is None or state.step is Step.CAMERA:
        return _camera_view(state, image)
    pose = pose_in(state, image)
    if state.step is Step.VIEW:
        return _view_view(image)
    if state.step is Step.BOARD:
        return _board_view(state, image, pose)
    if pose is None:
        said = Said.of("calibrate.step.board-lost")
        return StepView(step=state.step, said=said, passable=False, may_skip=False)
    shown = {
        Step.ZONES: _zones_view,
        Step.LIGHT: _light_view,
        Step.COLOURS: _colours_view,
        Step.FACTS: _facts_view,
        Step.READY: _ready_view,
    }
    return shown[state.step](state, image, pose)


def _camera_view(state: WizardState, image: BgrImage | None) -> StepView:
    checks = []
    if state.profile.camera is not None or image is not None:
        size = "" if image is None else f"{image.shape[1]} × {image.shape[0]}"
        good = image is not None
        said = (
            Said.of("calibrate.check.picture", size=size) if good else Said.of("calibrate.check.no-picture")
        )
        checks.append(Check(good=good, said=said))
    passable = image is not None
    said = Said.of("calibrate.step.camera")
    return StepView(step=state.step, said=said, checks=tuple(checks), passable=passable, may_skip=False)


def _view_view(image: BgrImage) -> StepView:
    remarks = view_remarks(image)
    checks = [
        Check(good=False, said=Said.of(f"calibrate.light.{remark.name}", n=round(remark.value)))
        for remark in remarks
    ]
    serious = any(remark.serious for remark in remarks)
    good = checks or [Check(good=True, said=Said.of("calibrate.check.view"))]
    return StepView(
        step=Step.VIEW,
        said=Said.of("calibrate.step.view"),
        checks=tuple(good),
        passable=not checks,
        may_skip=not serious,
    )


def _board_view(state: WizardState, image: BgrImage, pose: Pose | None) -> StepView:
    if pose is not None:
        mark = Mark(look=Look.BOARD, outline=outline_of(pose, state.table.layout.board))
        check = Check(good=True, said=Said.of("calibrate.check.board"))
        return StepView(
            step=Step.BOARD,
            said=Said.of("calibrate.step.board-found"),
            checks=(check,),
            marks=(mark,),
            may_skip=False,
        )
    gray = np.asarray(image[..., 1], np.uint8)
    seen = sorted({marker.id + 1 for marker in find_markers(gray) if marker.id < 4})
    said = Said.of("calibrate.check.markers", n=len(seen), which=", ".join(map(str, seen)))
    return StepView(
        step=Step.BOARD,
        said=Said.of("calibrate.step.board"),
        checks=(Check(good=len(seen) >= 3, said=said),),
        passable=False,
        may_skip=False,
    )


def _zones_view(state: WizardState, _image: BgrImage, pose: Pose) -> StepView:
    layout = state.layout
    marks = [Mark(look=Look.BOARD, outline=outline_of(pose, layout.board))]
    checks = []
    for zone in layout.zones:
        in_view = pose.in_view(zone.rect)
        if not in_view:
            said = Said.of("calibrate.check.out-of-view", zone=str(zone.id))
            checks.append(Check(good=zone.optional, said=said))
        if pose.faces(zone.rect):
            look = Look.PROBLEM if not in_view else Look.MOVABLE if zone.movable else Look.ZONE
            marks.append(Mark(look=look, outline=outline_of(pose, zone.rect), label=str(zone.id)))
    if all(check.good for check in checks):
        checks.append(Check(good=True, said=Said.of("calibrate.check.zones")))
    return StepView(
        step=Step.ZONES,
        said=Said.of("calibrate.step.zones"),
        checks=tuple(checks),
        marks=tuple(marks),
        passable=all(check.good for check in checks),
    )


def _light_view(state: WizardState, image: BgrImage, pose: Pose) -> StepView:
    remarks = table_remarks(image, pose, state.layout)
    checks = [
        Check(
            good=False,
            said=Said.of(f"calibrate.light.{remark.name}", n=round(remark.value), zones=_few(remark.zones)),
        )
        for remark in remarks
    ]
    marks = [Mark(look=Look.PROBLEM, outline=outline) for remark in remarks for outline in remark.outlines]
    good = checks or [Check(good=True, said=Said.of("calibrate.check.light"))]
    return StepView(
        step=Step.LIGHT,
        said=Said.of("calibrate.step.light"),
        checks=tuple(good),
        marks=tuple(marks),
        passable=not checks,
    )


def _colours_view(state: WizardState, image: BgrImage, pose: Pose) -> StepView:
    known = {colour.piece: colour.rgb for colour in state.profile.colours}
    swatches = tuple(Swatch(piece=kind, rgb=known.get(kind)) for kind in state.table.taps)
    wanted = any(swatch.rgb is None for swatch in swatches)
    pairs = alike(state.profile.colours)
    checks = [
        Check(good=False, said=Said.of("calibrate.check.alike", one=str(one), other=str(other)))
        for one, other in pairs
    ]
    printed = icon_colours(*_bare_board(state, image, pose), state.table.icons, state.table.taps)
    odd = () if alike(printed) else mistaken(state.profile.colours, printed)
    checks += [
        Check(good=False, said=Said.of("calibrate.check.mistaken", one=str(one), other=str(other)))
        for one, other in odd
    ]
    learnt = Said.of("calibrate.check.colours", n=len(known), of=len(state.table.taps))
    checks.append(Check(good=not wanted, said=learnt))
    return StepView(
        step=Step.COLOURS,
        said=Said.of("calibrate.step.colours" if wanted else "calibrate.step.colours-learnt"),
        checks=tuple(checks),
        swatches=swatches,
        passable=not wanted and not pairs and not odd,
    )


def _facts_view(state: WizardState, image: BgrImage, pose: Pose) -> StepView:
    known = state.profile.confirmed()
    board, above = _bare_board(state, image, pose)
    crops = []
    for fact in state.table.facts:
        area = grown(fact.place, 0.01)
        picture = rectify(board, above, area, _CROP_PX / max(area.width, area.height)).image
        answer = known.get(fact.key)
        crops.append(Crop(key=fact.key, picture=picture, options=fact.options, answer=answer, zone=fact.zone))
    left = sum(fact.key not in known for fact in state.table.facts)
    said = Said.of("calibrate.check.facts", n=left)
    return StepView(
        step=Step.FACTS,
        said=Said.of("calibrate.step.facts"),
        checks=(Check(good=left == 0, said=said),),
        crops=tuple(crops),
        passable=left == 0,
    )


def _ready_view(state: WizardState, image: BgrImage, pose: Pose) -> StepView:
    left = len(table_remarks(image, pose, state.layout))
    layout = state.layout
    marks = [Mark(look=Look.BOARD, outline=outline_of(pose, layout.board))]
    marks += [
        Mark(look=Look.ZONE, outline=outline_of(pose, zone.rect), label=str(zone.id))
        for zone in layout.zones
        if pose.in_view(zone.rect)
    ]
    check = Check(good=left == 0, said=Said.of("calibrate.check.left", n=left))
    said = Said.of("calibrate.step.ready", table=state.profile.table)
    return StepView(step=Step.READY, said=said, checks=(check,), marks=tuple(marks), passable=False)


def _few(zones: tuple[str, ...], most: int = 4) -> str:
    return ", ".join(zones[:most]) + (" …" if len(zones) > most else "")


# --- what the player does --------------------------------------------------------------------------------


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


def _bare_board(state: WizardState, image: BgrImage, pose: Pose) -> tuple[BgrImage, Pose]:
    """The board as it lay there empty, where it was seen so: later pieces stand on what is printed."""
    if state.board_picture is None:
        return image, pose
    return state.board_picture, pose_from_above(state.board_picture, state.table.layout.board)


def _on_table(pose: Pose, at: tuple[float, float]) -> tuple[float, float]:
    pixel = (at[0] * pose.lens.width - 0.5, at[1] * pose.lens.height - 0.5)
    x, y = pose.unproject([pixel])[0]
    return float(x), float(y)


def _bounds(corners: tuple[tuple[float, float], ...], margin: float = 0.03) -> Rect:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)
