"""Pieces in photographs taken from near: one mark for each, seen at the right size; print is no piece."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.benchmarks.near_photos import photos, score
from tests.vision.piece_photos import (
    COMPONENTS,
    FOUR_CARDS,
    SETUP,
    eyes_for_photographs,
    pieces_in,
    pieces_of_components,
)
from vision.locate import CardQuad
from vision.near import BEST_PX_PER_MM, NEAR, TOLD, UNIT_PX_PER_MM, NearPiece, NearReader, one_of_each
from vision.networks import Networks
from vision.photo_cards import PhotoCard
from vision.photo_eyes import NetworkEyes, network_eyes
from vision.table import PieceKind

RED, CLAY, SHELL = PieceKind("red"), PieceKind("clay"), PieceKind("cowrie")


class Sees(Networks):
    """Stands for the network: a red dot is a Red Worker, best seen where it is 4 pixels wide."""

    def __init__(self) -> None:
        self.widths: list[int] = []

    def answers(self, name: str) -> tuple[str, ...]:
        assert name == NEAR
        return ("clay", "red")

    def run(self, name: str, images: NDArray[np.uint8]) -> NDArray[np.float32]:
        assert name == NEAR
        self.widths.append(images.shape[2])
        maps = np.zeros((len(images), 3, images.shape[1] // 4, images.shape[2] // 4), np.float32)
        for index, image in enumerate(images):
            dot = image[..., 2] > 128
            size = np.sqrt(image[..., 2].sum() / 255) / 4
            rows, columns = np.nonzero(dot)
            if len(rows):
                sure = 0.97 - 0.3 * abs(np.log(size))
                maps[index, 1, round(rows.mean()) // 4, round(columns.mean()) // 4] = sure
                maps[index, 2] = size
        return maps


def dotted(side: int, dot: int) -> NDArray[np.uint8]:
    image = np.zeros((side, side, 3), np.uint8)
    image[side // 2 : side // 2 + dot, side // 4 : side // 4 + dot, 2] = 255
    return image


@pytest.mark.parametrize("dot", [6, 18, 21])
def test_the_last_look_has_the_size_that_suits_the_pieces(dot: int) -> None:
    network = Sees()
    (piece,) = NearReader(network).find(dotted(700, dot))
    assert piece.kind == RED
    assert (piece.x, piece.y) == pytest.approx((175 + dot / 2, 350 + dot / 2), abs=10)
    assert piece.size == pytest.approx(dot / 4 * UNIT_PX_PER_MM, rel=0.35)
    best = 700 * 4 / dot * BEST_PX_PER_MM / UNIT_PX_PER_MM
    assert network.widths[-1] == pytest.approx(best, abs=50)


def test_where_nothing_lies_nothing_is_found() -> None:
    assert NearReader(Sees()).find(np.zeros((300, 400, 3), np.uint8)) == ()


def test_marks_nearer_than_a_piece_is_wide_are_one_piece() -> None:
    strong, weak = NearPiece(RED, 100, 100, 0.9, 2.0), NearPiece(RED, 106, 100, 0.6, 2.0)
    other, beside = NearPiece(CLAY, 103, 100, 0.5, 2.0), NearPiece(RED, 120, 100, 0.7, 2.0)
    assert one_of_each([weak, other, beside, strong]) == [strong, beside]


def test_two_shells_of_which_one_covers_half_of_the_other_are_two() -> None:
    shells = [NearPiece(SHELL, 100, 100, 0.9, 2.0), NearPiece(SHELL, 112, 100, 0.8, 2.0)]
    assert one_of_each(shells) == shells


@cache
def eyes() -> NetworkEyes:
    return eyes_for_photographs()


def test_pieces_seen_from_near_are_found_in_styles_never_trained_on() -> None:
    networks = Networks()
    kinds = [PieceKind(kind) for kind in networks.answers(NEAR)]
    reader = NearReader(networks)
    told = [score(photo, reader.find(photo.image), kinds) for photo in photos(500, 4)]
    found, pieces, invented = (sum(one[name] for one in told) for name in ("found", "pieces", "invented"))
    assert pieces > 20
    assert found >= 0.7 * pieces
    assert invented <= 0.15 * pieces


class Finds(NearReader):
    """Finds these, whatever the photograph shows."""

    def __init__(self, *pieces: NearPiece) -> None:
        self._pieces = pieces

    def find(self, image: NDArray[np.uint8], least: float = TOLD) -> tuple[NearPiece, ...]:
        assert image.ndim == 3
        return tuple(piece for piece in self._pieces if piece.p >= least)


def test_what_lies_on_a_card_or_has_another_size_than_cards_tell_is_print() -> None:
    corners = ((100.0, 100.0), (232.0, 100.0), (232.0, 300.0), (100.0, 300.0))
    card = PhotoCard(quad=CardQuad(corners=corners, score=1.0, visible=1.0))
    beside, on_it = NearPiece(RED, 400, 200, 0.9, 2.2), NearPiece(RED, 150, 200, 0.9, 2.0)
    too_large = NearPiece(SHELL, 500, 200, 0.9, 5.0)
    own = NetworkEyes(eyes().reader, eyes().identifier, eyes().pieces, Finds(beside, on_it, too_large))
    image = np.zeros((400, 600, 3), np.uint8)
    assert own.with_pieces(image, [card]) == ((card,), (beside,))
    assert own.with_pieces(image, ()) == ((), (beside, on_it, too_large))


def test_a_game_with_pieces_of_its_own_is_not_asked_for_near_views() -> None:
    from assistant.discover import kits

    others = [kit for kit in kits().values() if (kit.folder / "eyes").exists()]
    assert others
    for kit in others:
        own = network_eyes(kit.folder / "anatomy.toml", kit.pack_rules, kit.demo_pack())
        assert own.with_pieces(dotted(400, 30), ()) == ((), ())


@pytest.mark.skipif(not COMPONENTS.exists(), reason="the photographs of the game are not here")
def test_a_photographed_handful_is_found_and_nothing_is_invented() -> None:
    found, want = pieces_of_components(eyes())
    assert found == want


@pytest.mark.skipif(not FOUR_CARDS.exists(), reason="the photographs of the game are not here")
def test_what_is_printed_on_cards_is_no_piece() -> None:
    assert pieces_in(FOUR_CARDS, eyes()).total() == 0


@pytest.mark.skipif(not SETUP.exists(), reason="the photographs of the game are not here")
def test_on_a_whole_table_nothing_is_invented() -> None:
    standing = Counter(farm=3, outpost=4, hut=4, flood=1, barge=1)
    assert (pieces_in(SETUP, eyes()) - standing).total() == 0
