"""What can happen to a camera on a kitchen table: each begins, goes on for a while and ends."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tests.faults.program import MOVING_S, PICTURE, Evening
from vision.frame import BgrImage

Begin = Callable[[Evening, random.Random], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraFault:
    name: str
    begin: Begin
    lasts_s: tuple[float, float]
    says: frozenset[str] = frozenset()
    """Where the game does not go on meanwhile, the page says one of these."""
    interval_s: float = MOVING_S
    """Between two pictures while it lasts."""
    end: Callable[[Evening], None] | None = None
    """None: the picture is as before again."""


def _spoiling(make: Callable[[random.Random], Callable[[BgrImage, float], BgrImage]]) -> Begin:
    return lambda evening, luck: evening.camera.begin(make(luck))


def _frozen(_luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    first: list[BgrImage] = []

    def spoil(image: BgrImage, _s: float) -> BgrImage:
        first.append(image)
        del first[1:]
        return first[0].copy()

    return spoil


def _black(luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    grain = np.random.default_rng(luck.randrange(1 << 30))
    return lambda image, _s: grain.integers(0, 3, image.shape, np.uint8)


def _resized(luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    size = luck.choice(((960, 540), (1600, 900), (1920, 1080)))
    return lambda image, _s: np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _reshaped(_luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    cut = (PICTURE[0] - PICTURE[1] * 4 // 3) // 2
    return lambda image, _s: np.ascontiguousarray(image[:, cut : PICTURE[0] - cut])


def _recoloured(luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    """Red and blue changed places, a white balance that has gone astray, or no colour at all."""
    kind = luck.choice(("swapped", "tinted", "grey"))

    def spoil(image: BgrImage, _s: float) -> BgrImage:
        if kind == "swapped":
            return np.ascontiguousarray(image[:, :, ::-1])
        if kind == "grey":
            return np.repeat(
                np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)[:, :, None], 3, axis=2
            )
        return np.asarray(np.clip(image * np.array([1.7, 1.0, 0.5]), 0, 255), np.uint8)

    return spoil


def _person(luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    """Somebody leans over the table and walks by: dark clothes, and a soft shadow before them."""
    seconds = luck.uniform(2.5, 5.0)
    leftwards = luck.random() < 0.5
    cloth = np.array([luck.randrange(20, 90) for _ in range(3)], np.float32)

    def spoil(image: BgrImage, s: float) -> BgrImage:
        height, width = image.shape[:2]
        share = s / seconds
        x = (1.4 - 1.8 * share if leftwards else -0.4 + 1.8 * share) * width
        body = np.zeros((height, width), np.float32)
        cv2.ellipse(body, (round(x), height // 2), (width // 4, height * 3 // 4), 0, 0, 360, 1.0, -1)
        cv2.ellipse(body, (round(x), height), (width // 3, height // 2), 0, 0, 360, 1.0, -1)
        shadow = 1 - 0.45 * np.asarray(cv2.GaussianBlur(body, (0, 0), width / 14))[:, :, None]
        return np.asarray(np.where(body[:, :, None] > 0.5, cloth, image * shadow), np.uint8)

    return spoil


def _lamp_off(luck: random.Random) -> Callable[[BgrImage, float], BgrImage]:
    left = luck.choice((0.02, 0.12, 0.35))
    return lambda image, _s: np.asarray(image * left, np.uint8)


def _bump(evening: Evening, luck: random.Random) -> None:
    """The camera stands otherwise from now on: shifted, turned, a little nearer or farther."""
    width, height = PICTURE
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), luck.uniform(-1.5, 1.5), luck.uniform(0.97, 1.0))
    turn[0, 2] += luck.uniform(-12, 12)
    turn[1, 2] += luck.uniform(-8, 8)

    def spoil(image: BgrImage, s: float) -> BgrImage:
        shake = turn.copy()
        shake[0, 2] += 25 * np.sin(40 * s) * max(0.0, 1 - s)
        moved = cv2.warpAffine(image, shake, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)

    evening.camera.begin(spoil)


def _hang(evening: Evening, _luck: random.Random) -> None:
    evening.camera.hanging = True


def _go_on(_evening: Evening) -> None:
    """It stays so: the program has to live with it."""


def _unplug(evening: Evening, _luck: random.Random) -> None:
    evening.camera.unplug()


def _take(evening: Evening, _luck: random.Random) -> None:
    evening.camera.unplug(taken=True)


def _plug_in(evening: Evening) -> None:
    evening.camera.plug_in()


def _nothing(_evening: Evening, _luck: random.Random) -> None:
    """Only the interval between two pictures is another one."""


FAULTS: Final = (
    CameraFault(
        name="camera unplugged and plugged in",
        begin=_unplug,
        end=_plug_in,
        lasts_s=(3, 15),
        says=frozenset({"source.vanished"}),
    ),
    CameraFault(
        name="camera taken by another program",
        begin=_take,
        end=_plug_in,
        lasts_s=(3, 15),
        says=frozenset({"source.taken"}),
    ),
    CameraFault(
        name="frozen frames",
        begin=_spoiling(_frozen),
        lasts_s=(5, 15),
        says=frozenset({"source.frozen"}),
    ),
    CameraFault(
        name="black frames",
        begin=_spoiling(_black),
        lasts_s=(3, 15),
        says=frozenset({"source.black"}),
    ),
    CameraFault(
        name="new resolution",
        begin=_spoiling(_resized),
        lasts_s=(6, 12),
        says=frozenset({"sight.moving", "sight.hand", "sight.upset"}),
    ),
    CameraFault(
        name="new shape of the picture",
        begin=_spoiling(_reshaped),
        lasts_s=(6, 12),
        says=frozenset({"register.other-shape"}),
    ),
    CameraFault(
        name="1 frame/s",
        begin=_nothing,
        interval_s=1.0,
        lasts_s=(8, 12),
        says=frozenset({"sight.moving", "sight.hand", "sight.upset"}),
    ),
    CameraFault(
        name="wrong colours",
        begin=_spoiling(_recoloured),
        lasts_s=(6, 20),
        says=frozenset({"sight.colours-advice"}),
    ),
    CameraFault(
        name="a person walks through",
        begin=_spoiling(_person),
        lasts_s=(5, 6),
        says=frozenset({"sight.hand", "sight.upset", "register.unlike"}),
    ),
    CameraFault(
        name="lamp off and on",
        begin=_spoiling(_lamp_off),
        lasts_s=(4, 20),
        says=frozenset({"source.black", "sight.dark-advice", "sight.upset", "register.unlike"}),
    ),
    CameraFault(
        name="camera bumped",
        begin=_bump,
        end=_go_on,
        lasts_s=(2, 4),
        says=frozenset({"sight.moving", "sight.hand", "sight.upset"}),
    ),
    CameraFault(
        name="driver hangs",
        begin=_hang,
        end=_go_on,
        lasts_s=(22, 26),
        says=frozenset({"source.silent"}),
    ),
)
