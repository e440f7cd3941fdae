"""A card face shows its facts and nothing else changes: each item is where the anatomy says."""

import colorsys
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.games.yu.pack import demo_pack
from vision.anatomy import Anatomy, place_fields
from vision.cards import CardFacts, CardField, CardId, CardKind, Item, ItemKind, Source, parse_items
from vision.virtual.digits import DESIGNS, NumberStyle
from vision.virtual.faces import card_back, card_face
from vision.virtual.glyphs import symbol_glyph
from vision.virtual.invent import invent_card
from vision.virtual.looks import HELD_OUT, GlyphLook
from vision.virtual.people import SITTERS
from vision.virtual.pictures import picture, picture_by_seed
from vision.virtual.styles import FaceStyle

HEIGHT = 320
HOUSE = FaceStyle()
KINDS = ("townsfolk", "barbarian", "canal", "hut", "victory", "defeat", "story")


def card(kind: str, *, stone: int | None = 0, picture: str | None = "elder", **fields: str) -> CardFacts:
    return CardFacts(
        id=CardId("a-card"),
        kind=CardKind(kind),
        picture=picture,
        stone=stone,
        fields=tuple(
            CardField(name=name, items=parse_items(text), source=Source.INVENTED)
            for name, text in fields.items()
        ),
    )


def face(facts: CardFacts, anatomy: Anatomy, style: FaceStyle = HOUSE) -> NDArray[np.int64]:
    return card_face(facts, anatomy, height_px=HEIGHT, style=style).astype(np.int64)


CARDS = [
    card("townsfolk", brown="red", red="wood", food="milk", harvest="wood cowrie"),
    card("townsfolk", brown="provision provision", red="draw+2", food="fish", harvest="coloured"),
    card("barbarian", cost="blue blue yellow", reward="turtle#12", damage="destroy", bribe="wood cowrie"),
    card("canal", cost="black blue white cowrie cowrie", effects="clay destroy+2 turtle#44"),
    card("hut", effects="draw-pile+2 white"),
    card("victory", entry="turtle#7"),
    card("defeat", top="flood", bottom="barbarian+2 exhaust"),
]


@pytest.mark.parametrize("facts", CARDS, ids=lambda facts: str(facts.kind))
@pytest.mark.parametrize("style", [HOUSE, FaceStyle.sample(3), FaceStyle.sample(4)], ids=["house", "3", "4"])
def test_every_item_appears_where_the_anatomy_says(
    facts: CardFacts, style: FaceStyle, anatomy: Anatomy
) -> None:
    style = replace(style, slot_jitter=0.0)
    whole = face(facts, anatomy, style)
    height, width = whole.shape[:2]
    for field in place_fields(anatomy, facts):
        for index, (item, slot) in enumerate(field.slots):
            if item.kind == "cowrie" and field.name == "cost":
                continue  # stands on a line of its own, see the next test
            changed = face(_with_another_item(facts, field.name, index), anatomy, style)
            rows, columns = np.nonzero(np.abs(whole - changed).max(axis=2) > 24)
            x = (slot.x + style.field_shift[0]) * width
            y = (slot.y + style.field_shift[1]) * height
            reach = 0.62 * slot.size * width * style.glyph_scale + 2
            assert len(rows) > 20, (field.name, str(item))
            assert np.abs(columns - x).max() <= reach * slot.extent, (field.name, str(item))
            assert np.abs(rows - y).max() <= reach, (field.name, str(item))


def _with_another_item(facts: CardFacts, name: str, index: int) -> CardFacts:
    """The same card with one item exchanged for another that takes the same room."""
    items = facts.items(name) or ()
    old = items[index]
    kind = "exhaust" if old.kind == "destroy" else "white" if old.kind != "white" else "red"
    new = Item(ItemKind(kind), old.count if kind == "exhaust" else 1)
    changed = (*items[:index], new, *items[index + 1 :])
    return replace(
        facts,
        fields=tuple(
            replace(field, items=changed) if field.name == name else field for field in facts.fields
        ),
    )


