"""Cards of any game are known again from one picture each: copies, turned, partly covered; strangers not."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.strewn import Strewn, card_picture, marked, off_by, photograph, save
from vision import enrolled_index, enrolled_kept
from vision.cards import CardId
from vision.enrolled import Gallery
from vision.enrolled_decide import PictureSighting
from vision.enrolled_features import find_features, find_many_features, hash_of
from vision.enrolled_index import FeatureIndex, Neighbourhoods
from vision.enrolled_kept import FEATURES_FILE, learn_all

SEEDS = range(40, 52)
RED, BLUE = (40, 40, 200), (200, 150, 30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    for seed in SEEDS:
        save(card_picture(seed), folder / f"card-{seed}.png")
    twin = card_picture(SEEDS[0])
    save(marked(twin, RED, "round"), folder / "twin-red.png")
    save(marked(twin, BLUE, "square"), folder / "twin-blue.png")
    return folder


@pytest.fixture(scope="module")
def gallery(folder: Path) -> Gallery:
    return Gallery.of_images(folder, {CardId(path.stem): path.name for path in sorted(folder.glob("*.png"))})


def laid(seed: int, x: float, y: float, turn: float, **more: float) -> Strewn:
    return Strewn(picture=card_picture(seed), centre=(x, y), turn_deg=turn, **more)


def at(card: Strewn, found: tuple[PictureSighting, ...]) -> PictureSighting:
    best = min(found, key=lambda sighting: float(np.abs(np.array(sighting.corners) - card.quad).max()))
    assert off_by(best.corners, card.quad) < 8
    return best


def test_turned_and_leaning_cards_are_known_and_told_which_way_up(gallery: Gallery) -> None:
    cards = {
        "card-41": laid(41, 200, 250, 35, lean=0.12),
        "card-43": laid(43, 550, 300, 180, width=170),
        "card-44": laid(44, 900, 500, -80, lean=-0.1),
    }
    found = gallery.find(photograph(list(cards.values())))
    for name, card in cards.items():
        sighting = at(card, found)
        assert sighting.guesses[0][0] == name
        assert sighting.guesses[0][1] > 0.9
        assert np.abs(np.array(sighting.corners) - card.quad).max() < 8, "the same corner comes first"
    assert len(found) == 3


def test_several_copies_of_one_card_are_all_found(gallery: Gallery) -> None:
    copies = [
        laid(45, 200, 220, 10),
        laid(45, 600, 260, -60),
        laid(45, 950, 600, 150),
        laid(45, 500, 650, 95),
    ]
    found = gallery.find(photograph(copies))
    assert [at(copy, found).guesses[0][0] for copy in copies] == ["card-45"] * 4
    assert len(found) == 4


def test_a_card_half_covered_by_another_is_still_known(gallery: Gallery) -> None:
    below, above = laid(46, 500, 400, 5, width=200), laid(47, 600, 420, 12, width=200)
    found = gallery.find(photograph([below, above]))
    assert at(below, found).guesses[0][0] == "card-46"
    assert at(above, found).guesses[0][0] == "card-47"
    assert at(below, found).agreement < at(above, found).agreement


def test_a_stranger_is_not_called_known(gallery: Gallery) -> None:
    strangers = [laid(seed, 200 + 200 * k, 300, 11 * k) for k, seed in enumerate(range(900, 905))]
    assert gallery.find(photograph(strangers)) == ()


def test_a_stranger_that_shares_a_figure_or_a_pattern_is_not_called_known(tmp_path: Path) -> None:
    """Rings in other colours, the same robe below another hat: each was taken for the enrolled one once."""
    for seed in (2, 177, 181, 217, 272):
        save(card_picture(seed), tmp_path / f"card-{seed}.png")
    like = Gallery.of_images(tmp_path, {CardId(path.stem): path.name for path in tmp_path.glob("*.png")})
    strangers = [laid(seed, 180 + 280 * k, 400, 12 * k) for k, seed in enumerate((5012, 5019, 5260, 5264))]
    assert [sighting for sighting in like.find(photograph(strangers)) if sighting.guesses[0][1] > 0.5] == []


@pytest.mark.parametrize(("stranger", "enrolled"), [(5010, 81), (5238, 51)])
def test_a_stranger_with_the_same_drawing_in_other_colours_is_not_called_known(
    stranger: int, enrolled: int, tmp_path: Path
) -> None:
    """The same figure in other clothes: where its lines fit and its colours do not, it is another card."""
    save(card_picture(enrolled), tmp_path / "known.png")
    gallery = Gallery.of_images(tmp_path, {CardId("known"): "known.png"})
    for turn in (0.0, 35.0, 147.0):
        found = gallery.find(photograph([laid(stranger, 600, 450, turn, width=360)]))
        assert all(sighting.guesses[0][1] < 0.5 for sighting in found)
    own = gallery.find(photograph([laid(enrolled, 600, 450, 35.0, width=360)]))
    assert own[0].guesses[0][1] > 0.9


@pytest.mark.parametrize(
    ("colour", "shape", "name"), [(RED, "round", "twin-red"), (BLUE, "square", "twin-blue")]
)
def test_of_cards_that_share_their_picture_the_print_decides(
    gallery: Gallery, colour: tuple[int, int, int], shape: str, name: str
) -> None:
    card = Strewn(
        picture=marked(card_picture(SEEDS[0]), colour, shape), centre=(600, 450), turn_deg=25, width=190
    )
    sighting = at(card, gallery.find(photograph([card])))
    assert sighting.guesses[0][0] == name
    assert sighting.guesses[0][1] > 0.6


def test_an_empty_gallery_finds_nothing(tmp_path: Path) -> None:
    assert Gallery.of_images(tmp_path, {}).find(photograph([laid(41, 600, 400, 0)])) == ()


def test_features_are_kept_and_made_anew_only_where_a_picture_changed(tmp_path: Path) -> None:
    images = {CardId(f"card-{seed}"): f"card-{seed}.png" for seed in (41, 42)}
    for seed in (41, 42):
        save(card_picture(seed), tmp_path / f"card-{seed}.png")
    first = learn_all(tmp_path, images).cards
    kept = (tmp_path / FEATURES_FILE).stat().st_mtime_ns
    again = learn_all(tmp_path, images).cards
    assert (tmp_path / FEATURES_FILE).stat().st_mtime_ns == kept
    np.testing.assert_array_equal(first[0].descriptors, again[0].descriptors)
    save(card_picture(43), tmp_path / "card-42.png")
    changed = learn_all(tmp_path, images).cards
    assert changed[0].sha256 == first[0].sha256
    assert changed[1].sha256 != first[1].sha256
    assert len(changed[1].features) != len(first[1].features)


def test_pictures_that_nobody_wrote_to_since_are_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = {CardId("card-41"): "card-41.png"}
    save(card_picture(41), tmp_path / "card-41.png")
    learn_all(tmp_path, images)
    hashed: list[Path] = []

    def counted(path: Path) -> str:
        hashed.append(path)
        return hash_of(path)

    monkeypatch.setattr(enrolled_kept, "hash_of", counted)
    learn_all(tmp_path, images)
    assert hashed == []
    save(card_picture(41), tmp_path / "card-41.png")  # the same picture, but who knows
    os.utime(tmp_path / "card-41.png", ns=(1, 1))
    learn_all(tmp_path, images)
    learn_all(tmp_path, images)
    assert hashed == [tmp_path / "card-41.png"]


def test_features_kept_before_times_were_noted_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = {CardId("card-41"): "card-41.png"}
    save(card_picture(41), tmp_path / "card-41.png")
    learn_all(tmp_path, images)
    with np.load(tmp_path / FEATURES_FILE) as file:
        older = {key: file[key] for key in file.files if key != "stamps"}
    np.savez(tmp_path / FEATURES_FILE, **older)

    def refused(card: CardId, path: Path) -> None:
        pytest.fail(f"{card} was learnt again from {path.name}")

    monkeypatch.setattr(enrolled_kept, "learn", refused)
    assert [card.id for card in learn_all(tmp_path, images).cards] == ["card-41"]


def test_cards_that_left_the_pack_are_forgotten_and_the_others_found_as_before(tmp_path: Path) -> None:
    images = {CardId(f"card-{seed}"): f"card-{seed}.png" for seed in (41, 42, 43)}
    for seed in (41, 42, 43):
        save(card_picture(seed), tmp_path / f"card-{seed}.png")
    learn_all(tmp_path, images)
    del images[CardId("card-42")]
    left = learn_all(tmp_path, images)
    assert [card.id for card in left.cards] == ["card-41", "card-43"]
    assert left.near.fits(sum(len(card.features) for card in left.cards))
    assert [card.id for card in learn_all(tmp_path, images).cards] == ["card-41", "card-43"]
    found = Gallery.of_images(tmp_path, images).find(
        photograph([laid(41, 300, 400, 10), laid(43, 900, 400, 70)])
    )
    assert {sighting.guesses[0][0] for sighting in found} == {"card-41", "card-43"}


def test_the_neighbourhoods_of_many_features_are_not_looked_for_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrolled_index, "_SMALL", 200)
    monkeypatch.setattr(enrolled_index, "_NEIGHBOURHOODS", 16)
    images = {CardId(f"card-{seed}"): f"card-{seed}.png" for seed in (41, 42, 43)}
    for seed in (41, 42, 43):
        save(card_picture(seed), tmp_path / f"card-{seed}.png")
    first = learn_all(tmp_path, images)
    monkeypatch.setattr(enrolled_index, "_centres", None)
    again = learn_all(tmp_path, images)
    assert len(again.near.centres) == 16
    np.testing.assert_array_equal(first.near.centres, again.near.centres)
    np.testing.assert_array_equal(first.near.homes, again.near.homes)


@pytest.mark.parametrize(
    ("centres", "homes"),
    [(0, [0] * 7000), (192, [192] * 7000), (192, [0] * 6999), (11, [0] * 7000)],
    ids=["none", "a home that is none", "too few homes", "too few centres"],
)
def test_neighbourhoods_that_a_stranger_made_up_are_refused(centres: int, homes: list[int]) -> None:
    made_up = Neighbourhoods(centres=np.zeros((centres, 128), np.float32), homes=np.array(homes, np.uint8))
    assert not made_up.fits(7000)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_a_damaged_file_of_features_is_made_anew(tmp_path: Path, content: bytes) -> None:
    save(card_picture(41), tmp_path / "a.png")
    (tmp_path / FEATURES_FILE).write_bytes(content)
    (card,) = learn_all(tmp_path, {CardId("a"): "a.png"}).cards
    assert len(card.features) > 20


def test_the_index_finds_what_a_full_comparison_finds() -> None:
    rng = np.random.default_rng(3)
    known = rng.standard_normal((7000, 128)).astype(np.float32)
    known /= np.linalg.norm(known, axis=1, keepdims=True)
    seen = known[::70] + rng.standard_normal((100, 128)).astype(np.float32) * 0.02
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    rows, columns, alike = FeatureIndex(known).nearest(seen, 3, 0.8)
    assert rows.tolist() == list(range(100))
    assert columns.tolist() == list(range(0, 7000, 70))
    assert alike.min() > 0.9


@pytest.mark.parametrize("known", [900, 7000], ids=["all compared", "by neighbourhoods"])
def test_the_index_gives_the_nearest_features_and_no_more_than_asked(known: int) -> None:
    rng = np.random.default_rng(5)
    features = np.abs(rng.normal(0, 1, (known, 128))).astype(np.float32) ** 3
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    seen = features[:40] + rng.normal(0, 0.01, (40, 128)).astype(np.float32)
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    rows, columns, alike = FeatureIndex(features).nearest(seen, 3, 0.2)
    assert np.bincount(rows, minlength=40).max() == 3
    first = [int(columns[rows == row][alike[rows == row].argmax()]) for row in range(40)]
    assert first == list(range(40))


def test_features_kept_as_bytes_are_found_as_well_as_the_numbers_they_stand_for() -> None:
    rng = np.random.default_rng(9)
    known = rng.integers(0, 90, (7000, 128)).astype(np.uint8)
    seen = known[::70].astype(np.float32) / np.float32(512)
    as_bytes = FeatureIndex(known, unit=512.0).nearest(seen, 3, 0.2)
    as_numbers = FeatureIndex(known.astype(np.float32) / np.float32(512)).nearest(seen, 3, 0.2)
    np.testing.assert_array_equal(as_bytes[0], as_numbers[0])
    np.testing.assert_array_equal(as_bytes[1], as_numbers[1])
    np.testing.assert_allclose(as_bytes[2], as_numbers[2], rtol=1e-6)


def test_looking_in_rounds_misses_nothing_that_looking_everywhere_at_once_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    around = rng.standard_normal((40, 128))
    vectors = (around[rng.integers(0, 40, 9000)] + 0.6 * rng.standard_normal((9000, 128))).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index = FeatureIndex(vectors[:8000])
    rounds = index.nearest(vectors[8000:], 12, 0.5)
    monkeypatch.setattr(enrolled_index, "_ROUNDS", (0, enrolled_index._PROBED))
    at_once = index.nearest(vectors[8000:], 12, 0.5)
    assert len(rounds[0]) > 9000
    # Two that are alike to the last digit may come in either order: processors round sums differently.
    assert set(zip(rounds[0], rounds[1], strict=True)) == set(zip(at_once[0], at_once[1], strict=True))
    np.testing.assert_array_equal(rounds[0], at_once[0])
    np.testing.assert_allclose(rounds[2], at_once[2], atol=1e-6)


def test_a_large_picture_has_the_same_features_part_by_part() -> None:
    cards = [laid(k, 130 + 190 * k, 300 + 90 * (k % 2), 40 * k) for k in range(5)]
    photo = photograph(cards, (1000, 700))
    gray = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    (whole, _), (parts, _) = find_features(gray, 6000), find_many_features(gray, 6000)
    assert len(whole) > 500
    nearest = np.array([np.abs(parts.places - place).max(axis=1).min() for place in whole.places])
    assert (nearest < 0.1).mean() > 0.98
    assert abs(len(parts) - len(whole)) < 0.02 * len(whole)


def test_of_a_picture_with_too_many_features_the_strongest_of_all_parts_are_taken() -> None:
    gray = np.random.default_rng(3).integers(0, 120, (700, 1000), dtype=np.uint8)
    gray[:350, :500] += 120
    gray[350:, 500:] //= 8
    found, descriptors = find_many_features(gray, 300)
    assert (len(found), descriptors.shape) == (300, (300, 128))
    faint = (found.places > (500, 350)).all(axis=1)
    assert faint.sum() < 20


def test_a_picture_made_smaller_once_serves_to_find_and_to_name(gallery: Gallery) -> None:
    card = laid(45, 700, 600, 20, width=600)
    photo = photograph([card], (1900, 1400))
    small = gallery.smaller(photo)
    assert gallery.find(small) == gallery.find(photo) != ()
    outline = tuple((float(x), float(y)) for x, y in card.quad)
    assert gallery.name(small, [outline]) == gallery.name(photo, [outline]) != [None]
