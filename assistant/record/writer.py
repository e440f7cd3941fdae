"""The one thread that writes: jobs in order, many in one commit, tried again while the disk refuses."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from assistant.record.errors import RecordError, Trouble, problem_with

Work: TypeAlias = Callable[[Connection], Any]

CAPACITY: Final = 64_000_000
"""Bytes that may wait in memory: more than an hour of play while nothing can be saved."""
OVERHEAD: Final = 1_000
"""What a job weighs besides its data."""
BATCH: Final = 200
RETRY_S: Final = 1.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    work: Work
    weight: int
    saved: "Future[Any]" = field(default_factory=Future)


class Writer:
    """`submit` never waits. Its future is done when the data is on the disk, not before."""

    def __init__(
        self, engine: Engine, place: str, *, capacity: int = CAPACITY, retry_s: float = RETRY_S
    ) -> None:
        self._engine = engine.execution_options(writes=True)
        self._place = place
        self._capacity = capacity
        self._retry_s = retry_s
        self._jobs: deque[_Job] = deque()
        self._weight = 0
        self._change = threading.Condition()
        self._trouble: RecordError | None = None
        self._gave_up: RecordError | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="record-writer", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> RecordError | None:
        """Why the last moves are not saved yet; None while all is well."""
        return self._gave_up or self._trouble

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def submit(self, work: Work, weight: int = 0) -> "Future[Any]":
        job = _Job(work=work, weight=weight + OVERHEAD)
        with self._change:
            if self._closing:
                raise RecordError(f"The record {self._place} is closed.")
            if self._gave_up is None and self._weight + job.weight > self._capacity:
                self._gave_up = self._giving_up()
            if self._gave_up is not None:
                # After one gap nothing more may be added: a fold over events stands no hole.
                job.saved.set_exception(self._gave_up)
                return job.saved
            self._jobs.append(job)
            self._weight += job.weight
            self._change.notify_all()
        return job.saved

    def flush(self, timeout_s: float) -> bool:
        """Waits until everything submitted so far is saved; False where that takes too long."""
        with self._change:
            return self._change.wait_for(lambda: not self._jobs, timeout_s)

    def close(self, timeout_s: float = 10.0) -> None:
        """Saves what it can within the time; what is left fails with the reason."""
        saved = self.flush(timeout_s)
        with self._change:
            self._closing = True
            self._change.notify_all()
        self._thread.join(timeout_s)
        if not saved:
            for job in tuple(self._jobs):
                if not job.saved.done():
                    job.saved.set_exception(self.trouble or self._giving_up())

    def _giving_up(self) -> RecordError:
        log.error("record %s: %d jobs wait, no more are taken", self._place, len(self._jobs))
        return RecordError(
            f"The record {self._place} could not be written for too long: the rest of this game is lost.",
            Trouble.GIVEN_UP,
        )

    def _run(self) -> None:
        while batch := self._next_batch():
            done = self._written(batch)
            with self._change:
                for job in done:
                    self._jobs.popleft()
                    self._weight -= job.weight
                self._change.notify_all()
                if not done:
                    if self._closing:
                        return
                    self._change.wait_for(lambda: self._closing, self._retry_s)

    def _next_batch(self) -> tuple[_Job, ...]:
        with self._change:
            self._change.wait_for(lambda: self._jobs or self._closing)
            return tuple(islice(self._jobs, BATCH))

    def _written(self, batch: tuple[_Job, ...]) -> tuple[_Job, ...]:
        """The jobs that need no further attempt; none where the world must change first."""
        try:
            with self._engine.begin() as connection:
                results = [job.work(connection) for job in batch]
        except (IntegrityError, DataError, ProgrammingError) as problem:
            if len(batch) > 1:
                return self._written(batch[:1])
            log.error("record %s: one row was refused: %s", self._place, problem)
            batch[0].saved.set_exception(problem_with(self._place, problem))
            return batch
        except DBAPIError as problem:
            self._worry(problem_with(self._place, problem))
            return ()
        if self._trouble is not None:
            log.warning("record %s: written again", self._place)
            self._trouble = None
        for job, result in zip(batch, results, strict=True):
            job.saved.set_result(result)
        return batch

    def _worry(self, problem: RecordError) -> None:
        if self._trouble is None or self._trouble.trouble is not problem.trouble:
            log.warning("%s", problem)
        self._trouble = problem
