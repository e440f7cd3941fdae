"""How often the pieces of a zone are counted exactly, on styles never trained on and on photographs.

    python -m tests.benchmarks.bench_pieces 12
    python -m tests.benchmarks.bench_pieces 37 --first 500 --weights shipped heaps=A.onnx,closer=B.onnx

The second counts only heaps, by several sets of weights on the same tables, and writes no report.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np

from assistant.games.yu import KIT
from models.pieces.data import DrawnTable, tables
from tests.benchmarks.heap_weights import HeapJudge
from tests.benchmarks.near_photos import by_zone_reader, photos, score
from tests.benchmarks.piece_colours import ColourCounter
from tests.benchmarks.report import Report
from tests.vision.piece_photos import (
    COMPONENTS,
    FOUR_CARDS,
    SETUP,
    eyes_for_photographs,
    pieces_in,
    pieces_of_components,
    wrong_zones_of_setup,
)
from vision.blend import blended_counts
from vision.near import NearReader
from vision.networks import Networks
from vision.observation import CountSighting
from vision.pieces import PieceReader, counted, pieces_of
from vision.rectify import Rectified
from vision.table import Zone, ZoneKind, ZoneView
from vision.virtual.drawn import load_table_art
from vision.virtual.scene_style import Split

STYLES = 12
HEAP_STYLES = range(1200, 1260)
"""Further tables on which only heaps are counted: of 48 one heap decides about two percent."""
LARGEST_HEAP = 10
LOOKS = 3
"""So many calm frames the eye looks at."""
FIRST_NEAR, NEAR_SEEDS, NEAR_PHOTOS = 1000, 5, 12
"""Seeds of photographs from near; those below a thousand were looked at while the reader was made."""
Count = Callable[[Zone, Rectified], tuple[CountSighting, ...]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("styles", type=int, nargs="?", default=STYLES)
    parser.add_argument("--first", type=int, default=0, help="seed of the first held-out style")
    parser.add_argument("--weights", nargs="+", default=[], help="sets of weights to be compared")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(options.first, options.first + options.styles)
    if options.weights:
        compare_weights(seeds, options.weights)
    else:
        count_pieces(seeds)


def compare_weights(seeds: Sequence[int], weights: Sequence[str]) -> None:
    """Exact heaps, miscounted pieces and nats after one look and after three, side by side."""
    zones = KIT.bind(KIT.demo_pack()).layout.zones
    judges = [HeapJudge(some, zones) for some in weights]
    for seed in seeds:
        for table in tables(seed, Split.HELD_OUT, frames=LOOKS):
            for zone, truth in _zones(table, zones):
                if zone.kind is ZoneKind.HEAP:
                    for judge in judges:
                        judge.judge(seed, zone, truth, (table.picture, *table.later))
    for judge in judges:
        print(judge.told(), flush=True)


def count_pieces(seeds: Sequence[int]) -> None:
    game = KIT.bind(KIT.demo_pack())
    reader = PieceReader(Networks())
    colours = ColourCounter(load_table_art(KIT.folder).shapes)

    def read(zone: Zone, picture: Rectified) -> tuple[CountSighting, ...]:
        return reader.read(zone, picture.crop(reader.area(zone)), game.layout.zones)

    def watched(zone: Zone, frames: Sequence[Rectified]) -> tuple[CountSighting, ...]:
        """As the eye reads a heap that lies calm: a look at each of three frames."""
        together: tuple[CountSighting, ...] = ()
        for look, frame in enumerate(frames):
            marks = reader.marks_in(zone, frame.crop(reader.area(zone)), look)
            here = pieces_of(zone, marks, game.layout.zones)
            together = blended_counts(together, counted(zone, here), look)
        return together

    tally: Counter[str] = Counter()
    further: Counter[str] = Counter()
    for seed in seeds:
        for table in tables(seed, Split.HELD_OUT, frames=LOOKS):
            for zone, truth in _zones(table, game.layout.zones):
                _score(tally, "network", read, zone, truth, table.picture)
                _score(tally, "colours", colours.count, zone, truth, table.picture)
                if zone.kind is ZoneKind.HEAP:
                    frames = (table.picture, *table.later)
                    _tell(tally, "calm", zone, truth, watched(zone, frames))
    for seed in HEAP_STYLES:
        for table in tables(seed, Split.HELD_OUT, frames=LOOKS):
            for zone, truth in _zones(table, game.layout.zones):
                if zone.kind is ZoneKind.HEAP:
                    _score(further, "network", read, zone, truth, table.picture)
                    _tell(further, "calm", zone, truth, watched(zone, (table.picture, *table.later)))
    _report(tally, further, len(seeds), reader).write()


def _zones(table: DrawnTable, zones: tuple[Zone, ...]) -> Iterator[tuple[Zone, ZoneView]]:
    """Zones that are whole in the picture and hold no more than a heap of ten."""
    height, width = table.shot.image.shape[:2]
    for zone in zones:
        quad = np.array(table.shot.zones[zone.id])
        in_view = (quad > 0).all() and (quad < (width, height)).all()
        truth = table.view[zone.id]
        if zone.pieces and in_view and sum(p.count for p in truth.pieces) <= LARGEST_HEAP:
            yield zone, truth


def _score(
    tally: Counter[str], who: str, count: Count, zone: Zone, truth: ZoneView, picture: Rectified
) -> None:
    begun = time.process_time()
    sightings = count(zone, picture)
    tally[f"{who} microseconds"] += round(1e6 * (time.process_time() - begun))
    _tell(tally, who, zone, truth, sightings)


def _tell(
    tally: Counter[str], who: str, zone: Zone, truth: ZoneView, sightings: Sequence[CountSighting]
) -> None:
    """Keeps count of what is right."""
    found = {seen.kind: seen.counts[0][0] for seen in sightings if seen.counts[0][0]}
    right = found == {piece.kind: piece.count for piece in truth.pieces}
    names = ["all"]
    if zone.kind is ZoneKind.HEAP:
        size = sum(piece.count for piece in truth.pieces)
        names += ["heaps", "heaps of 0–3" if size <= 3 else "heaps of 4–7" if size <= 7 else "heaps of 8–10"]
        off = {kind: found.get(kind, 0) for kind in zone.pieces}
        off.update({piece.kind: off[piece.kind] - piece.count for piece in truth.pieces})
        tally[f"{who} off"] += sum(abs(n) for n in off.values())
        tally[f"{who} pieces"] += size
    else:
        names.append("places for one piece")
    for name in names:
        tally[f"{who} {name}"] += 1
        tally[f"{who} {name} right"] += right


def _report(tally: Counter[str], further: Counter[str], styles: int, reader: PieceReader) -> Report:
    report = Report("pieces", f"Pieces on virtual tables of {styles} held-out styles, and in photographs")

    def share(name: str, of: Counter[str] = tally) -> float:
        return 100 * of[f"{name} right"] / max(1, of[name])

    report.row("zones counted exactly, %", share("network all"), 98)
    for name in ("places for one piece", "heaps", "heaps of 0–3", "heaps of 4–7", "heaps of 8–10"):
        report.row(f"{name} ({tally[f'network {name}']}) counted exactly, %", share(f"network {name}"), 98)
    report.row("heaps after three calm frames, as the eye reads them, %", share("calm heaps"), 98)
    heaps = f"heaps ({further['network heaps']}) of {len(HEAP_STYLES)} further styles"
    report.row(f"{heaps} counted exactly, %", share("network heaps", further), 98)
    report.row("the same after three calm frames, %", share("calm heaps", further), 98)
    report.row("miscounts per 100 pieces in heaps", 100 * tally["network off"] / tally["network pieces"])
    report.row("the same by colour alone: zones, %", share("colours all"))
    report.row("by colour alone: heaps, %", share("colours heaps"))
    report.row(
        "processor time per zone, ms",
        tally["network microseconds"] / 1000 / tally["network all"],
        100,
        at_most=True,
    )
    if SETUP.exists():
        wrong = wrong_zones_of_setup(reader)
        report.row("setup-done: zones misread", len(wrong), 0, at_most=True)
        eyes = eyes_for_photographs()
        found, want = pieces_of_components(eyes)
        report.row(f"{COMPONENTS.stem}: pieces found of {want.total()}", (found & want).total(), want.total())
        report.row(f"{COMPONENTS.stem}: pieces invented", (found - want).total(), 0, at_most=True)
        printed = pieces_in(FOUR_CARDS, eyes).total()
        report.row(f"{FOUR_CARDS.stem}: pieces invented", printed, 0, at_most=True)
    _near_views(report, reader)
    return report


def _near_views(report: Report, reader: PieceReader) -> None:
    """Drawn photographs from near: by their reader, and by the one of zones, which is told the camera."""
    near, kinds = NearReader(Networks()), sorted(load_table_art(KIT.folder).shapes)
    now: Counter[str] = Counter()
    before: Counter[str] = Counter()
    seconds: list[float] = []
    for seed in range(FIRST_NEAR, FIRST_NEAR + NEAR_SEEDS):
        for photo in photos(seed, NEAR_PHOTOS):
            large = np.asarray(cv2.resize(photo.image, (4000, 2667)), np.uint8)
            begun = time.process_time()
            near.find(large)
            seconds.append(time.process_time() - begun)
            now.update(score(photo, near.find(photo.image), kinds))
            before.update(score(photo, by_zone_reader(photo, reader), kinds))
    count = f"{now['photos']} near views of {now['pieces']} pieces"
    report.row(f"{count}: found, %", 100 * now["found"] / now["pieces"])
    report.row("near views: invented per 100 pieces", 100 * now["invented"] / now["pieces"])
    report.row("near views: all right, %", 100 * now["whole"] / now["photos"])
    report.row("the same by the reader of zones: found, %", 100 * before["found"] / before["pieces"])
    report.row("by the reader of zones: invented per 100 pieces", 100 * before["invented"] / before["pieces"])
    report.row("near views: processor time for 12 megapixels, ms", 1000 * float(np.mean(seconds)))


if __name__ == "__main__":
    main()
