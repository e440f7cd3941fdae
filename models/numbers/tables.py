"""Numbers cut out of whole virtual tables where the eye looks for them, in hands that nobody wrote in.

python -m models.numbers.tables POOL --tables 0 60
"""

import argparse
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from assistant.games.yu import KIT
from models.hands import MadeUpHand, any_pen
from models.numbers.data import gathered, often_long
from models.numbers.drawn import keep
from models.photographs import Rng
from models.stream import Sample
from vision.anatomy import Anatomy, Slot, place_fields
from vision.cards import CardFacts, CardId, CardKind, CardPack, Item, ItemKind
from vision.cuts import NUMBER_PX, NUMBER_WINDOW, Original
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.networks import Networks
from vision.places import PlacePicture, PlaceReader
from vision.pose import Points
from vision.read import CardReader
from vision.reading import COUNTED
from vision.rectify import Rectifier
from vision.table import PlacedCard, Side, TableView, Zone, ZoneKind, ZoneView
from vision.virtual.drawing import BgraImage
from vision.virtual.drawn import DrawnTextures, TableArt, load_table_art
from vision.virtual.looks import GlyphLook
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle, Split
from vision.virtual.script import at_rest
from vision.virtual.shot import CardTruth, Shot
from vision.virtual.styles import FaceStyle
from vision.virtual.truth_pose import pose_of

GAME = KIT.bind(KIT.demo_pack())
LAID = 6
"""So often other cards are laid on one table: the table itself takes longest to draw."""
_WIDE_PX = (2_500, 4_100)
"""Of the camera's frame: digits are then about 6 to 15 pixels high."""
_LOOKS = 700
_MADE_UP = 0.85
"""So many prints have their numbers in a made-up hand; the others in one of our own."""
_OF_FONTS = 0.5
"""And so many of these hands follow the middle lines of a font."""
_TURTLE = ItemKind("turtle")
_TURTLE_FIELDS = ("reward", "effects", "harvest")
_TURTLES = 0.65
"""So many symbols of these fields become turtles."""
_PLACES = (ZoneKind.CARD, ZoneKind.PILE)
_IN_VIEW = 0.98
_AROUND_PX = 16
"""So much more than a window is kept on each side: it may be moved while learning."""
_NEAR = 0.4
"""A window whose middle is so near to a symbol, in its sizes, shows that symbol."""
_STONE = 2.25
"""Width of a stone in its radii."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """A stone or any symbol of a card in the camera's picture."""

    x: float
    y: float
    size: float
    number: int | None
    """What a reader should answer there: a tag's +n is a number too."""
    is_stone: bool


class InManyHands(FaceStyle):
    """A print of training whose numbers are mostly written in hands made up for it."""

    def look(self, symbol: str) -> GlyphLook:
        look = FaceStyle.look(self, symbol)
        rng = np.random.default_rng((self.seed, zlib.crc32(symbol.encode())))
        if rng.random() >= _MADE_UP:
            return look
        hand = MadeUpHand.sample(rng, printed=bool(rng.random() < _OF_FONTS))
        return replace(look, numbers=replace(any_pen(rng), hand=hand))


class ManyPrints(DrawnTextures):
    """Each card as printed in a style of its own."""

    def __init__(self, pack: CardPack, art: TableArt, style: FaceStyle, seed: int) -> None:
        super().__init__(pack, art, style)
        self._seeds = {card.id: (seed << 12) % (1 << 25) + k for k, card in enumerate(pack.cards)}

    def print_of(self, card: CardId | None) -> FaceStyle:
        return InManyHands.sample(0 if card is None else self._seeds[card], glyph_pool=_LOOKS)

    def card(self, card: CardId | None, kind: CardKind | None, side: Side) -> BgraImage:
        return DrawnTextures(self._pack, self._art, self.print_of(card)).card(card, kind, side)


