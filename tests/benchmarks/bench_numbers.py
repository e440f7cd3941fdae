"""How well numbers are read on whole virtual tables: stones and turtles from 0 to 199, read as the eye reads.

Every card is printed in a held-out style of its own and carries numbers that no pack knows.

    python -m tests.benchmarks.bench_numbers
    python -m tests.benchmarks.bench_numbers --first 74000 --tables 48     other large tables, only told
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from assistant.games.yu import KIT
from tests.benchmarks.bench_slots import GAME, place_reader
from tests.benchmarks.report import Report
from vision.anatomy import Slot, place_fields
from vision.blend import blended_cards
from vision.cards import CardFacts, CardId, CardKind, CardPack, Item, ItemKind
from vision.frame import BgrImage
from vision.observation import CardReading, CardSighting
from vision.places import PlacePicture, PlaceReader
from vision.pose import Lens, Pose
from vision.rectify import Rectifier
from vision.register import fit_pose
from vision.table import PlacedCard, Side, TableView, Zone, ZoneKind, ZoneView
from vision.virtual.drawing import BgraImage
from vision.virtual.drawn import DrawnTextures, TableArt, load_table_art
from vision.virtual.looks import HELD_OUT
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import at_rest
from vision.virtual.shot import CardTruth, Shot
from vision.virtual.styles import FaceStyle

FRAMES = 3
FIRST = 70_000
"""Tables with lower seeds were looked at by those who made the reader better: they would flatter it."""
TABLES = {(1920, 1080): 8, (3840, 2160): 14}
"""Pixels of the frame, and how many tables: on a whole table in 1920 × 1080 digits are 4 to 7 pixels high."""
TURTLE = ItemKind("turtle")
TURTLE_FIELDS = ("reward", "effects", "harvest")
BAR_PX = (9.0, 11.0)
SIZES = ((0.0, 8.0), (8.0, 9.0), (9.0, 11.0), (11.0, 99.0))
IN_VIEW = 0.98
"""Of a card, at least: a number below a piece cannot be read."""
_PLACES = (ZoneKind.CARD, ZoneKind.PILE)
_DIGIT = {"stone": 30 / 64, "turtle": 20 / 64}
"""Height of the digits as a share of what carries them, as they are drawn."""
_NOTHING = CardReading(kind=None, kind_p=0.0, fields=(), stone=None, stone_p=0.0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, help="the first seed of other tables, in 3840 × 2160")
    parser.add_argument("--tables", type=int, default=48, help="so many of them")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    report = Report("numbers", "Numbers 0 to 199 on whole virtual tables of held-out styles")
    reader, found, first = place_reader(), list[Answer](), options.first or FIRST
    for size, tables in TABLES.items() if options.first is None else [((3840, 2160), options.tables)]:
        for table in drawn_tables(first, tables, size):
            found += answers(reader, table)
        first += tables
    for carrier in ("stone", "turtle"):
        for low, high in SIZES:
            some = [one for one in found if one.carrier == carrier and low <= one.digit_px < high]
            if some:
                tell(report, f"{carrier}s, digits {_between(low, high)} pixels high", some)
    clear = [one for one in found if one.digit_px >= BAR_PX[0]]
    tell(report, "stones and turtles together, digits 9 pixels high and more", clear, bar=99)
    both = [one for one in clear if one.digit_px < BAR_PX[1]]
    tell(report, "stones and turtles together, digits 9 to 11 pixels high", both, bar=99)
    tell(report, "the same, three digits", [one for one in both if one.number >= 100])
    tell(report, "the same, fewer digits", [one for one in both if one.number < 100])
    report.note(
        "Every card in a held-out print of its own, numbers 0 to 199 alike often, read as the eye reads "
        "cards in their places; no pack knows the numbers. A turtle that was not seen at all "
        "counts as misread. Left out are numbers on which another card or a piece may lie."
    )
    report.note(
        "Since 2026-11-18 the tables are drawn otherwise: a card's printed rim runs below its stone, as on "
        "the photographs of the real game, and no longer hides the foot of its number. With the weights "
        "of commit be725ff, digits 9 to 11 pixels high, after one frame: 148 of 159 in the old "
        "drawing, 151 in the new one."
    )
    if options.first is None:
        report.write()
    else:
        report.show()


def tell(report: Report, what: str, some: list["Answer"], bar: float | None = None) -> None:
    one = [answer.read[0] == answer.number for answer in some]
    three = [answer.read[-1] == answer.number for answer in some]
    report.row(f"{what}, right after one frame, %", 100 * float(np.mean(one)), bar=bar)
    report.row(f"{what}, right after {FRAMES} frames, %", 100 * float(np.mean(three)))
    unseen = sum(answer.read[0] is None for answer in some)
    report.note(f"{what}: {sum(one)} of {len(some)} after one frame, {unseen} with no number read at all.")


def _between(low: float, high: float) -> str:
    if not low:
        return f"below {high:.0f}"
    return f"{low:.0f} to {high:.0f}" if high < SIZES[-1][1] else f"{low:.0f} and more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One number, and what was read of it after each frame."""

    carrier: str
    digit_px: float
    number: int
    read: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    images: tuple[BgrImage, ...]
    pose: Pose
    shot: Shot
    pack: CardPack


