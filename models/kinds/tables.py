"""Whole virtual tables, flat and large, with where their cards lie: so empty places and piles really look.

python -m models.kinds.tables POOL --tables 60
"""

import argparse
import json
import random
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from assistant.games.yu import KIT
from assistant.kit import Dice
from models.photographs import CARD_PX, Rng
from vision.frame import BgrImage
from vision.pose import Points
from vision.rectify import rectify, table_rect
from vision.table import Side, TableView, Zone, ZoneKind
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.truth_pose import pose_of

GAME = KIT.bind(KIT.demo_pack())
PIXELS_PER_UNIT = CARD_PX / GAME.layout.card_height
_OUTER = 0.05
_SEEN = 0.6
"""At least this share of a card must be in view, or its place is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingCard:
    kind: str
    up: bool
    zone: str
    quad: tuple[tuple[float, float], ...]
    """In pixels of the flat picture."""
    visible: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlatTable:
    image: BgrImage
    cards: tuple[LyingCard, ...]
    """Those on top of their piles."""


def draw_table(seed: int, split: Split = Split.TRAIN) -> FlatTable:
    rng = random.Random(f"tables/{split.value}/{seed}")
    scene = drawn_scene(
        GAME.layout, GAME.pack, load_table_art(KIT.folder), SceneStyle.sample(40_000 + seed, split)
    )
    shot = scene.shoot_view(any_view(rng), rng.randrange(1 << 30))
    pose = pose_of(shot)
    flat = rectify(shot.image, pose, table_rect(GAME.layout, _OUTER), PIXELS_PER_UNIT)
    strips = {zone.id for zone in GAME.layout.zones if zone.kind is ZoneKind.STRIP}
    cards = tuple(
        LyingCard(
            kind=str(card.kind),
            up=card.side is Side.UP,
            zone=str(card.zone),
            quad=tuple((float(x), float(y)) for x, y in flat.to_pixels(pose.unproject(np.array(card.quad)))),
            visible=card.visible,
        )
        for card in shot.cards
        if card.top and card.zone not in strips
    )
    return FlatTable(image=flat.image, cards=cards)


def any_view(rng: random.Random) -> TableView:
    """A position of a game, a third of its places for cards cleared."""
    state, dice = GAME.initial(), Dice(rng.randrange(1 << 30))
    for _ in range(rng.choice([10, 40, 120, 200])):
        actions = GAME.legal_actions(state)
        if not actions:
            break
        state = GAME.apply(state, dice.choice(actions))
    places = {zone.id for zone in GAME.layout.zones if zone.kind in (ZoneKind.CARD, ZoneKind.PILE)}
    return TableView(
        tuple(
            replace(zone, cards=()) if zone.zone in places and rng.random() < 0.33 else zone
            for zone in GAME.view(state).zones
        )
    )


# --- places on tables --------------------------------------------------------------------------------


class Tables:
    """All tables of a pool, or one if only a few are wanted."""

    def __init__(self, tables: list[FlatTable]) -> None:
        self._tables = tables
        self._zones = [zone for zone in GAME.layout.zones if zone.kind in (ZoneKind.CARD, ZoneKind.PILE)]
        rect = table_rect(GAME.layout, _OUTER)
        self._origin = np.array((rect.x0, rect.y0))

    @classmethod
    def of_pool(cls, folder: Path) -> "Tables":
        paths = sorted((folder / "tables").glob("*.jpg"))
        if not paths:
            raise SystemExit(
                f"expected drawn tables in {folder}: make them with python -m models.kinds.tables {folder}"
            )
        return cls([_load(path) for path in paths])

    def any_place(self, rng: Rng) -> tuple[BgrImage, LyingCard | None, Points]:
        """A table, the card on top in some place or none, and the place's corners."""
        while True:
            table = self._tables[int(rng.integers(len(self._tables)))]
            zone = self._zones[int(rng.integers(len(self._zones)))]
            mine = [card for card in table.cards if card.zone == zone.id]
            if mine and mine[-1].visible < _SEEN:
                continue
            corners = self._corners(zone)
            if not mine and rng.random() < 0.3:  # anywhere else, where no card lies
                corners = corners + rng.uniform(-0.3, 0.3, 2) * PIXELS_PER_UNIT
                height, width = table.image.shape[:2]
                taken = any(_overlap(corners, card) for card in table.cards)
                if taken or _is_outside(corners, width, height):
                    continue
            return table.image, mine[-1] if mine else None, corners

    def _corners(self, zone: Zone) -> Points:
        rect = zone.rect
        corners = np.array([(rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1)])
        return np.asarray((corners - self._origin) * PIXELS_PER_UNIT)


def _is_outside(corners: Points, width: int, height: int) -> bool:
    return bool((corners.min(0) < 0).any() or (corners.max(0) > (width, height)).any())


def _overlap(corners: Points, card: LyingCard) -> bool:
    quad = np.array(card.quad)
    low, high = np.maximum(corners.min(0), quad.min(0)), np.minimum(corners.max(0), quad.max(0))
    shared = float(np.prod(np.maximum(high - low, 0)))
    return shared > 0.08 * float(np.prod(corners.max(0) - corners.min(0)))


def _load(path: Path) -> FlatTable:
    rows = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    image = np.asarray(cv2.imread(str(path)), np.uint8)
    return FlatTable(image=image, cards=tuple(LyingCard(**row) for row in rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    folder = options.pool / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.tables):
        table = draw_table(seed)
        path = folder / f"{seed:03}.json"
        path.write_text(json.dumps([asdict(card) for card in table.cards]), encoding="utf-8")
        cv2.imwrite(str(path.with_suffix(".jpg")), table.image, [cv2.IMWRITE_JPEG_QUALITY, 94])


if __name__ == "__main__":
    main()
