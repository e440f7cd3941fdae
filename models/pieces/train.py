"""Trains the reader of pieces: a small network that marks each piece on a flat picture of the table.

    python -m models.pieces.data DATA --styles 170
    python -m models.pieces.data DATA --styles 16 --split held_out
    python -m models.pieces.train DATA --minutes 40

It writes models/pieces/pieces.onnx and prints its accuracy on styles that it never saw.
"""

import argparse
import random
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

KINDS = (
    "barge", "black", "blue", "clay", "cowrie", "farm", "flood", "hut", "outpost", "provision", "red",
    "white", "wood", "yellow",
)  # fmt: skip
"""In the order of the data's numbers."""

CROP = 128
STRIDE = 4
SPREAD = 1.1
"""Width of the mark that a piece leaves on the map of its kind, in cells."""
BATCH = 24
RATE = 2.5e-3
OUT = Path(__file__).parent / "pieces.onnx"


class Marks(nn.Module):
    """A picture in, a map per kind out, one cell for 4 × 4 pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_layer(3, 20, 2), _layer(20, 32, 2), _layer(32, 32))
        self.middle = nn.Sequential(_layer(32, 56, 2), _layer(56, 56), _layer(56, 56))
        self.coarse = nn.Sequential(_layer(56, 80, 2), _layer(80, 80), _layer(80, 56))
        self.joined = nn.Sequential(_layer(56, 56), _layer(56, 32))
        self.head = nn.Sequential(_layer(32, 40), nn.Conv2d(40, len(KINDS), 1))
        nn.init.constant_(self.head[-1].bias, -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        fine = self.fine(picture)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.joined(middle + functional.interpolate(coarse, scale_factor=2.0, mode="nearest"))
        return self.head(fine + functional.interpolate(middle, scale_factor=2.0, mode="nearest"))


def _layer(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Table:
    """One flat picture and its pieces."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.image = cv2.imread(str(path))
        self.pieces = np.load(path.with_suffix(".npz"))["pieces"]

    def crop(self, rng: random.Random) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """A square around some piece (or anywhere), turned, mirrored and resized a little."""
        height, width = self.image.shape[:2]
        if len(self.pieces) and rng.random() < 0.85:
            _, x, y, *_ = self.pieces[rng.randrange(len(self.pieces))]
            centre = x + rng.uniform(-40, 40), y + rng.uniform(-40, 40)
        else:
            centre = rng.uniform(64, width - 64), rng.uniform(64, height - 64)
        turn = cv2.getRotationMatrix2D(centre, rng.uniform(0, 360), rng.uniform(0.75, 1.3))
        turn[:, 2] += CROP / 2 - np.array(centre)
        picture = cv2.warpAffine(
            self.image, turn, (CROP, CROP), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )
        points = self.pieces[:, 1:3] @ turn[:, :2].T + turn[:, 2]
        inside = (points > -4).all(axis=1) & (points < CROP + 4).all(axis=1)
        marks = np.column_stack([self.pieces[inside, 0], points[inside]]).astype(np.float32)
        return _recoloured(picture, rng), marks


def _recoloured(picture: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """Another lamp, another sensor, another lens."""
    values = picture.astype(np.float32)
    gain = np.array([rng.gauss(1, 0.07) for _ in range(3)], np.float32) * rng.uniform(0.75, 1.25)
    values = 255 * np.clip(values * gain / 255, 0, 1) ** rng.uniform(0.8, 1.25)
    if rng.random() < 0.4:
        values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.4))
    if rng.random() < 0.5:
        noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.uniform(1, 7), values.shape)
        values = values + noise.astype(np.float32)
    return np.clip(values, 0, 255).astype(np.uint8)


def target_of(marks: NDArray[np.float32], size: int = CROP) -> NDArray[np.float32]:
    cells = size // STRIDE
    grid = np.arange(cells, dtype=np.float32)
    target = np.zeros((len(KINDS), cells, cells), np.float32)
    for kind, x, y in marks:
        across, down = grid[None] - x / STRIDE + 0.5, grid[:, None] - y / STRIDE + 0.5
        bell = np.exp(-(across**2 + down**2) / (2 * SPREAD**2))
        target[int(kind)] = np.maximum(target[int(kind)], bell)
    return target


