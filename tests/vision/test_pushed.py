"""A source whose pictures are pushed in: the newest wins, rubbish is refused, silence is noticed."""

import struct

import cv2
import numpy as np
import pytest

from vision.feed import Health
from vision.pushed import LARGEST_SIDE, PushedSource, jpeg_size


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def jpeg(shade: int = 90, size: tuple[int, int] = (120, 160)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), shade, np.uint8))[1].tobytes()


def claiming(width: int, height: int) -> bytes:
    """A JPEG whose header claims another size."""
    data = jpeg()
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def test_the_newest_picture_wins_and_is_read_once() -> None:
    source = PushedSource()
    assert source.offer(jpeg(30))
    assert source.offer(jpeg(200))
    frame = source.read()
    assert frame is not None
    assert (frame.index, round(float(frame.image.mean()), -1)) == (1, 200)
    assert source.read() is None
    assert source.state().dropped == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8",
        b"not a picture",
        jpeg()[:40],
        b"\xff\xd8" + b"\xff" * 50,
        b"\xff\xd8\xff\xe0\0\0" * 9,
    ],
)
def test_rubbish_is_refused(data: bytes) -> None:
    source = PushedSource()
    assert not source.offer(data)
    assert source.read() is None


def test_a_picture_that_claims_to_be_huge_is_refused_before_it_is_opened() -> None:
    assert jpeg_size(claiming(60_000, 60_000)) == (60_000, 60_000)
    assert not PushedSource().offer(claiming(60_000, 60_000))
    assert not PushedSource().offer(claiming(LARGEST_SIDE + 1, 100))


def test_the_size_is_read_from_the_header() -> None:
    assert jpeg_size(jpeg(size=(120, 160))) == (160, 120)


def test_silence_is_noticed_and_passes() -> None:
    clock = Clock()
    source = PushedSource(clock=clock)
    assert (source.state().health, source.state().key) == (Health.LOST, "source.no-phone")
    for _ in range(5):
        clock.now += 0.1
        source.offer(jpeg())
    assert source.state().health is Health.LIVE
    assert source.state().fps == pytest.approx(10, rel=0.01)
    clock.now += 3
    assert source.state().health is Health.STALE
    clock.now += 10
    assert (source.state().health, source.state().key) == (Health.LOST, "source.phone-gone")
    source.offer(jpeg())
    assert source.state().health is Health.LIVE


def test_after_closing_nothing_is_taken_any_more() -> None:
    with PushedSource() as source:
        assert source.offer(jpeg())
    assert not source.offer(jpeg())
    assert source.state().health is Health.ENDED
