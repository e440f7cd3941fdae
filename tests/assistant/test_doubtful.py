"""One piece that may be of two kinds is one piece: misnamed, it is one thing misread, not two."""

from dataclasses import replace
from math import log

import pytest

from assistant.counting import LastSeen, judged_pieces, strayed
from assistant.events import read_zone, write_zone
from assistant.record.sights import slim
from tests.assistant.table import yu
from vision.marks import Mark
from vision.observation import CountSighting, DoubtfulPiece, Sight, ZoneSighting
from vision.pieces import doubtful
from vision.table import PieceCount, PieceKind, ZoneId, ZoneView

SUPPLY = yu().layout.zone(ZoneId("supply"))
CLAY, RED = PieceKind("clay"), PieceKind("red")
LIKE_CLAY = DoubtfulPiece(((CLAY, 0.87), (RED, 0.13)))
BEFORE = ZoneSighting(
    zone=SUPPLY.id,
    sight=Sight.SEEN,
    pieces=(CountSighting(CLAY, ((1, 1.0),)), CountSighting(RED, ((0, 1.0),))),
)
CAME = ZoneSighting(
    zone=SUPPLY.id,
    sight=Sight.SEEN,
    pieces=(CountSighting(CLAY, ((2, 0.87), (1, 0.13))), CountSighting(RED, ((0, 0.87), (1, 0.13)))),
    doubtful=(LIKE_CLAY,),
)


def heap(clay: int, red: int) -> ZoneView:
    return ZoneView(zone=SUPPLY.id, pieces=(PieceCount(CLAY, clay), PieceCount(RED, red)))


@pytest.mark.parametrize("last", [None, LastSeen(heap(1, 0), BEFORE)])
def test_a_red_piece_that_looks_like_clay_is_one_thing_misread(last: LastSeen | None) -> None:
    assert sum(judged_pieces(SUPPLY, CAME, heap(1, 1), last=last)) == pytest.approx(log(0.87 / 0.13))
    assert sum(judged_pieces(SUPPLY, replace(CAME, doubtful=()), heap(1, 1), last=last)) > 3.5


def test_a_piece_that_nobody_took_is_no_other_one_misnamed() -> None:
    """Clay that came although nothing gives any: no name of that one piece makes it go away."""
    last = LastSeen(heap(1, 0), BEFORE)
    with_names = sum(judged_pieces(SUPPLY, CAME, heap(1, 0), last=last))
    assert with_names == sum(judged_pieces(SUPPLY, replace(CAME, doubtful=()), heap(1, 0), last=last))


def test_a_piece_that_only_changed_its_name_has_not_moved() -> None:
    believed_red = LastSeen(heap(1, 0), BEFORE)
    assert strayed(CAME, heap(1, 1), believed_red) == {}
    moved = strayed(replace(CAME, doubtful=()), heap(1, 1), believed_red)
    assert moved == pytest.approx({CLAY: 0.87, RED: -0.87})


def test_marks_of_several_kinds_at_one_point_are_one_doubtful_piece_in_the_mean_of_all_looks() -> None:
    x, y = SUPPLY.rect.centre
    first = [Mark(CLAY, x, y, 0.9, is_share=True), Mark(RED, x, y, 0.1, is_share=True)]
    second = [Mark(CLAY, x, y, 0.7, is_share=True), Mark(RED, x, y, 0.3, is_share=True)]
    sure = Mark(CLAY, x + 0.05, y, 0.99)
    (piece,) = doubtful(SUPPLY, [[*first, sure], [*second, sure]])
    assert dict(piece.kinds) == pytest.approx({CLAY: 0.8, RED: 0.2})
    assert doubtful(SUPPLY, [[sure]]) == ()


def test_a_slight_doubt_about_a_name_is_enough_for_one_misreading() -> None:
    """Clay that was called a Red Worker at 0.95, and Clay at 0.012, was told as a Red Worker too many."""
    x, y = SUPPLY.rect.centre
    marks = [Mark(RED, x, y, 0.95, is_share=True), Mark(CLAY, x, y, 0.012, is_share=True)]
    seen = replace(
        CAME,
        pieces=(CountSighting(CLAY, ((0, 0.988), (1, 0.012))), CountSighting(RED, ((1, 0.95), (0, 0.05)))),
        doubtful=doubtful(SUPPLY, [marks]),
    )
    before = replace(BEFORE, pieces=(CountSighting(CLAY, ((0, 1.0),)), CountSighting(RED, ((0, 1.0),))))
    misnamed = sum(judged_pieces(SUPPLY, seen, heap(1, 0), last=LastSeen(heap(0, 0), before)))
    assert misnamed == pytest.approx(log(0.95 / 0.012))
    two = sum(
        judged_pieces(SUPPLY, replace(seen, doubtful=()), heap(1, 0), last=LastSeen(heap(0, 0), before))
    )
    assert two > misnamed + 3


def test_a_record_keeps_which_pieces_were_in_doubt() -> None:
    assert read_zone(write_zone(slim(CAME))) == CAME
    written = write_zone(CAME)
    del written["doubtful"]
    assert read_zone(written).doubtful == (), "records from before have none"


def test_in_the_box_a_name_in_doubt_does_not_explain_what_left_it() -> None:
    """So many pieces are in doubt there that one of them could always be the one that is missed."""
    box = yu().layout.zone(ZoneId("main"))
    before = replace(BEFORE, zone=box.id, pieces=(count(CLAY, 20), count(RED, 15)))
    after = replace(before, pieces=(count(CLAY, 20), count(RED, 14)), doubtful=(LIKE_CLAY,))
    view = ZoneView(zone=box.id, pieces=(PieceCount(CLAY, 20), PieceCount(RED, 15)))
    last = LastSeen(view, before)
    named = judged_pieces(box, after, view, last=last)
    assert named == judged_pieces(box, replace(after, doubtful=()), view, last=last)
    assert max(named) > 1.0


def count(kind: PieceKind, number: int) -> CountSighting:
    return CountSighting(kind, ((number, 1.0),))
