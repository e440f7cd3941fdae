"""What was freed is given back to the system."""

from pathlib import Path

import numpy as np
import pytest

from vision.memory import _trim, give_back

PIECES = 1500
PIECE = 64 * 1024
"""Bytes: too small to be given back one by one."""


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(_trim() is None, reason="only glibc can be asked")
def test_freed_memory_below_a_piece_in_use_is_given_back() -> None:
    give_back()
    pieces = [np.ones(PIECE, np.uint8) for _ in range(PIECES)]
    last = pieces.pop()
    pieces.clear()
    before = resident()
    give_back()
    assert before - resident() > PIECES * PIECE / 2
    assert last.all()
