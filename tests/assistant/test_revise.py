"""Second thoughts about earlier moves: no images, no clock."""

from dataclasses import replace
from itertools import islice, permutations
from typing import Any, cast

import pytest

from assistant.doubts import Doubts
from assistant.evidence import Evidence, zones_of
from assistant.kit import Dice
from assistant.reconstruct import Line, Step, StepKind, legal_moves
from assistant.retell import renamed, told_path
from assistant.revise import _other_names, in_order_seen, in_order_told
from assistant.tracker import Tracker, placed
from tests.assistant.observations import Eye
from tests.assistant.table import Table, yu
from vision.cards import CardId
from vision.observation import CardSighting, Guess, Look
from vision.table import PlacedCard, TableView, ZoneId, ZoneView


def line_of(start: Line, *notations: str) -> Line:
    game, line = yu(), start
    for notation in notations:
        action = game.parse(notation)
        state = game.apply(line.state, action)
        line = Line(line, Step(kind=StepKind.ACTION, action=action), state, game.view(state), line.cost + 2)
    return line


def sights_after(start: Line, *moves: tuple[str, ...]) -> list[Evidence]:
    """What is seen after each of these moves."""
    eye = Eye(layout=yu().layout, pack=yu().pack)
    looks = [eye.look(line_of(start, *done).view, 1, 1.0) for done in moves]
    return [Evidence(look, zones_of(yu().layout)) for look in looks]


def written(line: Line, start: Line) -> list[str]:
    steps = [earlier.step for earlier in line.back() if earlier.step and earlier.depth > start.depth]
    return [yu().format(step.action) for step in steps][::-1]


def in_the_first_round() -> Line:
    game, dice = yu(), Dice("revise")
    state = game.initial()
    while state.phase.value != "actions":
        state = game.apply(state, game.policies["greedy"](state, dice))
    return Line(None, None, state, game.view(state), 0.0)


def moves_in_any_order(start: Line) -> tuple[str, str, str]:
    """Two moves that lead to the same position either way, and one that may follow them."""
    game = yu()
    moves = [game.format(action) for action in game.legal_actions(start.state)]
    for first, second in permutations(moves, 2):
        if may_follow(line_of(start, first), second) and may_follow(line_of(start, second), first):
            both = line_of(start, first, second)
            if both.state == line_of(start, second, first).state:
                return first, second, game.format(game.legal_actions(both.state)[0])
    raise AssertionError("the order of all moves matters")


def may_follow(line: Line, notation: str) -> bool:
    return yu().refusal(line.state, yu().parse(notation)) is None


def test_a_move_done_twice_keeps_both_its_places() -> None:
    start = Line(None, None, (), yu().view(yu().initial()), 0.0)
    game = cast(Any, Counting())
    old = counting_line(start, "a", "b", "a")
    new = counting_line(start, "a", "a", "b", "c")
    told = in_order_told(game, old, new)
    assert [line.step.action for line in list(told.back())[::-1] if line.step] == ["a", "b", "a", "c"]


