"""The box of spare pieces: nobody counts it, but what leaves it can be told."""

from dataclasses import replace

import pytest

from assistant.counting import CAP, LastSeen, judged_pieces, understood, worst_of
from assistant.evidence import CONTRADICTED, Evidence, zones_of
from assistant.findings import wanted_findings
from assistant.tracker import Tracker
from tests.assistant.observations import patched
from tests.assistant.table import SCRIPT, Table, yu
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


SUPPLY = yu().layout.zone(ZoneId("supply"))


def few_penalty(number: int, seen: ZoneSighting, last: LastSeen | None) -> float:
    view = ZoneView(zone=SUPPLY.id, pieces=(PieceCount(WHITE, number),))
    return judged_pieces(SUPPLY, seen, view, last=last)[SUPPLY.pieces.index(WHITE)]


def three_white(*counts: tuple[int, float]) -> LastSeen:
    view = ZoneView(zone=SUPPLY.id, pieces=(PieceCount(WHITE, 3),))
    return LastSeen(view, replace(counted(*counts), zone=SUPPLY.id))


def test_half_a_piece_that_came_is_not_held_against_the_belief_that_it_came() -> None:
    """A Blue Worker half seen since it was taken: a Black one was told in its place (12000/1)."""
    sure, half = counted((3, 0.99), (4, 0.01)), replace(counted((3, 0.6), (4, 0.4)), zone=SUPPLY.id)
    before = three_white((3, 0.99), (4, 0.01))
    since = understood(before.view, half, before)
    assert few_penalty(4, half, since) < 0.5
    assert few_penalty(3, half, since) == few_penalty(3, half, before) == 0.0
    assert few_penalty(4, half, LastSeen(before.view, half)) > 2.0, "taken for a whim of the eye"
    assert few_penalty(4, sure, since) > 2.0, "what is sure again is right"


def test_what_was_miscounted_before_is_understood_as_it_looks_now() -> None:
    doubtful = three_white((3, 0.6), (2, 0.4))
    now = replace(counted((3, 0.9), (2, 0.1)), zone=SUPPLY.id)
    assert understood(doubtful.view, now, doubtful) == LastSeen(doubtful.view, now)


def test_a_piece_that_was_never_seen_says_less_than_one_that_is_seen_no_more() -> None:
    hidden = counted((2, 0.95), (3, 0.05))
    always = few_penalty(3, hidden, three_white((2, 0.95), (3, 0.05)))
    just_now = few_penalty(3, hidden, three_white((3, 0.95), (2, 0.05)))
    assert always < 1.0 < few_penalty(3, hidden, None) < just_now


def test_a_heap_that_is_counted_right_again_is_right_whatever_it_looked_like_before() -> None:
    assert few_penalty(3, counted((3, 0.97), (2, 0.03)), three_white((1, 0.9), (2, 0.1))) == 0.0


def test_a_count_that_doubts_how_many_there_are_still_tells_that_one_has_gone() -> None:
    doubtful = ((4, 0.38), (3, 0.34), (5, 0.2), (2, 0.08))
    fewer = counted(*((number - 1, p) for number, p in doubtful))
    last = three_white(*doubtful)
    assert few_penalty(2, fewer, last) < 0.5
    assert few_penalty(3, fewer, last) > 2.5
    assert few_penalty(3, counted(*doubtful), last) < 0.5, "and that none has"
    assert few_penalty(2, counted(*doubtful), last) > 2.5


def test_a_piece_that_comes_out_from_under_another_one_contradicts_nothing() -> None:
    """Two went and only one seems to have gone."""
    doubtful = ((2, 0.43), (3, 0.38), (4, 0.15), (1, 0.04))
    fewer = counted(*((number - 1, p) for number, p in doubtful))
    view = ZoneView(zone=SUPPLY.id, pieces=(PieceCount(WHITE, 1),))
    parts = judged_pieces(SUPPLY, fewer, view, last=three_white(*doubtful))
    assert worst_of(SUPPLY, parts) < CONTRADICTED


def test_a_count_that_never_agreed_with_what_is_believed_does_not_outweigh_what_is_seen() -> None:
    last = three_white((2, 1.0))
    assert few_penalty(1, counted((1, 1.0)), last) == 0.0


@pytest.mark.parametrize(("there", "now"), [(4, 3), (3, 4)], ids=["overlooked", "made up"])
def test_where_pieces_lie_flat_a_count_without_a_doubt_is_hard_to_explain_away(there: int, now: int) -> None:
    """Standing pieces hide each other, so a count of them is too low more often, but never too high."""
    last, seen = three_white((3, 1.0)), counted((now, 1.0))
    expected = ZoneView(zone=SUPPLY.id, pieces=(PieceCount(WHITE, there),))
    standing, flat = (
        judged_pieces(replace(SUPPLY, flat=flat), seen, expected, last=last)[SUPPLY.pieces.index(WHITE)]
        for flat in (False, True)
    )
    assert flat >= CAP
    assert (standing >= CAP) == (now > there)


