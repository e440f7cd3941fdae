"""Heaps cut out of whole tables for training: what the rows name lies where they say."""

import itertools
import random

import numpy as np

from assistant.games.yu import KIT
from models.pieces.patches import SIDE
from models.pieces.table_patches import ART, GAME, patches, with_heaps
from vision.rectify import table_rect
from vision.table import ZoneKind

KINDS = sorted(ART.shapes)


def test_the_same_seed_cuts_the_same_heaps() -> None:
    first, again = (list(itertools.islice(patches(2_000_001), 4)) for _ in range(2))
    assert all(
        (one == other).all() and rows == same for (one, rows), (other, same) in zip(first, again, strict=True)
    )
    assert all(picture.shape == (SIDE, SIDE, 3) and picture.any(axis=2).all() for picture, _ in first)


def test_where_a_piece_is_named_something_of_its_colour_lies() -> None:
    """A Blue Worker's place is bluer than the picture around it, a brick's redder."""
    right = []
    for picture, rows in itertools.chain.from_iterable(
        itertools.islice(patches(seed), 30) for seed in (7, 11)
    ):
        tints = picture.astype(float) - picture.mean(axis=2, keepdims=True)
        for kind, x, y, visible in rows:
            channel = {"blue": 0, "clay": 2, "red": 2}.get(KINDS[int(kind)])
            column, row = round(x), round(y)
            if channel is None or visible < 0.7 or not (8 < column < SIDE - 8 and 8 < row < SIDE - 8):
                continue
            here = tints[row - 5 : row + 6, column - 5 : column + 6, channel].max()
            right.append(here > np.median(tints[..., channel]))
    assert len(right) > 20
    assert np.mean(right) > 0.95


def test_heaps_lie_on_any_part_of_the_table_and_the_games_own_stay() -> None:
    layout = with_heaps(GAME.layout, random.Random(3))
    extent = table_rect(KIT.bind(KIT.demo_pack()).layout)
    assert layout.zones[: len(GAME.layout.zones)] == GAME.layout.zones
    new = layout.zones[len(GAME.layout.zones) :]
    assert len(new) == 5
    assert all(zone.kind is ZoneKind.HEAP for zone in new)
    assert all(extent.x0 <= zone.rect.x0 < zone.rect.x1 <= extent.x1 for zone in new)
