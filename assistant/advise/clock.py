"""The time that this process was given: a busy machine changes no result, only how long it takes."""

import time
from typing import Final

ASKED_EVERY_S: Final = 0.003


class ProcessorClock:
    """Processor time, asked for every few milliseconds: on a busy machine each question may cost the turn."""

    def __init__(self) -> None:
        self._asked = -1.0
        self._now = 0.0

    def __call__(self) -> float:
        if time.perf_counter() - self._asked > ASKED_EVERY_S:
            self._now = time.process_time()
            self._asked = time.perf_counter()
        return self._now
