"""A1 to A4 of the rules page: what is in the box, and how a campaign and a game are set up."""

from collections import Counter

import pytest

from assistant.facedown import count
from assistant.games.yu import mixes, rules
from assistant.games.yu.campaign import may_flip, new_campaign, refuse_flip
from assistant.games.yu.pieces import COWRIE, NONE, PIECES, TOTALS, WHITE
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.state import Phase, Result, State, StoryCard
from tests.assistant.games.yu.builders import (
    check_sound,
    holds,
    legal,
    play,
    position,
    refused,
    refuses,
    says,
    supply,
)
from tests.assistant.games.yu.cards import COPY, PACK, THIN_COPY
from vision.cards import CardId


def dealt() -> State:
    """A game whose face-up cards have been revealed: Round 1 is about to be harvested."""
    return play(
        start(COPY, starting_decks(COPY)),
        "reveal 1 flute", "reveal 2 elder", "reveal 3 carrier", "reveal 4 peasant", "reveal 5 peasant",
        "reveal 6 potter", "reveal 7 archer", "deal 1 canal-b", "deal 2 canal-a", "deal 3 canal-d",
        "deal 4 canal-e", "deal 5 canal-g", "deal 6 canal-h",
    )  # fmt: skip


@holds("Y-C1")
def test_a_campaign_starts_with_30_townsfolk_16_barbarians_10_canals_and_6_huts() -> None:
    decks = starting_decks(COPY)
    assert len(decks.townsfolk) == 30
    assert len(decks.barbarians) == 16
    assert sum(len(group) for group in decks.canals) == 10
    assert len(decks.huts) == 6
    campaign = new_campaign(COPY)
    assert len(campaign.victory) == len(campaign.defeat) == 7


@holds("Y-C1")
def test_where_a_pack_lacks_cards_strangers_stand_for_them() -> None:
    decks = starting_decks(THIN_COPY)
    assert Counter(decks.townsfolk) == {"flute": 1, "elder": 1, "?t": 28}
    assert Counter(decks.barbarians) == {"archer": 1, "?b": 15}
    assert len(decks.huts) == 6


@holds("Y-C2")
def test_the_box_holds_ten_white_workers_and_six_of_each_other_colour() -> None:
    assert dict(zip(PIECES[:5], TOTALS[:5], strict=True)) == {
        "white": 10, "red": 6, "black": 6, "blue": 6, "yellow": 6,
    }  # fmt: skip
    assert sum(TOTALS[:5]) == 34


@holds("Y-C3")
def test_the_box_holds_nine_of_each_resource_and_twelve_cowries() -> None:
    assert dict(zip(PIECES[5:], TOTALS[5:], strict=True)) == {
        "clay": 9, "wood": 9, "provision": 9, "cowrie": 12,
    }  # fmt: skip
    state = State()
    assert (len(state.farms), len(state.outposts), len(state.sites)) == (3, 4, 9)


@holds("Y-C4")
def test_pieces_in_the_supply_the_box_and_on_huts_always_add_up() -> None:
    state = position(supply="white 1, red 1, cowrie 3", built=1)
    after = play(state, "use 1 with red", "trade 1 clay")
    assert after.circles[0] == 1
    assert supply(after) == "white 1, clay 1, provision 1"
    assert after.main[COWRIE] == 12
    assert after.main[WHITE] == 9


@refuses("Y-C4")
def test_a_piece_that_nothing_gives_is_not_taken() -> None:
    refusal = refused(position(), "take clay")
    assert refusal.rule == "Y-C4"
    assert says(refusal) == {"piece": "1 clay"}


@holds("Y-C5")
def test_every_card_is_in_exactly_one_place_through_set_up() -> None:
    state = start(COPY, starting_decks(COPY))
    before = check_sound(state)
    check_sound(dealt(), before)
    assert before.total() == 30 + 16 + 10 + 6


@refuses("Y-C5")
def test_a_card_that_lies_elsewhere_cannot_be_drawn() -> None:
    state = position(phase=Phase.HARVEST, harvest="draw", hand="elder")
    refusal = refused(state, "draw elder")
    assert refusal.rule == "Y-C5"
    assert says(refusal) == {"card": "elder"}


