"""A5 of the rules page: what holds in every phase."""

from assistant.games.yu.state import Phase, Result
from tests.assistant.games.yu.builders import (
    box,
    holds,
    legal,
    play,
    position,
    ready_size,
    refused,
    refuses,
    says,
    settled,
    supply,
)


@holds("Y-G1")
def test_a_barbarian_is_paid_with_the_colours_on_its_card() -> None:
    state = position(row="- - - - - - archer", supply="blue 2, yellow 1, white 3, provision 3")
    assert "attack 7 with blue blue yellow" in legal(state)


@refuses("Y-G1")
def test_another_colour_does_not_pay() -> None:
    state = position(row="- - - - - - archer", supply="blue 2, red 1, provision 3")
    refusal = refused(state, "attack 7 with blue blue red")
    assert refusal.rule == "Y-G1"
    assert says(refusal) == {"missing": "1 yellow", "what": "Y-A6"}


@refuses("Y-G1")
def test_a_missing_worker_of_choice_is_named_as_such() -> None:
    """Canal f asks for a White and a coloured Worker: a second White is none."""
    state = position(
        river="canal-a canal-b canal-f canal-e canal-g canal-h", built=2, supply="white 3, cowrie 2"
    )
    refusal = refused(state, "canal with white white")
    assert (refusal.rule, says(refusal)) == ("Y-G1", {"missing": "1 coloured", "what": "Y-A5"})
    bribing = position(phase=Phase.ATTACKS, row="- - - - - - thief")
    refusal = refused(bribing, "bribe 7")
    assert (refusal.rule, says(refusal)) == ("Y-G1", {"missing": "1 any", "what": "Y-P1"})


@refuses("Y-G1")
def test_building_with_a_coloured_worker_needs_an_outpost() -> None:
    """Forgettable step 5."""
    state = position(supply="blue 1, clay 1, wood 1")
    refusal = refused(state, "farm 1 on 1 with blue")
    assert refusal.rule == "Y-G1"
    assert says(refusal) == {"missing": "1 white", "what": "Y-A9"}


@holds("Y-G2")
def test_the_rulebooks_outposts_let_blue_build_and_blue_and_white_fight_for_red() -> None:
    """EN L294: White, Red and Blue count as one colour type."""
    state = position(
        built=3, outposts=(1, 3), row="- - - - - - chief",
        supply="blue 2, white 1, black 1, clay 1, wood 1, provision 3",
    )  # fmt: skip
    assert supply(play(state, "farm 1 on 4 with blue")) == "white 1, black 1, blue 1, provision 4"
    fought = play(state, "attack 7 with blue white black")
    assert fought.row[6] is None
    assert supply(fought) == "blue 1, clay 1, wood 1"


@holds("Y-G2")
def test_a_colour_outside_the_chain_still_stands_for_itself_only() -> None:
    state = position(
        built=1, outposts=(1,), row="- - - - - - chief", supply="red 1, white 1, blue 1, provision 3"
    )
    refusal = refused(state, "attack 7 with red white blue")
    assert refusal.rule == "Y-G1"
    assert says(refusal)["missing"] == "1 black"


@holds("Y-G2")
def test_gains_are_never_recoloured() -> None:
    """Gap G1: Outposts help with requirements only."""
    state = position(built=1, outposts=(1,), hand="flute")
    assert supply(play(state, "play flute")) == "red 1"


@holds("Y-G2")
def test_outposts_help_with_bribes_canals_and_trades() -> None:
    """Gap G1: every Worker requirement."""
    bribing = position(built=1, outposts=(1,), phase=Phase.ATTACKS, row="- - - - - - chief", supply="red 1")
    assert supply(play(bribing, "bribe 7 with red", "reveal 7 clan", *fill_row(1, 5))) == ""
    building = position(built=1, outposts=(1,), supply="red 2, cowrie 2")
    assert "canal with red red" in legal(building)
    trading = position(built=3, outposts=(1,), supply="red 1, provision 1")
    assert supply(play(trading, "trade 4 blue with red")) == "blue 1"


