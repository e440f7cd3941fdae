"""The picture of an enrolled card speaks where what was read leaves doubt."""

import cv2
import numpy as np

from tests.vision.scenes import card_picture
from vision.cards import CardId
from vision.embedding import embed
from vision.frame import BgrImage
from vision.witness import Witness

ONE, OTHER = CardId("one"), CardId("other")
PICTURES = {ONE: card_picture(np.random.default_rng(1)), OTHER: card_picture(np.random.default_rng(2))}
WITNESS = Witness(PICTURES)


def seen(picture: BgrImage) -> BgrImage:
    """The card in a camera: smaller, softer, darker."""
    small = cv2.resize(picture, (165, 256), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8) * 0.8, np.uint8)


def test_of_two_cards_that_read_the_same_the_one_that_looks_so_is_believed() -> None:
    words = WITNESS.speak(seen(PICTURES[OTHER]), [(ONE, 0.5), (OTHER, 0.45), (None, 0.05)])
    assert words[OTHER] > words[ONE] + 1
    assert words[OTHER] >= 0


def test_a_sure_reading_needs_no_witness() -> None:
    assert WITNESS.speak(seen(PICTURES[OTHER]), [(ONE, 0.99), (OTHER, 0.01)]) == {}


def test_a_picture_of_nothing_makes_no_card_a_stranger() -> None:
    blank = np.full((256, 165, 3), 128, np.uint8)
    words = WITNESS.speak(blank, [(ONE, 0.6), (None, 0.4)])
    assert words == {ONE: 0.0}


def test_cards_without_a_picture_and_unlikely_ones_are_not_asked() -> None:
    named = [(CardId("unseen"), 0.6), (ONE, 0.3), (OTHER, 1e-5), (None, 0.1)]
    assert set(WITNESS.speak(seen(PICTURES[ONE]), named)) == {ONE}


def test_where_nobody_has_the_pictures_their_embeddings_speak() -> None:
    witness = Witness({}, {card: embed(picture) for card, picture in PICTURES.items()})
    words = witness.speak(seen(PICTURES[OTHER]), [(ONE, 0.5), (OTHER, 0.45), (None, 0.05)])
    assert words[OTHER] == 0
    assert words[ONE] < -3


def test_pictures_and_embeddings_are_not_weighed_against_each_other() -> None:
    witness = Witness({ONE: PICTURES[ONE]}, {card: embed(picture) for card, picture in PICTURES.items()})
    words = witness.speak(seen(PICTURES[OTHER]), [(ONE, 0.5), (OTHER, 0.45), (None, 0.05)])
    assert words[OTHER] == 0
    assert words[ONE] < -3
