"""Weighs the closer look against the marks: what its scores and theirs are worth, fitted on whole tables.

    python -m models.pieces.data TABLES --split train --first 900 --styles 24
    python -m models.closer.weigh TABLES
    python -m models.closer.weigh TABLES --store

The tables are of training styles that no patch was drawn from; held-out styles are never looked at. What is
printed stands as `join` in the manifest, for a store as `store_join`.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistant.games.yu import KIT
from models.pieces.data import read_table
from vision.closer import (
    CloserLook,
    Point,
    kinds_marked,
    marked,
    one_point_each,
    something_marked,
    something_seen,
)  # fmt: skip
from vision.marks import distance
from vision.networks import Networks
from vision.pieces import PieceReader, belongs
from vision.table import PieceKind, TableLayout, Zone, ZoneId

HEAP, STORE = ZoneId("supply"), ZoneId("main")
_NEAR = 0.010
"""A point within this distance of a piece's foot, in board units, may be that piece's."""
_LEAST_VISIBLE = 0.12
_PULL = 0.03
_BESIDE = 0.3
"""What a point beside the heap counts: print there shows, as few cloths do, what only looks like a piece."""

Floats: TypeAlias = NDArray[np.floating[Any]]
Truth: TypeAlias = tuple[str, str, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points:
    """Scores and marks of every point of some heaps and around them, what lies there, and what it counts."""

    scores: Floats
    marks: Floats
    kinds: list[str]
    counts: Floats


def gather(look: CloserLook, tables: Sequence[Path], zone: Zone, layout: TableLayout) -> Points:
    reader = PieceReader(Networks())
    scored = look.glance if zone.id == STORE else look.scores
    scores, marks, kinds, counts = [], [], [], []
    for path in tables:
        whole, seen = read_table(path, layout)
        picture = whole.crop(reader.area(zone))
        points = one_point_each([mark for mark in reader.weak_marks(picture) if mark.kind in look.kinds])
        if points:
            pieces = [p for p in seen["pieces"] if p[1] == zone.id and p[4] >= _LEAST_VISIBLE]
            scores.append(scored(points, picture))
            marks.append(marked(points, look.kinds))
            kinds += answers(points, pieces)
            counts += [1.0 if belongs(zone, at[0]) else _BESIDE for at in points]
    return Points(
        scores=np.concatenate(scores).astype(np.float64),
        marks=np.concatenate(marks).astype(np.float64),
        kinds=kinds,
        counts=np.array(counts),
    )


def answers(points: Sequence[Point], pieces: Sequence[Truth]) -> list[str]:
    """Which piece is whose point, nearest pairs first; where none is left for a point, nothing."""
    pairs = sorted(
        (distance(at[0], (piece[2], piece[3])), point, number)
        for point, at in enumerate(points)
        for number, piece in enumerate(pieces)
    )
    found: dict[int, int] = {}
    for away, point, number in pairs:
        if away < _NEAR and point not in found and number not in found.values():
            found[point] = number
    return [pieces[found[point]][0] if point in found else "" for point in range(len(points))]


def fit_choice(facts: Floats, right: Sequence[int], start: Sequence[float], counts: Floats) -> Floats:
    """Weights of some facts about each of several answers that make the right ones most likely."""
    begin, rows = np.array(start), np.arange(len(right))
    weights = begin.copy()
    for _ in range(60):
        scores = facts @ weights
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        mean = (chances[..., None] * facts).sum(axis=1)
        gradient = counts @ (facts[rows, right] - mean) - _PULL * (weights - begin)
        bend = (
            np.einsum("n,nk,nki,nkj->ij", counts, chances, facts, facts) - (counts[:, None] * mean).T @ mean
        )
        weights += np.linalg.solve(bend + _PULL * np.eye(len(begin)), gradient).clip(-0.5, 0.5)
    wrong = int((chances.argmax(axis=1) != right).sum())
    print(f"# {len(right)} points, {wrong} wrong, {-np.log(chances[rows, right]).sum():.1f} nats")
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tables", type=Path)
    parser.add_argument("--store", action="store_true", help="the store, each of its points looked at once")
    options = parser.parse_args()
    look = CloserLook(Networks())
    layout = KIT.bind(KIT.demo_pack()).layout
    zone = layout.zone(STORE if options.store else HEAP)
    points = gather(look, sorted(options.tables.glob("*.png")), zone, layout)
    scores, marks = points.scores, points.marks
    there = np.array([bool(kind) for kind in points.kinds])
    kinds = np.stack([scores[there, :-1], kinds_marked(marks[there])], axis=-1)
    right = [look.kinds.index(PieceKind(kind)) for kind in points.kinds if kind]
    kind = fit_choice(kinds, right, (1.0, 0.2), np.ones(len(right)))
    anything = np.column_stack([something_marked(marks), something_seen(scores), np.ones(len(there))])
    yes_or_no = np.stack([np.zeros_like(anything), anything], axis=1)
    seen = fit_choice(yes_or_no, [int(answer) for answer in there], (1.0, 0.0, 0.0), points.counts)
    name = "store_join" if options.store else "join"
    print(f"{name} = {{ kind_look = {kind[0]:.2f}, kind_marks = {kind[1]:.2f}, ", end="")
    print(f"there_marks = {seen[0]:.2f}, there_look = {seen[1]:.2f}, there_offset = {seen[2]:.2f} }}")


if __name__ == "__main__":
    main()
