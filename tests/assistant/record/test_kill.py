"""kill -9 at any moment: every move that was told to be saved is there, and the game goes on by itself."""

import random
from pathlib import Path

import pytest

from assistant.record.store import open_store
from tests.assistant.killed import told_until_killed, told_until_started_program_killed
from tests.assistant.record import write_until_killed
from tests.assistant.record.recorded import bound_game
from tests.assistant.record.write_until_killed import SEED, moves

KILLS = 50
FRESH = 5
"""So many of them of programs that were started from nothing."""


@pytest.mark.slow
def test_killed_at_fifty_random_moments_no_saved_move_is_lost(tmp_path: Path) -> None:
    game = bound_game()
    played = [game.format(made) for made in moves()]
    luck = random.Random(4)
    kills = games = 0
    while kills < KILLS:
        folder = tmp_path / str(games)
        games += 1
        safe = 0
        ended = False
        while not ended and kills < KILLS:
            told, ended = _run_and_kill(
                folder,
                fresh=kills < FRESH,
                after_lines=luck.randint(0, 8),
                delay_s=luck.uniform(0, 0.02),
            )
            kills += not ended
            safe = max([safe, *told])
            assert _recorded(folder)[:safe] == played[:safe]
        assert _recorded(folder) == played[: len(_recorded(folder))]
        if ended:
            assert _recorded(folder) == played
    assert kills == KILLS


def _run_and_kill(folder: Path, *, fresh: bool, after_lines: int, delay_s: float) -> tuple[list[int], bool]:
    """Starts the program and kills it; what it had told by then, and whether it had come to its end."""
    if fresh:
        told = told_until_started_program_killed(
            write_until_killed.__file__, folder, SEED, lines=after_lines, delay_s=delay_s
        )
    else:
        told = told_until_killed(write_until_killed.main, folder, SEED, lines=after_lines, delay_s=delay_s)
    return [int(line) for line in told if line.isdigit()], "end" in told


def _recorded(folder: Path) -> list[str]:
    with open_store(folder) as store:
        assert store.rescue is None, "a kill must not damage the file"
        unfinished = store.unfinished("kitchen")
        return [a.notation for a in store.load(unfinished).actions] if unfinished else []
