"""Small print is cut out of the camera's own picture, where that is at hand."""

import cv2
import numpy as np
import pytest

from vision.blend import blended_cards
from vision.cards import CardKind
from vision.cuts import NUMBER_PX, NUMBER_WINDOW, Original, cut_number
from vision.frame import BgrImage
from vision.observation import CardReading, CardSighting

SIZE = 24.0


def picture() -> BgrImage:
    """Soft patches: every place looks different, and half a pixel aside looks nearly the same."""
    coarse = np.random.default_rng(4).uniform(40, 215, (20, 30, 3)).astype(np.float32)
    return cv2.resize(coarse, (300, 200), interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8)


def part(image: BgrImage, x: int, y: int) -> Original:
    """The card is what lies right of x and below y."""
    return Original(image, lambda points: points - 0.5 + (x, y))


def test_a_window_of_the_original_shows_what_the_card_shows() -> None:
    image = picture()
    card = image[30:, 50:]
    one = cut_number(card, 80.0, 60.0, SIZE).astype(int)
    other = cut_number(part(image, 50, 30), 80.0, 60.0, SIZE).astype(int)
    assert np.abs(one - other).mean() < 1.5


def test_a_window_at_the_edge_of_a_card_shows_what_lies_beyond() -> None:
    """Corners are found a little off: a card cut out too small would end in the middle of its stone."""
    image = picture()
    beyond = cut_number(part(image[:, :], 50, 30), 0.0, 60.0, SIZE)
    whole = cut_number(image, 50.0, 90.0, SIZE)
    assert np.abs(beyond.astype(int) - whole).mean() < 1.5


def test_a_card_seen_from_a_little_aside_has_its_small_print_there_too() -> None:
    image = picture()
    size, x, y = 0.97, 4.0, -3.0
    way = np.array([(size, 0, x), (0, size, y)])
    aside = cv2.warpAffine(image, way, (300, 200), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    one = cut_number(np.asarray(aside, np.uint8), 120.0, 90.0, SIZE).astype(int)
    other = cut_number(part(image, 0, 0).moved(size, x, y), 120.0, 90.0, SIZE).astype(int)
    assert np.abs(one - other).mean() < 1.5


def test_of_a_near_camera_all_pixels_count_and_not_one_here_and_there() -> None:
    """Fine stripes are grey from afar; every third pixel alone would be black or white."""
    stripes = np.zeros((300, 300, 3), np.uint8)
    stripes[:, ::2] = 255
    side = 4 * NUMBER_PX / NUMBER_WINDOW
    window = cut_number(part(stripes, 0, 0), 150.0, 150.0, side)
    assert window.shape == (NUMBER_PX, NUMBER_PX, 3)
    assert 100 < window.min() <= window.max() < 155


@pytest.mark.parametrize(
    ("earlier", "later", "told"), [((12, 0.9), (17, 0.4), 12), ((12, 0.3), (17, 0.4), 17)]
)
def test_of_several_looks_at_a_calm_card_the_surest_number_stays(
    earlier: tuple[int, float], later: tuple[int, float], told: int
) -> None:
    first, second = (
        CardSighting(
            guesses=(),
            reading=CardReading(kind=CardKind("canal"), kind_p=1.0, fields=(), stone=number, stone_p=p),
        )
        for number, p in (earlier, later)
    )
    (both,) = blended_cards((first,), (second,), 1)
    assert both.reading is not None
    assert both.reading.stone == told
