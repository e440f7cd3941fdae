"""Files from strangers: never more than so many bytes, and never a pipe or a device that does not end."""

import errno
import os
import stat
from pathlib import Path


def read_bounded(path: Path, most: int) -> bytes:
    """All of a regular file, or its first `most` + 1 bytes where it is larger. Raises OSError."""
    # O_NONBLOCK: opening a pipe must not hang before we see that it is one.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return file.read(most + 1)
