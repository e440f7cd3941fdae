"""What the process asks of what lies below it: few threads, memory given back after use, a quick end."""

import atexit
import ctypes
import gc
import os
from collections.abc import Mapping
from typing import Final

_M_ARENA_MAX: Final = -8
_M_MMAP_THRESHOLD: Final = -3
_M_TRIM_THRESHOLD: Final = -1
"""As glibc's malloc.h numbers them."""
_ALL: Final = 2**30


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
    return _told_malloc({_M_ARENA_MAX: 1})


def keep_memory() -> bool:
    """For a command that is over in seconds: what one picture took is there for the next one.

    Else it is given back each time, and the system takes its time to hand it out again, page by page.
    """
    return _told_malloc({_M_MMAP_THRESHOLD: _ALL, _M_TRIM_THRESHOLD: _ALL})


def _told_malloc(settings: Mapping[int, int]) -> bool:
    try:
        mallopt = ctypes.CDLL(None).mallopt
        return all(bool(mallopt(name, value)) for name, value in settings.items())
    except (AttributeError, OSError, TypeError):
        return False