def fill_row(first: int, last: int, card: str = "peasant") -> list[str]:
    return [f"reveal {space} {card}" for space in range(first, last + 1)]


@holds("Y-G3")
def test_a_destroyed_card_goes_from_ready_to_the_townsfolk_discard() -> None:
    """Forgettable step 3: not to Exhausted, and not from the hand."""
    state = play(
        position(pending="destroy", ready="elder potter", hand="flute", exhausted="rider"), "destroy elder"
    )
    assert state.discard == ("elder",)
    assert state.exhausted == ("rider",)
    assert state.hand == ("flute",)
    assert ready_size(state) == 1


@refuses("Y-G3")
def test_nothing_is_destroyed_unless_something_says_so() -> None:
    assert refused(position(), "destroy elder").rule == "Y-G3"


@refuses("Y-C5")
def test_a_card_in_hand_cannot_be_the_one_destroyed() -> None:
    assert (
        refused(position(pending="destroy", ready="elder potter", hand="flute"), "destroy flute").rule
        == "Y-C5"
    )


@holds("Y-G4")
def test_a_draw_must_be_made_before_anything_else_goes_on() -> None:
    state = position(pending="draw", ready="elder")
    assert legal(state) == ["draw elder"]


@refuses("Y-G4")
def test_a_draw_cannot_be_skipped() -> None:
    assert refused(position(pending="draw"), "skip").rule == "Y-G4"
    assert refused(position(phase=Phase.HARVEST, harvest="draw"), "skip").rule == "Y-G4"
    assert refused(position(pending="destroy"), "skip").rule == "Y-G4"


@refuses("Y-G4")
def test_no_card_is_drawn_from_ready_unless_something_says_so() -> None:
    assert refused(position(), "draw elder").rule == "Y-G4"


@holds("Y-G5")
def test_taking_the_last_ready_card_does_not_move_the_flood() -> None:
    """Forgettable step 1: the shuffle is lazy."""
    state = play(position(pending="draw", ready="elder", exhausted="potter", built=1), "draw elder")
    assert (state.flood, ready_size(state), state.exhausted) == (0, 0, ("potter",))


@holds("Y-G5")
def test_the_next_needed_card_shuffles_exhausted_and_moves_the_flood_once() -> None:
    state = position(pending="draw", ready="", exhausted="potter elder", built=1)
    assert legal(state) == ["trade 3 potter"] or "shuffle" in legal(state)
    after = play(state, "shuffle")
    assert (after.flood, ready_size(after), after.exhausted, after.result) == (1, 2, (), None)
    assert sorted(legal(after)) == ["draw elder", "draw potter"]


@refuses("Y-G5")
def test_shuffling_early_is_refused() -> None:
    """Forgettable step 1: too early."""
    idle = refused(position(ready="", exhausted="potter"), "shuffle")
    assert idle.rule == "Y-G5"
    early = refused(position(pending="draw", ready=3, exhausted="potter"), "shuffle")
    assert early.rule == "Y-G5"
    assert says(early) == {"cards": "3 card"}


@refuses("Y-G5")
def test_drawing_without_the_shuffle_is_refused() -> None:
    """Forgettable step 1: not at all."""
    assert refused(position(pending="draw", ready="", exhausted="potter"), "draw potter").rule == "Y-G5"


@holds("Y-G5")
def test_with_both_piles_empty_a_needed_card_is_the_loss_by_damage_and_the_flood_stays() -> None:
    """Gap G9: never both; the Flood does not move."""
    for need in ("draw", "destroy"):
        state = settled(
            position(pending=need, ready="", exhausted="", hand="elder", tucked="potter", flood=0)
        )
        assert state.result is Result.DAMAGE
        assert state.flood == 0


@holds("Y-G5")
def test_an_empty_hand_of_piles_loses_nothing_while_no_card_is_needed() -> None:
    state = settled(position(ready="", exhausted=""))
    assert state.result is None


@holds("Y-G6")
def test_the_flood_is_safe_on_a_built_section() -> None:
    state = play(position(pending="draw", ready="", exhausted="elder", built=2, flood=1), "shuffle")
    assert (state.flood, state.result) == (2, None)
    last = play(position(pending="draw", ready="", exhausted="elder", built=6, flood=5), "shuffle")
    assert (last.flood, last.result) == (6, None)