def test_cowries_of_a_canal_stand_below_its_workers(anatomy: Anatomy) -> None:
    with_cowries = face(card("canal", cost="white white cowrie cowrie"), anatomy)
    without = face(card("canal", cost="white white"), anatomy)
    rows, columns = np.nonzero(np.abs(with_cowries - without).max(axis=2) > 24)
    assert rows.min() > 0.15 * HEIGHT
    assert rows.max() < 0.31 * HEIGHT
    assert columns.mean() == pytest.approx(0.505 * with_cowries.shape[1], abs=4)


def test_an_unread_field_leaves_its_ground_empty(anatomy: Anatomy) -> None:
    read = card("townsfolk", brown="red", red="wood", food="milk", harvest="wood")
    unread = replace(read, fields=(*read.fields[:3], replace(read.fields[3], items=None)))
    rows, _ = np.nonzero(np.abs(face(read, anatomy) - face(unread, anatomy)).max(axis=2) > 24)
    assert rows.min() > 0.8 * HEIGHT


def test_the_stone_carries_its_number(anatomy: Anatomy) -> None:
    first, second = (face(card("townsfolk", stone=number), anatomy) for number in (7, 42))
    rows, columns = np.nonzero(np.abs(first - second).max(axis=2) > 24)
    stone = anatomy[CardKind("townsfolk")].stone
    assert stone is not None
    assert np.abs(rows - stone.y * HEIGHT).max() < 1.2 * stone.radius * first.shape[1]
    assert np.abs(columns - stone.x * first.shape[1]).max() < 1.2 * stone.radius * first.shape[1]


@pytest.mark.parametrize("down", [0.0, 0.02])
def test_a_printed_rim_runs_below_the_stone_and_its_number(down: float, anatomy: Anatomy) -> None:
    stone = anatomy[CardKind("townsfolk")].stone
    assert stone is not None
    bare = replace(HOUSE, border_width=0.0, field_shift=(0.0, down))
    rimmed = replace(bare, border_width=0.03)
    one, other = (face(card("townsfolk", stone=158), anatomy, style) for style in (bare, rimmed))
    width = one.shape[1]
    x, y, reach = round(stone.x * width), round((stone.y + down) * HEIGHT), round(0.6 * stone.radius * width)
    number = np.s_[y - reach : min(HEIGHT, y + reach), x - reach : x + reach]
    assert np.array_equal(one[number], other[number])
    assert not np.array_equal(one[-2:], other[-2:]), "the rim itself is printed"


def test_cards_with_the_same_facts_and_other_pictures_differ_only_in_the_picture(anatomy: Anatomy) -> None:
    elder = face(card("townsfolk", brown="red", red="wood", food="milk", harvest="wood"), anatomy)
    fisher = face(
        card("townsfolk", picture="fisher", brown="red", red="wood", food="milk", harvest="wood"), anatomy
    )
    rows, _ = np.nonzero(np.abs(elder - fisher).max(axis=2) > 24)
    assert rows.max() < 0.78 * HEIGHT
    assert len(rows) > 5000


