"""A game as a film: every move is in it, and a name that cannot be written is told at once."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant import cli
from assistant.discover import default_game, kit_named
from assistant.record.store import open_store
from tests.assistant.record.recorded import BEGUN, action, bound_game, header, simulated
from vision.timelapse import (
    FRAMES_PER_MOVE,
    FRAMES_PER_S,
    HEIGHT,
    LAST_S,
    WIDTH,
    TimeLapseError,
    write_time_lapse,
)

MOVES = 3


def record_start(folder: Path) -> None:
    """The first moves of a game, the last of them with a red picture from the camera."""
    red = cv2.imencode(".jpg", np.full((90, 160, 3), (0, 0, 255), np.uint8))[1].tobytes()
    game = bound_game()
    state = game.initial()
    with open_store(folder) as store:
        recorder = store.begin(header(), game.encode(state))
        for number, made in enumerate(simulated(3).actions[:MOVES], 1):
            state = game.apply(state, made)
            crop = red if number == MOVES else None
            recorder.action(action(number, game.format(made), state=game.encode(state), at=BEGUN, crop=crop))
        recorder.leave()


@pytest.mark.slow
def test_every_move_is_in_the_film_and_crops_are_shown(tmp_path: Path) -> None:
    record_start(tmp_path)
    film = tmp_path / "game.mp4"
    with pytest.raises(SystemExit) as exit_:
        cli.main(["export", "last", "--as", "mp4", "--out", str(film), "--data", str(tmp_path)])
    assert exit_.value.code == 0
    frames = read(film)
    assert len(frames) == MOVES * FRAMES_PER_MOVE + LAST_S * FRAMES_PER_S
    assert frames[0].shape == (HEIGHT, WIDTH, 3)
    first, second, last = frames[1], frames[FRAMES_PER_MOVE + 2], frames[-1]
    assert np.abs(first.astype(int) - second).max() > 60, "a card was laid"
    corner = last[HEIGHT - 220 : HEIGHT - 120, WIDTH - 200 : WIDTH - 60].reshape(-1, 3).mean(0)
    assert corner[2] > 180
    assert corner[0] < 60


def read(film: Path) -> list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    reader = cv2.VideoCapture(str(film))
    frames = []
    while True:
        there, frame = reader.read()
        if not there:
            reader.release()
            return frames
        frames.append(np.asarray(frame, np.uint8))


@pytest.mark.parametrize(
    ("name", "views", "told"),
    [
        ("game.avi", 1, "ends in .mp4"),
        ("no/game.mp4", 1, "existing folder"),
        ("game.mp4", 0, "at least one move"),
    ],
)
def test_what_cannot_be_filmed_is_told_before_anything_is_drawn(
    tmp_path: Path, name: str, views: int, told: str
) -> None:
    game = bound_game()
    with pytest.raises(TimeLapseError, match=told):
        write_time_lapse(
            tmp_path / name,
            [game.view(game.initial())] * views,
            titles=[""] * views,
            captions=[""] * views,
            crops=[None] * views,
            layout=game.layout,
            pack=game.pack,
            folder=kit_named(default_game()).folder,
            title="",
        )
