"""Makes marks of near views probabilities: one slope and one offset per kind, fitted on whole photographs.

    python -m models.near.calibrate RAW.onnx

They are drawn in training styles from seeds that no view was drawn from; held-out styles are never looked at.
"""

import argparse
import math
import random
from pathlib import Path

import cv2
import numpy as np

from assistant.games.yu import KIT
from models.export import enter
from models.near.grounds import Grounds
from models.near.train import LEAST_VISIBLE, OUT
from models.near.views import Photo, Views
from models.pieces.calibrate import RawNetwork, calibrated, write
from models.pieces.train import KINDS
from vision.near import BEST_PX_PER_MM, NearPiece, NearReader
from vision.virtual.drawn import load_table_art

SIZE = (900, 600)
FIRST = 2000
_NEAR_MM = 8.0
_LEAST = 0.02


def gather(reader: NearReader, photo: Photo, rng: random.Random) -> list[tuple[str, float, bool]]:
    """Kind, score and truth of every mark, seen about as large as pieces are seen best."""
    size = float(np.median([row[4] for row in photo.rows])) * math.exp(rng.gauss(0, 0.12))
    marks = reader.look(photo.image, round(BEST_PX_PER_MM / size * max(SIZE)), _LEAST)
    left = [row for row in photo.rows if row[3] >= LEAST_VISIBLE]
    rows = []
    for mark in sorted(marks, key=lambda mark: -mark.p):
        own = [row for row in left if KINDS[int(row[0])] == mark.kind and _off_mm(mark, row) < _NEAR_MM]
        if own:
            left.remove(min(own, key=lambda row: _off_mm(mark, row)))
        rows.append((str(mark.kind), float(np.log(mark.p / (1 - mark.p + 1e-9))), bool(own)))
    return rows


def _off_mm(mark: NearPiece, row: tuple[float, float, float, float, float]) -> float:
    return math.hypot(mark.x - row[1], mark.y - row[2]) / row[4]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("raw", type=Path)
    parser.add_argument("--photos", type=int, default=90)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = NearReader(RawNetwork(options.raw))
    rng = random.Random("near calibration")
    grounds, shapes = Grounds(), load_table_art(KIT.folder).shapes
    rows: list[tuple[str, float, bool]] = []
    for seed in range(FIRST, FIRST + math.ceil(options.photos / 15)):
        grounds.more(seed, rng)
        views = Views(grounds, shapes, f"calibration/{seed}")
        for _ in range(15):
            photo = views.photo(*SIZE)
            if photo.rows:
                rows += gather(reader, photo, rng)
    write(options.raw, calibrated(rows), options.out)
    if options.out == OUT:
        enter("near", options.out)


if __name__ == "__main__":
    main()
