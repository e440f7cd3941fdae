"""Between two games: the book moves cards in and out of the decks, and never into two places."""

from collections import Counter

import pytest

from assistant.games.yu import aftermath, campaign
from assistant.games.yu.board import shipped_board
from assistant.games.yu.campaign import Campaign
from assistant.games.yu.copy import copy_of
from assistant.games.yu.kit import demo_script
from assistant.games.yu.notation import parse_action
from assistant.games.yu.pack import demo_pack
from assistant.games.yu.state import FoodUse, Result, StoryCard
from vision.cards import CardId, parse_items

COPY = copy_of(demo_pack(), shipped_board())
START = campaign.new_campaign(COPY)
NEWCOMER = next(card for card in START.story if card in COPY.townsfolk)


def told(text: str, before: Campaign = START) -> Campaign:
    return aftermath.told(COPY, before, parse_action(f"story {text}"))


def places_of(card: CardId, state: Campaign) -> int:
    decks = state.decks
    lists = (decks.townsfolk, decks.barbarians, decks.huts, *decks.canals, state.story, state.history)
    return sum(Counter(cards)[card] for cards in lists)


def test_a_card_of_the_story_deck_joins_the_deck_of_its_kind() -> None:
    after = told(f"move {NEWCOMER} story draw")
    assert NEWCOMER in after.decks.townsfolk
    assert NEWCOMER not in after.story
    assert len(after.decks.townsfolk) == 31


@pytest.mark.parametrize("target", ["draw", "history", "story", "box"])
def test_a_card_is_in_one_place_wherever_it_goes_and_however_often(target: str) -> None:
    after = told(f"move {NEWCOMER} story {target}", told(f"move {NEWCOMER} story draw"))
    assert places_of(NEWCOMER, after) == 1


def test_a_card_in_history_is_out_of_the_next_games() -> None:
    card = START.decks.townsfolk[0]
    after = told(f"move {card} discard history")
    assert card in after.history
    assert card not in after.decks.townsfolk


def test_pieces_do_not_carry_over() -> None:
    assert told("gain cowrie+3") == START


def test_food_and_story_cards_stay() -> None:
    after = told("food fish cowrie", told("play 60 stays"))
    assert after.decks.story_cards == (StoryCard(60, True),)
    assert after.decks.food == (FoodUse("fish", parse_items("cowrie")),)
    assert told("drop 60", after).decks.story_cards == ()


def test_a_story_card_that_stays_in_play_is_no_longer_in_the_story_deck() -> None:
    stone = min(COPY.stones)
    card = COPY.story_card(stone)
    assert card in START.story
    assert card not in told(f"play {stone} stays").story
    ended = campaign.next_game(COPY, START).but(result=Result.WIN, story_cards=(StoryCard(stone, True),))
    assert card not in campaign.finished(COPY, START, ended).story
    briefly = ended.but(story_cards=(StoryCard(stone, False),))
    assert card in campaign.finished(COPY, START, briefly).story


def test_a_canal_joins_its_jade_group() -> None:
    canal = next(card for card in START.story if card in COPY.canals)
    group = ("1-2", "3-4", "5-6").index(COPY.pack[canal].group or "")
    after = told(f"move {canal} story box")
    assert canal in after.decks.canals[group]


def test_an_entry_may_lead_to_another_and_a_circle_ends() -> None:
    book = {
        1: (parse_action("story gain turtle#2"),),
        2: (parse_action(f"story move {NEWCOMER} story draw"), parse_action("story gain turtle#1")),
    }
    copy = copy_of(demo_pack(), shipped_board(), book)
    assert places_of(NEWCOMER, aftermath.read_out(copy, START, 1)) == 1


def test_every_entry_of_the_demo_leaves_each_card_in_one_place() -> None:
    copy = copy_of(demo_pack(), shipped_board(), demo_script())
    after = START
    for card in (*START.victory, *START.defeat):
        for result in Result:
            entry = campaign.entry_to_read(copy, card, result)
            after = aftermath.read_out(copy, after, entry) if entry else after
    cards = {card.id for card in demo_pack().cards if card.kind in ("townsfolk", "barbarian", "canal", "hut")}
    assert {places_of(card, after) for card in cards} == {1}
    assert after != START
