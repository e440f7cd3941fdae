"""The process is frugal: threads do not keep the memory they once needed, and numpy does not start many."""

import os
import platform
import subprocess
import sys

import pytest

from assistant.frugal import be_frugal, keep_memory

ARENAS = """
import ctypes, threading
from assistant.frugal import be_frugal

be_frugal()
together = threading.Barrier(4)

def work():
    held = bytearray(100_000)
    together.wait()
    return held

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has arenas")
def test_threads_have_no_memory_of_their_own_that_is_never_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", ARENAS], capture_output=True, text=True, check=True)
    assert [line for line in done.stderr.splitlines() if line.startswith("Arena")] == ["Arena 0:"]


def test_a_system_without_glibc_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: None) -> object:
        return object()

    monkeypatch.setattr("ctypes.CDLL", none)
    be_frugal()
    assert not keep_memory()


KEPT = """
import resource
from assistant.frugal import be_frugal, keep_memory

be_frugal()
assert keep_memory()
for _ in range(5):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    bytearray(40_000_000)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_a_short_command_does_not_ask_for_the_same_memory_again() -> None:
    done = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True)
    first, *others = map(int, done.stdout.split())
    assert max(others) < 0.1 * first


RING = """
from assistant.frugal import be_frugal

class Ring:
    def __init__(self):
        self.itself = self

    def __del__(self):
        print("searched for rings")

be_frugal()
Ring()
print("end")
"""


def test_nothing_is_searched_through_when_the_process_ends() -> None:
    done = subprocess.run([sys.executable, "-c", RING], capture_output=True, text=True, check=True)
    assert done.stdout == "end\n"


def test_what_the_player_says_about_threads_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    be_frugal()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    be_frugal()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
