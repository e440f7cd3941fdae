"""Cards that the camera could not read: they move like any other, and what is known of them only grows."""

import pytest

from assistant.games.yu import mixes, rules
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.state import Phase, State
from tests.assistant.games.yu.builders import legal, play, position, refused, says
from tests.assistant.games.yu.cards import COPY, THIN_COPY
from vision.cards import CardId


def chances(state: State) -> dict[CardId | None, float]:
    return {action.card: chance for action, chance in rules.chance(COPY, state)}


def test_an_unread_draw_keeps_every_card_as_likely_as_before() -> None:
    state = position(pending="draw draw", ready="elder flute potter rider")
    after = play(state, "draw ?")
    assert chances(state) == chances(after) == dict.fromkeys(("elder", "flute", "potter", "rider"), 0.25)


def test_a_name_makes_the_others_likelier() -> None:
    state = play(
        position(pending="draw draw", ready="elder flute potter rider"), "draw ?", "name hand 1 elder"
    )
    assert state.hand == ("elder",)
    assert chances(state) == pytest.approx(dict.fromkeys(("flute", "potter", "rider"), 1 / 3))


def test_an_unread_card_can_be_played_discarded_and_tucked_unnamed() -> None:
    state = play(position(pending="draw+3", ready="elder flute potter"), "draw ?", "draw ?", "draw ?")
    token = state.hand[0]
    after = play(state, f"play {token}", f"discard {token}", f"tuck {token} 1")
    assert (after.exhausted, after.discard, after.tucked[0]) == ((token,), (token,), token)
    assert not any(after.supply)


def test_playing_an_unread_card_by_its_name_gives_its_items() -> None:
    state = play(position(pending="draw", ready="elder flute potter"), "draw ?", "play potter")
    assert state.exhausted == ("potter",)
    assert state.supply == position(supply="clay 1").supply
    assert state.hand == ()


def test_a_name_that_the_pile_cannot_hold_is_refused() -> None:
    state = play(position(pending="draw", ready="elder flute", row="potter"), "draw ?")
    for name in ("potter", "rider", "archer", "nobody", "?", "?t0"):
        refusal = refused(state, f"name hand 1 {name}")
        assert (refusal.rule, says(refusal)) == ("Y-C5", {"card": name})
    empty = refused(state, "name hand 2 elder")
    assert (empty.rule, says(empty)) == ("Y-C5", {"place": "hand", "at": 2})
    assert refused(state, "name row 1 elder").rule == "Y-C5"


def test_the_last_unread_card_of_a_known_pile_can_only_be_the_one_that_is_left() -> None:
    state = play(position(pending="draw draw", ready="elder flute"), "draw ?", "draw flute")
    assert refused(state, "name hand 1 flute").rule == "Y-C5"
    assert play(state, "name hand 1 elder").hand == ("elder", "flute")


def test_a_shuffle_keeps_an_unread_card_among_those_it_may_be() -> None:
    """One of two cards was destroyed unread: it lies in the discard that becomes the new Draw Pile."""
    state = position(pending="destroy draw-pile", ready="elder flute", draw="", discard="potter")
    after = play(state, "destroy ?")
    assert chances(after) == pytest.approx({"potter": 0.5, "elder": 0.25, "flute": 0.25})


def test_a_card_booked_on_the_wrong_mix_is_exchanged_when_it_is_named() -> None:
    """The pile held cards of two mixes; the unread one was booked on the larger and came from the other."""
    state = position(
        pending="destroy draw-pile draw-pile", ready="elder flute", draw="", discard="potter rider"
    )
    drawn = play(state, "destroy ?", "draw-pile ?")
    named = play(drawn, "name hand 1 elder")
    assert named.hand == ("elder",)
    assert chances(named) == pytest.approx({"potter": 0.5, "rider": 0.5})
    assert legal(named.but(pending=position(pending="draw").pending)) == ["draw flute"]


def test_unread_cards_of_the_row_and_the_river_get_their_names() -> None:
    state = start(COPY, starting_decks(COPY))
    state = play(
        state, *(f"reveal {space} ?" for space in range(1, 8)), *(f"deal {space} ?" for space in range(1, 7))
    )
    assert all(card is not None and mixes.is_token(card) for card in (*state.row, *state.canal))
    state = play(
        state, "name row 1 elder", "name row 7 archer", "name canal 1 canal-b", "name canal 6 canal-j"
    )
    assert (state.row[0], state.row[6], state.canal[0], state.canal[5]) == (
        "elder",
        "archer",
        "canal-b",
        "canal-j",
    )
    assert refused(state, "name canal 2 canal-b").rule == "Y-C5"
    assert refused(state, "name canal 2 canal-g").rule == "Y-C5"
    assert refused(state, "name row 2 archer").rule == "Y-C5"


def test_an_unread_canal_is_built_for_whatever_was_paid() -> None:
    state = position(supply="white 2").but(canal=(CardId("?c0"), *position().canal[1:]))
    assert play(state, "canal with white white").canal[0] is None


def test_strangers_take_the_name_of_a_free_card_only() -> None:
    """A stranger is a card that no pack knew when the game began."""
    state = start(THIN_COPY, starting_decks(THIN_COPY))
    state = play(state, "reveal 1 ?t", "reveal 2 flute", copy=THIN_COPY)
    for name in ("flute", "elder", "nobody", "archer"):
        assert refused(state, f"name row 1 {name}", THIN_COPY).rule == "Y-C5"
    assert play(state, "name row 1 carrier", copy=COPY).row[0] == "carrier"


def test_in_the_harvest_an_unread_card_counts_as_drawn() -> None:
    state = position(phase=Phase.HARVEST, harvest="draw draw", ready="elder flute")
    after = play(state, "draw ?", "draw ?")
    assert after.phase is Phase.ACTIONS
    assert len(after.hand) == 2
    assert refused(after, "end").rule == "Y-A1"
    assert any(line.startswith("play ?t") for line in legal(after))