class ManyPrints(DrawnTextures):
    """Each card as printed in a style of its own, so that a table shows more hands than one."""

    def __init__(self, pack: CardPack, art: TableArt, style: FaceStyle, seed: int) -> None:
        super().__init__(pack, art, style)
        self._seed = seed
        self._cards = {card.id: index for index, card in enumerate(pack.cards)}

    def card(self, card: CardId | None, kind: CardKind | None, side: Side) -> BgraImage:
        number = self._cards.get(card, 0) if card is not None else 0
        style = FaceStyle.sample(HELD_OUT + 1_000 * self._seed + number, strange_pictures=0.0)
        return DrawnTextures(self._pack, self._art, style).card(card, kind, side)


def drawn_tables(first: int, count: int, size: tuple[int, int], frames: int = FRAMES) -> Iterator[Table]:
    """Whole tables in frames of this size, each in so many calm frames."""
    art = load_table_art(KIT.folder)
    for seed in range(first, first + count):
        style = SceneStyle.sample(seed, Split.HELD_OUT)
        style = replace(style, stand=replace(style.stand, width=size[0], height=size[1], whole=True))
        rng = np.random.default_rng((seed, 0x0199))
        pack = renumbered(GAME.pack, rng)
        textures = ManyPrints(pack, art, FaceStyle.sample(HELD_OUT + style.faces), seed)
        scene = Scene(GAME.layout, textures, art.shapes, style)
        still = at_rest(scene.lay(laid_out(pack, rng), seed))
        shot = scene.shoot(still, moment=seed)
        later = [scene.render(still, moment=seed + number) for number in range(1, frames)]
        yield Table(images=(shot.image, *later), pose=pose_of(shot), shot=shot, pack=pack)


def pose_of(shot: Shot) -> Pose:
    """As a perfect registration would find it, also where only a part of the table is in view."""
    grid = np.array([(x, y) for x in np.linspace(-0.3, 1.5, 46) for y in np.linspace(-0.3, 1.0, 34)])
    pixels = shot.camera.project(np.column_stack([grid, np.zeros(len(grid))]))
    height, width = shot.image.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (width, height)).all(axis=1)
    return fit_pose(grid[inside], pixels[inside], Lens(width=width, height=height), fit_curve=True)


def laid_out(pack: CardPack, rng: np.random.Generator) -> TableView:
    """Any card of the right kind, open, in every place and on every pile."""
    left = [pack.cards[k] for k in rng.permutation(len(pack.cards))]
    zones = []
    for zone in GAME.layout.zones:
        if zone.cards and zone.kind in _PLACES:
            card = next(card for card in left if card.kind in zone.cards)
            left.remove(card)
            zones.append(ZoneView(zone=zone.id, cards=(PlacedCard(card.id),)))
    return TableView(tuple(zones))


def renumbered(pack: CardPack, rng: np.random.Generator) -> CardPack:
    """The pack with any number on each stone, and on half of the cards a turtle with any number."""
    return replace(pack, cards=tuple(_renumbered(card, rng) for card in pack.cards))


