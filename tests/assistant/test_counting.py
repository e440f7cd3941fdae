"""The box of spare pieces: nobody counts it, but what leaves it can be told."""

from dataclasses import replace

import pytest

from assistant.counting import CAP, LastSeen, judged_pieces
from tests.assistant.table import Table, yu
from vision.observation import CountSighting, Sight, ZoneSighting
from vision.table import PieceCount, PieceKind, TableView, ZoneId, ZoneView

MAIN = yu().layout.zone(ZoneId("main"))
WHITE = PieceKind("white")


def box(number: int) -> ZoneView:
    return ZoneView(zone=MAIN.id, pieces=(PieceCount(WHITE, number), PieceCount(PieceKind("clay"), 30)))


def counted(*counts: tuple[int, float]) -> ZoneSighting:
    return ZoneSighting(zone=MAIN.id, sight=Sight.SEEN, pieces=(CountSighting(WHITE, counts),))


def white_penalty(number: int, sighting: ZoneSighting, last: LastSeen | None) -> float:
    return judged_pieces(MAIN, sighting, box(number), last=last)[MAIN.pieces.index(WHITE)]


def test_a_heap_that_is_always_miscounted_is_judged_by_what_left_it() -> None:
    last = LastSeen(box(9), counted((6, 0.7), (7, 0.3)))
    fewer = counted((5, 0.7), (6, 0.3))
    assert white_penalty(8, fewer, last) == pytest.approx(0.0, abs=0.1)
    assert white_penalty(9, fewer, last) > 1.0
    assert white_penalty(8, fewer, None) >= CAP, "by its count alone neither number would do"


def test_a_count_that_flickers_by_half_a_piece_decides_nothing() -> None:
    last = LastSeen(box(9), counted((6, 0.7), (7, 0.3)))
    flicker = counted((6, 0.8), (5, 0.2))
    assert white_penalty(9, flicker, last) == pytest.approx(white_penalty(8, flicker, last), abs=0.1)


Offsets = tuple[tuple[int, float], ...]
MISCOUNTED: Offsets = ((-2, 0.9), (-1, 0.1))
ONE_LESS: Offsets = ((-3, 0.9), (-2, 0.1))
DOUBTFUL: Offsets = ((0, 0.96), (-1, 0.04))
"""How the White pieces are counted, relative to what lies there."""


def look(table: Table, view: TableView, **white: Offsets) -> None:
    table.at += 1.0
    table.index += 1
    seen = table.eye.look(view, table.index, table.at)
    zones = tuple(
        _with_white(sighting, white[sighting.zone]) if sighting.zone in white else sighting
        for sighting in seen.zones
    )
    table.session.observe(replace(seen, zones=zones))


def _with_white(sighting: ZoneSighting, offsets: Offsets) -> ZoneSighting:
    pieces = tuple(
        replace(count, counts=tuple((count.counts[0][0] + by, p) for by, p in offsets))
        if count.kind == WHITE
        else count
        for count in sighting.pieces
    )
    return replace(sighting, pieces=pieces)


@pytest.mark.parametrize(("box_seen", "rules"), [(ONE_LESS, ["Y-G9"]), (MISCOUNTED, [])])
def test_a_piece_too_many_was_taken_if_the_box_lacks_it_and_miscounted_if_not(
    box_seen: Offsets, rules: list[str]
) -> None:
    table = Table.after(28)
    for _ in range(3):
        look(table, table.view, main=MISCOUNTED)
    more = table.with_pieces("supply", white=1)
    for _ in range(12):
        look(table, more, supply=DOUBTFUL, main=box_seen)
    assert [shown.finding.rule for shown in table.violations()] == rules
