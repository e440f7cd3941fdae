"""A training in several sittings: stopped at any time and gone on with, by minutes of processor time."""

import math
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import torch
from torch import Tensor, nn

from models.export import Average

Net = TypeVar("Net", bound=nn.Module)
Loss: TypeAlias = Callable[[random.Random], Tensor]
"""What the network, as it is now, makes of another batch."""

_WARM_STEPS = 200
_LEAST_RATE = 0.01
"""Of the highest rate, at the end."""
_TELL_STEPS = 100
_KEEP_S = 60.0


def quickly() -> torch.autocast:
    """Numbers of half the length where this processor multiplies them: nearly twice the steps in the time."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


class Training(Generic[Net]):
    """A run that may be stopped and gone on with: its weights lie beside the pool."""

    def __init__(
        self, network: Net, *, rate: float, decay: float, minutes: float, kept: Path, steady: bool = False
    ) -> None:
        """`steady`: normalisation stays as it was taken up, for few pictures tell badly what is usual."""
        self.network = network
        self._steady = steady
        self.average = Average(network)
        self._optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=decay)
        self._rate, self._minutes, self._kept = rate, minutes, kept
        self._spent, self._step, self._mean = 0.0, 0, math.nan
        if kept.exists():
            state = torch.load(kept, weights_only=True)
            self.network.load_state_dict(state["network"])
            self.average.net.load_state_dict(state["average"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._spent, self._step = state["spent"], state["step"]

    def run(self, loss: Loss, sitting: float = math.inf, told: Callable[[], None] = lambda: None) -> None:
        """To the end, or for so many minutes: the rate falls with the whole run, not with each sitting.

        `told` is called whenever the run says how far it is.
        """
        rng = random.Random(self._step)
        saved, begun, before = time.monotonic(), time.process_time(), self._spent
        while self._spent < min(self._minutes, before + sitting):
            self._learn(loss, rng)
            self._spent = before + (time.process_time() - begun) / 60
            if self._step % _TELL_STEPS == 0:
                print(f"{self._spent:5.1f} min  step {self._step}  loss {self._mean:.3f}", flush=True)
                told()
            if time.monotonic() - saved > _KEEP_S:
                saved = time.monotonic()
                self.keep()
        self.keep()

    def _learn(self, loss: Loss, rng: random.Random) -> None:
        left = 1 - self._spent / self._minutes
        for group in self._optimiser.param_groups:
            warm = min(1, (self._step + 1) / _WARM_STEPS)
            group["lr"] = self._rate * warm * (_LEAST_RATE + (1 - _LEAST_RATE) * left)
        self.network.train(not self._steady)
        found = loss(rng)
        self._optimiser.zero_grad()
        found.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 10.0)
        self._optimiser.step()
        self.average.follow(self._step)
        value = float(found.detach())
        self._mean = value if math.isnan(self._mean) else 0.99 * self._mean + 0.01 * value
        self._step += 1

    def keep(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "average": self.average.net.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "spent": self._spent,
            "step": self._step,
        }
        unfinished = self._kept.with_suffix(".unfinished")
        torch.save(state, unfinished)
        unfinished.replace(self._kept)
