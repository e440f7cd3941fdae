"""Tables of any game strewn at random, photographed and cut into what its networks learn from.

    python -m models.game.strewn GAME POOL --tables 120

Nothing here knows a game: cards are made up from the game's rules for packs, they and its pieces are laid
wherever its layout allows. Each table has a style of its own, and a sixth of them are kept for measuring.
"""

import argparse
import itertools
import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.discover import kit_named
from assistant.kit import Game, GameKit
from assistant.virtual import calibrated
from models.grounds import any_mat
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Item, ItemKind, Source
from vision.frame import BgrImage, Frame
from vision.pack import FieldRules, PackRules
from vision.pieces import PIXELS_PER_UNIT
from vision.places import CARD_PX
from vision.pose import Pose
from vision.rectify import Rectified, Rectifier, grown
from vision.table import PlacedCard, Rect, Side, TableLayout, TableView, Zone, ZoneKind, ZoneView, counted
from vision.virtual.drawn import drawn_scene, load_table_art
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.shot import CardTruth, Shot
from vision.whole import LONGEST, is_read

TESTED = 6
"""Every so many tables, one is drawn in a style held out from training and kept for measuring."""
MADE_UP = 60
"""Cards made up for one table."""
AROUND = 0.035
"""How much of the table around a place is kept, in board units."""
PATCH_PX = 192
SMALL = 0.01
"""A heap of less ground than this takes a few pieces only."""
FOREIGN = 0.6
"""The share of tables for training whose top is of no style: a bare place may look like anything."""
CROWDED = (0.35, 0.7)
"""The share of its length and width that is left to a crowded heap."""
LARGEST_PX = 1920
LEAST_SEEN = 0.6
"""Of a card of a spread at least this share must be in view."""
FOOT = 0.25
"""A piece is marked at this share of its height."""


# --- cards made up ------------------------------------------------------------------------------------------


def made_up_pack(pack: CardPack, rules: PackRules, rng: random.Random) -> CardPack:
    """Cards that no pack has, with any items that a field may hold; kinds with long fields stay."""
    cards: list[CardFacts] = []
    for kind, kind_rules in rules.kinds.items():
        own = list(pack.of_kind(kind))
        if not all(is_read(field) for field in kind_rules.fields.values()):
            cards += own
            continue
        pictures = [card.picture for card in own]
        for number in range(MADE_UP):
            fields = tuple(
                CardField(name=name, items=_items(field, rules, rng), source=Source.INVENTED)
                for name, field in kind_rules.fields.items()
            )
            name = CardId(f"made-up-{kind}-{number}")
            cards.append(CardFacts(id=name, kind=kind, fields=fields, picture=rng.choice(pictures)))
    return replace(pack, cards=tuple(cards))


def _items(field: FieldRules, rules: PackRules, rng: random.Random) -> tuple[Item, ...]:
    fewest = field.fewest if field.required else 0
    many = rng.randint(min(fewest, LONGEST), min(field.most, LONGEST))
    if not field.required and rng.random() < 0.5:
        many = 0
    kinds = sorted(field.items)
    numbered = [kind for kind in kinds if kind in rules.numbered]
    found = []
    for place in range(many):
        # the first item of most fields carries the number; the others say for what it is given
        choice = numbered if numbered and (place == 0 or rng.random() < 0.12) else kinds
        found.append(_item(rng.choice(choice), rules, rng))
    return tuple(found)


def _item(kind: ItemKind, rules: PackRules, rng: random.Random) -> Item:
    if kind not in rules.numbered:
        return Item(kind)
    return Item(kind, 1, rng.randint(0, 9) if rng.random() < 0.92 else rng.randint(10, 20))


# --- tables strewn ------------------------------------------------------------------------------------------


def strewn(layout: TableLayout, pack: CardPack, rng: random.Random) -> TableView:
    """Anything anywhere it may lie."""
    dense = rng.choice((0.1, 0.3, 0.6))
    cards = {kind: [card.id for card in pack.of_kind(kind)] for zone in layout.zones for kind in zone.cards}
    bare = rng.uniform(0.05, 0.5)
    return TableView(tuple(_strewn(zone, cards, rng, bare, dense) for zone in layout.zones))


