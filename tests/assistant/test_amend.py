"""The player's word on an earlier move: later moves stand where they can, and the rest is derived again."""

import pytest

from assistant.events import Corrected, Told, Word, decode_event, encode_event
from assistant.games.yu import KIT
from assistant.refused import RefusedError
from assistant.robot import Robot
from assistant.session import Session
from tests.assistant.table import SCRIPT, Table
from tests.assistant.test_reconstruct import look_with
from vision.cards import CardId
from vision.table import PieceKind, PlacedCard, ZoneId, ZoneView, counted

WRONG = [("fisher-blue-blue", 0.95), ("elder-yellow-draw", 0.05)]
RIGHT = "elder-yellow-draw"


def misread() -> Table:
    """Row space 4 was misread, and the game went on for a harvest."""
    table = Table.after(34)
    table.do("reveal 7 axeman-red-black-blue", f"reveal 4 {RIGHT}")
    look_with(table, "row-4", WRONG)
    table.do(*SCRIPT[36:41])
    look_with(table, "row-4", WRONG)
    assert "reveal 4 fisher-blue-blue" in table.recorded()
    return table


def in_row_4(card: str) -> ZoneView:
    return ZoneView(zone=ZoneId("row-4"), cards=(PlacedCard(CardId(card)),))


def test_a_card_renamed_after_an_earlier_move_is_renamed_from_the_first_moment_on() -> None:
    table = misread()
    moves = len(table.recorded())
    table.session.correct_at(3, in_row_4(RIGHT))
    assert table.recorded()[1] == f"reveal 4 {RIGHT}"
    assert len(table.recorded()) == moves, "nothing that came later is lost"
    assert table.session.state == table.state
    look_with(table, "row-4", WRONG)
    assert table.session.state == table.state, "the card is misread where it still lies"
    assert table.violations() == []


def test_pieces_put_right_after_an_earlier_move_stay_right_through_all_later_moves() -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.look()
    table.do("tuck fan-bearer-blue-draw 1")
    table.look()
    known = table.game.view(table.session.state_after(1))[ZoneId("supply")]
    more = {piece.kind: piece.count for piece in known.pieces} | {PieceKind("wood"): 3}
    table.session.correct_at(1, ZoneView(zone=known.zone, pieces=counted(more)))
    assert table.recorded() == ["recruit 1", "= table", "tuck fan-bearer-blue-draw 1"]
    supply = table.game.view(table.session.state_after(3))[ZoneId("supply")]
    assert {piece.kind: piece.count for piece in supply.pieces}[PieceKind("wood")] == 3


def test_a_move_that_was_another_one_is_replaced_and_later_ones_stand() -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.look()
    table.do("tuck fan-bearer-blue-draw 1")
    table.look()
    assert table.session.instead(1, "dismiss 1") is None
    assert table.recorded()[:2] == ["dismiss 1", "tuck fan-bearer-blue-draw 1"]


def test_a_move_that_did_not_happen_is_taken_out_and_what_followed_is_derived_again() -> None:
    table = Table.after(14)
    table.do("draw fan-bearer-blue-draw")
    table.look()
    table.do("draw flute-player-clay-red")
    table.look()
    table.session.instead(1, "")
    assert table.recorded() == ["draw flute-player-clay-red", "draw fan-bearer-blue-draw"]
    assert table.session.snapshot().view == table.view, "both cards lie there, so both were drawn"


def test_what_cannot_stand_any_more_is_thought_over_with_what_was_seen_since() -> None:
    table = Table.after(14)
    for notation in SCRIPT[14:18]:
        table.do(notation)
        table.look()
    assert table.recorded() == list(SCRIPT[14:18])
    wrong = "drummer-red-red"
    table.session.instead(1, f"draw {wrong}")
    assert f"draw {wrong}" in table.recorded(), "the player's word stands"
    assert len(table.recorded()) >= 4, "all four cards that lie there are still drawn"
    hand = {placed.card for placed in table.session.snapshot().view[ZoneId("hand")].cards}
    assert {CardId(wrong), CardId("flute-player-clay-red")} <= hand


def test_a_word_that_the_rules_forbid_there_changes_nothing_and_says_why() -> None:
    table = misread()
    before = table.recorded()
    assert table.session.instead(2, "canal with white white") is not None
    assert table.recorded() == before
    for move in (-1, 99):
        with pytest.raises(RefusedError, match=r"session\.no-such-move"):
            table.session.correct_at(move, in_row_4(RIGHT))
    with pytest.raises(RefusedError, match=r"session\.no-beginning"):
        table.session.instead(0, "")


def test_the_same_words_give_the_same_game_again() -> None:
    table = misread()
    table.session.correct_at(3, in_row_4(RIGHT))
    table.session.instead(2, f"reveal 4 {RIGHT}")
    events = [decode_event(encode_event(event)) for event in table.events]
    replayed = Session.replay(table.game, "yu", events, **table.settings)
    assert [line.state for line in replayed.path] == [line.state for line in table.session.path]


def test_words_about_the_past_are_written_and_read_back() -> None:
    for event in (
        Corrected(at=1.0, told=in_row_4(RIGHT), after=3),
        Corrected(at=1.0, told=in_row_4(RIGHT)),
        Told(at=2.0, word=Word.INSTEAD, argument="2 recruit 1"),
    ):
        assert decode_event(encode_event(event)) == event
    assert "after" not in encode_event(Corrected(at=1.0, told=in_row_4(RIGHT))), "as records had it before"


def test_a_robots_game_is_mended_at_an_earlier_move_and_goes_on() -> None:
    robot = Robot(KIT, seed=3, pace=0.0, clock=lambda: 0.0)
    robot.skip(40)
    log = robot.snapshot().log
    lying = {card.card for zone in robot.snapshot().view.zones for card in zone.cards}
    townsfolk = robot.game.layout.zone(ZoneId("row-1")).cards[0]
    told = " ".join(line.notation for line in log)
    unseen = (card.id for card in robot.game.pack.of_kind(townsfolk) if card.id not in lying)
    free = next(card for card in unseen if card not in told)
    robot.correct_at(1, ZoneView(zone=ZoneId("row-1"), cards=(PlacedCard(free),)))
    stands = [line.notation for line in robot.snapshot().log]
    assert stands[0] == f"reveal 1 {free}"
    assert stands[1:] == [line.notation for line in log[1 : len(stands)]], "up to a move that needs the card"
    assert len(stands) > 15
    with pytest.raises(RefusedError):
        robot.instead(1, "end")
    robot.instead(len(stands), "")
    assert len(robot.snapshot().log) == len(stands) - 1
    robot.skip(5)
    assert len(robot.snapshot().log) == len(stands) + 4
