"""A6 phase 2, A7 and A8 of the rules page: everything that can be done in the Actions."""

import pytest

from assistant.games.yu import rules
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.state import OFF_BOARD, Phase, Result
from tests.assistant.games.yu.builders import (
    holds,
    legal,
    play,
    position,
    ready_size,
    refused,
    refuses,
    says,
    supply,
)
from tests.assistant.games.yu.cards import COPY

RICH = "white 4, red 2, black 2, blue 2, yellow 2, clay 4, wood 4, provision 4, cowrie 6"


@holds("Y-A1")
def test_a_played_card_goes_to_exhausted_and_gives_its_brown_items_only() -> None:
    """EN L223: the card shown gives 1 Clay if played."""
    state = play(position(hand="potter"), "play potter")
    assert supply(state) == "clay 1"
    assert state.exhausted == ("potter",)


@holds("Y-A1")
def test_a_drawing_card_draws_from_ready() -> None:
    state = play(position(hand="scout", ready="elder flute"), "play scout", "draw elder")
    assert state.hand == ("elder",)
    assert ready_size(state) == 1


@refuses("Y-A1")
def test_only_a_card_in_hand_can_be_played_and_only_in_the_actions() -> None:
    absent = refused(position(hand="elder"), "play potter")
    assert absent.rule == "Y-A1"
    assert says(absent) == {"card": "potter"}
    early = refused(position(phase=Phase.HARVEST, harvest="draw", hand="elder"), "play elder")
    assert early.rule == "Y-A1"
    assert says(early) == {"phase": "harvest", "needed": "actions"}


@refuses("Y-A1")
def test_the_actions_cannot_be_left_with_a_card_in_hand() -> None:
    """Forgettable step 12; Workers and resources may be kept."""
    refusal = refused(position(hand="elder potter"), "end")
    assert refusal.rule == "Y-A1"
    assert says(refusal) == {"cards": "2 card"}
    assert "end" in legal(position(supply=RICH))


@holds("Y-A2")
def test_a_discarded_card_gives_brown_and_red_and_leaves_the_players_piles() -> None:
    """EN L224: the card shown gives 1 Clay and 1 Provision if discarded."""
    state = play(position(hand="potter"), "discard potter")
    assert supply(state) == "clay 1, provision 1"
    assert (state.discard, state.exhausted) == (("potter",), ())


@refuses("Y-A2")
def test_a_card_that_is_not_in_hand_cannot_be_discarded() -> None:
    assert refused(position(row="potter"), "discard potter").rule == "Y-A2"


@holds("Y-A3")
def test_a_tucked_card_gives_nothing_now_and_its_strip_in_later_harvests() -> None:
    """EN L228: the card tucked gives 1 Provision and 1 Cowrie during each Harvest."""
    state = play(position(hand="carrier"), "tuck carrier 1")
    assert supply(state) == ""
    assert state.tucked[0] == "carrier"


@refuses("Y-A3")
def test_a_tuck_slot_holds_one_card_for_the_whole_game() -> None:
    """Forgettable step 13: a tucked card is neither replaced nor taken back."""
    taken = refused(position(hand="elder", tucked="carrier"), "tuck elder 1")
    assert taken.rule == "Y-A3"
    assert says(taken) == {"slot": 1}
    closed = refused(position(hand="elder"), "tuck elder 2")
    assert closed.rule == "Y-A3"
    assert says(closed) == {"slot": 2, "slots": 1}
    assert refused(position(tucked="carrier"), "play carrier").rule == "Y-A1"


@holds("Y-A4", "Y-A18")
def test_food_is_used_as_the_story_has_explained_it() -> None:
    state = play(position(hand="flute", pending="turtle#99"), "story food milk cowrie+2", "story end")
    after = play(state, "food flute")
    assert supply(after) == "cowrie 2"
    assert after.exhausted == ("flute",)


@refuses("Y-A4")
def test_food_is_refused_until_then_and_other_foods_stay_refused() -> None:
    assert refused(position(hand="flute"), "food flute").rule == "Y-A4"
    state = play(position(hand="flute elder", pending="turtle#99"), "story food milk cowrie", "story end")
    assert refused(state, "food elder").rule == "Y-A4"


@refuses("Y-A18")
@pytest.mark.parametrize("verb", list(Verb))
def test_an_action_that_lacks_something_or_has_too_much_is_refused(verb: Verb) -> None:
    bare = Action(verb, at=99, to=99, pay=(-1, 2, 0, 0, 0), piece=99, words=("nowhere",))
    refusal = rules.refusal(COPY, position(), bare)
    assert refusal is not None
    assert refusal.rule == "Y-A18"


