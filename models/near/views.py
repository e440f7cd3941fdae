"""Pieces as a telephone sees them, drawn by the thousand: what the reader of near views learns from.

    python -m models.near.views FOLDER --parts 0 24

Each part is a file of pictures and a file of rows (picture, kind, x, y, visible, pixels to a millimetre).
A view is what a lens shows, not flattened: nobody knows where the table's plane is.
"""

import argparse
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.near.grounds import Grounds
from models.near.laying import Laid, heaped, strewn
from models.near.prints import MM, near_run
from models.near.strangers import strange_shapes
from models.pieces.grounds import alike
from models.pieces.patches import CENTRE, any_light, exposed
from vision.virtual.bodies import piece_shade, piece_sprite, pixels_per_unit
from vision.virtual.camera import Camera
from vision.virtual.drawn import load_table_art
from vision.virtual.light import LightMaps
from vision.virtual.pieces import Shapes
from vision.virtual.placing import painting_order
from vision.virtual.scene_style import Split
from vision.virtual.sprite import Stage

SIDE = 224
"""Pixels of a view."""
SCALES = (1.9, 4.8)
"""Pixels to a millimetre."""
_VIEWS = 3
"""So many pictures are taken of what was laid."""
_BALANCED = 0.3
"""So much of a lamp's colour a telephone leaves in the picture."""
_ALIKE = 0.3
"""So many grounds have nearly the colour of a piece, half of them of one that lies there."""
_STEEPEST = math.radians(80)

Row = tuple[float, float, float, float, float]
"""Kind, x, y, the share of it that can be seen, pixels to a millimetre there."""
View = tuple[NDArray[np.uint8], list[Row]]


@dataclass(frozen=True, slots=True)
class Photo:
    """A whole photograph, its rows, and who took it."""

    image: NDArray[np.uint8]
    rows: list[Row]
    camera: Camera


class Views:
    """Draws one view after the other."""

    def __init__(self, grounds: Grounds, shapes: Shapes, seed: str, split: Split = Split.TRAIN) -> None:
        self._grounds, self._split = grounds, split
        self._kinds = sorted(shapes)
        self._rng = random.Random(f"near/{seed}")
        self._runs = [near_run(shapes, self._rng) for _ in range(16)]

    def draw(self) -> Iterator[View]:
        """Some views of the same pieces."""
        rng = self._rng
        run = rng.choice(self._runs)
        shapes = {**run, **strange_shapes(rng)}
        scale = _scale(rng)
        reach = SIDE / scale * MM
        laid = self._laid(run, shapes, reach)
        for _ in range(_VIEWS if laid else 1):
            camera = near_camera((SIDE, SIDE), scale * rng.uniform(0.9, 1.1), rng)
            yield self._seen(laid, shapes, camera)

    def photo(self, width: int, height: int) -> Photo:
        """A whole photograph of pieces strewn about its middle, some things among them that are none."""
        rng = self._rng
        run = rng.choice(self._runs)
        shapes = {**run, **strange_shapes(rng)}
        across = rng.uniform(95, 210)
        strange = rng.random() < 0.3
        laid = strewn(shapes, 0.62 * across * MM, rng, groups=rng.randint(2, 5), strangers=strange)
        camera = near_camera((width, height), width / across, rng)
        return Photo(*self._seen(laid, shapes, camera), camera)

    def _laid(self, run: Shapes, shapes: Shapes, reach: float) -> list[Laid]:
        rng = self._rng
        chance = rng.random()
        if chance < 0.07:
            return []
        if chance < 0.42:
            return heaped(run, rng)
        return strewn(shapes, 1.1 * reach, rng, groups=rng.randint(1, 4), strangers=rng.random() < 0.3)

    def _seen(self, laid: Sequence[Laid], shapes: Shapes, camera: Camera) -> View:
        rng = self._rng
        light = any_light(rng, self._split)
        light = replace(light, warmth=_BALANCED * light.warmth)
        stage = Stage(camera, LightMaps(light, camera))
        ground = self._grounds.any(rng).seen_by(camera, CENTRE, rng)
        if rng.random() < _ALIKE:
            lying = [piece.at.kind for piece in laid if piece.at.kind in self._kinds]
            kind = rng.choice(lying if lying and rng.random() < 0.5 else self._kinds)
            ground = alike(ground, shapes[kind].colour, rng)
        frame = np.asarray(cv2.multiply(ground, stage.maps.brightness, dtype=cv2.CV_8U), np.uint8)
        rows = self._painted(stage, frame, laid, shapes)
        return exposed(frame, rng), rows

    def _painted(
        self, stage: Stage, frame: NDArray[np.uint8], laid: Sequence[Laid], shapes: Shapes
    ) -> list[Row]:
        """Shadows first, then the pieces from far to near; then where the rest of each can be seen."""
        rng = self._rng
        by_key = {piece.at.key: piece for piece in laid}
        order = painting_order([piece.at for piece in laid], shapes, stage.camera.foot)
        bodies = [(at, by_key[at.key].body(shapes[at.kind])) for at in order]
        tone = rng.uniform(0.02, 0.15)
        for at, body in bodies:
            shade = piece_shade(stage, body, at.z)
            if shade is not None:
                shade.paint(frame)
        labels = np.zeros(frame.shape[:2], np.int32)
        for number, (at, body) in enumerate(bodies, 1):
            sprite = piece_sprite(
                stage, shapes[at.kind], body, tone=1 + rng.uniform(-tone, tone), seed=rng.randrange(1 << 30)
            )
            if sprite is not None:
                sprite.paint(frame)
                x0, y0, x1, y1 = sprite.window
                labels[y0:y1, x0:x1][sprite.alpha > 127] = number
        rows: list[Row] = []
        for number, (at, body) in enumerate(bodies, 1):
            ys, xs = np.nonzero(labels == number)
            if not len(xs) or at.kind not in self._kinds:
                continue
            corners = np.concatenate([body.front, body.back])
            hull = cv2.convexHull(stage.camera.project(corners).astype(np.float32))
            share = min(1.0, len(xs) / max(1.0, 0.88 * cv2.contourArea(hull)))
            size = pixels_per_unit(stage, corners.mean(axis=0)) * MM
            kind = float(self._kinds.index(at.kind))
            rows.append((kind, float(xs.mean()), float(ys.mean()), share, size))
        return rows