def table_windows(reader: PlaceReader, art: TableArt, seed: int) -> Iterator[Sample]:
    """The windows of one table, once for each time that cards were laid on it."""
    style = SceneStyle.sample(900_000 + seed, Split.TRAIN)
    rng = np.random.default_rng((seed, 0x7AB))
    wide = 16 * round(rng.uniform(*_WIDE_PX) / 16)
    style = replace(style, stand=replace(style.stand, width=wide, height=wide * 9 // 16, whole=True))
    pack = renumbered(GAME.pack, rng)
    prints = ManyPrints(pack, art, FaceStyle.sample(style.faces), seed)
    scene = Scene(GAME.layout, prints, art.shapes, style)
    left = [pack.cards[k] for k in rng.permutation(len(pack.cards))]
    for laid in range(LAID):
        shot = scene.shoot(at_rest(scene.lay(laid_out(left), seed + laid)), moment=int(rng.integers(1 << 20)))
        yield windows_of(reader, shot, pack, prints)


def renumbered(pack: CardPack, rng: Rng) -> CardPack:
    """The pack several times, never twice with the same numbers."""
    cards = [
        replace(_renumbered(card, rng), id=CardId(f"{card.id}-{copy}"))
        for copy in range(LAID)
        for card in pack.cards
    ]
    return replace(pack, cards=tuple(cards))


def _renumbered(card: CardFacts, rng: Rng) -> CardFacts:
    fields = []
    for field in card.fields:
        chance = _TURTLES if field.name in _TURTLE_FIELDS else 0.0
        items = tuple(
            Item(_TURTLE, number=often_long(rng)) if item.kind == _TURTLE or rng.random() < chance else item
            for item in field.items or ()
        )
        fields.append(field if field.items is None else replace(field, items=items))
    return replace(card, stone=None if card.stone is None else often_long(rng), fields=tuple(fields))


def laid_out(left: list[CardFacts]) -> TableView:
    """The next card of the right kind, open, in every place and on every pile."""
    zones = []
    for zone in _zones():
        card = next(card for card in left if card.kind in zone.cards)
        left.remove(card)
        zones.append(ZoneView(zone=zone.id, cards=(PlacedCard(card.id),)))
    return TableView(tuple(zones))


def _zones() -> list[Zone]:
    return [zone for zone in GAME.layout.zones if zone.cards and zone.kind in _PLACES]


# --- cutting -----------------------------------------------------------------------------------------


def windows_of(reader: PlaceReader, shot: Shot, pack: CardPack, prints: ManyPrints) -> Sample:
    """Every window that the eye cuts to read a number, where it is known what stands there.

    Each with more around it, and with how far what it shows is off its middle.
    """
    assert isinstance(reader.reader, CardReader)
    anatomy = reader.reader.anatomy
    carriers = [
        carrier
        for card in shot.cards
        if card.card is not None and card.top and card.side is Side.UP and card.visible >= _IN_VIEW
        for carrier in carriers_on(anatomy, card, pack[card.card], prints.print_of(card.card).field_shift)
    ]
    pose, rectifier = pose_of(shot), Rectifier()
    pictures = [
        PlacePicture(
            zone=zone,
            picture=rectifier.rectify(shot.image, pose, reader.area(zone), reader.pixels_per_unit),
            frame=shot.image,
        )
        for zone in _zones()
    ]
    made: list[tuple[BgrImage, int | None]] = []
    off: list[Points] = []
    for original, x, y, size in reader.reader.number_places(reader.cards(pictures, pose)):
        assert isinstance(original, Original)
        shown = _shown(carriers, original.to_pixels(np.array([(x, y)]))[0])
        if shown is not None:
            px = NUMBER_PX + 2 * _AROUND_PX
            side = NUMBER_WINDOW * size * px / NUMBER_PX
            made.append((original.window(x, y, side, px), shown.number))
            off.append(_off(original, (x, y), NUMBER_WINDOW * size / NUMBER_PX, shown))
    return {**gathered(made), "off": np.array(off, np.float32).reshape(-1, 2)}


def carriers_on(
    anatomy: Anatomy, card: CardTruth, facts: CardFacts, shift: tuple[float, float]
) -> Iterator[Carrier]:
    """`shift` is how far off all symbols are printed."""
    stone = anatomy[facts.kind].stone
    if stone is not None and facts.stone is not None:
        yield _carrier(card, Slot(stone.x, stone.y, _STONE * stone.radius), shift, facts.stone, is_stone=True)
    for placed in place_fields(anatomy, facts):
        for item, slot in placed.slots:
            number = item.count if item.kind in COUNTED else item.number
            yield _carrier(card, slot, shift, number, is_stone=False)


def _carrier(
    card: CardTruth, slot: Slot, shift: tuple[float, float], number: int | None, *, is_stone: bool
) -> Carrier:
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_frame = cv2.getPerspectiveTransform(unit, np.array(card.quad, np.float32))
    half = np.array((slot.size / 2, 0.0))
    middle = np.array((slot.x, slot.y)) + shift
    one, two = cv2.perspectiveTransform(np.array([[middle - half, middle + half]], np.float32), to_frame)[0]
    x, y = ((one + two) / 2).tolist()
    return Carrier(x, y, float(np.hypot(*(two - one))), number, is_stone)


def _off(original: Original, at: tuple[float, float], step: float, shown: Carrier) -> Points:
    """How far a stone stands from the window's middle, in the window's pixels; other symbols were found."""
    if not shown.is_stone:
        return np.zeros(2)
    middle, right, below = original.to_pixels(np.array(at) + np.array([(0, 0), (step, 0), (0, step)]))
    ways = np.column_stack([right - middle, below - middle])
    return np.asarray(np.linalg.solve(ways, (shown.x, shown.y) - middle))


def _shown(carriers: list[Carrier], at: Points) -> Carrier | None:
    """What stands in the middle of a window, if it is clear what that is."""
    off = [float(np.hypot(one.x - at[0], one.y - at[1])) / one.size for one in carriers]
    nearest = int(np.argmin(off)) if off else -1
    return carriers[nearest] if off and off[nearest] < _NEAR else None


def eye() -> tuple[PlaceReader, TableArt]:
    art = load_table_art(KIT.folder)
    reader = CardReader(art.anatomy, Networks(), limits=limits_of(KIT.pack_rules), pack=GAME.pack)
    identifier = Identifier(GAME.pack, reader.item_kinds, anatomy=art.anatomy)
    return PlaceReader(GAME.layout, reader, identifier), art


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--tables", type=int, nargs=2, default=(0, 60), help="first and last table")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader, art = eye()
    for seed in range(*options.tables):
        keep(options.pool / f"table-{seed:04}.npz", list(table_windows(reader, art, seed)))


if __name__ == "__main__":
    main()
