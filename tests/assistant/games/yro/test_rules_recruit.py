"""Draw and Recruit: what may be discarded, chosen, paid and placed, and what a placed card brings."""

import pytest

from assistant.facedown import Cards, count
from assistant.games.yro import rules
from assistant.games.yro.copy import settings_of
from assistant.games.yro.mixes import outcomes
from assistant.games.yro.purse import worth
from assistant.games.yro.state import Phase, State, changed
from tests.assistant.games.yro.builders import (
    begun,
    cards,
    copy_for,
    grid,
    holds,
    play,
    position,
    refused,
    refuses,
    with_coins,
)
from vision.cards import CardId

TWO = copy_for(2)
HAND = cards("otter-scout tide-runner badger-boxer spore-mage root-giant")


def choosing(**player: object) -> State:
    return position(TWO, Phase.CHOOSE, {"hand": HAND, **player})


def recruiting(**player: object) -> State:
    return position(TWO, Phase.RECRUIT, player)


@holds("R-S1", "R-C1")
def test_everybody_begins_with_five_coins_and_is_dealt_five_cards() -> None:
    state = begun(TWO)
    assert [worth(player.coins) for player in state.players] == [5, 5]
    assert len(state.pending) == 10
    assert count(state.deck) == 102
    assert [(player.force, player.vp, player.tech, player.magic) for player in state.players] == [
        (0, 0, 0, 0)
    ] * 2
    assert worth(state.bank) + 10 == worth(TWO.box)
    assert sum(TWO.box) == 68


@refuses("R-S1")
def test_cards_are_dealt_in_order_and_only_from_the_deck() -> None:
    assert refused(TWO, begun(TWO), "draw 2 otter-scout") == "R-S1"
    assert refused(TWO, begun(TWO), "draw 1 nobody-known") == "R-S1"


@holds("R-D1")
def test_any_number_is_discarded_and_drawn_anew_in_round_one_too() -> None:
    state = position(TWO, Phase.DRAW, {"hand": HAND}, round=1)
    after = play(TWO, state, "discard 1 otter-scout", "discard 1 spore-mage", "keep 1")
    assert after.fresh == ("otter-scout", "spore-mage")
    assert after.todo == (2,)
    after = play(TWO, after, "keep 2", "draw 1 reef-queen", "draw 1 lance-rider")
    assert len(after.players[0].hand) == 5


@holds("R-D1")
def test_an_empty_deck_is_made_of_the_cards_of_earlier_rounds_only() -> None:
    state = position(TWO, Phase.DRAW, {"hand": HAND})
    old = tuple(sorted(state.mixes[0]))
    state = state.but(deck=(), mixes=((),), discard=old)
    after = play(TWO, state, "discard 1 otter-scout", "keep 1", "keep 2", "shuffle")
    assert after.fresh == ("otter-scout",)
    assert count(after.deck) == len(old)
    assert sum(chance for _, chance in outcomes(after.mixes, after.deck)) == pytest.approx(1)


@refuses("R-D1")
def test_only_held_cards_are_discarded_and_nothing_is_shuffled_early() -> None:
    state = position(TWO, Phase.DRAW, {"hand": HAND})
    assert refused(TWO, state, "discard 1 lance-rider") == "R-D1"
    assert refused(TWO, state, "shuffle") == "R-D1"
    assert refused(TWO, play(TWO, state, "keep 1"), "keep 1") == "R-D1"
    assert refused(TWO, play(TWO, state, "keep 1"), "discard 1 otter-scout") == "R-D1"


@holds("R-R1")
def test_two_cards_are_paid_in_full_and_one_costs_one_less() -> None:
    pair = play(TWO, choosing(), "choose 1 badger-boxer tide-runner", "choose 2 nothing", "recruit 1")
    pair = play(TWO, pair, "place 1 badger-boxer 2 2", "place 1 tide-runner 2 3")
    assert worth(pair.players[0].coins) == 5 - 2 - 3
    one = play(
        TWO, choosing(), "choose 1 tide-runner", "choose 2 nothing", "recruit 1", "place 1 tide-runner 1 1"
    )
    assert worth(one.players[0].coins) == 5 - 3 + 1


@holds("R-R1")
def test_who_recruits_nobody_takes_two_coins() -> None:
    after = play(TWO, choosing(), "choose 1 nothing", "choose 2 nothing", "recruit 1")
    assert worth(after.players[0].coins) == 7


@holds("R-R1")
def test_a_card_without_cost_is_not_paid_for() -> None:
    state = position(TWO, Phase.CHOOSE, {"hand": cards("free-lance")})
    after = play(TWO, state, "choose 1 free-lance", "choose 2 nothing", "recruit 1", "place 1 free-lance 1 1")
    assert worth(after.players[0].coins) == 5