def test_where_pieces_lie_flat_a_doubtful_count_is_as_easily_wrong_as_elsewhere() -> None:
    last, seen = three_white((3, 1.0)), counted((3, 0.9), (4, 0.1))
    four = ZoneView(zone=SUPPLY.id, pieces=(PieceCount(WHITE, 4),))
    assert judged_pieces(replace(SUPPLY, flat=True), seen, four, last=last) == judged_pieces(
        SUPPLY, seen, four, last=last
    )


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
    table = Table(state=Table.after(28).state)
    for _ in range(3):
        look(table, table.view, main=MISCOUNTED)
    more = table.with_pieces("supply", white=1)
    for _ in range(12):
        look(table, more, supply=DOUBTFUL, main=box_seen)
    assert [shown.finding.rule for shown in table.violations()] == rules


MAY_BE_ANY: Offsets = ((-1, 0.38), (-2, 0.29), (0, 0.21), (-3, 0.12))
WITHOUT_DOUBT: Offsets = ((0, 1.0),)
FAIRLY_SURE: Offsets = ((0, 0.95), (-1, 0.05))


PERHAPS_ONE_MORE: Offsets = ((0, 0.79), (1, 0.21))


@pytest.mark.parametrize(
    ("before", "supply"),
    [(WITHOUT_DOUBT, WITHOUT_DOUBT), (WITHOUT_DOUBT, FAIRLY_SURE), (PERHAPS_ONE_MORE, WITHOUT_DOUBT)],
)
def test_a_piece_that_surely_came_is_told_though_the_box_cannot_tell_that_it_left(
    before: Offsets, supply: Offsets
) -> None:
    table = Table(state=Table.after(28).state)
    for _ in range(3):
        look(table, table.view, supply=before, main=MAY_BE_ANY)
    more = table.with_pieces("supply", white=1)
    for _ in range(9):
        look(table, more, supply=supply, main=MAY_BE_ANY)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G9"]


def test_a_box_that_is_sure_of_its_number_is_right_whatever_it_seemed_to_hold_before() -> None:
    wrong_before = LastSeen(box(7), counted((8, 1.0)))
    assert white_penalty(8, counted((8, 1.0)), wrong_before) == 0.0
    assert white_penalty(6, counted((8, 1.0)), wrong_before) > 2.0


PHANTOM: Offsets = ((1, 0.98), (2, 0.02))
UNSURE: Offsets = ((0, 0.7), (1, 0.15), (-1, 0.15))


def test_a_piece_that_is_miscounted_all_the_time_delays_no_move() -> None:
    table = Table.after(23)
    for _ in range(12):
        look(table, table.view, supply=PHANTOM)
    for notation in ("recruit 1", "play drummer-red-red", "use 1 with red"):
        table.do(notation)
        look(table, table.view, supply=PHANTOM)
        assert table.recorded()[-1] == notation
    assert table.violations() == []


def test_a_gain_is_missed_in_a_heap_that_is_miscounted() -> None:
    """A heap left aside as misread still tells that nothing was put there."""
    table = Table.after(26)
    look(table, table.view)
    table.do("play flute-player-clay-red")
    for _ in range(3):
        look(table, table.view, supply=PHANTOM)
    before = table.view
    table.do("play drummer-red-red")
    supply = (before[ZoneId("supply")], before[ZoneId("main")])
    for _ in range(8):
        look(table, patched(table.view, supply), supply=PHANTOM)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-A1"]


def test_a_piece_too_many_is_named_though_every_count_is_in_doubt_and_withdrawn_when_it_is_put_back() -> None:
    table = Table.after(28)
    for _ in range(3):
        look(table, table.view, supply=UNSURE)
    more = table.with_pieces("main", table.with_pieces("supply", white=1), white=-1)
    for _ in range(7):
        look(table, more, supply=UNSURE)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G9"]
    for _ in range(7):
        look(table, table.view, supply=UNSURE)
    assert [shown.fate.value for shown in table.violations()] == ["mended"]


BARELY: Offsets = ((0, 0.55), (-1, 0.45))


def test_what_only_seems_to_have_moved_accuses_nobody_right_after_a_hand_left() -> None:
    table = Table.after(28)
    for _ in range(3):
        look(table, table.view, supply=BARELY)
    more = table.with_pieces("main", table.with_pieces("supply", white=1), white=-1)
    for _ in range(3):
        look(table, more, supply=BARELY)
    for _ in range(6):
        table.look(more, calm=False)
    for _ in range(3):
        look(table, more, supply=BARELY)
        assert table.violations() == []
    for _ in range(3):
        look(table, more, supply=BARELY)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G9"]


