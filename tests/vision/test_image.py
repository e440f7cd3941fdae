"""Pictures from files, good and hostile."""

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.image import ImageError, ImageLimits, decode_image, decode_smaller, image_size, load_image


def encoded(suffix: str, width: int = 40, height: int = 24) -> bytes:
    rng = np.random.default_rng(1)
    good, data = cv2.imencode(suffix, rng.integers(0, 255, (height, width, 3), dtype=np.uint8))
    assert good
    return data.tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_a_picture_is_read_and_its_size_known_without_decoding(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"card{suffix}"
    path.write_bytes(encoded(suffix))
    assert load_image(path).shape == (24, 40, 3)
    assert image_size(path.read_bytes()) == (40, 24)


@pytest.mark.parametrize(
    ("size", "fewest", "step"),
    [((160, 96), 48, 2), ((160, 96), 24, 4), ((160, 96), 49, 1), ((160, 90), 24, 2), ((161, 96), 24, 1)],
    ids=["half", "a quarter", "too small by one", "a quarter is not whole", "half is not whole"],
)
def test_a_photograph_is_unpacked_smaller_but_no_smaller_than_asked(
    size: tuple[int, int], fewest: int, step: int
) -> None:
    image, told = decode_smaller(encoded(".jpg", *size), "photo.jpg", fewest)
    assert told == step
    assert image.shape == (size[1] // step, size[0] // step, 3)


def test_a_place_in_the_smaller_photograph_is_the_same_place_in_the_whole() -> None:
    whole = np.zeros((240, 320, 3), np.uint8)
    whole[80:160, 200:240] = 255
    image, step = decode_smaller(cv2.imencode(".jpg", whole)[1].tobytes(), "photo.jpg", 60)
    assert step == 4
    assert np.argwhere(image[..., 0] > 127).min(axis=0).tolist() == [20, 50]
    assert np.argwhere(image[..., 0] > 127).max(axis=0).tolist() == [39, 59]


def test_other_pictures_than_photographs_are_unpacked_as_they_are() -> None:
    image, step = decode_smaller(encoded(".png", 160, 96), "card.png", 24)
    assert (image.shape, step) == ((96, 160, 3), 1)


def test_a_damaged_photograph_is_one_sentence_at_any_size() -> None:
    with pytest.raises(ImageError, match="is damaged: its header promises 160 × 96"):
        decode_smaller(encoded(".jpg", 160, 96)[:180], "photo.jpg", 24)


def test_a_text_file_called_jpg_is_refused_with_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("buy milk\n")
    with pytest.raises(ImageError, match=r"^notes\.jpg is not a picture we can read: expected JPEG, PNG"):
        load_image(path)


def test_a_small_file_that_promises_a_huge_picture_is_not_decoded() -> None:
    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + b"IHDR"
        + header
        + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    )
    with pytest.raises(ImageError, match="60000 × 60000 pixels, more than 64 million"):
        decode_image(bomb, "bomb.png")


def test_a_file_of_too_many_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.jpg"
    path.write_bytes(encoded(".jpg") + bytes(2 * 2**20))
    with pytest.raises(ImageError, match="larger than 1 MB"):
        load_image(path, ImageLimits(most_bytes=2**20))


def test_a_tiny_picture_is_refused() -> None:
    with pytest.raises(ImageError, match="only 4 × 24 pixels"):
        decode_image(encoded(".png", width=4), "dot.png")


def test_a_picture_cut_off_after_its_header_is_called_damaged() -> None:
    with pytest.raises(ImageError, match="damaged"):
        decode_image(encoded(".png")[:60], "half.png")


def test_a_missing_picture_a_folder_and_a_pipe_are_refused_without_hanging(tmp_path: Path) -> None:
    (tmp_path / "folder.jpg").mkdir()
    os.mkfifo(tmp_path / "pipe.jpg")
    for name in ("nothing.jpg", "folder.jpg", "pipe.jpg"):
        with pytest.raises(ImageError, match=name):
            load_image(tmp_path / name)


def test_a_photograph_taken_sideways_is_turned_upright() -> None:
    jpeg = encoded(".jpg", width=40, height=24)
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0)  # orientation 6: turn a quarter to the right
    tiff = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 1) + entry + struct.pack("<I", 0)
    segment = b"Exif\0\0" + tiff
    turned = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:]
    assert decode_image(turned, "phone.jpg").shape == (40, 24, 3)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([".jpg", ".png", ".webp", ".bmp"]), st.data())
def test_damaged_bytes_give_a_picture_or_an_image_error(suffix: str, data: st.DataObject) -> None:
    raw = bytearray(encoded(suffix))
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(raw)))
    try:
        image = decode_image(bytes(raw[:end]), "damaged", ImageLimits(most_pixels=1_000_000))
    except ImageError:
        return
    assert image.ndim == 3
