"""Starts a program of its own, waits a little and kills it with SIGKILL; what it had told by then."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

Main = Callable[[Path, int], None]
"""What such a program does with a folder and a number."""


def told_until_killed(main: Main, folder: Path, number: int, *, lines: int, delay_s: float) -> list[str]:
    """The same as a program started from nothing, but from a process that has loaded our modules already:
    loading them fifty times takes minutes, and nothing is written meanwhile that a kill could damage."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.assistant.loaded_to_be_killed"])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(writer, main, folder, number))
    process.start()
    writer.close()
    with os.fdopen(os.dup(reader.fileno())) as stdout:
        reader.close()
        told = _heard(stdout, process.kill, lines, delay_s)
    process.join()
    process.close()
    return told


def told_until_started_program_killed(
    program: str, folder: Path, number: int, *, lines: int, delay_s: float
) -> list[str]:
    """The same as a player starts it, with an interpreter of its own."""
    with subprocess.Popen(
        [sys.executable, program, str(folder), str(number)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        return _heard(process.stdout, lambda: process.send_signal(signal.SIGKILL), lines, delay_s)


def _heard(stdout: IO[str], kill: Callable[[], None], lines: int, delay_s: float) -> list[str]:
    told = [stdout.readline().strip() for _ in range(lines)]
    threading.Event().wait(delay_s)
    kill()
    return told + stdout.read().split("\n")[:-1]  # a line cut off by the kill does not count


def _run(writer: "Connection[str, str]", main: Main, folder: Path, number: int) -> None:
    os.dup2(writer.fileno(), 1)
    writer.close()
    main(folder, number)
