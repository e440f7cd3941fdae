"""What counts as an action recorded right: the same cards and pieces between the same places, in its turn."""

from typing import Any

from assistant.accuracy import NOTHING, Aligned, align, change, wrong_cards
from tests.assistant.table import SCRIPT, yu
from vision.table import TableView

SETUP = SCRIPT[:13]
ROUND = ("collect", "draw fan-bearer-blue-draw", "draw flute-player-clay-red", "draw drummer-red-red")


def positions(*notations: str) -> list[TableView]:
    game = yu()
    state: Any = game.initial()
    views = [game.view(state)]
    for notation in notations:
        state = game.apply(state, game.parse(notation))
        views.append(game.view(state))
    return views


def compared(played: tuple[str, ...], recorded: tuple[str, ...], *, misread: bool = False) -> Aligned:
    """Both games begin with the scripted set-up; in the recorded one a Canal card may be another one."""
    true = positions(*SETUP, *played)[13:]
    other = ("deal 6 canal-5-6-turtle-31",) if misread else SETUP[12:]
    views = positions(*SETUP[:12], *other, *recorded)[13:]
    return align(yu().layout, true, views)


def test_a_game_recorded_as_it_was_played_is_right() -> None:
    assert compared(ROUND, ROUND) == Aligned(right=(True,) * 4, invented=0)


def test_a_card_misread_at_the_set_up_makes_no_later_action_wrong_but_is_counted() -> None:
    assert compared(ROUND, ROUND, misread=True) == Aligned(right=(True,) * 4, invented=0)
    true = positions(*SETUP)[-1]
    other = positions(*SETUP[:12], "deal 6 canal-5-6-turtle-31")[-1]
    assert wrong_cards(yu().layout, true, other) == 1
    assert wrong_cards(yu().layout, true, true) == 0


def test_a_wrong_card_in_an_action_is_a_wrong_action_and_an_invented_one() -> None:
    recorded = (*ROUND[:2], "draw weaver-wood-yellow", ROUND[3])
    assert compared(ROUND, recorded) == Aligned(right=(True, True, False, True), invented=1)


def test_an_action_that_names_no_card_is_wrong_if_it_moved_another_card() -> None:
    layout = yu().layout
    recruit = (*ROUND, "draw weaver-white-cowrie-clay", "recruit 1")
    true, other = positions(*SETUP, *recruit), positions("reveal 1 fisher-blue-blue", *SETUP[1:], *recruit)
    assert change(layout, true[-2], true[-1]) != change(layout, other[-2], other[-1])


def test_a_missing_action_is_wrong_and_the_others_stay_right() -> None:
    assert compared(ROUND, (*ROUND[:1], *ROUND[2:])) == Aligned(right=(True, False, True, True), invented=0)


def test_two_actions_recorded_in_another_order_are_not_both_right() -> None:
    recorded = (ROUND[0], ROUND[2], ROUND[1], ROUND[3])
    found = compared(ROUND, recorded)
    assert sum(found.right) == 3
    assert found.invented == 1


def test_the_parts_of_one_action_are_that_action_and_other_steps_are_invented() -> None:
    assert compared(("collect",), ("take white", "collect")) == Aligned(right=(True,), invented=0)
    assert compared(("collect",), ("take white",)) == Aligned(right=(False,), invented=1)


def test_several_actions_recorded_as_one_step_that_does_the_same_are_right() -> None:
    piece_by_piece = ("take white", "collect", *ROUND[1:])
    assert compared(piece_by_piece, ROUND) == Aligned(right=(True,) * 5, invented=0)
    assert compared(("take white",), ("collect",)) == Aligned(right=(False,), invented=1)


def test_what_leaves_no_trace_is_no_change() -> None:
    views = positions(*SETUP)
    assert change(yu().layout, views[-1], views[-1]) == NOTHING
