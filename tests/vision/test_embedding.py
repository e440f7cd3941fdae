"""A card's picture in a few numbers: known again by them, and not drawn anew."""

import base64
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scenes import card_picture
from vision.cards import CardFacts, CardId, CardKind, CardPack
from vision.embedding import NUMBERS, EmbeddingError, as_text, embed, embeddings_of, from_text
from vision.errors import PackError
from vision.frame import BgrImage
from vision.pack import parse_pack
from vision.pack_images import rules_of_any_game
from vision.virtual.pictures import picture_by_seed

CARDS = [card_picture(np.random.default_rng(seed)) for seed in range(20)]


def photographed(picture: BgrImage, seed: int = 3) -> BgrImage:
    """Smaller, softer, in warm light that falls from one side, and cut out a little aside."""
    rng = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    way = np.array([(0.99, 0.01, 2.0), (-0.01, 1.01, -2.0)])
    moved = cv2.warpAffine(picture, way, (width, height), borderMode=cv2.BORDER_REPLICATE)
    small = cv2.GaussianBlur(cv2.resize(moved, (160, 250), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    light = np.linspace(0.7, 1.1, 160)[None, :, None] * np.array([0.7, 0.95, 1.1])
    return np.asarray(np.clip(small * light + rng.normal(0, 4, small.shape), 0, 255), np.uint8)


def test_a_card_is_known_again_in_other_light() -> None:
    known = np.stack([from_text(as_text(embed(card))) for card in CARDS])
    seen = np.stack([embed(photographed(card)) for card in CARDS])
    assert ((seen @ known.T).argmax(axis=1) == np.arange(len(CARDS))).all()


def test_the_numbers_are_the_same_on_every_machine() -> None:
    """Packs are shared: another way to count would make strangers of all cards without a word."""
    ramp = np.add.outer(np.arange(155) * 1.2, np.arange(100) * 0.6)
    picture = np.stack([ramp, 255 - ramp, np.abs(128 - ramp)], -1).clip(0, 255).astype(np.uint8)
    levels = np.frombuffer(base64.b64decode(as_text(embed(picture))[3:]), np.int8)
    assert levels[:8].tolist() == [44, -21, 78, -39, 1, 32, 8, 110]


def test_a_text_is_an_embedding_or_told_why_not() -> None:
    text = as_text(embed(CARDS[0]))
    assert len(text) == 3 + 4 * NUMBERS // 3
    assert as_text(from_text(text)) == text
    for bad in ("", "e2" + text[2:], text[:-4], "e1:" + "*" * 128):
        with pytest.raises(EmbeddingError, match="expected"):
            from_text(bad)
    assert not from_text("e1:" + "A" * 128).any()


@pytest.mark.parametrize(
    "text", ["", "e1:", "e2:" + "A" * 128, "e1:" + "A" * 127, "e1:" + "A" * 124 + "=" * 4]
)
def test_a_pack_with_a_damaged_embedding_is_refused_with_its_line(text: str) -> None:
    pack = f'format = 1\ngame = "g"\nname = "n"\n[cards.a]\nkind = "card"\nembedding = "{text}"\n'
    with pytest.raises(PackError, match="line 6: card 'a', embedding: expected 'e1:'"):
        parse_pack(pack, rules_of_any_game("g"))


def test_our_own_picture_goes_before_what_another_owner_told() -> None:
    told = as_text(embed(CARDS[0]))
    card = CardFacts(id=CardId("a"), kind=CardKind("card"), embedding=told)
    pack = CardPack(game="g", name="n", cards=(card,))
    assert embeddings_of(pack, {})[CardId("a")] @ embed(CARDS[0]) > 0.99
    assert embeddings_of(pack, {CardId("a"): CARDS[1]})[CardId("a")] @ embed(CARDS[1]) > 0.99


def redrawn(describe: Callable[[BgrImage], NDArray[np.float32]]) -> float:
    """How like a picture is what its description and two hundred other pictures allow to draw."""
    others = [picture_by_seed(seed, 48, 72) for seed in range(200)]
    looks = np.stack([describe(picture) for picture in others])
    flat = np.stack([picture.astype(np.float32).ravel() for picture in others])
    usual = flat.mean(axis=0)
    way = np.linalg.solve(looks.T @ looks + 0.2 * np.eye(looks.shape[1]), looks.T @ (flat - usual))
    unseen = [picture_by_seed(seed, 48, 72) for seed in range(900, 930)]
    alike = [np.corrcoef(usual + describe(picture) @ way, picture.ravel())[0, 1] for picture in unseen]
    return float(np.mean(alike))


def small(picture: BgrImage) -> NDArray[np.float32]:
    dots = cv2.resize(picture, (16, 24), interpolation=cv2.INTER_AREA).astype(np.float32).ravel() - 128
    return np.asarray(dots / np.linalg.norm(dots), np.float32)


def test_far_less_of_a_picture_can_be_drawn_from_it_than_from_a_tiny_one() -> None:
    assert redrawn(small) > 0.7
    assert redrawn(embed) < 0.6
