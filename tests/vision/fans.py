"""Fanned cards as photographs show them: drawn ones with the truth, and a photograph turned any way."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from models.photographs import any_style, draw_card
from tests.vision.photo_truth import TrueCard
from tests.vision.scoring import items_right
from tests.vision.strewn import HEIGHT, WIDTH, Strewn, photograph
from vision.cards import CardKind, CardPack
from vision.frame import BgrImage
from vision.photo_cards import PhotoCard

TOWNSFOLK = CardKind("townsfolk")
BANNER = ("brown", "red", "food")


def drawn_fan(seed: int, pack: CardPack) -> tuple[BgrImage, tuple[TrueCard, ...]]:
    """Three to five cards in a print held out from training, held any way: the next one lies on each, so that
    its banner stays in view."""
    rng = np.random.default_rng(seed)
    style = any_style(rng, held_out=True)
    known = [card for card in pack.cards if card.kind == TOWNSFOLK]
    chosen = [known[k] for k in rng.permutation(len(known))[: rng.integers(3, 6)]]
    turn, width = rng.uniform(-180, 180), rng.uniform(170, 260)
    step, spread = width * rng.uniform(0.35, 0.5), rng.uniform(4, 10)
    along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    laid = []
    for k, card in enumerate(chosen):
        off = k - (len(chosen) - 1) / 2
        x, y = (600.0, 450.0) + along * step * off
        drawn = draw_card(card, style).image[..., :3]
        picture = np.asarray(cv2.resize(drawn, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
        place = Strewn(picture=picture, centre=(x, y), turn_deg=turn + spread * off, width=width)
        laid.append(place)
    truth = tuple(
        TrueCard(
            kind=TOWNSFOLK,
            quad=place.quad,
            fields={name: card.items(name) for name in BANNER},
            stone=None,
        )
        for card, place in zip(chosen, laid, strict=True)
    )
    return photograph(laid), truth


def turned(
    image: BgrImage, cards: Sequence[TrueCard], degrees: float
) -> tuple[BgrImage, tuple[TrueCard, ...]]:
    """The same picture turned clockwise, all of it in view."""
    height, width = image.shape[:2]
    way = np.asarray(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0), float)
    across, up = abs(way[0, 0]), abs(way[0, 1])
    size = (round(height * up + width * across), round(height * across + width * up))
    way[:, 2] += (np.array(size) - (width, height)) / 2
    whole = np.asarray(cv2.warpAffine(image, way, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return whole, tuple(replace(card, quad=cv2.transform(card.quad[None], way)[0]) for card in cards)


def fan_score(found: Sequence[PhotoCard], cards: Sequence[TrueCard]) -> tuple[int, int]:
    """How many items were read, and of how many: those of each card whose banner was found there."""
    right = total = 0
    for card in cards:
        near = min(found, key=lambda other: _off_banner(other, card), default=None)
        width = float(np.hypot(*(card.quad[1] - card.quad[0])))
        if near is not None and near.reading is not None and _off_banner(near, card) < 0.3 * width:
            some, many = items_right(near.reading, card.fields)
            right, total = right + some, total + many
        else:
            total += sum(len(items) for items in card.fields.values())
    return right, total


def _off_banner(found: PhotoCard, card: TrueCard) -> float:
    """How far apart the corners are at which the banner begins."""
    return float(np.hypot(*(np.array(found.quad.corners[0]) - card.quad[0])))