@refuses("R-R1")
def test_neither_three_cards_nor_more_than_one_can_pay_are_chosen() -> None:
    assert refused(TWO, choosing(), "choose 1 otter-scout spore-mage badger-boxer") == "R-R1"
    assert refused(TWO, choosing(), "choose 1 root-giant otter-scout") == "R-R1"
    assert refused(TWO, choosing(), "choose 1 lance-rider") == "R-R1"


@refuses("R-R1")
def test_coins_of_the_first_card_do_not_pay_for_the_second() -> None:
    """D7.9: both costs are due when the cards are revealed."""
    state = with_coins(choosing(), 1, (2, 0, 0))
    assert refused(TWO, state, "choose 1 otter-scout badger-boxer") == "R-R1"
    unread = position(
        TWO, Phase.RECRUIT, {"placing": cards("otter-scout badger-boxer"), "budget": 2}, todo=()
    )
    unread = with_coins(unread, 1, (2, 0, 0))
    after = play(TWO, unread, "place 1 otter-scout 1 1")
    assert worth(after.players[0].coins) == 3
    assert refused(TWO, after, "place 1 badger-boxer 1 2") == "R-R1"


@refuses("R-R1")
def test_a_card_that_was_not_revealed_is_not_placed() -> None:
    assert refused(TWO, choosing(), "place 1 otter-scout 1 1") == "R-R1"


ONE = grid(". . .", ". otter-scout .", ". . .")


@holds("R-R2")
def test_a_card_touches_another_in_any_direction_and_may_push_the_grid_along() -> None:
    state = recruiting(placing=cards("free-lance"), budget=5, grid=ONE)
    places = {action.at for action in rules.legal_actions(TWO, state) if action.cards}
    assert places == {12, 21, 23, 32}
    edge = grid("otter-scout tide-runner .", ". . .", ". . .")
    state = recruiting(placing=cards("free-lance"), budget=5, grid=edge)
    places = {action.at for action in rules.legal_actions(TWO, state) if action.cards}
    assert places == {1, 2, 10, 13, 21, 22}
    pushed = play(TWO, state, "place 1 free-lance 0 1")
    assert pushed.players[0].grid == grid("free-lance . .", "otter-scout tide-runner .", ". . .")


@holds("R-R2")
def test_the_first_card_lies_anywhere() -> None:
    state = recruiting(placing=cards("free-lance"), budget=5)
    places = {action.at for action in rules.legal_actions(TWO, state) if action.cards}
    assert len(places) == 9


@refuses("R-R2")
def test_a_corner_is_no_neighbour_and_four_in_a_row_do_not_fit() -> None:
    state = recruiting(placing=cards("free-lance"), budget=5, grid=ONE)
    assert refused(TWO, state, "place 1 free-lance 1 1") == "R-R2"
    row = recruiting(
        placing=cards("free-lance"),
        budget=5,
        grid=grid("otter-scout tide-runner badger-boxer", ". . .", ". . ."),
    )
    assert refused(TWO, row, "place 1 free-lance 1 4") == "R-R2"
    assert refused(TWO, row, "place 1 free-lance 1 0") == "R-R2"


@holds("R-R5")
def test_a_new_card_may_lie_in_front_of_the_old_front() -> None:
    state = recruiting(placing=cards("lance-rider"), budget=5, grid=grid("otter-scout . .", ". . .", ". . ."))
    after = play(TWO, state, "place 1 lance-rider 0 1")
    assert after.players[0].grid[0] == "lance-rider"
    assert after.players[0].grid[3] == "otter-scout"


@refuses("R-R5")
def test_a_placed_card_is_not_replaced() -> None:
    state = recruiting(placing=cards("free-lance"), budget=5, grid=ONE)
    assert refused(TWO, state, "place 1 free-lance 2 2") == "R-R5"


@holds("R-R3")
def test_a_recruit_effect_comes_once_right_after_the_card() -> None:
    state = recruiting(placing=cards("spore-mage"), budget=5, grid=ONE)
    after = play(TWO, state, "place 1 spore-mage 2 1")
    assert after.players[0].magic == 2
    assert TWO.gained(2, after.players[0].grid, TWO.levelled(after.players[0])) == (0, 0, 0, 0, 0)


@holds("R-R4")
def test_a_row_of_the_floating_city_gives_tech_and_magic() -> None:
    line = grid("sky-sentry . rune-golem", ". otter-scout .", ". . .")
    state = recruiting(placing=cards("cloud-surveyor"), budget=9, grid=line)
    after = play(TWO, with_coins(state, 1, (3, 2, 0)), "place 1 cloud-surveyor 1 2")
    assert (after.players[0].tech, after.players[0].magic) == (2, 2)


