"""A6 and A9 of the rules page: Harvest, the Barge, attacks, Refresh, and the exact moment of each end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.yu.resolve import settle
from assistant.games.yu.state import OFF_BOARD, ROW, Phase, Result, State, Step, StepKind
from tests.assistant.games.yu.builders import (
    holds,
    legal,
    play,
    position,
    refused,
    refuses,
    says,
    settled,
    supply,
)
from tests.assistant.games.yu.cards import COPY
from vision.cards import CardId

FULL_ROW = "peasant peasant peasant peasant peasant peasant clan"


def next_round(**facts: object) -> State:
    """The Refresh is over and the Harvest begins."""
    return settled(position(row=FULL_ROW, phase=Phase.REFRESH, **facts))  # type: ignore[arg-type]


# Harvest


@holds("Y-H1")
def test_the_first_harvest_is_four_cards_a_white_worker_a_cowrie_and_a_provision() -> None:
    state = next_round(ready="elder flute potter rider spear")
    after = play(state, "collect", "draw elder", "draw flute", "draw potter", "draw rider")
    assert supply(after) == "white 1, provision 1, cowrie 1"
    assert len(after.hand) == 4
    assert after.phase is Phase.ACTIONS


@holds("Y-H1", "Y-H2")
def test_the_rulebooks_harvest_example() -> None:
    """EN L203-209: 5 cards, White, Blue and one colour, 2 Provisions, 3 Cowries; White and Red come back.

    One Outpost, the right-most Farm, and tucked cards for a card with a Cowrie, a Provision, a Blue.
    """
    state = next_round(
        ready="elder flute potter rider spear", built=3, outposts=(1,), farms=(3,), huts=2,
        tucked="fan peasant weaver", on_huts="white red",
    )  # fmt: skip
    drawn = play(state, "draw elder", "draw flute", "draw potter", "draw rider", "draw spear")
    after = play(drawn, "collect", "take yellow")
    assert len(after.hand) == 5
    assert supply(after) == "white 2, red 1, blue 1, yellow 1, provision 2, cowrie 3"
    assert after.circles == (None,) * 5


@holds("Y-H1")
def test_every_outpost_farm_and_tucked_card_adds_to_the_harvest() -> None:
    """Forgettable step 4."""
    state = next_round(
        built=5, outposts=(1, 2, 4), farms=(1, 2), tucked="rider", ready="elder flute potter cook"
    )
    after = play(state, "collect", "draw elder", "draw flute", "draw potter", "draw cook")
    assert supply(after) == "white 3, provision 2, cowrie 4"


@refuses("Y-H1")
def test_the_harvest_gives_only_what_it_shows() -> None:
    state = next_round()
    refusal = refused(state, "take clay")
    assert refusal.rule == "Y-H1"
    assert says(refusal) == {"piece": "1 clay"}
    assert refused(position(), "collect").rule == "Y-H1"


@refuses("Y-H1")
def test_nothing_is_taken_twice() -> None:
    state = play(next_round(), "take white")
    assert refused(state, "take white").rule == "Y-H1"


@holds("Y-H2")
def test_workers_on_hut_spaces_come_back_to_the_supply_not_to_the_box() -> None:
    """Forgettable step 4."""
    state = next_round(huts=2, built=2, on_huts="blue - yellow", ready="elder flute potter rider")
    after = play(state, "return")
    assert supply(after) == "blue 1, yellow 1"
    assert after.circles == (None,) * 5


@refuses("Y-H2")
def test_workers_come_back_only_in_the_harvest() -> None:
    assert refused(position(on_huts="blue"), "return").rule == "Y-H2"
    assert refused(next_round(), "return").rule == "Y-H2"


@holds("Y-H2")
def test_the_harvest_is_not_over_before_the_workers_are_back() -> None:
    state = play(position(phase=Phase.HARVEST, harvest="white return", on_huts="red"), "take white")
    assert state.phase is Phase.HARVEST
    assert refused(state, "end").rule == "Y-A1"


@holds("Y-H3")
def test_the_visible_top_of_exhausted_gives_nothing() -> None:
    state = next_round(exhausted="trader", ready="elder flute potter rider")
    after = play(state, "collect", "draw elder", "draw flute", "draw potter", "draw rider")
    assert supply(after) == "white 1, provision 1, cowrie 1"


@holds("Y-H4")
def test_the_player_chooses_the_order_of_the_harvest() -> None:
    state = next_round(ready="elder flute potter rider spear", farms=(3,))
    lines = legal(state)
    for line in ("take white", "take red", "take provision", "take cowrie", "collect", "draw elder"):
        assert line in lines
    first = play(state, "draw elder", "take cowrie", "draw flute", "take white", "take black")
    assert supply(first) == "white 1, black 1, cowrie 1"


@holds("Y-H4", "Y-G10")
def test_in_the_harvest_a_trade_can_free_a_piece_before_it_is_given_up() -> None:
    state = position(phase=Phase.HARVEST, harvest="cowrie", supply="cowrie 12", built=1)
    waiting = settled(state)
    assert waiting.phase is Phase.HARVEST
    after = play(waiting, "trade 2", "take cowrie")
    assert supply(after) == "provision 1, cowrie 11"
    assert supply(play(waiting, "skip")) == "cowrie 12"


@holds("Y-H4", "Y-G5")
def test_a_draw_that_cannot_be_made_loses_once_nothing_else_can_be_taken() -> None:
    """Both piles are empty and the box has no White: there is nothing left to do but to lose."""
    state = position(phase=Phase.HARVEST, harvest="draw white", supply="white 10", ready="", exhausted="")
    assert settled(state).result is Result.DAMAGE


@holds("Y-G5", "Y-G7")
def test_the_harvest_reshuffles_in_the_middle_of_its_four_cards() -> None:
    state = next_round(ready="elder", exhausted="flute potter rider spear", built=1)
    after = play(state, "draw elder", "shuffle", "draw flute", "draw potter", "draw rider")
    assert after.flood == 1
    assert len(after.hand) == 4


# Return Barge


@holds("Y-B1")
def test_the_barge_comes_back_to_the_left_most_canal_card() -> None:
    """Forgettable step 7."""
    state = play(position(built=2, barge="off", row="elder"), "end")
    assert state.phase is Phase.RETURN_BARGE
    assert play(state, "barge").barge == 3


@holds("Y-B1")
def test_without_a_new_section_the_phase_is_skipped() -> None:
    state = play(position(built=2, row=FULL_ROW), "end")
    assert (state.phase, state.barge) == (Phase.ATTACKS, 3)


@holds("Y-B1")
def test_after_the_sixth_section_the_barge_stays_away() -> None:
    state = play(position(built=6, barge="off", row=FULL_ROW), "end")
    assert (state.phase, state.barge) == (Phase.ATTACKS, OFF_BOARD)


@refuses("Y-B1")
def test_the_barge_moves_only_in_its_phase() -> None:
    refusal = refused(position(built=1, barge="off"), "barge")
    assert refusal.rule == "Y-B1"
    assert says(refusal) == {"phase": "actions", "needed": "return-barge"}
    waiting = play(position(built=1, barge="off"), "end")
    assert refused(waiting, "suffer 7").rule == "Y-P1"


# Suffer attacks


@holds("Y-P1")
def test_each_barbarian_is_bribed_or_destroys() -> None:
    state = position(
        phase=Phase.ATTACKS, row="elder - - - - raider chief", supply="cowrie 2", ready="flute spear"
    )
    after = play(state, "bribe 6", "suffer 7", "destroy flute")
    assert supply(after) == ""
    assert after.discard == ("flute",)
    assert after.phase is Phase.REFRESH


@holds("Y-P1")
def test_a_bribe_is_never_forced() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - - - clan", supply="cowrie 5")
    assert {"suffer 7", "bribe 7"} <= set(legal(state))


@refuses("Y-P1")
def test_a_bribe_must_be_paid_and_each_barbarian_attacks_once() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - - chief clan", supply="cowrie 1, red 1")
    poor = refused(state, "bribe 6 with white")
    assert (poor.rule, says(poor)) == ("Y-P1", {"what": "Y-P1", "cost": "1 white", "have": 0})
    once = play(state, "bribe 7")
    twice = refused(once, "bribe 7")
    assert (twice.rule, says(twice)) == ("Y-P1", {"space": 7})
    assert refused(once, "suffer 1").rule == "Y-P1"
    assert refused(position(row="- - - - - - clan"), "suffer 7").rule == "Y-P1"


@holds("Y-P1")
def test_two_damage_destroy_two_cards_one_at_a_time() -> None:
    state = position(
        phase=Phase.ATTACKS, row="- - - - - - brute", ready="flute", exhausted="elder rider", built=1
    )
    after = play(state, "suffer 7", "destroy flute", "shuffle", "destroy elder")
    assert (after.flood, after.discard) == (1, ("flute", "elder"))


@holds("Y-P2")
def test_a_bribed_barbarian_stays_in_the_row() -> None:
    """Forgettable step 8."""
    state = play(position(phase=Phase.ATTACKS, row="elder - - - - - clan", supply="cowrie 1"), "bribe 7")
    assert "clan" in state.row
    assert state.barbarian_discard == ()


@holds("Y-P3")
def test_the_player_chooses_who_attacks_first() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - raider chief clan", supply="white 1, cowrie 3")
    for first in (5, 6, 7):
        assert f"suffer {first}" in legal(state)
    after = play(state, "bribe 7", "bribe 5", "bribe 6 with white")
    assert supply(after) == ""


@holds("Y-P4")
def test_a_barbarian_without_a_bribe_only_destroys() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - - - brute", supply="cowrie 5")
    assert [line for line in legal(state) if not line.startswith("trade")] == ["suffer 7"]


@refuses("Y-P4")
def test_a_barbarian_that_takes_no_bribe_is_not_bribed() -> None:
    refusal = refused(position(phase=Phase.ATTACKS, row="- - - - - - brute"), "bribe 7")
    assert (refusal.rule, says(refusal)) == ("Y-P4", {"space": 7})


@holds("Y-P1", "Y-P4")
def test_a_bribe_that_nobody_has_read_is_believed() -> None:
    state = position(phase=Phase.ATTACKS, row="elder - - - - - horde", supply="red 1")
    assert supply(play(state, "bribe 7 with red")) == ""


# Refresh


@holds("Y-R1")
def test_the_rulebooks_refresh_example() -> None:
    """EN L362: one Townsfolk and one Barbarian are left, two are added; three Townsfolk fill the middle."""
    state = position(phase=Phase.ATTACKS, row="- - elder - - clan -", supply="cowrie 1", built=2)
    after = play(state, "bribe 6", "reveal 7 archer", "reveal 6 chief")
    assert after.row == ("elder", None, None, None, "clan", "chief", "archer")
    after = play(after, "reveal 2 flute", "reveal 3 potter", "reveal 4 rider")
    assert after.row == ("elder", "flute", "potter", "rider", "clan", "chief", "archer")
    assert after.phase is Phase.HARVEST


@holds("Y-R1")
def test_barbarians_chase_off_the_left_most_townsfolk() -> None:
    row = "elder flute potter rider spear clan clan"
    state = position(phase=Phase.ATTACKS, row=row, supply="cowrie 2", built=2)
    after = play(state, "bribe 6", "bribe 7")
    assert after.discard == ("elder", "flute")
    assert after.row == ("potter", "rider", "spear", "clan", "clan", None, None)


@refuses("Y-R1")
def test_the_first_barbarian_revealed_lies_in_space_seven() -> None:
    state = settled(position(phase=Phase.ATTACKS, row="elder", built=2))
    refusal = refused(state, "reveal 6 archer")
    assert refusal.rule == "Y-R1"
    assert says(refusal) == {"space": 7, "found": 6}
    assert refused(position(), "reveal 7 archer").rule == "Y-R1"
    assert refused(state, "reveal 7 flute").rule == "Y-C5"


@holds("Y-R2")
def test_a_section_built_this_round_already_adds_its_barbarian() -> None:
    """Forgettable step 9: N is 1 1 2 2 3 3 4 for 0 to 6 sections."""
    for built, added in enumerate((1, 1, 2, 2, 3, 3, 4)):
        state = settled(position(phase=Phase.ATTACKS, built=built, row="elder"))
        reveals = [step for step in state.pending if step.kind is StepKind.REVEAL_BARBARIAN]
        assert len(reveals) == added


def refreshed_by_hand(
    row: list[str | None], new: list[str], fresh: list[str]
) -> tuple[list[str | None], list[str]]:
    """EN L345-362, step by step with the hands, not with a formula. Barbarians begin with B."""
    discarded: list[str] = []

    def slide_townsfolk_left() -> None:
        for _ in range(ROW):
            for space in range(1, ROW):
                card = row[space]
                if card and card[0] == "T" and row[space - 1] is None:
                    row[space - 1], row[space] = card, None

    def slide_a_barbarian_left() -> bool:
        """The left-most Barbarian that blocks the right end moves one space left, if it can."""
        for space in range(1, ROW):
            card = row[space]
            if card and card[0] == "B" and row[space - 1] is None:
                row[space - 1], row[space] = card, None
                return True
        return False

    slide_townsfolk_left()
    wanted = min(len(new), sum(1 for card in row if not (card and card[0] == "B")))
    while any(row[ROW - wanted :]):
        if not slide_a_barbarian_left():
            place = next(space for space, card in enumerate(row) if card and card[0] == "T")
            discarded.append(str(row[place]))
            row[place] = None
            slide_townsfolk_left()
    for space, card in zip(range(ROW - 1, ROW - 1 - wanted, -1), new, strict=False):
        row[space] = card
    for _ in range(ROW):
        for space in range(ROW - 1):
            card_here = row[space]
            if card_here and card_here[0] == "B" and row[space + 1] is None:
                row[space], row[space + 1] = None, card_here
    deck = list(fresh)
    for space in range(ROW):
        if row[space] is None:
            row[space] = deck.pop(0)
    return row, discarded


@st.composite
def rows(draw: st.DrawFn) -> list[str]:
    """Rows as the Actions leave them: Townsfolk left of Barbarians, gaps anywhere, never seven Barbarians."""
    people = draw(st.integers(0, ROW))
    kinds = ["T"] * people + ["B"] * (ROW - people)
    for gap in draw(st.sets(st.integers(0, ROW - 1), min_size=people == 0)):
        kinds[gap] = "-"
    return kinds


@holds("Y-R1")
@settings(max_examples=300, deadline=None)
@given(kinds=rows(), built=st.integers(0, 6))
def test_the_refresh_equals_the_rulebooks_steps_done_by_hand(kinds: list[str], built: int) -> None:
    people = iter(["flute", "elder", "carrier", "rider", "fan", "piper", "potter"])
    savages = iter(["clan"] * 7)
    state = position(
        phase=Phase.ATTACKS,
        built=built,
        row=" ".join(next(people) if k == "T" else next(savages) if k == "B" else "-" for k in kinds),
        barbarian_draw="archer raider chief brute",
        draw="weaver scout trader spear guide oracle digger",
    ).but(attackers=())
    after = settle(COPY, state)
    by_hand, gone = refreshed_by_hand(
        [None if card is None else f"{'B' if COPY.is_barbarian(card) else 'T'}:{card}" for card in state.row],
        ["B:archer", "B:raider", "B:chief", "B:brute"][: (1, 1, 2, 2, 3, 3, 4)[built]],
        [f"T:{name}" for name in ["weaver", "scout", "trader", "spear", "guide", "oracle", "digger"]],
    )
    assert after.discard == tuple(CardId(card[2:]) for card in gone)
    savage_names = iter(["archer", "raider", "chief", "brute"])
    people_names = iter(["weaver", "scout", "trader", "spear", "guide", "oracle", "digger"])
    while after.result is None and after.pending:
        step: Step = after.pending[0]
        name = next(savage_names if step.kind is StepKind.REVEAL_BARBARIAN else people_names)
        after = play(after, f"reveal {step.argument} {name}")
    barbarians = sum(1 for card in by_hand if card and card[0] == "B")
    if barbarians == ROW:
        assert after.result is Result.BARBARIANS
    else:
        assert list(after.row) == [card and card[2:] for card in by_hand]
        assert after.result is (Result.WIN if built == 6 else None)


# The end


@holds("Y-R1", "Y-E1")
def test_the_seventh_barbarian_loses_at_once_even_with_the_canal_complete() -> None:
    row = "clan clan clan archer raider - -"
    state = position(phase=Phase.ATTACKS, row=row, built=6).but(attackers=())
    refresh = settled(state)
    assert refresh.result is None
    after = play(refresh, "reveal 7 chief", "reveal 6 brute")
    assert after.result is Result.BARBARIANS
    assert legal(after) == []


@holds("Y-R1")
def test_six_barbarians_do_not_lose() -> None:
    state = position(phase=Phase.ATTACKS, row="elder - clan clan clan archer raider").but(attackers=())
    after = play(settled(state), "reveal 7 chief")
    assert after.result is None
    assert after.row == ("elder", "clan", "clan", "clan", "archer", "raider", "chief")
    assert after.phase is Phase.HARVEST


@holds("Y-R1")
def test_a_barbarian_that_an_effect_reveals_can_be_the_seventh() -> None:
    """A9: EN L26 says "ever", so every addition is checked."""
    state = settled(position(pending="barbarian", row="elder clan clan clan clan archer raider"))
    assert state.discard == ("elder",)
    assert play(state, "reveal 7 chief").result is Result.BARBARIANS


@holds("Y-E1")
def test_the_sixth_section_does_not_win_before_the_end_of_the_round() -> None:
    state = position(
        built=5, supply="white 2, red 1, yellow 1, cowrie 3", ready="elder flute", row="- - - - - - clan"
    )
    built = play(state, "canal with white white red yellow", "destroy elder", "destroy flute", "story end")
    assert built.result is None
    attacked = play(built, "end")
    assert attacked.phase is Phase.ATTACKS
    assert attacked.result is None


@holds("Y-E1")
def test_the_round_survived_with_six_sections_built_is_the_win() -> None:
    state = position(phase=Phase.ATTACKS, row="elder flute potter", built=6)
    reveals = ["reveal 7 clan", "reveal 6 clan", "reveal 5 clan"]
    almost = play(state, *reveals)
    assert almost.result is None
    assert play(almost, "reveal 4 clan").result is Result.WIN


@holds("Y-E1")
def test_damage_in_the_last_round_still_loses() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - - - clan", built=6, ready="", exhausted="")
    assert play(state, "suffer 7").result is Result.DAMAGE


@refuses("Y-E1")
def test_nothing_more_happens_once_the_game_is_over() -> None:
    state = position(phase=Phase.ATTACKS, row="- - - - - - clan", ready="", exhausted="", supply="cowrie 6")
    over = play(state, "suffer 7")
    for line in ("trade 1 clay", "end", "suffer 7", "story end", "draw elder"):
        refusal = refused(over, line)
        assert refusal.rule == "Y-E1"
        assert says(refusal) == {"result": "damage"}


@holds("Y-G6", "Y-G5")
def test_the_flood_can_lose_in_harvest_actions_and_attacks() -> None:
    for state in (
        position(phase=Phase.HARVEST, harvest="draw", ready="", exhausted="elder"),
        play(position(hand="scout", ready="", exhausted="elder"), "play scout"),
        play(position(phase=Phase.ATTACKS, row="- - - - - - clan", ready="", exhausted="elder"), "suffer 7"),
    ):
        assert play(state, "shuffle").result is Result.FLOOD