@holds("Y-G6")
def test_the_flood_on_a_canal_card_loses_at_once() -> None:
    state = play(
        position(pending="draw draw clay", ready="", exhausted="elder potter", built=2, flood=2), "shuffle"
    )
    assert state.result is Result.FLOOD
    assert state.flood == 3
    assert legal(state) == []


@holds("Y-G6")
def test_the_flood_past_the_right_edge_loses_at_once() -> None:
    state = play(position(pending="draw", ready="", exhausted="elder", built=6, flood=6), "shuffle")
    assert (state.flood, state.result) == (7, Result.FLOOD)


@holds("Y-G6")
def test_a_printed_wave_moves_the_flood_as_well() -> None:
    assert settled(position(pending="flood", built=1)).flood == 1
    assert settled(position(pending="flood", built=0)).result is Result.FLOOD


@holds("Y-G6")
def test_the_flood_touches_neither_build_sites_nor_trades() -> None:
    state = position(built=2, flood=2, supply="white 1, clay 1, wood 1, cowrie 2")
    after = play(state, "farm 1 on 2 with white", "trade 2")
    assert supply(after) == "provision 1, cowrie 1"


@holds("Y-G7")
def test_a_reshuffle_can_come_in_the_middle_of_several_draws() -> None:
    state = position(pending="draw+3", ready="elder", exhausted="potter flute", built=1)
    after = play(state, "draw elder", "shuffle", "draw potter", "draw flute")
    assert after.hand == ("elder", "flute", "potter")
    assert after.flood == 1


@holds("Y-G7")
def test_a_loss_stops_everything_that_was_left_to_do() -> None:
    state = position(pending="draw+3 clay", ready="elder", exhausted="potter", built=0)
    after = play(state, "draw elder", "shuffle")
    assert after.result is Result.FLOOD
    assert after.hand == ("elder",)
    assert supply(after) == ""
    assert refused(after, "draw potter").rule == "Y-E1"


@holds("Y-G8")
def test_an_empty_townsfolk_draw_pile_is_shuffled_anew_and_the_flood_stays() -> None:
    """Forgettable step 2."""
    state = settled(
        position(pending="draw-pile", draw="", discard="elder potter", exhausted="rider", built=1)
    )
    assert (state.flood, state.discard, state.exhausted) == (0, (), ("rider",))
    assert legal(state) == ["draw-pile elder", "draw-pile potter"]


@holds("Y-G8")
def test_an_empty_barbarian_draw_pile_is_shuffled_anew_too() -> None:
    state = position(
        phase=Phase.ATTACKS, row="peasant peasant peasant peasant peasant peasant", barbarian_draw="",
        barbarian_discard="archer chief",
    )  # fmt: skip
    after = settled(state)
    assert after.phase is Phase.REFRESH
    assert (after.flood, after.barbarian_discard) == (0, ())
    assert legal(after) == ["reveal 7 archer", "reveal 7 chief"]


@holds("Y-G8")
def test_with_no_townsfolk_at_all_the_gap_stays() -> None:
    """Gap G4: nothing to reveal, no draw."""
    state = settled(position(pending="draw-pile clay", draw="", discard="", supply="white 1"))
    assert supply(state) == "white 1, clay 1"
    assert not state.pending


@holds("Y-G9")
def test_a_piece_that_the_box_lacks_is_not_collected() -> None:
    state = play(position(hand="digger", supply="white 10"), "play digger")
    assert supply(state) == "white 10"
    assert state.exhausted == ("digger",)


@refuses("Y-G9")
def test_a_choice_that_the_box_lacks_is_refused() -> None:
    """Forgettable step 14: more pieces than exist."""
    refusal = refused(position(pending="coloured", supply="red 6"), "take red")
    assert refusal.rule == "Y-G9"
    assert says(refusal) == {"piece": "1 red"}


@refuses("Y-G9")
def test_a_gain_that_can_be_taken_is_not_skipped() -> None:
    assert refused(position(pending="coloured"), "skip").rule == "Y-G9"


