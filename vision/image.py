"""Pictures from files: bounded in bytes and pixels before anything is decoded, upright, blue first."""

import struct
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.bounded import read_bounded
from vision.errors import VisionError
from vision.frame import BgrImage

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_JPEG = b"\xff\xd8\xff"
_REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
"""How OpenCV is asked for a picture so many times smaller."""
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class ImageError(VisionError):
    """A picture that cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    most_bytes: int = 64 * 1024 * 1024
    most_pixels: int = 64_000_000
    fewest_side: int = 8
    """Pictures smaller than this on a side show nothing."""


LIMITS = ImageLimits()


def load_image(path: Path, limits: ImageLimits = LIMITS) -> BgrImage:
    """The picture in a file, turned upright as its camera noted."""
    return decode_image(read_picture(path, limits), path.name, limits)


def read_picture(path: Path, limits: ImageLimits = LIMITS) -> bytes:
    """The bytes of a file that may be a picture: `decode_image` says whether it is one."""
    try:
        return read_bounded(path, limits.most_bytes)
    except OSError as error:
        raise ImageError(f"cannot open the picture {path.name}: {error.strerror or error}.") from error


def decode_image(data: bytes, name: str, limits: ImageLimits = LIMITS) -> BgrImage:
    """The picture in these bytes; `name` is what messages call it."""
    return _decoded(data, name, limits, cv2.IMREAD_COLOR)


def decode_smaller(
    data: bytes, name: str, fewest_side: int, limits: ImageLimits = LIMITS
) -> tuple[BgrImage, int]:
    """The picture so many times smaller, a power of two, that no side has fewer pixels than asked for.

    Only a JPEG becomes smaller, which is then unpacked in half the time. Others stay as they are.
    """
    size = _jpeg_size(data) if data.startswith(_JPEG) else None
    steps = [
        step
        for step in _REDUCED
        if size is not None and all(side % step == 0 and side >= step * fewest_side for side in size)
    ]
    step = max(steps, default=1)
    return _decoded(data, name, limits, _REDUCED.get(step, cv2.IMREAD_COLOR)), step


def _decoded(data: bytes, name: str, limits: ImageLimits, how: int) -> BgrImage:
    if len(data) > limits.most_bytes:
        raise ImageError(
            f"{name} is larger than {limits.most_bytes // 2**20} MB: save the picture smaller and try again."
        )
    width, height = _checked_size(data, name, limits)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:
        image = None
    if image is None:
        raise ImageError(
            f"{name} is damaged: its header promises {width} × {height} pixels, none can be read."
        )
    return np.asarray(image, np.uint8)


def encode_jpeg(image: BgrImage, *, most_width: int = 1280, quality: int = 80) -> bytes:
    """The picture as JPEG bytes, made smaller where it is wider than `most_width`."""
    height, width = image.shape[:2]
    if width > most_width:
        size = (most_width, max(1, round(height * most_width / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def image_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header says, without decoding; None where the format is not one we read."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _unpacked(">II", data, 16)
    if data.startswith(_JPEG):
        return _jpeg_size(data)
    if data.startswith(b"BM"):
        size = _unpacked("<ii", data, 18)
        return (abs(size[0]), abs(size[1])) if size else None
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp_size(data)
    return None


def _checked_size(data: bytes, name: str, limits: ImageLimits) -> tuple[int, int]:
    if not data:
        raise ImageError(f"{name} is empty: expected a JPEG, PNG, WebP or BMP picture.")
    size = image_size(data)
    if size is None:
        raise ImageError(f"{name} is not a picture we can read: expected JPEG, PNG, WebP or BMP.")
    width, height = size
    if width * height > limits.most_pixels:
        raise ImageError(
            f"{name} has {width} × {height} pixels, more than {limits.most_pixels // 1_000_000} million: "
            "save it smaller and try again."
        )
    if min(width, height) < limits.fewest_side:
        raise ImageError(f"{name} has only {width} × {height} pixels: too small to show anything.")
    return width, height


def _unpacked(form: str, data: bytes, offset: int) -> tuple[int, int] | None:
    if len(data) < offset + struct.calcsize(form):
        return None
    first, second = struct.unpack_from(form, data, offset)
    return int(first), int(second)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walks the segments to the start of frame; a thumbnail inside EXIF must not be mistaken for it."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker in _START_OF_FRAME:
            size = _unpacked(">HH", data, at + 5)
            return (size[1], size[0]) if size else None
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if length < 2:
            return None
        at += 2 + length
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None