@refuses("Y-C5")
def test_a_card_that_no_pack_knows_cannot_be_drawn() -> None:
    assert refused(position(pending="draw"), "draw nobody").rule == "Y-C5"


@holds("Y-C6")
def test_a_coloured_worker_may_be_any_colour_but_white_and_any_worker_may_be_white() -> None:
    coloured = position(pending="coloured")
    assert legal(coloured) == ["take red", "take black", "take blue", "take yellow"]
    either = position(pending="any")
    assert legal(either) == ["take white", "take red", "take black", "take blue", "take yellow"]


@refuses("Y-C6")
def test_white_is_not_a_coloured_worker() -> None:
    refusal = refused(position(pending="coloured"), "take white")
    assert refusal.rule == "Y-C6"
    assert says(refusal) == {"piece": "1 white"}


@holds("Y-C7")
def test_food_gives_nothing_when_a_card_is_played_or_discarded() -> None:
    state = position(hand="elder spear")
    assert supply(play(state, "play spear")) == "blue 1"
    assert "food spear" not in legal(state)
    assert refused(state, "food spear").rule == "Y-A4"


@holds("Y-S1")
def test_the_gold_card_can_only_be_the_last_to_be_turned_over() -> None:
    campaign = new_campaign(COPY)._replace(last=Result.WIN, wins=1)
    assert CardId("victory-gold") not in may_flip(COPY, campaign)
    assert len(may_flip(COPY, campaign)) == 6
    last = campaign._replace(victory=(CardId("victory-gold"),))
    assert may_flip(COPY, last) == ("victory-gold",)


@refuses("Y-S1")
def test_the_gold_card_is_refused_while_others_lie_above_it() -> None:
    campaign = new_campaign(COPY)._replace(last=Result.FLOOD, losses=1)
    refusal = refuse_flip(COPY, campaign, CardId("defeat-gold"))
    assert refusal is not None
    assert refusal.rule == "Y-S1"
    assert says(refusal) == {"cards": 6}


@holds("Y-S2", "Y-A18")
def test_while_an_entry_is_open_the_book_may_tell_anything() -> None:
    state = position(pending="turtle#99", supply="cowrie 2", discard="potter")
    after = play(
        state,
        "story gain white provision",
        "story lose cowrie",
        "story move potter discard hand",
        "story play 31 stays",
        "story food milk cowrie+2",
        "story end",
    )
    assert supply(after) == "white 1, provision 1, cowrie 1"
    assert after.hand == ("potter",)
    assert after.story_cards == (StoryCard(31, True),)
    assert not after.pending
    assert supply(play(after, "play potter")) == "white 1, clay 1, provision 1, cowrie 1"


@holds("Y-S2")
def test_an_entry_that_our_book_knows_tells_its_own_words_in_order() -> None:
    state = position(pending="turtle#3")
    assert legal(state) == ["story gain provision"]
    after = play(
        state, "story gain provision", "story move hermit story discard", "story play 8 stays", "story end"
    )
    assert supply(after) == "provision 1"
    assert after.discard == ("hermit",)


@refuses("Y-S2")
def test_nothing_of_the_story_happens_while_the_book_is_closed() -> None:
    for line in (
        "story gain cowrie", "story lose cowrie", "story move elder story hand", "story play 8 game",
        "story drop 8", "story food milk cowrie", "story end",
    ):  # fmt: skip
        assert refused(position(), line).rule == "Y-S2"


@refuses("Y-S2")
def test_an_entry_cannot_take_more_than_there_is() -> None:
    state = position(pending="turtle#99", supply="cowrie 1")
    refusal = refused(state, "story lose cowrie cowrie")
    assert refusal.rule == "Y-S2"
    assert says(refusal)["have"] == 1


@refuses("Y-S2")
def test_an_entry_of_our_own_book_is_not_closed_before_its_end() -> None:
    assert refused(position(pending="turtle#3"), "story end").rule == "Y-S2"


@refuses("Y-S2")
def test_a_card_comes_out_of_the_story_deck_only_once() -> None:
    state = play(position(pending="turtle#99"), "story move hermit story hand")
    assert state.hand == ("hermit",)
    assert refused(state, "story move hermit story hand").rule == "Y-S2"
    assert refused(state, "story move elder story hand").rule == "Y-S2"
    assert refused(state, "story move nobody story hand").rule == "Y-S2"


