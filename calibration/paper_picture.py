"""The same drawings as a picture: what a printed sheet looks like, for previews and tests."""

import itertools

import cv2
import numpy as np

from calibration.paper import Box, Sheet, Stroke, Words, text_width
from vision.frame import BgrImage, GrayImage

_FINE = 3
"""Drawn so many times larger and then averaged, so that boxes keep their exact sizes."""


def picture_of(sheet: Sheet, pixels_per_mm: float = 6.0) -> BgrImage:
    width, height = round(sheet.width_mm * pixels_per_mm), round(sheet.height_mm * pixels_per_mm)
    scale = pixels_per_mm * _FINE
    canvas = np.full((height * _FINE, width * _FINE), 255, np.uint8)
    for drawing in sheet.drawings:
        tone = round(255 * drawing.grey)
        if isinstance(drawing, Box):
            x0, y0 = round(drawing.x * scale), round(drawing.y * scale)
            x1, y1 = round((drawing.x + drawing.width) * scale), round((drawing.y + drawing.height) * scale)
            canvas[y0:y1, x0:x1] = tone
        elif isinstance(drawing, Stroke):
            _stroke(canvas, drawing, scale, tone)
        else:
            _words(canvas, drawing, scale, tone)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8)


def _stroke(canvas: GrayImage, stroke: Stroke, scale: float, tone: int) -> None:
    points = np.round(np.array(stroke.points) * scale - 0.5).astype(np.int32)
    if stroke.filled:
        cv2.fillPoly(canvas, [points], tone)
        return
    thick = max(1, round(stroke.width * scale))
    for start, end in itertools.pairwise(points):
        parts = max(1, round(float(np.hypot(*(end - start))) / (2.2 * scale))) if stroke.dashed else 1
        for part in range(parts):
            a, b = part / parts, (part + (0.55 if stroke.dashed else 1.0)) / parts
            ends = [np.round(start + share * (end - start)).astype(int).tolist() for share in (a, b)]
            cv2.line(canvas, ends[0], ends[1], tone, thick)


def _words(canvas: GrayImage, words: Words, scale: float, tone: int) -> None:
    face = cv2.FONT_HERSHEY_DUPLEX if words.bold else cv2.FONT_HERSHEY_SIMPLEX
    plain = words.text.translate(_PLAIN).encode("ascii", "replace").decode()
    wanted = text_width(words.text, words.height, bold=words.bold) * scale
    (width, _), _ = cv2.getTextSize(plain, face, 1.0, 1)
    x = words.x * scale - (wanted / 2 if words.centred else 0)
    place = (round(x), round(words.y * scale))
    cv2.putText(canvas, plain, place, face, wanted / max(width, 1), tone, 1, cv2.LINE_AA)


_PLAIN = str.maketrans("’“”·…×é", '\'""-.xe')
