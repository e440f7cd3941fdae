"""A program of its own that tests kill: watches a game, records it, and says on stdout what is safe."""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from assistant.games.yu import KIT  # noqa: E402
from assistant.keep import RecordedTable  # noqa: E402
from assistant.record.store import open_store  # noqa: E402
from tests.assistant.observations import Eye  # noqa: E402
from tests.assistant.table import played, yu  # noqa: E402

TABLE = "kitchen"


def moves() -> tuple[Any, ...]:
    """The game that is watched, always the same."""
    return tuple(played("greedy", 1))


def main(folder: Path, laid: int) -> None:
    """Looks at a table on which so many moves are done, and at one more after the other."""
    game = yu()
    eye = Eye(layout=game.layout, pack=game.pack)
    with open_store(folder) as store:
        table = RecordedTable(store, KIT, game, TABLE, {})

        def tell(kind: str, number: int, *, settled: bool = False) -> None:
            log = table.shared.snapshot().log
            said = [entry.notation for entry in log if entry.committed or not settled]
            print(kind, number, json.dumps(said), flush=True)

        if table.resumed is not None:
            tell("resumed", laid)
        state = game.initial()
        for number, action in enumerate(moves(), 1):
            state = game.apply(state, action)
            if number < laid:
                continue
            print("laid", number, [], flush=True)
            table.shared.observe(eye.look(game.view(state), number, float(number)))
            table.flush()
            tell("seen", number)
            tell("safe", number, settled=True)
        print("end", 0, [], flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
