"""Trains the closer look: a small network that says which piece of a heap has its foot at a given point.

    python -m models.pieces.patches POOL --parts 1000 1074
    python -m models.closer.train POOL --minutes 62        (goes on where it was stopped)
    python -m models.closer.train POOL --minutes 13 --start FIRST.onnx --rate 0.001

The points are true feet on the patches of POOL, what the networks of models/pieces mark there, rightly or
wrongly, gaps between pieces, and any other point. It writes models/closer/closer.onnx and prints its
accuracy on parts kept back.
"""

import argparse
import math
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.closer.points import OFF, Floats, any_point, wrong_of
from models.export import enter
from models.layers import Refined, layer
from models.pieces.train import KINDS as MARKED
from models.pieces.train import LEAST_VISIBLE, FromPicture, recoloured
from models.sittings import Training, quickly
from models.take_up import take_up
from vision.networks import Networks
from vision.pieces import PIXELS_PER_UNIT, PieceReader
from vision.rectify import Rectified
from vision.table import Rect

KINDS = ("black", "blue", "clay", "cowrie", "provision", "red", "white", "wood", "yellow", "nothing")
SIDE = 80
"""Pixels of what is looked at, at the scale of models/pieces: a piece and those around it."""
NEAR = 48
"""Pixels of the middle that are looked at one by one: a piece and what it touches."""
AT = 5.5
"""A piece whose foot is this near, in pixels, is the one at the point; up to OFF nobody is asked."""
BATCH = 64
RATE = 3e-3
TESTED = 12
"""Every so many parts, one is kept for testing."""
OUT = Path(__file__).parent / "closer.onnx"

Picture = NDArray[np.uint8]


class Widths(NamedTuple):
    """How many maps each stage has."""

    near: tuple[int, int, int, int]
    around: tuple[int, int, int, int]
    last: int


NARROW = Widths(near=(16, 32, 64, 96), around=(16, 32, 48, 48), last=96)
WIDE = Widths(near=(16, 32, 96, 128), around=(16, 32, 64, 64), last=128)


class Closer(nn.Module):
    """A patch in, a score per kind out: every pixel of its middle, and the whole at half the size.

    The first layer keeps every pixel: a notch is two of them wide. What lies around tells whether veins
    go on, and how bright a colour is here.
    """

    def __init__(self, widths: Widths = WIDE) -> None:
        super().__init__()
        (a, b, c, d), (e, f, g, h) = widths.near, widths.around
        self.near = nn.Sequential(
            layer(3, a), layer(a, b, 2), Refined(b), layer(b, c, 2), Refined(c),
            layer(c, d, 2), Refined(d), nn.Conv2d(d, 24, 1), nn.ReLU(), nn.Flatten(),
        )  # fmt: skip
        self.around = nn.Sequential(
            layer(3, e, 2), layer(e, f, 2), layer(f, g, 2), layer(g, h),
            nn.Conv2d(h, 16, 1), nn.ReLU(), nn.Flatten(),
        )  # fmt: skip
        seen = 24 * (NEAR // 8) ** 2 + 16 * (SIDE // 16) ** 2
        self.answer = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(seen, widths.last), nn.ReLU(), nn.Linear(widths.last, len(KINDS))
        )

    def forward(self, picture: Tensor) -> Tensor:
        rim = (SIDE - NEAR) // 2
        near = self.near(picture[:, :, rim:-rim, rim:-rim])
        around = self.around(functional.avg_pool2d(picture, 2))
        answer: Tensor = self.answer(torch.cat([near, around], dim=1))
        return answer


class Part:
    """One file of patches, the rows of their pieces, and what the marking networks say about them."""

    def __init__(self, path: Path) -> None:
        self.images = np.load(path, mmap_mode="r")
        rows = np.load(path.with_name(path.name.replace("part", "rows")))
        marked = path.with_name(path.name.replace("part", "marks"))
        if not marked.exists():
            np.save(marked, marks_of(self.images))
        marks = np.load(marked)
        of = range(len(self.images))
        self.pieces: list[Floats] = [rows[rows[:, 0] == index][:, 1:] for index in of]
        self.marks: list[Floats] = [marks[marks[:, 0] == index][:, 1:3] for index in of]
        self.wrong = [wrong_of(m, p[:, 1:3]) for m, p in zip(self.marks, self.pieces, strict=True)]

    def any(self, rng: random.Random) -> tuple[Picture, int]:
        """A patch around some point, and what is there."""
        while True:
            index = rng.randrange(len(self.images))
            feet, marks, wrong = self.pieces[index][:, 1:3], self.marks[index], self.wrong[index]
            point = any_point(feet, marks, wrong, self.images.shape[1], rng)
            answer = None if point is None else answer_at(point, self.pieces[index])
            if point is not None and answer is not None:
                return cut(np.asarray(self.images[index]), point, rng), answer


def marks_of(images: Picture) -> Floats:
    """Picture, x, y and chance of every mark that would be looked at closer, right or wrong."""
    reader = PieceReader(Networks())
    rows = []
    for index, image in enumerate(images):
        unit = 1 / PIXELS_PER_UNIT
        rect = Rect(0, 0, image.shape[1] * unit, image.shape[0] * unit)
        picture = Rectified(image=np.asarray(image), rect=rect, pixels_per_unit=PIXELS_PER_UNIT)
        for mark in reader.weak_marks(picture):
            x, y = picture.to_pixels(np.array((mark.x, mark.y)))
            rows.append((index, x, y, mark.p))
    return np.array(rows, np.float32).reshape(-1, 4)


