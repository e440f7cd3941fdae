"""Procedural tables for the tests of the eye: a textured board, markers, cameras, cards and hands."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import BgrImage
from vision.pose import Lens, Points, Pose, corners_of
from vision.table import Rect, TableLayout, Zone, ZoneId, ZoneKind

BOARD = Rect(0.0, 0.0, 1.0, 0.5)
CARD_WIDTH = 0.125
MARKER_SIDE = 0.065
"""40 mm on a board of about 620 mm."""

MARKER_PLACES: dict[int, Points] = {
    key: corners_of(Rect(x, y, x + MARKER_SIDE, y + MARKER_SIDE))
    for key, (x, y) in enumerate([(-0.09, -0.09), (1.025, -0.09), (1.025, 0.525), (-0.09, 0.525)])
}
_GRAIN_MARGIN = 128
TABLE = Rect(-0.25, -0.3, 1.25, 0.8)


def board_picture(rng: np.random.Generator, width: int = 2000) -> BgrImage:
    """A drawn landscape: soft ground, a river, and many small shapes of all colours."""
    height = width // 2
    coarse = rng.integers(60, 190, (10, 20, 3), dtype=np.uint8)
    picture = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    cv2.rectangle(picture, (0, height // 4), (width, height // 2), (170, 150, 60), -1)
    for _ in range(700):
        centre = rng.integers(0, (width, height))
        axes = rng.integers(width // 400, width // 60, 2)
        colour = rng.integers(0, 255, 3).tolist()
        if rng.random() < 0.5:
            cv2.ellipse(picture, centre.tolist(), axes.tolist(), float(rng.integers(180)), 0, 360, colour, -1)
        else:
            cv2.rectangle(picture, (centre - axes).tolist(), (centre + axes).tolist(), colour, -1)
    return picture


def card_picture(rng: np.random.Generator, width: int = 260) -> BgrImage:
    height = round(width / 0.645)
    picture = np.full((height, width, 3), rng.integers(120, 240, 3), np.uint8)
    for _ in range(40):
        centre = rng.integers(0, (width, height))
        cv2.circle(
            picture, centre.tolist(), int(rng.integers(4, width // 6)), rng.integers(0, 255, 3).tolist(), -1
        )
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (235, 235, 235), 6)
    return picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    pose: Pose
    noise: float = 0.0
    blur: float = 0.0
    gain: float = 1.0


def random_camera(rng: np.random.Generator, *, curve: float = 0.0, seen: Rect = TABLE) -> Camera:
    """A lens of 40–70° tilted 0–45°, close enough that `seen` just fits, at 720p to 4K."""
    width, height = [(1280, 720), (1920, 1080), (2560, 1440), (3840, 2160)][int(rng.integers(4))]
    focal = width / 2 / np.tan(np.radians(rng.uniform(40, 70)) / 2)
    tilt, turn, roll = np.radians([rng.uniform(0, 45), rng.uniform(0, 360), rng.uniform(-15, 15)])
    return Camera(
        pose=_framed(seen, width, height, focal, tilt, turn, roll, curve),
        noise=float(rng.uniform(0, 4)),
        blur=float(rng.uniform(0.3, 1.0) * width / 1920),
        gain=float(rng.uniform(0.6, 1.2)),
    )


def straight_camera(width: int = 1280, height: int = 720, seen: Rect = TABLE) -> Camera:
    return Camera(pose=_framed(seen, width, height, width * 1.1, np.radians(20), np.radians(90), 0.0, 0.0))


def _framed(
    seen: Rect, width: int, height: int, focal: float, tilt: float, turn: float, roll: float, curve: float
) -> Pose:
    """Backs off along the line of sight until the rectangle's corners fit the picture."""
    lens = Lens(width=width, height=height, curve=curve)
    axis = _turned(2, turn) @ _turned(0, tilt) @ _turned(2, roll - turn)
    cx, cy = seen.centre
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    for distance in np.arange(0.8, 8.0, 0.02):
        place = np.column_stack([axis[:, 0], axis[:, 1], axis @ np.array([-cx, -cy, 0]) + (0, 0, distance)])
        pose = Pose.of(inner @ place, lens)
        if pose.in_view(seen, margin_px=4):
            return pose
    raise AssertionError("this camera cannot see the table")


