"""Windows drawn beforehand, into the pool: a training that gets little of a core then spends it on learning.

python -m models.numbers.drawn POOL --parts 0 12
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.numbers.data import samples
from models.stream import Sample

_PART = 4_000
_GROUP = 20
_FIRST_SEED = 7_000


def drawn(folder: Path, seed: int) -> Iterator[Sample]:
    """Over and over what lies in the pool, each time in another order."""
    paths = sorted(folder.glob("numbers-*.npz"))
    rng = np.random.default_rng((seed, 0xD2))
    while True:
        for path in rng.permutation(len(paths)):
            part = dict(np.load(paths[path]))
            order = rng.permutation(len(part["signs"]))
            for start in range(0, len(order), _GROUP):
                rows = order[start : start + _GROUP]
                yield {key: values[rows] for key, values in part.items()}


def are_drawn(folder: Path) -> bool:
    return any(folder.glob("numbers-*.npz"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--parts", type=int, nargs=2, default=(0, 12), help="first and last part")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for number in range(*options.parts):
        groups: list[Sample] = []
        for sample in samples(options.pool, _FIRST_SEED + number):
            groups.append(sample)
            if sum(len(group["signs"]) for group in groups) >= _PART:
                break
        part = {key: np.concatenate([group[key] for group in groups]) for key in groups[0]}
        unfinished = options.pool / f"unfinished-{number:03}.npz"
        np.savez(unfinished, **part)
        unfinished.rename(options.pool / f"numbers-{number:03}.npz")


if __name__ == "__main__":
    main()