def _strewn(
    zone: Zone, cards: Mapping[CardKind, list[CardId]], rng: random.Random, bare: float, dense: float
) -> ZoneView:
    laid: tuple[PlacedCard, ...] = ()
    if zone.cards:
        most = {ZoneKind.PILE: 14, ZoneKind.SPREAD: 3}.get(zone.kind, 1)
        many = 0 if rng.random() < bare else rng.randint(1, most)
        sides = [Side.UP if rng.random() < 0.75 else Side.DOWN for _ in range(many)]
        laid = tuple(PlacedCard(rng.choice(cards[rng.choice(zone.cards)]), side) for side in sides)
    pieces: dict[Any, int] = {}
    if zone.kind is ZoneKind.SPOT and rng.random() < dense:
        pieces[rng.choice(zone.pieces)] = 1
    if zone.kind is ZoneKind.HEAP:
        small = zone.rect.width * zone.rect.height < SMALL
        many = rng.choice((1, 1, 1, 2, 3)) if small else rng.randint(0, 14)
        if small and rng.random() > 0.6 * dense:
            many = 0
        few = rng.sample(zone.pieces, min(len(zone.pieces), rng.randint(1, 4)))
        for _ in range(many):
            kind = rng.choice(few)
            pieces[kind] = pieces.get(kind, 0) + 1
    return ZoneView(zone=zone.id, cards=laid, pieces=counted(pieces))


def crowded(layout: TableLayout, rng: random.Random) -> TableLayout:
    """Half of the large heaps pushed together in a part of their place, so that pieces lie on each other."""
    zones = []
    for zone in layout.zones:
        rect = zone.rect
        if zone.kind is ZoneKind.HEAP and rect.width * rect.height >= SMALL and rng.random() < 0.5:
            wide, high = (rng.uniform(*CROWDED) * length for length in (rect.width, rect.height))
            x, y = rng.uniform(rect.x0, rect.x1 - wide), rng.uniform(rect.y0, rect.y1 - high)
            zone = replace(zone, rect=Rect(x, y, x + wide, y + high))
        zones.append(zone)
    return replace(layout, zones=tuple(zones))


def any_game(kit: GameKit, rng: random.Random) -> Game[Any, Any]:
    """The game as it may be played: layouts differ with the options."""
    return kit.bind(kit.demo_pack(), {name: rng.choice(values) for name, values in kit.options.items()})


# --- cut up -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    shot: Shot
    pose: Pose
    layout: TableLayout
    pack: CardPack


def draw_table(kit: GameKit, seed: int, split: Split) -> Table:
    rng = random.Random(f"strewn/{split.value}/{seed}")
    game = any_game(kit, rng)
    layout = game.layout.on_table()
    pack = made_up_pack(game.pack, kit.pack_rules, rng)
    style = SceneStyle.sample(60_000 + seed, split)
    if split is Split.TRAIN and rng.random() < FOREIGN:
        style = replace(style, mat=any_mat(style.mat, rng))
    stand = style.stand
    if stand.width > LARGEST_PX:
        stand = replace(stand, width=LARGEST_PX, height=round(stand.height * LARGEST_PX / stand.width))
    view = strewn(layout, pack, rng)
    layout = crowded(layout, rng)
    scene = drawn_scene(
        layout, pack, load_table_art(kit.folder), replace(style, stand=replace(stand, whole=True))
    )
    shot = scene.shoot_view(view, rng.randrange(1 << 30))
    pose = calibrated(layout.board, scene)(Frame(index=0, captured_at=0.0, image=shot.image), None).pose
    assert pose is not None, "the virtual camera knows where it stands"
    return Table(shot=shot, pose=pose, layout=layout, pack=pack)


