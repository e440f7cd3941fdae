"""Trains the network that tells which item stands where on a line of a card.

python -m models.pool POOL && python -m models.items.train POOL
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
    COUNTED,
    ITEM_KINDS,
    Photograph,
    Rng,
    Symbol,
    anatomy,
    any_style,
    draw_card,
    invent_facts,
    photograph,
)
from models.pool import Pool
from models.stream import Ring, Sample
from vision.anatomy import Along
from vision.cards import CardKind
from vision.cuts import cut_line, cut_window
from vision.scan import CELL, CELLS, ScanLine, scan_lines

MINUTES = 30.0
BATCH = 24
"""Lines of each direction per step, and as many single windows four times over."""
RATE = 2e-3
KEEP = 8_000
START = 600
COUNTS = 4
NEAR, FAR = 0.32, 0.46
"""A symbol this near to a place (in its own sizes) is there; farther than the other it is not."""
OUTPUTS = 1 + len(ITEM_KINDS) + COUNTS + 2
"""No item or its kind; its count; how far right and below it really stands, in sizes."""


class Items(nn.Module):
    """Fully convolutional: one window of 32 pixels gives one answer, a line of 128 gives 13."""

    def __init__(self) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            nn.Conv2d(3, 20, 5, stride=2, padding=2), nn.BatchNorm2d(20), nn.ReLU(),
            nn.Conv2d(20, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(64, 96, 3, padding=1), nn.BatchNorm2d(96), nn.ReLU(),
        )  # fmt: skip
        self.naming = nn.Sequential(
            nn.Dropout2d(0.05),
            nn.Conv2d(96, 128, 4),
            nn.BatchNorm2d(128),
            nn.ReLU(),
            nn.Conv2d(128, OUTPUTS, 1),
        )

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Bytes of N × height × width × BGR to N × OUTPUTS × rows × columns."""
        scaled = image.permute(0, 3, 1, 2).float() / 64.0 - 2.0
        answer: torch.Tensor = self.naming(self.seeing(scaled))
        return answer


# --- samples -----------------------------------------------------------------------------------------


def samples(folder: Path, seed: int) -> Iterator[Sample]:
    """From each photograph two lines in each direction and eight windows."""
    rng = np.random.default_rng((seed, 0x17E))
    pool = Pool(folder)
    while True:
        sort = "card" if rng.random() < 0.68 else "collage"
        sheet, kind = pool.pick(rng, sort)
        yield cuts_of(rng, photograph(rng, sheet, gentle=rng.random() < 0.7), kind)


def cuts_of(rng: Rng, shot: Photograph, kind: str) -> Sample:
    lines = scan_lines(anatomy(), CardKind(kind)) if kind else ()
    rows, columns = _pick(rng, lines, Along.RIGHT), _pick(rng, lines, Along.DOWN)
    symbols = [symbol for symbol in shot.symbols if symbol.kind in ITEM_KINDS]
    sample: Sample = {}
    for name, chosen in (("row", rows), ("column", columns)):
        cut = [_line(rng, shot, symbols, line, name == "row") for line in chosen]
        for part, values in zip(("image", "kind", "count", "off"), zip(*cut, strict=True), strict=True):
            sample[f"{name}.{part}"] = np.stack(values)[None]
    windows = [_window(rng, shot, symbols) for _ in range(8)]
    for part, values in zip(("image", "kind", "count", "off"), zip(*windows, strict=True), strict=True):
        sample[f"window.{part}"] = np.stack(values)[None]
    return sample


def _pick(rng: Rng, lines: tuple[ScanLine, ...], along: Along) -> list[ScanLine | None]:
    """Two lines of a card as it will be read; None is a line anywhere."""
    fitting = [line for line in lines if line.along is along]
    picks: list[ScanLine | None] = [
        fitting[int(rng.integers(len(fitting)))] if fitting and rng.random() < 0.85 else None
        for _ in range(2)
    ]
    return picks


Labelled = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _line(rng: Rng, shot: Photograph, symbols: list[Symbol], line: ScanLine | None, row: bool) -> Labelled:
    height, width = shot.card.shape[:2]
    along = Along.RIGHT if row else Along.DOWN
    if line is None:
        size = float(np.mean([s.size for s in symbols])) if symbols else 0.16 * width
        anchor = symbols[int(rng.integers(len(symbols)))] if symbols else None
        x, y = (anchor.x, anchor.y) if anchor else (rng.uniform(0, width), rng.uniform(0, height))
        x, y = (rng.uniform(0, 0.3) * width, y) if row else (x, rng.uniform(0, 0.5) * height)
    else:
        size = line.size * width
        x, y = line.x * width, line.y * height
    x, y = x + rng.normal(0, 0.10) * size, y + rng.normal(0, 0.10) * size
    size *= any_scale(rng)
    image = cut_line(shot.card, x, y, size, along)
    step = CELL * size
    places = [(x + step * k * row, y + step * k * (not row)) for k in range(CELLS)]
    return image, *_labels(symbols, places, size)


def any_scale(rng: Rng) -> float:
    """Symbols may be printed larger than our anatomy says, seldom smaller: then the window is too small."""
    return float(np.exp(rng.uniform(np.log(0.7), np.log(1.15))))