@holds("Y-A5")
def test_a_canal_is_paid_the_barge_leaves_the_card_goes_and_its_effects_follow() -> None:
    state = play(position(supply="white 3, cowrie 2"), "canal with white white")
    assert supply(state) == "white 1, clay 1, wood 1"
    assert state.barge == OFF_BOARD
    assert state.canal[0] is None
    assert state.box == ("canal-a",)
    assert state.built_this_round
    assert "story end" in legal(state)


@refuses("Y-A5")
def test_a_second_canal_in_one_round_is_refused() -> None:
    """Forgettable step 7."""
    state = position(built=1, barge="off", supply=RICH)
    assert refused(state, "canal with white white").rule == "Y-A5"


@refuses("Y-A5")
def test_a_canal_needs_its_cowries() -> None:
    refusal = refused(position(supply="white 2, cowrie 1"), "canal with white white")
    assert refusal.rule == "Y-A5"
    assert says(refusal) == {"what": "Y-A5", "cost": "2 cowrie", "have": 1}


@refuses("Y-A5")
def test_there_is_no_seventh_canal() -> None:
    assert refused(position(built=6, supply=RICH), "canal").rule == "Y-A5"


@holds("Y-A6")
@pytest.mark.parametrize(
    ("space", "barbarian", "provisions", "workers", "reward"),
    [
        (5, "horde", 2, "black black yellow", "clay 1, cowrie 2"),
        (6, "bowmen", 3, "red yellow yellow", "cowrie 3"),
    ],
)
def test_the_rulebooks_two_attacks(
    space: int, barbarian: str, provisions: int, workers: str, reward: str
) -> None:
    """EN L269: 2 Provisions, 2 Black, 1 Yellow for 2 Cowries and Clay; 3, 2 Yellow, 1 Red for 3 Cowries."""
    paid = ", ".join(workers.split())
    state = position(row=f"{'- ' * (space - 1)}{barbarian}", supply=f"provision {provisions}, {paid}")
    after = play(state, f"attack {space} with {workers}")
    assert supply(after) == reward
    assert after.barbarian_discard == (barbarian,)
    assert after.row[space - 1] is None


@refuses("Y-A6")
def test_an_attack_costs_the_provisions_below_the_card() -> None:
    """Forgettable step 6: the sentence says 3 Provisions, you have 2."""
    state = position(row="- - - - - - clan", supply="red 1, provision 2")
    refusal = refused(state, "attack 7 with red")
    assert refusal.rule == "Y-A6"
    assert says(refusal) == {"what": "Y-A6", "cost": "3 provision", "have": 2}


@refuses("Y-A6")
def test_an_attack_needs_a_barbarian_and_the_workers_in_hand() -> None:
    state = position(row="elder - - - - - clan", supply="white 1, provision 3")
    assert refused(state, "attack 1").rule == "Y-A6"
    assert refused(state, "attack 2").rule == "Y-A6"
    assert refused(state, "attack 9").rule == "Y-A6"
    poor = refused(state, "attack 7 with red")
    assert (poor.rule, says(poor)) == ("Y-A6", {"what": "Y-A6", "cost": "1 red", "have": 0})


@refuses("Y-A6")
def test_nothing_of_the_row_is_done_outside_the_actions() -> None:
    """Gap G7: only trades are possible at any time."""
    state = position(phase=Phase.ATTACKS, row="elder - - - - - clan", supply=RICH)
    assert refused(state, "attack 7 with red").rule == "Y-A6"
    assert refused(state, "recruit 1").rule == "Y-A7"
    assert refused(state, "dismiss 1").rule == "Y-A8"
    assert refused(state, "canal with white white").rule == "Y-A5"
    assert refused(state, "farm 1 on 1 with white").rule == "Y-A9"


@holds("Y-A6", "Y-G11")
def test_a_barbarian_with_a_gold_turtle_opens_the_book() -> None:
    state = position(row="- - - - - - chief", supply="red 2, black 1, provision 3")
    after = play(state, "attack 7 with red red black")
    assert after.barbarian_discard == ("chief",)
    assert says(refused(after, "end")) == {"step": "story"}


@holds("Y-A6")
def test_what_nobody_has_read_on_a_barbarian_is_believed() -> None:
    """A card that is not in the pack, or a field nobody has read, accuses nobody."""
    state = play(position(pending="barbarian", row="elder"), "reveal 7 ?")
    rich = state.but(supply=position(supply=RICH).supply, main=position(supply=RICH).main)
    assert play(rich, "attack 7 with red red black").row[6] is None


