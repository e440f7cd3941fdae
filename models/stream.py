"""Training samples without end: processes make them, a ring of memory keeps the newest ones."""

import multiprocessing
from collections.abc import Callable, Iterator
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Sample: TypeAlias = dict[str, NDArray[np.generic]]
"""Arrays of one row each per sample."""
Source: TypeAlias = Callable[[int], Iterator[Sample]]
"""Makes groups of samples for ever, from a seed."""


def _produce(source: Source, seed: int, queue: "multiprocessing.Queue[Sample]") -> None:
    cv2.setNumThreads(1)
    gathered: list[Sample] = []
    for sample in source(seed):
        gathered.append(sample)
        if len(gathered) == 32:
            queue.put({key: np.concatenate([part[key] for part in gathered]) for key in sample})
            gathered = []


class Ring:
    """The newest samples; each is seen a few times before it is written over."""

    def __init__(self, source: Source, *, keep: int, start: int, seen: int, workers: int, seed: int) -> None:
        """`seen` is how often each sample is looked at on average."""
        context = multiprocessing.get_context("spawn")
        self._queue: multiprocessing.Queue[Sample] = context.Queue(maxsize=16)
        self._processes = [
            context.Process(target=_produce, args=(source, seed + k, self._queue), daemon=True)
            for k in range(workers)
        ]
        for process in self._processes:
            process.start()
        self._keep = keep
        self._arrays: Sample = {}
        self._made = 0
        self._seen = 0
        self._often = seen
        self._start = start

    def fill(self) -> None:
        """Waits until there are enough samples to begin with."""
        while self._made < self._start:
            self.take_in(wait=True)

    def __len__(self) -> int:
        return min(self._made, self._keep)

    @property
    def made(self) -> int:
        return self._made

    def take_in(self, *, wait: bool = False) -> None:
        """All groups that are ready; at least one if asked to wait.

        Not more than what was seen often enough: on few cores new samples cost time that learning needs.
        """
        while wait or (self._made < self._start + self._seen / self._often and not self._queue.empty()):
            wait = False
            group = self._queue.get()
            for key, rows in group.items():
                if key not in self._arrays:
                    self._arrays[key] = np.empty((self._keep, *rows.shape[1:]), rows.dtype)
                at = (self._made + np.arange(len(rows))) % self._keep
                self._arrays[key][at] = rows
            self._made += len(rows)

    def batch(self, rng: np.random.Generator, size: int) -> Sample:
        rows = rng.integers(len(self), size=size)
        self._seen += size
        return {key: array[rows] for key, array in self._arrays.items()}

    def stop(self) -> None:
        for process in self._processes:
            process.terminate()