def _window(rng: Rng, shot: Photograph, symbols: list[Symbol]) -> Labelled:
    height, width = shot.card.shape[:2]
    if symbols and rng.random() < 0.85:
        symbol = symbols[int(rng.integers(len(symbols)))]
        size = symbol.size * any_scale(rng)
        spread = 0.08 if rng.random() < 0.7 else 0.3
        x, y = symbol.x + rng.normal(0, spread) * size, symbol.y + rng.normal(0, spread) * size
    else:
        size = rng.uniform(0.13, 0.2) * width
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    image = cut_window(shot.card, x, y, size)
    return image, *_labels(symbols, [(x, y)], size)


def _labels(
    symbols: list[Symbol], places: list[tuple[float, float]], size: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kinds = np.zeros(len(places), np.int64)
    counts = np.full(len(places), -1, np.int64)
    off = np.zeros((2, len(places)), np.float32)
    for index, (x, y) in enumerate(places):
        ways = [((s.x - x) / size, (s.y - y) / size, s) for s in symbols]
        if not ways:
            continue
        dx, dy, symbol = min(ways, key=lambda way: way[0] ** 2 + way[1] ** 2)
        apart = max(abs(dx), abs(dy))
        if apart > FAR:
            continue
        off[:, index] = dx, dy
        kinds[index] = 1 + ITEM_KINDS.index(symbol.kind) if apart < NEAR else -1
        if apart < NEAR and symbol.kind in COUNTED:
            counts[index] = symbol.count - 1
    return kinds, counts, off


# --- learning ----------------------------------------------------------------------------------------


def loss_of(
    net: Items, image: torch.Tensor, kind: torch.Tensor, count: torch.Tensor, off: torch.Tensor
) -> torch.Tensor:
    answer = net(image).flatten(2)
    kinds, counts, ways = answer.split((1 + len(ITEM_KINDS), COUNTS, 2), dim=1)
    loss = functional.cross_entropy(kinds, kind, ignore_index=-1, label_smoothing=0.02)
    if (count >= 0).any():
        loss = loss + 0.3 * functional.cross_entropy(counts, count, ignore_index=-1)
    seen = (kind > 0)[:, None].expand_as(ways)
    if seen.any():
        loss = loss + 1.5 * functional.smooth_l1_loss(ways[seen], off[seen], beta=0.1)
    return loss


def train(folder: Path, minutes: float, workers: int, seed: int, state: Path | None) -> Items:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    ring = Ring(partial(samples, folder), keep=KEEP, start=START, workers=workers, seed=100 * seed)
    ring.fill()
    net = Items()
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
        losses = []
        picks = rng.integers(0, 2, BATCH)
        for name in ("row", "column", "window"):
            part = {
                key: _spread(batch[f"{name}.{key}"], None if name == "window" else picks)
                for key in ("image", "kind", "count", "off")
            }
            losses.append(loss_of(net, **part))
        loss = losses[0] + losses[1] + losses[2]
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average.follow(step)
        step += 1
        if time.monotonic() - told > 60:
            told = time.monotonic()
            words = " ".join(f"{float(value):.3f}" for value in losses)
            print(f"{done:.0%} step {step} photographs {ring.made} losses {words}", flush=True)
            if state is not None:
                torch.save(average.net.state_dict(), state)
    ring.stop()
    return average.net


def _spread(rows: np.ndarray, picks: np.ndarray | None) -> torch.Tensor:
    """The picked one of the lines of each photograph, or all of its windows."""
    if picks is not None:
        return torch.from_numpy(rows[np.arange(len(rows)), picks])
    return torch.from_numpy(rows.reshape(-1, *rows.shape[2:]))


def measure(net: Items, photographs: int = 150) -> tuple[float, float]:
    """Kinds and counts right in windows on cards of styles held out from training."""
    rng = np.random.default_rng(99)
    net.eval()
    right = counted = right_counts = total = 0
    for _ in range(photographs):
        shot = photograph(rng, draw_card(invent_facts(rng), any_style(rng, held_out=True)), gentle=True)
        symbols = [s for s in shot.symbols if s.kind in ITEM_KINDS]
        images = np.stack([cut_window(shot.card, s.x, s.y, s.size) for s in symbols])
        with torch.no_grad():
            answer = net(torch.from_numpy(images))[:, :, 0, 0].numpy()
        kinds = answer[:, : 1 + len(ITEM_KINDS)].argmax(1)
        counts = answer[:, 1 + len(ITEM_KINDS) : -2].argmax(1)
        for symbol, kind, count in zip(symbols, kinds, counts, strict=True):
            total += 1
            right += kind > 0 and ITEM_KINDS[kind - 1] == symbol.kind
            if symbol.kind in COUNTED:
                counted += 1
                right_counts += count + 1 == symbol.count
    return right / total, right_counts / max(1, counted)


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
    export(net, torch.zeros((1, 32, 128, 3), dtype=torch.uint8), "items")
    kinds, counts = measure(net)
    print(f"held-out styles: kind {kinds:.4f}, count {counts:.4f}")


if __name__ == "__main__":
    main()
