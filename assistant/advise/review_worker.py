"""Finds the costly decisions of one game: a request comes in as JSON, the answer goes out."""

import json
import os
import sys
from typing import Any

from assistant.advise.review import Costly, costly_decisions
from assistant.advise.worker import NICE
from assistant.discover import kit_named
from assistant.kit import Game
from vision.pack import parse_pack


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    request = json.loads(sys.stdin.read())
    kit = kit_named(request["game"])
    game = kit.bind(parse_pack(request["pack"], kit.pack_rules), request["confirmed"])
    steps = [(game.decode(state), game.parse(notation)) for state, notation in request["steps"]]
    costly = costly_decisions(game, steps, seconds=request["seconds"])
    print(json.dumps([costly_data(game, one) for one in costly]))


def costly_data(game: Game[Any, Any], one: Costly) -> dict[str, Any]:
    return {
        "number": one.number,
        "round": one.round,
        "played": [game.format(action) for action in one.played],
        "better": [game.format(action) for action in one.better],
        "win_played": round(one.chance_played, 4),
        "win_better": round(one.chance_better, 4),
    }


if __name__ == "__main__":
    main()
