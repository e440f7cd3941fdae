"""What the process asks of what lies below it: few threads, memory given back after use, a quick end."""

import atexit
import ctypes
import gc
import os
from typing import Final

_M_ARENA_MAX: Final = -8
"""As glibc's malloc.h numbers it."""


def be_frugal() -> None:
    """To be called before numpy is loaded: its library of matrices asks for its threads only then."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _keep_one_arena()
    # At its end Python looks through everything for what only holds itself, a fifth of a second for nothing.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def _keep_one_arena() -> bool:
    """With one for each thread, what a thread once needed for a picture is never given back.

    False where the C library is not glibc: others have no arenas.
    """
    try:
        return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1))
    except (AttributeError, OSError, TypeError):
        return False
