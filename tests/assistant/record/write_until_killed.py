"""A program of its own that tests kill: records a game and says on stdout what is safe on the disk."""

import sys
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from assistant.record.store import open_store
from tests.assistant.record.recorded import action, bound_game, header, simulated

SEED = 20


def moves(seed: int = SEED) -> tuple[Any, ...]:
    """The game that is recorded."""
    return tuple(simulated(seed, "random").actions)


def main(folder: Path, seed: int) -> None:
    """Goes on where the last one was killed; each line names an action whose future is done."""
    game = bound_game()
    store = open_store(folder)
    unfinished = store.unfinished("kitchen")
    if unfinished is None:
        state = game.initial()
        recorder = store.begin(header(), game.encode(state))
        done = 0
    else:
        recorder = store.resume(unfinished)
        recorded = store.load(unfinished)
        state, done = game.decode(recorded.state), len(recorded.actions)
    for number, made in enumerate(moves(seed)[done:], done + 1):
        state = game.apply(state, made)
        recorder.event("told", {"number": number})
        saved = recorder.action(action(number, game.format(made), state=game.encode(state), crop=b"x" * 3000))
        saved.add_done_callback(partial(_tell, number))
    recorder.flush()
    print("end", flush=True)


def _tell(number: int, saved: "Future[int]") -> None:
    saved.result()
    print(number, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
