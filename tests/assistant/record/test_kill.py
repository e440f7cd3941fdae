"""kill -9 at any moment: every move that was told to be saved is there, and the game goes on by itself."""

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assistant.record.store import open_store
from tests.assistant.record.recorded import bound_game, simulated

KILLS = 50
SEED = 20


@pytest.mark.slow
def test_killed_at_fifty_random_moments_no_saved_move_is_lost(tmp_path: Path) -> None:
    game = bound_game()
    played = [game.format(made) for made in simulated(SEED, "random").actions]
    luck = random.Random(4)
    kills = games = 0
    while kills < KILLS:
        folder = tmp_path / str(games)
        games += 1
        safe = 0
        ended = False
        while not ended and kills < KILLS:
            told, ended = _run_and_kill(folder, after_lines=luck.randint(0, 8), delay_s=luck.uniform(0, 0.02))
            kills += not ended
            safe = max([safe, *told])
            assert _recorded(folder)[:safe] == played[:safe]
        assert _recorded(folder) == played[: len(_recorded(folder))]
        if ended:
            assert _recorded(folder) == played
    assert kills == KILLS


def _run_and_kill(folder: Path, *, after_lines: int, delay_s: float) -> tuple[list[int], bool]:
    """Starts the program and kills it; what it had told by then, and whether it had come to its end."""
    program = Path(__file__).with_name("write_until_killed.py")
    with subprocess.Popen(
        [sys.executable, str(program), str(folder), str(SEED)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().strip() for _ in range(after_lines)]
        threading.Event().wait(delay_s)
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().split("\n")[:-1]  # a line cut off by the kill does not count
    return [int(line) for line in told if line.isdigit()], "end" in told


def _recorded(folder: Path) -> list[str]:
    with open_store(folder) as store:
        assert store.rescue is None, "a kill must not damage the file"
        unfinished = store.unfinished("kitchen")
        return [a.notation for a in store.load(unfinished).actions] if unfinished else []
