"""What each step of the wizard shows for the newest picture: a sentence, checks, marks and crops."""

import numpy as np

from calibration.colours import alike, icon_colours, mistaken
from calibration.light import outline_of, table_remarks, view_remarks
from calibration.steps import Check, Crop, Look, Mark, Said, Step, StepView, Swatch
from calibration.wizard_state import WizardState, bare_board, pose_in
from vision.frame import BgrImage
from vision.pose import Pose
from vision.rectify import grown, rectify
from vision.register import find_markers

_CROP_PX = 240.0


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
    printed = icon_colours(*bare_board(state, image, pose), state.table.icons, state.table.taps)
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
    board, above = bare_board(state, image, pose)
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