class Counting:
    """A game in which nothing matters but how often each thing was done."""

    def refusal(self, _state: object, _action: str) -> None:
        return None

    def apply(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return tuple(sorted((*state, action)))

    def view(self, _state: object) -> TableView:
        return TableView(())


class TwoEnvoys(Counting):
    """A game with two cards of one name, and one of each other."""

    def refusal(self, state: tuple[str, ...], action: str) -> str | None:  # type: ignore[override]
        return "none left" if "take" in action and state.count(action) >= 1 + ("envoy" in action) else None

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        return text


def test_the_second_card_of_a_name_is_renamed_where_the_first_one_was_read_right() -> None:
    """Both were exchanged, which the rules forbade, so a misread card stayed what it was not."""
    start = Line(None, None, (), yu().view(yu().initial()), 0.0)
    went_on = [f"step {number}" for number in range(12)]
    told = counting_line(start, "take envoy", "take envoy", *went_on)
    game = cast(Any, TwoEnvoys())
    line = renamed(game, told_path(game, told), CardId("envoy"), CardId("lord"), 2.5)
    assert line is not None
    done = [each.step.action for each in list(line.back())[::-1] if each.step]
    assert done == ["take envoy", "take lord", *went_on]
    assert line.cost == told.cost + 2.5


def test_a_card_is_renamed_from_the_time_on_that_more_steps_can_follow() -> None:
    """It was renamed from its first mention on, where the rules forbade it at the end, and all later ones
    were not tried."""
    start = Line(None, None, (), yu().view(yu().initial()), 0.0)
    told = counting_line(start, "take envoy", "step 1", "take envoy", "step 2")
    game = cast(Any, TwoEnvoys())
    line = renamed(game, told_path(game, told), CardId("envoy"), CardId("lord"), 2.5)
    assert line is not None
    done = [each.step.action for each in list(line.back())[::-1] if each.step]
    assert done == ["take envoy", "step 1", "take lord", "step 2"]


def counting_line(start: Line, *actions: str) -> Line:
    line = start
    for action in actions:
        state = Counting().apply(line.state, action)
        line = Line(line, Step(kind=StepKind.ACTION, action=action), state, TableView(()), line.cost + 2)
    return line


def test_moves_found_again_in_another_order_are_told_as_they_were_seen() -> None:
    start = in_the_first_round()
    first, second, third = moves_in_any_order(start)
    old = line_of(start, first, second)
    new = line_of(start, second, first, third)
    told = in_order_told(yu(), old, new)
    assert written(told, start) == [first, second, third]
    assert (told.state, told.cost) == (new.state, new.cost)


def test_moves_that_lead_elsewhere_in_the_old_order_stay_as_they_are() -> None:
    start = in_the_first_round()
    first, second, _ = moves_in_any_order(start)
    old = line_of(start, first, second)
    new = line_of(start, second)
    assert in_order_told(yu(), old, new) is new


def test_what_was_added_to_a_line_changes_nothing_in_it() -> None:
    start = in_the_first_round()
    first, second, third = moves_in_any_order(start)
    old = line_of(start, first, second)
    new = line_of(old, third)
    assert in_order_told(yu(), old, new) is new


def test_moves_that_are_understood_together_are_told_in_the_order_in_which_they_were_seen() -> None:
    start = in_the_first_round()
    first, second, third = moves_in_any_order(start)
    sights = sights_after(start, (first,), (first, second))
    new = line_of(start, second, first, third)
    told = in_order_seen(yu(), start, new, sights)
    assert written(told, start) == [first, second, third]
    assert (told.state, told.cost) == (new.state, new.cost)
    assert in_order_seen(yu(), start, new, []) is new, "nothing was seen meanwhile"
    assert in_order_seen(yu(), start, told, sights) is told


@pytest.mark.parametrize("swapped", [False, True])
def test_two_moves_between_calm_sights_are_told_in_the_order_in_which_a_moving_table_showed_them(
    swapped: bool,
) -> None:
    """The next hand was there before the table had been calm: what could be seen beside it tells."""
    start = in_the_first_round()
    first, second, _ = moves_in_any_order(start)
    if swapped:
        first, second = second, first
    table = Table(state=start.state)
    table.look()
    table.do(first)
    table.look(calm=False)
    table.do(second)
    table.look()
    assert table.recorded() == [first, second]


def test_another_line_that_explains_the_table_is_weighed_against_one_step_more_in_the_believed_one() -> None:
    """It was kept although something in it had not been seen; that must not be forgotten when it is."""
    start = in_the_first_round()
    first, second, _ = moves_in_any_order(start)
    one, both = sights_after(start, (first,), (first, second))
    tracker = Tracker(yu(), start.state)
    root = tracker.best
    assert tracker.explain(one)
    tracker.remember(one)
    rival = line_of(root, second, first)
    rival.cost = tracker.best.cost + 1.9
    tracker.lines = (tracker.best, rival)
    assert not tracker.weigh(both), "worth a search"
    assert tracker.explain(both)
    assert written(tracker.best, root) == [first, second]


@pytest.mark.parametrize(("likelier_by", "told_otherwise"), [(0.1, False), (1.5, True)])
def test_what_was_told_stays_unless_another_line_is_clearly_likelier(
    likelier_by: float, told_otherwise: bool
) -> None:
    """Two lines that are about as likely took turns: moves were taken back and told again."""
    start = in_the_first_round()
    first, second, _ = moves_in_any_order(start)
    one, both = sights_after(start, (first,), (first, second))
    tracker = Tracker(yu(), start.state)
    assert tracker.explain(one)
    told = tracker.best
    unseen = told.state.but(built_this_round=not told.state.built_this_round)
    rival = Line(told.parent, Step(kind=StepKind.ADOPTED), unseen, told.view, told.cost - likelier_by)
    tracker.lines = (told, rival)
    assert tracker.weigh(one)
    assert tracker.best is (rival if told_otherwise else told)
    tracker.lines = (told, rival)
    assert tracker.explain(both)
    assert (rival in tracker.best.back()) is told_otherwise


def test_only_the_top_card_of_a_pile_may_be_what_is_read_there() -> None:
    """Every card below it was renamed instead, and the names that were worth trying came too late."""
    below, top, read = (
        card.id for card in islice(yu().pack.of_kind(yu().layout.zone(ZoneId("discard")).cards[0]), 3)
    )
    start = in_the_first_round()
    pile = ZoneView(zone=ZoneId("discard"), cards=(PlacedCard(below), PlacedCard(top)))
    line = Line(None, None, start.state, placed(start.view, pile), 0.0)
    evidence = reading(line.view, pile.zone, (Guess(Look.FRONT, read, 1.0),))
    names = [pair for pair, _ in _other_names(line, evidence, Doubts())]
    assert (top, read) in names
    assert (below, read) not in names


def test_a_name_read_where_something_else_should_lie_is_tried_before_likelier_ones() -> None:
    """It came thirty-second of 24 that are tried, and everything after it was told wrong."""
    start = in_the_first_round()
    place = next(zone for zone in start.view.zones if zone.zone.startswith("row-") and zone.cards)
    lying = {placed.card for zone in start.view.zones for placed in zone.cards}
    kind = yu().layout.zone(ZoneId("discard")).cards[0]
    doubted, likely, misread, strange = (
        card.id for card in islice((c for c in yu().pack.of_kind(kind) if c.id not in lying), 4)
    )
    doubts = Doubts()
    for old, name, p in ((doubted, likely, 0.5), (misread, strange, 0.05)):
        pile = ZoneView(zone=ZoneId("discard"), cards=(PlacedCard(old),))
        guesses = (Guess(Look.FRONT, old, 1 - p), Guess(Look.FRONT, name, p))
        view = placed(start.view, pile)
        doubts.take_in(view, reading(view, pile.zone, guesses))
    now = reading(start.view, place.zone, (Guess(Look.FRONT, strange, 1.0),))
    line = Line(None, None, start.state, start.view, 0.0)
    names = [pair for pair, _ in _other_names(line, now, doubts)]
    assert names.index((misread, strange)) < names.index((doubted, likely))


def reading(view: TableView, zone: ZoneId, guesses: tuple[Guess, ...]) -> Evidence:
    """What is seen of a table if one zone shows a card with these names."""
    seen = Eye(layout=yu().layout, pack=yu().pack).look(view, 1, 1.0)
    card = CardSighting(guesses=guesses)
    zones = tuple(replace(z, cards=(card,)) if z.zone == zone else z for z in seen.zones)
    return Evidence(replace(seen, zones=zones), zones_of(yu().layout))


def test_every_card_with_another_name_is_thought_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten other names explained more by themselves; the right one explained all of it one step later."""
    start = in_the_first_round()
    first, *_ = moves_in_any_order(start)
    (seen,) = sights_after(start, (first,))
    tracker = Tracker(yu(), start.state)
    right = Line(None, None, start.state, start.view, 0.0)
    right.penalty = seen.total(right.view)
    wrong = [
        Line(right, Step(kind=StepKind.ACTION, action=action), state, yu().view(state), 0.0)
        for action in yu().legal_actions(start.state)
        if yu().format(action) != first
        for state in (yu().apply(start.state, action),)
    ][:10]
    for line in wrong:
        line.penalty = seen.total(line.view)
        line.cost = right.score - 9 - line.penalty
    monkeypatch.setattr("assistant.tracker.renamings", lambda *_: [*wrong, right])
    moves = legal_moves(yu(), seen.cards_in_sight(), frozenset())
    *_, named = tracker._revised(seen, moves)
    assert first in [yu().format(line.step.action) for line in named.whole if line.step]


def test_a_players_word_is_not_thought_over_with_the_next_look() -> None:
    start = in_the_first_round()
    first, *_ = moves_in_any_order(start)
    (unchanged,) = sights_after(start, ())
    tracker = Tracker(yu(), start.state)
    before = tracker.lines
    tracker.tell(yu().parse(first))
    assert tracker.weigh(unchanged) is False
    assert not tracker.explain_rather(unchanged, before)
    assert [yu().format(line.step.action) for line in tracker.steps() if line.step] == [first]
