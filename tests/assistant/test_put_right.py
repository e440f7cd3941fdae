"""Rules broken on purpose and put right again: the game is recorded as it was played, mistakes and all."""

from dataclasses import replace

import pytest

from assistant.attention import Attention
from assistant.evidence import Evidence, zones_of
from assistant.mistaken import put_right
from assistant.reconstruct import Line, Step, StepKind
from tests.assistant.careless import Careless
from tests.assistant.observations import patched
from tests.assistant.table import SCRIPT, Table
from tests.assistant.test_counting import PHANTOM, look
from vision.observation import CountSighting, ZoneSighting
from vision.table import PieceKind, TableView, ZoneId


@pytest.mark.parametrize("seed", [5, 6, 44])
def test_what_was_read_before_a_mistake_is_not_told_otherwise_when_it_is_put_right(seed: int) -> None:
    table = Careless(seed)
    table.play(90)
    assert len(table.slips) >= 5, "too few mistakes to show anything: another seed is needed"
    assert table.missed() == []
    assert all(table.slips)


def test_a_tucked_card_taken_back_after_other_moves_is_a_broken_rule_and_not_another_game() -> None:
    """Telling the last moves without the tuck would explain the table too, but the tuck was seen."""
    table = Table.after(23)
    moves = ["recruit 1", "tuck fan-bearer-blue-draw 1", "recruit 2", "play flute-player-clay-red"]
    for notation in moves:
        table.do(notation)
        table.look()
    tucked = table.view[ZoneId("tuck-1")]
    hand = table.view[ZoneId("hand")]
    taken = [replace(tucked, cards=()), replace(hand, cards=(*hand.cards, *tucked.cards))]
    table.wait(patched(table.view, taken), seconds=8)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-A3"]
    table.wait(seconds=3)
    assert table.recorded() == moves


def test_a_mistake_is_put_right_though_a_heap_is_miscounted_from_then_on() -> None:
    table = Table.after(28)
    table.wait(seconds=2)
    row = ZoneId("row-3")
    bare = patched(table.view, [replace(table.view[row], cards=())])
    wrong = patched(
        bare,
        [replace(bare[ZoneId("discard")], cards=(*bare[ZoneId("discard")].cards, *table.view[row].cards))],
    )
    table.wait(wrong, seconds=8)
    accused = [shown.finding.rule for shown in table.violations()]
    assert accused
    for _ in range(3):
        look(table, table.view, supply=PHANTOM)
    assert [shown.fate.value for shown in table.violations()] == ["mended"]
    assert table.session.state == table.state


def test_of_zones_left_aside_only_those_count_again_that_a_broken_rule_explains() -> None:
    """Else a heap that was miscounted beside it would be a second broken rule a second later."""
    table = Table.after(28)
    seen = table.eye.look(table.with_pieces("supply", white=2), 1, 1.0)
    attention = Attention(table.game.layout)
    attention.leave_aside([zone for zone in seen.zones if zone.zone in ("supply", "row-3")], table.view, 1.0)
    attention.judge_all(attention.evidence(seen, with_fresh=True), table.view)
    assert {zone: aside.judged for zone, aside in attention.aside.items()} == {"supply": True}


def test_a_mistake_is_put_right_though_moves_were_made_meanwhile() -> None:
    table = Table.after(25)
    table.wait(seconds=2)
    table.wait(_flood_moved(table), seconds=8)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-G5"]
    moves = ["recruit 2", "play flute-player-clay-red", "play drummer-red-red"]
    for notation in moves:
        table.do(notation)
        table.wait(_flood_moved(table), seconds=2)
    table.wait(seconds=3)
    assert [shown.fate.value for shown in table.violations()] == ["mended"]
    assert table.recorded() == moves
    assert table.session.state == table.state