@holds("R-R4")
def test_a_column_of_mages_gives_magic_and_two_lines_at_once_pay_both() -> None:
    column = grid("heron-seer . .", ". . .", "rain-caller . .")
    state = recruiting(placing=cards("hour-mage"), budget=5, grid=column)
    assert play(TWO, state, "place 1 hour-mage 2 1").players[0].magic == 2
    both = grid("heron-seer . .", ". sky-sentry rune-golem", "rain-caller . .")
    state = recruiting(placing=cards("hour-mage"), budget=5, grid=both)
    after = play(TWO, state, "place 1 hour-mage 2 1").players[0]
    assert (after.tech, after.magic) == (2, 4)


@holds("R-R4")
def test_a_line_pays_only_when_it_is_completed() -> None:
    line = grid("sky-sentry cloud-surveyor rune-golem", ". . .", ". . .")
    state = recruiting(placing=cards("free-lance"), budget=5, grid=line)
    after = play(TWO, state, "place 1 free-lance 2 1").players[0]
    assert (after.tech, after.magic) == (0, 0)


@holds("R-C1")
def test_coins_are_changed_at_their_worth() -> None:
    after = play(TWO, choosing(), "change 1 2 1 0")
    assert after.players[0].coins == (2, 1, 0)


@refuses("R-C1")
def test_changing_money_gains_nothing() -> None:
    assert refused(TWO, choosing(), "change 1 0 2 0") == "R-C1"


@holds("R-C2")
def test_a_card_that_was_drawn_unseen_gets_its_name_when_it_is_turned_up() -> None:
    unread = {"hand": cards("?a0 ?a0 ?a0 ?a0 ?a0")}
    state = position_with_unread(unread)
    after = play(TWO, state, "choose 1 ?a0", "choose 2 nothing", "recruit 1", "name 1 tide-runner 0 0")
    after = play(TWO, after, "place 1 tide-runner 2 2")
    assert worth(after.players[0].coins) == 3
    assert list(after.mixes[0]).count(CardId("tide-runner")) == 1


@refuses("R-C2")
def test_a_card_of_which_every_copy_lies_open_is_no_unread_one() -> None:
    state = position_with_unread({"hand": cards("?a0 ?a0 ?a0 ?a0 ?a0")})
    state = play(TWO, state, "choose 1 ?a0 ?a0", "choose 2 nothing", "recruit 1", "name 1 root-giant 0 0")
    assert refused(TWO, state, "name 1 root-giant 0 0") == "R-C2"


def position_with_unread(player: dict[str, Cards]) -> State:
    """Five cards that nobody has seen: they are still members of the one mix."""
    state = position(TWO, Phase.CHOOSE)
    held = changed(state.players[0], hand=player["hand"])
    return state.with_player(1, held, deck=((0, 97),))


@holds("R-DR1")
def test_a_draft_keeps_two_and_passes_the_others_to_the_left() -> None:
    draft = copy_for(2, draft="yes")
    other = cards("reef-queen lance-rider lamp-digger kite-pilot road-trader")
    state = position(draft, Phase.DRAFT, {"hand": HAND}, {"hand": other})
    after = play(draft, state, "pick 1 otter-scout", "pick 2 reef-queen")
    assert after.players[0].hand == cards("lance-rider lamp-digger kite-pilot road-trader")
    assert after.players[1].hand == cards("tide-runner badger-boxer spore-mage root-giant")
    rounds = (("lance-rider", "root-giant"), ("spore-mage", "kite-pilot"), ("lamp-digger", "tide-runner"))
    for first, second in rounds:
        after = play(draft, after, f"pick 1 {first}", f"pick 2 {second}")
    after = play(draft, after, "pick 1 badger-boxer", "pick 2 road-trader")
    assert after.phase is Phase.CHOOSE
    assert after.players[0].hand == cards("badger-boxer lamp-digger lance-rider otter-scout spore-mage")


@refuses("R-DR1")
def test_a_draft_keeps_exactly_two_cards_and_picks_from_the_hand() -> None:
    draft = copy_for(2, draft="yes")
    state = position(draft, Phase.DRAW, {"hand": HAND})
    assert refused(draft, state, "keep 1") == "R-DR1"
    two = position(draft, Phase.DRAW, {"hand": cards("badger-boxer otter-scout")})
    assert refused(draft, two, "discard 1 otter-scout") == "R-DR1"
    assert refused(draft, position(draft, Phase.DRAFT, {"hand": HAND}), "pick 1 reef-queen") == "R-DR1"


def test_an_option_that_the_rules_do_not_know_is_refused() -> None:
    with pytest.raises(Exception, match="players must be one of"):
        settings_of({"players": "6"})
