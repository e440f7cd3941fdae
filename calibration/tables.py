"""Where profiles are kept: one folder per table with profile.json and the picture of its board."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import platformdirs

from calibration.errors import ProfileError
from calibration.profile import LARGEST_BYTES, Profile, format_profile, parse_profile
from vision.bounded import read_bounded
from vision.frame import BgrImage
from vision.image import load_image

PROFILE_FILE: Final = "profile.json"
BOARD_FILE: Final = "board.png"
DEFAULT_TABLE: Final = "home"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables of this player."""

    folder: Path

    @classmethod
    def of_player(cls) -> "Tables":
        return cls(platformdirs.user_data_path("floodwatch") / "tables")

    def names(self) -> tuple[str, ...]:
        found = self.folder.glob(f"*/{PROFILE_FILE}") if self.folder.is_dir() else ()
        return tuple(sorted(path.parent.name for path in found if _NAME.fullmatch(path.parent.name)))

    def path(self, table: str) -> Path:
        if not _NAME.fullmatch(table):
            raise ProfileError(
                f"expected a table's name of small letters, digits, dots and dashes, found {table!r}."
            )
        return self.folder / table

    def load(self, table: str) -> Profile:
        """Raises ProfileError where there is none, or it cannot be used."""
        path = self.path(table) / PROFILE_FILE
        try:
            text = read_bounded(path, LARGEST_BYTES)
        except FileNotFoundError:
            raise ProfileError(
                f"no table is called {table!r} yet: set it up with floodwatch calibrate."
            ) from None
        except OSError as problem:
            raise ProfileError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
        return parse_profile(text, str(path))

    def board_picture(self, table: str) -> BgrImage:
        """The board from straight above, as it was when the profile was made."""
        return load_image(self.path(table) / BOARD_FILE)

    def save(self, profile: Profile, board: BgrImage | None = None) -> Path:
        """Whole or not at all; the camera's address may hold a password, so only the player may read it."""
        folder = self.path(profile.table)
        path = folder / PROFILE_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if board is not None:
                _write(folder / BOARD_FILE, cv2.imencode(".png", board)[1].tobytes())
            _write(path, format_profile(profile).encode())
        except OSError as problem:
            raise ProfileError(f"{path} cannot be written: {problem.strerror or problem}.") from problem
        return path


def _write(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f"{path.name}.new")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    unfinished.replace(path)