def _turned(axis: int, angle: float) -> NDArray[np.float64]:
    matrix = np.eye(3)
    a, b = [i for i in range(3) if i != axis]
    matrix[a, a] = matrix[b, b] = np.cos(angle)
    matrix[a, b], matrix[b, a] = -np.sin(angle), np.sin(angle)
    return matrix


def flat_table(
    board: BgrImage, *, markers: bool = False, mat: tuple[int, int, int] = (60, 40, 110), unit: int = 2000
) -> BgrImage:
    """All of `TABLE` from straight above at `unit` pixels per board unit."""
    flat = np.full((round(TABLE.height * unit), round(TABLE.width * unit), 3), mat, np.uint8)
    paste(flat, board, BOARD, unit)
    if markers:
        for key, corners in MARKER_PLACES.items():
            _paste_marker(flat, key, corners, unit)
    return flat


def paste(flat: BgrImage, picture: BgrImage, rect: Rect, unit: int = 2000) -> None:
    x0, y0 = round((rect.x0 - TABLE.x0) * unit), round((rect.y0 - TABLE.y0) * unit)
    size = (round(rect.width * unit), round(rect.height * unit))
    flat[y0 : y0 + size[1], x0 : x0 + size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _paste_marker(flat: BgrImage, key: int, corners: Points, unit: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(MARKER_SIDE * unit)
    marker = cv2.cvtColor(cv2.aruco.generateImageMarker(dictionary, key, side), cv2.COLOR_GRAY2BGR)
    (x0, y0), (x1, y1) = corners[0], corners[2]
    white = 0.012
    paste(flat, np.full((8, 8, 3), 245, np.uint8), Rect(x0 - white, y0 - white, x1 + white, y1 + white), unit)
    paste(flat, np.asarray(marker, np.uint8), Rect(x0, y0, x1, y1), unit)


def photograph(flat: BgrImage, camera: Camera, rng: np.random.Generator, unit: int = 2000) -> BgrImage:
    """What the camera sees of a flat table: perspective, lens, blur, noise."""
    lens = camera.pose.lens
    xs, ys = _board_grid(camera.pose)
    # What is drawn finer than the camera can show must be smoothed away before, or it would alias.
    finer = unit / camera.pose.scale_at(BOARD.centre)[0]
    source = cv2.GaussianBlur(flat, (0, 0), 0.45 * finer) if finer > 1.2 else flat
    at = ((xs - TABLE.x0) * unit - 0.5, (ys - TABLE.y0) * unit - 0.5)
    seen = cv2.remap(source, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(40, 50, 60))
    assert seen.shape[:2] == (lens.height, lens.width)
    if camera.blur:
        seen = cv2.GaussianBlur(seen, (0, 0), camera.blur)
    light = seen.astype(np.float32) * camera.gain
    if camera.noise:
        light += rng.standard_normal(light.shape, dtype=np.float32) * camera.noise
    return np.asarray(np.clip(light, 0, 255), np.uint8)


def card_layout() -> TableLayout:
    """Places for cards above, on and below the board, spots for pieces, and a heap."""
    zones = [_zone(f"row.{k + 1}", ZoneKind.CARD, 0.028 + 0.1358 * k, -0.195, 0.125, 0.195) for k in range(7)]
    zones += [
        _zone(f"canal.{k + 1}", ZoneKind.CARD, 0.162 + 0.1365 * k, 0.042, 0.127, 0.198) for k in range(6)
    ]
    zones += [_zone(f"home.{k + 1}", ZoneKind.SPOT, 0.045 + 0.05 * k, 0.28, 0.04, 0.04) for k in range(3)]
    zones += [_zone("ready", ZoneKind.PILE, 0.161, 0.497, 0.126, 0.195)]
    zones += [_zone("supply", ZoneKind.HEAP, 0.45, 0.55, 0.4, 0.2)]
    return TableLayout(board=BOARD, card_width=CARD_WIDTH, card_height=0.195, zones=tuple(zones))


def _zone(name: str, kind: ZoneKind, x: float, y: float, width: float, height: float) -> Zone:
    return Zone(id=ZoneId(name), kind=kind, rect=Rect(x, y, x + width, y + height))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A hand with a forearm in a sleeve that reaches in from outside the picture, in frame pixels."""

    entry: tuple[float, float]
    tip: tuple[float, float]
    skin: tuple[int, int, int] = (120, 150, 205)
    sleeve: tuple[int, int, int] = (60, 50, 45)
    shadow: float = 0.75
    width: float = 0.05
    """Of the forearm, as a part of the picture's width."""

    def mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        mask, _ = self._masks(shape)
        return mask

    def drawn_on(self, image: BgrImage) -> BgrImage:
        whole, hand = self._masks(image.shape)
        reach = image.shape[1] // 60
        shade = cv2.GaussianBlur(np.roll(whole, (reach, reach), (0, 1)), (0, 0), reach / 3)
        drawn = image.copy()
        x, y, width, height = cv2.boundingRect(shade)
        part = (slice(y, y + height), slice(x, x + width))  # all the rest keeps its light
        drawn[part] = image[part] * (1 - (1 - self.shadow) * shade[part][..., None] / 255.0)
        drawn[whole > 0] = self.sleeve
        drawn[hand > 0] = self.skin
        return drawn

    def _masks(self, shape: tuple[int, ...]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        whole, hand = np.zeros(shape[:2], np.uint8), np.zeros(shape[:2], np.uint8)
        thick = max(2, round(self.width * shape[1]))
        entry, tip = np.array(self.entry), np.array(self.tip)
        along = (tip - entry) / max(float(np.hypot(*(tip - entry))), 1e-6)
        aside = np.array([-along[1], along[0]])
        palm = tip - along * thick * 1.2
        cv2.line(whole, entry.astype(int).tolist(), palm.astype(int).tolist(), 255, thick)
        cv2.circle(hand, palm.astype(int).tolist(), round(thick * 0.65), 255, -1)
        for spread in (-0.5, -0.17, 0.17, 0.5):
            end = tip + aside * thick * spread
            cv2.line(hand, palm.astype(int).tolist(), end.astype(int).tolist(), 255, max(1, thick // 4))
        return np.asarray(cv2.bitwise_or(whole, hand), np.uint8), hand


def grainy(image: BgrImage, rng: np.random.Generator, noise: float = 3.0) -> BgrImage:
    """The picture with the grain of one more frame: each is another window on a larger sheet of grain."""
    height, width = image.shape[:2]
    x, y = rng.integers(0, _GRAIN_MARGIN, 2)
    grain = _sheet_of_grain(height, width, noise)[y : y + height, x : x + width]
    return np.asarray(cv2.add(image, grain, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=4)
def _sheet_of_grain(height: int, width: int, noise: float) -> NDArray[np.int16]:
    """Drawn once: a new one for every frame would take longer than all that is tested on it."""
    shape = (height + _GRAIN_MARGIN, width + _GRAIN_MARGIN, 3)
    grain = np.random.default_rng(0).standard_normal(shape, dtype=np.float32) * noise
    return np.asarray(np.floor(grain), np.int16)


def _board_grid(pose: Pose) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where on the table each pixel looks."""
    lens = pose.lens
    columns, rows = np.arange(lens.width, dtype=np.float32), np.arange(lens.height, dtype=np.float32)
    u, v = (np.asarray(part, np.float64) for part in np.meshgrid(columns, rows))
    cx, cy = (float(value) for value in lens.centre)
    if lens.curve:
        square = ((u - cx) ** 2 + (v - cy) ** 2) / lens.half_diagonal**2
        bend = 1 / (1 + lens.curve * square)
        u, v = (u - cx) * bend + cx, (v - cy) * bend + cy
    back = np.linalg.inv(pose.matrix)
    depth = back[2, 0] * u + back[2, 1] * v + back[2, 2]
    x, y = ((back[k, 0] * u + back[k, 1] * v + back[k, 2]) / depth for k in (0, 1))
    return x.astype(np.float32), y.astype(np.float32)
