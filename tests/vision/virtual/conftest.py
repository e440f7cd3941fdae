"""What the tests of our drawings share: one core, the game's anatomy and board, cards by hand."""

from pathlib import Path

import cv2
import pytest

from vision.anatomy import Anatomy, load_anatomy
from vision.virtual.boardart import BoardArt, load_board_art

GAME = Path(__file__).resolve().parents[3] / "assistant" / "games" / "yu"


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    cv2.setNumThreads(1)


@pytest.fixture(scope="session")
def anatomy() -> Anatomy:
    return load_anatomy(GAME / "anatomy.toml")


@pytest.fixture(scope="session")
def board_art() -> BoardArt:
    return load_board_art(GAME / "boardart.toml")