def places_of(table: Table) -> Iterator[tuple[BgrImage, dict[str, Any]]]:
    """Each place for a card with some of the table around it, upright, and what is known of it."""
    scale = CARD_PX / table.layout.card_height
    rectifier = Rectifier()
    tops: dict[Any, CardTruth] = {card.zone: card for card in table.shot.cards if card.top}
    for zone in table.layout.zones:
        if not zone.cards or zone.kind is ZoneKind.SPREAD:
            continue
        picture = rectifier.rectify(table.shot.image, table.pose, grown(zone.rect, AROUND), scale)
        picture = picture.turned(zone.turn_deg // 90)
        card = tops.get(zone.id)
        yield picture.image, _place_truth(table, picture, card)
    spreads = {zone.id: zone for zone in table.layout.zones if zone.kind is ZoneKind.SPREAD}
    for card in table.shot.cards:
        if card.zone not in spreads or card.visible < LEAST_SEEN:
            continue
        zone = spreads[card.zone]
        corners = table.pose.unproject(np.array(card.quad))
        low, high = corners.min(axis=0), corners.max(axis=0)
        around = grown(Rect(*low.tolist(), *high.tolist()), AROUND)
        picture = rectifier.rectify(table.shot.image, table.pose, around, scale)
        picture = picture.turned(zone.turn_deg // 90)
        yield picture.image, _place_truth(table, picture, card)


def _place_truth(table: Table, picture: Rectified, card: CardTruth | None) -> dict[str, Any]:
    height, width = picture.image.shape[:2]
    inner = AROUND * picture.pixels_per_unit
    place = [[inner, inner], [width - inner, inner], [width - inner, height - inner], [inner, height - inner]]
    if card is None:
        return {"answer": "empty", "place": place}
    corners = picture.to_pixels(table.pose.unproject(np.array(card.quad)))
    up = card.side is Side.UP
    printed = table.pack[card.card].fields if up and card.card is not None else ()
    fields = {field.name: [str(item) for item in field.items or ()] for field in printed}
    return {
        "answer": f"{card.kind}{'' if up else ' back'}",
        "place": place,
        "corners": corners.tolist(),
        "visible": card.visible,
        "fields": fields,
    }


def patches_of(table: Table, rng: random.Random) -> Iterator[tuple[BgrImage, list[tuple[str, float, float]]]]:
    """Parts of the table where pieces may lie, flat, with the pieces that can be seen there."""
    spots = [
        (str(piece.kind), *_foot(table, piece.base, piece.top), piece.visible) for piece in table.shot.pieces
    ]
    rectifier, side = Rectifier(), PATCH_PX / PIXELS_PER_UNIT
    for x, y in centres(table.layout, side, rng):
        rect = Rect(x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        picture = rectifier.rectify(table.shot.image, table.pose, rect, PIXELS_PER_UNIT)
        image = np.asarray(cv2.resize(picture.image, (PATCH_PX, PATCH_PX)), np.uint8)
        points = picture.to_pixels(np.array([(px, py) for _, px, py, _ in spots]).reshape(-1, 2))
        found = [
            (kind, float(px), float(py))
            for (kind, _, _, visible), (px, py) in zip(spots, points, strict=True)
            if visible > 0.12 and -4 < px < PATCH_PX + 4 and -4 < py < PATCH_PX + 4
        ]
        yield image, found


def centres(layout: TableLayout, side: float, rng: random.Random) -> list[tuple[float, float]]:
    """Where patches are cut: around every place for pieces, and all over heaps larger than a patch."""
    around = []
    for zone in layout.zones:
        rect = zone.rect
        if not zone.pieces:
            continue
        across, down = (max(1, math.ceil(length / (0.6 * side))) for length in (rect.width, rect.height))
        for column, row in itertools.product(range(across), range(down)):
            x = rect.x0 + rect.width * (column + 0.5) / across
            y = rect.y0 + rect.height * (row + 0.5) / down
            around.append((x + rng.uniform(-0.3, 0.3) * side, y + rng.uniform(-0.3, 0.3) * side))
    rng.shuffle(around)
    taken: list[tuple[float, float]] = []
    for x, y in around:
        if all(max(abs(x - other_x), abs(y - other_y)) >= 0.6 * side for other_x, other_y in taken):
            taken.append((x, y))
    return taken


def _foot(table: Table, base: Any, top: Any) -> tuple[float, float]:
    low = (1 - FOOT) * np.array(base) + FOOT * np.array(top)
    x, y = table.pose.unproject([low])[0]
    return float(x), float(y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("pool", type=Path)
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    kit = kit_named(options.game)
    for seed in range(options.first, options.first + options.tables):
        split = Split.HELD_OUT if seed % TESTED == TESTED - 1 else Split.TRAIN
        folder = options.pool / f"{split.value}-{seed:04}"
        folder.mkdir(parents=True, exist_ok=True)
        table = draw_table(kit, seed, split)
        places, patches = [], []
        for number, (image, truth) in enumerate(places_of(table)):
            _write(folder / f"place-{number:03}.jpg", image)
            places.append(truth)
        for number, (image, pieces) in enumerate(patches_of(table, random.Random(seed))):
            _write(folder / f"patch-{number:03}.jpg", image)
            patches.append(pieces)
        text = json.dumps({"places": places, "patches": patches})
        (folder / "truth.json").write_text(text, encoding="utf-8")


def _write(path: Path, image: BgrImage) -> None:
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 95])


if __name__ == "__main__":
    main()
