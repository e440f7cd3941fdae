"""A robot that plays on the virtual table at human pace: what it does, the program must see for itself."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from assistant.kit import Dice, Game
from assistant.virtual import slip_of, visible
from vision.virtual.source import VirtualSource

GLANCE_S: Final = 0.1
UNNOTICED_S: Final = 7.0
"""How long a mistake lies on the table before the robot puts it right."""
LOOKED_AT_S: Final = 8.0
"""How long the robot lets a slow machine look at a move before the next one."""


class TablePlayer:
    """Plays in a thread of its own. `moved` is told each position, `over` asked for the next game's first.

    `calm_at` is when the table was last seen to be calm: a robot whose hands are quicker than the program's
    eye would show nothing but a blur.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        source: VirtualSource,
        state: Any,
        *,
        seed: int | str,
        pause_s: float,
        mistakes: float,
        moved: Callable[[Any], None],
        over: Callable[[], Any],
        rest_s: float,
        calm_at: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._game = game
        self._source = source
        self._state = state
        self._dice = Dice(seed)
        self._slips = Dice(f"{seed}/mistakes")
        self._slip_odds = ((True, mistakes), (False, 1 - mistakes))
        self._pause_s = pause_s
        self._moved = moved
        self._over = over
        self._rest_s = rest_s
        self._calm_at = calm_at
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._play, name="player", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _play(self) -> None:
        while not self._stopped.wait(self._pause_s):
            if self._game.outcome(self._state) is not None:
                if self._stopped.wait(self._rest_s):
                    return
                self._state = self._over()
                self._source.lay(self._game.view(self._state))
            elif self._slips.weighted(self._slip_odds):
                self._slip()
            else:
                self._move()

    def _move(self) -> None:
        game, before = self._game, self._state
        action = game.policies["greedy"](before, self._dice)
        self._state = game.apply(before, action)
        self._moved(self._state)
        if visible(game.layout, game.view(before)) != visible(game.layout, game.view(self._state)):
            self._lay(self._state)

    def _slip(self) -> None:
        """A broken rule, left on the table for a while and then put right."""
        slip = slip_of(self._game, self._state, self._slips)
        if slip is not None:
            self._lay(slip[0].state)
            self._stopped.wait(UNNOTICED_S)
            self._lay(self._state)

    def _lay(self, state: Any) -> None:
        self._source.push(self._game.view(state))
        while self._source.waiting and not self._stopped.wait(GLANCE_S):
            pass
        done_at = time.monotonic()
        while self._calm_at() <= done_at and time.monotonic() < done_at + LOOKED_AT_S:
            if self._stopped.wait(GLANCE_S):
                return
