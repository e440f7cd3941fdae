"""A camera over the virtual table for the tests of the page: a real picture, and the truth drawn over it."""

from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.kit import Dice, Message
from assistant.sight import CameraPicture, Outline, SightState, ZoneSight
from vision.light import measure_light
from vision.pose import Lens, Pose
from vision.rectify import Rectifier
from vision.register import fit_pose
from vision.table import ZoneId
from vision.virtual.camera import Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle
from vision.virtual.script import Phase, at_rest, steps
from vision.virtual.shot import Shot

GLARING = ZoneId("row-5")
WIDTH = 1280
CROP_PER_UNIT = 1400.0
BLURRED_PX = 1.75


class VirtualCamera:
    """Shows one table for ever: a hand reaches for a card, and a lamp glares on row space 5."""

    def __init__(self, *, numbers: bool = False) -> None:
        """With `numbers` every look is a new picture; without, the first one stays."""
        self._picture = taken()
        self._grows = numbers
        self.looks = 0

    def picture(self) -> CameraPicture | None:
        self.looks += 1
        if not self._grows:
            return self._picture
        return replace(self._picture, number=self.looks)

    def crop(self, zone: ZoneId) -> bytes | None:
        shot, pose = shot_with_a_hand()
        rect = next(known.rect for known in _GAME.layout.zones if known.id == zone)
        if not pose.in_view(rect):
            return None
        flat = Rectifier().rectify(shot.image, pose, rect, CROP_PER_UNIT)
        return cv2.imencode(".jpg", flat.image)[1].tobytes()


_GAME = KIT.bind(KIT.demo_pack())


@cache
def shot_with_a_hand() -> tuple[Shot, Pose]:
    """A table in the middle of a game, while a hand carries something."""
    dice, state = Dice("sights"), _GAME.initial()
    views = []
    for _ in range(48):
        state = _GAME.apply(state, _GAME.policies["greedy"](state, dice))
        views.append(_GAME.view(state))
    before, after = next((one, two) for one, two in pairwise(views[20:]) if one != two)
    style = SceneStyle(stand=Stand(width=WIDTH, height=WIDTH * 9 // 16))
    scene = drawn_scene(_GAME.layout, _GAME.pack, load_table_art(KIT.folder), style)
    placements = scene.lay(before, 1)
    moves = steps(before, after, _GAME.layout, 1, shapes=scene.shapes, placements=placements)
    carried = next((one for one in islice(moves, 12) if one.phase is Phase.CARRY), at_rest(placements))
    shot = scene.shoot(carried)
    return shot, _pose(shot)


def _pose(shot: Shot) -> Pose:
    grid = np.array([(x, y) for x in np.linspace(0, 1, 6) for y in np.linspace(0, 0.49, 4)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    return fit_pose(grid, pixels, Lens(width=width, height=height), fit_curve=True)


@cache
def taken() -> CameraPicture:
    shot, pose = shot_with_a_hand()
    height, width = shot.image.shape[:2]
    small = cv2.resize(shot.image, (WIDTH, round(WIDTH * height / width)), interpolation=cv2.INTER_AREA)
    light = measure_light(shot.image, pose, _GAME.layout)
    blurs = [zone.blur_px for zone in light.zones if zone.blur_px is not None]
    return CameraPicture(
        number=1,
        at=0.0,
        jpeg=cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes(),
        width=WIDTH,
        height=small.shape[0],
        zones=tuple(_sight(shot, zone, width, height) for zone in shot.zones),
        cards=tuple(_outline(card.quad, width, height) for card in shot.cards if card.visible > 0.2),
        hands=(_hand(shot, width, height),) if shot.covered else (),
        sharpness=float(np.clip(2 - np.median(blurs) / (BLURRED_PX / 1.4), 0, 1)),
        brightness=float(np.clip(np.median([zone.mean for zone in light.zones]) / 150, 0, 1)),
        advice=(Message.of("sight.glare-advice"),),
    )


def _sight(shot: Shot, zone: ZoneId, width: int, height: int) -> ZoneSight:
    state, why = SightState.CALM, None
    if shot.is_covered(zone):
        state, why = SightState.HIDDEN, Message.of("sight.hand")
    elif zone == GLARING:
        state, why = SightState.UNREADABLE, Message.of("sight.glare")
    return ZoneSight(zone=zone, outline=_outline(shot.zones[zone], width, height), state=state, why=why)


def _outline(quad: object, width: int, height: int) -> Outline:
    return tuple((float(x) / width, float(y) / height) for x, y in np.asarray(quad, np.float64))


def _hand(shot: Shot, width: int, height: int) -> Outline:
    corners = np.vstack([np.asarray(shot.zones[zone], np.float32) for zone in shot.covered])
    return _outline(cv2.convexHull(corners)[:, 0], width, height)
