"""How well the table can be seen: focus, glare, darkness, distance and tilt, as measures and as advice."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.pose import Pose
from vision.rectify import Rectifier, grown
from vision.table import TableLayout, Zone, ZoneId

_CARD_PX = 160.0
"""Zones are judged at this many pixels per card width, so that measures compare between cameras."""
_GLANCE_PX = 1280
_FAINTEST_EDGE = 20.0
_FEWEST_EDGES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class LightLimits:
    blurred_above: float = 1.75
    """Of `ZoneLight.blur_px`: sharp photographs have 1.0 to 1.3, from 2 on small digits run together."""
    glare_above: float = 0.015
    dark_below: float = 45.0
    bright_above: float = 225.0
    digit_height: float = 0.045
    """Of a card's height: the stone's number."""
    digit_px_below: float = 10.0
    tilt_above: float = 50.0


LIMITS = LightLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneLight:
    zone: ZoneId
    mean: float
    blur_px: float | None
    """How wide the sharpest edges are (standard deviation); None where nothing is printed."""
    glare: float
    """The part of the zone that is burnt out."""
    glare_at: tuple[float, float] | None
    """The centre of the largest burnt-out blob, in board units."""
    digit_px: float
    """How high a stone's digits appear in the frame, in the direction that is shortest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing to mend: a message key such as `sight.glare`, and where."""

    key: str
    zones: tuple[ZoneId, ...] = ()
    value: float = 0.0
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LightReport:
    zones: tuple[ZoneLight, ...]
    tilt_deg: float
    advice: tuple[Advice, ...]


def measure_light(
    image: BgrImage,
    pose: Pose,
    layout: TableLayout,
    rectifier: Rectifier | None = None,
    limits: LightLimits = LIMITS,
) -> LightReport:
    """Measures every zone in view, and says what is worth mending, the worst place first."""
    rectifier = rectifier or Rectifier()
    seen = [zone for zone in layout.zones if pose.in_view(zone.rect)]
    zones = tuple(measure_zone(image, pose, layout, zone, rectifier, limits) for zone in seen)
    tilt = pose.tilt_at(layout.board.centre)
    return LightReport(zones=zones, tilt_deg=tilt, advice=_advice(zones, tilt, limits))


def glance(image: BgrImage, limits: LightLimits = LIMITS) -> tuple[str | None, float]:
    """What is worst about a picture of which nothing is known, in one word, and how bright it is."""
    scale = _GLANCE_PX / max(image.shape[:2])
    small = np.asarray(cv2.resize(image, None, fx=min(1.0, scale), fy=min(1.0, scale)), np.uint8)
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean = float(gray.mean())
    if mean < limits.dark_below:
        return "dark", mean
    if mean > limits.bright_above:
        return "bright", mean
    if _glare(small)[0] > limits.glare_above:
        return "glare", mean
    blur = _blur(gray)
    return ("blur" if blur is not None and blur > limits.blurred_above else None), mean


def measure_zone(
    image: BgrImage,
    pose: Pose,
    layout: TableLayout,
    zone: Zone,
    rectifier: Rectifier,
    limits: LightLimits = LIMITS,
) -> ZoneLight:
    scale = min(_CARD_PX / layout.card_width, pose.scale_at(zone.rect.centre)[0])
    flat = rectifier.rectify(image, pose, grown(zone.rect, 0.002), scale)
    gray = cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    burnt, blob = _glare(flat.image)
    _, shortest = pose.scale_at(zone.rect.centre)
    return ZoneLight(
        zone=zone.id,
        mean=float(gray.mean()),
        blur_px=_blur(gray),
        glare=burnt,
        glare_at=None if blob is None else _as_pair(flat.to_board(np.array([blob]))[0]),
        digit_px=limits.digit_height * layout.card_height * shortest,
    )


def digit_height_px(pose: Pose, layout: TableLayout, zone: Zone, limits: LightLimits = LIMITS) -> float:
    """How high the stone's digits of a card in this zone appear in the frame."""
    return limits.digit_height * layout.card_height * pose.scale_at(zone.rect.centre)[1]


def _blur(gray: NDArray[np.float32]) -> float | None:
    """The width of the sharpest edges.

    A step of height h blurred by σ is nowhere steeper than h / (σ √2π), so height and steepness of an
    edge give σ whatever is printed; the variance of a Laplacian would only compare like with like.
    """
    soft = cv2.GaussianBlur(gray, (0, 0), 0.8)
    steep = cv2.magnitude(*(cv2.Sobel(soft, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1))))
    around = np.ones((9, 9), np.uint8)
    step = cv2.dilate(soft, around) - cv2.erode(soft, around)
    crest = steep >= 0.999 * cv2.dilate(steep, np.ones((3, 3), np.uint8))
    edges = crest & (step > max(_FAINTEST_EDGE, 0.5 * float(np.quantile(step, 0.95))))
    if np.count_nonzero(edges) < _FEWEST_EDGES:
        return None
    return float(np.quantile(step[edges] / (steep[edges] * np.sqrt(2 * np.pi)), 0.2))


def _glare(image: BgrImage) -> tuple[float, tuple[float, float] | None]:
    """Blobs that are burnt out without colour; white print has grey in it, so specks do not count."""
    low, high = image.min(axis=2), image.max(axis=2)
    burnt = ((low >= 246) & (high - low < 9)).astype(np.uint8)
    burnt = np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    if not burnt.any():
        return 0.0, None
    count, _, stats, centres = cv2.connectedComponentsWithStats(burnt)
    largest = 1 + int(stats[1:count, cv2.CC_STAT_AREA].argmax())
    return float(burnt.mean()), _as_pair(centres[largest])


def _advice(zones: tuple[ZoneLight, ...], tilt: float, limits: LightLimits) -> tuple[Advice, ...]:
    advice = []
    if zones:
        mean = float(np.median([zone.mean for zone in zones]))
        if mean < limits.dark_below:
            advice.append(Advice(key="sight.dark", value=mean))
        elif mean > limits.bright_above:
            advice.append(Advice(key="sight.bright", value=mean))
    glaring = sorted(
        (zone for zone in zones if zone.glare > limits.glare_above), key=lambda zone: -zone.glare
    )
    if glaring:
        names = tuple(zone.zone for zone in glaring)
        advice.append(Advice(key="sight.glare", zones=names, value=glaring[0].glare, at=glaring[0].glare_at))
    blurred = sorted(((zone.blur_px or 0.0, zone.zone) for zone in zones), reverse=True)
    blurred = [(width, zone) for width, zone in blurred if width > limits.blurred_above]
    if blurred:
        advice.append(Advice(key="sight.blur", zones=tuple(zone for _, zone in blurred), value=blurred[0][0]))
    far = sorted(
        (zone for zone in zones if zone.digit_px < limits.digit_px_below), key=lambda zone: zone.digit_px
    )
    if far:
        advice.append(Advice(key="sight.far", zones=tuple(zone.zone for zone in far), value=far[0].digit_px))
    if tilt > limits.tilt_above:
        advice.append(Advice(key="sight.tilt", value=tilt))
    return tuple(advice)


def _as_pair(point: NDArray[np.float64]) -> tuple[float, float]:
    return float(point[0]), float(point[1])
