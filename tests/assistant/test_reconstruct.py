"""From sight to play: what was done is found out from what lies on the table, without any image."""

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from assistant.accuracy import align
from assistant.events import decode_event, encode_event
from assistant.games.yu.pieces import PIECES
from assistant.games.yu.state import Step, StepKind
from assistant.kit import Message
from assistant.reconstruct import candidates
from assistant.session import Session
from assistant.snapshot import Certainty, ZoneStatus
from assistant.virtual import visible
from tests.assistant.observations import Eye, patched
from tests.assistant.table import SCRIPT, Table, careless, played, yu
from vision.cards import CardId
from vision.observation import CardSighting, CountSighting, Guess, Look, Observation, Sight, ZoneSighting
from vision.table import PieceKind, PlacedCard, TableView, ZoneId, ZoneView

WEAVER = "weaver-white-cowrie-clay"


def test_a_single_action_is_recorded() -> None:
    table = Table.after(18)
    table.do(f"play {WEAVER}")
    table.look()
    assert table.recorded() == [f"play {WEAVER}"]
    assert table.session.state == table.state


def test_a_table_that_does_not_change_records_nothing() -> None:
    table = Table.after(18)
    table.wait(seconds=30)
    assert table.recorded() == []


def test_two_moves_at_once_are_both_found() -> None:
    table = Table.after(23)
    table.do("recruit 1", "play drummer-red-red", "use 1 with red")
    table.look()
    assert sorted(table.recorded()) == ["play drummer-red-red", "recruit 1", "use 1 with red"]
    assert table.session.state == table.state


def test_a_whole_harvest_in_one_go_is_found() -> None:
    table = Table.after(13)
    table.do(*SCRIPT[13:18])
    table.look()
    assert table.session.state == table.state


def test_the_end_of_a_round_in_one_go_is_found() -> None:
    """Actions ended, Barge back, damage taken, row refreshed: nobody looked meanwhile."""
    table = Table.after(30)
    table.do(*SCRIPT[30:37])
    table.look()
    assert table.session.state == table.state


def test_passing_over_what_the_box_cannot_pay_is_easier_to_believe_than_any_move() -> None:
    """Nothing else can be done with it; a game was told otherwise for the sake of five such Provisions."""
    state = Table.after(28).state
    provision = PIECES.index("provision")
    without = tuple(0 if piece == provision else n for piece, n in enumerate(state.main))
    owed = state.but(main=without, pending=(Step(StepKind.GAIN, provision),) * 5)
    beliefs = {yu().format(action): cost for action, cost in candidates(yu(), owed, frozenset())}
    assert beliefs["skip"] < 0.5


def test_the_set_up_is_followed_and_checked_item_by_item() -> None:
    table = Table()
    table.look(table.with_pieces("river-0", flood=-1))
    items = dict(table.session.snapshot().checklist)
    done = {message.key: right for message, right in items.items()}
    assert done["yu.setup.farms"]
    assert not done["yu.setup.flood"]
    table.do(*SCRIPT[:13])
    table.look()
    assert table.session.snapshot().round == 1
    assert table.session.state == table.state


@pytest.mark.parametrize(
    ("zone", "item"),
    [
        ("farm-home-1", "farms"),
        ("outpost-home-4", "outposts"),
        ("hut-card-2", "huts"),
        ("hut-home-3", "huts"),
        ("river-0", "flood"),
        ("river-1", "barge"),
        ("canal-3", "canal"),
        ("row-2", "row"),
        ("row-7", "barbarians"),
    ],
)
def test_what_is_missing_from_the_set_up_is_named_until_it_is_there(zone: str, item: str) -> None:
    """Though the cards say that the first round has begun: a piece too few is no reason to wait for ever."""

    def wrong() -> list[str]:
        checks = table.session.snapshot().checklist
        return [check.key for check, done in checks if check.key.startswith("yu.setup") and not done]

    table = Table()
    table.do(*SCRIPT[:13])
    table.wait(patched(table.view, [ZoneView(zone=ZoneId(zone))]), seconds=30)
    assert f"yu.setup.{item}" in wrong()
    table.wait(seconds=3)
    assert wrong() == []
    assert table.violations() == []


def test_the_set_up_waits_without_accusing_anybody() -> None:
    table = Table()
    table.wait(table.with_pieces("river-0", flood=-1))
    assert table.violations() == []
    assert table.session.snapshot().question is None


