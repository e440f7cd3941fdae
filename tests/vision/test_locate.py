"""Cards are found wherever they lie: turned, on each other, in any photograph; and nothing else is."""

import numpy as np
import pytest

from tests.vision.photo_truth import SETUP, setup_cards
from tests.vision.strewn import Strewn, card_picture, off_by, photograph
from vision.image import load_image
from vision.locate import Verdict, corners_in_cut, cut_card, find_spread, locate, locate_known
from vision.locate_choose import choose
from vision.locate_edges import Edges
from vision.locate_free import apart
from vision.locate_outline import Outlines
from vision.rectify import Rectified
from vision.table import Rect

SIZE = (110.0, 110.0 * 310 / 200)
HAND = (620, 300)


def lying(seed: int, x: float, y: float, turn: float) -> Strewn:
    return Strewn(picture=card_picture(seed), centre=(x, y), turn_deg=turn, width=SIZE[0])


def misses(cards: list[Strewn], found: list[float]) -> int:
    return len(cards) - sum(off < 4 for off in found)


def nearest(card: Strewn, quads: list[tuple[tuple[float, float], ...]]) -> float:
    return min((off_by(quad, card.quad) for quad in quads), default=999.0)


@pytest.mark.parametrize("turn", [0.0, 9.0, -31.0, 58.0, 90.0, 171.0])
def test_a_single_card_is_found_to_a_pixel_or_two_however_it_is_turned(turn: float) -> None:
    card = lying(3, 300, 150, turn)
    found = locate_known(photograph([card], HAND), SIZE)
    assert len(found) == 1
    assert off_by(found[0].corners, card.quad) < 2.5
    assert found[0].visible == 1.0
    assert found[0].score > 0.8


def test_cards_side_by_side_are_all_found() -> None:
    cards = [lying(seed, 90 + 145 * seed, 150, 6 * seed - 8) for seed in range(4)]
    found = locate_known(photograph(cards, HAND), SIZE)
    assert misses(cards, [nearest(card, [quad.corners for quad in found]) for card in cards]) == 0
    assert len(found) == 4


def test_a_card_half_below_another_is_found_and_known_to_be_half_hidden() -> None:
    below, above = lying(1, 250, 150, -5), lying(2, 305, 155, 7)
    found = locate_known(photograph([below, above], HAND), SIZE)
    by_card = [min(found, key=lambda quad: off_by(quad.corners, card.quad)) for card in (below, above)]
    assert [
        off_by(quad.corners, card.quad) < 4 for quad, card in zip(by_card, (below, above), strict=True)
    ] == [
        True,
        True,
    ]
    assert by_card[1].visible == 1.0
    assert (by_card[0].covers, by_card[1].covers) == ((by_card[1].corners,), ())
    assert 0.35 < by_card[0].visible < 0.65


def test_nothing_is_found_on_a_bare_table() -> None:
    assert locate_known(photograph([], HAND), SIZE) == ()
    assert locate_known(np.full((200, 400, 3), 90, np.uint8), SIZE) == ()
    assert locate(photograph([])) == ()


def test_a_finer_picture_gives_the_same_places_in_its_own_pixels() -> None:
    card = Strewn(picture=card_picture(3), centre=(500, 300), turn_deg=12, width=220)
    found = locate_known(photograph([card], (1000, 600)), (220.0, 341.0))
    assert off_by(found[0].corners, card.quad) < 4


def test_a_spread_is_found_in_a_rectified_zone() -> None:
    card = lying(3, 300, 150, 12)
    picture = Rectified(image=photograph([card], HAND), rect=Rect(0, 0, 0.69, 0.333), pixels_per_unit=900)
    (found,) = find_spread(picture, SIZE)
    assert off_by([(x, y) for x, y in found.corners], card.quad) < 3
    assert found.sure


def test_a_spread_in_a_dark_corner_of_the_table_is_found_as_well() -> None:
    cards = [lying(1, 140, 150, -4), lying(2, 420, 150, 7)]
    dark = (photograph(cards, HAND) * 0.12).astype(np.uint8)
    picture = Rectified(image=dark, rect=Rect(0, 0, 0.69, 0.333), pixels_per_unit=900)
    found = [[(x, y) for x, y in card.corners] for card in find_spread(picture, SIZE) if card.sure]
    assert len(found) == 2
    assert misses(cards, [min(off_by(quad, card.quad) for quad in found) for card in cards]) == 0


def test_a_bare_dark_corner_shows_no_cards() -> None:
    dark = (photograph([], HAND) * 0.12).astype(np.uint8)
    picture = Rectified(image=dark, rect=Rect(0, 0, 0.69, 0.333), pixels_per_unit=900)
    assert find_spread(picture, SIZE) == []