def near_camera(size: tuple[int, int], scale: float, rng: random.Random) -> Camera:
    """A telephone in a hand: as near as it can focus or at arm's length, tilted towards its owner."""
    width, height = size
    tilt = math.radians(68 * rng.betavariate(2.0, 1.7))
    far = math.exp(rng.uniform(math.log(110), math.log(700)))
    if width > SIDE:
        far = width / scale / 2 / math.tan(math.radians(rng.uniform(45, 72)) / 2)
    half = math.atan(math.hypot(width, height) / 2 / (scale * far))
    tilt = min(tilt, _STEEPEST - half)
    distance = far * MM
    azimuth = rng.gauss(0, 0.15) if rng.random() < 0.9 else rng.uniform(-1, 1)
    reach = distance * math.sin(tilt)
    return Camera(
        width=width,
        height=height,
        fov_deg=2 * math.degrees(math.atan(width / 2 / (scale * far))),
        position=(
            CENTRE[0] + reach * math.sin(azimuth),
            CENTRE[1] + reach * math.cos(azimuth),
            distance * math.cos(tilt),
        ),
        target=CENTRE,
        roll_deg=rng.gauss(0, 7),
    )


def _scale(rng: random.Random) -> float:
    return math.exp(rng.uniform(*(math.log(scale) for scale in SCALES)))


def write_part(folder: Path, part: int, views: Views, size: int) -> None:
    images = np.empty((size, SIDE, SIDE, 3), np.uint8)
    rows: list[tuple[float, ...]] = []
    endless = itertools.chain.from_iterable(views.draw() for _ in itertools.count())
    for index, (picture, pieces) in enumerate(itertools.islice(endless, size)):
        images[index] = picture
        rows += [(index, *piece) for piece in pieces]
    np.save(folder / f"rows-{part:03}.npy", np.array(rows, np.float32))
    unfinished = folder / f"unfinished-{part:03}.npy"
    np.save(unfinished, images)
    unfinished.rename(folder / f"part-{part:03}.npy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, nargs=2, default=(0, 24), help="first and last part")
    parser.add_argument("--size", type=int, default=256, help="views in each part")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    shapes = load_table_art(KIT.folder).shapes
    grounds = Grounds()
    for part in range(*options.parts):
        rng = random.Random(f"near grounds/{part}")
        for seed in range(100 * part + 50, 100 * part + 50 + (3 if part == options.parts[0] else 1)):
            grounds.more(seed, rng)
        write_part(options.folder, part, Views(grounds, shapes, str(part)), options.size)


if __name__ == "__main__":
    main()
