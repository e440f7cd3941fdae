"""Cards and pieces of one photograph must have sizes that go together; which of them is print, if not."""

import pytest

from tests.vision.photo_truth import PHOTOS
from tests.vision.piece_photos import eyes_for_photographs
from vision.cards import CardId, ItemKind
from vision.image import load_image
from vision.locate import CardQuad
from vision.near import NearPiece
from vision.observation import CardReading, FieldReading, ItemReading
from vision.photo import read_photo
from vision.photo_cards import PhotoCard
from vision.photo_pieces import CARD_MM, agreeing
from vision.table import PieceKind

HUT, WOOD = PieceKind("hut"), PieceKind("wood")
BUILDINGS = PHOTOS / "buildings.jpg"


def card_at(x: float, y: float, scale: float, items: int = 0) -> PhotoCard:
    """A card with so many pixels to a millimetre, of which so many items can be read."""
    wide, high = CARD_MM * scale, 1.5 * CARD_MM * scale
    corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
    read = tuple(ItemReading(kind=ItemKind("wood"), count=1, number=None, p=0.9) for _ in range(items))
    field = FieldReading(name="brown", items=read)
    reading = CardReading(kind=None, kind_p=0.9, fields=(field,), stone=None, stone_p=0.0)
    return PhotoCard(quad=CardQuad(corners=corners, score=1.0, visible=1.0), reading=reading)


def huts(*sizes: float, p: float = 0.9) -> tuple[NearPiece, ...]:
    return tuple(NearPiece(HUT, 900.0 + 100 * number, 50.0, p, size) for number, size in enumerate(sizes))


def test_a_part_of_the_board_that_seems_a_far_smaller_card_than_three_sure_pieces_is_none() -> None:
    board, pieces = card_at(100, 100, 4.0, items=2), huts(10.0, 11.0, 9.5)
    standing_on_it = NearPiece(HUT, 150, 150, 0.9, 10.0)
    assert agreeing([board], [standing_on_it, *pieces]) == ((), (standing_on_it, *pieces))


def test_a_card_of_the_size_that_the_pieces_tell_stays() -> None:
    card, pieces = card_at(100, 100, 8.0, items=2), huts(10.0, 11.0, 9.5)
    assert agreeing([card], pieces) == ((card,), pieces)


@pytest.mark.parametrize(
    "pieces",
    [huts(10.0, 11.0), huts(10.0, 11.0, 9.5, p=0.7), huts(5.0, 10.0, 17.0)],
    ids=["too few", "not sure", "of different sizes"],
)
def test_pieces_that_do_not_agree_say_nothing_against_a_card(pieces: tuple[NearPiece, ...]) -> None:
    card = card_at(100, 100, 4.0, items=2)
    kept, beside = agreeing([card], pieces)
    assert kept == (card,)
    assert all(piece.size < 1.9 * 4.0 for piece in beside)


def test_a_card_that_can_be_read_is_one_whatever_seems_to_lie_around_it() -> None:
    read, known = card_at(100, 100, 4.0, items=5), card_at(100, 500, 4.0)
    known = PhotoCard(quad=known.quad, guesses=((CardId("some-card"), 1.0),))
    for card in (read, known):
        assert agreeing([card], huts(10.0, 11.0, 9.5)) == ((card,), ())


@pytest.mark.skipif(not BUILDINGS.exists(), reason="the photographs of the game are not here")
def test_houses_on_a_photographed_board_are_found_and_its_print_is_no_card() -> None:
    image, eyes = load_image(BUILDINGS), eyes_for_photographs()
    cards, pieces = eyes.with_pieces(image, read_photo(image, eyes=eyes))
    assert cards == ()
    assert len(pieces) >= 4
    assert {str(piece.kind) for piece in pieces} <= {"farm", "outpost", "hut"}
