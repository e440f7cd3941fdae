"""Memory that pictures needed and need no longer goes back to the system.

The C library keeps what was freed for the next time: once a whole table was read anew, a hundred megabytes.
"""

import ctypes
import sys
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """A few milliseconds; nothing happens where the system's library cannot do it."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    """glibc's own; other libraries either have no such call or need none."""
    if not sys.platform.startswith("linux"):
        return None
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
