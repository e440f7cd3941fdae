"""Draws a step's marks onto the camera's picture."""

import cv2
import numpy as np

from calibration.steps import Look, Outline, StepView
from vision.frame import BgrImage

_COLOURS = {
    Look.BOARD: (165, 139, 31),
    Look.ZONE: (115, 127, 47),
    Look.MOVABLE: (27, 138, 201),
    Look.PROBLEM: (38, 58, 185),
}
"""River, jade, gold and cinnabar, blue first."""


def drawn(image: BgrImage, view: StepView) -> BgrImage:
    """A copy of the picture; each look has its own line too, so that colour alone says nothing."""
    picture = image.copy()
    height, width = picture.shape[:2]
    thick = max(2, round(width / 640))
    for mark in view.marks:
        points = np.round(np.array(mark.outline) * (width, height) - 0.5).astype(np.int32)
        colour = _COLOURS[mark.look]
        if mark.look is Look.PROBLEM:
            tint = picture.copy()
            cv2.fillPoly(tint, [points], colour)
            cv2.addWeighted(tint, 0.35, picture, 0.65, 0, dst=picture)
        cv2.polylines(picture, [points], True, (245, 245, 245), thick * 2, cv2.LINE_AA)
        cv2.polylines(picture, [points], True, colour, thick, cv2.LINE_AA)
        if mark.label and mark.look in (Look.MOVABLE, Look.PROBLEM):
            _label(picture, mark.label, mark.outline, thick, colour)
    return picture


def jpeg_of(image: BgrImage, most_width: int = 1600) -> bytes:
    """For a page: no wider than a tablet can show."""
    height, width = image.shape[:2]
    if width > most_width:
        size = (most_width, round(height * most_width / width))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())


def _label(picture: BgrImage, text: str, outline: Outline, thick: int, colour: tuple[int, int, int]) -> None:
    height, width = picture.shape[:2]
    x, y = np.mean(np.array(outline), axis=0) * (width, height)
    size = 0.22 * thick
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, base = int(x - wide / 2), int(y + high / 2)
    cv2.rectangle(picture, (left - 4, base - high - 4), (left + wide + 4, base + 5), (245, 245, 245), -1)
    cv2.putText(picture, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
