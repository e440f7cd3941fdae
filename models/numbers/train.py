"""Trains the network that reads the number on a grey stone or a turtle, 0 to 199, or says that there is none.

python -m models.pool POOL && python -m models.numbers.train POOL
"""

from collections.abc import Mapping
from functools import partial

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.course import Course, parse_options, train
from models.export import export
from models.numbers.data import PLACES, SIGNS, samples, signs_of
from models.numbers.drawn import are_drawn, drawn
from models.photographs import Rng, any_style, draw_card, draw_collage, invent_facts, photograph
from models.sittings import quickly
from models.stream import Sample
from vision.cuts import NUMBER_PX, NUMBER_ZOOMS, cut_number

MINUTES = 90.0
COURSE = Course(batch=96, rate=2e-3, keep=60_000, start=12_000, seen=4)
_GRID = np.stack(np.meshgrid(*(np.arange(NUMBER_PX, dtype=np.float32) - (NUMBER_PX - 1) / 2,) * 2), axis=-1)
"""Places of a window's pixels, from its middle."""
FINE = 32
"""Features of the finest look."""
_NUMBERS = torch.tensor([signs_of(number) for number in (*range(200), None)])
"""The signs of all that is ever answered."""
_WHOLE = 1 / PLACES
"""How much a whole number counts beside each of its places."""


def seeing(before: int, after: int, side: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, side, padding=side // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )


class Deeper(nn.Module):
    """Two further looks at the same size, added to what was seen so far."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = seeing(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return torch.relu(image + self.second(self.first(image)))


class Numbers(nn.Module):
    """Fine detail first, twice as fine as the network before this one saw; then as that one read."""

    def __init__(self, further: int = 1) -> None:
        """`further`: so many looks more at either size; with none it is the network up to commit 4633e1a."""
        super().__init__()
        self.fine = nn.Sequential(
            nn.Conv2d(3, FINE, 6, stride=2, padding=2, bias=False), nn.BatchNorm2d(FINE), nn.ReLU()
        )
        self.seeing = nn.Sequential(nn.MaxPool2d(2), seeing(FINE, 32), *reading(further))
        self.to(memory_format=torch.channels_last)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Bytes of N × 64 × 64 × BGR to N × 3 places × 11 signs."""
        answer: torch.Tensor = self.seeing(self.fine(scaled(image)))
        return answer.reshape(-1, PLACES, SIGNS)


def reading(further: int) -> tuple[nn.Module, ...]:
    """From 16 × 16 places with 32 features to the signs."""
    return (
        Deeper(32), *(Deeper(32) for _ in range(further)), nn.MaxPool2d(2),
        seeing(32, 80), Deeper(80), *(Deeper(80) for _ in range(further)), seeing(80, 40, side=1),
        nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(40 * (NUMBER_PX // 8) ** 2, 192), nn.BatchNorm1d(192), nn.ReLU(),
        nn.Linear(192, PLACES * SIGNS),
    )  # fmt: skip


def scaled(image: torch.Tensor) -> torch.Tensor:
    return image.permute(0, 3, 1, 2).float() / 64.0 - 2.0


def varied(images: NDArray[np.generic]) -> NDArray[np.uint8]:
    """The same windows bent, moved and lit otherwise: each is seen several times, never twice the same."""
    rng = np.random.default_rng(int(images[0].sum()))
    many = len(images)
    lit = np.stack([_bent(rng, image) for image in images])
    gain = np.exp(rng.uniform(-0.7, 0.3, (many, 1, 1, 1))) * rng.uniform(0.9, 1.1, (many, 1, 1, 3))
    level = lit.mean((1, 2), keepdims=True)
    lit *= gain.astype(np.float32)
    lit += level * (1 - gain.astype(np.float32)) + rng.uniform(-30, 30, (many, 1, 1, 1)).astype(np.float32)
    lit += rng.standard_normal(lit.shape, np.float32) * rng.uniform(0, 5, (many, 1, 1, 1)).astype(np.float32)
    lit[rng.random(many) < 0.08] *= -1  # pale digits on dark
    lit[lit.mean((1, 2, 3)) < 0] += 255
    return np.clip(lit, 0, 255).astype(np.uint8)


def _bent(rng: Rng, image: NDArray[np.generic]) -> NDArray[np.float32]:
    """Turned, stretched, leaning, and all strokes a little displaced: another hand, another camera."""
    turn, lean = rng.normal(0, (0.04, 0.06))
    wide, tall = np.exp(rng.normal(0, 0.07, 2))
    matrix = np.array([(wide, lean - turn), (turn, tall)], np.float32)
    off = rng.normal(0, 1.6, 2) + (NUMBER_PX - 1) / 2 + rng.normal(0, rng.uniform(0, 1.1), (5, 5, 2))
    smooth = cv2.resize(off.astype(np.float32), (NUMBER_PX, NUMBER_PX), interpolation=cv2.INTER_CUBIC)
    x, y = cv2.split(np.asarray(smooth, np.float32) + _GRID @ matrix.T)
    bent = cv2.remap(np.asarray(image, np.uint8), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.float32)


def losses_of(net: Numbers, batch: Sample) -> Mapping[str, torch.Tensor]:
    with quickly():
        answer = net(torch.from_numpy(varied(batch["image"])))
    answer, signs = answer.float(), torch.from_numpy(batch["signs"])
    return {
        "signs": functional.cross_entropy(answer.flatten(0, 1), signs.flatten(), label_smoothing=0.01),
        "numbers": _WHOLE * whole_numbers(answer, signs),
    }


def whole_numbers(answer: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
    """How unlikely the truth is among all numbers that a reader may answer, not place by place."""
    logs = answer.log_softmax(2)[:, torch.arange(PLACES), _NUMBERS].sum(2)
    truth = (signs[:, None] == _NUMBERS).all(2).int().argmax(1)
    return functional.cross_entropy(logs, truth, label_smoothing=0.01)


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
        images = np.stack([cut_number(shot.card, s.x, s.y, s.size * NUMBER_ZOOMS[s.kind]) for s in carriers])
        with torch.no_grad():
            found = net(torch.from_numpy(images)).argmax(2).tolist()
        right[collage] += [f == signs_of(s.number) for f, s in zip(found, carriers, strict=True)]
    return float(np.mean(right[False])), float(np.mean(right[True]))


def main() -> None:
    options = parse_options(__doc__, MINUTES)
    source = drawn if are_drawn(options.pool) else samples
    net = train(Numbers(), partial(source, options.pool), losses_of, COURSE, options)
    export(net, torch.zeros((1, NUMBER_PX, NUMBER_PX, 3), dtype=torch.uint8), "numbers")
    on_cards, any_look = measure(net)
    print(f"held-out styles: on cards {on_cards:.4f}, in collages {any_look:.4f}")


if __name__ == "__main__":
    main()
