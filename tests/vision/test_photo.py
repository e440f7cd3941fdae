"""A photograph is read: enrolled cards by name, strangers as such, and a reader's word is taken."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.vision.strewn import Strewn, card_picture, off_by, photograph, save
from vision import locate
from vision.cards import CardId, CardKind, ItemKind
from vision.draw import Words, draw_found, save_picture
from vision.enrolled import Gallery
from vision.frame import BgrImage
from vision.image import ImageError, load_image
from vision.locate import CardQuad
from vision.observation import CardReading, FieldReading, ItemReading
from vision.photo import PhotoError, read_photo
from vision.photo_cards import Named, Opinion

FOLK = CardKind("townsfolk")
WORDS = Words(unknown="unknown card", back="back")


class Reader:
    """Takes everything for a card on which wood and a white Worker are printed."""

    hangings = ()

    def __init__(self, *, back: bool = False) -> None:
        self.back = back

    def look(self, cuts: Sequence[BgrImage]) -> list[Opinion]:
        front = 0.0 if self.back else 0.98
        return [
            Opinion(front=front, back=0.98 - front, kind=FOLK, kind_p=0.98, upside_down=0.0) for _ in cuts
        ]

    def read(
        self, cuts: Sequence[BgrImage], kinds: Sequence[CardKind], also: Sequence[Mapping[CardId, float]]
    ) -> list[Named]:
        items = tuple(ItemReading(ItemKind(kind), 1, None, 0.9) for kind in ("wood", "white"))
        reading = CardReading(
            kind=FOLK, kind_p=1, fields=(FieldReading(name="brown", items=items),), stone=7, stone_p=0.9
        )
        best = [max(more, key=lambda card: more[card]) if more else None for more in also]
        return [
            Named(reading=reading, guesses=((card, 0.9), (None, 0.1)))
            for _, _, card in zip(cuts, kinds, best, strict=True)
        ]


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Gallery:
    folder = tmp_path_factory.mktemp("pack")
    for seed in (41, 43):
        save(card_picture(seed), folder / f"card-{seed}.png")
    return Gallery.of_images(folder, {CardId(f"card-{seed}"): f"card-{seed}.png" for seed in (41, 43)})


KNOWN = Strewn(picture=card_picture(41), centre=(300, 400), turn_deg=12, width=190)
STRANGER = Strewn(picture=card_picture(905), centre=(850, 450), turn_deg=-15, width=190)


def test_without_a_reader_enrolled_cards_are_named_and_others_are_unknown(gallery: Gallery) -> None:
    first, second = read_photo(photograph([KNOWN, STRANGER]), gallery=gallery)
    assert (first.guesses[0][0], first.known) == ("card-41", True)
    assert off_by(first.quad.corners, KNOWN.quad) < 6
    assert (second.guesses, second.known) == ((), False)
    assert off_by(second.quad.corners, STRANGER.quad) < 8


def test_neighbours_are_looked_for_only_where_known_cards_leave_edges_over(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger half below a known card has its rim in view; a known card alone leaves nothing to find."""
    looked: list[CardQuad] = []

    def noted(_: BgrImage, seed: CardQuad) -> list[CardQuad]:
        looked.append(seed)
        return []

    monkeypatch.setattr(locate, "_in_plane_of", noted)
    read_photo(photograph([KNOWN]), gallery=gallery)
    assert looked == []
    below = Strewn(picture=card_picture(905), centre=(390, 420), turn_deg=20, width=190)
    read_photo(photograph([below, KNOWN]), gallery=gallery)
    assert looked


def plain_card(sky: tuple[int, int, int], ground: tuple[int, int, int]) -> BgrImage:
    """A card on which nothing is printed but two even colours."""
    card = np.full((310, 200, 3), (226, 236, 240), np.uint8)
    card[8:120, 8:-8], card[120:-8, 8:-8] = sky, ground
    return card


def test_a_card_too_plain_for_features_is_named_by_what_its_outline_holds(tmp_path: Path) -> None:
    red, blue, green = (60, 60, 190), (190, 120, 60), (70, 170, 80)
    for name, colours in (("red", (red, green)), ("blue", (blue, green))):
        save(plain_card(*colours), tmp_path / f"{name}.png")
    gallery = Gallery.of_images(tmp_path, {CardId(name): f"{name}.png" for name in ("red", "blue")})
    laid = [
        Strewn(picture=plain_card(blue, green), centre=(300, 400), turn_deg=200, width=190),
        Strewn(picture=plain_card((40, 200, 220), (160, 60, 160)), centre=(850, 450), turn_deg=10, width=190),
    ]
    known, stranger = read_photo(photograph(laid), gallery=gallery)
    assert known.guesses[0][0] == "blue"
    assert known.known
    assert not stranger.known


def test_a_gallery_may_be_opened_while_outlines_are_looked_for(gallery: Gallery) -> None:
    photo = photograph([KNOWN, STRANGER])
    assert read_photo(photo, gallery=lambda: gallery) == read_photo(photo, gallery=gallery)


def test_a_gallery_that_cannot_be_opened_says_so() -> None:
    def damaged() -> Gallery:
        raise ImageError("card-41.png is damaged")

    with pytest.raises(ImageError, match=r"card-41\.png is damaged"):
        read_photo(photograph([KNOWN]), gallery=damaged)


def test_a_readers_word_is_joined_with_the_picture(gallery: Gallery) -> None:
    first, second = read_photo(photograph([KNOWN, STRANGER]), gallery=gallery, eyes=Reader())
    assert first.reading is not None
    assert first.reading.stone == 7
    assert (first.guesses[0][0], first.known) == ("card-41", True)
    assert (second.guesses[0][0], second.known) == (None, False)


def test_backs_are_not_read() -> None:
    cards = read_photo(photograph([STRANGER]), eyes=Reader(back=True))
    assert [(card.back, card.reading) for card in cards] == [(True, None)]


@pytest.mark.parametrize(
    ("image", "words"),
    [
        (np.zeros((600, 800, 3), np.uint8), "black"),
        (np.full((600, 800, 3), 128, np.uint8), "one even colour"),
        (np.full((60, 800, 3), 128, np.uint8), "at least 120 pixels"),
    ],
)
def test_a_picture_that_shows_nothing_is_refused_in_one_sentence(image: BgrImage, words: str) -> None:
    with pytest.raises(PhotoError, match=words):
        read_photo(image)


def test_an_annotated_picture_can_be_saved_and_differs_where_the_cards_are(
    gallery: Gallery, tmp_path: Path
) -> None:
    image = photograph([KNOWN, STRANGER])
    drawn = draw_found(image, read_photo(image, gallery=gallery, eyes=Reader()), WORDS)
    save_picture(tmp_path / "out.png", drawn)
    assert load_image(tmp_path / "out.png").shape == drawn.shape
    step = drawn.shape[1] / image.shape[1]
    x, y = (KNOWN.quad[1] * step).round().astype(int)
    green = drawn[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3).astype(int)
    assert (np.abs(green - (115, 127, 47)).sum(axis=1) < 30).any(), "a known card has a jade outline"


def test_a_picture_cannot_be_saved_under_a_strange_name(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"\.png"):
        save_picture(tmp_path / "out.txt", photograph([]))
    with pytest.raises(ImageError, match="cannot write"):
        save_picture(tmp_path / "none" / "out.png", photograph([]))
