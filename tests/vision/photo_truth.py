"""Photographs of the real game, which are not ours to ship: where their cards lie and what they say."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import CardKind, Item, parse_items
from vision.frame import BgrImage
from vision.table import ZoneId

_FOLDERS = (folder / "shared" / "photos" for folder in Path(__file__).parents)
PHOTOS = next((folder for folder in _FOLDERS if folder.is_dir()), Path("shared"))
SETUP = PHOTOS / "setup-done.jpg"
FOUR_CARDS = PHOTOS / "townsfolk-cards.jpg"

BOARD_CORNERS = ((248.8, 145.7), (1233.6, 297.6), (1223.6, 850.7), (0.4, 574.8))
"""Of the board in setup-done: top left, top right, bottom right, bottom left."""
SETUP_ZONES = (*(ZoneId(f"row-{k}") for k in range(1, 8)), *(ZoneId(f"canal-{k}") for k in range(1, 7)))
"""Where the cards of `setup_cards` lie."""
BOARD_HEIGHT = 0.497
RATIO = 0.645
CARD_PX = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueCard:
    kind: CardKind
    quad: NDArray[np.float64]
    fields: dict[str, tuple[Item, ...]]
    """Only the fields that are in view."""
    stone: int | None


def _card(kind: str, quad: NDArray[np.float64], stone: int | None, **fields: str) -> TrueCard:
    items = {name: parse_items(text) for name, text in fields.items()}
    return TrueCard(kind=CardKind(kind), quad=quad, fields=items, stone=stone)


def setup_cards() -> tuple[TrueCard, ...]:
    """The seven cards of the row, then the six canals, where the layout says."""
    row = (
        {"brown": "red", "red": "wood", "food": "milk", "harvest": "wood cowrie"},
        {"brown": "yellow", "red": "draw", "food": "meat", "harvest": "red"},
        {"brown": "wood", "red": "black", "food": "wheat", "harvest": "provision cowrie"},
        {"brown": "black", "red": "black", "food": "meat", "harvest": "white"},
        {"brown": "provision provision", "red": "white", "food": "wheat", "harvest": "draw cowrie"},
        {"brown": "black", "red": "draw", "food": "milk", "harvest": "red"},
        {"cost": "blue blue yellow", "reward": "cowrie draw", "damage": "destroy", "bribe": "wood"},
    )
    canals = (
        ("white white cowrie cowrie", "clay wood turtle#42"),
        ("white white cowrie cowrie", "clay wood turtle#3"),
        ("white white white cowrie cowrie", "clay wood destroy+2"),
        ("white white white cowrie cowrie", "clay wood destroy+2"),
        ("black blue white white cowrie cowrie cowrie", "destroy+2 turtle#44"),
        ("red yellow white white cowrie cowrie cowrie", "destroy+2 turtle#5"),
    )
    cards = []
    for k, fields in enumerate(row):
        x = 0.028 + 0.1358 * k
        kind = "barbarian" if "cost" in fields else "townsfolk"
        cards.append(_card(kind, _on_board(x, -0.195, x + 0.125, 0.0), 0, **fields))
    for k, (cost, effects) in enumerate(canals):
        x = 0.162 + 0.1365 * k
        cards.append(_card("canal", _on_board(x, 0.042, x + 0.127, 0.240), 0, cost=cost, effects=effects))
    return tuple(cards)


def four_cards() -> tuple[TrueCard, ...]:
    """The fanned cards: of three only the banner is in view, of the front one all but the stone."""
    milk = "milk"
    quads = (
        ((218, 36), (657, 32), (745, 700), (75, 692)),
        ((458, 17), (885, 85), (850, 770), (197, 612)),
        ((672, 44), (1098, 207), (905, 850), (318, 577)),
        ((897, 112), (1335, 362), (816, 1087), (318, 563)),
    )
    at = [np.array(quad, float) * 1440 / 1344 for quad in quads]
    return (
        _card("townsfolk", at[0], None, brown="wood", red="white", food=milk),
        _card("townsfolk", at[1], None, brown="provision provision", red="provision", food="wheat"),
        _card("townsfolk", at[2], None, brown="white", red="white", food=milk),
        _card("townsfolk", at[3], None, brown="red", red="wood", food=milk, harvest="wood cowrie"),
    )


def cut_out(image: BgrImage, quad: NDArray[np.float64], height: int = CARD_PX) -> BgrImage:
    """The card as the pipeline would rectify it."""
    width = round(height * RATIO)
    to = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    long = float(np.linalg.norm(quad[3] - quad[0]))
    if long > 2 * height:  # rectifying takes single pixels: a larger picture is made smaller first
        image = np.asarray(
            cv2.resize(image, None, fx=height / long, fy=height / long, interpolation=cv2.INTER_AREA)
        )
        quad = quad * height / long
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), to)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height)), np.uint8)


def _on_board(x0: float, y0: float, x1: float, y1: float) -> NDArray[np.float64]:
    board = np.array([(0, 0), (1, 0), (1, BOARD_HEIGHT), (0, BOARD_HEIGHT)], np.float32)
    to_photo = cv2.getPerspectiveTransform(board, np.array(BOARD_CORNERS, np.float32))
    corners = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(corners, to_photo)[0])