@holds("Y-G9")
def test_actions_are_legal_even_when_their_gain_is_lost() -> None:
    """Gaps G2 and G6: the missing piece is simply not collected."""
    state = position(row="- - - - - - clan", supply="red 1, provision 3, cowrie 12")
    after = play(state, "attack 7 with red", "skip")
    assert supply(after) == "cowrie 12"


@holds("Y-G10", "Y-T1")
def test_the_rulebooks_example_frees_cowries_in_the_middle_of_a_gain() -> None:
    """EN L301: 3 Cowries to collect, only 2 in the box; 2 spent for a Provision make all 3 available."""
    state = position(row="- - - - - - bowmen", built=1, supply="yellow 2, red 1, provision 3, cowrie 10")
    waiting = play(state, "attack 7 with red yellow yellow")
    assert supply(waiting) == "cowrie 12"
    assert {"skip", "trade 2"} <= set(legal(waiting))
    after = play(waiting, "trade 2")
    assert supply(after) == "provision 1, cowrie 11"
    assert not after.pending


@holds("Y-G10")
def test_the_rest_of_a_card_is_gained_before_a_missing_piece_is_given_up() -> None:
    """White is out of the box; the Provision of the same gain pays the trade that frees a White."""
    state = settled(position(pending="white provision", built=3, supply="white 10"))
    assert supply(state) == "white 10, provision 1"
    after = play(state, "trade 4 red with white")
    assert supply(after) == "white 10, red 1"


@holds("Y-G10")
def test_trades_work_in_harvest_attacks_and_refresh() -> None:
    """Forgettable step 16."""
    for phase, more in (
        (Phase.HARVEST, {"harvest": "draw"}),
        (Phase.ATTACKS, {"row": "- - - - - - clan"}),
        (Phase.REFRESH, {"pending": "draw-pile"}),
        (Phase.RETURN_BARGE, {"barge": "off"}),
    ):
        state = position(phase=phase, built=1, supply="cowrie 3", **more)  # type: ignore[arg-type]
        assert supply(play(state, "trade 1 wood")) == "wood 1"
        assert supply(play(state, "trade 2")) == "provision 1, cowrie 1"


@refuses("Y-G10")
def test_there_is_no_trade_before_the_game_begins() -> None:
    assert refused(position(phase=Phase.SETUP, pending="draw-pile"), "trade 1 clay").rule == "Y-G10"


@holds("Y-G10")
def test_a_card_drawn_by_trade_six_outside_the_actions_stays_in_hand() -> None:
    """Gap G3: allowed; it waits for trade 3 or the next Actions."""
    state = position(
        phase=Phase.ATTACKS, row="- - - - - - clan", built=5, supply="provision 2, cowrie 2", draw="elder"
    )
    after = play(state, "trade 6", "draw-pile elder")
    assert after.hand == ("elder",)
    assert play(after, "trade 3 elder").exhausted == ("elder",)


@holds("Y-G11")
def test_a_gold_turtle_opens_the_book_at_once_and_everything_else_waits() -> None:
    state = play(position(hand="oracle elder"), "discard oracle")
    assert "story end" in legal(state)
    refusal = refused(state, "play elder")
    assert refusal.rule == "Y-A1"
    assert says(refusal) == {"step": "story"}
    assert "play elder" in legal(play(state, "story end"))


@holds("Y-G11")
def test_trades_stay_possible_while_the_book_is_open() -> None:
    state = position(pending="turtle#99", supply="cowrie 3")
    assert "trade 1 clay" in legal(state)


@holds("Y-G9")
def test_nothing_is_asked_where_no_worker_in_supply_can_trade() -> None:
    """An Outpost joins Red to White; a lone Blue still pays no trade, so the gain is simply lost."""
    state = settled(position(pending="blue", built=3, outposts=(1,), supply="blue 6, provision 1"))
    assert not state.pending


@holds("Y-C4")
def test_the_box_counts_what_the_player_does_not_hold() -> None:
    assert box(position(supply="cowrie 5"), "cowrie") == 7
