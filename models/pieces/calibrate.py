"""Makes the network's marks probabilities: one slope and one offset per kind, fitted on whole tables.

    python -m models.pieces.data TABLES --split train --first 900 --styles 12
    python -m models.pieces.calibrate RAW.onnx TABLES

The tables are of training styles that no patch was drawn from; held-out styles are never looked at. The fit
goes into the weights of the last layer, so that the reader needs to know nothing about it.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import numpy_helper

from assistant.games.yu import KIT
from models.export import enter
from models.pieces.data import read_table
from models.pieces.train import KINDS, OUT
from vision.marks import Mark
from vision.pieces import SINGLE, PieceReader
from vision.table import TableLayout, Zone

_NEAR = 0.013
"""A mark within this distance of a piece, in board units, is that piece's."""
_STEADINESS = 4.0
"""So many doubtful marks it takes to move one kind away from what holds for all."""
_LEAST_VISIBLE = 0.12


class RawNetwork:
    """Stands where the reader expects the networks of the manifest."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def answers(self, _name: str) -> tuple[str, ...]:
        return KINDS

    def __contains__(self, name: str) -> bool:
        return name == SINGLE

    def run(self, _name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.asarray(self._session.run(None, {"image": images})[0], np.float32)


def gather(reader: PieceReader, tables: list[Path], layout: TableLayout) -> list[tuple[str, float, bool]]:
    """Kind, score and truth of every mark that the reader would have to judge."""
    rows = []
    for path in tables:
        picture, truth = read_table(path, layout)
        for zone in layout.zones:
            if not zone.pieces:
                continue
            left = [p for p in truth["pieces"] if p[1] == zone.id and p[4] >= _LEAST_VISIBLE]
            marks = reader.marks(picture.crop(reader.area(zone)))
            for mark in sorted(marks, key=lambda mark: -mark.p):
                if mark.kind in zone.pieces and _inside(zone, mark):
                    own = _match(mark, left)
                    rows.append((str(mark.kind), float(np.log(mark.p / (1 - mark.p + 1e-9))), own))
    return rows


def _inside(zone: Zone, mark: Mark) -> bool:
    rect = zone.rect
    return rect.x0 - 0.01 < mark.x < rect.x1 + 0.01 and rect.y0 - 0.01 < mark.y < rect.y1 + 0.01


def _match(mark: Mark, left: list[tuple[str, str, float, float, float]]) -> bool:
    near = [p for p in left if p[0] == mark.kind and np.hypot(p[2] - mark.x, p[3] - mark.y) < _NEAR]
    if near:
        left.remove(min(near, key=lambda p: np.hypot(p[2] - mark.x, p[3] - mark.y)))
    return bool(near)


def fit(
    scores: NDArray[np.float64], truth: NDArray[np.float64], start: tuple[float, float], pull: float
) -> tuple[float, float]:
    """Slope and offset that make the scores of these marks most likely, held back towards `start`."""
    slope, offset = start
    for _ in range(60):
        p = 1 / (1 + np.exp(-(slope * scores + offset)))
        weight = p * (1 - p)
        gradient = np.array([((truth - p) * scores).sum(), (truth - p).sum()])
        gradient -= pull * np.array([slope - start[0], offset - start[1]])
        cross = (weight * scores).sum()
        bend = np.array([[(weight * scores**2).sum() + pull, cross], [cross, weight.sum() + pull]])
        step = np.linalg.solve(bend + 1e-6 * np.eye(2), gradient)
        slope, offset = float(slope + step[0].clip(-1, 1)), float(offset + step[1].clip(-1, 1))
    return max(slope, 0.2), offset


def calibrated(rows: list[tuple[str, float, bool]]) -> dict[str, tuple[float, float]]:
    scores, truth = np.array([row[1] for row in rows]), np.array([row[2] for row in rows], float)
    of_all = fit(scores, truth, (1.0, 0.0), 1e-3)
    fits = {}
    for kind in KINDS:
        own = np.array([row[0] == kind for row in rows])
        fits[kind] = fit(scores[own], truth[own], of_all, _STEADINESS)
        print(f"{kind:10} {int(own.sum()):5} marks, {int(truth[own].sum()):5} pieces: {fits[kind]}")
    return fits


def write(raw: Path, fits: dict[str, tuple[float, float]], out: Path) -> None:
    model = onnx.load(str(raw))
    values = {tensor.name: tensor for tensor in model.graph.initializer}
    layers = [node for node in model.graph.node if node.op_type == "Conv"]
    last = [node for node in layers if values[node.input[1]].dims[0] == len(KINDS)][-1]
    slopes, offsets = (np.array([fits[kind][n] for kind in KINDS], np.float32) for n in (0, 1))
    for name, change in ((last.input[1], 0.0), (last.input[2], 1.0)):
        old = numpy_helper.to_array(values[name])
        shape = (-1,) + (1,) * (old.ndim - 1)
        new = old * slopes.reshape(shape) + change * offsets.reshape(shape)
        values[name].CopyFrom(numpy_helper.from_array(new.astype(np.float32), name))
    onnx.save(model, str(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("raw", type=Path)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    layout = KIT.bind(KIT.demo_pack()).layout
    reader = PieceReader(RawNetwork(options.raw))
    rows = gather(reader, sorted(options.tables.glob("train-*.png")), layout)
    write(options.raw, calibrated(rows), options.out)
    if options.out.parent == OUT.parent:
        enter(options.out.stem, options.out)


if __name__ == "__main__":
    main()
