"""What to do about the light and the view, in words and on the picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import BgrImage
from vision.light import LIMITS, LightLimits, measure_light
from vision.pose import Pose
from vision.table import Rect, TableLayout, ZoneId

FEWEST_WIDE = 1280
"""A narrower picture shows digits too small unless the camera is very near."""
_WORK_PX = 640
_GLARE_SIZE = 0.06
_MOST_MARKED = 4
"""So many places are marked for one remark, the worst; more would cover the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One thing to mend: `calibrate.light.<name>` says what is wrong and what to do."""

    name: str
    value: float = 0.0
    zones: tuple[ZoneId, ...] = ()
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Where, as fractions of the picture's width and height."""
    serious: bool = False
    """Nothing can be read like this."""


def view_remarks(image: BgrImage, limits: LightLimits = LIMITS) -> tuple[Remark, ...]:
    """About the whole picture, before anyone knows where the board is."""
    height, width = image.shape[:2]
    small = cv2.resize(
        image, (_WORK_PX, max(1, round(height * _WORK_PX / width))), interpolation=cv2.INTER_AREA
    )
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    remarks = []
    mean = float(gray.mean())
    if mean < limits.dark_below:
        remarks.append(Remark(name="dark", value=mean, serious=mean < 15))
    elif mean > limits.bright_above:
        remarks.append(Remark(name="bright", value=mean, serious=mean > 245))
    if float(gray.std()) < 4:
        remarks.append(Remark(name="blank", serious=True))
    if width < FEWEST_WIDE:
        remarks.append(Remark(name="small", value=float(width)))
    return tuple(remarks)


def table_remarks(
    image: BgrImage, pose: Pose, layout: TableLayout, limits: LightLimits = LIMITS
) -> tuple[Remark, ...]:
    """About every zone in view, the worst first."""
    report = measure_light(image, pose, layout, limits=limits)
    by_id = {zone.id: zone.rect for zone in layout.zones}
    with_digits = {zone.id for zone in layout.zones if zone.cards}
    remarks = []
    for advice in report.advice:
        zones = advice.zones
        if advice.key == "sight.far":
            zones = tuple(zone for zone in zones if zone in with_digits)
            if not zones:
                continue
        rects = [by_id[zone] for zone in zones[:_MOST_MARKED]]
        if advice.at is not None:
            x, y = advice.at
            half = _GLARE_SIZE / 2
            rects = [Rect(x - half, y - half, x + half, y + half)]
        remarks.append(
            Remark(
                name=advice.key.removeprefix("sight."),
                value=advice.value,
                zones=zones,
                outlines=tuple(outline_of(pose, rect) for rect in rects),
            )
        )
    return tuple(remarks)


def outline_of(pose: Pose, rect: Rect) -> tuple[tuple[float, float], ...]:
    """The rim of a rectangle as fractions of the picture, with points between: lenses bend."""
    size = np.array([pose.lens.width, pose.lens.height], np.float64)
    return tuple((float(x), float(y)) for x, y in (pose.outline(rect) + 0.5) / size)
