"""A10 of the rules page: what follows a game, and what stays."""

import pytest

from assistant.games.yu.campaign import (
    Campaign,
    entry_to_read,
    finished,
    flipped,
    may_flip,
    new_campaign,
    next_game,
    over,
    refuse_entry,
    refuse_flip,
    refuse_next_game,
    reset,
)
from assistant.games.yu.pieces import NONE, TOTALS
from assistant.games.yu.state import Phase, Result, State, StoryCard
from tests.assistant.games.yu.builders import every_card, holds, play, position, refuses, says
from tests.assistant.games.yu.cards import COPY, PACK, THIN_COPY
from vision.cards import CardId


def ended(result: Result, **facts: object) -> State:
    return position(**facts).but(result=result)  # type: ignore[arg-type]


def after_game(campaign: Campaign, result: Result) -> Campaign:
    """One more game, and its card turned over."""
    played = finished(COPY, campaign, ended(result))
    return flipped(played, may_flip(COPY, played)[0])


@holds("Y-Z1")
def test_a_win_turns_over_a_victory_card_with_one_entry() -> None:
    campaign = finished(COPY, new_campaign(COPY), ended(Result.WIN))
    card = may_flip(COPY, campaign)[0]
    assert PACK[card].kind == "victory"
    assert entry_to_read(COPY, card, Result.WIN) == 110
    assert len(flipped(campaign, card).victory) == 6


@holds("Y-Z1")
@pytest.mark.parametrize(
    ("result", "entry"), [(Result.FLOOD, 110), (Result.BARBARIANS, 111), (Result.DAMAGE, 111)]
)
def test_a_loss_reads_the_top_entry_for_the_flood_and_the_bottom_one_otherwise(
    result: Result, entry: int
) -> None:
    assert entry_to_read(COPY, CardId("defeat-1"), result) == entry


@refuses("Y-Z1")
def test_the_wrong_defeat_entry_is_refused() -> None:
    """Forgettable step 15."""
    refusal = refuse_entry(COPY, CardId("defeat-1"), Result.DAMAGE, 110)
    assert refusal is not None
    assert (refusal.rule, says(refusal)) == ("Y-Z1", {"entry": 110, "right": 111})
    assert refuse_entry(COPY, CardId("defeat-1"), Result.FLOOD, 110) is None


@refuses("Y-Z1")
def test_a_card_is_turned_over_only_after_a_game_and_from_the_right_deck() -> None:
    idle = refuse_flip(COPY, new_campaign(COPY), CardId("victory-1"))
    assert idle is not None
    assert idle.rule == "Y-Z1"
    lost = finished(COPY, new_campaign(COPY), ended(Result.FLOOD))
    wrong = refuse_flip(COPY, lost, CardId("victory-1"))
    assert wrong is not None
    assert (wrong.rule, says(wrong)) == ("Y-Z1", {"card": "victory-1"})
    waiting = refuse_next_game(lost)
    assert waiting is not None
    assert waiting.rule == "Y-Z1"


@holds("Y-Z2")
@pytest.mark.parametrize(("result", "gold"), [(Result.WIN, "victory-gold"), (Result.DAMAGE, "defeat-gold")])
def test_the_seventh_win_or_loss_turns_the_gold_card_and_ends_the_campaign(result: Result, gold: str) -> None:
    campaign = new_campaign(COPY)
    for _ in range(6):
        campaign = after_game(campaign, result)
        assert gold not in campaign.flipped
        assert not over(campaign)
    campaign = after_game(campaign, result)
    assert campaign.flipped[-1] == gold
    assert over(campaign)


@refuses("Y-Z2")
def test_after_the_gold_card_there_is_no_further_game() -> None:
    campaign = new_campaign(COPY)
    assert refuse_next_game(campaign) is None
    for _ in range(7):
        campaign = after_game(campaign, Result.FLOOD)
    refusal = refuse_next_game(campaign)
    assert refusal is not None
    assert (refusal.rule, says(refusal)) == ("Y-Z2", {"wins": 0, "losses": 7})


@holds("Y-Z3")
def test_nothing_carries_over_but_cards_and_the_lasting_story() -> None:
    state = ended(
        Result.WIN, supply="white 3, cowrie 2", hand="elder", exhausted="flute", built=6, huts=1, farms=(1,),
        outposts=(2,), flood=3, tucked="potter",
    )  # fmt: skip
    state = state.but(story_cards=(StoryCard(8, True), StoryCard(31, False)))
    campaign = finished(COPY, new_campaign(COPY), state)
    fresh = next_game(COPY, campaign)
    assert (fresh.supply, fresh.main) == (NONE, TOTALS)
    assert (fresh.phase, fresh.flood, fresh.huts, fresh.hand) == (Phase.SETUP, 0, 0, ())
    assert fresh.story_cards == (StoryCard(8, True),)
    assert every_card(fresh) == every_card(next_game(COPY, new_campaign(COPY)))


@holds("Y-Z3")
def test_a_card_from_the_story_deck_stays_for_the_next_game() -> None:
    state = play(position(pending="turtle#99"), "story move hermit story discard", "story end")
    campaign = finished(COPY, new_campaign(COPY), state.but(result=Result.WIN))
    assert CardId("hermit") in campaign.decks.townsfolk
    assert CardId("hermit") not in campaign.story
    assert len(campaign.decks.townsfolk) == 31


@holds("Y-Z3")
def test_a_player_with_five_enrolled_cards_keeps_all_strangers() -> None:
    campaign = new_campaign(THIN_COPY)
    first = next_game(THIN_COPY, campaign)
    campaign = finished(THIN_COPY, campaign, first.but(result=Result.FLOOD))
    assert every_card(next_game(THIN_COPY, campaign)) == every_card(first)


@holds("Y-Z3", "Y-S6")
def test_an_unread_hut_or_canal_is_not_a_card_more_in_the_next_game() -> None:
    state = play(position(supply="white 1, clay 3, wood 1"), "hut 1 on 1 with white", "flip 1 ?")
    campaign = finished(COPY, new_campaign(COPY), state.but(result=Result.WIN))
    assert len(campaign.decks.huts) == 6
    assert campaign.decks.canals == new_campaign(COPY).decks.canals


@holds("Y-Z4")
def test_a_card_in_history_is_out_for_the_campaign_one_copy_only() -> None:
    state = play(
        position(pending="turtle#99", discard="elder", exhausted="peasant"),
        "story move elder discard history",
        "story move peasant exhausted history",
    )
    campaign = finished(COPY, new_campaign(COPY), state.but(result=Result.WIN))
    assert sorted(campaign.history) == ["elder", "peasant"]
    assert CardId("elder") not in campaign.decks.townsfolk
    assert campaign.decks.townsfolk.count(CardId("peasant")) == 13


@holds("Y-Z5")
def test_a_reset_sorts_the_box_by_grey_stones() -> None:
    played = after_game(new_campaign(COPY), Result.WIN)
    assert reset(COPY) == new_campaign(COPY)
    assert reset(COPY) != played
    assert reset(COPY).story == ("ferry", "hermit", "warlord")
