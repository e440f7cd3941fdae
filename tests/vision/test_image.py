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

from vision.image import ImageError, ImageLimits, decode_image, image_size, load_image


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
