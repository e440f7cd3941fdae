"""The forecast: what is bound to happen, exactly where it can be told."""

from itertools import combinations
from typing import Any

import pytest

from assistant.games.yu import KIT
from assistant.games.yu.actions import Action
from assistant.games.yu.forecast import chance_of_none
from assistant.games.yu.pieces import COWRIE, PIECES, TOTALS, taken
from assistant.games.yu.state import Phase, Result, State, Step, StepKind
from assistant.kit import Dice, Game, Gauge, Severity
from vision.cards import CardId

GAME: Game[State, Action] = KIT.bind(KIT.demo_pack())


def after_set_up(**changes: Any) -> State:
    """The first ACTIONS phase with an empty hand, changed as told."""
    dice = Dice("forecast")
    state = GAME.initial()
    while state.phase is not Phase.ACTIONS:
        chances = GAME.chance(state)
        action = dice.weighted(chances) if chances else GAME.parse("collect")
        state = GAME.apply(state, action)
    return state.but(exhausted=state.exhausted + state.hand, hand=()).but(**changes)


def supply(**pieces: int) -> dict[str, tuple[int, ...]]:
    have = tuple(pieces.get(name, 0) for name in PIECES)
    return {"supply": have, "main": taken(TOTALS, have)}


def gauge(state: State, name: str) -> Gauge:
    return next(gauge for gauge in GAME.forecast(state).gauges if gauge.name == name)


def test_ten_cards_and_four_a_round_let_the_flood_move_in_the_third_harvest() -> None:
    state = after_set_up()
    flood = gauge(state, "flood").values
    assert flood["cards_left"] == 6
    assert flood["moves_in_phase"] == "harvest"
    assert flood["harvests_until"] == 2
    assert flood["next_space"] == 1
    assert flood["deadly"]
    assert not flood["critical"]


def test_an_empty_ready_pile_makes_the_next_card_critical() -> None:
    state = after_set_up(ready=())
    flood = gauge(state, "flood")
    assert flood.severity is Severity.WARNING
    assert flood.values["critical"]


@pytest.mark.parametrize("built", [True, False])
def test_with_both_piles_empty_the_next_card_loses_by_damage_and_the_flood_stays(built: bool) -> None:
    """Y-G5: whatever awaits the Flood on its next space, it does not move there."""
    state = after_set_up(ready=(), exhausted=())
    if built:
        state = state.but(canal=(None, *state.canal[1:]), barge=2)
    flood = gauge(state, "flood")
    assert flood.severity is Severity.WARNING
    assert flood.message.key == "yu.forecast.flood-damage"
    assert flood.values["deadly"]
    assert flood.values["critical"]


def test_a_built_section_makes_the_next_step_safe() -> None:
    state = after_set_up(ready=())
    safe = state.but(canal=(None, *state.canal[1:]), barge=2)
    assert not gauge(safe, "flood").values["deadly"]
    assert not gauge(safe, "flood").values["critical"]


def test_the_flood_gauge_agrees_with_what_then_happens() -> None:
    """Drawing exactly the cards that are left does not move the Flood; the next need does."""
    state = after_set_up()
    left = gauge(state, "flood").values["cards_left"]
    assert isinstance(left, int)
    dice = Dice(3)
    state = state.but(pending=(Step(StepKind.DRAW),) * (left + 1))
    for _ in range(left):
        state = GAME.apply(state, dice.weighted(GAME.chance(state)))
        assert state.flood == 0
    assert GAME.chance(state) == ()
    assert GAME.parse("shuffle") in GAME.legal_actions(state)
    assert GAME.apply(state, GAME.parse("shuffle")).flood == 1


def test_barbarians_after_the_next_refresh_are_counted_with_the_tags_in_view() -> None:
    state = after_set_up()
    assert gauge(state, "barbarians").values == {"now": 1, "new": 1, "after": 2, "deadly": False}
    foes = state.mixes[1][:5]
    crowded = state.but(
        row=(state.row[0], *foes, state.row[6]), canal=(None, None, *state.canal[2:]), barge=3
    )
    assert gauge(crowded, "barbarians").values == {"now": 6, "new": 2, "after": 7, "deadly": True}
    assert gauge(crowded, "barbarians").severity is Severity.WARNING


def test_what_the_next_section_lacks_is_named() -> None:
    state = after_set_up(**supply(white=1, cowrie=1))
    canal = gauge(state, "canal")
    assert canal.values["white_missing"] == 1
    assert canal.values["cowries_missing"] == 1
    assert canal.values["affordable"] is False
    rich = after_set_up(**supply(white=2, cowrie=2))
    assert gauge(rich, "canal").values["affordable"] is True


def test_each_barbarian_says_what_an_attack_lacks() -> None:
    state = after_set_up(**supply())
    attack = gauge(state, "attack-7").values
    assert attack["provisions_missing"] == 3
    workers = [attack.get(f"{colour}_missing", 0) for colour in ("red", "black", "blue", "yellow")]
    assert sum(number for number in workers if isinstance(number, int)) == 3


def test_a_gain_that_the_box_cannot_pay_is_announced() -> None:
    state = after_set_up(**supply(cowrie=TOTALS[COWRIE]))
    short = gauge(state, "short-cowrie")
    assert short.values == {"piece": "cowrie", "lost": 1, "left": 0}
    assert all(not g.name.startswith("short") for g in GAME.forecast(after_set_up()).gauges)


def test_a_card_in_hand_that_gives_what_the_box_has_not_is_announced_before_it_is_played() -> None:
    """Y-G9: played now, its gain would be lost without a word."""
    card = CardId("weaver-clay-provision")
    short = gauge(after_set_up(hand=(card,), **supply(clay=9)), "short-clay")
    assert short.severity is Severity.WARNING
    assert short.message.key == "yu.forecast.short-card"
    assert short.values == {"piece": "clay", "lost": 1, "left": 0}
    enough = after_set_up(hand=(card,), **supply(clay=8))
    assert all(not g.name.startswith("short") for g in GAME.forecast(enough).gauges)


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_the_chance_of_a_colour_is_that_of_counting_all_draws(draws: int) -> None:
    """Against plain enumeration: a pile of two cards from one mix of four and one from a mix of two."""
    state = State(mixes=(("a", "b", "c", "d"), ("x", "y")), ready=((0, 2), (1, 1)))  # type: ignore[arg-type]
    hits = {"a", "x"}
    misses = total = 0
    for first in combinations("abcd", 2):
        for second in "xy":
            pile = (*first, second)
            for drawn in combinations(pile, draws):
                total += 1
                misses += not hits & set(drawn)
    found = chance_of_none(state, state.ready, draws, lambda card: card in hits)
    assert found == pytest.approx(misses / total)


def test_nothing_is_forecast_before_the_first_round_and_after_the_last() -> None:
    assert GAME.forecast(GAME.initial()).gauges == ()
    assert GAME.forecast(after_set_up(result=Result.WIN)).gauges == ()
