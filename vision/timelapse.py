"""A game as a film: one picture of the table after each move, from the camera or drawn, with words below."""

import unicodedata
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.cards import CardPack
from vision.errors import VisionError
from vision.frame import BgrImage
from vision.table import TableLayout, TableView
from vision.virtual.camera import Stand
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle
from vision.virtual.script import at_rest, steps
from vision.virtual.sensor import Sensor

WIDTH: Final = 1280
HEIGHT: Final = 720
BAR: Final = 64
"""The strip of words below the table."""
FRAMES_PER_S: Final = 12
FRAMES_PER_MOVE: Final = 4
LAST_S: Final = 3
CODEC: Final = "mp4v"
"""Every OpenCV has it, and it is sixty times quicker than VP9; some browsers want a player's help with it."""

_GROUND = (29, 25, 18)
_WORDS = (208, 226, 233)
_FAINT = (140, 152, 156)
_RIVER = (165, 139, 31)
_FONT = cv2.FONT_HERSHEY_DUPLEX


class TimeLapseError(VisionError):
    """A film that cannot be made."""


def write_time_lapse(
    path: Path,
    views: Sequence[TableView],
    *,
    titles: Sequence[str],
    captions: Sequence[str],
    crops: Sequence[bytes | None],
    layout: TableLayout,
    pack: CardPack,
    folder: Path,
    title: str,
    progress: Callable[[], None] = lambda: None,
) -> None:
    """`folder` says how the game's things look; a move's crop is shown in the corner where there is one."""
    if not views:
        raise TimeLapseError("Expected a game with at least one move, found none.")
    film = _Film(path)
    try:
        scene = drawn_scene(layout, pack, load_table_art(folder), _style())
        placements = scene.lay(views[0], 0)
        before: BgrImage | None = None
        for number, view in enumerate(views):
            if number:  # played through, so that what nobody touched stays where it lies
                deque(
                    steps(
                        views[number - 1], view, layout, number, shapes=scene.shapes, placements=placements
                    ),
                    0,
                )
            picture = _picture(scene.render(at_rest(placements)), crops[number])
            words = _bar(title, titles[number], captions[number], (number + 1) / len(views))
            frame: BgrImage = np.vstack([picture, words])
            if before is not None:
                film.write(np.asarray(cv2.addWeighted(before, 0.5, frame, 0.5, 0), np.uint8))
            for _ in range(FRAMES_PER_MOVE - (before is not None)):
                film.write(frame)
            before = frame
            progress()
        for _ in range(LAST_S * FRAMES_PER_S):
            film.write(frame)
    finally:
        film.close()


def _style() -> SceneStyle:
    """A steady camera without noise: what does not move stays the same, and the film small."""
    return SceneStyle(
        stand=Stand(width=WIDTH, height=HEIGHT - BAR, tilt_deg=8.0, k1=0.0, margin=0.01),
        sensor=Sensor(blur_px=0.4, noise=0.0, drift=0.0, jpeg=97),
    )


class _Film:
    """An open file that gets one frame after the other; a name that cannot be written is told at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.suffix.lower() != ".mp4":
            raise TimeLapseError(f"Expected a file name that ends in .mp4, found {path}.")
        if not path.parent.is_dir():
            raise TimeLapseError(f"Expected an existing folder for the film, found {path.parent}.")
        fourcc = cv2.VideoWriter.fourcc(*CODEC)
        self._writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, fourcc, FRAMES_PER_S, (WIDTH, HEIGHT))
        if not self._writer.isOpened():
            raise TimeLapseError(f"The film {path} cannot be written: check the folder and the space left.")

    def write(self, frame: BgrImage) -> None:
        self._writer.write(frame)

    def close(self) -> None:
        self._writer.release()
        if not self._path.exists() or self._path.stat().st_size == 0:
            raise TimeLapseError(f"The film {self._path} could not be saved: is the disk full?")


def _picture(table: BgrImage, crop: bytes | None) -> BgrImage:
    picture = table.copy()
    seen = None if crop is None else cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR)
    if seen is None:
        return picture
    height = 200
    width = min(WIDTH // 3, round(seen.shape[1] * height / seen.shape[0]))
    small = cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA)
    framed = cv2.copyMakeBorder(small, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=_WORDS)
    picture[-height - 18 : -12, -width - 18 : -12] = framed
    return picture


def _bar(title: str, round_: str, caption: str, share: float) -> BgrImage:
    """Drawn twice as large and made smaller: the strokes of the built-in letters become even."""
    bar = np.full((BAR * 2, WIDTH * 2, 3), _GROUND, np.uint8)
    cv2.rectangle(bar, (0, 0), (round(WIDTH * 2 * share), 9), _RIVER, -1)
    _text(bar, round_, 40, 1.7, _WORDS)
    _text(bar, caption, 420, 1.5, _WORDS)
    (width, _), _base = cv2.getTextSize(_plain(title), _FONT, 1.3, 2)
    _text(bar, title, WIDTH * 2 - width - 40, 1.3, _FAINT)
    return np.asarray(cv2.resize(bar, (WIDTH, BAR), interpolation=cv2.INTER_AREA), np.uint8)


def _text(bar: BgrImage, words: str, x: int, size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(bar, _plain(words), (x, 86), _FONT, size, colour, 2, cv2.LINE_AA)


def _plain(words: str) -> str:
    """The built-in letters have no accents."""
    parts = unicodedata.normalize("NFKD", words)
    return "".join(sign for sign in parts if sign.isascii() and sign.isprintable())
