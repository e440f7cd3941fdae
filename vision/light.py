"""How well the table can be seen: focus, glare, darkness, distance and tilt, as measures and as advice."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import BgrImage
from vision.pose import Pose
from vision.rectify import Rectifier, grown
from vision.table import TableLayout, Zone, ZoneId

_CARD_PX = 160.0
"""Zones are judged at this many pixels per card width, so that measures compare between cameras."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightLimits:
    blurred_below: float = 0.10
    """Of `ZoneLight.focus`; judged only where there is print to be sharp."""
    printed_above: float = 6.0
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
    focus: float
    """Fine detail as a part of all detail: falls towards 0 when out of focus, whatever is printed."""
    print: float
    """How much detail there is at all, in grey levels."""
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
    fine, coarse = _detail(gray)
    _, shortest = pose.scale_at(zone.rect.centre)
    return ZoneLight(
        zone=zone.id,
        mean=float(gray.mean()),
        focus=fine / max(coarse, 1e-3),
        print=coarse,
        glare=burnt,
        glare_at=None if blob is None else _as_pair(flat.to_board(np.array([blob]))[0]),
        digit_px=limits.digit_height * layout.card_height * shortest,
    )


def digit_height_px(pose: Pose, layout: TableLayout, zone: Zone, limits: LightLimits = LIMITS) -> float:
    """How high the stone's digits of a card in this zone appear in the frame."""
    return limits.digit_height * layout.card_height * pose.scale_at(zone.rect.centre)[1]


def _detail(gray: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> tuple[float, float]:
    """Spread of what only a sharp lens shows, and of all that is printed.

    The grain of the sensor is fine as well; it is measured where the picture is flattest and taken off.
    """
    soft = cv2.GaussianBlur(gray, (0, 0), 1.0)
    band = gray - soft
    coarse = float((gray - cv2.GaussianBlur(gray, (0, 0), 6.0)).std())
    local = cv2.boxFilter(band * band, -1, (7, 7))
    grain = float(np.quantile(local, 0.1))
    return float(np.sqrt(max(float((band * band).mean()) - grain, 0.0))), coarse


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
    printed = [zone for zone in zones if zone.print > limits.printed_above and zone.mean >= limits.dark_below]
    blurred = sorted(
        (zone for zone in printed if zone.focus < limits.blurred_below), key=lambda zone: zone.focus
    )
    if blurred:
        names = tuple(zone.zone for zone in blurred)
        advice.append(Advice(key="sight.blur", zones=names, value=blurred[0].focus))
    far = sorted(
        (zone for zone in zones if zone.digit_px < limits.digit_px_below), key=lambda zone: zone.digit_px
    )
    if far:
        advice.append(Advice(key="sight.far", zones=tuple(zone.zone for zone in far), value=far[0].digit_px))
    if tilt > limits.tilt_above:
        advice.append(Advice(key="sight.tilt", value=tilt))
    return tuple(advice)


def _as_pair(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[float, float]:
    return float(point[0]), float(point[1])