LIKELY: Offsets = ((0, 0.77), (-1, 0.23))
HALF: Offsets = ((-1, 0.52), (0, 0.48))
SURE: Offsets = ((0, 1.0),)
FEWER: Offsets = ((0, 0.95), (1, 0.05))
ANYTHING: Offsets = ((0, 0.22), (1, 0.2), (-1, 0.2), (2, 0.13), (-2, 0.13), (3, 0.06), (-3, 0.06))


@pytest.mark.parametrize(
    ("seen", "box_seen", "rules"),
    [(LIKELY, FEWER, ["Y-G9"]), (HALF, FEWER, ["Y-G9"]), (HALF, ANYTHING, [])],
    ids=["likely", "half seen", "half seen, and the box may hold anything"],
)
def test_a_piece_half_seen_was_taken_if_the_box_is_sure_to_have_lost_it(
    seen: Offsets, box_seen: Offsets, rules: list[str]
) -> None:
    table = Table.after(28)
    before = box_seen if box_seen is ANYTHING else SURE
    for _ in range(3):
        look(table, table.view, supply=SURE, main=before)
    more = table.with_pieces("main", table.with_pieces("supply", white=1), white=-1)
    for _ in range(8):
        look(table, more, supply=seen, main=box_seen)
    assert [shown.finding.rule for shown in table.violations()] == rules


def test_what_left_the_box_a_while_ago_speaks_for_a_piece_that_turns_up_later() -> None:
    table = Table(state=Table.after(28).state)
    for _ in range(3):
        look(table, table.view, main=MISCOUNTED)
    for _ in range(3):
        look(table, table.view, main=ONE_LESS)
    more = table.with_pieces("supply", white=1)
    for _ in range(8):
        look(table, more, supply=DOUBTFUL, main=ONE_LESS)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G9"]


IN_TWO_MINDS: Offsets = ((0, 0.35), (-1, 0.65))


def test_a_box_that_was_miscounted_once_still_tells_what_leaves_it_now() -> None:
    """A count that was in doubt at first, and is not any more: no whole number of pieces came by that."""
    table = Table(state=Table.after(28).state)
    for _ in range(3):
        look(table, table.view, main=IN_TWO_MINDS)
    for _ in range(3):
        look(table, table.view, main=((0, 1.0),))
    more = table.with_pieces("supply", white=1)
    for _ in range(9):
        look(table, more, supply=DOUBTFUL, main=((-1, 1.0),))
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G9"]


HARDLY_SEEN: Offsets = ((-1, 0.78), (0, 0.21), (1, 0.01))


def test_a_piece_too_many_is_named_though_another_one_is_overlooked() -> None:
    """A piece that was gained since the heap was counted last is not seen either: no reason to be silent."""
    before, table = Table.after(18), Table.after(19)
    counted_last = before.eye.look(before.view, 1, 1.0)
    last = {
        sighting.zone: LastSeen(before.view[sighting.zone], sighting)
        for sighting in counted_last.zones
        if sighting.zone in (MAIN.id, SUPPLY.id)
    }
    more = table.with_pieces("main", table.with_pieces("supply", blue=1), blue=-1)
    seen = table.eye.look(more, 2, 9.0)
    zones = tuple(_with_white(one, HARDLY_SEEN) if one.zone == SUPPLY.id else one for one in seen.zones)
    evidence = Evidence(replace(seen, zones=zones), zones_of(yu().layout), last=last)
    tracker = Tracker(yu(), table.state)
    tracker.weigh(evidence)
    assert tracker.explain_mistake(evidence)
    assert [finding.rule for _, finding in wanted_findings(yu(), tracker.best)][:1] == ["Y-G9"]


def test_whole_moves_are_believed_though_the_next_one_seems_half_done() -> None:
    """A Provision that is not seen looks like one that was already paid for the next card."""
    table = Table.after(20)
    unseen = table.view[ZoneId("supply")]
    told = list(SCRIPT[20:22])
    table.do(*told)
    for _ in range(3):
        look(table, patched(table.view, [unseen]))
    assert table.recorded() == told


def test_a_heap_or_place_is_called_bare_only_while_the_game_is_understood_and_nothing_lies_there() -> None:
    """The eye learns from it what of the table looks like pieces or cards."""
    table = Table()
    table.look()
    assert table.session.bare == frozenset(), "before the game everything may lie anywhere"
    table = Table.after(13)
    for_cards = {ZoneId(zone) for zone in ("exhausted", "discard", "barbarian-discard", "hand", "story")}
    assert table.session.bare == {SUPPLY.id, *for_cards}
    table.look(calm=False)
    assert table.session.bare == frozenset()
    table.do("collect")
    table.look()
    assert table.recorded() == ["collect"]
    assert table.session.bare == for_cards
