"""What a first look leaves in doubt is looked at again: a bare place closer, a card from a little aside."""

from functools import cache

import cv2
import numpy as np
import pytest

from assistant.games.yu.pack import PACK_RULES, demo_pack
from models.photographs import anatomy, any_style, develop, draw_card
from tests.vision.scoring import items_right
from vision.cards import CardFacts, CardKind
from vision.fields import limits_of
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.networks import Networks
from vision.observation import CardReading
from vision.pack_images import facts_of
from vision.read import CardReader
from vision.reader import CardCut
from vision.second_look import (
    closer_looks,
    further_evidence,
    named_with_care,
    read_with_care,
    readings_with_care,
)
from vision.virtual.mats import Mat, Weave
from vision.virtual.pieces import parse_colour


@cache
def reader() -> CardReader:
    cv2.setNumThreads(1)
    return CardReader(anatomy(), Networks())


def bare_place(seed: int) -> BgrImage:
    """A piece of a wooden table with seams near its sides, which a card's rim would look like."""
    mat = Mat(weave=Weave.WOOD, colour=parse_colour("#d6bd94"), accent=parse_colour("#b3966a"), seed=seed)
    place = np.ascontiguousarray(mat.tile()[300 * seed : 300 * seed + 200, 100:234])
    place[:, -6:], place[-9:] = 60, (70, 40, 60)
    place[12:15] //= 2
    return place


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_bare_place_between_seams_is_empty_at_a_closer_look(seed: int) -> None:
    place = bare_place(seed)
    first = reader().look([place])
    assert first[0].unknown > first[0].empty, "or there is no doubt to test"
    (second,) = closer_looks(reader(), [place], first)
    assert second.empty > 2 * second.unknown
    total = second.empty + second.unknown + sum(p for _, p in (*second.fronts, *second.backs))
    assert total == pytest.approx(1, abs=1e-3)


def test_a_card_is_not_looked_at_again_unless_its_name_is_in_doubt() -> None:
    facts = next(card for card in demo_pack().cards if card.kind == "townsfolk")
    rng = np.random.default_rng(3)
    drawn = draw_card(facts, any_style(rng)).image[..., :3]
    clear = np.asarray(cv2.resize(drawn, (165, 256), interpolation=cv2.INTER_AREA), np.uint8)
    blurred = develop(rng, np.asarray(cv2.GaussianBlur(clear, (0, 0), 6.0), np.uint8), gentle=True)
    cuts = [CardCut(image=image, kind=CardKind(facts.kind)) for image in (clear, blurred)]
    identifier = Identifier(demo_pack(), reader().item_kinds)
    names = [identifier.name(card.evidence) for card in reader().read(cuts)]
    sure, doubtful = further_evidence(reader(), cuts, names)
    assert sure == ()
    assert len(doubtful) > 1
    assert {evidence.kind for evidence in doubtful} == {facts.kind}


def far_away(facts: CardFacts, seed: int) -> BgrImage:
    """A card that a soft lens shows 90 pixels high, brought to the size at which cards are read."""
    rng = np.random.default_rng(seed)
    drawn = draw_card(facts, any_style(rng)).image[..., :3]
    small = cv2.GaussianBlur(cv2.resize(drawn, (58, 90), interpolation=cv2.INTER_AREA), (0, 0), 1.5)
    noisy = np.clip(small + rng.normal(0, 1.5, small.shape), 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(noisy, (165, 256), interpolation=cv2.INTER_LINEAR), np.uint8)


def test_cards_far_from_a_soft_lens_are_named() -> None:
    """From aside alone 19 of these were named, and 23 with their edges made clearer."""
    facts = [card for card in demo_pack().cards if card.kind in ("townsfolk", "barbarian")][:24]
    cuts = [CardCut(image=far_away(card, seed), kind=CardKind(card.kind)) for seed, card in enumerate(facts)]
    identifier = Identifier(demo_pack(), reader().item_kinds)
    names = named_with_care(reader(), identifier, cuts, reader().read(cuts))
    assert sum(named[0][0] == card.id for named, card in zip(names, facts, strict=True)) >= 22


def test_cards_read_for_keeps_have_fewer_faults_than_at_a_glance() -> None:
    """A scan is several times as large as a card on the table: read as it is, it was read by luck."""
    rng = np.random.default_rng(21)
    style = any_style(rng)
    limited = CardReader(anatomy(), Networks(), limits=limits_of(PACK_RULES))
    glance = care = 0
    cards = [card for card in demo_pack().cards if card.kind in ("canal", "barbarian")][::3]
    for card in cards:
        drawn = np.ascontiguousarray(draw_card(card, style).image[..., :3])
        scan = np.asarray(cv2.resize(drawn, (420, 651), interpolation=cv2.INTER_AREA), np.uint8)
        glance += is_faultless(limited.read_one(scan, card.kind).reading, card)
        care += is_faultless(read_with_care(limited, scan, card.kind).reading, card)
    assert care > glance
    assert care >= 0.75 * len(cards)


def test_cards_in_their_places_are_read_with_as_much_care() -> None:
    limited = CardReader(anatomy(), Networks(), limits=limits_of(PACK_RULES), pack=demo_pack())
    cards = [card for card in demo_pack().cards if card.kind in ("townsfolk", "barbarian", "canal")]
    cuts = [CardCut(image=far_away(card, seed), kind=card.kind) for seed, card in enumerate(cards)]
    read = limited.read(cuts)
    care = readings_with_care(limited, cuts, read)
    once, often = (
        sum(
            items_right(reading, {part.name: part.items or () for part in card.fields})[0]
            for card, reading in zip(cards, readings, strict=True)
        )
        for readings in ([one.reading for one in read], care)
    )
    assert often > once


def test_of_a_tucked_card_no_more_is_told_with_care_than_at_a_glance() -> None:
    card = next(card for card in demo_pack().cards if card.kind == "townsfolk")
    cut = CardCut(image=far_away(card, 1), kind=card.kind, foot_only=True)
    read = reader().read([cut])
    assert readings_with_care(reader(), [cut], read) == [read[0].reading]


def is_faultless(reading: CardReading, card: CardFacts) -> bool:
    read = facts_of(card.id, reading, PACK_RULES)
    return read.stone == card.stone and all(read.items(part.name) == part.items for part in card.fields)


def test_a_card_smaller_than_usual_is_not_made_larger_and_its_kind_is_told_by_itself() -> None:
    facts = next(card for card in demo_pack().cards if card.kind == "townsfolk")
    drawn = draw_card(facts, any_style(np.random.default_rng(3))).image[..., :3]
    small = np.asarray(cv2.resize(drawn, (165, 256), interpolation=cv2.INTER_AREA), np.uint8)
    read = read_with_care(reader(), small)
    assert read.reading.kind == facts.kind
    assert read.reading.stone == facts.stone
