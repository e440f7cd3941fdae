"""Trains the reader of near views: it marks each piece in a photograph, and says how large it sees them.

    python -m models.near.views POOL --parts 0 48      (a quarter of an hour; may go on while training)
    python -m models.near.train POOL --minutes 45      (goes on where it was stopped)

It begins with the weights of models/pieces/places.onnx, writes models/near/near.onnx and prints what it finds
on the parts that it was not trained on.
"""

import argparse
import math
import random
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.export import enter
from models.layers import doubled, layer
from models.pieces.train import KINDS, FromPicture, Marks, focal_loss, recoloured
from models.sittings import Training
from models.take_up import take_up

STRIDE = 4
BATCH = 8
RATE = 1.6e-3
TESTED = 12
"""Every so many parts, one is kept for testing."""
LEAST_VISIBLE = 0.18
BEST = 3.0
"""Pixels to a millimetre in the middle of what it is trained on: sizes are told as a share of this."""
SIZE_WEIGHT = 0.7
START = Path(__file__).parents[1] / "pieces" / "places.onnx"
OUT = Path(__file__).parent / "near.onnx"
_SPREADS = {
    "flood": 2.2,
    "barge": 2.0,
    "farm": 1.7,
    "outpost": 1.7,
    "hut": 1.7,
    "cowrie": 1.5,
    "provision": 1.5,
}
"""How wide the mark of a large piece is, in cells: nobody can say to the pixel where its middle is."""

Picture = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""A view and its rows: kind, x, y, pixels to a millimetre."""


class Near(nn.Module):
    """The network of the pieces, with a further map: how many pixels a millimetre has."""

    def __init__(self) -> None:
        super().__init__()
        self.marks = Marks()
        self.size = nn.Sequential(layer(32, 32), nn.Conv2d(32, 1, 1))

    def forward(self, picture: Tensor) -> Tensor:
        own = self.marks
        fine = own.fine(picture)
        middle = own.middle(fine)
        coarse = own.coarse(middle)
        coarse = own.from_deep(coarse + doubled(own.deep(coarse)))
        seen = fine + doubled(own.joined(middle + doubled(coarse)))
        return torch.cat([own.head(seen), self.size(seen)], dim=1)


class Pool:
    """All parts of a folder; those drawn meanwhile are taken in too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts: dict[str, list[Picture]] = {}
        self.tested: dict[str, list[Picture]] = {}
        self.look()

    def look(self) -> None:
        for path in sorted(self._folder.glob("part-*.npy")):
            kept = self.tested if int(path.stem.split("-")[1]) % TESTED == 0 else self.parts
            if path.name not in kept:
                kept[path.name] = _part(path)

    def batch(self, rng: random.Random) -> tuple[Tensor, Tensor, Tensor]:
        parts = list(self.parts.values())
        pictures, targets, sizes = [], [], []
        for _ in range(BATCH):
            picture, rows = _moved(*rng.choice(rng.choice(parts)), rng)
            if rng.random() < 0.25:
                picture, rows = _beside((picture, rows), _moved(*rng.choice(rng.choice(parts)), rng), rng)
            pictures.append(_exposed(picture, rng))
            target, size = target_of(rows, picture.shape[0])
            targets.append(target)
            sizes.append(size)
        return tuple(torch.from_numpy(np.stack(part)) for part in (pictures, targets, sizes))  # type: ignore[return-value]


def _part(path: Path) -> list[Picture]:
    images = np.load(path, mmap_mode="r")
    rows = np.load(path.with_name(path.name.replace("part", "rows")))
    rows = rows[rows[:, 4] >= LEAST_VISIBLE][:, (0, 1, 2, 3, 5)]
    return [(image, rows[rows[:, 0] == index][:, 1:]) for index, image in enumerate(images)]


