"""Heaps counted by other weights than those of the manifest: to choose among them."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.blend import blended_counts
from vision.networks import Networks
from vision.observation import CountSighting
from vision.pieces import PieceReader, counted, pieces_of
from vision.rectify import Rectified
from vision.table import Zone, ZoneView

_LEAST = 1e-3
"""A count that was not thought of at all is charged with this chance."""


class OtherWeights(Networks):
    """The networks of the manifest, some of them with other weights."""

    def __init__(self, others: Mapping[str, Path]) -> None:
        super().__init__()
        if unknown := [name for name in others if name not in self]:
            raise LookupError(f"no network is called {', '.join(unknown)}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._others = {
            name: onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            for name, path in others.items()
        }

    def run(self, name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        if name not in self._others:
            return super().run(name, images)
        return np.asarray(self._others[name].run(None, {"image": images})[0], np.float32)


def weights_named(told: str) -> dict[str, Path]:
    """From `heaps=A.onnx,closer=B.onnx`; nothing from `shipped`."""
    if told == "shipped":
        return {}
    return {name: Path(path) for name, _, path in (part.partition("=") for part in told.split(","))}


class HeapJudge:
    """Keeps count of what one set of weights reads after each of several looks at the same heaps."""

    def __init__(self, weights: str, zones: Sequence[Zone]) -> None:
        self._name, self._zones = weights, zones
        self._reader = PieceReader(OtherWeights(weights_named(weights)))
        self._tallies: dict[int, Tally] = defaultdict(Tally)

    def judge(self, seed: int, zone: Zone, truth: ZoneView, frames: Sequence[Rectified]) -> None:
        together: tuple[CountSighting, ...] = ()
        for look, frame in enumerate(frames):
            marks = self._reader.marks_in(zone, frame.crop(self._reader.area(zone)), look)
            here = counted(zone, pieces_of(zone, marks, self._zones))
            together = blended_counts(together, here, look)
            if look in (0, len(frames) - 1):
                self._tallies[look + 1].add(seed, truth, together)

    def told(self) -> str:
        return "\n".join(f"{self._name}, looks {n}: {tally.told()}" for n, tally in self._tallies.items())


class Tally:
    """Exact heaps, pieces too many and too few by kind, and nats of the true counts."""

    def __init__(self) -> None:
        self.heaps, self.exact, self.nats = 0, 0, 0.0
        self.invented: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.wrong_styles: Counter[int] = Counter()

    def add(self, seed: int, truth: ZoneView, sightings: Sequence[CountSighting]) -> None:
        want = Counter({str(piece.kind): piece.count for piece in truth.pieces})
        found = Counter({str(seen.kind): seen.counts[0][0] for seen in sightings})
        self.invented += found - want
        self.missed += want - found
        is_exact = found == want
        self.heaps, self.exact = self.heaps + 1, self.exact + is_exact
        self.wrong_styles[seed] += not is_exact
        for seen in sightings:
            self.nats -= math.log(max(_LEAST, dict(seen.counts).get(want[str(seen.kind)], 0.0)))

    def told(self) -> str:
        off = self.invented.total() + self.missed.total()
        styles = {seed: wrong for seed, wrong in self.wrong_styles.items() if wrong}
        return (
            f"{self.exact} of {self.heaps} exact, {off} miscounted, {self.nats:.1f} nats; "
            f"invented {dict(self.invented)}, missed {dict(self.missed)}; heaps wrong by style {styles}"
        )
