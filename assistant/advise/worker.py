"""The advisor's own process: positions come in as lines of JSON, better and better advice goes out.

The first line says which game and which cards; the newest position is always the one that is thought about.
"""

import json
import os
import sys
import threading
import time
from typing import Any, Final, TextIO

from assistant.advise.advisor import Advisor
from assistant.advise.letter import advice_to_json
from assistant.advise.say import advice_of
from assistant.discover import kit_named
from assistant.kit import Game
from vision.pack import parse_pack

STAGES_S: Final = (0.15, 0.6, 2.0, 6.0)
"""How long each answer is thought about; the last one stands."""
LATE_S: Final = 3600.0
"""An interruption makes it so much later at once: every thought is over. Not for ever later: a thought that
begins just then would count from there, and infinity less infinity is no time at all."""
NICE: Final = 10
"""Whoever watches the table goes first."""


class Slot:
    """Holds the newest request only; an older one that nobody took is forgotten."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._request: dict[str, Any] | None = None
        self._closed = False

    def put(self, request: dict[str, Any]) -> None:
        with self._changed:
            self._request = request
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    @property
    def interrupting(self) -> bool:
        return self._request is not None or self._closed

    def take(self) -> dict[str, Any] | None:
        """Waits for a request; None once there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self.interrupting)
            request, self._request = self._request, None
            return None if self._closed else request


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    first = json.loads(sys.stdin.readline())
    kit = kit_named(first["game"])
    game = kit.bind(parse_pack(first["pack"], kit.pack_rules), first["confirmed"])
    slot = Slot()
    threading.Thread(target=_read, args=(sys.stdin, slot), daemon=True).start()
    while (request := slot.take()) is not None:
        answer(game, request, slot, sys.stdout)


def _read(lines: TextIO, slot: Slot) -> None:
    for line in lines:
        slot.put(json.loads(line))
    slot.close()


def answer(game: Game[Any, Any], request: dict[str, Any], slot: Slot, out: TextIO) -> None:
    """Thinks longer and longer about one position until a newer one interrupts."""
    state = game.decode(request["state"])
    advisor = Advisor(game, clock=lambda: time.monotonic() + (LATE_S if slot.interrupting else 0.0))
    for seconds in STAGES_S:
        if slot.interrupting:
            return
        thought = advisor.think(state, seconds)
        if slot.interrupting:
            return
        advice = advice_of(game, state, thought, thinking=seconds < STAGES_S[-1])
        out.write(json.dumps({"id": request["id"], "advice": advice_to_json(advice)}) + "\n")
        out.flush()
        if advice.plain is not None:
            return


if __name__ == "__main__":
    main()