def _moved(picture: NDArray[np.uint8], rows: NDArray[np.float32], rng: random.Random) -> Picture:
    """Mirrored, a little slanted, nearer or farther, aside."""
    side = picture.shape[0]
    picture, rows = np.asarray(picture), rows.copy()
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(picture[:, ::-1])
        rows[:, 1] = side - 1 - rows[:, 1]
    if rng.random() < 0.3:
        return picture, rows
    scale = math.exp(rng.gauss(0, 0.16))
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.gauss(0, 9), scale)
    turn[:, 2] += (rng.gauss(0, 12), rng.gauss(0, 12))
    edge = rng.choice((cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE))
    ground = [float(part) for part in np.median(picture[::8, ::8].reshape(-1, 3), axis=0)]
    picture = np.asarray(cv2.warpAffine(picture, turn, (side, side), borderMode=edge, borderValue=ground))
    points = rows[:, 1:3] @ turn[:, :2].T + turn[:, 2]
    inside = ((points > 2) & (points < side - 3)).all(axis=1)
    moved = np.column_stack([rows[:, 0], points, rows[:, 3] * scale]).astype(np.float32)
    return picture, moved[inside]


def _beside(one: Picture, other: Picture, rng: random.Random) -> Picture:
    """A part of one picture beside a part of another: pieces never belong to one ground only."""
    side = one[0].shape[0]
    axis, cut = rng.randrange(2), rng.randrange(side // 4, side * 3 // 4)
    picture = one[0].copy()
    rest = (slice(None), slice(cut, None)) if axis == 0 else (slice(cut, None), slice(None))
    picture[rest] = other[0][rest]
    kept = [one[1][one[1][:, 1 + axis] < cut - 4], other[1][other[1][:, 1 + axis] >= cut + 4]]
    return picture, np.concatenate(kept)


def _exposed(picture: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """As a telephone develops it: often bright, deep in colour and sharpened."""
    if rng.random() < 0.5:
        bright = float(np.percentile(picture[::4, ::4], 97))
        picture = cv2.convertScaleAbs(picture, alpha=min(2.5, rng.uniform(170, 260) / max(bright, 30)))  # type: ignore[assignment]
    if rng.random() < 0.25:
        tones = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
        tones[..., 1] = np.clip(tones[..., 1] * rng.uniform(1.1, 1.7), 0, 255)
        picture = np.asarray(cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
    picture = recoloured(picture, rng, 0.7)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.5))
        strong = rng.uniform(0.3, 1.5)
        picture = np.asarray(cv2.addWeighted(picture, 1 + strong, soft, -strong, 0), np.uint8)
    return picture


def target_of(rows: NDArray[np.float32], side: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A bell around each piece, exactly 1 in its cell; and its size there, 0 where no piece is."""
    cells = side // STRIDE
    grid = np.arange(cells, dtype=np.float32)
    target = np.zeros((len(KINDS), cells, cells), np.float32)
    sizes = np.zeros((cells, cells), np.float32)
    for kind, x, y, size in rows:
        spread = _SPREADS.get(KINDS[int(kind)], 1.15) * math.sqrt(max(0.5, size / BEST))
        across, down = grid[None] - (x + 0.5) / STRIDE + 0.5, grid[:, None] - (y + 0.5) / STRIDE + 0.5
        bell = np.exp(-(across**2 + down**2) / (2 * spread**2))
        target[int(kind)] = np.maximum(target[int(kind)], np.minimum(bell, 0.98))
        column, row = math.floor((x + 0.5) / STRIDE), math.floor((y + 0.5) / STRIDE)
        if 0 <= column < cells and 0 <= row < cells:
            target[int(kind), row, column] = 1.0
            near = (slice(max(0, row - 1), row + 2), slice(max(0, column - 1), column + 2))
            sizes[near] = size / BEST
    return target, sizes


def loss_of(answers: Tensor, target: Tensor, sizes: Tensor) -> Tensor:
    known = (sizes > 0).float()
    off = functional.smooth_l1_loss(answers[:, -1], sizes.clamp(min=0.05).log(), reduction="none", beta=0.1)
    return focal_loss(answers[:, :-1], target) + SIZE_WEIGHT * (off * known).sum() / known.sum().clamp(min=1)


def begun(pool: Pool, start: Path, kept: Path) -> Near:
    """Weights of this network, or those that read heaps, where nothing was kept so far."""
    torch.manual_seed(1)
    network = Near().to(memory_format=torch.channels_last)
    if not kept.exists():
        examples = [pool.batch(random.Random(number))[0] for number in range(24)]
        known = network if tells_sizes(start) else network.marks
        take_up(known, start, torch.cat(examples).permute(0, 3, 1, 2).float() / 255)
    return network


def tells_sizes(weights: Path) -> bool:
    """Whether they are of this network, which has one map more than that of the pieces."""
    answers = onnx.load(str(weights)).graph.output[0].type.tensor_type.shape.dim[1].dim_value
    return bool(answers == len(KINDS) + 1)


class Told(nn.Module):
    """Scores become chances, the logarithm of a size the size itself."""

    def forward(self, answers: Tensor) -> Tensor:
        return torch.cat([torch.sigmoid(answers[:, :-1]), torch.exp(answers[:, -1:])], dim=1)


def export(network: nn.Module, path: Path) -> None:
    whole = nn.Sequential(FromPicture(), network, Told()).eval()
    axes = {"image": {0: "n", 1: "h", 2: "w"}, "marks": {0: "n", 2: "h4", 3: "w4"}}
    torch.onnx.export(
        whole, (torch.zeros(1, 224, 640, 3, dtype=torch.uint8),), str(path), input_names=["image"],
        output_names=["marks"], dynamic_axes=axes, dynamo=False,
    )  # fmt: skip


@torch.no_grad()
def measure(network: nn.Module, pool: Pool, least: float = 0.4) -> None:
    """Found, missed and invented pieces, and views where all is right."""
    network.eval()
    right = missed = invented = whole = total = 0
    off: list[float] = []
    for picture, rows in (view for part in pool.tested.values() for view in part):
        answers = network(torch.from_numpy(np.asarray(picture)).permute(2, 0, 1)[None].float() / 255)[0]
        marks = torch.sigmoid(answers[:-1])
        top = functional.max_pool2d(marks[None], 3, 1, 1)[0]
        left = [tuple(row) for row in rows]
        before = missed + invented
        for kind, y, x in ((marks == top) & (marks > least)).nonzero().tolist():
            at = ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
            near = [p for p in left if p[0] == kind and math.dist(p[1:3], at) < 5 * p[3]]
            if near:
                left.remove(near[0])
                off.append(abs(float(answers[-1, y, x]) - math.log(near[0][3] / BEST)))
            right, invented = right + bool(near), invented + (not near)
        missed += len(left)
        total, whole = total + 1, whole + (before == missed + invented)
    print(
        f"{total} views, {whole} all right: {right} found, {missed} missed, {invented} invented; "
        f"sizes off by a factor of {math.exp(float(np.median(off or [0]))):.2f}", flush=True,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=45, help="of processor time in all")
    parser.add_argument("--sitting", type=float, default=math.inf, help="minutes of this run alone")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--start", type=Path, default=START, help="weights to go on from, in the first run")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at its highest")
    parser.add_argument("--steady", action="store_true", help="normalisation stays as it was taken up")
    parser.add_argument("--now", action="store_true", help="write what the run has reached so far")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    pool = Pool(options.pool)
    kept = options.pool / "training.pt"
    network = begun(pool, options.start, kept)
    training = Training(
        network, rate=options.rate, decay=1e-4, minutes=options.minutes, kept=kept, steady=options.steady
    )

    def loss(rng: random.Random) -> Tensor:
        pictures, targets, sizes = pool.batch(rng)
        return loss_of(network(pictures.permute(0, 3, 1, 2).float() / 255), targets, sizes)

    if not options.now:
        training.run(loss, options.sitting, told=pool.look)
    measure(training.average.net, pool)
    export(training.average.net, options.out)
    if options.out == OUT:
        enter("near", options.out)


if __name__ == "__main__":
    main()
