"""Windows drawn beforehand, into the pool: a training that gets little of a core then spends it on learning.

python -m models.numbers.drawn POOL --parts 0 12
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.numbers.data import samples
from models.photographs import Rng
from models.stream import Sample
from vision.cuts import NUMBER_PX

_PART = 4_000
_GROUP = 20
_FIRST_SEED = 7_000
_OF_TABLES = 0.55
"""Of groups, so many are cut out of whole tables (`models/numbers/tables.py`), where such lie in the pool."""
_CENTRED = 0.35
"""So many of their windows stand where the stone does; the others where the eye looked for it."""
_ASTRAY_PX = (6.0, 1.5)
_FAR_ASTRAY = 0.2
"""So many windows are far off the place that is meant, by the first of these; the others by the second."""


def drawn(folder: Path, seed: int) -> Iterator[Sample]:
    """Over and over what lies in the pool, each time in another order; a part of it from whole tables."""
    rng = np.random.default_rng((seed, 0xD2))
    alone, of_tables = _groups(folder, "numbers-*.npz", rng), _groups(folder, "table-*.npz", rng)
    with_tables = any(folder.glob("table-*.npz"))
    while True:
        yield moved(rng, next(of_tables)) if with_tables and rng.random() < _OF_TABLES else next(alone)


def moved(rng: Rng, wide: Sample) -> Sample:
    """Windows out of what tables have around them: most where the eye looks, some where the stone stands."""
    many = len(wide["signs"])
    astray = np.where(rng.random((many, 1)) < _FAR_ASTRAY, *_ASTRAY_PX) * rng.standard_normal((many, 2))
    off = np.where(rng.random((many, 1)) < _CENTRED, wide["off"], 0) + astray
    spare = wide["image"].shape[1] - NUMBER_PX
    starts = np.clip(np.round(spare / 2 + off), 0, spare).astype(int).tolist()
    cuts = [
        image[y : y + NUMBER_PX, x : x + NUMBER_PX]
        for image, (x, y) in zip(wide["image"], starts, strict=True)
    ]
    return {"image": np.stack(cuts), "signs": wide["signs"]}


def _groups(folder: Path, names: str, rng: Rng) -> Iterator[Sample]:
    """Parts that are drawn meanwhile join in the next time round."""
    while True:
        paths = sorted(folder.glob(names))
        for path in rng.permutation(len(paths)):
            part = dict(np.load(paths[path]))
            order = rng.permutation(len(part["signs"]))
            for start in range(0, len(order), _GROUP):
                rows = order[start : start + _GROUP]
                yield {key: values[rows] for key, values in part.items()}


def are_drawn(folder: Path) -> bool:
    return any(folder.glob("numbers-*.npz"))


def keep(path: Path, groups: list[Sample]) -> None:
    """One part of the pool, there as a whole or not at all: a training may be looking."""
    part = {key: np.concatenate([group[key] for group in groups]) for key in groups[0]}
    unfinished = path.with_name(f"unfinished-{path.name}")
    np.savez(unfinished, allow_pickle=False, **part)
    unfinished.rename(path)


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
        keep(options.pool / f"numbers-{number:03}.npz", groups)


if __name__ == "__main__":
    main()