@pytest.mark.parametrize("kind", KINDS)
def test_faces_and_backs_have_rounded_clear_corners(kind: str, anatomy: Anatomy) -> None:
    facts = invent_card(anatomy, CardKind(kind), 1)
    for image in (
        card_face(facts, anatomy, height_px=HEIGHT, style=HOUSE),
        card_back(CardKind(kind), anatomy, height_px=HEIGHT, style=HOUSE),
    ):
        assert image.shape == (HEIGHT, round(HEIGHT * anatomy.ratio), 4)
        assert image.dtype == np.uint8
        assert [int(image[y, x, 3]) for y in (0, -1) for x in (0, -1)] == [0, 0, 0, 0]
        assert image[HEIGHT // 2, :, 3].min() == 255


@pytest.mark.parametrize("seed", range(5))
def test_a_style_of_one_seed_draws_the_same_card_again(seed: int, anatomy: Anatomy) -> None:
    facts = invent_card(anatomy, CardKind("townsfolk"), seed)
    assert facts == invent_card(anatomy, CardKind("townsfolk"), seed)
    first = face(facts, anatomy, FaceStyle.sample(seed))
    assert np.array_equal(first, face(facts, anatomy, FaceStyle.sample(seed)))
    assert not np.array_equal(first, face(facts, anatomy, FaceStyle.sample(seed + 100)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("height_px", [64, 97, 700])
def test_cards_can_be_drawn_small_and_large(kind: str, height_px: int, anatomy: Anatomy) -> None:
    facts = invent_card(anatomy, CardKind(kind), 2)
    assert card_face(facts, anatomy, height_px=height_px, style=FaceStyle.sample(8)).shape[0] == height_px


def test_backs_of_different_kinds_differ(anatomy: Anatomy) -> None:
    backs = [card_back(CardKind(kind), anatomy, height_px=120).astype(int) for kind in KINDS[:4]]
    for first in range(4):
        for second in range(first):
            assert np.abs(backs[first] - backs[second]).mean() > 15


def test_the_cost_of_a_hut_is_printed_on_its_back(anatomy: Anatomy) -> None:
    hut = anatomy[CardKind("hut")]
    assert sorted(item.kind for item, _ in hut.back.items) == ["clay", "clay", "clay", "white", "wood"]


def test_all_portraits_differ_from_each_other() -> None:
    portraits = {name: picture(name, "portrait", 100, 118).astype(int) for name in SITTERS}
    for first in portraits:
        for second in portraits:
            if first < second:
                assert np.abs(portraits[first] - portraits[second]).mean() > 8, (first, second)


def test_pictures_by_seed_are_stable_and_endless() -> None:
    assert np.array_equal(picture_by_seed(12, 60, 71), picture_by_seed(12, 60, 71))
    thumbs = {picture_by_seed(seed, 60, 71).tobytes() for seed in range(30)}
    assert len(thumbs) == 30


def test_every_card_of_the_demo_pack_can_be_drawn(anatomy: Anatomy) -> None:
    faces = {facts.id: card_face(facts, anatomy, height_px=96) for facts in demo_pack().cards}
    assert len({image.tobytes() for image in faces.values()}) > 0.8 * len(faces)


def test_styles_held_out_share_no_hand_hue_or_picture_with_training() -> None:
    train = [FaceStyle.sample(seed, strange_pictures=1.0) for seed in range(60)]
    held_out = [FaceStyle.sample(HELD_OUT + seed, strange_pictures=1.0) for seed in range(60)]

    def traits(style: FaceStyle) -> tuple[int, float, int]:
        assert style.strange_picture is not None
        return (
            style.look("stone").numbers.design,
            abs(hue_of(style.cloth) - hue_of(HOUSE.cloth)),
            style.strange_picture,
        )

    designs, hues, pictures = zip(*map(traits, train), strict=True)
    other_designs, other_hues, other_pictures = zip(*map(traits, held_out), strict=True)
    assert not set(designs) & set(other_designs)
    assert max(hues) < min(other_hues)
    assert not set(pictures) & set(other_pictures)


def hue_of(colour: tuple[int, int, int]) -> float:
    """In degrees, reds near 0 on either side."""
    hue = 360 * colorsys.rgb_to_hls(*(channel / 255 for channel in colour))[0]
    return hue - 360 if hue > 180 else hue


def test_digits_of_every_hand_differ_from_each_other() -> None:
    for design in range(DESIGNS + 2):
        looks = replace(GlyphLook(), numbers=NumberStyle(design=design))
        drawn = [symbol_glyph("stone", 48, looks, str(digit)) for digit in range(10)]
        for one, digit in enumerate(drawn):
            for other in drawn[one + 1 :]:
                assert np.abs(digit.astype(int) - other).mean() > 0.5
