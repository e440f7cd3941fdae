"""Files of a stranger's pack that are no files, do not end, or unpack to gigabytes: refused at once."""

import io
import os
import resource
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from assistant.commands.own import CONFIRMED_FILE, CopyError, confirmed_facts
from assistant.games.yu import KIT
from assistant.packs import open_pack
from calibration.errors import ProfileError
from calibration.tables import PROFILE_FILE, Tables
from tests.vision.strewn import card_picture, save
from vision.bounded import read_bounded
from vision.cards import CardId
from vision.enrolled_kept import FEATURES_FILE, FORMAT, learn_all
from vision.errors import PackError
from vision.pack import PACK_FILE, load_pack

MOST_MEMORY = 3 << 30
"""Far less than what the traps would take."""


@pytest.fixture(autouse=True)
def _little_memory() -> Iterator[None]:
    """So that a trap which works ends this test and not the machine."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


TRAPS = pytest.mark.parametrize("trap", [_pipe, _endless])


@TRAPS
def test_a_pack_that_is_no_file_is_refused(tmp_path: Path, trap: Callable[[Path], None]) -> None:
    trap(tmp_path / PACK_FILE)
    with pytest.raises(PackError, match="not a regular file"):
        load_pack(tmp_path, KIT.pack_rules)
    with pytest.raises(PackError, match="not a regular file"):
        open_pack(tmp_path)


@TRAPS
def test_a_confirmed_board_that_is_no_file_is_refused(tmp_path: Path, trap: Callable[[Path], None]) -> None:
    trap(tmp_path / CONFIRMED_FILE)
    with pytest.raises(CopyError, match="not a regular file"):
        confirmed_facts(tmp_path / CONFIRMED_FILE)


@TRAPS
def test_a_profile_that_is_no_file_is_refused(tmp_path: Path, trap: Callable[[Path], None]) -> None:
    (tmp_path / "home").mkdir()
    trap(tmp_path / "home" / PROFILE_FILE)
    with pytest.raises(ProfileError, match="not a regular file"):
        Tables(tmp_path).load("home")


def test_only_the_beginning_of_a_large_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    assert len(read_bounded(path, 1000)) == 1001
    path.rename(tmp_path / PACK_FILE)
    with pytest.raises(PackError, match="a larger file"):
        open_pack(tmp_path)


def _bomb(path: Path) -> None:
    """A little that unpacks to much, and promises more."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("format.npy", _npy(np.array(FORMAT)))
        with archive.open("descriptors.npy", "w", force_zip64=True) as member:
            member.write(_head((8 << 30,)))
            for _ in range(64):
                member.write(bytes(1 << 20))


def _boast(path: Path) -> None:
    """A header that promises a terabyte."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("format.npy", _npy(np.array(FORMAT)))
        archive.writestr("descriptors.npy", _head((1 << 40,)))


def _npy(value: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]") -> bytes:
    out = io.BytesIO()
    np.save(out, value)
    return out.getvalue()


def _head(shape: tuple[int, ...]) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": "|u1", "fortran_order": False, "shape": shape})
    return out.getvalue()


@pytest.mark.parametrize("trap", [_bomb, _boast, _pipe, _endless])
def test_features_that_are_a_trap_are_made_anew(tmp_path: Path, trap: Callable[[Path], None]) -> None:
    save(card_picture(41), tmp_path / "a.png")
    trap(tmp_path / FEATURES_FILE)
    (card,) = learn_all(tmp_path, {CardId("a"): "a.png"}).cards
    assert len(card.features) > 10