@holds("Y-A7")
def test_a_recruit_pays_its_space_and_goes_to_exhausted_with_no_reward() -> None:
    state = play(position(row="elder - flute", supply="provision 2"), "recruit 3")
    assert supply(state) == "provision 1"
    assert state.exhausted == ("flute",)
    assert state.row[2] is None


@refuses("Y-A7")
def test_a_recruit_that_cannot_be_paid_is_refused_with_its_price() -> None:
    state = position(row="elder - - flute - - clan", supply="provision 1")
    refusal = refused(state, "recruit 4")
    assert refusal.rule == "Y-A7"
    assert says(refusal) == {"what": "Y-A7", "cost": "2 provision", "have": 1}
    assert refused(state, "recruit 2").rule == "Y-A7"
    assert refused(state, "recruit 7").rule == "Y-A7"


@holds("Y-A8")
def test_a_dismissed_card_goes_to_the_discard_and_gives_brown_items_only() -> None:
    state = play(position(row="elder potter", supply="provision 1"), "dismiss 2")
    assert supply(state) == "clay 1"
    assert state.discard == ("potter",)


@refuses("Y-A8")
def test_a_dismissal_is_paid_like_a_recruit() -> None:
    """Forgettable step 6."""
    refusal = refused(position(row="- - - - - elder", supply="provision 2"), "dismiss 6")
    assert refusal.rule == "Y-A8"
    assert says(refusal) == {"what": "Y-A8", "cost": "3 provision", "have": 2}


@holds("Y-A9")
def test_farms_are_built_in_any_order() -> None:
    state = position(built=1, supply="white 2, clay 2, wood 2")
    after = play(state, "farm 3 on 1 with white", "farm 1 on 2 with white")
    assert after.farms == (True, False, True)
    assert supply(after) == "provision 1, cowrie 1"


@refuses("Y-A9")
def test_a_farm_is_refused_without_its_cost_or_when_it_stands_already() -> None:
    poor = refused(position(supply="white 1, clay 1"), "farm 1 on 1 with white")
    assert poor.rule == "Y-A9"
    assert says(poor) == {"what": "Y-A9", "cost": "1 wood", "have": 0}
    assert refused(position(built=1, farms=(1,), supply=RICH), "farm 1 on 2 with white").rule == "Y-A9"
    assert refused(position(supply=RICH), "farm 4 on 1 with white").rule == "Y-A9"


@holds("Y-A10")
def test_outposts_are_built_in_any_order_for_three_wood() -> None:
    after = play(position(supply="white 1, clay 1, wood 3"), "outpost 4 on 1 with white")
    assert after.outposts == (False, False, False, True)
    assert supply(after) == "provision 1"


@refuses("Y-A10")
def test_an_outpost_is_refused_without_three_wood() -> None:
    refusal = refused(position(supply="white 1, clay 1, wood 2"), "outpost 1 on 1 with white")
    assert refusal.rule == "Y-A10"
    assert says(refusal) == {"what": "Y-A10", "cost": "3 wood", "have": 2}


@holds("Y-A11")
def test_a_hut_gains_its_site_then_its_card_is_turned_over_resolved_and_put_away() -> None:
    state = play(position(supply="white 1, clay 3, wood 1"), "hut 1 on 1 with white", "flip 1 hut-c")
    assert supply(state) == "provision 1, cowrie 2"
    assert state.huts == 1
    assert state.box == ("hut-c",)
    assert len(state.hut_cards) == 5


@holds("Y-A11")
def test_a_hut_cards_effects_are_resolved_from_left_to_right() -> None:
    """Gap G8."""
    state = play(
        position(supply="white 1, clay 3, wood 1", ready="elder"), "hut 1 on 1 with white", "flip 1 hut-b"
    )
    assert legal(state) == ["take red", "take black", "take blue", "take yellow"]
    assert legal(play(state, "take blue")) == ["use 1 with blue", "draw elder"][1:]


@refuses("Y-A11")
def test_huts_are_built_from_left_to_right() -> None:
    refusal = refused(position(supply=RICH), "hut 2 on 1 with white")
    assert refusal.rule == "Y-A11"
    assert says(refusal) == {"number": 2, "next": 1}
    poor = refused(position(supply="white 1, clay 2, wood 1"), "hut 1 on 1 with white")
    assert (poor.rule, says(poor)["cost"]) == ("Y-A11", "3 clay")


@holds("Y-A12")
def test_a_worker_of_any_colour_sits_down_for_the_reward_and_stays_the_players() -> None:
    for colour in ("white", "red", "black", "blue", "yellow"):
        state = play(position(supply=colour), f"use 1 with {colour}")
        assert supply(state) == "provision 1"
        assert state.circles[0] is not None


