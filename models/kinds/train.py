"""Trains the network that tells what lies in a place for a card: its kind, whether it is upside down, and
where its corners are.

    python -m models.pool POOL && python -m models.kinds.tables POOL && python -m models.kinds.train POOL
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.course import Course, parse_options, train
from models.export import export
from models.kinds.data import ANSWERS, Places, samples
from models.kinds.tables import Tables, draw_table
from models.stream import Sample
from vision.cuts import THUMB_PX
from vision.virtual.scene_style import Split

MINUTES = 20.0
COURSE = Course(batch=96, rate=2e-3, keep=20_000, start=1_500)
OUTPUTS = len(ANSWERS) + 1 + 8
"""The answers; upside down; right and down shift of each corner, in widths and heights of the place."""


class Kinds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seeing = nn.Sequential(
            nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 48, 3, padding=1), nn.BatchNorm2d(48), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(48, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Flatten(), nn.Dropout(0.05),
            nn.Linear(64 * (THUMB_PX[0] // 8) * (THUMB_PX[1] // 8), 128), nn.ReLU(),
            nn.Linear(128, OUTPUTS),
        )  # fmt: skip

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Bytes of N × 72 × 48 × BGR to N × OUTPUTS."""
        scaled = image.permute(0, 3, 1, 2).float() / 64.0 - 2.0
        answer: torch.Tensor = self.seeing(scaled)
        return answer


def losses_of(net: Kinds, batch: Sample) -> Mapping[str, torch.Tensor]:
    parts = {key: torch.from_numpy(value) for key, value in batch.items()}
    answer, turned, corners = net(parts["image"]).split((len(ANSWERS), 1, 8), dim=1)
    there = parts["answer"] != ANSWERS.index("empty")
    known = there & (parts["answer"] != ANSWERS.index("unknown"))
    return {
        "answer": functional.cross_entropy(answer, parts["answer"], label_smoothing=0.01),
        "turned": 0.5 * functional.binary_cross_entropy_with_logits(turned[known, 0], parts["turned"][known]),
        "corners": 15 * functional.smooth_l1_loss(corners[there], parts["corners"][there], beta=0.02),
    }


def measure(net: Kinds, count: int = 400) -> tuple[float, float, float]:
    """Answers right, upside down right, and the mean way between true and found corners in card heights."""
    tables = Tables([draw_table(seed, Split.HELD_OUT) for seed in range(6)])
    places = Places(np.random.default_rng(97), None, tables)
    net.eval()
    right, turns, ways = [], [], []
    for _ in range(count):
        sample = places.sample()
        with torch.no_grad():
            found = net(torch.from_numpy(sample["image"]))[0].numpy()
        answer = int(sample["answer"][0])
        right.append(int(found[: len(ANSWERS)].argmax()) == answer)
        if answer < len(ANSWERS) - 2:
            turns.append((found[len(ANSWERS)] > 0) == (sample["turned"][0] > 0.5))
            ways.append(np.abs(found[len(ANSWERS) + 1 :] - sample["corners"][0]).mean())
    return float(np.mean(right)), float(np.mean(turns)), float(np.mean(ways))


def main() -> None:
    options = parse_options(__doc__, MINUTES)
    net = train(Kinds(), partial(samples, options.pool), losses_of, COURSE, options)
    export(net, torch.zeros((1, THUMB_PX[1], THUMB_PX[0], 3), dtype=torch.uint8), "kinds")
    right, turned, way = measure(net)
    print(f"held-out styles: answer {right:.4f}, upside down {turned:.4f}, corners off by {way:.4f}")


if __name__ == "__main__":
    main()