def answer_at(point: tuple[float, float], pieces: Floats) -> int | None:
    """Which kind stands there; None where nobody could say."""
    if not len(pieces):
        return len(KINDS) - 1
    away = np.hypot(pieces[:, 1] - point[0], pieces[:, 2] - point[1])
    nearest = int(away.argmin())
    kind = MARKED[int(pieces[nearest, 0])]
    if away[nearest] > OFF or kind not in KINDS:
        return len(KINDS) - 1
    seen = pieces[nearest, 3] >= LEAST_VISIBLE
    return KINDS.index(kind) if away[nearest] < AT and seen else None


def cut(picture: Picture, point: tuple[float, float], rng: random.Random) -> Picture:
    """What lies around a point, turned anyhow, in another light, often through a poorer camera."""
    turn = np.asarray(cv2.getRotationMatrix2D(point, rng.uniform(0, 360), rng.uniform(0.88, 1.16)), float)
    if rng.random() < 0.5:
        turn = np.diag([-1.0, 1.0]) @ turn
    middle = (SIDE - 1) / 2
    turn[:, 2] += middle - turn @ (*point, 1.0)
    warped = cv2.warpAffine(picture, turn, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    patch = np.asarray(warped, np.uint8)
    if rng.random() < 0.3:
        patch = _coarser(patch, rng)
    return recoloured(patch, rng, dimmest=0.75)


def _coarser(patch: Picture, rng: random.Random) -> Picture:
    """A camera far away, or one that leans: fewer pixels across, down or both."""
    across, down = (max(SIDE // 3, round(SIDE * min(1, rng.uniform(0.55, 1.1)))) for _ in range(2))
    small = cv2.resize(patch, (across, down), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(small.shape, dtype=np.float32)
    noisy = np.clip(small + noise * rng.uniform(0, 6), 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(noisy, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.uint8)


class Pool:
    """All parts of a folder, those to learn from and those kept back; parts drawn meanwhile are taken in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()
        self.learnt: list[Part] = []
        self.tested: list[Part] = []
        self.look(most=None)

    def look(self, most: int | None = 1) -> None:
        """Takes in so many new parts: finding their marks takes some seconds each."""
        new = [path for path in sorted(self._folder.glob("part-*.npy")) if path.name not in self._known]
        for path in new[:most]:
            kept_back = int(path.stem.split("-")[1]) % TESTED == 0
            (self.tested if kept_back else self.learnt).append(Part(path))
            self._known.add(path.name)


def begun(pool: Pool, start: Path | None, state: Path | None, kept: Path) -> Closer:
    """New weights, or those of a file where nothing was kept so far."""
    torch.manual_seed(1)
    network = Closer().to(memory_format=torch.channels_last)
    if state is not None:
        network.load_state_dict(torch.load(state, weights_only=True))
    if start is not None and not kept.exists():
        take_up(network, start, batch(pool.learnt, random.Random(1), 1024)[0])
    return network


def batch(parts: list[Part], rng: random.Random, size: int = BATCH) -> tuple[Tensor, Tensor]:
    pairs = [rng.choice(parts).any(rng) for _ in range(size)]
    pictures = torch.from_numpy(np.stack([picture for picture, _ in pairs])).permute(0, 3, 1, 2).float() / 255
    return pictures.contiguous(memory_format=torch.channels_last), torch.tensor(
        [answer for _, answer in pairs]
    )


@torch.no_grad()
def measure(network: nn.Module, parts: list[Part], batches: int = 24) -> None:
    """How often the answer is right, and what is taken for what."""
    rng, right, wrong = random.Random(5), 0, Counter[str]()
    for _ in range(batches):
        pictures, answers = batch(parts, rng, 128)
        found = network.eval()(pictures).argmax(dim=1)
        right += int((found == answers).sum())
        wrong.update(f"{KINDS[a]} as {KINDS[f]}" for a, f in zip(answers, found, strict=True) if a != f)
    print(f"{right} of {128 * batches} right; {dict(wrong.most_common(12))}", flush=True)


def export(network: Closer, path: Path) -> None:
    """Answers are scores: what they are worth beside the marks was measured (models/closer/weigh.py)."""
    torch.onnx.export(
        nn.Sequential(FromPicture(), network).eval(),
        (torch.zeros(1, SIDE, SIDE, 3, dtype=torch.uint8),),
        str(path),
        input_names=["image"],
        output_names=["answer"],
        dynamic_axes={"image": {0: "n"}, "answer": {0: "n"}},
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--minutes", type=float, default=45, help="of processor time in all")
    parser.add_argument("--sitting", type=float, default=math.inf, help="minutes of this run alone")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--start", type=Path, help="weights to go on from, in the first run on a pool")
    parser.add_argument("--state", type=Path, help="weights of models.closer.grow to go on from")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at its highest")
    parser.add_argument("--steady", action="store_true", help="normalisation stays as it was taken up")
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    pool = Pool(options.pool)
    kept = options.pool / "closer.pt"
    network = begun(pool, options.start, options.state, kept)
    training = Training(
        network, rate=options.rate, decay=1e-3, minutes=options.minutes, kept=kept, steady=options.steady
    )

    def loss(rng: random.Random) -> Tensor:
        pictures, answers = batch(pool.learnt, rng)
        with quickly():
            scores = network(pictures)
        return functional.cross_entropy(scores.float(), answers)

    training.run(loss, options.sitting, told=pool.look)
    measure(training.average.net, pool.tested)
    export(training.average.net, options.out)
    if options.out == OUT:
        enter("closer", options.out)


if __name__ == "__main__":
    main()