def test_hidden_zones_say_nothing_and_the_rest_is_enough() -> None:
    eye = Eye(layout=yu().layout, pack=yu().pack, blind=frozenset({ZoneId("supply"), ZoneId("exhausted")}))
    table = Table.after(23, eye=eye)
    table.do("tuck fan-bearer-blue-draw 1", "recruit 2")
    table.look()
    assert table.session.state == table.state
    statuses = {status.zone: status.certainty for status in table.session.snapshot().zones}
    assert statuses[ZoneId("supply")] is Certainty.THOUGHT
    assert statuses[ZoneId("row-3")] is Certainty.SEEN


def test_nothing_is_recorded_while_hands_are_over_the_table() -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.look(calm=False)
    assert table.recorded() == []
    table.look()
    assert table.recorded() == ["recruit 1"]


def test_what_was_told_at_a_first_look_is_thought_over_when_the_looks_are_enough() -> None:
    """One White Worker was not seen at first: the rest was told as other moves, and stayed."""
    eye = Eye(layout=yu().layout, pack=yu().pack, blind=frozenset({ZoneId("main")}))
    table = Table.after(13, eye=eye)
    table.do("collect")
    table.look(calm=False)
    table.look(table.with_pieces("supply", white=-1), looking=True, seconds=0.1)
    assert table.recorded() == ["take provision", "take cowrie"]
    doubting = replace(table.eye.look(table.view, 99, table.at + 0.1), looking=False)
    supply = next(zone for zone in doubting.zones if zone.zone == "supply")
    number = table.view[ZoneId("supply")].counts()[PieceKind("white")]
    unsure = CountSighting(PieceKind("white"), ((number - 1, 0.55), (number, 0.45)))
    pieces = tuple(unsure if count.kind == "white" else count for count in supply.pieces)
    zones = tuple(replace(z, pieces=pieces) if z is supply else z for z in doubting.zones)
    table.session.observe(replace(doubting, zones=zones))
    assert table.recorded() == ["collect"]


def half_an_attack() -> Table:
    """The Barbarian is gone and paid for, but its space is not."""
    table = Table.after(23)
    table.state = table.state.but(supply=(0, 3, 0, 3, 0, 1, 1, 4, 0), main=(10, 3, 6, 3, 6, 8, 8, 5, 12))
    table = Table(state=table.state)
    table.look()
    return table


def test_a_half_done_move_is_shown_with_what_is_missing_and_then_recorded() -> None:
    table = half_an_attack()
    before = table.view
    attack = next(a for a in yu().legal_actions(table.state) if a.verb.value == "attack")
    table.do(yu().format(attack))
    paid_only = patched(before, [table.view[ZoneId("supply")], table.view[ZoneId("main")]])
    table.look(paid_only)
    progress = table.session.snapshot().progress
    assert progress is not None
    assert progress.doing.key == "yu.say.attack"
    assert {ZoneId("row-7"), ZoneId("barbarian-discard")} <= set(progress.zones)
    assert table.recorded() == []
    table.look()
    assert table.recorded() == [yu().format(attack)]
    assert table.session.snapshot().progress is None
    assert table.violations() == []


def test_a_half_done_move_is_not_accused_within_the_grace_time() -> None:
    table = half_an_attack()
    attack = next(a for a in yu().legal_actions(table.state) if a.verb.value == "attack")
    before = table.view
    table.do(yu().format(attack))
    unpaid = patched(table.view, [before[ZoneId("supply")], before[ZoneId("main")]])
    table.wait(unpaid, seconds=3)
    assert table.violations() == []
    table.wait(unpaid, seconds=3)
    assert [shown.finding.rule for shown in table.violations()] == ["Y-A6"]


def test_taking_a_move_back_is_recognised() -> None:
    table = Table.after(23)
    before = table.state
    table.do("recruit 2")
    table.look()
    assert table.recorded() == ["recruit 2"]
    table.state = before
    table.look()
    assert table.recorded() == []
    assert table.session.state == before
    assert table.violations() == []


def test_taking_back_and_doing_something_else_is_recognised_too() -> None:
    table = Table.after(23)
    before = table.state
    table.do("recruit 2")
    table.look()
    table.state = before
    table.do("dismiss 2")
    table.look()
    assert table.recorded() == ["dismiss 2"]