def focal_loss(scores: Tensor, target: Tensor) -> Tensor:
    """The loss of keypoint detectors: near a mark, a miss counts less the nearer it is."""
    chance = torch.sigmoid(scores).clamp(1e-5, 1 - 1e-5)
    hit = (target > 0.93).float()
    found = hit * (1 - chance) ** 2 * torch.log(chance)
    empty = (1 - hit) * (1 - target) ** 4 * chance**2 * torch.log(1 - chance)
    return -(found + empty).sum() / hit.sum().clamp(min=1)


def train(tables: list[Table], minutes: float, seed: int, begin: Path | None) -> Marks:
    torch.manual_seed(seed)
    rng = random.Random(seed)
    network = Marks()
    if begin is not None:
        network.load_state_dict(torch.load(begin, weights_only=True))
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    begun, step, mean = time.monotonic(), 0, 0.0
    while (spent := (time.monotonic() - begun) / 60) < minutes:
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 100) * (0.02 + 0.98 * (1 - spent / minutes))
        crops = [rng.choice(tables).crop(rng) for _ in range(BATCH)]
        pictures = torch.from_numpy(np.stack([picture for picture, _ in crops])).permute(0, 3, 1, 2)
        targets = torch.from_numpy(np.stack([target_of(marks) for _, marks in crops]))
        loss = focal_loss(network(pictures.float() / 255), targets)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean = 0.98 * mean + 0.02 * float(loss.detach()) if step else float(loss.detach())
        step += 1
        if step % 50 == 0:
            print(f"{spent:5.1f} min  step {step}  loss {mean:.3f}", flush=True)
    return network


class FromPicture(nn.Module):
    """Takes pictures as the camera gives them: N × height × width × BGR, in bytes."""

    def forward(self, image: Tensor) -> Tensor:
        return image.permute(0, 3, 1, 2).float() / 255


def export(network: Marks, path: Path) -> None:
    """Scores become probabilities inside the file, and any size that 16 divides is welcome."""
    whole = nn.Sequential(FromPicture(), network, nn.Sigmoid()).eval()
    torch.onnx.export(
        whole,
        (torch.zeros(1, 160, 640, 3, dtype=torch.uint8),),
        str(path),
        input_names=["image"],
        output_names=["marks"],
        dynamic_axes={"image": {0: "n", 1: "h", 2: "w"}, "marks": {0: "n", 2: "h4", 3: "w4"}},
        dynamo=False,
    )


def peaks(marks: Tensor, least: float) -> list[tuple[int, float, float, float]]:
    """Kind, x, y and strength of each local maximum."""
    top = functional.max_pool2d(marks[None], 3, 1, 1)[0]
    found = ((marks == top) & (marks > least)).nonzero()
    return [
        (int(k), (float(x) + 0.5) * STRIDE, (float(y) + 0.5) * STRIDE, float(marks[k, y, x]))
        for k, y, x in found
    ]


def measure(network: Marks, tables: list[Table], least: float = 0.35) -> None:
    """Found, missed and invented pieces on whole tables."""
    network.eval()
    right = missed = invented = 0
    for table in tables:
        height, width = (size // 16 * 16 for size in table.image.shape[:2])
        picture = torch.from_numpy(table.image[:height, :width]).permute(2, 0, 1)[None].float() / 255
        with torch.no_grad():
            found = peaks(torch.sigmoid(network(picture))[0], least)
        left = [(int(kind), x, y) for kind, x, y, *_ in table.pieces if x < width and y < height]
        for kind, x, y, _ in found:
            near = [p for p in left if p[0] == kind and abs(p[1] - x) < 10 and abs(p[2] - y) < 10]
            if near:
                left.remove(near[0])
                right += 1
            else:
                invented += 1
        missed += len(left)
    print(f"{len(tables)} tables: {right} found, {missed} missed, {invented} invented")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="weights (.pt) of an earlier run to go on from")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    paths = sorted(options.data.glob("*.jpg"))
    network = train(
        [Table(path) for path in paths if path.name.startswith("train")],
        options.minutes,
        options.seed,
        options.begin,
    )
    torch.save(network.state_dict(), options.out.with_suffix(".pt"))
    measure(network, [Table(path) for path in paths if path.name.startswith("held_out")])
    export(network, options.out)


if __name__ == "__main__":
    main()