@refuses("Y-S2")
def test_an_entry_gives_only_what_can_be_printed() -> None:
    assert refused(position(pending="turtle#99"), "story gain gold").rule == "Y-S2"


@holds("Y-S3")
def test_ten_cards_are_ready_six_lie_in_the_row_and_fourteen_in_the_draw_pile() -> None:
    state = dealt()
    assert count(state.ready) == 10
    assert count(state.draw) == 14
    assert sum(not COPY.is_barbarian(card) for card in state.row) == 6
    assert (state.exhausted, state.discard, state.hand) == ((), (), ())


@refuses("Y-S3", "Y-S4")
def test_set_up_reveals_the_row_from_left_to_right() -> None:
    state = start(COPY, starting_decks(COPY))
    refusal = refused(state, "reveal 3 elder")
    assert refusal.rule == "Y-S3"
    assert says(refusal) == {"space": 1, "found": 3}
    six = play(state, *(f"reveal {space} peasant" for space in range(1, 7)))
    assert refused(six, "reveal 1 archer").rule == "Y-S4"


@holds("Y-S4")
def test_one_barbarian_lies_in_the_right_most_space() -> None:
    state = dealt()
    assert state.row[6] == "archer"
    assert count(state.barbarian_draw) == 15


@holds("Y-S5")
def test_two_canals_of_each_jade_group_lie_on_their_river_spaces() -> None:
    state = dealt()
    assert [PACK[card].group for card in state.canal if card] == ["1-2", "1-2", "3-4", "3-4", "5-6", "5-6"]
    assert state.canal_groups == (("canal-c",), ("canal-f",), ("canal-i", "canal-j"))


@refuses("Y-S5")
def test_a_canal_of_another_jade_group_is_refused() -> None:
    state = start(COPY, starting_decks(COPY))
    state = play(state, *(f"reveal {space} peasant" for space in range(1, 7)), "reveal 7 archer")
    assert refused(state, "deal 1 canal-g").rule == "Y-S5"
    assert refused(state, "deal 2 canal-a").rule == "Y-S5"


@holds("Y-S6")
def test_the_hut_cards_stay_unseen_and_all_six_are_possible() -> None:
    assert len(dealt().hut_cards) == 6


@refuses("Y-S6")
def test_a_hut_card_is_not_turned_over_before_its_hut_is_built() -> None:
    assert refused(position(), "flip 1 hut-a").rule == "Y-S6"


@holds("Y-S7")
def test_the_board_begins_empty_with_the_flood_at_the_start_and_the_barge_on_section_one() -> None:
    state = dealt()
    assert (state.flood, state.barge, state.huts) == (0, 1, 0)
    assert state.supply == NONE
    assert state.main == TOTALS
    assert not any((*state.farms, *state.outposts, *state.sites))
    assert (state.phase, state.round) == (Phase.HARVEST, 1)


@holds("Y-S8")
def test_lasting_story_cards_and_food_are_set_up_again() -> None:
    decks = starting_decks(COPY)._replace(story_cards=(StoryCard(8, True),))
    assert start(COPY, decks).story_cards == (StoryCard(8, True),)


@holds("Y-S3")
def test_the_chance_of_each_first_card_follows_from_the_deck() -> None:
    state = start(COPY, starting_decks(COPY))
    chances = {action.card: chance for action, chance in rules.chance(COPY, state)}
    assert chances[CardId("peasant")] == pytest.approx(14 / 30)
    assert chances[CardId("elder")] == pytest.approx(1 / 30)


@holds("Y-C5")
def test_an_unread_card_is_a_card_like_any_other() -> None:
    state = play(position(phase=Phase.HARVEST, harvest="draw", ready="elder potter"), "draw ?")
    (held,) = state.hand
    assert mixes.is_token(held)
    assert refused(state, "play flute").rule == "Y-A1"
    after = play(state, "play elder")
    assert after.exhausted == ("elder",)
    assert legal(after.but(pending=position(pending="draw").pending)) == ["draw potter"]