def misread(observation: Observation, zone: str, guesses: Iterable[tuple[str, float]]) -> Observation:
    """The same sight with other guesses about one card."""
    sighting = CardSighting(guesses=tuple(Guess(Look.FRONT, CardId(card), p) for card, p in guesses))
    zones = tuple(
        replace(seen, cards=(sighting,)) if seen.zone == zone else seen for seen in observation.zones
    )
    return replace(observation, zones=zones)


def look_with(table: Table, zone: str, guesses: Iterable[tuple[str, float]]) -> None:
    table.at += 1
    table.index += 1
    seen = table.eye.look(table.view, table.index, table.at)
    table.session.observe(misread(seen, zone, guesses))


def test_a_wrong_identification_is_corrected_by_later_sight() -> None:
    table = Table.after(34)
    table.do("reveal 7 axeman-red-black-blue")
    look_with(table, "row-7", [("archer-2-blue-black", 0.6), ("axeman-red-black-blue", 0.4)])
    assert table.recorded() == ["reveal 7 archer-2-blue-black"]
    table.look()
    assert table.recorded() == ["reveal 7 axeman-red-black-blue"]
    assert table.session.state == table.state


def test_a_wrong_identification_is_corrected_when_the_card_moves_on() -> None:
    """Nothing of its row space is ever read right, but the pile it goes to is."""
    table = Table.after(35)
    table = Table(
        state=table.state.but(supply=(0, 0, 0, 0, 0, 2, 1, 4, 0), main=(10, 6, 6, 6, 6, 7, 8, 5, 12))
    )
    table.look()
    wrong = [("fisher-blue-blue", 0.7), ("elder-yellow-draw", 0.3)]
    for actions in (
        ["reveal 4 elder-yellow-draw"],
        ["reveal 5 basket-carrier-2-cowrie-provision", "collect"],
    ):
        table.do(*actions)
        look_with(table, "row-4", wrong)
    assert table.recorded()[0] == "reveal 4 fisher-blue-blue"
    table.do(*SCRIPT[38:42])
    look_with(table, "row-4", wrong)
    table.do("recruit 4")
    table.look()
    assert table.recorded()[0] == "reveal 4 elder-yellow-draw"
    assert table.session.state == table.state


def test_a_card_that_nobody_could_read_gets_its_name_later() -> None:
    table = Table.after(34)
    table.do("reveal 7 axeman-red-black-blue", "reveal 4 elder-yellow-draw")
    table.eye = replace(table.eye, blind=frozenset({ZoneId("row-7")}))
    table.look()
    assert table.recorded() == ["reveal 7 ?", "reveal 4 elder-yellow-draw"]
    table.eye = replace(table.eye, blind=frozenset())
    table.look()
    assert table.session.state.row == table.state.row


def test_a_held_hand_stays_unknown_until_each_card_is_used() -> None:
    eye = Eye(layout=yu().layout, pack=yu().pack, held=True)
    table = Table.after(14, eye=eye)
    table.do(*SCRIPT[14:18])
    table.look()
    assert table.recorded() == ["draw ?"] * 4
    table.do(f"play {WEAVER}")
    table.look()
    assert table.recorded()[-1] == f"play {WEAVER}"
    assert table.session.state.supply == table.state.supply
    assert len(table.session.state.hand) == 3


def test_of_a_held_hand_the_page_says_what_it_cannot_know() -> None:
    table = Table.after(14, eye=Eye(layout=yu().layout, pack=yu().pack, held=True))
    table.do(*SCRIPT[14:18])
    table.look()

    def hand() -> ZoneStatus:
        return next(status for status in table.session.snapshot().zones if status.zone == "hand")

    assert (hand().certainty, hand().why) == (Certainty.THOUGHT, Message.of("sight.held", n=4))
    table.eye = replace(table.eye, held=False)
    table.look()
    assert (hand().certainty, hand().why) == (Certainty.SEEN, None)
    table.eye = replace(table.eye, held=True)
    table.look()
    assert (hand().certainty, hand().why) == (Certainty.THOUGHT, Message.of("sight.held-known"))


def test_a_held_hand_laid_down_gets_its_names() -> None:
    table = Table.after(14, eye=Eye(layout=yu().layout, pack=yu().pack, held=True))
    table.do(*SCRIPT[14:18])
    table.look()
    table.eye = replace(table.eye, held=False)
    table.look()
    assert table.session.state.hand == table.state.hand


