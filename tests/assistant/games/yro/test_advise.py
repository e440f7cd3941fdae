"""Advice for whoever has named their hand; what others hold changes nothing."""

from typing import Any

from assistant.advise.advisor import Advisor
from assistant.advise.say import advice_of, nothing_to_advise
from assistant.games.yro import KIT, mixes
from assistant.games.yro.advise import advising, known_to, viewer
from assistant.games.yro.state import Phase, State, changed
from assistant.kit import Dice, Game
from assistant.virtual import set_up
from assistant.wording import Wording, languages
from tests.assistant.games.yro.builders import copy_for

GAME: Game[Any, Any] = KIT.bind(KIT.demo_pack(), {"players": "3"})


def position(phase: Phase, seed: int = 4) -> State:
    """The first position of this phase in which the first player decides."""
    dice = Dice(seed)
    state: State = set_up(GAME, dice)
    while state.phase is not phase or (phase is Phase.RECRUIT and not state.players[0].placing):
        state = GAME.apply(state, GAME.policies["greedy"](state, dice))
    return state


def unread(state: State, player: int) -> State:
    """The position as the program knows it when this player has not named their hand."""
    others = [number for number in range(1, 4) if number != player]
    return known_to(state, others[0])


def clock() -> Any:
    """Time that passes by thinking alone, the same on every machine."""
    now = [0.0]

    def tick() -> float:
        now[0] += 0.001
        return now[0]

    return tick


def test_the_advice_is_for_the_one_whose_hand_is_known() -> None:
    state = position(Phase.CHOOSE)
    for me in (1, 2, 3):
        assert viewer(known_to(state, me)) == me


def test_what_others_hold_changes_no_advice() -> None:
    state = position(Phase.CHOOSE)
    second, third = state.players[1], state.players[2]
    swapped = state.with_player(2, changed(second, hand=third.hand)).with_player(
        3, changed(third, hand=second.hand)
    )
    assert known_to(state, 1) == known_to(swapped, 1)
    one, other = (
        Advisor(GAME, clock=clock()).think(known_to(each, 1), 0.3).best for each in (state, swapped)
    )
    assert one is not None
    assert other is not None
    assert one.actions == other.actions


def test_every_unseen_card_is_counted_once() -> None:
    state = position(Phase.CHOOSE)
    known = known_to(state, 1)
    assert not any(mixes.is_token(card) for card in known.players[0].hand)
    assert all(mixes.is_token(card) for player in known.players[1:] for card in player.hand)
    tokens = sum(len(player.hand) for player in known.players[1:])
    assert len(known.mixes[0]) == tokens + sum(places for _, places in known.deck)


def test_advice_says_what_a_choice_is_worth_and_only_ones_own_moves_are_advised() -> None:
    for phase, key in ((Phase.CHOOSE, "because-chosen"), (Phase.RECRUIT, "because-place")):
        state = known_to(position(phase), 1)
        thought = Advisor(GAME, clock=clock()).think(state, 0.3)
        assert all(action.player == 1 for action in thought.decisions)
        advice = advice_of(GAME, state, thought)
        reasons = [reason.key for move in advice.moves for reason in move.because]
        assert f"yro.advise.{key}" in reasons


def test_what_is_kept_is_worth_something_whether_cards_were_discarded_or_not() -> None:
    state = known_to(position(Phase.DRAW), 1)
    for notation in (f"discard 1 {state.players[0].hand[0]}", "keep 1"):
        after = GAME.apply(state, GAME.parse(notation))
        reasons = advising(copy_for(3)).at(state).because(state, after)
        assert "yro.advise.because-kept" in [reason.key for reason in reasons]


def test_a_hand_that_nobody_named_is_asked_for_in_every_language() -> None:
    state = position(Phase.CHOOSE)
    hidden = state
    for me in (1, 2, 3):
        hidden = unread(hidden, me)
    plain = nothing_to_advise(GAME, hidden)
    assert plain is not None
    assert plain.key == "yro.advise.name-hand"
    for language in languages():
        assert "{" not in Wording(language, [KIT.messages]).say(plain)