@refuses("Y-A12")
def test_a_hut_space_holds_one_worker_and_must_be_open() -> None:
    taken = refused(position(supply="red 1", on_huts="white"), "use 1 with red")
    assert (taken.rule, says(taken)) == ("Y-A12", {"circle": 1})
    closed = refused(position(supply="red 1"), "use 2 with red")
    assert (closed.rule, says(closed)) == ("Y-A12", {"circle": 2, "open": 1})
    two = refused(position(supply="red 2"), "use 1 with red red")
    assert (two.rule, says(two)) == ("Y-A12", {"found": 2})
    none = refused(position(), "use 1 with red")
    assert (none.rule, says(none)["have"]) == ("Y-A12", 0)


TRADES = [
    # built, trade, before, moves, after
    (0, "cowrie 3", ["trade 1 clay"], "clay 1"),
    (0, "cowrie 3", ["trade 1 wood"], "wood 1"),
    (1, "cowrie 2", ["trade 2"], "provision 1"),
    (2, "", ["trade 3 elder"], "cowrie 2"),
    (3, "white 1, provision 1", ["trade 4 yellow with white"], "yellow 1"),
    (4, "cowrie 4", ["trade 5"], "white 1"),
    (5, "provision 2, cowrie 2", ["trade 6", "draw-pile flute"], ""),
    (6, "clay 1", ["trade 7 clay"], "cowrie 1"),
    (6, "wood 1", ["trade 7 wood"], "cowrie 1"),
]


@holds("Y-A13")
@pytest.mark.parametrize(("built", "before", "moves", "after"), TRADES)
def test_the_seven_trades(built: int, before: str, moves: list[str], after: str) -> None:
    state = play(position(built=built, supply=before, hand="elder", draw="flute"), *moves)
    assert supply(state) == after


@refuses("Y-A13")
@pytest.mark.parametrize(("built", "before", "moves", "after"), [row for row in TRADES if row[0]])
def test_a_trade_is_hidden_until_its_section_is_built(
    built: int, before: str, moves: list[str], after: str
) -> None:
    assert after is not None
    refusal = refused(position(built=built - 1, supply=before, hand="elder"), moves[0])
    assert refusal.rule == "Y-A13"
    assert says(refusal) == {"trade": int(moves[0].split()[1]), "section": built}


@refuses("Y-A13")
def test_a_trade_that_cannot_be_paid_says_what_it_costs() -> None:
    for trade, had, cost in (
        ("trade 1 clay", "cowrie 2", "3 cowrie"),
        ("trade 2", "cowrie 1", "2 cowrie"),
        ("trade 5", "cowrie 3", "4 cowrie"),
        ("trade 6", "provision 2, cowrie 1", "2 cowrie"),
        ("trade 7 clay", "wood 1", "1 clay"),
    ):
        refusal = refused(position(built=6, supply=had), trade)
        assert (refusal.rule, says(refusal)["cost"]) == ("Y-A13", cost)


@refuses("Y-A13")
def test_trade_four_gives_no_white_and_trade_three_needs_a_card_in_hand() -> None:
    """Differences 2 and 4 of the page."""
    state = position(built=6, supply="white 1, provision 1", row="elder")
    assert refused(state, "trade 4 white with white").rule == "Y-A13"
    assert refused(state, "trade 3 elder").rule == "Y-A13"
    assert refused(state, "trade 1 cowrie").rule == "Y-A13"
    assert refused(state, "trade 7 cowrie").rule == "Y-A13"


@holds("Y-A13", "Y-G8")
def test_trade_six_draws_from_the_draw_pile_and_never_moves_the_flood() -> None:
    """Difference 3 of the page."""
    state = position(
        built=5, supply="provision 2, cowrie 2", ready="", draw="", discard="flute", exhausted="rider"
    )
    after = play(state, "trade 6", "draw-pile flute")
    assert (after.hand, after.flood, after.exhausted) == (("flute",), 0, ("rider",))


@holds("Y-A14")
def test_the_left_most_card_is_free_for_recruit_or_dismiss() -> None:
    """Difference 10 of the page."""
    state = position(row="potter elder")
    assert {"recruit 1", "dismiss 1"} <= set(legal(state))
    assert supply(play(state, "dismiss 1")) == "clay 1"


@holds("Y-A14")
def test_nothing_slides_so_the_next_card_still_costs_its_own_space() -> None:
    """Forgettable step 10; gap G5: charged by space."""
    state = play(position(row="potter elder"), "recruit 1")
    assert state.row[:2] == (None, "elder")
    refusal = refused(state, "recruit 2")
    assert says(refusal) == {"what": "Y-A7", "cost": "1 provision", "have": 0}