def test_who_puts_a_mistake_right_may_have_done_nothing_of_a_step_that_was_told_with_it() -> None:
    """A card in the hand is not seen while another one is played and nothing taken for it: so both seem to be
    played. Then the one lies in the hand again."""
    table = Table.after(25)
    game = table.game
    before = Line(None, None, table.state, table.view, 0.0)
    table.do("play flute-player-clay-red")
    played = Line(
        before, Step(kind=StepKind.ACTION, action=game.parse("play flute-player-clay-red")),
        table.state, table.view, 2.0,
    )  # fmt: skip
    slip = next(slip for slip in game.watch.mistakes(table.state) if slip.rule == "Y-A1")
    wrong = Line(played, Step(kind=StepKind.MISTAKE, mistake=slip), slip.state, game.view(slip.state), 6.0)
    evidence = Evidence(table.eye.look(before.view, 1, 1.0), zones_of(game.layout))
    wrong.penalty = evidence.total(wrong.view)
    assert before.state in [line.state for line in put_right(game, wrong, 0, evidence, (before,))]
    table.do("play drummer-red-red")
    drummer = Step(kind=StepKind.ACTION, action=game.parse("play drummer-red-red"))
    legal = Line(played, drummer, table.state, table.view, 4.0)
    legal.penalty = evidence.total(legal.view)
    assert put_right(game, legal, 0, evidence, (before,)) == [], "no rule was broken last"


def test_a_rule_may_be_put_right_though_that_alone_explains_no_more() -> None:
    """A brick was called a Red Worker, and that was told as a broken rule. When a true one was paid and the
    brick was read right, the box was still counted as before: the game went on with one Red too many."""
    table = Table.after(28)
    game = table.game
    before = Line(None, None, table.state, table.view, 0.0)
    box = ZoneId("main")
    slips = (slip for slip in game.watch.mistakes(table.state) if slip.rule == "Y-G9")
    slip = next(slip for slip in slips if game.view(slip.state)[box] != table.view[box])
    wrong = Line(before, Step(kind=StepKind.MISTAKE, mistake=slip), slip.state, game.view(slip.state), 4.0)
    seen = table.eye.look(patched(table.view, [wrong.view[box]]), 1, 1.0)
    seen = replace(seen, zones=tuple(zone for zone in seen.zones if zone.zone != "supply"))
    evidence = Evidence(seen, zones_of(game.layout))
    wrong.penalty = evidence.total(wrong.view)
    assert wrong.penalty < evidence.total(before.view), "putting it right explains less"
    assert [line.state for line in put_right(game, wrong, 0, evidence)] == [table.state]


def _flood_moved(table: Table) -> TableView:
    first, second = (table.view[ZoneId(f"river-{n}")] for n in (0, 1))
    flood = tuple(piece for piece in first.pieces if piece.kind == "flood")
    rest = tuple(piece for piece in first.pieces if piece.kind != "flood")
    return patched(
        table.view, [replace(first, pieces=rest), replace(second, pieces=(*second.pieces, *flood))]
    )


def test_a_broken_rule_that_explains_much_is_told_though_a_heap_is_miscounted_just_then() -> None:
    """A Farm is built, part of its price is not paid, and a Black Worker seems to lie where none is."""
    table = Table.after(len(SCRIPT) - 1)
    table.wait(seconds=3)
    slips = (slip for slip in table.game.watch.mistakes(table.state) if slip.rule == "Y-A9")
    unpaid = table.game.view(next(slips).state)
    for _ in range(9):
        table.at, table.index = table.at + 1, table.index + 1
        seen = table.eye.look(unpaid, table.index, table.at)
        table.session.observe(replace(seen, zones=tuple(map(_with_phantom, seen.zones))))
    assert [shown.finding.rule for shown in table.violations()] == ["Y-A9"]


def _with_phantom(sighting: ZoneSighting) -> ZoneSighting:
    phantom = CountSighting(PieceKind("black"), ((1, 0.98), (0, 0.02)))
    pieces = (phantom if count.kind == phantom.kind else count for count in sighting.pieces)
    return replace(sighting, pieces=tuple(pieces)) if sighting.zone == "supply" else sighting