def test_cards_are_found_in_any_photograph_leaning_and_turned() -> None:
    cards = [
        Strewn(picture=card_picture(11), centre=(250, 250), turn_deg=20, width=150, lean=0.12),
        Strewn(picture=card_picture(12), centre=(650, 300), turn_deg=-70, width=180, lean=-0.1),
        Strewn(picture=card_picture(13), centre=(950, 600), turn_deg=140, width=120),
    ]
    found = locate(photograph(cards))
    assert [nearest(card, [quad.corners for quad in found]) < 6 for card in cards] == [True] * 3


def test_a_fanned_neighbour_is_found_in_the_plane_of_a_clear_card() -> None:
    below = Strewn(picture=card_picture(11), centre=(560, 450), turn_deg=-14, width=200)
    above = Strewn(picture=card_picture(12), centre=(650, 460), turn_deg=4, width=200)
    found = locate(photograph([below, above]))
    assert [nearest(card, [quad.corners for quad in found]) < 9 for card in (below, above)] == [True] * 2


def test_a_verifier_may_refuse_and_turn_what_was_found() -> None:
    card = Strewn(picture=card_picture(12), centre=(600, 450), turn_deg=180, width=200)
    image = photograph([card])
    assert locate(image, lambda cuts: [Verdict(0.0)] * len(cuts)) == ()
    turned = locate(image, lambda cuts: [Verdict(1.0, upside_down=1.0)] * len(cuts))
    assert np.abs(np.array(turned[0].corners) - card.quad).max() < 5


def test_a_cut_shows_the_card_upright_and_its_points_can_be_found_again() -> None:
    card = Strewn(picture=card_picture(12), centre=(600, 450), turn_deg=33, width=200)
    image = photograph([card])
    cut = cut_card(image, card.quad, 200)
    assert cut.shape == (310, 200, 3)
    assert np.abs(cut[20:-20, 20:-20].astype(int) - 0.9 * card.picture[20:-20, 20:-20]).mean() < 12
    shares = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    whole = corners_in_cut(card.quad, shares)
    assert np.abs(np.array(whole) - card.quad).max() < 0.5
    assert off_by(corners_in_cut(card.quad, shares, margin=0.1), card.quad) > 15


@pytest.mark.skipif(not SETUP.is_file(), reason="the photographs of the real game are not ours to ship")
def test_nearly_the_whole_row_is_found_in_a_photograph_of_the_real_game() -> None:
    row = [card.quad for card in setup_cards()[:7]]
    found = locate(load_image(SETUP))
    widths = [float(np.hypot(*(quad[1] - quad[0]))) for quad in row]
    offs = [min(off_by(card.corners, quad) for card in found) for quad in row]
    # The truth is the layout's, good to a fifth of a card; one card is taken for the part above its bar.
    assert sum(off < 0.3 * width for off, width in zip(offs, widths, strict=True)) >= 6


def test_the_edges_are_those_of_the_colour_that_changes_most() -> None:
    image = np.full((24, 24, 3), 100, np.uint8)
    image[:, 8:, 1] = 140  # a step of green to the right, and a larger one of red downwards below it
    image[12:, :, 2] = 200
    edges = Edges.of(image, blur=0)
    slopes = [(float(edges.across[y, x]), float(edges.down[y, x])) for y, x in ((4, 8), (12, 16), (12, 8))]
    assert slopes == [(20.0, 0.0), (0.0, 50.0), (0.0, 50.0)]


def test_an_outline_that_only_the_print_of_two_cards_makes_is_no_third_card() -> None:
    """It lies across both, with one side a little outside of them."""
    width, height = SIZE
    outlines = Outlines(
        width=width,
        height=height,
        centres=np.array([(200.0, 160.0), (312.0, 160.0), (256.0, 160 - (height - width) / 2 - 7)]),
        turns=np.array([0.0, 0.0, np.pi / 2]),
    )
    many = outlines.rim()[0].shape[1]
    borne = np.stack([np.full(many, worth, np.float32) for worth in (0.98, 0.97, 0.9)])
    plain = np.full((HAND[1], HAND[0], 3), 90, np.uint8)
    assert sorted(card.index for card in choose(plain, outlines, borne)) == [0, 1]


def test_one_place_is_told_once_though_an_outline_in_between_was_like_two() -> None:
    def wide(width: float) -> list[tuple[float, float]]:
        return [(0, 0), (width, 0), (width, 100), (0, 100)]

    # The third takes the place of the first, which it is like, and is nearly the same as the second.
    quads = np.array([wide(62), wide(104), wide(103)], np.float64)
    assert apart(quads, np.ones(3), alike=0.6) == [2]
    assert apart(quads[:2], np.ones(2), alike=0.6) == [0, 1], "or there is nothing in between"