@holds("Y-A15")
def test_a_building_gains_what_it_covers_on_any_open_site() -> None:
    """Forgettable step 11; EN L290: a site may give one Worker of any colour but White."""
    state = play(position(built=2, supply="white 1, clay 1, wood 1"), "farm 2 on 3 with white")
    assert legal(state) == ["take red", "take black", "take blue", "take yellow"]
    assert state.sites == (None, None, "farm-2", None, None, None, None, None, None)


@refuses("Y-A15")
def test_a_building_needs_an_open_and_free_site() -> None:
    closed = refused(position(supply=RICH), "farm 1 on 2 with white")
    assert (closed.rule, says(closed)) == ("Y-A15", {"site": 2, "section": 1})
    taken = refused(position(farms=(2,), supply=RICH), "farm 1 on 1 with white")
    assert (taken.rule, says(taken)) == ("Y-A15", {"site": 1})
    absent = refused(position(supply=RICH), "farm 1 on 10 with white")
    assert (absent.rule, says(absent)) == ("Y-A15", {"site": 10})


@holds("Y-A15")
def test_sites_open_section_by_section() -> None:
    for built, expected in enumerate((1, 2, 3, 4, 6, 8, 9)):
        state = position(built=built, supply="white 1, clay 1, wood 1")
        sites = {line.split()[3] for line in legal(state) if line.startswith("farm 1")}
        assert len(sites) == expected


@holds("Y-A16")
def test_a_worker_on_a_hut_space_pays_for_nothing() -> None:
    state = play(position(supply="white 1, clay 1, wood 1"), "use 1 with white")
    refusal = refused(state, "farm 1 on 1 with white")
    assert says(refusal) == {"what": "Y-A9", "cost": "1 white", "have": 0}


@holds("Y-A17")
def test_each_hut_opens_one_hut_space_and_one_tuck_slot() -> None:
    for huts in range(5):
        state = position(built=6, huts=huts, hand="elder", supply="red 1")
        lines = legal(state)
        assert sum(line.startswith("tuck elder") for line in lines) == 1 + huts
        assert sum(line.startswith("use ") for line in lines) == 1 + huts


@holds("Y-K1")
def test_the_section_is_built_before_its_effects_so_the_flood_is_safe_on_it() -> None:
    state = position(
        built=2, flood=2, supply="white 3, cowrie 2", ready="", exhausted="elder flute", river=RIVER_DESTROYS
    )
    after = play(state, "canal with white white white", "shuffle", "destroy elder", "destroy flute")
    assert (after.flood, after.result) == (3, None)
    assert after.discard == ("elder", "flute")


RIVER_DESTROYS = "canal-a canal-b canal-d canal-e canal-g canal-h"


@holds("Y-K1", "Y-G10")
def test_the_trade_below_the_new_section_is_usable_while_its_effects_are_resolved() -> None:
    """Section 3 uncovers trade 4; it is there before the first card is destroyed."""
    state = position(built=2, supply="white 4, cowrie 2, provision 1", ready="elder flute")
    middle = play(state, "canal with white white white")
    assert middle.pending
    after = play(middle, "trade 4 red with white", "destroy elder", "destroy flute")
    assert supply(after) == "red 1, clay 1, wood 1"


@holds("Y-K1")
def test_a_canals_damage_can_lose_the_game_in_the_middle_of_building() -> None:
    state = position(built=2, supply="white 3, cowrie 2", ready="elder", exhausted="")
    after = play(state, "canal with white white white", "destroy elder")
    assert after.result is Result.DAMAGE
    assert supply(after) == "clay 1, wood 1"


@holds("Y-T1")
def test_what_a_trade_spends_is_in_the_box_before_its_gain() -> None:
    """All ten White are in the supply: the one spent in trade 4 is the one that trade 5 gives."""
    state = position(built=6, supply="white 10, provision 1, cowrie 4")
    after = play(state, "trade 4 red with white", "trade 5")
    assert supply(after) == "white 10, red 1"


@holds("Y-A13")
def test_a_trade_whose_result_the_box_lacks_is_legal_and_gives_nothing() -> None:
    """Gap G2."""
    state = position(supply="cowrie 3, clay 9")
    assert supply(play(state, "trade 1 clay")) == "clay 9"


@holds("Y-G4", "Y-G9")
def test_a_draw_due_blocks_every_other_action() -> None:
    state = position(pending="draw", hand="elder", supply=RICH, row="flute")
    for line in ("end", "play elder", "recruit 1", "use 1 with red", "canal with white white"):
        assert says(refused(state, line)) == {"step": "draw"}
