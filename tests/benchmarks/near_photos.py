"""Photographs of pieces from near that no training saw: what is found in them, now and before."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from assistant.games.yu import KIT
from models.near.grounds import Grounds
from models.near.prints import MM
from models.near.views import Photo, Views
from models.pieces.patches import CENTRE
from vision.near import NearPiece
from vision.pieces import PIXELS_PER_UNIT, PieceReader
from vision.pose import Lens
from vision.rectify import rectify
from vision.register import fit_pose
from vision.table import PieceKind, Rect
from vision.virtual.drawn import load_table_art
from vision.virtual.scene_style import Split

SIZE = (1200, 800)
LEAST_VISIBLE = 0.25
"""Pieces of which less is in view need not be found, but may be."""
_NEAR_MM = 9.0
"""A piece found no farther than this from its middle is found."""
_AROUND = 0.35
"""How much of the table the reader of zones looks at, from the middle, in board units."""


def photos(seed: int, count: int, split: Split = Split.HELD_OUT) -> Iterator[Photo]:
    """Photographs of one seed; seeds below a thousand are for development."""
    rng = random.Random(f"near photos/{seed}")
    grounds = Grounds(split)
    grounds.more(70_000 + seed, rng)
    views = Views(grounds, load_table_art(KIT.folder).shapes, f"photos/{seed}", split)
    for _ in range(count):
        yield views.photo(*SIZE)


def score(photo: Photo, pieces: Sequence[NearPiece], kinds: Sequence[PieceKind]) -> Counter[str]:
    """How many pieces lie there, how many of them were found, how many were made up."""
    tally: Counter[str] = Counter()
    left = [(kinds[int(kind)], x, y, share, size) for kind, x, y, share, size in photo.rows]
    asked = [row for row in left if row[3] >= LEAST_VISIBLE]
    for piece in sorted(pieces, key=lambda piece: -piece.p):
        near = [row for row in left if row[0] == piece.kind and _off_mm(piece, row) < _NEAR_MM]
        if near:
            row = min(near, key=lambda row: _off_mm(piece, row))
            left.remove(row)
            tally["found"] += row in asked
        else:
            tally["invented"] += 1
    tally["pieces"] = len(asked)
    tally["photos"] = 1
    tally["whole"] = tally["found"] == len(asked) and not tally["invented"]
    return tally


def by_zone_reader(photo: Photo, reader: PieceReader, least: float = 0.5) -> list[NearPiece]:
    """As pieces were found before: on the flattened picture, which needs to know where the camera was."""
    grid = np.array([(CENTRE[0] + x, CENTRE[1] + y) for x in (-0.04, 0, 0.04) for y in (-0.04, 0, 0.04)])
    pixels = photo.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = photo.image.shape[:2]
    pose = fit_pose(grid, pixels, Lens(width=width, height=height))
    x, y = CENTRE
    rect = Rect(x - _AROUND / 2, y - _AROUND / 2, x + _AROUND / 2, y + _AROUND / 2)
    marks = reader.marks(rectify(photo.image, pose, rect, PIXELS_PER_UNIT))
    found = []
    for mark in marks:
        if mark.p >= least:
            ends = photo.camera.project([(mark.x, mark.y, 0.003), (mark.x + MM, mark.y, 0.003)])
            size = float(np.linalg.norm(ends[1] - ends[0]))
            found.append(NearPiece(mark.kind, float(ends[0][0]), float(ends[0][1]), mark.p, size))
    return [piece for piece in found if 0 <= piece.x < width and 0 <= piece.y < height]


def _off_mm(piece: NearPiece, row: tuple[PieceKind, float, float, float, float]) -> float:
    """Of a large piece any part near its middle will do."""
    large = 2.0 if row[0] in ("flood", "barge") else 1.0
    return math.hypot(piece.x - row[1], piece.y - row[2]) / row[4] / large
