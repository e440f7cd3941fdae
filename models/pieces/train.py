"""Trains the reader of pieces: a small network that marks each piece on a flat picture of the table.

    python -m models.pieces.patches POOL --parts 0 60      (an hour on one core; may go on while training)
    python -m models.pieces.train POOL --minutes 60        (goes on where it was stopped)

It writes models/pieces/pieces.onnx and prints its accuracy on the parts that it was not trained on.
"""

import argparse
import math
import random
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.export import enter
from models.layers import doubled, layer
from models.sittings import Training, quickly
from models.take_up import take_up

KINDS = (
    "barge", "black", "blue", "clay", "cowrie", "farm", "flood", "hut", "outpost", "provision", "red",
    "white", "wood", "yellow",
)  # fmt: skip
"""In the order of the data's numbers."""

_LARGE = ("farm", "outpost", "hut", "flood", "barge")
STRIDE = 4
SPREAD = 1.0
"""Width of the mark that a piece leaves on the map of its kind, in cells."""
LEAST_VISIBLE = 0.12
"""Of a piece that others hide more than this nobody can say anything."""
BATCH = 8
RATE = 2.5e-3
TESTED = 12
"""Every so many parts, one is kept for testing."""
OUT = Path(__file__).parent / "pieces.onnx"


class Marks(nn.Module):
    """A picture in, a map per kind out, one cell for 4 × 4 pixels; the deepest stage sees a whole Flood."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(layer(3, 20, 2), layer(20, 32, 2), layer(32, 32))
        self.middle = nn.Sequential(layer(32, 56, 2), layer(56, 56), layer(56, 56))
        self.coarse = nn.Sequential(layer(56, 80, 2), layer(80, 80), layer(80, 80))
        self.deep = nn.Sequential(layer(80, 96, 2), layer(96, 96), layer(96, 80))
        self.from_deep = layer(80, 56)
        self.joined = nn.Sequential(layer(56, 56), layer(56, 32))
        self.head = nn.Sequential(layer(32, 48), nn.Conv2d(48, len(KINDS), 1))
        nn.init.constant_(self.head[-1].bias, -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        fine = self.fine(picture)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        coarse = self.from_deep(coarse + doubled(self.deep(coarse)))
        middle = self.joined(middle + doubled(coarse))
        return self.head(fine + doubled(middle))


class Part:
    """One file of patches and the rows of their pieces."""

    def __init__(self, path: Path) -> None:
        self.images = np.load(path, mmap_mode="r")
        rows = np.load(path.with_name(path.name.replace("part", "rows")))
        rows = rows[rows[:, 4] >= LEAST_VISIBLE]
        self.pieces = [rows[rows[:, 0] == index][:, 1:4] for index in range(len(self.images))]


class Pool:
    """All parts of a folder; those made meanwhile are taken in too."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts: dict[str, Part] = {}
        self.tested: dict[str, Part] = {}
        self.look()

    def look(self) -> None:
        for path in sorted(self._folder.glob("part-*.npy")):
            number = int(path.stem.split("-")[1])
            kept = self.tested if number % TESTED == 0 else self.parts
            if path.name not in kept:
                kept[path.name] = Part(path)

    def batch(self, rng: random.Random) -> tuple[Tensor, Tensor]:
        parts = list(self.parts.values())
        pictures, targets = [], []
        for _ in range(BATCH):
            picture, marks = _any(parts, rng)
            if rng.random() < 0.4:
                picture, marks = _patched((picture, marks), _any(parts, rng), rng)
            pictures.append(recoloured(_faded(picture, marks, rng), rng))
            targets.append(target_of(marks, picture.shape[0]))
        return torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(targets))


def _any(parts: list[Part], rng: random.Random) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    part = rng.choice(parts)
    index = rng.randrange(len(part.images))
    picture, marks = _turned(np.asarray(part.images[index]), part.pieces[index], rng)
    return _slanted(picture, marks, rng) if rng.random() < 0.5 else (picture, marks)


