"""Trains the network that tells which item stands where on a line of a card.

python -m models.pool POOL && python -m models.items.train POOL
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from models.course import Course, parse_options, train
from models.export import export
from models.items.data import samples
from models.photographs import COUNTED, ITEM_KINDS, any_style, draw_card, invent_facts, photograph
from models.stream import Sample
from vision.cuts import cut_window

MINUTES = 30.0
COURSE = Course(batch=24, rate=2e-3, keep=8_000, start=600)
"""Lines of each direction per step, and as many single windows eight times over."""
COUNTS = 4
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


def losses_of(net: Items, batch: Sample) -> Mapping[str, torch.Tensor]:
    """One of the two lines of each photograph in either direction, and all windows."""
    second = np.arange(len(batch["row.image"])) % 2
    losses = {}
    for name in ("row", "column", "window"):
        part = {
            key: _spread(batch[f"{name}.{key}"], None if name == "window" else second)
            for key in ("image", "kind", "count", "off")
        }
        losses[name] = loss_of(net, **part)
    return losses


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
    options = parse_options(__doc__, MINUTES)
    net = train(Items(), partial(samples, options.pool), losses_of, COURSE, options)
    export(net, torch.zeros((1, 32, 128, 3), dtype=torch.uint8), "items")
    kinds, counts = measure(net)
    print(f"held-out styles: kind {kinds:.4f}, count {counts:.4f}")


if __name__ == "__main__":
    main()
