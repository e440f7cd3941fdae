"""A real PostgreSQL server for tests: started from the system's binaries, gone when the tests are over."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def binaries() -> Path | None:
    found = shutil.which("postgres")
    if found:
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return versions[-1].parent if versions else None


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty database on a server that listens on a socket in its own folder only."""
    programs = binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed here")
    prefix = _unprivileged()
    # Not tmp_path: a socket's name may have 107 characters at the most.
    folder = Path(tempfile.mkdtemp(prefix="floodwatch-pg-"))
    if prefix:
        shutil.chown(folder, "postgres")
    settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    control = [*prefix, str(programs / "pg_ctl"), "-D", str(folder / "data"), "-s", "-w"]
    try:
        _run(
            [*prefix, str(programs / "initdb"), "-D", str(folder / "data"), "-U", "club", "-A", "trust"],
            folder,
        )
        _run([*control, "-o", settings, "-l", str(folder / "log"), "start"], folder)
        try:
            yield f"postgresql://club@/postgres?host={folder}"
        finally:
            _run([*control, "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("runuser") is None or "postgres" not in {user.pw_name for user in pwd.getpwall()}:
        pytest.skip("we are root, and there is no user postgres to run the server")
    return ["runuser", "-u", "postgres", "--"]


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