def _slanted(
    picture: NDArray[np.uint8], marks: NDArray[np.float32], rng: random.Random
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """By any angle, a little larger or smaller; the corners become even ground."""
    side = picture.shape[0]
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(-45, 45), rng.uniform(0.85, 1.2))
    ground = [float(part) for part in np.median(picture[::8, ::8].reshape(-1, 3), axis=0)]
    warped = cv2.warpAffine(picture, turn, (side, side), borderMode=cv2.BORDER_CONSTANT, borderValue=ground)
    points = marks[:, 1:] @ turn[:, :2].T + turn[:, 2]
    return np.asarray(warped, np.uint8), np.column_stack([marks[:, 0], points]).astype(np.float32)


def _patched(
    one: tuple[NDArray[np.uint8], NDArray[np.float32]],
    other: tuple[NDArray[np.uint8], NDArray[np.float32]],
    rng: random.Random,
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A part of one picture beside a part of another: pieces never belong to one ground only."""
    side = one[0].shape[0]
    axis, cut = rng.randrange(2), rng.randrange(side // 4, side * 3 // 4)
    picture = one[0].copy()
    rest = (slice(None), slice(cut, None)) if axis == 0 else (slice(cut, None), slice(None))
    picture[rest] = other[0][rest]
    kept = [one[1][one[1][:, 1 + axis] < cut], other[1][other[1][:, 1 + axis] >= cut]]
    return picture, np.concatenate(kept)


def _turned(
    picture: NDArray[np.uint8], marks: NDArray[np.float32], rng: random.Random
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """By quarters, and mirrored."""
    last = picture.shape[0] - 1
    marks = marks.copy()
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
        marks[:, 1] = last - marks[:, 1]
    for _ in range(rng.randrange(4)):
        picture = np.rot90(picture)
        marks = np.column_stack([marks[:, 0], marks[:, 2], last - marks[:, 1]])
    return np.ascontiguousarray(picture), marks


def _faded(picture: NDArray[np.uint8], marks: NDArray[np.float32], rng: random.Random) -> NDArray[np.uint8]:
    """Paint that is paler or catches a lamp: here and there colours are lost and shine, on pieces or not."""
    side = picture.shape[0]
    spots = [(x, y) for kind, x, y in marks if rng.random() < (0.4 if KINDS[int(kind)] in _LARGE else 0.12)]
    spots += [(rng.uniform(0, side), rng.uniform(0, side)) for _ in range(rng.choice((0, 0, 1, 2)))]
    if not spots:
        return picture
    picture = picture.copy()
    for x, y in spots:
        reach = rng.randint(16, 30)
        x0, y0 = max(0, round(x) - reach), max(0, round(y) - reach - 6)
        spot = picture[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
        if min(spot.shape[:2]) < 4:
            continue
        tones = cv2.cvtColor(np.ascontiguousarray(spot), cv2.COLOR_BGR2HSV).astype(np.float32)
        tones[..., 1] *= rng.uniform(0.5, 1.05)
        tones[..., 2] *= rng.uniform(0.9, 1.5)
        faded = cv2.cvtColor(np.clip(tones, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
        down, across = (np.linspace(-1, 1, size, dtype=np.float32) for size in spot.shape[:2])
        share = np.clip(1.6 - 1.6 * (down[:, None] ** 4 + across[None] ** 4), 0, 1)[..., None]
        spot[...] = (spot * (1 - share) + faded * share).astype(np.uint8)
    return picture


def recoloured(picture: NDArray[np.uint8], rng: random.Random, dimmest: float = 0.8) -> NDArray[np.uint8]:
    """Another lamp, another sensor."""
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    gain = np.array([rng.gauss(1, 0.06) for _ in range(3)], np.float32) * rng.uniform(dimmest, 1.25)
    table = 255 * np.clip(levels * gain, 0, 1) ** rng.uniform(0.8, 1.25)
    values = cv2.LUT(picture, table.astype(np.uint8).reshape(1, 256, 3))
    if rng.random() < 0.5:
        tones = cv2.cvtColor(values, cv2.COLOR_BGR2HSV).astype(np.int16)
        tones[..., 0] = (tones[..., 0] + rng.randint(-5, 5)) % 180
        tones[..., 1] = np.clip(tones[..., 1] * rng.uniform(0.7, 1.25), 0, 255)
        values = cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR)
    if rng.random() < 0.25:
        values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.1))
    return np.asarray(values, np.uint8)


def target_of(marks: NDArray[np.float32], size: int, kinds: int = len(KINDS)) -> NDArray[np.float32]:
    """A bell around each piece, exactly 1 in the cell where it stands."""
    cells = size // STRIDE
    grid = np.arange(cells, dtype=np.float32)
    target = np.zeros((kinds, cells, cells), np.float32)
    for kind, x, y in marks:
        across, down = grid[None] - (x + 0.5) / STRIDE + 0.5, grid[:, None] - (y + 0.5) / STRIDE + 0.5
        bell = np.exp(-(across**2 + down**2) / (2 * SPREAD**2))
        target[int(kind)] = np.maximum(target[int(kind)], np.minimum(bell, 0.98))
        column, row = math.floor((x + 0.5) / STRIDE), math.floor((y + 0.5) / STRIDE)
        if 0 <= column < cells and 0 <= row < cells:
            target[int(kind), row, column] = 1.0
    return target


def focal_loss(scores: Tensor, target: Tensor) -> Tensor:
    """The loss of keypoint detectors: near a mark, a miss counts less the nearer it is."""
    chance = torch.sigmoid(scores).clamp(1e-5, 1 - 1e-5)
    hit = (target == 1).float()
    found = hit * (1 - chance) ** 2 * torch.log(chance)
    empty = (1 - hit) * (1 - target) ** 4 * chance**2 * torch.log(1 - chance)
    return -(found + empty).sum() / hit.sum().clamp(min=1)


def begun(pool: Pool, start: Path | None, kept: Path) -> Marks:
    """New weights, or those of a file where nothing was kept so far."""
    torch.manual_seed(1)
    network = Marks().to(memory_format=torch.channels_last)
    if start is not None and not kept.exists():
        examples = [pool.batch(random.Random(number))[0] for number in range(24)]
        take_up(network, start, torch.cat(examples).permute(0, 3, 1, 2).float() / 255)
    return network


class FromPicture(nn.Module):
    """Takes pictures as the camera gives them: N × height × width × BGR, in bytes."""

    def forward(self, image: Tensor) -> Tensor:
        return image.permute(0, 3, 1, 2).float() / 255


def export(network: Marks, path: Path) -> None:
    """Scores become probabilities inside the file, and any size that 32 divides is welcome."""
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
        (int(k), (float(x) + 0.5) * STRIDE - 0.5, (float(y) + 0.5) * STRIDE - 0.5, float(marks[k, y, x]))
        for k, y, x in found
    ]


@torch.no_grad()
def measure(network: nn.Module, parts: list[Part], least: float = 0.35) -> None:
    """Found, missed and invented pieces, and patches where all is right."""
    network.eval()
    right = missed = invented = whole = total = 0
    for part in parts:
        for index, pieces in enumerate(part.pieces):
            picture = torch.from_numpy(np.asarray(part.images[index])).permute(2, 0, 1)[None].float() / 255
            wrong = invented + missed
            left = [(int(kind), x, y) for kind, x, y in pieces]
            for kind, x, y, _ in peaks(torch.sigmoid(network(picture))[0], least):
                near = [p for p in left if p[0] == kind and abs(p[1] - x) < 9 and abs(p[2] - y) < 9]
                if near:
                    left.remove(near[0])
                    right += 1
                else:
                    invented += 1
            missed += len(left)
            total, whole = total + 1, whole + (wrong == invented + missed)
    print(
        f"{total} patches, {whole} all right: {right} found, {missed} missed, {invented} invented", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=60, help="of processor time in all")
    parser.add_argument("--sitting", type=float, default=math.inf, help="minutes of this run alone")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--start", type=Path, help="weights to go on from, in the first run on a pool")
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
        pictures, targets = pool.batch(rng)
        with quickly():
            scores = network(pictures.permute(0, 3, 1, 2).float() / 255)
        return focal_loss(scores.float(), targets)

    if not options.now:
        training.run(loss, options.sitting, told=pool.look)
    measure(training.average.net, list(pool.tested.values()))
    export(training.average.net, options.out)
    if options.out == OUT:
        enter("pieces", options.out)


if __name__ == "__main__":
    main()
