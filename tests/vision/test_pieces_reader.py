"""Counting pieces from marks: doubts add up, heaps keep what lies in them, one place holds one piece."""

import pytest

from vision.networks import Networks
from vision.pieces import Mark, PieceReader
from vision.table import PieceKind, Rect, Zone, ZoneId, ZoneKind

RED, BLUE = PieceKind("red"), PieceKind("blue")


@pytest.fixture(scope="module")
def reader() -> PieceReader:
    return PieceReader(Networks())


def zone(kind: ZoneKind) -> Zone:
    return Zone(id=ZoneId("here"), kind=kind, rect=Rect(0.4, 0.4, 0.5, 0.5), pieces=(RED, BLUE))


def test_sure_marks_are_counted(reader: PieceReader) -> None:
    marks = [Mark(RED, 0.42, 0.45, 0.99), Mark(RED, 0.47, 0.45, 0.99), Mark(BLUE, 0.45, 0.48, 0.99)]
    red, blue = reader.count(zone(ZoneKind.HEAP), marks)
    assert (red.counts[0][0], blue.counts[0][0]) == (2, 1)


def test_a_doubtful_mark_leaves_both_counts_open(reader: PieceReader) -> None:
    red, _ = reader.count(zone(ZoneKind.HEAP), [Mark(RED, 0.42, 0.45, 0.99), Mark(RED, 0.47, 0.45, 0.4)])
    shares = dict(red.counts)
    assert shares[1] == pytest.approx(0.99 * 0.6 + 0.01 * 0.4)
    assert shares[2] == pytest.approx(0.99 * 0.4)
    assert sum(shares.values()) == pytest.approx(1)


def test_what_lies_outside_a_heap_is_not_counted(reader: PieceReader) -> None:
    red, _ = reader.count(zone(ZoneKind.HEAP), [Mark(RED, 0.6, 0.45, 0.99)])
    assert red.counts[0][0] == 0


def test_two_readings_of_one_piece_are_one_piece(reader: PieceReader) -> None:
    red, blue = reader.count(zone(ZoneKind.SPOT), [Mark(RED, 0.45, 0.45, 0.9), Mark(BLUE, 0.452, 0.451, 0.5)])
    assert (red.counts[0][0], blue.counts[0][0]) == (1, 0)


def test_nothing_seen_is_surely_nothing(reader: PieceReader) -> None:
    assert [count.counts for count in reader.count(zone(ZoneKind.HEAP), [])] == [((0, 1.0),), ((0, 1.0),)]