def test_with_only_the_cards_in_view_pieces_follow_the_rules() -> None:
    """Neither supply is in view: what must have been taken is taken."""
    blind = frozenset({ZoneId("supply"), ZoneId("main")})
    table = Table.after(13, eye=Eye(layout=yu().layout, pack=yu().pack, blind=blind))
    for notation in SCRIPT[13:34]:
        table.do(notation)
        table.look()
    assert table.session.state == table.state
    assert table.violations() == []
    supply = next(status for status in table.session.snapshot().zones if status.zone == "supply")
    assert supply.why == Message.of("sight.by-rules")


def test_where_the_player_says_so_only_heaps_are_not_looked_at() -> None:
    everything = {zone.id for zone in yu().layout.on_table().zones}
    cards = {zone.id for zone in yu().layout.cards_only().on_table().zones}
    assert everything - cards == {"supply", "main"}


def test_the_end_of_the_actions_can_be_tapped() -> None:
    table = Table.after(30)
    assert table.session.end_phase() is None
    assert table.recorded() == ["end"]


def test_a_tap_that_the_rules_forbid_says_why() -> None:
    table = Table.after(23)
    refusal = table.session.end_phase()
    assert refusal is not None
    assert refusal.rule == "Y-A1"
    assert table.recorded() == []


def test_an_action_can_be_told() -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.session.tell("recruit 1")
    table.look()
    assert table.recorded() == ["recruit 1"]
    refusal = table.session.tell("canal with white white")
    assert refusal is not None


def test_an_undone_action_is_not_believed_again_while_the_table_looks_the_same() -> None:
    table = Table.after(23)
    table.do("recruit 1")
    table.look()
    table.session.undo()
    table.look()
    assert table.recorded() != ["recruit 1"]


def test_a_correction_derives_again_what_came_after_it() -> None:
    table = Table.after(34)
    wrong = [("fisher-blue-blue", 0.95), ("elder-yellow-draw", 0.05)]
    table.do("reveal 7 axeman-red-black-blue", "reveal 4 elder-yellow-draw")
    look_with(table, "row-4", wrong)
    table.do("reveal 5 basket-carrier-2-cowrie-provision", "collect")
    look_with(table, "row-4", wrong)
    assert "reveal 4 fisher-blue-blue" in table.recorded()
    table.session.correct(ZoneView(zone=ZoneId("row-4"), cards=(PlacedCard(CardId("elder-yellow-draw")),)))
    assert "reveal 4 elder-yellow-draw" in table.recorded()
    assert "reveal 4 fisher-blue-blue" not in table.recorded()
    assert table.session.state == table.state
    look_with(table, "row-4", wrong)
    assert table.session.state == table.state, "the player's word holds as long as the card lies there"


def test_a_table_that_nothing_explains_is_asked_about_and_then_taken_as_it_lies() -> None:
    table = Table.after(23)
    odd = patched(table.view, [ZoneView(zone=ZoneId("row-2")), ZoneView(zone=ZoneId("row-5"))])
    odd = table.with_pieces("outpost-home-2", odd, outpost=-1)
    table.wait(odd, seconds=6)
    question = table.session.snapshot().question
    assert question is not None
    assert len(question.answers) >= 2
    table.wait(odd, seconds=8)
    assert table.session.snapshot().question is None
    assert table.recorded() == ["= table"]
    assert table.session.state.row[1] is None
    statuses = {status.zone: status.certainty for status in table.session.snapshot().zones}
    assert statuses[ZoneId("row-2")] is Certainty.SEEN


def test_the_game_goes_on_after_the_table_was_taken_as_it_lies() -> None:
    table = Table.after(23)
    odd = patched(table.view, [ZoneView(zone=ZoneId("row-2")), ZoneView(zone=ZoneId("row-5"))])
    table.wait(odd)
    table.state = table.session.state
    table.do("recruit 1")
    table.look()
    assert table.recorded()[-1] == "recruit 1"


def test_a_game_that_goes_on_and_on_without_being_understood_is_found_again() -> None:
    """A player who does not wait for the program must not lose it for the rest of the evening."""
    table = Table.after(23)
    odd = [ZoneView(zone=ZoneId("row-2")), ZoneView(zone=ZoneId("row-5"))]

    def shown() -> TableView:
        return table.with_pieces("outpost-home-2", patched(table.view, odd), outpost=-1)

    moves = ("recruit 1", "tuck fan-bearer-blue-draw 1", "play flute-player-clay-red", "play drummer-red-red")
    for notation in (*moves, "use 1 with red"):
        table.do(notation)
        table.wait(shown(), seconds=3)
        for _ in range(5):
            table.look(shown(), calm=False)
    table.wait(shown(), seconds=3)
    assert "= table" in table.recorded()
    table.state = table.session.state
    table.do("recruit 3")
    table.look()
    assert table.recorded()[-1] == "recruit 3"


