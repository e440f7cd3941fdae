"""Trains the network that reads the number on a grey stone or a turtle, 0 to 199, or says that there is none.

python -m models.pool POOL && python -m models.numbers.train POOL
"""

import argparse
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.export import Average, export
from models.photographs import (
    Photograph,
    Rng,
    Symbol,
    any_style,
    draw_card,
    draw_collage,
    invent_facts,
    photograph,
)
from models.pool import Pool
from models.stream import Ring, Sample
from vision.cuts import NUMBER_PX, cut_number

MINUTES = 20.0
BATCH = 192
RATE = 2.5e-3
KEEP = 60_000
START = 3_000
PLACES = 3
SIGNS = 11
"""Ten digits, and none: numbers stand at the left of their three places."""
PER_PHOTOGRAPH = 10


class Numbers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            nn.Conv2d(3, 20, 3, padding=1), nn.BatchNorm2d(20), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(20, 40, 3, padding=1), nn.BatchNorm2d(40), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(40, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(64 * (NUMBER_PX // 8) ** 2, 160), nn.BatchNorm1d(160), nn.ReLU(),
            nn.Linear(160, PLACES * SIGNS),
        )  # fmt: skip

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Bytes of N × 32 × 32 × BGR to N × 3 places × 11 signs."""
        scaled = image.permute(0, 3, 1, 2).float() / 64.0 - 2.0
        answer: torch.Tensor = self.seeing(scaled).reshape(-1, PLACES, SIGNS)
        return answer


def signs_of(number: int | None) -> list[int]:
    text = "" if number is None else str(number)
    return [int(digit) for digit in text] + [SIGNS - 1] * (PLACES - len(text))


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    rng = np.random.default_rng((seed, 0x2B))
    pool = Pool(folder)
    while True:
        sheet, _ = pool.pick(rng, "numbers" if rng.random() < 0.6 else "card")
        yield cuts_of(rng, photograph(rng, sheet, gentle=rng.random() < 0.7))


def cuts_of(rng: Rng, shot: Photograph) -> Sample:
    carriers = [symbol for symbol in shot.symbols if symbol.kind in ("stone", "turtle")]
    images, signs = [], []
    for _ in range(PER_PHOTOGRAPH if len(carriers) > 4 else 3):
        if carriers and rng.random() < 0.94:
            symbol = carriers[int(rng.integers(len(carriers)))]
            images.append(_cut(rng, shot, symbol))
            signs.append(signs_of(symbol.number))
        else:
            height, width = shot.card.shape[:2]
            x, y = rng.uniform(0, width), rng.uniform(0, height)
            if any(np.hypot(s.x - x, s.y - y) < 0.8 * s.size for s in carriers):
                continue
            images.append(cut_number(shot.card, x, y, rng.uniform(16, 28)))
            signs.append(signs_of(None))
    if not images:
        return {
            "image": np.empty((0, NUMBER_PX, NUMBER_PX, 3), np.uint8),
            "signs": np.empty((0, PLACES), np.int64),
        }
    return {"image": np.stack(images), "signs": np.array(signs, np.int64)}


def _cut(rng: Rng, shot: Photograph, symbol: Symbol) -> np.ndarray:
    spread = 0.07 * symbol.size
    x, y = symbol.x + rng.normal(0, spread), symbol.y + rng.normal(0, spread)
    # the number fills more of a stone than of a turtle
    zoom = (1.0 if symbol.kind == "stone" else 0.78) * float(np.exp(rng.uniform(np.log(0.78), np.log(1.15))))
    return cut_number(shot.card, x, y, symbol.size * zoom)


def train(folder: Path, minutes: float, workers: int, seed: int, state: Path | None) -> Numbers:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    ring = Ring(partial(samples, folder), keep=KEEP, start=START, workers=workers, seed=100 * seed)
    ring.fill()
    net = Numbers()
    if state is not None and state.exists():
        net.load_state_dict(torch.load(state, weights_only=True))
    average = Average(net)
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    begun, step, told = time.monotonic(), 0, 0.0
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        optimiser.param_groups[0]["lr"] = (
            RATE * min(1.0, step / 200) * (0.02 + 0.98 * np.cos(done * np.pi / 2) ** 2)
        )
        ring.take_in()
        batch = ring.batch(rng, BATCH)
        answer = net(torch.from_numpy(batch["image"])).reshape(-1, SIGNS)
        loss = functional.cross_entropy(
            answer, torch.from_numpy(batch["signs"]).reshape(-1), label_smoothing=0.01
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.follow(step)
        step += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{done:.0%} step {step} windows {ring.made} loss {float(loss):.3f}", flush=True)
            if state is not None:
                torch.save(average.net.state_dict(), state)
    ring.stop()
    return average.net


def measure(net: Numbers, cards: int = 250, collages: int = 12) -> tuple[float, float]:
    """Whole numbers right on stones, and on stones and turtles with any number, styles held out."""
    rng = np.random.default_rng(98)
    net.eval()
    right: dict[bool, list[bool]] = {False: [], True: []}
    for index in range(cards + collages):
        style = any_style(rng, held_out=True)
        collage = index >= cards
        sheet = (
            draw_collage(rng, style, numbers=True, held_out=True)
            if collage
            else draw_card(invent_facts(rng), style)
        )
        shot = photograph(rng, sheet, gentle=True)
        carriers = [s for s in shot.symbols if s.kind in ("stone", "turtle")]
        images = np.stack(
            [cut_number(shot.card, s.x, s.y, s.size * (1.0 if s.kind == "stone" else 0.78)) for s in carriers]
        )
        with torch.no_grad():
            found = net(torch.from_numpy(images)).argmax(2).tolist()
        right[collage] += [f == signs_of(s.number) for f, s in zip(found, carriers, strict=True)]
    return float(np.mean(right[False])), float(np.mean(right[True]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="a file to go on from, and to keep the state in")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    net = train(options.pool, options.minutes, options.workers, options.seed, options.state)
    export(net, torch.zeros((1, NUMBER_PX, NUMBER_PX, 3), dtype=torch.uint8), "numbers")
    on_cards, any_look = measure(net)
    print(f"held-out styles: on cards {on_cards:.4f}, in collages {any_look:.4f}")


if __name__ == "__main__":
    main()
