"""What the tablet may see of the camera: kept with every frame, drawn only when somebody asks."""

import threading
from dataclasses import dataclass

from assistant.kit import Game, Message
from assistant.sight import CameraPicture, Outline, SightState, ZoneSight
from vision.frame import Frame
from vision.image import encode_jpeg
from vision.light import LightReport, measure_light
from vision.observation import Observation, Sight
from vision.observe import Eye
from vision.pose import Points, Pose
from vision.rectify import grown, rectify
from vision.table import ZoneId

LIGHT_FOR_S = 2.0
"""Light is measured no more often than this."""
CROP_PX_PER_UNIT = 1500.0
CROP_MOST_PX = 480
_MARGIN = 0.012
_STATES = {
    Sight.SEEN: SightState.CALM,
    Sight.MOVING: SightState.MOVING,
    Sight.HIDDEN: SightState.HIDDEN,
    Sight.UNREADABLE: SightState.UNREADABLE,
}


@dataclass(frozen=True, slots=True)
class _Seen:
    frame: Frame
    observation: Observation
    pose: Pose | None
    hands: tuple[Outline, ...]


class WatchedCamera:
    """The `CameraView` of a watched table. The watch shows it frames, any thread may ask."""

    def __init__(self, game: Game[object, object], eye: Eye) -> None:
        self._game = game
        self._eye = eye
        self._lock = threading.Lock()
        self._newest: _Seen | None = None
        self._light: tuple[float, LightReport] | None = None

    def look_through(self, eye: Eye) -> None:
        """Another eye looks at the same table from now on."""
        self._eye = eye

    def show(self, frame: Frame, observation: Observation) -> None:
        """Called by the watch with every frame: keeps it, and does no work."""
        seen = _Seen(frame, observation, self._eye.pose, self._eye.hands())
        with self._lock:
            self._newest = seen

    def picture(self) -> CameraPicture | None:
        with self._lock:
            seen = self._newest
        if seen is None:
            return None
        light = self._light_of(seen)
        height, width = seen.frame.image.shape[:2]
        blurs = [zone.blur_px for zone in light.zones if zone.blur_px is not None] if light else []
        means = [zone.mean for zone in light.zones] if light else []
        return CameraPicture(
            number=seen.frame.index + 1,
            at=seen.frame.captured_at,
            jpeg=encode_jpeg(seen.frame.image),
            width=width,
            height=height,
            zones=self._zones(seen),
            cards=tuple(
                tuple((x / width, y / height) for x, y in card.quad)
                for sighting in seen.observation.zones
                for card in sighting.cards
                if card.quad and card.guesses and card.guesses[0].look.value != "empty"
            ),
            hands=seen.hands,
            sharpness=_share(2.5 - sorted(blurs)[len(blurs) // 2], 1.3) if blurs else 0.0,
            brightness=_share(sorted(means)[len(means) // 2], 120.0) if means else 0.0,
            advice=tuple(Message.of(f"{advice.key}-advice") for advice in light.advice) if light else (),
        )

    def crop(self, zone: ZoneId) -> bytes | None:
        with self._lock:
            seen = self._newest
        if seen is None or seen.pose is None:
            return None
        return crop_of(self._game, seen.frame, seen.pose, zone)

    def _zones(self, seen: _Seen) -> tuple[ZoneSight, ...]:
        if seen.pose is None:
            return ()
        pose = seen.pose
        return tuple(
            ZoneSight(
                zone=sighting.zone,
                outline=_fractions(pose.outline(self._game.layout.zone(sighting.zone).rect), pose),
                state=_STATES[sighting.sight],
                why=Message.of(sighting.why) if sighting.why else None,
            )
            for sighting in seen.observation.zones
            if pose.faces(self._game.layout.zone(sighting.zone).rect)
        )

    def _light_of(self, seen: _Seen) -> LightReport | None:
        if seen.pose is None:
            return None
        known = self._light
        if known is None or seen.frame.captured_at - known[0] >= LIGHT_FOR_S:
            report = measure_light(seen.frame.image, seen.pose, self._game.layout)
            self._light = known = (seen.frame.captured_at, report)
        return known[1]


def crop_of(game: Game[object, object], frame: Frame, pose: Pose, zone: ZoneId) -> bytes | None:
    """A zone as seen from straight above, as JPEG; None where it is not in view."""
    rect = grown(game.layout.zone(zone).rect, _MARGIN)
    if not pose.in_view(rect):
        return None
    picture = rectify(frame.image, pose, rect, CROP_PX_PER_UNIT)
    return encode_jpeg(picture.image, most_width=CROP_MOST_PX)


def _fractions(points: Points, pose: Pose) -> Outline:
    return tuple((float(x) / pose.lens.width, float(y) / pose.lens.height) for x, y in points)


def _share(value: float, full: float) -> float:
    return round(min(1.0, max(0.0, value / full)), 3)