def test_one_card_that_looks_different_is_rather_misread_than_exchanged() -> None:
    table = Table.after(23)
    swapped = table.with_card("row-3", "fisher-blue-blue")
    table.wait(swapped)
    assert table.session.state == table.state
    assert table.violations() == []
    question = table.session.snapshot().question
    assert question is not None
    assert question.zone == "row-3"
    table.do("recruit 1")
    table.look(table.with_card("row-3", "fisher-blue-blue"))
    assert table.recorded() == ["recruit 1"], "the misread card does not stop the game"


def test_a_question_can_be_answered() -> None:
    table = Table.after(23)
    table.wait(table.with_card("row-3", "fisher-blue-blue"), seconds=6)
    question = table.session.snapshot().question
    assert question is not None
    table.session.answer(question.id, "keep")
    assert table.session.snapshot().question is None
    assert table.session.state == table.state


def test_a_game_met_in_the_middle_is_taken_as_it_lies() -> None:
    game = yu()
    table = Table.after(23)
    eye = replace(table.eye, heights=False)
    late = Session(game, "yu")
    late.observe(eye.look(table.view, 1, 1.0))
    late.resume_here(1)
    state = late.state
    assert state.row == table.state.row
    assert state.supply == table.state.supply
    assert state.canal == table.state.canal
    question = late.snapshot().question
    assert question is not None
    assert question.zone == "ready"
    late.answer(question.id, "height 6")
    assert len(game.view(late.state)[ZoneId("ready")].cards) == 6
    assert game.legal_actions(late.state)


def test_the_same_events_give_the_same_game() -> None:
    table = Table.after(23, eye=careless(3))
    for notation in SCRIPT[23:41]:
        table.do(notation)
        table.look(looking=True)
        table.look()
    events = [decode_event(json.loads(json.dumps(encode_event(event)))) for event in table.events]
    assert events == table.events
    again = Session.replay(yu(), "yu", events, **table.settings)
    assert again.state == table.session.state
    assert again.snapshot().log == table.session.snapshot().log


@pytest.mark.parametrize(
    ("policy", "seed"),
    [
        ("greedy", 1),
        ("greedy", 2),
        ("greedy", 3),
        ("greedy", 11),
        ("random", 0),
        ("random", 4),
        ("random", 6),
        ("random", 9),
    ],
)
def test_a_legal_game_seen_well_is_recorded_without_an_error(policy: str, seed: int) -> None:
    """What nobody can see does not count: a card that was destroyed and covered before anybody looked."""
    table = Table()
    layout = yu().layout
    shown = [table.view]
    for action in played(policy, seed):
        table.do(yu().format(action))
        table.look()
        assert visible(layout, table.session.lines[0].view) == visible(layout, table.view)
        if visible(layout, table.view) != visible(layout, shown[-1]):
            shown.append(table.view)
    assert table.violations() == []
    recorded = [line.view for line in table.session.lines[0].back()][::-1]
    aligned = align(layout, shown, recorded)
    assert all(aligned.right), "all that showed was recorded"
    assert aligned.invented == 0, "and nothing else"


def test_a_legal_game_seen_badly_gives_no_false_violation() -> None:
    table = Table(eye=careless(5))
    for action in played("greedy", 5):
        table.do(yu().format(action))
        table.look()
        table.look()
    assert table.violations() == []


def test_an_unregistered_table_is_no_evidence() -> None:
    table = Table.after(23)
    gone = Observation(index=9, seen_at=9.0, registered=False, calm=True, zones=())
    table.session.observe(gone)
    assert table.recorded() == []
    assert not table.session.snapshot().camera.registered


def test_a_covered_zone_is_shown_as_covered() -> None:
    table = Table.after(23)
    seen = table.eye.look(table.view, 5, 50.0)
    zones = tuple(
        ZoneSighting(zone=zone.zone, sight=Sight.HIDDEN) if zone.zone == "row-2" else zone
        for zone in seen.zones
    )
    table.session.observe(replace(seen, zones=zones))
    statuses = {status.zone: status for status in table.session.snapshot().zones}
    assert statuses[ZoneId("row-2")].certainty is Certainty.HIDDEN
    assert table.session.state == table.state