def _renumbered(card: CardFacts, rng: np.random.Generator) -> CardFacts:
    turtle = rng.random() < 0.5
    fields = []
    for field in card.fields:
        items = tuple(
            replace(item, number=int(rng.integers(200))) if item.kind == TURTLE else item
            for item in field.items or ()
        )
        if turtle and field.name in TURTLE_FIELDS and items and all(item.kind != TURTLE for item in items):
            items = (*items[:-1], Item(TURTLE, number=int(rng.integers(200))))
        fields.append(field if field.items is None else replace(field, items=items))
    stone = None if card.stone is None else int(rng.integers(200))
    return replace(card, stone=stone, fields=tuple(fields))


def answers(reader: PlaceReader, table: Table) -> Iterator[Answer]:
    """Every number of every card that lies open and in full view."""
    zones = {zone.id: zone for zone in GAME.layout.zones if zone.cards and zone.kind in _PLACES}
    shown = [
        (zones[card.zone], card)
        for card in table.shot.cards
        if card.zone in zones and card.top and card.side is Side.UP and card.visible >= IN_VIEW
    ]
    looks = looked_at(reader, [zone for zone, _ in shown], table)
    anatomy = reader.reader.anatomy
    for (_, card), seen in zip(shown, looks, strict=True):
        if card.card is None:
            continue
        facts = table.pack[card.card]
        stone = anatomy[facts.kind].stone
        if stone is not None and facts.stone is not None:
            at = Slot(stone.x, stone.y, 2 * stone.radius)
            yield from _answer(table, card, "stone", at, facts.stone, [look.stone for look in seen])
        for placed in place_fields(anatomy, facts):
            for item, slot in placed.slots:
                if item.kind == TURTLE and item.number is not None:
                    read = [_turtle_in(look, placed.name) for look in seen]
                    yield from _answer(table, card, "turtle", slot, item.number, read)


def looked_at(reader: PlaceReader, zones: list[Zone], table: Table) -> list[list[CardReading]]:
    """What the eye has read in each zone after the first frame, after the second, and so on."""
    rectifier = Rectifier()
    sightings: list[tuple[CardSighting, ...]] = [() for _ in zones]
    found: list[list[CardReading]] = [[] for _ in zones]
    for reads, image in enumerate(table.images):
        pictures = [
            PlacePicture(
                zone=zone,
                picture=rectifier.rectify(image, table.pose, reader.area(zone), reader.pixels_per_unit),
                frame=image,
            )
            for zone in zones
        ]
        for k, new in enumerate(reader.read(pictures, table.pose) if pictures else ()):
            sightings[k] = blended_cards(sightings[k], new, reads)
            found[k].append(sightings[k][0].reading or _NOTHING)
    return found


def _answer(
    table: Table, card: CardTruth, carrier: str, at: Slot, number: int, read: list[int | None]
) -> Iterator[Answer]:
    """One answer, unless something may lie on the number."""
    ratio = GAME.layout.card_width / GAME.layout.card_height
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_frame = cv2.getPerspectiveTransform(unit, np.array(card.quad, np.float32))
    box = np.array((at.x, at.y)) + (unit - 0.5) * np.array((at.size, at.size * ratio))
    outline = cv2.perspectiveTransform(box[None].astype(np.float32), to_frame)[0]
    others = [other.quad for other in table.shot.cards if other.zone != card.zone and not other.tucked]
    others += [
        ((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in (p.box for p in table.shot.pieces)
    ]
    if any(cv2.intersectConvexConvex(np.array(other, np.float32), outline)[0] > 1 for other in others):
        return
    tall = float(np.hypot(*(outline[[3, 2]] - outline[[0, 1]]).T).mean())
    yield Answer(carrier=carrier, digit_px=_DIGIT[carrier] * tall, number=number, read=tuple(read))


def _turtle_in(look: CardReading, field: str) -> int | None:
    """The number of the turtle that was seen in a field; None where none was."""
    return next((i.number for f in look.fields if f.name == field for i in f.items if i.kind == TURTLE), None)


if __name__ == "__main__":
    main()
