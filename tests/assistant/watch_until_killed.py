"""A program of its own that tests kill: watches a game, records it, and says on stdout what is safe."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from assistant.games.yu import KIT  # noqa: E402
from assistant.keep import RecordedTable  # noqa: E402
from assistant.record.store import open_store  # noqa: E402
from tests.assistant.observations import Eye  # noqa: E402
from tests.assistant.table import played, yu  # noqa: E402

TABLE = "kitchen"


def main(folder: Path) -> None:
    """Goes on where the last one was killed, with a table that lies as it did then."""
    game = yu()
    eye = Eye(layout=game.layout, pack=game.pack)
    with open_store(folder) as store:
        table = RecordedTable(store, KIT, game, TABLE, {})
        done = [] if table.resumed is None else [action.notation for action in table.resumed.actions]
        for notation in done:
            print(f"resumed {notation}", flush=True)
        state, told = game.initial(), len(done)
        for number, action in enumerate(played("greedy", 1), 1):
            state = game.apply(state, action)
            if number <= told:
                continue
            table.shared.observe(eye.look(game.view(state), number, float(number)))
            table.flush()
            settled = [entry.notation for entry in table.shared.snapshot().log if entry.committed]
            for notation in settled[told:]:
                print(f"safe {notation}", flush=True)
            told = max(told, len(settled))
        print("end", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
