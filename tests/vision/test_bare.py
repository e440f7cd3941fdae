"""A place that looks like a card while it is bare is known again, and a card that is laid there is seen."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np
import pytest

from assistant.games.yu import KIT
from assistant.measure import style_of
from assistant.virtual import calibrated, scene_of
from vision.bare import BarePlaces, Glance, around, coarse, ground_goes_on, patch_of
from vision.cards import CardId
from vision.frame import BgrImage, Frame
from vision.identify import Identifier
from vision.networks import Networks
from vision.observation import CardSighting, Guess, Look, Observation
from vision.observe import Eye
from vision.pieces import PieceReader
from vision.places import PlacePicture, PlaceReader
from vision.pose import Pose
from vision.reader import Reader
from vision.rectify import Rectified, rectify
from vision.table import PlacedCard, Rect, Side, TableView, ZoneId, ZoneView

GAME = KIT.bind(KIT.demo_pack())
PLANKS = style_of(9890, hard=True)
"""Strongly grained planks with seams."""
STRANGE = CardSighting(guesses=(Guess(Look.FRONT, None, 0.9), Guess(Look.EMPTY, None, 0.1)))
UNIT = 600.0


class SeesStrangers(PlaceReader):
    """The worst of all readers: every place shows a card that it does not know."""

    def __init__(self) -> None:
        super().__init__(GAME.layout, cast(Reader, None), cast(Identifier, None))

    def read(self, places: Sequence[PlacePicture], _pose: Pose) -> tuple[tuple[CardSighting, ...], ...]:
        return tuple((STRANGE,) for _ in places)


@cache
def table() -> tuple[ZoneId, ZoneId, BgrImage, BgrImage, Pose]:
    """Two bare places, a picture of them, the same with a card in the first one, and where the board is."""
    view = TableView(tuple(ZoneView(zone=zone.id) for zone in GAME.layout.zones))
    first, second = ZoneId("discard"), ZoneId("barbarian-discard")
    card = next(GAME.pack.of_kind(GAME.layout.zone(first).cards[0])).id
    laid = TableView(
        tuple(
            ZoneView(zone=first, cards=(PlacedCard(card, Side.UP),)) if zone.zone == first else zone
            for zone in view.zones
        )
    )
    scene = scene_of(KIT, GAME, PLANKS)
    bare, with_card = (scene.shoot_view(each, 3).image for each in (view, laid))
    pose = calibrated(GAME.layout.board, scene)(Frame(index=0, captured_at=0.0, image=bare), None).pose
    assert pose is not None
    return first, second, bare, with_card, pose


def seen(image: BgrImage, zone: ZoneId) -> Rectified:
    return rectify(image, table()[-1], around(GAME.layout.zone(zone).rect), UNIT)


def patch(image: BgrImage, zone: ZoneId) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return patch_of(seen(image, zone), GAME.layout.zone(zone).rect)


def test_a_bare_place_is_known_again_in_another_light_and_a_card_on_it_is_seen() -> None:
    place, _, bare, with_card, _ = table()
    places = BarePlaces()
    assert places.told(place, patch(bare, place), STRANGE) is STRANGE, "nobody knows yet"
    assert places.learn(place, Glance(patch=patch(bare, place), card=STRANGE), doubted=False)
    darker = np.asarray(bare * np.array((0.82, 0.8, 0.78)), np.uint8)
    for image in (bare, darker):
        assert places.told(place, patch(image, place), STRANGE).guesses[0].look is Look.EMPTY
    for image in (with_card, np.asarray(with_card * 0.8, np.uint8)):
        assert places.told(place, patch(image, place), STRANGE) is STRANGE


def test_a_card_that_is_laid_half_beside_its_place_is_seen() -> None:
    place, _, bare, with_card, pose = table()
    rect = GAME.layout.zone(place).rect
    beside = Rect(rect.x0 + rect.width / 2, rect.y0, rect.x1 + rect.width / 2, rect.y1)
    shifted = patch_of(rectify(with_card, pose, around(beside), UNIT), beside)
    there = patch_of(rectify(bare, pose, around(beside), UNIT), beside)
    places = BarePlaces()
    places.learn(place, Glance(patch=there, card=STRANGE), doubted=False)
    assert places.looks_bare(place, there)
    assert not places.looks_bare(place, shifted)


def test_the_ground_goes_on_around_a_bare_place_and_ends_at_a_card() -> None:
    place, other, bare, with_card, _ = table()
    for zone in (place, other):
        assert ground_goes_on(seen(bare, zone), GAME.layout.zone(zone).rect)
    assert not ground_goes_on(seen(with_card, place), GAME.layout.zone(place).rect)


@pytest.mark.parametrize(
    "guess", [Guess(Look.FRONT, CardId("anything"), 0.7), Guess(Look.BACK, None, 0.7)], ids=["front", "back"]
)
def test_what_is_read_is_a_card_though_the_game_says_that_nothing_lies_there(guess: Guess) -> None:
    place, _, bare, _, _ = table()
    card = CardSighting(guesses=(guess, Guess(Look.EMPTY, None, 0.3)))
    places = BarePlaces()
    assert not places.learn(place, Glance(patch=patch(bare, place), card=card, goes_on=True), doubted=True)
    assert not places.knows(place)


def test_a_name_that_is_read_surely_outweighs_how_the_place_looks() -> None:
    place, _, bare, _, _ = table()
    places = BarePlaces()
    places.learn(place, Glance(patch=patch(bare, place), card=STRANGE), doubted=False)
    named = CardSighting(guesses=(Guess(Look.FRONT, CardId("anything"), 0.95),))
    assert places.told(place, patch(bare, place), named) is named


def test_where_the_eye_and_the_game_differ_the_game_is_believed_once_and_of_bare_ground_only() -> None:
    place, other, bare, with_card, _ = table()
    places = BarePlaces()
    card = Glance(patch=patch(with_card, place), card=STRANGE, goes_on=False)
    assert not places.learn(place, card, doubted=True)
    ground = Glance(patch=patch(bare, other), card=STRANGE, goes_on=True)
    assert places.learn(other, ground, doubted=True)
    assert not places.learn(other, Glance(patch=card.patch, card=STRANGE, goes_on=True), doubted=True)
    assert places.looks_bare(other, patch(bare, other))


def test_the_eye_takes_planks_for_bare_once_the_game_says_so_and_sees_the_card_that_is_laid_then() -> None:
    place, other, bare, with_card, _ = table()
    scene = scene_of(KIT, GAME, PLANKS)
    eye = Eye(
        layout=GAME.layout.on_table(),
        find=calibrated(GAME.layout.board, scene),
        places=SeesStrangers(),
        pieces=PieceReader(Networks()),
    )
    looks: list[Observation] = []

    def look(image: BgrImage, frames: int) -> None:
        for _ in range(frames):
            number = len(looks)
            looks.append(eye.observe(Frame(index=number, captured_at=number * 0.3, image=image)))

    def shown(zone: ZoneId) -> Look:
        (sighting,) = (one for one in looks[-1].zones if one.zone == zone)
        return sighting.cards[0].guesses[0].look

    look(bare, 4)
    assert (shown(place), shown(other)) == (Look.FRONT, Look.FRONT), "or there is nothing to learn"
    eye.take_as_bare({place, other}, against={place, other})
    look(bare, 1)
    assert (shown(place), shown(other)) == (Look.EMPTY, Look.EMPTY)
    look(with_card, 8)
    eye.take_as_bare({place, other}, against={place})
    look(with_card, 3)
    assert (shown(place), shown(other)) == (Look.FRONT, Look.EMPTY)
    assert eye.fresh()._bare.knows(place), "a reader that hung has not to be taught again"


def test_ground_between_the_cards_of_a_spread_is_no_card_and_a_stranger_laid_there_is_one() -> None:
    """Two seams of planks and the edge of a card looked like a card that nobody could name, for minutes."""
    _, _, _, _, pose = table()
    spread = ZoneId("hand")
    rect = GAME.layout.zone(spread).rect
    empty = TableView(tuple(ZoneView(zone=zone.id) for zone in GAME.layout.zones))
    card = next(GAME.pack.of_kind(GAME.layout.zone(spread).cards[0])).id
    laid = tuple(
        ZoneView(zone=spread, cards=(PlacedCard(card, Side.UP),)) if zone.zone == spread else zone
        for zone in empty.zones
    )
    scene = scene_of(KIT, GAME, PLANKS)
    shot = scene.shoot_view(TableView(laid), 4)
    quad = next(truth.quad for truth in shot.cards if truth.zone == spread)

    def picture(image: BgrImage) -> Rectified:
        return coarse(rectify(image, pose, rect, 4 * UNIT), 4)

    bare = picture(scene.shoot_view(empty, 3).image)
    brighter = picture(np.asarray(np.clip(scene.shoot_view(empty, 5).image * 1.1, 0, 255), np.uint8))
    with_card = picture(shot.image)
    stranger = replace(STRANGE, quad=tuple((float(x), float(y)) for x, y in quad))
    read = replace(stranger, guesses=(Guess(Look.FRONT, card, 0.99), Guess(Look.EMPTY, None, 0.01)))
    places = BarePlaces()
    assert places.cards_on(spread, bare, (stranger,), pose) == (stranger,), "never seen bare"
    places.learn_ground(spread, bare)
    assert places.cards_on(spread, brighter, (stranger, read), pose) == (read,)
    assert places.cards_on(spread, with_card, (stranger,), pose) == (stranger,)
