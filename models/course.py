"""One course of training, the same for every network: samples stream in, the rate falls, weights average."""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np
import torch
from torch import nn

from models.export import Average
from models.stream import Ring, Sample, Source
from models.take_up import take_up

Net = TypeVar("Net", bound=nn.Module)
Losses: TypeAlias = Callable[[Net, Sample], Mapping[str, torch.Tensor]]
"""The terms of the loss by name, weighed; their sum is made smaller."""

_WARM_STEPS = 200
_LEAST_RATE = 0.02
"""Of the highest rate, at the end."""
_TELL_S = 60.0
_EXAMPLE = 1_000
"""So many samples tell how what a layer gives is spread, where weights are taken up again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    batch: int
    rate: float
    keep: int
    """Samples kept in memory."""
    start: int
    """Samples to wait for before the first step."""
    seen: int = 4
    """How often each sample is looked at: on few cores making new ones takes time that learning needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line says about a run."""

    pool: Path
    minutes: float
    workers: int
    threads: int
    seed: int
    state: Path | None
    start: Path | None
    rate: float | None


def parse_options(about: str | None, minutes: float) -> Options:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="a file to go on from, and to keep the state in")
    parser.add_argument("--start", type=Path, help="weights to go on from, written as ONNX")
    parser.add_argument("--rate", type=float, help="of learning, at its highest")
    return Options(**vars(parser.parse_args()))


def train(net: Net, source: Source, losses: Losses[Net], course: Course, options: Options) -> Net:
    """The averaged network after the given time."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(options.seed)
    ring = Ring(
        source,
        keep=course.keep,
        start=course.start,
        seen=course.seen,
        workers=options.workers,
        seed=100 * options.seed,
    )
    ring.fill()
    if options.state is not None and options.state.exists():
        net.load_state_dict(torch.load(options.state, weights_only=True))
    elif options.start is not None:
        take_up(net, options.start, torch.from_numpy(ring.batch(rng, _EXAMPLE)["image"]))
    net.train()
    average = Average(net)
    rate = options.rate or course.rate
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    begun, step, told = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - begun) / (60 * options.minutes)) < 1:
        optimiser.param_groups[0]["lr"] = rate * _share(step, done)
        ring.take_in()
        terms = losses(net, ring.batch(rng, course.batch))
        optimiser.zero_grad()
        torch.stack(list(terms.values())).sum().backward()
        optimiser.step()
        average.follow(step)
        step += 1
        if time.monotonic() - told > _TELL_S:
            told = time.monotonic()
            words = " ".join(f"{name} {float(value.detach()):.3f}" for name, value in terms.items())
            print(f"{done:.0%} step {step} samples {ring.made}: {words}", flush=True)
            _keep(average.net, options.state)
    ring.stop()
    _keep(average.net, options.state)
    return average.net


def _share(step: int, done: float) -> float:
    """Of the highest rate: warm at first, then falling as a cosine does."""
    falling = _LEAST_RATE + (1 - _LEAST_RATE) * float(np.cos(done * np.pi / 2)) ** 2
    return min(1.0, step / _WARM_STEPS) * falling


def _keep(net: nn.Module, state: Path | None) -> None:
    if state is not None:
        torch.save(net.state_dict(), state)
